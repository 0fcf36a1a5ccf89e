//go:build ignore

// The n queens: counts the ways to place them, with lists of taken columns and diagonals.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type board struct {
	n                 int
	columns, up, down []bool
}

func (b *board) place(row int) int {
	if row == b.n {
		return 1
	}
	count := 0
	for c := range b.n {
		if b.columns[c] || b.up[row+c] || b.down[row-c+b.n] {
			continue
		}
		b.set(row, c, true)
		count += b.place(row + 1)
		b.set(row, c, false)
	}
	return count
}

func (b *board) set(row, c int, to bool) {
	b.columns[c] = to
	b.up[row+c] = to
	b.down[row-c+b.n] = to
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	b := &board{n, make([]bool, n), make([]bool, 2*n), make([]bool, 2*n)}
	fmt.Println(b.place(0))
}
