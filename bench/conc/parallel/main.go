//go:build ignore

// Parallel computing: 8 tasks of fib(n).
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	t0 := time.Now()
	out := make(chan int)
	for k := 0; k < 8; k++ {
		go func() { out <- fib(n) }()
	}
	s := 0
	for k := 0; k < 8; k++ {
		s += <-out
	}
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", s)
}
