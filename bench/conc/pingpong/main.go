//go:build ignore

// Hand-over: n round trips between two tasks over unbuffered channels.
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
	a := make(chan int)
	b := make(chan int)
	go func() {
		for {
			v, ok := <-a
			if !ok {
				break
			}
			b <- v + 1
		}
		close(b)
	}()
	s := 0
	for i := 0; i < n; i++ {
		a <- i
		s += <-b
	}
	close(a)
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", s)
}
