package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// A page is what is written into a region of README.
type page struct {
	strings.Builder
	options options
	leftOut []string // what this machine does not have
	spreads []spread
	err     error
}

// spread is that of a figure over the rounds.
type spread struct {
	of   string
	part float64 // the greatest value less the least, as a part of the median
}

// format writes a number.
type format func(float64) string

func (p *page) printf(text string, args ...any) { fmt.Fprintf(p, text, args...) }

// head writes the names of a table's columns.
func (p *page) head(columns ...string) {
	p.printf("| | %s |\n%s\n", strings.Join(columns, " | "), "|"+strings.Repeat("---|", len(columns)+1))
}

func (p *page) row(title string, cells []string) {
	if rest, ok := strings.CutPrefix(title, "Runnel"); ok {
		title = "**Runnel**" + rest
	}
	p.printf("| %s | %s |\n", title, strings.Join(cells, " | "))
}

// rows writes a table's rows; those that were not measured are left out.
func (p *page) rows(r figures.Results, titles []string, cells func(title string) []string) {
	for _, title := range titles {
		if r.Has(title) {
			p.row(title, cells(title))
		} else {
			p.leftOut = append(p.leftOut, title)
		}
	}
}

// figure is the median of what was measured in each round; its spread is noted.
func (p *page) figure(of string, values []float64, write format) string {
	if len(values) == 0 {
		return "–"
	}
	if len(values) > 1 {
		p.spreads = append(p.spreads, spread{of, figures.Spread(values)})
	}
	return write(figures.Median(values))
}

// ratio is the median of ratios; that of the reference to itself is 1 and has no spread.
func (p *page) ratio(of string, ratios []float64) string {
	if len(ratios) > 0 && slices.Min(ratios) == 1 && slices.Max(ratios) == 1 {
		return "1"
	}
	return p.figure(of, ratios, figures.Number)
}

// said is a figure of a sentence, which cannot do without.
func (p *page) said(of string, values []float64, write format) string {
	if len(values) == 0 {
		p.err = cmp.Or(p.err, fmt.Errorf("%s was not measured", of))
	}
	return p.figure(of, values, write)
}

// grouped writes a whole number: 1,234,567.
func grouped(v float64) string {
	digits := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// scaled writes a number in a larger unit.
func scaled(by float64, write format) format {
	return func(v float64) string { return write(v / by) }
}

// brief writes two digits or so, or a whole number: 0.84, 5.3, 41,817.
func brief(v float64) string {
	switch {
	case v >= 10:
		return grouped(v)
	case v >= 1:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// measured is the line under a table that says when, where and how surely.
func (p *page) measured(when time.Time, machine string, others string) string {
	parts := []string{
		when.Format("2006-01-02"), machine,
		fmt.Sprintf("%d rounds", p.options.rounds), p.spreadText(),
	}
	if p.options.rounds == 1 {
		parts[2] = "one round"
	}
	if p.options.quick {
		parts = append(parts, "small sizes (-quick)")
	}
	if others != "" {
		parts = append(parts, others)
	}
	if len(p.leftOut) > 0 {
		parts = append(parts, "left out, not on this machine: "+strings.Join(p.leftOut, "; "))
	}
	return "*Measured " + strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ") + ".*\n"
}

// spreadText tells what the figures differ by from round to round.
func (p *page) spreadText() string {
	if len(p.spreads) == 0 || p.options.rounds == 1 {
		return ""
	}
	widest := slices.MaxFunc(p.spreads, func(a, b spread) int { return cmp.Compare(a.part, b.part) })
	var parts []float64
	for _, s := range p.spreads {
		parts = append(parts, s.part)
	}
	return fmt.Sprintf("greatest less least of the rounds: %.0f %% of the median in the middle, at most %.0f %% (%s)",
		100*figures.Median(parts), 100*widest.part, widest.of)
}
