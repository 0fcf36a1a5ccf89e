package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// better stands, as a number of processors, for what is better in each round.
const better = 0

// report writes the tables of a workload, as Markdown.
func report(out io.Writer, m *meter, w *workload) {
	peers := slices.DeleteFunc(slices.Clone(m.peers), func(p *peer) bool { return !p.does(w.name) })
	nanoseconds := func(name string, processors int) float64 {
		return figures.Median(m.times(name, w.name, processors))
	}
	if w.name == "idle" {
		fmt.Fprintf(out, "### idle, %d actors: resident bytes of one, nanoseconds to start it and have it receive a message; with 1 processor and with 2\n\n", w.size)
		table(out, peers, []string{"bytes, 1", "bytes, 2", "start, 1", "start, 2"}, func(p *peer) []float64 {
			bytes := func(processors int) float64 { return figures.Median(m.bytes[key{p.name, w.name, processors}]) }
			return []float64{bytes(1), bytes(2), nanoseconds(p.name, 1), nanoseconds(p.name, 2)}
		})
		return
	}
	fmt.Fprintf(out, "### %s, %d: nanoseconds for %s, and how many times as fast Runnel is; with 1 processor, with 2, the better in each round\n\n",
		w.name, w.size, w.operation)
	table(out, append(peers, bestLibrary), []string{"1", "2", "better", "ratio, 1", "ratio, 2", "ratio, better"}, func(p *peer) []float64 {
		ratio := func(processors int) float64 {
			return figures.Ratio(m.times(p.name, w.name, processors), m.times(runnel, w.name, processors))
		}
		return []float64{
			nanoseconds(p.name, 1), nanoseconds(p.name, 2), nanoseconds(p.name, better),
			ratio(1), ratio(2), ratio(better),
		}
	})
}

// results are what was measured, as data: nanoseconds, and of idle the bytes.
func results(m *meter) figures.Results {
	var all figures.Results
	for _, p := range m.peers {
		for _, w := range workloads {
			for _, processors := range processorCounts {
				k := key{p.name, w.name, processors}
				row, column := strings.Trim(p.title, "*"), fmt.Sprint(w.name, ", ", processors)
				if w.name == "idle" {
					all = append(all, figures.Sample{Row: row, Column: "bytes, " + fmt.Sprint(processors), Values: m.bytes[k]})
				}
				all = append(all, figures.Sample{Row: row, Column: column, Values: m.ns[k]})
			}
		}
	}
	return all
}

// bestLibrary stands for the fastest of the libraries in each round.
var bestLibrary = &peer{name: "best", title: "**best Go library**"}

func table(out io.Writer, rows []*peer, columns []string, cells func(*peer) []float64) {
	fmt.Fprintf(out, "| | %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)+1))
	for _, p := range rows {
		fmt.Fprintf(out, "| %s |", p.title)
		for _, v := range cells(p) {
			fmt.Fprintf(out, " %s |", figures.Number(v))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
}

// times are the nanoseconds an operation took, by round.
func (m *meter) times(name, workload string, processors int) []float64 {
	switch {
	case name == bestLibrary.name:
		var all [][]float64
		for _, p := range m.peers {
			if p.library && p.does(workload) {
				all = append(all, m.times(p.name, workload, processors))
			}
		}
		return figures.Least(all...)
	case processors == better:
		var all [][]float64
		for _, processors := range processorCounts {
			all = append(all, m.ns[key{name, workload, processors}])
		}
		return figures.Least(all...)
	}
	return m.ns[key{name, workload, processors}]
}
