package main

import (
	"fmt"
	"math"
	"slices"
)

// A workload is a folder of bench/cpu.
type workload struct {
	name    string
	nominal int   // the size the results are stated for
	sizes   []int // ascending; each implementation runs the largest it can do in time
	// work is proportional to the steps a size takes, so that a time measured
	// at one size can be stated for another.
	work func(n float64) float64
}

// empty is the program that does nothing: its time is start-up.
const empty = "empty"

var workloads = []workload{
	{"fib", 35, []int{20, 24, 27, 30, 32, 35, 38, 40, 42}, fibCalls},
	{"loop", 100e6, []int{300e3, 1e6, 3e6, 10e6, 30e6, 100e6, 300e6}, linear},
	{"sieve", 5e6, []int{100e3, 500e3, 2e6, 5e6}, func(n float64) float64 { return n * math.Log(math.Log(n)) }},
	{"nbody", 500e3, []int{1e3, 5e3, 20e3, 100e3, 500e3, 5e6}, linear},
	{"spectral", 300, []int{25, 50, 100, 200, 300, 800, 1500}, square},
	{"bintrees", 15, []int{7, 9, 11, 13, 15}, treeNodes},
	{"fannkuch", 9, []int{7, 8, 9, 10}, fannkuchSteps},
	{"mandelbrot", 500, []int{30, 60, 120, 250, 500, 1000, 2000}, square},
	{"strings", 1e6, []int{10e3, 100e3, 300e3, 1e6}, linear},
	{"wordmap", 1e6, []int{10e3, 100e3, 300e3, 1e6}, linear},
	{"quicksort", 1e6, []int{10e3, 100e3, 300e3, 1e6}, sorting},
	{"closures", 10e6, []int{100e3, 1e6, 3e6, 10e6, 50e6, 200e6}, linear},
	{"methods", 20e6, []int{100e3, 1e6, 5e6, 20e6, 200e6}, linear},
	{"json", 33e3, []int{3e3, 10e3, 33e3}, linear},
}

// further are more workloads, of other kinds, for engines that might have been made to do
// well with those above. They are run with -more.
var further = []workload{
	{"sortwith", 200e3, []int{10e3, 200e3}, sorting},
	{"heap", 500e3, []int{10e3, 500e3}, sorting},
	{"stackvm", 700e3, []int{20e3, 700e3}, linear},
	{"bigdigits", 20e3, []int{3e3, 20e3}, square},
	{"levenshtein", 2500, []int{300, 2500}, square},
	{"unionfind", 700e3, []int{20e3, 700e3}, linear},
	{"sha256", 10e3, []int{500, 10e3}, linear},
	{"queens", 11, []int{9, 11}, factorial},
	{"life", 200, []int{10, 200}, linear},
	{"matmul", 250, []int{150, 250}, cube},
	{"flood", 1000, []int{200, 1000}, square},
	{"lru", 1e6, []int{30e3, 1e6}, linear},
	{"trie", 50e3, []int{3e3, 50e3}, linear},
	{"calc", 500e3, []int{10e3, 500e3}, linear},
	{"crc32", 8, []int{1, 8}, linear},
	{"knapsack", 1000, []int{30, 1000}, linear},
	{"kmp", 3e6, []int{100e3, 3e6}, linear},
	{"linked", 200e3, []int{10e3, 200e3}, sorting},
	{"treap", 200e3, []int{10e3, 200e3}, sorting},
	{"rays", 300, []int{40, 300}, square},
	{"fft", 20, []int{1, 20}, linear},
	{"kmeans", 30e3, []int{1e3, 30e3}, linear},
	{"lz", 4e6, []int{100e3, 4e6}, linear},
	{"tape", 6, []int{1, 6}, linear},
	{"sudoku", 5, []int{1, 5}, linear},
	{"floyd", 300, []int{150, 300}, cube},
	{"pipeline", 3000, []int{100, 3000}, linear},
	{"permute", 10, []int{9, 10}, factorial},
	{"tokens", 3e6, []int{100e3, 3e6}, linear},
	{"collatz", 700e3, []int{30e3, 700e3}, linear},
	{"primes", 3e6, []int{100e3, 3e6}, linear},
}

func linear(n float64) float64    { return n }
func square(n float64) float64    { return n * n }
func cube(n float64) float64      { return n * n * n }
func sorting(n float64) float64   { return n * math.Log(n) }
func factorial(n float64) float64 { return math.Gamma(n + 1) }

// fibCalls counts the calls that fib(n) makes.
func fibCalls(n float64) float64 {
	a, b := 1.0, 1.0
	for ; n > 1; n-- {
		a, b = b, a+b
	}
	return 2*b - 1
}

// treeNodes counts the nodes that bintrees builds.
func treeNodes(n float64) float64 {
	nodes := math.Pow(2, n+2) + math.Pow(2, n+1)
	for depth := 4.0; depth <= n; depth += 2 {
		nodes += math.Pow(2, n-depth+4) * (math.Pow(2, depth+1) - 1)
	}
	return nodes
}

// fannkuchSteps returns counted steps of the inner loops; there is no short formula.
func fannkuchSteps(n float64) float64 {
	return map[float64]float64{7: 142320, 8: 1424423, 9: 15497681, 10: 186920951}[n]
}

// scale turns a time measured at size n into one for the nominal size.
func (w workload) scale(n int) float64 {
	return w.work(float64(w.nominal)) / w.work(float64(n))
}

// chooseWorkloads returns those named, in the tables' order, or all of a table.
func chooseWorkloads(names []string, table []workload) ([]workload, error) {
	if len(names) == 0 {
		return table, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	var chosen []workload
	for _, w := range slices.Concat(workloads, further) {
		if wanted[w.name] {
			chosen = append(chosen, w)
			delete(wanted, w.name)
		}
	}
	for name := range wanted {
		return nil, fmt.Errorf("there is no workload %q", name)
	}
	return chosen, nil
}
