//go:build ignore

// Multiplies two matrices of n by n integers, as lists of rows.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func matrix(n, seed int) [][]int {
	rows := make([][]int, n)
	for i := range rows {
		rows[i] = make([]int, n)
		for j := range n {
			seed = seed * 16807 % 2147483647
			rows[i][j] = seed % 100
		}
	}
	return rows
}

func multiply(a, b [][]int, n int) [][]int {
	c := make([][]int, n)
	for i := range c {
		row := make([]int, n)
		for k, x := range a[i] {
			right := b[k]
			for j := range n {
				row[j] += x * right[j]
			}
		}
		c[i] = row
	}
	return c
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	hash := 0
	for _, row := range multiply(matrix(n, 42), matrix(n, 43), n) {
		for _, x := range row {
			hash = (hash*31 + x) % 1_000_000_007
		}
	}
	fmt.Println(hash)
}
