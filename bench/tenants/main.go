// Command tenants shows how many instances share one reactor: what idle ones cost, which
// shares busy ones get, and how late a ticker is beside neighbours that flood.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

func main() {
	idle := flag.Int("idle", 10_000, "instances with one sleeping task")
	busy := flag.Int("busy", 1000, "busy instances, of weights 1, 2 and 4")
	span := flag.Duration("span", 3*time.Second, "how long busy instances run")
	flag.Parse()
	sleepers(*idle)
	shares(*busy, *span)
	for _, f := range floods {
		beside(f, *span)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return v
}

func compile(source string, opts ...runnel.Option) (*runnel.Runtime, *runnel.Program) {
	rt := runnel.MustNew(append([]runnel.Option{runnel.WithModules(all.Modules()...), runnel.WithHost(host.System(nil))}, opts...)...)
	return rt, must(rt.Compile("main.rnl", source))
}

func start(p *runnel.Program) *runnel.Instance {
	return must(p.Start(context.Background()))
}

// sleepers measures instances that have nothing to do for a long time.
func sleepers(n int) {
	rt, p := compile("let t = spawn { sleep(1h) }\n")
	start(p)
	var before, after runtime.MemStats
	goroutines := runtime.NumGoroutine()
	runtime.GC()
	runtime.ReadMemStats(&before)
	begun := time.Now()
	for range n {
		start(p)
	}
	made := time.Since(begun)
	time.Sleep(300 * time.Millisecond)
	runtime.GC()
	runtime.ReadMemStats(&after)
	more := runtime.NumGoroutine() - goroutines
	size := (after.HeapAlloc + after.StackInuse - before.HeapAlloc - before.StackInuse) / uint64(n)
	begun = time.Now()
	rt.Close()
	fmt.Printf("%d instances with a sleeping task: %d more goroutines, %d bytes each, made in %.2f us each, closed in %.2f us each\n",
		n, more, size, float64(made.Microseconds())/float64(n), float64(time.Since(begun).Microseconds())/float64(n))
}

const counting = `
let t = spawn { loop { } }
`

// shares measures how much instances get that always have something to do.
func shares(n int, span time.Duration) {
	r := runnel.NewReactor(runnel.ReactorOptions{})
	var rts []*runnel.Runtime
	var all [3][]*runnel.Instance
	for i, weight := range []int{1, 2, 4} {
		rt, p := compile(counting, runnel.WithReactor(r), runnel.WithWeight(weight))
		rts = append(rts, rt)
		for range n / 3 {
			all[i] = append(all[i], start(p))
		}
	}
	time.Sleep(span)
	counts := func() (c [3][]float64) {
		for i := range all {
			for _, in := range all[i] {
				c[i] = append(c[i], float64(in.Usage().Steps))
			}
		}
		return c
	}
	first := counts()
	time.Sleep(2 * span)
	last := counts()
	var one float64
	for i, weight := range []float64{1, 2, 4} {
		var sum, least, most float64
		for j := range last[i] {
			d := last[i][j] - first[i][j]
			sum += d
			if j == 0 || d < least {
				least = d
			}
			most = max(most, d)
		}
		mean := sum / float64(len(last[i]))
		if i == 0 {
			one = mean
		}
		fmt.Printf("weight %v: mean %.2f of that of weight 1, least %.2f, most %.2f of the mean\n", weight, mean/one, least/mean, most/mean)
	}
	for _, rt := range rts {
		rt.Close()
	}
}

var floods = []struct{ name, source string }{
	{"nothing", ""},
	{"a loop", "fn f() { loop { } }\nlet all = (0..8).map(|_| spawn f())\n"},
	{"a spawn storm", "fn f() { loop { let ts = (0..1000).map(|n| spawn { n })\n for t in ts { await t } } }\nlet all = (0..8).map(|_| spawn f())\n"},
	{"an IO storm", "import fs\nfn f() { loop { fs.read_bytes(\"/etc/hostname\") } }\nlet all = (0..64).map(|_| spawn f())\n"},
	{"stuck natives", "import place\nlet all = (0..1000).map(|_| spawn { place.stay() })\nlet loops = (0..8).map(|_| spawn { loop { place.call() } })\n"},
	{"much garbage", "fn f() { loop { let l = (0..10000).map(|i| [i, i]) } }\nlet all = (0..8).map(|_| spawn f())\n"},
}

// place is where tasks get stuck in threads of the system, or do not come back for a while.
func place() *runnel.Module {
	m := runnel.NewModule("place", "Where tasks get stuck.")
	runnel.Blocking(m, "stay", func() { syscall.Nanosleep(&syscall.Timespec{Sec: 60}, nil) })
	runnel.Func(m, "call", func() { syscall.Nanosleep(&syscall.Timespec{Nsec: 20_000_000}, nil) })
	return m
}

// beside measures how late a ticker and reads of a file are beside a neighbour.
func beside(f struct{ name, source string }, span time.Duration) {
	r := runnel.NewReactor(runnel.ReactorOptions{})
	neighbour, p := compile(f.source, runnel.WithReactor(r), runnel.WithWorkers(8), runnel.WithModules(place()))
	start(p)
	rt, p := compile(`
import fs
import time
pub fn reads(n: int) -> [int] {
  let took: [int] = []
  for _ in 0..n {
    let begun = time.mono()
    fs.read_bytes("/etc/hostname")
    took.push((time.mono() - begun).micros())
  }
  took
}
pub fn ticks(n: int) -> [int] {
  let late: [int] = []
  for _ in 0..n {
    let begun = time.mono()
    sleep(1ms)
    late.push((time.mono() - begun - 1ms).micros())
  }
  late
}
`, runnel.WithReactor(r))
	in := start(p)
	ticks := must(runnel.Bind1[int, []int](in, "ticks"))
	late := must(ticks(context.Background(), int(span/time.Millisecond)))
	took := must(must(runnel.Bind1[int, []int](in, "reads"))(context.Background(), 1000))
	slices.Sort(late)
	slices.Sort(took)
	fmt.Printf("beside %-14s a ticker of 1 ms is late by %5d us (p50), %6d us (p99); a read takes %5d us (p50), %6d us (p99)\n",
		f.name+":", late[len(late)/2], late[len(late)*99/100], took[len(took)/2], took[len(took)*99/100])
	neighbour.Close()
	rt.Close()
}
