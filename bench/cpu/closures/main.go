//go:build ignore

// Closures: calls a function that counts in a captured variable.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func counter() func() int {
	count := 0
	return func() int {
		count++
		return count
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	next := counter()
	sum := 0
	for range n {
		sum += next()
	}
	fmt.Println(sum)
}
