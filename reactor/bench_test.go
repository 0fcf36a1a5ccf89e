package reactor

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/stretchr/testify/require"
)

// An instance of the language makes a scheduler, and many never need more of it
// than one worker.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New(Options{Workers: 2}).Close()
	}
}

// A process spawns and runs others through the next slot and the ring.
func BenchmarkSpawnThroughTheQueue(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "1worker", 2: "2workers"}[workers], func(b *testing.B) {
			s := New(Options{Workers: workers})
			defer s.Close()
			gate := NewGate()
			var left atomic.Int64
			left.Store(int64(b.N))
			leaf := &Class{Run: func(w *Worker, p *Proc) {
				p.Complete()
				if left.Add(-1) == 0 {
					gate.Open()
				}
			}}
			root := newFn(func(w *Worker, f *fn) {
				procs := make([]Proc, b.N)
				b.ResetTimer()
				for i := range procs {
					procs[i].InitProc(leaf)
					w.Wake(&procs[i])
				}
				f.Complete()
			})
			s.Inject(&root.Proc)
			s.RunUntil(gate)
		})
	}
}

// Two processes that never run on the same worker hand a turn to and fro: each
// hand-off goes through the global queue to a parked or spinning worker.
func BenchmarkHandOffAcrossWorkers(b *testing.B) {
	s := New(Options{Workers: 2})
	defer s.Close()
	gate := NewGate()
	n := 0
	var a, z *fn
	step := func(other **fn) func(w *Worker, f *fn) {
		return func(w *Worker, f *fn) {
			if n++; n > b.N {
				f.Complete()
				gate.Open()
				return
			}
			o := *other
			epoch := o.Epoch()
			f.Suspend()
			if o.Claim(epoch) {
				s.Inject(&o.Proc)
			}
		}
	}
	a, z = newFn(step(&z)), newFn(step(&a))
	z.Suspend()
	b.ResetTimer()
	s.Inject(&a.Proc)
	<-gate.Opening()
}

func BenchmarkAlarm(b *testing.B) {
	s := New(Options{Chooser: FIFO{}})
	defer s.Close()
	b.ReportAllocs()
	for b.Loop() {
		s.At(time.Hour, func(*Worker) {}).Stop()
	}
}

// Many processes asleep at once, then all woken, each once.
func TestManySleepers(t *testing.T) {
	count := 100_000
	if longtest.Asked() {
		count = 1_000_000
	}
	s := withSched(t, Options{Workers: 2})
	gate := NewGate()
	var left, early atomic.Int64
	left.Store(int64(count))
	until := s.Now() + 300*time.Millisecond + time.Duration(count)*time.Microsecond
	class := &Class{Run: func(w *Worker, p *Proc) {
		if p.Epoch() == 0 {
			s.SleepUntil(p, until)
			return
		}
		if s.Now() < until {
			early.Add(1)
		}
		p.Complete()
		if left.Add(-1) == 0 {
			gate.Open()
		}
	}}
	procs := make([]Proc, count)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	s.Inject(&newFn(func(w *Worker, f *fn) {
		for i := range procs {
			procs[i].InitProc(class)
			w.Wake(&procs[i])
		}
		f.Complete()
	}).Proc)
	for {
		s.timers.mu.Lock()
		n := len(s.timers.heap)
		s.timers.mu.Unlock()
		if n == count || gate.Opened() {
			break
		}
		time.Sleep(time.Millisecond)
	}
	asleep := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.True(t, s.RunUntil(gate))
	require.Zero(t, early.Load())
	t.Logf("%d asleep after %v, %d bytes of timer each, all woken %v after their time", count, asleep,
		(int64(after.HeapAlloc)-int64(before.HeapAlloc))/int64(count), s.Now()-until)
}

// A host calls a process and waits for its end.
func BenchmarkHostCall(b *testing.B) {
	s := New(Options{Workers: 2})
	defer s.Close()
	b.ReportAllocs()
	for b.Loop() {
		gate := NewGate()
		f := newFn(func(_ *Worker, f *fn) {
			f.Complete()
			gate.Open()
		})
		s.Call(&f.Proc, gate)
	}
}
