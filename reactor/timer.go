package reactor

import (
	"sync"
	"sync/atomic"
	"time"
)

// deadline wakes a process when its time has come, if it is still in the epoch.
// One that lost its process to another waker is dead and needs no cancelling:
// it is dropped when it comes up, or swept out earlier.
type deadline struct {
	when  time.Duration
	seq   uint64 // order of those due at the same time
	epoch uint64
	p     *Proc
}

func (x *deadline) before(y *deadline) bool {
	return x.when < y.when || x.when == y.when && x.seq < y.seq
}

// timers is a four-ary heap: each of a million sleeping processes costs 32
// bytes. The clock of the reactor knows the earliest.
type timers struct {
	s       *Sched
	start   time.Time
	virtual *virtualClock // nil: time is real

	used    atomic.Bool // there has been a timer
	mu      sync.Mutex
	heap    []deadline
	sweepAt int // size at which the dead are swept out
	seq     uint64
	firing  int // taken from the heap, their processes not yet ready
	stopped bool
	running sync.WaitGroup // runDue

	// The clock's lock guards these.
	at    time.Duration // when the clock calls runDue
	place int           // in its heap, from 1; 0: it is not there
}

// virtualClock stands still but for advance and pass.
type virtualClock struct {
	now  atomic.Int64
	slow time.Duration // by which it moves on at each choice
	busy int           // choices since it has last moved by itself
}

// minSweep is the size below which dead timers are left to come up.
const minSweep = 1024

func (t *timers) init(s *Sched) {
	t.s = s
	if s.chooser != nil {
		t.virtual = &virtualClock{}
	}
	if c, ok := s.chooser.(SlowChooser); ok {
		t.virtual.slow = c.PerChoice()
	}
	t.start = time.Now()
	t.sweepAt = minSweep
}

func (t *timers) now() time.Duration {
	if t.virtual != nil {
		return time.Duration(t.virtual.now.Load())
	}
	return time.Since(t.start)
}

// SleepUntil suspends a process until a time on the scheduler's clock, or until
// somebody else claims the suspension: if other waiter records were made
// before, with NextEpoch, it is their deadline. The process calls it instead of
// Suspend, under the same rules.
func (s *Sched) SleepUntil(p *Proc, when time.Duration) {
	s.timers.mu.Lock()
	s.timers.add(p, p.Suspend(), when)
	s.timers.mu.Unlock()
}

func (t *timers) add(p *Proc, epoch uint64, when time.Duration) {
	if t.stopped {
		return
	}
	if len(t.heap) >= t.sweepAt {
		t.sweep()
	}
	t.seq++
	t.used.Store(true)
	t.push(deadline{when: when, seq: t.seq, epoch: epoch, p: p})
	if t.virtual == nil && t.heap[0].seq == t.seq {
		t.setClock()
	}
}

// setClock has the clock call runDue when the earliest is due. The lock is held.
func (t *timers) setClock() {
	c := &t.s.r.clock
	c.set(t, t.heap[0].when+t.start.Sub(c.start))
}

// runDue wakes what is due, or a part of very much. The clock calls it; due is room to use.
func (t *timers) runDue(due []deadline) []deadline {
	t.mu.Lock()
	if t.stopped {
		t.mu.Unlock()
		return due
	}
	t.running.Add(1)
	defer t.running.Done()
	now := t.now()
	for len(t.heap) > 0 && t.heap[0].when <= now && len(due) < minSweep {
		due = append(due, t.pop())
	}
	t.firing += len(due)
	if len(t.heap) > 0 {
		t.setClock()
	}
	t.mu.Unlock()
	if len(due) > 0 {
		t.wakeAll(due)
	}
	return due
}

// wakeAll makes those ready whose time has come.
func (t *timers) wakeAll(due []deadline) {
	var awake list
	for i := range due {
		if p := due[i].p; p.Claim(due[i].epoch) {
			p.setStatus(Ready)
			awake.push(p)
		}
	}
	t.s.injectAll(&awake)
	t.fired(len(due))
	clear(due)
}

func (t *timers) fired(n int) {
	t.mu.Lock()
	t.firing -= n
	t.mu.Unlock()
	t.s.CheckQuiet()
}

// next is the time of the next live timer, or that of the clock without one.
func (t *timers) next() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dropDead() {
		return t.heap[0].when
	}
	return t.now()
}

// advance moves the virtual clock to the next live timer and wakes every
// process whose time that is: which of them goes first is the Chooser's choice.
func (t *timers) advance(w *Worker) bool {
	t.virtual.busy = 0
	t.mu.Lock()
	if t.dropDead() {
		t.virtual.now.Store(int64(max(t.now(), t.heap[0].when)))
	}
	t.mu.Unlock()
	return t.fire(w)
}

// realTimeStep is how long the virtual clock follows the real one between two looks at
// what has come.
const realTimeStep = time.Millisecond

// followRealTime moves the virtual clock on as the real one does for a moment, if somebody
// waits for it; else it is only what comes that wakes anybody (false).
func (t *timers) followRealTime(w *Worker) bool {
	t.mu.Lock()
	waits := t.dropDead()
	t.mu.Unlock()
	if !waits || t.s.closing.Opened() {
		return false
	}
	time.Sleep(realTimeStep)
	t.virtual.now.Add(int64(realTimeStep))
	t.fire(w)
	return true
}

const (
	// patience is how many choices may be made while the virtual clock stands
	// still; from then on each takes tick, so that those who sleep come due
	// beside those who never rest.
	patience = 1000
	tick     = 10 * time.Microsecond
)

// pass lets time pass for a choice that has been made.
func (t *timers) pass(w *Worker) {
	step := t.virtual.slow
	if t.virtual.busy++; t.virtual.busy > patience {
		step += tick
	}
	if step > 0 {
		t.virtual.now.Add(int64(step))
		t.fire(w)
	}
}

// fire wakes every process whose time has come on the virtual clock.
func (t *timers) fire(w *Worker) bool {
	t.mu.Lock()
	var due []deadline
	for t.dropDead() && t.heap[0].when <= t.now() {
		due = append(due, t.pop())
	}
	t.mu.Unlock()
	for i := range due {
		if p := due[i].p; p.Claim(due[i].epoch) {
			w.WakeLast(p)
		}
	}
	return len(due) > 0
}

// pending reports whether a timer may still wake a process.
func (t *timers) pending() bool {
	if !t.used.Load() {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.firing > 0 || t.dropDead()
}

// dropDead removes the dead from the top and reports whether one is left.
func (t *timers) dropDead() bool {
	for len(t.heap) > 0 {
		if x := &t.heap[0]; x.p.waits(x.epoch) {
			return true
		}
		t.pop()
	}
	return false
}

func (t *timers) stop() {
	t.mu.Lock()
	t.stopped = true
	t.heap = nil
	t.mu.Unlock()
	if t.virtual == nil {
		t.s.r.clock.drop(t)
	}
	t.running.Wait()
}

// sweep drops the dead and sets the next sweep at twice what lives: a constant
// cost per timer, and never more than as many dead as living.
func (t *timers) sweep() {
	live := t.heap[:0]
	for _, x := range t.heap {
		if x.p.waits(x.epoch) {
			live = append(live, x)
		}
	}
	clear(t.heap[len(live):])
	t.heap = live
	t.sweepAt = max(minSweep, 2*len(live))
	for i := (len(live) - 2) / 4; i >= 0 && len(live) > 1; i-- {
		t.down(i, live[i])
	}
}

func (t *timers) push(x deadline) {
	h := append(t.heap, x)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
	t.heap = h
}

func (t *timers) pop() deadline {
	h := t.heap
	top, last := h[0], h[len(h)-1]
	h[len(h)-1] = deadline{}
	t.heap = h[:len(h)-1]
	if len(t.heap) > 0 {
		t.down(0, last)
	}
	return top
}

// down puts x into the hole at i, or below it.
func (t *timers) down(i int, x deadline) {
	h := t.heap
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(h)); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&x) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = x
}
