//go:build ignore

// Lists through map, filter and fold with closures: n rounds over a thousand numbers.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func mapped(list []int, f func(int) int) []int {
	out := make([]int, 0, len(list))
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

func filtered(list []int, keep func(int) bool) []int {
	var out []int
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

func fold(list []int, a int, f func(a, x int) int) int {
	for _, x := range list {
		a = f(a, x)
	}
	return a
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	numbers := make([]int, 1000)
	for i := range numbers {
		numbers[i] = i
	}
	sum := 0
	for k := range n {
		tripled := mapped(numbers, func(x int) int { return x*3 + k })
		even := filtered(tripled, func(x int) bool { return x%2 == 0 })
		halved := mapped(even, func(x int) int { return x / 2 })
		sum += fold(halved, 0, func(a, x int) int { return (a + x) % 1_000_003 })
	}
	fmt.Println(sum)
}
