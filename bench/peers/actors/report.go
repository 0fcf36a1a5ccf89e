package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// better stands, as a number of processors, for what is better in each round.
const better = 0

// report writes the tables of a workload, as Markdown.
func report(out io.Writer, m *meter, w *workload) {
	peers := slices.DeleteFunc(slices.Clone(m.peers), func(p *peer) bool { return !p.does(w.name) })
	nanoseconds := func(name string, processors int) float64 {
		return median(m.times(name, w.name, processors))
	}
	if w.name == "idle" {
		fmt.Fprintf(out, "### idle, %d actors: resident bytes of one, nanoseconds to start it and have it receive a message; with 1 processor and with 2\n\n", w.size)
		table(out, peers, []string{"bytes, 1", "bytes, 2", "start, 1", "start, 2"}, func(p *peer) []float64 {
			bytes := func(processors int) float64 { return median(m.bytes[key{p.name, w.name, processors}]) }
			return []float64{bytes(1), bytes(2), nanoseconds(p.name, 1), nanoseconds(p.name, 2)}
		})
		return
	}
	fmt.Fprintf(out, "### %s, %d: nanoseconds for %s, and how many times as fast Runnel is; with 1 processor, with 2, the better in each round\n\n",
		w.name, w.size, w.operation)
	table(out, append(peers, bestLibrary), []string{"1", "2", "better", "ratio, 1", "ratio, 2", "ratio, better"}, func(p *peer) []float64 {
		ratio := func(processors int) float64 {
			return median(ratios(m.times(p.name, w.name, processors), m.times(runnel, w.name, processors)))
		}
		return []float64{
			nanoseconds(p.name, 1), nanoseconds(p.name, 2), nanoseconds(p.name, better),
			ratio(1), ratio(2), ratio(better),
		}
	})
}

// bestLibrary stands for the fastest of the libraries in each round.
var bestLibrary = &peer{name: "best", title: "**best Go library**"}

func table(out io.Writer, rows []*peer, columns []string, cells func(*peer) []float64) {
	fmt.Fprintf(out, "| | %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)+1))
	for _, p := range rows {
		fmt.Fprintf(out, "| %s |", p.title)
		for _, v := range cells(p) {
			fmt.Fprintf(out, " %s |", number(v))
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
		return least(all)
	case processors == better:
		var all [][]float64
		for _, processors := range processorCounts {
			all = append(all, m.ns[key{name, workload, processors}])
		}
		return least(all)
	}
	return m.ns[key{name, workload, processors}]
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
