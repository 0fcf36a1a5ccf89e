//go:build ignore

// Disjoint sets: joins n random pairs of n elements and counts the sets.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type sets struct{ up, size []int }

func (s *sets) find(x int) int {
	for s.up[x] != x {
		s.up[x] = s.up[s.up[x]]
		x = s.up[x]
	}
	return x
}

func (s *sets) join(x, y int) bool {
	a, b := s.find(x), s.find(y)
	if a == b {
		return false
	}
	if s.size[a] < s.size[b] {
		a, b = b, a
	}
	s.up[b] = a
	s.size[a] += s.size[b]
	return true
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	s := &sets{make([]int, n), make([]int, n)}
	for i := range n {
		s.up[i], s.size[i] = i, 1
	}
	count, seed := n, 42
	for range n {
		seed = seed * 16807 % 2147483647
		x := seed % n
		seed = seed * 16807 % 2147483647
		if s.join(x, seed%n) {
			count--
		}
	}
	fmt.Println(count)
}
