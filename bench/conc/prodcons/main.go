//go:build ignore

// A buffer of 1024 between a producer of n items and a consumer.
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
	c := make(chan int, 1024)
	go func() {
		for i := 0; i < n; i++ {
			c <- i
		}
		close(c)
	}()
	s := 0
	for {
		v, ok := <-c
		if !ok {
			break
		}
		s += v
	}
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", s)
}
