package main

import (
	"fmt"
	"time"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// values are what was measured of a server in each round.
func (s *server) values(of func(load) float64) []float64 {
	var values []float64
	for _, l := range s.load {
		values = append(values, of(l))
	}
	return values
}

func perSecond(l load) float64 { return l.perSecond }
func p50(l load) float64       { return l.p50.Seconds() * 1e3 }
func p99(l load) float64       { return l.p99.Seconds() * 1e3 }

// results are what was measured, as data.
func results(servers []*server) figures.Results {
	var all figures.Results
	for _, s := range servers {
		all = append(all,
			figures.Sample{Row: s.title, Column: "requests/s", Values: s.values(perSecond)},
			figures.Sample{Row: s.title, Column: "p50, ms", Values: s.values(p50)},
			figures.Sample{Row: s.title, Column: "p99, ms", Values: s.values(p99)})
		if s.open.memory > 0 {
			all = append(all, figures.Sample{Row: s.title, Column: "open, MiB", Values: []float64{s.open.memory}})
		}
	}
	return all
}

// report prints the tables.
func report(servers []*server, connections int) {
	reference := servers[1].values(perSecond)
	fmt.Println("| | requests/s | × Go | p50, ms | p99, ms | CPU µs a request | MiB |\n|---|---|---|---|---|---|---|")
	for _, s := range servers {
		median := func(of func(load) float64) float64 { return figures.Median(s.values(of)) }
		fmt.Printf("| %s | %.0f | %.2f | %.2f | %.1f | %.1f | %.0f |\n", s.name, median(perSecond), figures.Ratio(s.values(perSecond), reference),
			median(p50), median(p99), median(func(l load) float64 { return l.cpu }), median(func(l load) float64 { return l.memory }))
	}
	if connections == 0 {
		return
	}
	fmt.Printf("\n| %d open connections | opened and asked in | asked again in | MiB |\n|---|---|---|---|\n", connections)
	for _, s := range servers {
		fmt.Printf("| %s | %v | %v | %.0f |\n", s.name, s.open.first.Round(10*time.Millisecond), s.open.again.Round(10*time.Millisecond), s.open.memory)
	}
}
