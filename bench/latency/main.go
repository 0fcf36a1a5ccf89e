// Command latency measures how late a task runs beside others that compute, on two
// processors: after sleep(1ms), after a small file has been read, and when another task
// sends it something. It runs the same in Runnel, Go and, if it is there, Erlang, in turns:
//
//	go run ./bench/latency
//	go run ./bench/latency -k 5 -n 1000 -reads
//
// With -reads it instead times 1,000 reads, one after the other, beside four tasks that
// compute.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

var (
	kinds = []string{"sleep", "read", "wake"}
	busy  = []int{0, 1, 2, 8}
)

// side is an implementation: its command without KIND BUSY TIMES FILE.
type side struct {
	title   string
	command []string
}

func main() {
	rounds := flag.Int("k", 3, "`rounds`")
	times := flag.Int("n", 300, "`times` that each is measured in a round")
	reads := flag.Bool("reads", false, "time 1,000 reads beside four tasks that compute")
	asJSON := flag.Bool("json", false, "print what was measured as data")
	flag.Parse()
	if err := bench(max(*rounds, 1), max(*times, 1), *reads, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "bench/latency:", err)
		os.Exit(1)
	}
}

func bench(rounds, times int, reads, asJSON bool) error {
	dir, err := os.MkdirTemp("", "runnel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sides, err := build(dir)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "small.txt")
	if err := os.WriteFile(file, []byte("hello\n"), 0o600); err != nil {
		return err
	}
	if reads {
		return timeReads(sides, rounds, file)
	}
	all, err := measure(sides, rounds, times, file)
	if err != nil {
		return err
	}
	if asJSON {
		return all.Write(os.Stdout)
	}
	report(sides, all)
	return nil
}

// build compiles the programs.
func build(dir string) ([]side, error) {
	runnel, native := filepath.Join(dir, "runnel"), filepath.Join(dir, "go")
	commands := [][]string{{"go", "build", "-o", runnel, "./cmd/runnel"}, {"go", "build", "-o", native, "./bench/latency/go"}}
	sides := []side{
		{"Runnel", []string{runnel, "run", "--workers", "2", "bench/latency/latency.rnl"}},
		{"Go", []string{native}},
	}
	if _, err := exec.LookPath("erlc"); err == nil {
		commands = append(commands, []string{"erlc", "-o", dir, "bench/latency/latency.erl"})
		sides = append(sides, side{"Erlang", []string{"erl", "+S", "2:2", "-noshell", "-pa", dir, "-run", "latency", "main"}})
	} else {
		fmt.Fprintln(os.Stderr, "no Erlang: it is left out")
	}
	for _, c := range commands {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", strings.Join(c, " "), err, out)
		}
	}
	return sides, nil
}

// run returns what a side has measured, in microseconds, in order of size.
func (s side) run(kind string, busy, times int, file string) ([]float64, error) {
	args := append(slices.Clone(s.command[1:]), kind, strconv.Itoa(busy), strconv.Itoa(times), file)
	var out, errs bytes.Buffer
	cmd := exec.Command(s.command[0], args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, errs.String())
	}
	var all []float64
	for line := range strings.Lines(out.String()) {
		ns, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
		if err != nil {
			return nil, err
		}
		all = append(all, ns/1000)
	}
	if len(all) != times {
		return nil, errors.New(s.title + " has not measured all")
	}
	slices.Sort(all)
	return all, nil
}

func column(kind string, busy int, part string) string {
	return fmt.Sprintf("%s, %d, %s", kind, busy, part)
}

func measure(sides []side, rounds, times int, file string) (figures.Results, error) {
	all := map[[2]string][]float64{}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "round %d\n", round+1)
		for _, kind := range kinds {
			for _, b := range busy {
				for _, s := range sides {
					late, err := s.run(kind, b, times, file)
					if err != nil {
						return nil, err
					}
					for part, at := range map[string]int{"p50": times / 2, "p99": times * 99 / 100} {
						key := [2]string{s.title, column(kind, b, part)}
						all[key] = append(all[key], late[at])
					}
				}
			}
		}
	}
	var r figures.Results
	for key, values := range all {
		r = append(r, figures.Sample{Row: key[0], Column: key[1], Values: values})
	}
	return r, nil
}

func report(sides []side, r figures.Results) {
	fmt.Print("| µs, p50 / p99 |")
	for _, s := range sides {
		fmt.Printf(" %s |", s.title)
	}
	fmt.Println("\n|---|" + strings.Repeat("---|", len(sides)))
	for _, kind := range kinds {
		for _, b := range busy {
			fmt.Printf("| %s, %d busy |", kind, b)
			for _, s := range sides {
				fmt.Printf(" %s / %s |", figures.Number(figures.Median(r.Values(s.title, column(kind, b, "p50")))),
					figures.Number(figures.Median(r.Values(s.title, column(kind, b, "p99")))))
			}
			fmt.Println()
		}
	}
}

// timeReads times many reads one after the other.
func timeReads(sides []side, rounds int, file string) error {
	for round := range rounds {
		for _, s := range sides {
			late, err := s.run("read", 4, 1000, file)
			if err != nil {
				return err
			}
			sum := 0.0
			for _, us := range late {
				sum += us
			}
			fmt.Printf("round %d: %s: %v\n", round+1, s.title, time.Duration(sum*1000).Round(time.Microsecond))
		}
	}
	return nil
}
