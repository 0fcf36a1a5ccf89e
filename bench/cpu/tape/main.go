//go:build ignore

// An interpreter of Brainfuck, with its jumps found beforehand: a program counts n times to 200,000.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func run(code string) int {
	to := make([]int, len(code))
	var open []int
	for i, c := range code {
		switch c {
		case '[':
			open = append(open, i)
		case ']':
			from := open[len(open)-1]
			open = open[:len(open)-1]
			to[i], to[from] = from, i
		}
	}
	cells := make([]int, 100)
	at, sum := 0, 0
	for pc := 0; pc < len(code); pc++ {
		switch code[pc] {
		case '>':
			at++
		case '<':
			at--
		case '+':
			cells[at] = (cells[at] + 1) & 255
		case '-':
			cells[at] = (cells[at] + 255) & 255
		case '.':
			sum = (sum*31 + cells[at]) % 1_000_000_007
		case '[':
			if cells[at] == 0 {
				pc = to[pc]
			}
		case ']':
			if cells[at] != 0 {
				pc = to[pc]
			}
		}
	}
	return sum
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	sum := 0
	for range n {
		sum += run("++++++++++[>++++++++++[>++++++++++[>++++++++++[>++++++++++[>++<-]<-]<-]<-]<-]>>>>>+.")
	}
	fmt.Println(sum)
}
