//go:build ignore

// The number below n with the longest Collatz sequence, with the lengths of smaller ones kept.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	lengths := make([]int, n)
	lengths[1] = 1
	best := 1
	for i := 2; i < n; i++ {
		x, steps := i, 0
		for x >= i {
			if x%2 == 0 {
				x /= 2
			} else {
				x = 3*x + 1
			}
			steps++
		}
		lengths[i] = steps + lengths[x]
		if lengths[i] > lengths[best] {
			best = i
		}
	}
	fmt.Println(best, lengths[best])
}
