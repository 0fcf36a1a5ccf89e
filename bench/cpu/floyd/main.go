//go:build ignore

// The shortest ways between all pairs of n places, by Floyd and Warshall.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	far := make([][]int, n)
	seed := 42
	for i := range far {
		far[i] = make([]int, n)
		for j := range n {
			seed = seed * 16807 % 2147483647
			switch {
			case i == j:
			case seed%5 == 0:
				far[i][j] = seed%100 + 1
			default:
				far[i][j] = 1_000_000
			}
		}
	}
	for k, via := range far {
		for _, row := range far {
			first := row[k]
			for j := range row {
				if d := first + via[j]; d < row[j] {
					row[j] = d
				}
			}
		}
	}
	sum := 0
	for _, row := range far {
		for _, d := range row {
			sum += d
		}
	}
	fmt.Println(sum)
}
