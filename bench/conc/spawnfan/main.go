//go:build ignore

// A million live tasks: n tasks wait at a gate, then all give their number.
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
	gate := make(chan int)
	out := make(chan int, 1024)
	for i := 0; i < n; i++ {
		v := i
		go func() {
			<-gate
			out <- v
		}()
	}
	fmt.Println("TIME spawn", time.Since(t0).Seconds())
	close(gate)
	sum := 0
	for i := 0; i < n; i++ {
		sum += <-out
	}
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", sum)
}
