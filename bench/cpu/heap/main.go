//go:build ignore

// A binary heap of integers in a list: pushes n of them and pops them all.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func push(heap []int, x int) []int {
	heap = append(heap, x)
	i := len(heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if heap[up] <= heap[i] {
			break
		}
		heap[up], heap[i] = heap[i], heap[up]
		i = up
	}
	return heap
}

func pop(heap []int) (int, []int) {
	least := heap[0]
	n := len(heap) - 1
	last := heap[n]
	heap = heap[:n]
	if n == 0 {
		return least, heap
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= n {
			break
		}
		if down+1 < n && heap[down+1] < heap[down] {
			down++
		}
		if heap[down] >= last {
			break
		}
		heap[i] = heap[down]
		i = down
	}
	heap[i] = last
	return least, heap
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var heap []int
	seed := 42
	for range n {
		seed = seed * 16807 % 2147483647
		heap = push(heap, seed)
	}
	hash := 0
	for range n {
		var x int
		x, heap = pop(heap)
		hash = (hash*31 + x) % 1_000_000_007
	}
	fmt.Println(hash)
}
