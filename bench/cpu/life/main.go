//go:build ignore

// Conway's game of life on a torus of 128 by 128: n generations.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const side = 128

func step(from, to []bool) {
	for y := range side {
		above, row, below := (y+side-1)%side*side, y*side, (y+1)%side*side
		for x := range side {
			left, right := (x+side-1)%side, (x+1)%side
			around := 0
			for _, alive := range [8]bool{from[above+left], from[above+x], from[above+right], from[row+left],
				from[row+right], from[below+left], from[below+x], from[below+right]} {
				if alive {
					around++
				}
			}
			to[row+x] = around == 3 || around == 2 && from[row+x]
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	now, next := make([]bool, side*side), make([]bool, side*side)
	seed := 42
	for i := range now {
		seed = seed * 16807 % 2147483647
		now[i] = seed%3 == 0
	}
	for range n {
		step(now, next)
		now, next = next, now
	}
	hash := 0
	for i, alive := range now {
		if alive {
			hash = (hash*31 + i) % 1_000_000_007
		}
	}
	fmt.Println(hash)
}
