package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A column is a workload on so many processors; 0 stands for what is better in each round.
type column struct {
	workload   string
	processors int
}

func (c column) title() string {
	if c.processors == 0 {
		return c.workload + ", better"
	}
	return fmt.Sprintf("%s, %d", c.workload, c.processors)
}

// report writes the tables, as Markdown.
func report(out io.Writer, m *meter, workloads []*workload) {
	var columns []column
	for _, w := range workloads[:2] {
		for _, processors := range append(slices.Clone(processorCounts), 0) {
			columns = append(columns, column{w.name, processors})
		}
	}
	times := func(p *peer, c column) string { return number(median(m.times(p.name, c))) }
	fmt.Fprintf(out, "### Nanoseconds a message told (of %d) and a question answered (of %d)\n\n", workloads[0].size, workloads[1].size)
	fmt.Fprint(out, "The number is that of processors; \"better\" is the better of the two in each round.\n\n")
	table(out, m.peers, columns, times)

	if slices.ContainsFunc(m.peers, func(p *peer) bool { return p.name == runnel }) {
		fmt.Fprint(out, "\n### How many times as fast Runnel is (above 1: Runnel is faster)\n\n")
		rows := append(slices.Clone(m.peers[1:]), bestLibrary)
		table(out, rows, columns, func(p *peer, c column) string {
			return number(median(ratios(m.times(p.name, c), m.times(runnel, c))))
		})
	}

	fmt.Fprintf(out, "\n### %d idle actors: resident bytes of one, and nanoseconds to start it and have it receive a message\n\n", workloads[2].size)
	idle := func(in map[key][]float64) func(*peer, column) string {
		return func(p *peer, c column) string { return number(median(in[key{p.name, c.workload, c.processors}])) }
	}
	held, started := idle(m.bytes), idle(m.ns)
	fmt.Fprintln(out, "| | bytes, 1 | bytes, 2 | start, 1 | start, 2 |\n|---|---|---|---|---|")
	for _, p := range m.peers {
		one, two := column{"idle", 1}, column{"idle", 2}
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s |\n", p.title, held(p, one), held(p, two), started(p, one), started(p, two))
	}
}

// bestLibrary stands for the fastest of the libraries in each round.
var bestLibrary = &peer{name: "best", title: "**best Go library**"}

func table(out io.Writer, rows []*peer, columns []column, cell func(*peer, column) string) {
	fmt.Fprint(out, "| |")
	for _, c := range columns {
		fmt.Fprintf(out, " %s |", c.title())
	}
	fmt.Fprintln(out, "\n|"+strings.Repeat("---|", len(columns)+1))
	for _, p := range rows {
		if p.idleOnly {
			continue
		}
		fmt.Fprintf(out, "| %s |", p.title)
		for _, c := range columns {
			fmt.Fprintf(out, " %s |", cell(p, c))
		}
		fmt.Fprintln(out)
	}
}

// times are the nanoseconds an operation took, by round.
func (m *meter) times(name string, c column) []float64 {
	switch {
	case name == bestLibrary.name:
		var all [][]float64
		for _, p := range m.peers {
			if p.library && !p.idleOnly {
				all = append(all, m.times(p.name, c))
			}
		}
		return least(all)
	case c.processors == 0:
		var all [][]float64
		for _, processors := range processorCounts {
			all = append(all, m.ns[key{name, c.workload, processors}])
		}
		return least(all)
	}
	return m.ns[key{name, c.workload, c.processors}]
}

// least gives the least value of each round.
func least(all [][]float64) []float64 {
	if len(all) == 0 {
		return nil
	}
	result := slices.Clone(all[0])
	for _, values := range all[1:] {
		for round, v := range values {
			result[round] = min(result[round], v)
		}
	}
	return result
}

// ratios are those of the same round.
func ratios(times, base []float64) []float64 {
	var result []float64
	for round := range min(len(times), len(base)) {
		result = append(result, times[round]/base[round])
	}
	return result
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// number writes three significant digits or so.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
