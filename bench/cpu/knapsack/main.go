//go:build ignore

// The knapsack problem with n items and room for 10,000, in one row of the table.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	const room = 10_000
	best := make([]int, room+1)
	seed := 42
	for range n {
		seed = seed * 16807 % 2147483647
		weight := 10 + seed%500
		seed = seed * 16807 % 2147483647
		value := 1 + seed%1000
		for w := room; w >= weight; w-- {
			best[w] = max(best[w], best[w-weight]+value)
		}
	}
	fmt.Println(best[room])
}
