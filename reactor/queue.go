package reactor

import "sync/atomic"

// ringSize bounds a worker's local queue; what overflows goes to the global one.
const ringSize = 256

// ring is a bounded queue with one producer, its worker, and many consumers:
// the worker and thieves all take from the head by compare-and-swap, so an item
// is taken exactly once. (Thieves who take half of a deque whose owner pops
// from the same end with one compare-and-swap lose and double items.) It is the
// run queue of Go's own scheduler.
//
// Why a thief may copy before it owns: slot i is written again only when the
// head has passed i, and then the thief's swap of the head fails and the copy
// is dropped. The counters wrap after 2^32 items, which would have to pass
// between a thief's load and its swap to deceive it.
type ring struct {
	head  atomic.Uint32
	_     [60]byte      // thieves write head, the owner tail: two cache lines
	tail  atomic.Uint32 // written by the owner only
	items [ringSize]atomic.Pointer[Proc]
}

// push adds at the tail; it fails when the ring is full.
func (r *ring) push(p *Proc) bool {
	t := r.tail.Load()
	if t-r.head.Load() >= ringSize {
		return false
	}
	releaseStoreProc(&r.items[t%ringSize], p)
	r.tail.Store(t + 1)
	return true
}

// pop takes the oldest, or nil.
func (r *ring) pop() *Proc {
	if r == nil {
		return nil
	}
	for {
		h := r.head.Load()
		if h == r.tail.Load() {
			return nil
		}
		p := r.items[h%ringSize].Load()
		if r.head.CompareAndSwap(h, h+1) {
			return p
		}
	}
}

// len is exact for the owner when nobody steals; it is never below 0.
func (r *ring) len() int {
	if r == nil {
		return 0
	}
	h := r.head.Load() // before the tail, which never falls behind it
	return int(r.tail.Load() - h)
}

// takeHalf moves the older half of the ring to out and returns how many.
func (r *ring) takeHalf(out *[ringSize / 2]*Proc) int {
	for {
		h := r.head.Load()
		n := r.tail.Load() - h
		n -= n / 2
		if n == 0 {
			return 0
		}
		if n > ringSize/2 {
			continue // head and tail were read at different times
		}
		for i := range n {
			out[i] = r.items[(h+i)%ringSize].Load()
		}
		if r.head.CompareAndSwap(h, h+n) {
			return int(n)
		}
	}
}

// list is an intrusive first-in-first-out list; its owner locks.
type list struct {
	first, last *Proc
	n           int
}

func (l *list) push(p *Proc) {
	p.next = nil
	if l.last == nil {
		l.first = p
	} else {
		l.last.next = p
	}
	l.last = p
	l.n++
}

func (l *list) pop() *Proc {
	p := l.first
	if p == nil {
		return nil
	}
	l.first = p.next
	if l.first == nil {
		l.last = nil
	}
	p.next = nil
	l.n--
	return p
}
