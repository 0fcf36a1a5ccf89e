// Command bench times Runnel against native Go, Lua 5.4 and the scripting
// languages that a Go program could embed instead. It runs from the repository:
//
//	go run ./bench                           everything, some ten minutes
//	go run ./bench -quick                    the same, smaller and rougher
//	go run ./bench -check                    only compares the checksums
//	go run ./bench -w fib,loop -i runnel,lua,go -k 9
//	go run ./bench -more                     the further workloads, against compilers
//	go run ./bench -conc                     the workloads of tasks, some ten minutes
//	go run ./bench -readme                   measures and writes the figures of README, some 25 minutes
//	go run ./bench -claims                   whether some of README's figures hold here, less than a minute
//
// One program per language and workload is in bench/cpu; each takes a size as
// its only argument and prints a checksum, which has to be native Go's. Whole
// processes are timed, start-up taken off:
//
//	build → check → start-up → per workload: choose sizes → rounds → tables
//
// The workloads of tasks are in bench/conc and time themselves:
//
//	build → check → per workload: rounds → memory of parked tasks → tables
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	rounds := flag.Int("k", 0, "`rounds`: how often each program is timed (0: five times, or what a section of README has)")
	names := flag.String("w", "", "only these `workloads`, separated by commas")
	flag.StringVar(names, "only", "", "the same as -w; with -readme, only these `sections`: build, cpu, conc, actors, reactive, embed, io")
	peers := flag.String("i", "", "only these `implementations`")
	quick := flag.Bool("quick", false, "two rounds of small sizes")
	check := flag.Bool("check", false, "only compare every program's checksum at the smallest size")
	more := flag.Bool("more", false, "the further workloads, against native Go, Lua, LuaJIT and Node")
	tasks := flag.Bool("conc", false, "the workloads of tasks")
	readme := flag.Bool("readme", false, "measure the figures of README and write them")
	into := flag.String("into", "", "the `file` that -readme writes into, which has README's regions (default README.md)")
	claims := flag.Bool("claims", false, "measure some of README's figures quickly, and fail when one does not hold")
	flag.Parse()

	var err error
	switch {
	case *readme:
		err = writeReadme(*into, split(*names), options{rounds: *rounds, quick: *quick})
	case *claims:
		err = checkClaims(os.Stdout)
	case *tasks:
		err = benchTasks(split(*names), split(*peers), times(*rounds, *quick), *quick, *check)
	default:
		target := 1500 * time.Millisecond
		if *quick {
			target = 300 * time.Millisecond
		}
		table, all := workloads, allImplementations
		if *more {
			table, all = further, compilers
		}
		err = bench(split(*names), split(*peers), table, all, times(*rounds, *quick), target, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// times are the rounds of the tables that are printed.
func times(rounds int, quick bool) int {
	switch {
	case quick:
		return 2
	case rounds == 0:
		return 5
	}
	return max(rounds, 1)
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

// bench prints the tables of a table's workloads, or those named, for all or some peers.
func bench(names, peers []string, table []workload, all []string, rounds int, target time.Duration, checkOnly bool) error {
	chosen, err := chooseWorkloads(names, table)
	if err != nil {
		return err
	}
	if len(peers) == 0 {
		peers = all
	}
	return withBuilt(func(root, bin string) error {
		impls, err := build(root, bin, chosen, peers)
		if err != nil {
			return err
		}
		m := newMeter(bin, target)
		m.check(chosen, impls)
		if !checkOnly {
			m.startUp(impls, max(2*rounds+1, 5))
			for _, w := range chosen {
				m.measure(w, impls, rounds)
			}
			report(os.Stdout, m, chosen, impls)
		}
		if err := failed(m.failures); err != nil {
			return err
		}
		note("every checksum is native Go's")
		return nil
	})
}

// withBuilt calls do with the root of the repository and a folder for what is built.
func withBuilt(do func(root, bin string) error) error {
	root, err := repository()
	if err != nil {
		return err
	}
	bin, err := os.MkdirTemp("", "runnel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	note("building")
	return do(root, bin)
}

// failed is the error of programs that failed, if there are any.
func failed(failures []string) error {
	if len(failures) == 0 {
		return nil
	}
	return fmt.Errorf("%d programs failed:\n%s", len(failures), strings.Join(failures, "\n"))
}

// repository is the root of the checkout that the command runs in.
func repository() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	root := filepath.Dir(strings.TrimSpace(string(out)))
	if _, err := os.Stat(filepath.Join(root, "bench", "cpu")); err != nil {
		return "", fmt.Errorf("no bench/cpu in %s: run it from the repository's root", root)
	}
	return root, nil
}

// note tells about progress, beside the tables on standard output.
func note(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}
