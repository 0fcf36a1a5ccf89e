package reactor

import (
	"sync/atomic"
	"time"
)

// Worker runs processes, one at a time. A worker is a token: a goroutine of the
// pool or a host's own goroutine holds it while it runs processes. Its methods
// are for the goroutine that holds it.
//
// The order in which Pick looks:
//
//	next slot
//	lane, for laneTime at most
//	ring; every 61st time, and every other time after a yield, the global queue first
//	global queue, with a batch for the ring
//
// When it finds nothing and the class returns, the worker also searches the
// rings of other workers (search.go).
type Worker struct {
	s     *Sched
	id    int
	queue atomic.Pointer[ring] // made at the first push
	seed  uint32
	// Stolen from other workers' rings, how often there was nothing to do, and the turn
	// when the worker last looked at the clock.
	stolen, rests, slices atomic.Int64
	// Data belongs to the process classes.
	Data any

	lives     atomic.Int32         // how often the token has been detached
	slotted   atomic.Bool          // it has a slot of the reactor
	preempted atomic.Bool          // it is to end its visit early
	foreign   atomic.Uint32        // odd: it runs foreign code; the number tells one stay there from the next
	offered   atomic.Pointer[Proc] // next, while it runs foreign code
	stay      uint32               // what foreign was when the reactor last looked
	place     int                  // in Reactor.slotted

	_ [cacheLine]byte // thieves read what is above; what follows changes at every switch

	until *Gate // Pick finds nothing once it is open: never nil
	next  *Proc // the process just woken or spawned here: runs next, is never stolen
	// left is how many processes are picked before the global queue is due:
	// until then two that wake each other may pass the next slot to and fro.
	// It is 0 all the time when there is a Chooser.
	left      int
	ringFirst bool // the global queue is not due all the same
	yields    uint32
	turn      uint64 // counts slices: processes that hand on through next share one
	stamped   uint64 // the turn that since belongs to
	since     time.Duration
	goschedAt time.Duration // when the goroutine last let others run
	now       time.Duration // when it last looked at the clock

	// Of the reactor: see visit.go.
	visitStart time.Duration // when the visit did, or a host's goroutine got the token; 0: not known yet
	visit      time.Duration // how long it lasts if others wait
	stays      uint32        // the owner's copy of foreign

	offers bool // the process in the next slot is, or was, in offered

	// Of the lane (lane.go): how many of it have run since a look at the clock, whether one runs that is still of
	// it, and whether the others are owed a slice.
	laneRuns     uint8
	laneStart    time.Duration // when the first of them did
	inLane, owed bool

	lent bool // counted in Sched.idle although it may be held: see ReleaseInline
	fast bool // has been held without the lock since

	searching    bool    // counted in Sched.idle
	wokenToSteal bool    // was woken for something in a ring, and has not got anything yet
	seen         []sight // of each worker's ring, at the last look
}

const cacheLine = 64

// ID returns the number of the worker, from 0.
func (w *Worker) ID() int { return w.id }

// Sched the worker belongs to.
func (w *Worker) Sched() *Sched { return w.s }

const (
	// globalEvery is how often the global queue goes first: a prime, so that it
	// does not fall into step with a program's own period.
	globalEvery = 61
	// batch bounds what a worker takes from the global queue at a time.
	batch = 16
)

// Wake makes a claimed or new process ready; it runs on this worker soon. Its
// status already shows that: two processes that hand over to each other need
// only the claim and the suspension.
func (w *Worker) Wake(p *Proc) {
	if w.next != nil {
		w.enqueue(w.next)
	}
	w.next = p
}

// WakeLast makes a process ready behind those that wait on this worker.
func (w *Worker) WakeLast(p *Proc) {
	p.setStatus(Ready)
	w.enqueue(p)
}

// Yield puts the running process behind everything that is ready here. The next
// slot loses its turn to the queues, alternately the ring and the global queue.
// Every few times the process goes to the global queue, so that busy workers
// share the work there is.
func (w *Worker) Yield(p *Proc) {
	p.setStatus(Ready)
	if q := w.next; q != nil {
		w.next = nil
		w.enqueue(q)
	}
	w.left = 0
	w.yields++
	w.ringFirst = w.yields%2 == 1 && w.queue.Load().len() > 0
	if w.yields%4 == 3 {
		w.s.pushGlobal(p)
	} else {
		w.enqueue(p)
	}
}

// enqueue adds to the ring, or moves the older half of a full one to the
// global queue. The push comes before the look at idle; see release.
func (w *Worker) enqueue(p *Proc) {
	if w.lent {
		w.settle()
	}
	if w.s.chooser != nil { // one list, in the order in which they became ready
		w.s.ready.push(p)
		return
	}
	if !w.push(p) {
		w.overflow(p)
		return
	}
	if w.s.wanted() && !w.s.stealPaused.Load() {
		w.s.wakeToSteal()
	}
}

// push adds to the ring; it fails when that is full.
func (w *Worker) push(p *Proc) bool {
	q := w.queue.Load()
	if q == nil {
		q = new(ring)
		w.queue.Store(q)
	}
	return q.push(p)
}

func (w *Worker) overflow(p *Proc) {
	var half [ringSize / 2]*Proc
	n := w.queue.Load().takeHalf(&half)
	s := w.s
	s.mu.Lock()
	for _, q := range half[:n] {
		s.global.push(q)
	}
	s.global.push(p)
	s.countLocked()
	s.mu.Unlock()
	if s.wanted() {
		s.help()
	}
}

// Waiting reports whether other processes are ready for this worker.
func (w *Worker) Waiting() bool {
	return w.next != nil || w.queue.Load().len() > 0 || w.s.globalLen.Load() > 0 || w.s.ready.len() > 0
}

// Pick takes the next ready process without waiting, or nil.
func (w *Worker) Pick() *Proc {
	if p := w.next; p != nil && w.left > 0 && !w.until.Opened() {
		w.left--
		w.next = nil
		return p
	}
	return w.pickFair()
}

// sharesSlice reports whether processes that hand over to each other may go on. They get
// less the more others wait for a worker: one that wakes another often would else have to
// wait for all of them every globalEvery times.
func (w *Worker) sharesSlice() bool {
	if w.s.laneLen.Load() > 0 {
		return false
	}
	now := w.s.Now()
	if w.stamped != w.turn {
		w.stamped, w.since = w.turn, now
		return true
	}
	return now-w.since < minSlice/time.Duration(1+w.queue.Load().len()+int(w.s.globalLen.Load()))
}

// pickFair starts a new slice. A process in the next slot that has lost its
// turn goes to the end of the ring, where nothing can overtake it.
func (w *Worker) pickFair() *Proc {
	if w.until.Opened() {
		return nil
	}
	if w.s.chooser != nil {
		return w.s.choose(w)
	}
	if p := w.next; p != nil && w.left == 0 && w.sharesSlice() {
		w.next, w.left = nil, globalEvery
		return p
	}
	w.turn++
	if w.turn%lookEvery == 0 && w.looksAround() {
		return nil
	}
	due := w.left == 0 && !w.ringFirst
	w.ringFirst = false
	if w.left == 0 {
		w.left = globalEvery
	}
	w.left--
	if p := w.popLane(); p != nil {
		return p
	}
	if p := w.pickOther(due); p != nil {
		w.leaveLane()
		return p
	}
	w.laneRuns = 0
	return w.popLane()
}

// pickOther picks from all queues but the lane.
func (w *Worker) pickOther(due bool) *Proc {
	if due && w.s.globalLen.Load() > 0 {
		if p := w.s.popGlobal(w); p != nil {
			return p
		}
	}
	if p := w.next; p != nil {
		w.next = nil
		if w.queue.Load().len() == 0 {
			return p
		}
		w.enqueue(p)
	}
	if p := w.queue.Load().pop(); p != nil {
		return p
	}
	if w.s.globalLen.Load() > 0 {
		return w.s.popGlobal(w)
	}
	return nil
}

// Run runs a process returned by Pick.
func (w *Worker) Run(p *Proc) {
	p.setStatus(Running)
	p.class.Run(w, p)
}

// runAll runs processes until there are none or the gate is open. It reports
// whether the goroutine has kept the token: see Detach.
func (w *Worker) runAll(until *Gate) (kept bool) {
	w.until = until
	life, returned := w.lives.Load(), false
	defer w.quitUnless(&returned, life)
	for p := w.find(); p != nil; p = w.find() {
		w.Run(p)
		if w.lives.Load() != life {
			returned = true
			return false
		}
	}
	w.until = &w.s.closing
	returned = true
	return true
}

// find gets a ready process from anywhere, or nil.
func (w *Worker) find() *Proc {
	for {
		if p := w.Pick(); p != nil {
			w.endSearch(true)
			return p
		}
		if w.until.Opened() {
			return nil
		}
		if w.s.chooser == nil {
			return w.search()
		}
		if !w.s.advance(w) {
			return nil
		}
	}
}
