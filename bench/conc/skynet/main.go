//go:build ignore

// A tree of tasks, ten below each, with n leaves; each sums up what those below it give.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func skynet(out chan int, num, size int) {
	if size == 1 {
		out <- num
		return
	}
	c := make(chan int)
	sub := size / 10
	for i := 0; i < 10; i++ {
		go skynet(c, num+i*sub, sub)
	}
	sum := 0
	for i := 0; i < 10; i++ {
		sum += <-c
	}
	out <- sum
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	t0 := time.Now()
	c := make(chan int)
	go skynet(c, 0, n)
	s := <-c
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", s)
}
