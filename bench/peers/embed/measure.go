package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
)

// operation is something that is done n times.
type operation struct {
	peer, name string
	note       string // what is not as with the others
	n, want    int
	run        func(n int) (result int)
	// release lets go of what run has made and left behind. Its bytes are those
	// that are held then, not those that were allocated.
	release func()

	ns, bytes []float64 // an operation, by round
}

// call is the host's calling of f(a, b) = a + b*2.
func call(peer string, n int, f func(a, b int) int) *operation {
	return &operation{peer: peer, name: "call", n: n, want: (n - 1) * 3, run: func(n int) int { return repeat(n, f) }}
}

func repeat(n int, f func(a, b int) int) (last int) {
	for i := range n {
		last = f(i, i)
	}
	return last
}

// back is a script that calls h(x) = x + 1 n times, on 0 first.
func back(peer string, n int, f func(n int) int) *operation {
	return &operation{peer: peer, name: "back", n: n, want: n, run: f}
}

// fresh returns the making of states, and their living side by side.
func fresh(peer string, n int, start func() (state any, end func())) []*operation {
	made := &operation{peer: peer, name: "fresh", n: n, run: func(n int) int {
		for range n {
			_, end := start()
			end()
		}
		return 0
	}}
	return []*operation{made, live(peer, n/3, start)}
}

func live(peer string, n int, start func() (state any, end func())) *operation {
	var states []any
	var ends []func()
	return &operation{
		peer: peer, name: "live", n: n,
		run: func(n int) int {
			states, ends = make([]any, n), make([]func(), n)
			for i := range n {
				states[i], ends[i] = start()
			}
			return 0
		},
		release: func() {
			for _, end := range ends {
				end()
			}
			states, ends = nil, nil
		},
	}
}

// parallel has a goroutine for each function, which share the n calls.
func parallel(name string, n int, functions []func(a, b int) int) *operation {
	each := n / len(functions)
	return &operation{peer: "Runnel", name: name, n: each * len(functions), want: (each - 1) * 3, run: func(int) int {
		results := make([]int, len(functions))
		var wg sync.WaitGroup
		for i, f := range functions {
			wg.Go(func() { results[i] = repeat(each, f) })
		}
		wg.Wait()
		return slices.Min(results)
	}}
}

// measureAll does the rounds. One that is not counted warms up.
func measureAll(ops []*operation, rounds int) error {
	for round := range rounds + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d ", round, rounds)
		for _, op := range ops {
			if err := op.measure(); err != nil {
				return err
			}
			if round == 0 {
				op.ns, op.bytes = nil, nil
			}
		}
	}
	fmt.Fprintln(os.Stderr)
	return nil
}

func (op *operation) measure() error {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	result := op.run(op.n)
	took := time.Since(start)
	bytes := func() uint64 { return after.TotalAlloc - before.TotalAlloc }
	if op.release != nil {
		runtime.GC()
		bytes = func() uint64 { return after.HeapAlloc + after.StackInuse - before.HeapAlloc - before.StackInuse }
	}
	runtime.ReadMemStats(&after)
	if op.release != nil {
		op.release()
	}
	if result != op.want {
		return fmt.Errorf("%s, %s: got %d, want %d", op.peer, op.name, result, op.want)
	}
	op.ns = append(op.ns, float64(took.Nanoseconds())/float64(op.n))
	op.bytes = append(op.bytes, float64(bytes())/float64(op.n))
	return nil
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
