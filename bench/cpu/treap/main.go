//go:build ignore

// A treap: n random keys are put into a search tree that random priorities balance.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct {
	key, rank   int
	left, right *node
}

func insert(t *node, key, rank int) *node {
	if t == nil {
		return &node{key: key, rank: rank}
	}
	if key < t.key {
		l := insert(t.left, key, rank)
		t.left = l
		if l.rank > t.rank {
			t.left, l.right = l.right, t
			return l
		}
	} else if key > t.key {
		r := insert(t.right, key, rank)
		t.right = r
		if r.rank > t.rank {
			t.right, r.left = r.left, t
			return r
		}
	}
	return t
}

func sum(t *node, depth int) int {
	if t == nil {
		return 0
	}
	return t.key%1000*depth + sum(t.left, depth+1) + sum(t.right, depth+1)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var root *node
	seed := 42
	for range n {
		seed = seed * 16807 % 2147483647
		key := seed % 1_000_000
		seed = seed * 16807 % 2147483647
		root = insert(root, key, seed)
	}
	fmt.Println(sum(root, 1))
}
