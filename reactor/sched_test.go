package reactor

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/stretchr/testify/require"
)

// fn is a process that is a function called each time it runs.
type fn struct {
	Proc
	class Class
}

func newFn(run func(w *Worker, f *fn)) *fn {
	f := &fn{}
	f.class.Run = func(w *Worker, _ *Proc) { run(w, f) }
	f.InitProc(&f.class)
	return f
}

func withSched(t testing.TB, opts Options) *Sched {
	leaktest.Check(t)
	s := New(opts)
	t.Cleanup(s.Close)
	return s
}

// origin: RY-06
func TestEverySpawnedProcessRunsOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		s := withSched(t, Options{Workers: workers})
		const n = 20_000
		var ran [n]atomic.Int32
		var left atomic.Int64
		left.Store(n)
		gate := NewGate()
		leaf := func(i int) *fn {
			return newFn(func(w *Worker, f *fn) {
				ran[i].Add(1)
				f.Complete()
				if left.Add(-1) == 0 {
					gate.Open()
				}
			})
		}
		s.Inject(&newFn(func(w *Worker, f *fn) {
			for i := range n {
				w.Wake(&leaf(i).Proc)
			}
			f.Complete()
		}).Proc)
		require.True(t, s.RunUntil(gate))
		for i := range ran {
			require.EqualValues(t, 1, ran[i].Load())
		}
	}
}

// sleeper suspends itself in a shared table and is woken from there by whoever
// claims it: many wakers for one suspension, one winner.
//
// origin: RY-12
func TestEachSuspensionIsEndedOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		s := withSched(t, Options{Workers: workers})
		const procs, rounds = 64, 100
		type entry struct {
			lock    SpinLock
			p       *Proc
			epoch   uint64
			running atomic.Int32
		}
		table := make([]entry, procs)
		var claims, left atomic.Int64
		left.Store(procs)
		gate := NewGate()
		for i := range table {
			e := &table[i]
			n := 0
			s.Inject(&newFn(func(w *Worker, f *fn) {
				if e.running.Add(1) != 1 {
					panic("runs on two workers")
				}
				if n++; n > rounds {
					f.Complete()
					if left.Add(-1) == 0 {
						gate.Open()
					}
					return
				}
				e.running.Add(-1)
				e.lock.Lock()
				e.p, e.epoch = &f.Proc, f.NextEpoch()
				f.Suspend()
				e.lock.Unlock()
			}).Proc)
		}
		var wg sync.WaitGroup
		for seed := range uint64(3) {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(seed, 7))
				for !gate.Opened() {
					runtime.Gosched()
					e := &table[r.IntN(procs)]
					e.lock.Lock()
					p, epoch := e.p, e.epoch
					e.lock.Unlock()
					if p == nil {
						continue
					}
					if p.Claim(epoch) {
						claims.Add(1)
						s.Inject(p)
					}
					if p.Claim(epoch - 1) {
						panic("claimed an earlier suspension")
					}
				}
			})
		}
		require.True(t, s.RunUntil(gate))
		wg.Wait()
		require.EqualValues(t, procs*rounds, claims.Load())
	}
}

// Workers park and are woken again and again; a lost wake-up hangs the test.
func TestNoWakeUpIsLost(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		s := withSched(t, Options{Workers: workers})
		rounds := 10_000
		if longtest.Asked() {
			rounds = 1_000_000
		}
		for i := range rounds {
			gate := NewGate()
			var left atomic.Int32
			k := 1 + i%3
			left.Store(int32(2 * k))
			for range k {
				s.Inject(&newFn(func(w *Worker, f *fn) {
					w.WakeLast(&newFn(func(w *Worker, f *fn) {
						f.Complete()
						if left.Add(-1) == 0 {
							gate.Open()
						}
					}).Proc)
					f.Complete()
					if left.Add(-1) == 0 {
						gate.Open()
					}
				}).Proc)
			}
			if i%2 == 0 {
				<-gate.Opening()
			} else {
				s.RunUntil(gate)
			}
		}
	}
}

// origin: RY-08
func TestNeverMoreRunThanTokens(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	var running, most atomic.Int32
	var left atomic.Int32
	const hosts, each = 6, 50
	left.Store(hosts * each)
	var wg sync.WaitGroup
	for range hosts {
		wg.Go(func() {
			gate := NewGate()
			var mine atomic.Int32
			mine.Store(each)
			for range each {
				s.Inject(&newFn(func(w *Worker, f *fn) {
					n := running.Add(1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					for range 100 {
						runtime.Gosched()
					}
					running.Add(-1)
					f.Complete()
					if mine.Add(-1) == 0 {
						gate.Open()
					}
				}).Proc)
			}
			if !s.RunUntil(gate) {
				t.Error("closed")
			}
		})
	}
	wg.Wait()
	require.LessOrEqual(t, most.Load(), int32(2))
}

// Two processes that wake each other do not keep a third, or one from outside,
// from running.
func TestChattingProcessesStarveNobody(t *testing.T) {
	s := withSched(t, Options{Workers: 1})
	var stop atomic.Bool
	gate := NewGate()
	var a, b *fn
	chat := func(other **fn) func(w *Worker, f *fn) {
		return func(w *Worker, f *fn) {
			if stop.Load() {
				f.Complete()
				return
			}
			f.Suspend()
			o := *other
			if o.Claim(o.Epoch()) {
				w.Wake(&o.Proc)
			}
		}
	}
	a, b = newFn(chat(&b)), newFn(chat(&a))
	b.Suspend()
	s.Inject(&newFn(func(w *Worker, f *fn) {
		w.WakeLast(&newFn(func(w *Worker, f *fn) { // in the ring
			f.Complete()
			s.Inject(&newFn(func(w *Worker, f *fn) { // in the global queue
				f.Complete()
				stop.Store(true)
				gate.Open()
			}).Proc)
		}).Proc)
		w.Wake(&a.Proc)
		f.Complete()
	}).Proc)
	require.True(t, s.RunUntil(gate))
}

// A busy process on every worker: one made ready meanwhile starts within a few
// slices, counted rather than timed, for the machine may be busy too.
//
// origin: RY-07
func TestBusyProcessesMakeWay(t *testing.T) {
	const workers = 2
	s := withSched(t, Options{Workers: workers})
	var stop atomic.Bool
	var slices atomic.Int64
	var left atomic.Int32
	left.Store(workers)
	ended := NewGate()
	for range workers {
		s.Inject(&newFn(func(w *Worker, f *fn) {
			slices.Add(1)
			for !stop.Load() {
				for range 2000 {
					_ = stop.Load()
				}
				if w.Overdue() {
					w.Yield(&f.Proc)
					return
				}
			}
			f.Complete()
			if left.Add(-1) == 0 {
				ended.Open()
			}
		}).Proc)
	}
	least := int64(1 << 62)
	for range 10 {
		gate := NewGate()
		before := slices.Load()
		var after int64
		s.Inject(&newFn(func(w *Worker, f *fn) { after = slices.Load(); f.Complete(); gate.Open() }).Proc)
		<-gate.Opening()
		least = min(least, after-before)
	}
	stop.Store(true)
	<-ended.Opening()
	require.LessOrEqual(t, least, int64(2*workers))
}

func TestSliceIsSharedThroughNext(t *testing.T) {
	s := withSched(t, Options{Workers: 1})
	w := s.Acquire()
	a, b := newFn(nil), newFn(nil)
	w.WakeLast(&b.Proc)
	require.Same(t, &b.Proc, w.Pick())
	w.WakeLast(&b.Proc)
	require.False(t, w.Overdue()) // starts the slice
	w.since -= maxSlice
	w.Wake(&a.Proc)
	require.Same(t, &a.Proc, w.Pick()) // through next: the same slice
	require.True(t, w.Overdue())
	w.Yield(&a.Proc)
	require.Same(t, &b.Proc, w.Pick())
	require.False(t, w.Overdue())
	require.Same(t, &a.Proc, w.Pick())
	s.release(w, nil)
}

// origin: WP-08
func TestWorkerTakesABatchFromGlobal(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	w := s.Acquire()
	other := s.Acquire() // no token is free: nobody helps
	procs := make([]Proc, 100)
	for i := range procs {
		procs[i].InitProc(&Class{})
		procs[i].setStatus(Ready)
		s.pushGlobal(&procs[i])
	}
	require.Same(t, &procs[0], w.Pick())
	require.Equal(t, batch, w.queue.Load().len())
	require.Same(t, &procs[1+batch], other.Pick())
	w.flushLocked()
	other.flushLocked()
	for s.global.pop() != nil {
	}
	s.countLocked()
	s.release(w, nil)
	s.release(other, nil)
}

func TestOverflowGoesToGlobal(t *testing.T) {
	s := withSched(t, Options{Workers: 1})
	w := s.Acquire()
	procs := make([]Proc, 3*ringSize)
	seen := map[*Proc]bool{}
	for i := range procs {
		procs[i].InitProc(&Class{})
		w.WakeLast(&procs[i])
	}
	require.Positive(t, s.global.n)
	for p := w.Pick(); p != nil; p = w.Pick() {
		require.False(t, seen[p])
		seen[p] = true
	}
	require.Len(t, seen, len(procs))
	s.release(w, nil)
}

// The root is suspended; another worker makes it ready and runs it while the
// host sleeps.
func TestHostIsWokenByWhatRunsElsewhere(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	gate := NewGate()
	var lock SpinLock
	var waiting *Proc
	n := 0
	s.Inject(&newFn(func(w *Worker, f *fn) {
		if n++; n == 2 {
			f.Complete()
			gate.Open()
			return
		}
		lock.Lock()
		f.Suspend()
		waiting = &f.Proc
		lock.Unlock()
	}).Proc)
	go func() {
		time.Sleep(10 * time.Millisecond)
		lock.Lock()
		p := waiting
		lock.Unlock()
		if p.Claim(p.Epoch()) {
			s.Inject(p)
		}
	}()
	require.True(t, s.RunUntil(gate))
}

func TestCloseEndsAHostThatWaits(t *testing.T) {
	leaktest.Check(t)
	s := New(Options{Workers: 2})
	ended := make(chan bool)
	for range 3 {
		go func() { ended <- s.RunUntil(NewGate()) }()
	}
	time.Sleep(5 * time.Millisecond)
	s.Close()
	for range 3 {
		require.False(t, <-ended)
	}
}

func TestQuiescentIsReportedOnceAndOnlyThen(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		var live, reports, wrong atomic.Int64
		leaktest.Check(t)
		quiet := make(chan struct{}, 100)
		s := New(Options{Workers: workers, Quiescent: func() {
			if live.Load() != 0 {
				wrong.Add(1)
			}
			reports.Add(1)
			quiet <- struct{}{}
		}})
		const rounds = 200
		for range rounds {
			live.Add(1)
			s.Inject(&newFn(func(w *Worker, f *fn) {
				for i := range 4 {
					live.Add(1)
					c := newFn(func(w *Worker, f *fn) {
						if f.Epoch() == 0 {
							s.SleepUntil(&f.Proc, s.Now()+time.Duration(i)*50*time.Microsecond)
							return
						}
						f.Complete()
						live.Add(-1)
					})
					w.Wake(&c.Proc)
				}
				x := s.Expect()
				live.Add(1)
				go x.Deliver(func(w *Worker) {
					s.Ready(w, &newFn(func(w *Worker, f *fn) { f.Complete(); live.Add(-1) }).Proc)
				})
				f.Complete()
				live.Add(-1)
			}).Proc)
			<-quiet
		}
		s.Close()
		require.Zero(t, wrong.Load())
		require.EqualValues(t, rounds, reports.Load())
	}
}

// What is left is a timer whose process was woken otherwise: quiescent at once.
func TestDeadTimerKeepsNothingAwake(t *testing.T) {
	quiet := make(chan struct{}, 1)
	s := withSched(t, Options{Workers: 1, Quiescent: func() { quiet <- struct{}{} }})
	alarm := s.At(s.Now()+time.Hour, func(*Worker) {})
	s.Inject(&newFn(func(w *Worker, f *fn) { f.Complete() }).Proc)
	select {
	case <-quiet:
		t.Fatal("an alarm is set")
	case <-time.After(20 * time.Millisecond):
	}
	require.True(t, alarm.Stop())
	require.False(t, alarm.Stop())
	s.Inject(&newFn(func(w *Worker, f *fn) { f.Complete() }).Proc)
	<-quiet
	s.AddExternal(1)
	s.Inject(&newFn(func(w *Worker, f *fn) { f.Complete() }).Proc)
	select {
	case <-quiet:
		t.Fatal("something is outside")
	case <-time.After(20 * time.Millisecond):
	}
	s.AddExternal(-1)
	<-quiet
}

// A process that spawns and awaits short ones makes idle workers pause stealing. They
// wake up from that, whatever ended it, and take part again.
func TestStealingResumesAfterAPause(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	paused := 0
	for range 20 {
		gate := NewGate()
		rounds := 0
		s.Inject(&newFn(func(w *Worker, f *fn) {
			for range 2 {
				w.WakeLast(&newFn(func(_ *Worker, f *fn) { f.Complete() }).Proc)
			}
			if rounds++; rounds%1000 == 0 { // ends a rest of the other, stealing or not
				s.Inject(&newFn(func(_ *Worker, f *fn) { f.Complete() }).Proc)
			}
			if s.stealPaused.Load() {
				paused++
			}
			if rounds < 20_000 {
				w.WakeLast(&f.Proc)
				return
			}
			f.Complete()
			gate.Open()
		}).Proc)
		require.True(t, s.RunUntil(gate))
		require.Eventually(t, func() bool { return !s.stealPaused.Load() }, time.Minute, time.Millisecond)
	}
	t.Logf("paused in %d of 400000 rounds", paused)
}
