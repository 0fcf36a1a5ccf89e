//go:build ignore

// Hand-over: n hops in all round a ring of 1000 tasks.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func node(in, out chan int) {
	for {
		v := <-in
		out <- v + 1
		if v < 0 {
			return
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	t0 := time.Now()
	first := make(chan int)
	in := first
	for i := 0; i < 999; i++ {
		out := make(chan int)
		go node(in, out)
		in = out
	}
	last := in
	v := 0
	for lap := 0; lap < n/1000; lap++ {
		first <- v
		v = <-last + 1
	}
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", v)
}
