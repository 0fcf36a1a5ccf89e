//go:build ignore

// Counts a pattern of twelve bytes in a text of n, with the table of Knuth, Morris and Pratt.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func letters(n, seed int) []byte {
	codes := make([]byte, n)
	for i := range codes {
		seed = seed * 16807 % 2147483647
		codes[i] = byte(97 + seed/64%2)
	}
	return codes
}

func count(text, pattern []byte) int {
	next := make([]int, len(pattern))
	k := 0
	for i := 1; i < len(pattern); i++ {
		for k > 0 && pattern[i] != pattern[k] {
			k = next[k-1]
		}
		if pattern[i] == pattern[k] {
			k++
		}
		next[i] = k
	}
	found := 0
	k = 0
	for _, c := range text {
		for k > 0 && c != pattern[k] {
			k = next[k-1]
		}
		if c == pattern[k] {
			k++
		}
		if k == len(pattern) {
			found++
			k = next[k-1]
		}
	}
	return found
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	text := letters(n, 42)
	fmt.Println(count(text, text[100:112]))
}
