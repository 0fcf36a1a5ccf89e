//go:build ignore

// Eight pairs of goroutines with a channel each play at once: one serves a ball, the other returns it, n times in all.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

const pairs = 8

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	start := time.Now()
	counts := make(chan int)
	for range pairs {
		served, back := make(chan bool, 1024), make(chan bool, 1024)
		go func() {
			returned := 0
			for ball := range served {
				returned++
				back <- ball
			}
			counts <- returned
		}()
		go func() {
			for range n / pairs {
				served <- true
				<-back
			}
			close(served)
		}()
	}
	returned := 0
	for range pairs {
		returned += <-counts
	}
	fmt.Println("TIME total", time.Since(start).Seconds())
	fmt.Println("RESULT", returned)
}
