package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// A section is a table: the graphs of some programs, and what their times are given in.
type section struct {
	title    string
	programs []string
	unit     float64 // in seconds
}

var sections = []section{
	{"Milliseconds", []string{"kairo", "cellx", "dynamic", "bulk"}, 1e-3},
	// What the programs give is the time of a million nodes.
	{"Nanoseconds a changed node", []string{"scale"}, 1e6 * 1e-9},
}

// report writes the tables, as Markdown.
func report(out io.Writer, m *meter, graphs []graph) {
	for _, s := range sections {
		mine := slices.DeleteFunc(slices.Clone(graphs), func(g graph) bool { return !slices.Contains(s.programs, g.program) })
		if len(mine) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n### %s, and how many times as fast Runnel is\n\n", s.title)
		head(out, m.sides)
		for _, g := range mine {
			row(out, m, g, s.unit)
		}
		for _, program := range s.programs {
			means(out, m, program, mine, func(g graph) bool { return g.program == program })
		}
		if len(s.programs) > 1 {
			means(out, m, "all", mine, func(graph) bool { return true })
		}
	}
}

// results are what was measured, as data: seconds, by program and graph.
func results(m *meter, graphs []graph) figures.Results {
	var all figures.Results
	for _, s := range m.sides {
		for _, g := range graphs {
			all = append(all, figures.Sample{Row: s.title, Column: g.program + "/" + g.name, Values: m.seconds[key{s, g.name}]})
		}
	}
	return all
}

func head(out io.Writer, sides []*side) {
	fmt.Fprint(out, "| |")
	for _, s := range sides {
		fmt.Fprintf(out, " %s |", s.title)
	}
	for _, s := range sides[1:] {
		fmt.Fprintf(out, " against %s |", s.title)
	}
	fmt.Fprintln(out, "\n|"+strings.Repeat("---|", 2*len(sides)))
}

func row(out io.Writer, m *meter, g graph, unit float64) {
	fmt.Fprintf(out, "| %s |", g.name)
	for _, s := range m.sides {
		fmt.Fprintf(out, " %s |", figures.Number(figures.Median(m.seconds[key{s, g.name}])/unit))
	}
	for _, s := range m.sides[1:] {
		fmt.Fprintf(out, " %s |", figures.Number(m.ratio(s, g)))
	}
	fmt.Fprintln(out)
}

// means writes the geometric means of the ratios of some graphs, if there are any.
func means(out io.Writer, m *meter, name string, graphs []graph, among func(graph) bool) {
	graphs = slices.DeleteFunc(slices.Clone(graphs), func(g graph) bool { return !among(g) })
	if len(graphs) == 0 {
		return
	}
	fmt.Fprintf(out, "| **%s, geometric mean** |%s", name, strings.Repeat(" |", len(m.sides)))
	for _, s := range m.sides[1:] {
		fmt.Fprintf(out, " **%s** |", figures.Number(m.mean(s, graphs)))
	}
	fmt.Fprintln(out)
}

// mean is over the graphs that a side could run.
func (m *meter) mean(s *side, graphs []graph) float64 {
	var all []float64
	for _, g := range graphs {
		if r := m.ratio(s, g); !math.IsNaN(r) {
			all = append(all, r)
		}
	}
	return figures.GeometricMean(all)
}

// ratio is how many times as fast Runnel is as a side: the median of those of each round.
func (m *meter) ratio(s *side, g graph) float64 {
	return figures.Ratio(m.seconds[key{s, g.name}], m.seconds[key{m.sides[0], g.name}])
}
