//go:build ignore

// Solves a hard sudoku n times by trying, with the taken digits of rows, columns and boxes as bits.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type sudoku struct {
	cells                [81]int
	rows, columns, boxes [9]int
	tries                int
}

func (s *sudoku) set(i, bit int) {
	s.rows[i/9] ^= bit
	s.columns[i%9] ^= bit
	s.boxes[i/27*3+i%9/3] ^= bit
}

func (s *sudoku) solve(i int) bool {
	for i < 81 && s.cells[i] != 0 {
		i++
	}
	if i == 81 {
		return true
	}
	s.tries++
	taken := s.rows[i/9] | s.columns[i%9] | s.boxes[i/27*3+i%9/3]
	for d := 1; d < 10; d++ {
		bit := 1 << d
		if taken&bit != 0 {
			continue
		}
		s.cells[i] = d
		s.set(i, bit)
		if s.solve(i + 1) {
			return true
		}
		s.set(i, bit)
	}
	s.cells[i] = 0
	return false
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	const puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
	sum := 0
	for range n {
		s := &sudoku{}
		for i := range 81 {
			if d := int(puzzle[i]) - '0'; d > 0 {
				s.cells[i] = d
				s.set(i, 1<<d)
			}
		}
		s.solve(0)
		sum += s.tries + s.cells[80]
	}
	fmt.Println(sum)
}
