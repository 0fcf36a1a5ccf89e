//go:build ignore

// Compresses n bytes: each place is looked up among the last that began with the same three.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var text []int
	seed := 42
	for len(text) < n {
		seed = seed * 16807 % 2147483647
		from := seed % 1000
		if len(text) > 2000 && seed%4 > 0 {
			for i := range 10 + seed%20 {
				text = append(text, text[len(text)-1000+from/2+i%3])
			}
		} else {
			text = append(text, seed/7%16)
		}
	}
	text = text[:n]
	last := make([]int, 4096)
	for i := range last {
		last[i] = -1
	}
	at, literals, matches, hash := 0, 0, 0, 0
	for at+3 <= n {
		key := text[at]*256 + text[at+1]*16 + text[at+2]
		from := last[key]
		last[key] = at
		length := 0
		if from >= 0 && at-from < 4096 {
			for length < 64 && at+length < n && text[from+length] == text[at+length] {
				length++
			}
		}
		if length >= 4 {
			matches++
			hash = (hash*31 + length*4096 + at - from) % 1_000_000_007
			at += length
		} else {
			literals++
			hash = (hash*31 + text[at]) % 1_000_000_007
			at++
		}
	}
	fmt.Println(literals, matches, hash)
}
