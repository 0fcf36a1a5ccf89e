//go:build ignore

// Select: n items in all from 4 producers on 4 channels of capacity 64.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func produce(c chan int, n int) {
	for i := 0; i < n; i++ {
		c <- i
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	t0 := time.Now()
	a := make(chan int, 64)
	b := make(chan int, 64)
	c := make(chan int, 64)
	d := make(chan int, 64)
	go produce(a, n/4)
	go produce(b, n/4)
	go produce(c, n/4)
	go produce(d, n/4)
	s := 0
	for i := 0; i < n/4*4; i++ {
		select {
		case v := <-a:
			s += v
		case v := <-b:
			s += v
		case v := <-c:
			s += v
		case v := <-d:
			s += v
		}
	}
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", s)
}
