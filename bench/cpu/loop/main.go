//go:build ignore

// Integer arithmetic in a while loop.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	sum := 0
	i := 0
	for i < n {
		sum = (sum + i) % 1_000_003
		i++
	}
	fmt.Println(sum)
}
