package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// report writes the tables, as Markdown: one row for each implementation, one
// column for each workload.
func report(out io.Writer, m *meter, chosen []workload, impls []*implementation) {
	table := func(cell func(workload, *implementation) (string, float64)) {
		table(out, titlesOf(impls), namesOf(chosen), func(row, column int) (string, float64) { return cell(chosen[column], impls[row]) })
	}
	fmt.Fprint(out, "### Seconds at the nominal size, start-up taken off\n\n`*` measured at another size and scaled by the work.\n\n")
	table(func(w workload, i *implementation) (string, float64) {
		s := m.results[w.name][i.name]
		if s == nil {
			return "–", 0
		}
		cell := figures.Number(figures.Median(s.seconds))
		if s.size != w.nominal {
			cell += "*"
		}
		return cell, 0
	})
	for _, base := range impls {
		if base.name != lua && base.name != native {
			continue
		}
		fmt.Fprintf(out, "\n### Times %s (below 1 is faster)\n\n", base.title)
		table(func(w workload, i *implementation) (string, float64) {
			s, b := m.results[w.name][i.name], m.results[w.name][base.name]
			if s == nil || b == nil {
				return "–", 0
			}
			ratio := figures.Ratio(s.seconds, b.seconds)
			return figures.Number(ratio), ratio
		})
	}
	if m.clock != "" {
		fmt.Fprint(out, "\n### Peak memory in MiB, at the largest size that all of them ran\n\n")
		table(func(w workload, i *implementation) (string, float64) {
			s := m.results[w.name][i.name]
			if s == nil {
				return "–", 0
			}
			return figures.Number(s.memory), 0
		})
	}
	fmt.Fprintln(out, "\n### Start-up: the empty program\n\n| | ms | MiB |\n|---|---|---|")
	for _, i := range impls {
		fmt.Fprintf(out, "| %s | %s | %s |\n", i.title, figures.Number(figures.Median(m.startMillis[i.name])), figures.Number(m.startMemory[i.name]))
	}
	for _, i := range impls {
		for w, why := range i.lacks {
			fmt.Fprintf(out, "\n%s has no %s: %s.\n", i.title, w, why)
		}
	}
}

// table writes one. Where the cells have values, a last column has their
// geometric mean, with their number when some are missing.
func table(out io.Writer, titles, columns []string, cell func(row, column int) (string, float64)) {
	var rows []string
	ratios := false
	for r, title := range titles {
		row := "| " + title + " |"
		var values []float64
		for c := range columns {
			text, value := cell(r, c)
			row += " " + text + " |"
			if value > 0 {
				values = append(values, value)
			}
		}
		if len(values) > 0 {
			ratios = true
			row += " " + figures.Number(figures.GeometricMean(values))
			if len(values) < len(columns) {
				row += fmt.Sprintf(" (%d)", len(values))
			}
			row += " |"
		}
		rows = append(rows, row)
	}
	head := "| | " + strings.Join(columns, " | ") + " |"
	width := len(columns) + 1
	if ratios {
		head += " geometric mean |"
		width++
	}
	fmt.Fprintln(out, head)
	fmt.Fprintln(out, "|"+strings.Repeat("---|", width))
	fmt.Fprintln(out, strings.Join(rows, "\n"))
}
