// Package figures is what the commands of the benchmarks tell each other:
// what was measured, in each round, and how figures are made of it.
package figures

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

// A Sample is one thing measured in each round.
type Sample struct {
	Row, Column string
	Values      []float64
	Note        string `json:",omitempty"` // what is not as with the others
}

// Results are what a command has measured.
type Results []Sample

// Values are those of a cell, none when it was not measured.
func (r Results) Values(row, column string) []float64 {
	for _, s := range r {
		if s.Row == row && s.Column == column {
			return s.Values
		}
	}
	return nil
}

// Has says whether a row has been measured at all.
func (r Results) Has(row string) bool {
	return slices.ContainsFunc(r, func(s Sample) bool { return s.Row == row && len(s.Values) > 0 })
}

// Write writes results as JSON, which Read reads.
func (r Results) Write(out io.Writer) error { return json.NewEncoder(out).Encode(r) }

// Read reads what Write has written.
func Read(text []byte) (r Results, err error) {
	err = json.Unmarshal(text, &r)
	return r, err
}

// Median is NaN for no values.
func Median(values []float64) float64 {
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

// Ratios are those within each round: what slows the machine slows both sides.
func Ratios(values, base []float64) []float64 {
	var ratios []float64
	for round := range min(len(values), len(base)) {
		ratios = append(ratios, values[round]/base[round])
	}
	return ratios
}

// Ratio is the median of the ratios within each round.
func Ratio(values, base []float64) float64 { return Median(Ratios(values, base)) }

// GeometricMean is NaN for no values.
func GeometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// Least returns the least value of each round.
func Least(all ...[]float64) []float64 {
	var least []float64
	for _, values := range all {
		for round, v := range values {
			if round == len(least) {
				least = append(least, v)
			}
			least[round] = min(least[round], v)
		}
	}
	return least
}

// Spread is the greatest value less the least, as a part of the median.
func Spread(values []float64) float64 {
	if len(values) == 0 || slices.Max(values) == slices.Min(values) {
		return 0
	}
	return (slices.Max(values) - slices.Min(values)) / Median(values)
}

// Number writes three significant digits or so.
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.095:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}
