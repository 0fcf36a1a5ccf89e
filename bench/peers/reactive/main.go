// Command reactive compares module reactive with alien-signals and
// @preact/signals-core on the graphs of js-reactivity-benchmark:
//
//	go -C bench/peers run ./reactive -rounds 5
//	go -C bench/peers run ./reactive -rounds 3 -quick -only kairo,dynamic
//
// The libraries run on Node without its compiler (--jitless), and alien-signals,
// to be informed, with it. A graph is a line of bench/reactive/graphs.txt, its
// program there and in js. A measurement is a process that builds a graph, warms
// up, takes the time itself, -k times, and prints the least and a result, which
// is checked. A round runs a graph with all sides, in random order. Printed are
// medians; a ratio is taken within a round, then the median.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// patience is how long a program may take.
const patience = 5 * time.Minute

func main() {
	rounds := flag.Int("rounds", 5, "`number` of rounds")
	times := flag.Int("k", 2, "how `often` a process measures")
	quick := flag.Bool("quick", false, "run the graphs shortened")
	only := flag.String("only", "", "only these `programs` (kairo, cellx, dynamic, bulk, scale), separated by commas")
	asJSON := flag.Bool("json", false, "print what was measured as data")
	flag.Parse()
	chosen := strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	if err := compare(chosen, max(*rounds, 1), max(*times, 1), *quick, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "reactive:", err)
		os.Exit(1)
	}
}

func compare(only []string, rounds, times int, quick, asJSON bool) error {
	graphs, err := readGraphs("../reactive/graphs.txt", only, quick)
	if err != nil {
		return err
	}
	bin, err := os.MkdirTemp("", "runnel-reactive-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	note("building")
	sides, err := buildSides(bin)
	if err != nil {
		return err
	}
	m := newMeter(sides, times)
	for round := range rounds {
		for _, g := range graphs {
			note("round %d of %d, %s", round+1, rounds, g.name)
			if err := m.round(g); err != nil {
				return err
			}
		}
	}
	if asJSON {
		return results(m, graphs).Write(os.Stdout)
	}
	report(os.Stdout, m, graphs)
	return nil
}

// note tells about progress, beside the tables on standard output.
func note(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
