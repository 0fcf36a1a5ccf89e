package reactor

import (
	"runtime"
	"time"
)

// Worker runs processes, one at a time. A worker is a token: a goroutine of the
// pool or a host's own goroutine holds it while it runs processes. Its methods
// are for the goroutine that holds it.
//
// The order in which Pick looks:
//
//	next slot, at most maxNext times in a row
//	ring; every 61st time, and every other time after a yield, the global queue first
//	global queue, with a batch for the ring
//	half of another worker's ring (the pool's loop only, see find)
type Worker struct {
	s     *Sched
	id    int
	until *Gate // Pick finds nothing once it is open
	next  *Proc // the process just woken or spawned here: runs next, is never stolen
	runs  int   // times next was taken in a row
	tick  uint32
	seed  uint32

	yields      uint32
	globalFirst bool
	turn        uint64 // counts slices: processes that hand on through next share one
	stamped     uint64 // the turn that since belongs to
	since       time.Duration

	queue ring
	// Data belongs to the process classes.
	Data any
}

// ID of the worker, from 0.
func (w *Worker) ID() int { return w.id }

// Sched the worker belongs to.
func (w *Worker) Sched() *Sched { return w.s }

const (
	// maxNext bounds how often in a row the next slot goes first, so that two
	// processes that wake each other do not starve the queue.
	maxNext = 64
	// globalEvery is how often the global queue goes first: a prime, so that it
	// does not fall into step with a program's own period.
	globalEvery = 61
	// batch bounds what a worker takes from the global queue at a time.
	batch = 16
)

// Wake makes a claimed or new process ready; it runs on this worker soon.
func (w *Worker) Wake(p *Proc) {
	p.setStatus(Ready)
	old := w.next
	w.next = p
	if old != nil {
		w.enqueue(old)
	}
}

// WakeLast makes a process ready behind those that wait on this worker.
func (w *Worker) WakeLast(p *Proc) {
	p.setStatus(Ready)
	w.enqueue(p)
}

// Yield puts the running process behind everything that is ready. The next
// slot loses its turn to the queues.
func (w *Worker) Yield(p *Proc) {
	p.setStatus(Ready)
	w.runs = maxNext
	w.yields++
	w.globalFirst = w.yields%2 == 0
	w.s.pushGlobal(p)
}

// enqueue adds to the ring, or moves the older half of a full one to the
// global queue. The push comes before the look at hungry; see release.
func (w *Worker) enqueue(p *Proc) {
	if w.s.chooser != nil { // one list, in the order in which they became ready
		w.s.ready.push(p)
		return
	}
	if !w.queue.push(p) {
		w.overflow(p)
		return
	}
	if w.s.hungry.Load() != 0 {
		w.s.help()
	}
}

func (w *Worker) overflow(p *Proc) {
	var half [ringSize / 2]*Proc
	n := w.queue.takeHalf(&half)
	s := w.s
	s.mu.Lock()
	for _, q := range half[:n] {
		s.global.push(q)
	}
	s.global.push(p)
	s.globalLen.Store(int64(s.global.n))
	s.mu.Unlock()
	if s.hungry.Load() != 0 {
		s.help()
	}
}

// Waiting reports whether other processes are ready for this worker.
func (w *Worker) Waiting() bool {
	return w.next != nil || w.queue.len() > 0 || w.s.globalLen.Load() > 0 || w.s.ready.len() > 0
}

// Pick takes the next ready process without waiting, or nil.
func (w *Worker) Pick() *Proc {
	if g := w.until; g != nil && g.open.Load() {
		return nil
	}
	if w.s.chooser != nil {
		return w.s.choose(w)
	}
	w.tick++
	if p := w.next; p != nil && w.runs < maxNext && w.tick%globalEvery != 0 {
		w.next = nil
		w.runs++
		return p
	}
	return w.pickFair()
}

// pickFair starts a new slice. A process in the next slot that has lost its
// turn goes to the end of the ring, where nothing can overtake it.
func (w *Worker) pickFair() *Proc {
	w.runs = 0
	w.turn++
	if w.tick%globalEvery == 0 || w.globalFirst {
		w.globalFirst = false
		if w.s.globalLen.Load() > 0 {
			if p := w.s.popGlobal(w); p != nil {
				return p
			}
		}
	}
	if p := w.next; p != nil {
		w.next = nil
		if w.queue.len() == 0 {
			return p
		}
		w.enqueue(p)
	}
	if p := w.queue.pop(); p != nil {
		return p
	}
	if w.s.globalLen.Load() > 0 {
		return w.s.popGlobal(w)
	}
	return nil
}

// steal takes half of another worker's queue.
func (w *Worker) steal() *Proc {
	ws := w.s.workers
	w.seed = w.seed*1664525 + 1013904223
	start := int(w.seed>>16) % len(ws)
	var loot [ringSize / 2]*Proc
	for i := range ws {
		victim := ws[(start+i)%len(ws)]
		if victim == w {
			continue
		}
		n := victim.queue.takeHalf(&loot)
		if n == 0 {
			continue
		}
		// Between the two rings the loot was visible to nobody: a worker that
		// parked meanwhile has to be told of it, which enqueue does.
		for _, p := range loot[1:n] {
			w.enqueue(p)
		}
		return loot[0]
	}
	return nil
}

// find gets a ready process from anywhere, looking again for a short while
// before it gives up: a few times at once, then letting other goroutines run.
func (w *Worker) find() *Proc {
	const tight, yielding = 4, 16
	for i := 0; ; i++ {
		if p := w.Pick(); p != nil {
			return p
		}
		if w.until.open.Load() {
			return nil
		}
		if w.s.chooser != nil {
			if !w.s.advance(w) {
				return nil
			}
			continue
		}
		if len(w.s.workers) > 1 {
			if p := w.steal(); p != nil {
				return p
			}
		}
		if i >= yielding {
			return nil
		}
		if i >= tight {
			runtime.Gosched()
		}
	}
}

// Run runs a process that Pick gave.
func (w *Worker) Run(p *Proc) {
	p.setStatus(Running)
	p.class.Run(w, p)
}

// runAll runs processes until there are none or the gate is open.
func (w *Worker) runAll(until *Gate) {
	w.until = until
	for p := w.find(); p != nil; p = w.find() {
		w.Run(p)
	}
	w.until = nil
}
