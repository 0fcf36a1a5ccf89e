package reactor

import (
	"fmt"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/stretchr/testify/require"
)

// latencies are logged always and asserted in a long run, which has the machine
// for itself.
type latencies []time.Duration

func (l latencies) at(quantile float64) time.Duration {
	slices.Sort(l)
	return l[min(len(l)-1, int(quantile*float64(len(l))))]
}

func (l latencies) check(t *testing.T, what string, quantile float64, limit time.Duration) {
	t.Helper()
	t.Logf("%s: %d times, median %v, %v%% within %v, at most %v", what, len(l), l.at(.5), quantile*100, l.at(quantile), l.at(1))
	if longtest.Asked() {
		require.Less(t, l.at(quantile), limit, what)
	}
}

func cpuTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Workers that have had work and have none now, and a timer far away, use no
// processor.
//
// origin: WP-11
// origin: RY-09
func TestIdleWorkersSleep(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	for range 100 {
		gate := NewGate()
		s.Inject(&newFn(func(w *Worker, f *fn) { f.Complete(); gate.Open() }).Proc)
		<-gate.Opening()
	}
	defer s.At(s.Now()+time.Hour, func(*Worker) {}).Stop()
	duration := 500 * time.Millisecond
	if longtest.Asked() {
		duration = 5 * time.Second
	}
	time.Sleep(50 * time.Millisecond)
	before := cpuTime(t)
	time.Sleep(duration)
	used := cpuTime(t) - before
	t.Logf("%v of processor in %v", used, duration)
	require.Less(t, used, 5*time.Millisecond)
}

func TestWakeFromOutsideIsPrompt(t *testing.T) {
	s := withSched(t, Options{Workers: 2})
	n := 50
	if longtest.Asked() {
		n = 2000
	}
	var times latencies
	for range n {
		time.Sleep(2 * time.Millisecond) // all park
		gate := NewGate()
		start := s.Now()
		s.Inject(&newFn(func(w *Worker, f *fn) {
			times = append(times, s.Now()-start)
			f.Complete()
			gate.Open()
		}).Proc)
		<-gate.Opening()
	}
	times.check(t, "injected while all are parked", .99, time.Millisecond)
}

// hogs are processes that compute until they are told to stop; every 100
// microseconds one asks whether to make way and does what a script would
// meanwhile. They take note of how long the machine left their worker without
// a processor, for others use it too.
type hogs struct {
	s     *Sched
	stop  atomic.Bool
	taken [2]atomic.Int64 // by worker
}

func (h *hogs) start(sometimes func(w *Worker)) {
	s := h.s
	s.Inject(&newFn(func(w *Worker, f *fn) {
		for !h.stop.Load() {
			last := s.Now()
			for left := 100 * time.Microsecond; left > 0; {
				now := s.Now()
				gap := now - last
				if last = now; gap > 50*time.Microsecond {
					h.taken[w.id].Add(int64(gap))
				} else {
					left -= gap
				}
			}
			if sometimes != nil {
				sometimes(w)
			}
			if w.Overdue() {
				w.Yield(&f.Proc)
				return
			}
		}
		f.Complete()
	}).Proc)
}

// took is how long each worker has been left without a processor.
func (h *hogs) took() (all [2]time.Duration) {
	for i := range h.taken {
		all[i] = time.Duration(h.taken[i].Load())
	}
	return all
}

// As TestNobodyWaitsLongBehindBusyProcesses, on the real clock.
func TestStartBehindBusyProcessesOnTheClock(t *testing.T) {
	if !longtest.Asked() {
		t.Skip("a measurement: run it with -long")
	}
	ways := map[string]func(s *Sched, w *Worker, p *Proc){
		"injected":         func(s *Sched, _ *Worker, p *Proc) { s.Inject(p) },
		"in the next slot": func(_ *Sched, w *Worker, p *Proc) { w.Wake(p) },
		"woken by a timer": func(s *Sched, _ *Worker, p *Proc) { p.MarkRunning(); s.SleepUntil(p, s.Now()) },
	}
	for name, makeReady := range ways {
		for _, count := range []int{1, 2, 8} {
			t.Run(fmt.Sprintf("%s/%d", name, count), func(t *testing.T) { behindBusy(t, count, makeReady) })
		}
	}
}

func behindBusy(t *testing.T, count int, makeReady func(s *Sched, w *Worker, p *Proc)) {
	leaktest.Check(t)
	s := New(Options{Workers: 2})
	defer s.Close()
	const n = 1000
	h := &hogs{s: s}
	var times, net latencies
	done := NewGate()
	pause := time.Duration(0) // until the next probe
	var waiting atomic.Bool
	h.start(func(w *Worker) {
		if waiting.Load() || s.Now() < pause {
			return
		}
		waiting.Store(true)
		start, took := s.Now(), h.took()
		f := newFn(func(w *Worker, f *fn) {
			late := s.Now() - start
			times = append(times, late)
			now := h.took()
			net = append(net, max(0, late-max(now[0]-took[0], now[1]-took[1])))
			pause = s.Now() + time.Duration(len(times)%7)*time.Millisecond
			f.Complete()
			if len(times) == n {
				h.stop.Store(true)
				done.Open()
				return
			}
			waiting.Store(false)
		})
		makeReady(s, w, &f.Proc)
	})
	for range count - 1 {
		h.start(nil)
	}
	<-done.Opening()
	t.Logf("with what others took of the machine: median %v, 99.9%% within %v", times.at(.5), times.at(.999))
	t.Logf("without: median %v, 99.9%% within %v", net.at(.5), net.at(.999))
}
