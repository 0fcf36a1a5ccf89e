package reactor

import (
	"container/heap"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// clock knows when the earliest timer of each tenant comes, or a time before that: a
// timer that was dropped leaves its time behind. One goroutine waits for the earliest of
// all, as long as there is one; a worker that is at work looks too.
type clock struct {
	start time.Time
	next  atomic.Int64 // when the earliest comes

	mu      sync.Mutex // after that of timers
	heap    timersHeap
	running bool
	wake    chan struct{}
}

func (c *clock) init() {
	c.start = time.Now()
	c.wake = make(chan struct{}, 1)
	c.next.Store(math.MaxInt64)
}

func (c *clock) now() time.Duration { return time.Since(c.start) }

// set has runDue called for timers at a time, at the latest.
func (c *clock) set(t *timers, when time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case t.place == 0:
		t.at = when
		heap.Push(&c.heap, t)
	case when < t.at:
		t.at = when
		heap.Fix(&c.heap, t.place-1)
	default:
		return
	}
	if c.heap[0] != t {
		return
	}
	c.noteLocked()
	if !c.running {
		c.running = true
		go c.loop()
		return
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// drop forgets timers.
func (c *clock) drop(t *timers) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.place > 0 {
		heap.Remove(&c.heap, t.place-1)
		c.noteLocked()
	}
	if len(c.heap) == 0 && c.running {
		select {
		case c.wake <- struct{}{}:
		default:
		}
	}
}

// comes reports whether a timer comes before a time of a scheduler.
func (c *clock) comes(when time.Duration, s *Sched) bool {
	next := c.next.Load()
	return next != math.MaxInt64 && time.Duration(next) < when+s.timers.start.Sub(c.start)
}

func (c *clock) noteLocked() {
	if len(c.heap) == 0 {
		c.next.Store(math.MaxInt64)
	} else {
		c.next.Store(int64(c.heap[0].at))
	}
}

// loop waits for the earliest; it ends when there is none.
func (c *clock) loop() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var due []deadline
	for {
		var wait time.Duration
		if due, wait = c.runDue(due); wait < 0 {
			return
		}
		timer.Reset(wait)
		select {
		case <-timer.C:
		case <-c.wake:
		}
	}
}

// runDue calls runDue of all timers whose time has come, and tells how long it is to the next; below 0
// when there is none and the loop ends.
func (c *clock) runDue(due []deadline) ([]deadline, time.Duration) {
	for {
		t, wait := c.take()
		if t == nil {
			return due, wait
		}
		due = t.runDue(due[:0])
	}
}

// take removes timers whose time has come.
func (c *clock) take() (*timers, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.heap) == 0 {
		c.running = false
		return nil, -1
	}
	now := c.now()
	if t := c.heap[0]; t.at > now {
		return nil, t.at - now
	}
	return c.popLocked(), 0
}

func (c *clock) popLocked() *timers {
	t := heap.Pop(&c.heap).(*timers)
	c.noteLocked()
	return t
}

// checkTimers does what loop would, on a worker that is at work: the goroutine of loop may
// have to wait for a processor.
func (c *clock) checkTimers() {
	for range timersAtOnce {
		if int64(c.now()) < c.next.Load() {
			return
		}
		c.mu.Lock()
		var t *timers
		if len(c.heap) > 0 && c.heap[0].at <= c.now() {
			t = c.popLocked()
		}
		c.mu.Unlock()
		if t == nil {
			return
		}
		t.runDue(nil)
	}
}

// timersAtOnce bounds what one worker does for others.
const timersAtOnce = 64

// timersHeap orders the timers of tenants by when the earliest of each comes.
type timersHeap []*timers

func (h timersHeap) Len() int           { return len(h) }
func (h timersHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h timersHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

func (h *timersHeap) Push(x any) {
	t := x.(*timers)
	*h = append(*h, t)
	t.place = len(*h)
}

func (h *timersHeap) Pop() any {
	old := *h
	n := len(old) - 1
	t := old[n]
	old[n] = nil
	*h = old[:n]
	t.place = 0
	return t
}
