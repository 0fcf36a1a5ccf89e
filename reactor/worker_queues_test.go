package reactor

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// origin: WP-06
func TestAsManyWorkersAsProcessorsUnlessTold(t *testing.T) {
	require.Len(t, withSched(t, Options{}).Workers(), runtime.GOMAXPROCS(0))
	require.Len(t, withSched(t, Options{Workers: 3}).Workers(), 3)
	require.Len(t, withSched(t, Options{Workers: 3, Chooser: FIFO{}}).Workers(), 1)
}

// tokens takes all workers of a scheduler, so that the test moves processes by
// hand, and drops what is left at the end.
func tokens(t *testing.T, workers int) (*Sched, []*Worker) {
	s := withSched(t, Options{Workers: workers})
	var all []*Worker
	for range workers {
		all = append(all, s.Acquire())
	}
	t.Cleanup(func() {
		for _, w := range all {
			for p := w.Pick(); p != nil; p = w.Pick() {
				p.Complete()
			}
		}
		for _, w := range all {
			s.release(w, nil)
		}
	})
	return s, all
}

func newProcs(n int) []Proc {
	procs := make([]Proc, n)
	for i := range procs {
		procs[i].InitProc(&Class{})
	}
	return procs
}

// origin: WP-08
func TestOneAndABatchFromTheGlobalQueue(t *testing.T) {
	s, ws := tokens(t, 1)
	procs := newProcs(17)
	for i := range procs {
		s.Inject(&procs[i])
	}
	require.Same(t, &procs[0], ws[0].Pick())
	require.Zero(t, s.global.n)
	for i := range procs[1:] {
		require.Same(t, &procs[i+1], ws[0].Pick(), "first in, first out")
	}
}

// origin: WP-09
func TestIdleWorkerStealsHalf(t *testing.T) {
	_, ws := tokens(t, 2)
	procs := newProcs(100)
	for i := range procs {
		ws[0].WakeLast(&procs[i])
	}
	require.Same(t, &procs[0], ws[1].steal())
	require.Equal(t, WorkerInfo{Waiting: 49, Stolen: 50}, ws[1].Info())
	require.Equal(t, WorkerInfo{Waiting: 50}, ws[0].Info())
}

// A process that goes on only when another of its worker's has run, which must
// have been stolen for that.
//
// origin: WP-09
func TestWorkIsSharedWhileAWorkerIsBusy(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	var ran atomic.Int32
	gate := NewGate()
	s.Inject(&newFn(func(w *Worker, f *fn) {
		for range 100 {
			w.WakeLast(&newFn(func(_ *Worker, f *fn) { ran.Add(1); f.Complete() }).Proc)
		}
		for ran.Load() == 0 {
			runtime.Gosched()
		}
		f.Complete()
		gate.Open()
	}).Proc)
	<-gate.Opening()
	require.Eventually(t, func() bool { return ran.Load() == 100 }, time.Minute, time.Millisecond)
	require.Positive(t, s.Workers()[0].Info().Stolen+s.Workers()[1].Info().Stolen)
}

// origin: WP-10
func TestOwnQueuesThenTheGlobalThenOthers(t *testing.T) {
	s, ws := tokens(t, 2)
	procs := newProcs(6)
	next, ring, global, stolen, outside := &procs[0], &procs[1], &procs[2], &procs[3], &procs[5]
	ws[0].WakeLast(&procs[4])
	require.Same(t, &procs[4], ws[0].Pick()) // the global queue is not due now
	global.setStatus(Ready)
	s.pushGlobal(global)
	s.Inject(outside)
	ws[0].WakeLast(ring)
	ws[0].Wake(next)
	ws[1].WakeLast(stolen)
	require.Same(t, next, ws[0].Pick())
	require.Same(t, outside, ws[0].Pick())
	require.Same(t, ring, ws[0].Pick())
	require.Same(t, global, ws[0].Pick())
	require.Nil(t, ws[0].Pick())
	require.Nil(t, ws[0].steal(), "it is not ripe yet")
	var p *Proc
	for i := 0; p == nil && i < ripeLooks; i++ {
		p = ws[0].steal()
	}
	require.Same(t, stolen, p)
}
