//go:build ignore

// An actor that is a goroutine with a channel of 1024: 4 senders tell it to add, n times in all.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	start := time.Now()
	box := make(chan int, 1024)
	done := make(chan int)
	go func() {
		count := 0
		for range n {
			count += <-box
		}
		done <- count
	}()
	for range 4 {
		go func() {
			for range n / 4 {
				box <- 1
			}
		}()
	}
	count := <-done
	fmt.Println("TIME total", time.Since(start).Seconds())
	fmt.Println("RESULT", count)
}
