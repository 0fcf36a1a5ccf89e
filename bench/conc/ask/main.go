//go:build ignore

// An actor that is a goroutine with a channel: n questions one after the other, each with a channel for its answer.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

type question struct {
	add   int
	reply chan int
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	start := time.Now()
	box := make(chan question, 1024)
	go func() {
		count := 0
		for q := range box {
			count += q.add
			q.reply <- count
		}
	}()
	last := 0
	for range n {
		q := question{1, make(chan int, 1)}
		box <- q
		last = <-q.reply
	}
	fmt.Println("TIME total", time.Since(start).Seconds())
	fmt.Println("RESULT", last)
}
