package main

import (
	"fmt"
	"math"
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
	{"quicksort", 1e6, []int{10e3, 100e3, 300e3, 1e6}, func(n float64) float64 { return n * math.Log(n) }},
	{"closures", 10e6, []int{100e3, 1e6, 3e6, 10e6, 50e6, 200e6}, linear},
	{"methods", 20e6, []int{100e3, 1e6, 5e6, 20e6, 200e6}, linear},
	{"json", 33e3, []int{3e3, 10e3, 33e3}, linear},
}

func linear(n float64) float64 { return n }
func square(n float64) float64 { return n * n }

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

// chooseWorkloads returns those named, in the table's order, or all.
func chooseWorkloads(names []string) ([]workload, error) {
	if len(names) == 0 {
		return workloads, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	var chosen []workload
	for _, w := range workloads {
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
