//go:build ignore

// Sorting records with a comparator: n of them, by group and then downwards by score.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
)

type record struct{ group, score int }

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var all []*record
	seed := 42
	for range n {
		seed = seed * 16807 % 2147483647
		all = append(all, &record{seed % 100, seed / 100 % 10000})
	}
	slices.SortFunc(all, func(a, b *record) int {
		if a.group != b.group {
			return a.group - b.group
		}
		return b.score - a.score
	})
	hash := 0
	for _, r := range all {
		hash = (hash*31 + r.group*10000 + r.score) % 1_000_000_007
	}
	fmt.Println(hash)
}
