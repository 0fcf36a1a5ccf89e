//go:build ignore

// Edit distance of two texts of n bytes, with two rows of the table.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func text(n, seed int) []byte {
	var codes []byte
	for range n {
		seed = seed * 16807 % 2147483647
		codes = append(codes, byte(97+seed%4))
	}
	return codes
}

func distance(a, b []byte) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range before {
		before[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			least := before[j]
			if a[i] != b[j] {
				least = min(least, before[j+1], row[j]) + 1
			}
			row[j+1] = least
		}
		before, row = row, before
	}
	return before[len(b)]
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(distance(text(n, 42), text(n, 43)))
}
