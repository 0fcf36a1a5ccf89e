package main

import (
	"cmp"
	"math"
	"slices"
)

// quantile of sorted values, between two of them where it falls there.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// middle returns the median of values and how far they spread: half of the
// distance between the quartiles, as a part of the median.
func middle(values []float64) (median, spread float64) {
	sorted := slices.Sorted(slices.Values(values))
	median = quantile(sorted, 0.5)
	if median > 0 {
		spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2 / median
	}
	return median, spread
}

// chance returns how likely two samples of the same thing differ as much as these
// (the p of the Mann-Whitney test, by the normal distribution).
func chance(xs, ys []float64) float64 {
	type value struct {
		v   float64
		isX bool
	}
	var all []value
	for _, x := range xs {
		all = append(all, value{x, true})
	}
	for _, y := range ys {
		all = append(all, value{y, false})
	}
	slices.SortFunc(all, func(a, b value) int { return cmp.Compare(a.v, b.v) })
	n, m := float64(len(xs)), float64(len(ys))
	ranks, ties := 0.0, 0.0
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].v == all[i].v {
			end++
		}
		rank, t := float64(i+1+end)/2, float64(end-i)
		ties += t*t*t - t
		for ; i < end; i++ {
			if all[i].isX {
				ranks += rank
			}
		}
	}
	u := ranks - n*(n+1)/2
	variance := n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1)))
	if variance <= 0 {
		return 1
	}
	z := max(0, math.Abs(u-n*m/2)-0.5) / math.Sqrt(variance)
	return math.Erfc(z / math.Sqrt2)
}
