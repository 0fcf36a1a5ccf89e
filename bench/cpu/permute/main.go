//go:build ignore

// All permutations of n numbers in lexicographic order, each put into a sum.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func next(p []int) bool {
	i := len(p) - 2
	for i >= 0 && p[i] > p[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(p) - 1
	for p[j] < p[i] {
		j--
	}
	p[i], p[j] = p[j], p[i]
	for a, b := i+1, len(p)-1; a < b; a, b = a+1, b-1 {
		p[a], p[b] = p[b], p[a]
	}
	return true
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	sum := 0
	for {
		sum = (sum*3 + p[0]*100 + p[n/2]*10 + p[n-1]) % 1_000_000_007
		if !next(p) {
			break
		}
	}
	fmt.Println(sum)
}
