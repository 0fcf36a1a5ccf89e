//go:build ignore

// A goroutine gives each of 1000 others a task, through a channel of its own, and again when all are answered, n tasks in all.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

const width = 1000

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	start := time.Now()
	done := make(chan int, 1024)
	workers := make([]chan int, width)
	for i := range workers {
		tasks := make(chan int, 16)
		workers[i] = tasks
		go func() {
			for task := range tasks {
				done <- task
			}
		}()
	}
	answers := 0
	for range n / width {
		for _, tasks := range workers {
			tasks <- 1
		}
		for range workers {
			answers += <-done
		}
	}
	fmt.Println("TIME total", time.Since(start).Seconds())
	fmt.Println("RESULT", answers)
}
