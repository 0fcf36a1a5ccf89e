//go:build ignore

// Memory: n goroutines with a channel each, all of which have received one value and wait for the next.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	start := time.Now()
	boxes := make([]chan int, n)
	var received sync.WaitGroup
	received.Add(n)
	for i := range boxes {
		box := make(chan int, 16)
		boxes[i] = box
		go func() {
			sum := 0
			for v := range box {
				sum += v
				received.Done()
			}
		}()
		box <- 1
	}
	received.Wait()
	fmt.Println("TIME start", time.Since(start).Seconds())
	fmt.Println("IDLE", len(boxes))
	bufio.NewReader(os.Stdin).ReadString('\n')
	fmt.Println("RESULT", len(boxes))
}
