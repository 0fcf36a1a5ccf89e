// Command go is ../latency.rnl in Go.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

func compute() {
	for x := 1; ; x = x*3 + 1 {
		if x == 0 {
			println(x)
		}
	}
}

func main() {
	runtime.GOMAXPROCS(2)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	busy, _ := strconv.Atoi(os.Args[2])
	n, _ := strconv.Atoi(os.Args[3])
	for range busy {
		go compute()
	}
	time.Sleep(20 * time.Millisecond)
	switch os.Args[1] {
	case "sleep":
		for range n {
			begun := time.Now()
			time.Sleep(time.Millisecond)
			fmt.Fprintln(out, (time.Since(begun) - time.Millisecond).Nanoseconds())
		}
	case "read":
		for range n {
			begun := time.Now()
			if _, err := os.ReadFile(os.Args[4]); err != nil {
				panic(err)
			}
			fmt.Fprintln(out, time.Since(begun).Nanoseconds())
		}
	case "wake":
		there, back := make(chan time.Time), make(chan time.Duration)
		go func() {
			for sent := range there {
				back <- time.Since(sent)
			}
		}()
		for range n {
			there <- time.Now()
			fmt.Fprintln(out, (<-back).Nanoseconds())
		}
	}
}
