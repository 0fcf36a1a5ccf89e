//go:build ignore

// Linked lists of n nodes: built, reversed and sorted by merging.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct {
	value int
	next  *node
}

func merge(x, y *node) *node {
	var head node
	last := &head
	for x != nil && y != nil {
		if x.value <= y.value {
			last.next, last, x = x, x, x.next
		} else {
			last.next, last, y = y, y, y.next
		}
	}
	if last.next = x; x == nil {
		last.next = y
	}
	return head.next
}

func sorted(list *node, n int) *node {
	if n < 2 {
		return list
	}
	half := n / 2
	middle := list
	for range half - 1 {
		middle = middle.next
	}
	rest := middle.next
	middle.next = nil
	return merge(sorted(list, half), sorted(rest, n-half))
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var list, back *node
	seed := 42
	for range n {
		seed = seed * 16807 % 2147483647
		list = &node{seed, list}
	}
	for list != nil {
		next := list.next
		list.next = back
		back, list = list, next
	}
	hash := 0
	for at := sorted(back, n); at != nil; at = at.next {
		hash = (hash*31 + at.value) % 1_000_000_007
	}
	fmt.Println(hash)
}
