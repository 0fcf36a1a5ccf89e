//go:build ignore

// Allocation and collection: builds and counts many short-lived binary trees.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type tree struct{ left, right *tree }

func build(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{build(depth - 1), build(depth - 1)}
}

func count(t *tree) int {
	if t.left == nil {
		return 1
	}
	return 1 + count(t.left) + count(t.right)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	total := count(build(n + 1))
	longLived := build(n)
	for depth := 4; depth <= n; depth += 2 {
		for range 1 << (n - depth + 4) {
			total += count(build(depth))
		}
	}
	fmt.Println(total + count(longLived))
}
