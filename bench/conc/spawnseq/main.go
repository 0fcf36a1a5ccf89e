//go:build ignore

// Spawn and await: n tasks, one after the other, each gives its number.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	t0 := time.Now()
	sum := 0
	for i := 0; i < n; i++ {
		c := make(chan int, 1)
		v := i
		go func() { c <- v }()
		sum += <-c
	}
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", sum)
}
