//go:build ignore

// A trie of n words of four to eleven letters, in which prefixes are counted.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct {
	below [26]*node
	words int
}

func add(root *node, word []int) {
	at := root
	for _, c := range word {
		at.words++
		if at.below[c] == nil {
			at.below[c] = &node{}
		}
		at = at.below[c]
	}
	at.words++
}

func count(root *node, word []int, letters int) int {
	at := root
	for _, c := range word[:letters] {
		if at = at.below[c]; at == nil {
			return 0
		}
	}
	return at.words
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var words [][]int
	seed := 42
	for i := range n {
		var word []int
		for range 4 + i%8 {
			seed = seed * 16807 % 2147483647
			word = append(word, seed%26)
		}
		words = append(words, word)
	}
	root := &node{}
	for _, word := range words {
		add(root, word)
	}
	sum := 0
	for _, word := range words {
		sum += count(root, word, 3)
	}
	fmt.Println(root.words, sum)
}
