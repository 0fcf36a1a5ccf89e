package reactor

import (
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/stretchr/testify/require"
)

// statusWatcher is a chooser that notes the status of a process while it is ready.
type statusWatcher struct {
	FIFO
	p    *Proc
	note func(Status)
}

func (c *statusWatcher) ChooseProc(ready []*Proc) int {
	for _, p := range ready {
		if p == c.p {
			c.note(p.Status())
		}
	}
	return 0
}

// origin: RY-11
func TestStatusesOfAProcessThatSleepsOnce(t *testing.T) {
	var chain []Status
	note := func(s Status) {
		if len(chain) == 0 || chain[len(chain)-1] != s {
			chain = append(chain, s)
		}
	}
	watcher := &statusWatcher{note: note}
	s := withSched(t, Options{Chooser: watcher})
	gate := NewGate()
	slept := false
	sleeper := newFn(func(_ *Worker, f *fn) {
		note(f.Status())
		if !slept {
			slept = true
			s.SleepUntil(&f.Proc, time.Second)
			return
		}
		f.Complete()
		note(f.Status())
	})
	watcher.p = &sleeper.Proc
	s.Inject(watcher.p)
	observer := newFn(func(w *Worker, f *fn) { // another that is ready: so there is a choice
		note(watcher.p.Status())
		if watcher.p.Status() == Completed {
			f.Complete()
			gate.Open()
			return
		}
		if s.Now() < time.Second {
			s.SleepUntil(&f.Proc, time.Second)
			return
		}
		w.Yield(&f.Proc)
	})
	s.Inject(&observer.Proc)
	require.True(t, s.RunUntil(gate))
	require.Equal(t, []Status{Ready, Running, Suspended, Ready, Running, Completed}, chain)
}

// testMutex is a lock for processes: who holds it gives it to the next.
type testMutex struct {
	lock    SpinLock
	held    bool
	waiting []*locker
}

// locker takes a mutex a number of times and counts while it holds it.
type locker struct {
	Proc
	epoch  uint64
	rounds int
	has    bool
}

func (m *testMutex) acquire(l *locker) bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	if !m.held {
		m.held = true
		return true
	}
	l.epoch = l.NextEpoch()
	m.waiting = append(m.waiting, l)
	l.Suspend()
	return false
}

func (m *testMutex) release(w *Worker) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if len(m.waiting) == 0 {
		m.held = false
		return
	}
	next := m.waiting[0]
	m.waiting = m.waiting[1:]
	if !next.Claim(next.epoch) {
		panic("somebody else has woken it")
	}
	next.has = true
	w.Wake(&next.Proc)
}

// origin: RY-12
func TestNoEarlyWakeIsLost(t *testing.T) {
	repeats := 3
	if longtest.Asked() {
		repeats = 100
	}
	for range repeats {
		for _, workers := range []int{2, 4, 8} {
			s := withSched(t, Options{Workers: workers})
			const procs, rounds = 1000, 100
			var m testMutex
			counter := 0
			var left atomic.Int64
			left.Store(procs)
			gate := NewGate()
			lockers := make([]locker, procs)
			class := &Class{Run: func(w *Worker, p *Proc) {
				l := (*locker)(unsafe.Pointer(p))
				for l.rounds > 0 {
					if !l.has && !m.acquire(l) {
						return // it may run elsewhere already
					}
					l.has = false
					counter++
					l.rounds--
					m.release(w)
				}
				p.Complete()
				if left.Add(-1) == 0 {
					gate.Open()
				}
			}}
			for i := range lockers {
				lockers[i].rounds = rounds
				lockers[i].InitProc(class)
				s.Inject(&lockers[i].Proc)
			}
			require.True(t, s.RunUntil(gate))
			require.Equal(t, procs*rounds, counter)
		}
	}
}
