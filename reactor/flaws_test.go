package reactor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What schedulers of this kind have got wrong, and this one does not.

// Two processes that hand on to each other stay on their worker, whoever is
// idle.
//
// origin: RY flaw 4
func TestHandOffStaysOnItsWorker(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	gate := NewGate()
	last, moves, turns := -1, 0, 0
	var a, b *fn
	step := func(other **fn) func(w *Worker, f *fn) {
		return func(w *Worker, f *fn) {
			if w.id != last {
				last = w.id
				moves++
			}
			if turns++; turns >= 100_000 {
				f.Complete()
				gate.Open()
				return
			}
			f.Suspend()
			if o := *other; o.Claim(o.Epoch()) {
				w.Wake(&o.Proc)
			}
		}
	}
	a, b = newFn(step(&b)), newFn(step(&a))
	b.Suspend()
	s.Inject(&a.Proc)
	<-gate.Opening()
	require.Equal(t, 1, moves)
}

// A process that computes for long makes way, and is not ended for it.
//
// origin: RY flaw 6
func TestABusyProcessIsNotEnded(t *testing.T) {
	sim := simulate(t, 2, 5)
	slices := 0
	for sim.s.Now() < 50*time.Second {
		before := [2]*Proc(sim.running)
		sim.step()
		for i, p := range sim.running {
			if p != before[i] {
				slices++
			}
		}
	}
	require.NotNil(t, sim.running[0])
	require.NotNil(t, sim.running[1])
	require.Greater(t, slices, 5*1000)
	sim.end()
}

// Idle workers begin with different victims.
//
// origin: WP flaw 5
func TestThievesDoNotAllGoToTheSameVictim(t *testing.T) {
	_, ws := tokens(t, 8)
	victims := map[int]bool{}
	for _, thief := range ws[4:] {
		for _, w := range ws[:4] {
			procs := newProcs(2)
			w.WakeLast(&procs[0])
			w.WakeLast(&procs[1])
		}
		before := [4]int{}
		for i, w := range ws[:4] {
			before[i] = w.Info().Waiting
		}
		for p := thief.steal(); p == nil; p = thief.steal() {
		}
		for i, w := range ws[:4] {
			if w.Info().Waiting != before[i] {
				victims[i] = true
			}
		}
	}
	require.Greater(t, len(victims), 1)
}
