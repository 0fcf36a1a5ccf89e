//go:build ignore

// A mutex: 8 tasks lock, count up and unlock n times each.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	t0 := time.Now()
	var mu sync.Mutex
	x := 0
	done := make(chan int)
	for k := 0; k < 8; k++ {
		go func() {
			for i := 0; i < n; i++ {
				mu.Lock()
				x++
				mu.Unlock()
			}
			done <- 1
		}()
	}
	for k := 0; k < 8; k++ {
		<-done
	}
	fmt.Println("TIME total", time.Since(t0).Seconds())
	fmt.Println("RESULT", x)
}
