package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// compared are the operations that all have, as far as they can.
var compared = []string{"call", "back", "fresh", "live"}

// results are what was measured, as data: nanoseconds and bytes.
func results(ops []*operation) figures.Results {
	var all figures.Results
	for _, op := range ops {
		all = append(all,
			figures.Sample{Row: op.peer, Column: op.name, Values: op.ns, Note: op.note},
			figures.Sample{Row: op.peer, Column: op.name + " bytes", Values: op.bytes})
	}
	return all
}

// printComparison prints a row for each peer, and one for its times relative to
// Runnel's.
func printComparison(ops []*operation) {
	var peers, notes []string
	table := map[[2]string]*operation{}
	for _, op := range ops {
		if !slices.Contains(compared, op.name) {
			continue
		}
		if !slices.Contains(peers, op.peer) {
			peers = append(peers, op.peer)
		}
		table[[2]string{op.peer, op.name}] = op
		if op.note != "" {
			notes = append(notes, fmt.Sprintf("- %s, %s: %s.", op.peer, op.name, op.note))
		}
	}

	fmt.Println("| | call, ns | bytes | back, ns | bytes | fresh, ns | bytes | live, bytes |\n|---|---|---|---|---|---|---|---|")
	for _, peer := range peers {
		fmt.Printf("| %s |", peer)
		for _, name := range compared {
			printCells(table[[2]string{peer, name}], name != "live")
		}
		fmt.Println()
	}
	fmt.Println()
	for _, note := range notes {
		fmt.Println(note)
	}

	fmt.Println("\nTime relative to Runnel's:")
	fmt.Println("\n| | call | back | fresh |\n|---|---|---|---|")
	for _, peer := range peers {
		fmt.Printf("| %s |", peer)
		for _, name := range compared[:3] {
			op, base := table[[2]string{peer, name}], table[[2]string{"Runnel", name}]
			if op == nil || base == nil {
				fmt.Print(" – |")
				continue
			}
			fmt.Printf(" %.3g |", figures.Ratio(op.ns, base.ns))
		}
		fmt.Println()
	}
}

func printCells(op *operation, withTime bool) {
	switch {
	case op == nil && withTime:
		fmt.Print(" – | – |")
	case op == nil:
		fmt.Print(" – |")
	case withTime:
		fmt.Printf(" %s | %.0f |", nanos(figures.Median(op.ns)), figures.Median(op.bytes))
	default:
		fmt.Printf(" %.0f |", figures.Median(op.bytes))
	}
}

// printWays prints the operations that only Runnel has.
func printWays(ops []*operation) {
	fmt.Println("\n| Runnel | ns | bytes |\n|---|---|---|")
	for _, op := range ops {
		if op.peer == "Runnel" && !slices.Contains(compared, op.name) {
			fmt.Printf("| %s | %s | %.0f |\n", op.name, nanos(figures.Median(op.ns)), figures.Median(op.bytes))
		}
	}
}

func nanos(ns float64) string {
	if ns < 100 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", ns), ".0")
	}
	return fmt.Sprintf("%.0f", ns)
}
