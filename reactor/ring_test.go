package reactor

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var long = flag.Bool("long", false, "run the stress tests for 100 million operations")

// item is a process with a number.
type item struct {
	Proc
	seen atomic.Int32
}

// The ring against a slice: random pushes, pops and steals by one goroutine.
func TestRingBehavesLikeAQueue(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		var ring ring
		start := r.Uint32() // the counters wrap somewhere
		ring.head.Store(start)
		ring.tail.Store(start)
		var model []*Proc
		for range 5000 {
			switch r.IntN(5) {
			case 0, 1, 2:
				p := &Proc{}
				ok := ring.push(p)
				require.Equal(t, len(model) < ringSize, ok)
				if ok {
					model = append(model, p)
				}
			case 3:
				p := ring.pop()
				if len(model) == 0 {
					require.Nil(t, p)
					continue
				}
				require.Same(t, model[0], p)
				model = model[1:]
			case 4:
				var out [ringSize / 2]*Proc
				n := ring.takeHalf(&out)
				require.Equal(t, len(model)-len(model)/2, n)
				for i := range n {
					require.Same(t, model[i], out[i])
				}
				model = model[n:]
			}
			require.Equal(t, len(model), ring.len())
		}
	}
}

// An owner that pushes and pops against thieves that take halves: every item is
// seen exactly once.
func TestRingLosesAndDoublesNothing(t *testing.T) {
	total := 300_000
	if *long {
		total = 100_000_000
	}
	const round = 1000
	items := make([]item, round)
	var r ring
	var taken atomic.Int64
	var stop atomic.Bool
	take := func(p *Proc, by map[*Proc]*item) {
		by[p].seen.Add(1)
		taken.Add(1)
	}
	index := map[*Proc]*item{}
	for i := range items {
		index[&items[i].Proc] = &items[i]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			var out [ringSize / 2]*Proc
			for !stop.Load() {
				n := r.takeHalf(&out)
				for _, p := range out[:n] {
					take(p, index)
				}
				if n == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	for done := 0; done < total; done += round {
		taken.Store(0)
		for i := range items {
			for !r.push(&items[i].Proc) {
				if p := r.pop(); p != nil {
					take(p, index)
				}
			}
			if i%3 == 0 {
				if p := r.pop(); p != nil {
					take(p, index)
				}
			}
		}
		for p := r.pop(); p != nil; p = r.pop() {
			take(p, index)
		}
		for taken.Load() < round {
			runtime.Gosched()
		}
		for i := range items {
			if n := items[i].seen.Swap(0); n != 1 {
				t.Fatalf("item %d was taken %d times", i, n)
			}
		}
	}
	stop.Store(true)
	wg.Wait()
}

func TestListIsFirstInFirstOut(t *testing.T) {
	var l list
	procs := make([]Proc, 10)
	for i := range procs {
		l.push(&procs[i])
	}
	for i := range procs {
		require.Same(t, &procs[i], l.pop())
	}
	require.Nil(t, l.pop())
	require.Zero(t, l.n)
}

// leakCheck fails the test when goroutines it made are left at its end.
func leakCheck(t testing.TB) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for range 200 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		stacks := make([]byte, 1<<16)
		t.Errorf("goroutines left: %d, before %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
	})
}
