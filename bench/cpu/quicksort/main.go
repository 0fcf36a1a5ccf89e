//go:build ignore

// Lists of integers: sorts n pseudo-random ones in place.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func quicksort(xs []int, low, high int) {
	pivot := xs[(low+high)/2]
	i, j := low, high
	for i <= j {
		for xs[i] < pivot {
			i++
		}
		for xs[j] > pivot {
			j--
		}
		if i <= j {
			xs[i], xs[j] = xs[j], xs[i]
			i++
			j--
		}
	}
	if low < j {
		quicksort(xs, low, j)
	}
	if i < high {
		quicksort(xs, i, high)
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	xs := make([]int, n)
	seed := 42
	for i := range xs {
		seed = seed * 16807 % 2147483647
		xs[i] = seed
	}
	quicksort(xs, 0, n-1)
	hash := 0
	for _, x := range xs {
		hash = (hash*31 + x) % 1_000_000_007
	}
	fmt.Println(hash)
}
