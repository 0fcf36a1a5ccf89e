package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// runJSON returns what a command of the benchmarks tells as data. Its progress
// goes where ours does.
func runJSON(command ...string) (figures.Results, error) {
	var out bytes.Buffer
	cmd := exec.Command(command[0], append(command[1:], "-json")...)
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return figures.Read(out.Bytes())
}

// peersJSON runs a command of the module of the peers.
func peersJSON(command string, arguments ...string) (figures.Results, error) {
	return runJSON(append([]string{"go", "-C", "bench/peers", "run", "./" + command}, arguments...)...)
}

// flags writes flags of numbers.
func flags(numbers ...any) (flags []string) {
	for i := 0; i < len(numbers); i += 2 {
		flags = append(flags, fmt.Sprintf("-%v=%v", numbers[i], numbers[i+1]))
	}
	return flags
}

func measureActors(o options) (figures.Results, error) {
	arguments := flags("rounds", o.rounds, "pairs", 400_000, "fan", 400_000)
	if o.quick {
		arguments = flags("rounds", o.rounds, "tell", 1_000_000, "ask", 100_000, "pairs", 80_000, "fan", 80_000, "idle", 10_000)
	}
	if o.rows != nil {
		arguments = append(arguments, "-only="+strings.Join(o.rows, ","), "-pairs=0", "-fan=0", "-idle=0")
	}
	return peersJSON("actors", arguments...)
}

// actorRows are those of the table, and what each may be: what is best in a round counts.
var actorRows = []struct {
	title string
	kinds []string
}{
	{runnelTitle, []string{runnelTitle}},
	{"hollywood", []string{"hollywood"}},
	{"hollywood, inbox of 16", []string{"hollywood, inbox of 16"}},
	{"protoactor-go", []string{"protoactor-go", "protoactor-go, bounded mailboxes"}},
	{"GoAkt", []string{"GoAkt", "GoAkt, segmented mailboxes"}},
	{"go-actor", []string{"go-actor"}},
	{"goroutine and channel", []string{"goroutine and channel"}},
	{"Erlang gen_server", []string{"Erlang gen_server"}},
}

func writeActors(p *page, r figures.Results) {
	p.head("tell", "ask", "pairs", "fan", "idle")
	for _, row := range actorRows {
		p.rows(r, []string{row.title}, func(title string) []string {
			best := func(column string) string {
				var kinds [][]float64
				for _, kind := range row.kinds {
					kinds = append(kinds, r.Values(kind, column))
				}
				return p.figure(column+" of "+title, figures.Least(kinds...), grouped)
			}
			var cells []string
			for _, workload := range []string{"tell", "ask", "pairs", "fan"} {
				cell := best(workload+", 1") + " / " + best(workload+", 2")
				cells = append(cells, strings.Replace(cell, "– / –", "–", 1))
			}
			return append(cells, best("bytes, 2"))
		})
	}
}

func measureReactive(o options) (figures.Results, error) {
	arguments := flags("rounds", o.rounds, "k", 1, "only", "kairo,cellx,dynamic")
	if o.quick {
		arguments = append(arguments, "-quick")
	}
	return peersJSON("reactive", arguments...)
}

func writeReactive(p *page, r figures.Results) {
	programs := []string{"kairo/", "cellx/", "dynamic/", ""}
	var columns []string
	for _, program := range programs {
		_, graphs := faster(r, runnelTitle, program)
		columns = append(columns, fmt.Sprintf("%s (%d)", strings.TrimSuffix(program, "/"), graphs))
	}
	columns[len(columns)-1] = "all"
	p.head(columns...)
	p.rows(r, []string{"alien-signals, jitless", "preact, jitless", "alien-signals, compiled"}, func(title string) []string {
		var cells []string
		for i, program := range programs {
			ratios, _ := faster(r, title, program)
			cells = append(cells, p.ratio(columns[i]+" of "+title, ratios))
		}
		return cells
	})
}

// faster is how many times as fast Runnel is, in each round the geometric mean
// over the graphs of a program that the side could run, and their number.
func faster(r figures.Results, title, program string) (means []float64, graphs int) {
	var all [][]float64 // by graph, then by round
	for _, s := range r {
		if s.Row == title && strings.HasPrefix(s.Column, program) && len(s.Values) > 0 {
			all = append(all, figures.Ratios(s.Values, r.Values(runnelTitle, s.Column)))
		}
	}
	if len(all) == 0 {
		return nil, 0
	}
	for round := range all[0] {
		var ratios []float64
		for _, graph := range all {
			ratios = append(ratios, graph[round])
		}
		means = append(means, figures.GeometricMean(ratios))
	}
	return means, len(all)
}

const (
	hostRow       = "host"
	liveInstances = "start one of 10,000 live instances; bytes held" // as the command calls it
)

func measureEmbed(o options) (figures.Results, error) {
	arguments := flags("rounds", o.rounds)
	if o.rows != nil {
		return peersJSON("embed", append(arguments, "-only="+strings.Join(o.rows, ","))...)
	}
	r, err := peersJSON("embed", arguments...)
	if err != nil {
		return nil, err
	}
	size, err := hostSize()
	if err != nil {
		return nil, err
	}
	stripped, err := hostSize("-ldflags=-s -w")
	return append(r,
		figures.Sample{Row: hostRow, Column: "bytes", Values: []float64{size}},
		figures.Sample{Row: hostRow, Column: "bytes, stripped", Values: []float64{stripped}}), err
}

// hostSize is that of bench/host, compiled.
func hostSize(flags ...string) (float64, error) {
	dir, err := os.MkdirTemp("", "runnel-bench-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "host")
	cmd := exec.Command("go", slices.Concat([]string{"build", "-o", binary}, flags, []string{"./bench/host"})...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, out)
	}
	info, err := os.Stat(binary)
	if err != nil {
		return 0, err
	}
	return float64(info.Size()), nil
}

func writeEmbed(p *page, r figures.Results) {
	p.head("call, ns", "call, bytes", "back, ns", "back, bytes", "fresh, µs", "fresh, bytes")
	p.rows(r, embedRows(r), func(title string) []string {
		var cells []string
		for _, column := range []string{"call", "back", "fresh"} {
			write := grouped
			if column == "fresh" {
				write = scaled(1e3, brief)
			}
			cells = append(cells, p.figure(column+" of "+title, r.Values(title, column), write),
				p.figure(column+" of "+title+", bytes", r.Values(title, column+" bytes"), grouped))
		}
		return cells
	})
	var notes []string
	for _, s := range r {
		if s.Note != "" {
			notes = append(notes, fmt.Sprintf("%s of %s: %s", s.Column, s.Row, s.Note))
		}
	}
	if len(notes) > 0 {
		p.printf("\nNot as with the others: %s.\n", strings.Join(notes, "; "))
	}
	p.printf("\nTen thousand live instances of one program take %s KB each. A small host with no module is %s MB, %s stripped.\n",
		p.said("live instances", r.Values(runnelTitle, liveInstances+" bytes"), scaled(1e3, brief)),
		p.said("the size of a host", r.Values(hostRow, "bytes"), scaled(1e6, brief)),
		p.said("the size of a host, stripped", r.Values(hostRow, "bytes, stripped"), scaled(1e6, brief)))
}

// embedRows are the peers, Runnel first, then by the time of a call.
func embedRows(r figures.Results) []string {
	var titles []string
	for _, s := range r {
		if s.Row != hostRow && s.Row != nativeTitle && !slices.Contains(titles, s.Row) {
			titles = append(titles, s.Row)
		}
	}
	time := func(title string) float64 {
		if title == runnelTitle {
			return 0
		}
		if v := figures.Median(r.Values(title, "call")); !math.IsNaN(v) {
			return v
		}
		return math.Inf(1)
	}
	slices.SortStableFunc(titles, func(a, b string) int { return cmp.Compare(time(a), time(b)) })
	return titles
}

func measureIO(o options) (figures.Results, error) {
	arguments := flags("k", o.rounds, "d", "5s")
	if o.quick {
		arguments = flags("k", o.rounds, "d", "1s")
	}
	return runJSON(append([]string{"go", "run", "./bench/io"}, arguments...)...)
}

func writeIO(p *page, r figures.Results) {
	const reference = "Go net/http"
	p.head("requests/s", "× Go", "p50, ms", "p99, ms", "10,000 open connections, MiB")
	p.rows(r, []string{runnelTitle, reference, "Node"}, func(title string) []string {
		cell := func(column string, write format) string {
			return p.figure(column+" of "+title, r.Values(title, column), write)
		}
		ratios := figures.Ratios(r.Values(title, "requests/s"), r.Values(reference, "requests/s"))
		return []string{
			cell("requests/s", grouped), p.ratio("× Go of "+title, ratios),
			cell("p50, ms", brief), cell("p99, ms", brief), cell("open, MiB", grouped),
		}
	})
}
