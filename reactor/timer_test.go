package reactor

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// origin: RY-04
func TestTimersFireInOrder(t *testing.T) {
	for _, chooser := range []Chooser{nil, FIFO{}, Seeded(1)} {
		s := withSched(t, Options{Workers: 1, Chooser: chooser})
		var mu sync.Mutex
		var order []int
		gate := NewGate()
		start := s.Now()
		for _, ms := range []int{30, 10, 20} {
			s.At(start+time.Duration(ms)*time.Millisecond, func(*Worker) {
				mu.Lock()
				defer mu.Unlock()
				if order = append(order, ms); len(order) == 3 {
					gate.Open()
				}
			})
		}
		require.True(t, s.RunUntil(gate))
		require.Equal(t, []int{10, 20, 30}, order)
		require.GreaterOrEqual(t, s.Now()-start, 30*time.Millisecond)
	}
}

func TestTimersOfOneTimeFireInTheOrderSet(t *testing.T) {
	s := withSched(t, Options{Chooser: FIFO{}})
	var order []int
	gate := NewGate()
	for i := range 1000 {
		s.At(time.Second, func(*Worker) {
			if order = append(order, i); len(order) == 1000 {
				gate.Open()
			}
		})
	}
	require.True(t, s.RunUntil(gate))
	require.True(t, slices.IsSorted(order))
}

func TestTimerHeapAgainstSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var h timers
	var model []time.Duration
	for range 20_000 {
		if r.IntN(3) > 0 || len(model) == 0 {
			when := time.Duration(r.IntN(1000))
			h.push(deadline{when: when})
			i, _ := slices.BinarySearch(model, when)
			model = slices.Insert(model, i, when)
			continue
		}
		require.Equal(t, model[0], h.pop().when)
		model = model[1:]
	}
}

func TestSweepKeepsTheLivingInOrder(t *testing.T) {
	s := withSched(t, Options{Chooser: FIFO{}})
	var order []int
	gate := NewGate()
	const n = 20_000
	r := rand.New(rand.NewPCG(3, 4))
	living := 0
	for range n {
		when := r.IntN(1_000_000)
		a := s.At(time.Duration(when), func(*Worker) {
			if order = append(order, when); len(order) == living {
				gate.Open()
			}
		})
		if r.IntN(20) == 0 {
			living++
		} else {
			require.True(t, a.Stop())
		}
	}
	require.Less(t, len(s.timers.heap), 2*living+minSweep+1)
	require.True(t, s.RunUntil(gate))
	require.Len(t, order, living)
	require.True(t, slices.IsSorted(order))
}

func TestVirtualHourTakesNoTime(t *testing.T) {
	s := withSched(t, Options{Chooser: FIFO{}})
	gate := NewGate()
	s.At(time.Hour, func(*Worker) { gate.Open() })
	start := time.Now()
	require.True(t, s.RunUntil(gate))
	require.Equal(t, time.Hour, s.Now())
	require.Less(t, time.Since(start), time.Minute)
}

func TestShorterTimerOvertakesOneThatIsWaitedFor(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	s.At(s.Now()+time.Hour, func(*Worker) {})
	time.Sleep(5 * time.Millisecond) // the loop waits for it
	gate := NewGate()
	s.At(s.Now()+time.Millisecond, func(*Worker) { gate.Open() })
	select {
	case <-gate.Opening():
	case <-time.After(time.Minute):
		t.Fatal("not woken")
	}
}

// A waker and a deadline for the same suspension: one of them ends it.
func TestDeadlineRacesWithWaker(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	gate := NewGate()
	const rounds = 2000
	runs := 0
	s.Inject(&newFn(func(w *Worker, f *fn) {
		if runs++; runs > rounds {
			f.Complete()
			gate.Open()
			return
		}
		epoch := f.NextEpoch()
		go func() {
			for range 50 {
				if f.Claim(epoch) {
					s.Inject(&f.Proc)
					return
				}
			}
		}()
		s.SleepUntil(&f.Proc, s.Now()+5*time.Microsecond)
	}).Proc)
	require.True(t, s.RunUntil(gate))
	require.Equal(t, rounds+1, runs)
}
