//go:build ignore

// Timers: n tasks asleep for the same number of seconds, all at once.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	secs, _ := strconv.Atoi(os.Args[2])
	d := time.Duration(secs) * time.Second
	t0 := time.Now()
	out := make(chan int, 1024)
	for i := 0; i < n; i++ {
		go func() {
			time.Sleep(d)
			out <- 1
		}()
	}
	fmt.Println("TIME start", time.Since(t0).Seconds())
	s := 0
	for i := 0; i < n; i++ {
		s += <-out
	}
	fmt.Println("TIME over", time.Since(t0).Seconds()-d.Seconds())
	fmt.Println("RESULT", s)
}
