//go:build ignore

// Maps: counts under string keys, sums under integer keys.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	counts := map[string]int{}
	for i := range n {
		counts["k"+strconv.Itoa(i*7919%50021)]++
	}
	sums := map[int]int{}
	for i := range n {
		sums[i*7919%100003] += i % 10
	}
	total := len(counts) + len(sums)
	for _, count := range counts {
		total += count * count
	}
	for _, sum := range sums {
		total += sum
	}
	fmt.Println(total)
}
