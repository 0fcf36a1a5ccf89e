//go:build ignore

// Memory: n tasks parked on a channel, on await or asleep, all at once. PARKED
// says that they are; a line of standard input lets those go on that wait for the gate.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const pause = 10 * time.Millisecond

var live, sum atomic.Int64

func leave(i int) {
	sum.Add(int64(i))
	live.Add(-1)
}

func start(how string, n int, gate chan int, opened *sync.WaitGroup, nap time.Duration) {
	for i := 0; i < n; i++ {
		switch how {
		case "chan":
			go func() { live.Add(1); <-gate; leave(i) }()
		case "await":
			go func() { live.Add(1); opened.Wait(); leave(i) }()
		default:
			go func() { live.Add(1); time.Sleep(nap); leave(i) }()
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	secs, _ := strconv.Atoi(os.Args[3])
	began := time.Now()
	gate := make(chan int)
	var opened sync.WaitGroup
	opened.Go(func() { <-gate })
	start(os.Args[2], n, gate, &opened, time.Duration(secs)*time.Second)
	for live.Load() < int64(n) {
		time.Sleep(pause)
	}
	fmt.Println("TIME start", time.Since(began).Seconds())
	time.Sleep(500 * time.Millisecond)
	fmt.Println("PARKED", live.Load())
	bufio.NewReader(os.Stdin).ReadString('\n')
	woken := time.Now()
	close(gate)
	for live.Load() > 0 {
		time.Sleep(pause)
	}
	fmt.Println("TIME wake", time.Since(woken).Seconds())
	fmt.Println("RESULT", sum.Load())
}
