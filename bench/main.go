// Command bench times Runnel against native Go, Lua 5.4 and the scripting
// languages that a Go program could embed instead. It runs from the repository:
//
//	go run ./bench                           everything, some ten minutes
//	go run ./bench -quick                    the same, smaller and rougher
//	go run ./bench -check                    only compares the checksums
//	go run ./bench -w fib,loop -i runnel,lua,go -k 9
//	go run ./bench -conc                     the workloads of tasks, some ten minutes
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
	rounds := flag.Int("k", 5, "`rounds`: how often each program is timed")
	names := flag.String("w", "", "only these `workloads`, separated by commas")
	flag.StringVar(names, "only", "", "the same as -w")
	peers := flag.String("i", "", "only these `implementations`")
	quick := flag.Bool("quick", false, "two rounds of small sizes")
	check := flag.Bool("check", false, "only compare every program's checksum at the smallest size")
	tasks := flag.Bool("conc", false, "the workloads of tasks")
	flag.Parse()

	if *quick {
		*rounds = 2
	}
	var err error
	if *tasks {
		err = benchTasks(split(*names), split(*peers), max(*rounds, 1), *quick, *check)
	} else {
		target := 1500 * time.Millisecond
		if *quick {
			target = 300 * time.Millisecond
		}
		err = bench(split(*names), split(*peers), max(*rounds, 1), target, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

func bench(names, peers []string, rounds int, target time.Duration, checkOnly bool) error {
	chosen, err := chooseWorkloads(names)
	if err != nil {
		return err
	}
	root, err := repository()
	if err != nil {
		return err
	}
	bin, err := os.MkdirTemp("", "runnel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)

	if len(peers) == 0 {
		peers = []string{"runnel", native, lua, "gopherlua", "tengo", "goja"}
	}
	note("building")
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
	if len(m.failures) > 0 {
		return fmt.Errorf("%d programs failed:\n%s", len(m.failures), strings.Join(m.failures, "\n"))
	}
	note("every checksum is native Go's")
	return nil
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
