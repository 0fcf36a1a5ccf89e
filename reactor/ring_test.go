package reactor

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/stretchr/testify/require"
)

// item is a process with a number: how many were pushed before it.
type item struct {
	Proc
	number uint64
	taken  atomic.Int32
}

func itemOf(p *Proc) *item { return (*item)(unsafe.Pointer(p)) }

// The ring against a slice: random pushes, pops and steals by one goroutine.
//
// origin: WP-07
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

// taker takes items from a ring: each of a round once, the oldest first.
type taker struct {
	t     *testing.T
	last  uint64
	count *atomic.Int64 // taken in this round, by all
}

func (x *taker) take(p *Proc) {
	it := itemOf(p)
	if it.taken.Add(1) != 1 || it.number <= x.last {
		x.t.Errorf("item %d was taken twice, or after item %d", it.number, x.last)
	}
	x.last = it.number
	x.count.Add(1)
}

// An owner that pushes and pops against thieves that take halves: every item is
// taken exactly once, and each taker takes them in the order of their numbers.
// An operation is a push or a take of one item.
//
// origin: WP-07
func TestRingLosesAndDoublesNothing(t *testing.T) {
	operations := 600_000
	if longtest.Asked() {
		operations = 100_000_000
	}
	const round = 1000
	items := make([]item, round)
	var r ring
	r.head.Store(^uint32(0) - 100_000) // the counters wrap
	r.tail.Store(r.head.Load())
	var count, stolen atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			x := taker{t: t, count: &count}
			var out [ringSize / 2]*Proc
			for !stop.Load() {
				n := r.takeHalf(&out)
				stolen.Add(int64(n))
				for _, p := range out[:n] {
					x.take(p)
				}
				if n == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	owner := taker{t: t, count: &count}
	pushed := uint64(0)
	for done := 0; done < operations && !t.Failed(); done += 2 * round {
		count.Store(0)
		for i := range items {
			pushed++
			items[i].number = pushed
			for !r.push(&items[i].Proc) {
				if p := r.pop(); p != nil {
					owner.take(p)
				}
			}
			if i%3 == 0 {
				if p := r.pop(); p != nil {
					owner.take(p)
				}
			}
		}
		if done%(4*round) == 0 { // in the other rounds what is left is for the thieves
			for p := r.pop(); p != nil; p = r.pop() {
				owner.take(p)
			}
		}
		for count.Load() < round && !t.Failed() {
			runtime.Gosched()
		}
		for i := range items {
			if n := items[i].taken.Swap(0); n != 1 {
				t.Fatalf("item %d was taken %d times", items[i].number, n)
			}
		}
	}
	stop.Store(true)
	wg.Wait()
	require.EqualValues(t, 0, r.len())
	t.Logf("%d items, %d of them stolen", pushed, stolen.Load())
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
