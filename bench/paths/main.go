// Command paths measures what nobody waits for: locking a free mutex, passing an item through
// a channel with room, and a round trip between two tasks, beside the same in Go.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/runnel-lang/runnel"
)

//go:embed paths.rnl
var source string

var paths = []struct {
	name string
	goes func(n int)
}{
	{"locks", locks},
	{"buffered", buffered},
	{"pingpong", pingpong},
}

func main() {
	n := flag.Int("n", 3_000_000, "how often each is done in a round")
	rounds := flag.Int("k", 5, "rounds, of which the fastest counts")
	flag.Parse()
	for _, workers := range []int{1, 2} {
		runtime.GOMAXPROCS(workers)
		p := must(runnel.MustNew(runnel.WithWorkers(workers), runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: workers}))).Compile("paths.rnl", source))
		in := must(p.Start(context.Background()))
		for _, path := range paths {
			run := must(runnel.Bind1[int, int](in, path.name))
			mine, theirs := time.Hour, time.Hour
			for range *rounds {
				begun := time.Now()
				must(run(context.Background(), *n))
				mine = min(mine, time.Since(begun))
				begun = time.Now()
				path.goes(*n)
				theirs = min(theirs, time.Since(begun))
			}
			each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(*n) }
			fmt.Printf("%d workers, %-9s Runnel %6.1f ns, Go %6.1f ns, %.2f x Go\n", workers, path.name+":", each(mine), each(theirs), each(mine)/each(theirs))
		}
		in.Close()
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return v
}

func locks(n int) {
	var m sync.Mutex
	v := 0
	for range n {
		m.Lock()
		v++
		m.Unlock()
	}
}

func buffered(n int) {
	c := make(chan int, 64)
	for i := range n {
		c <- i
		<-c
	}
}

func pingpong(n int) {
	a, b := make(chan int), make(chan int)
	go func() {
		for x := range a {
			b <- x + 1
		}
	}()
	for i := range n {
		a <- i
		<-b
	}
	close(a)
}
