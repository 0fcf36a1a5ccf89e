package reactor

import (
	"container/heap"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Reactor runs the processes of many schedulers, its tenants, on a few goroutines: at most
// Workers of them at the same time, however many tenants there are. It has no goroutine
// while nothing is to be done. NewReactor makes one.
//
// It schedules tenants, not processes. A tenant in which something is ready offers one of
// its workers, which waits for a slot; a goroutine with a slot takes the worker of the
// tenant that has had the least time for its weight, and visits it for a while: it runs
// processes as Sched describes. Virtual time is charged in advance and corrected at the
// end of the visit, so that a tenant with several workers gets no more than its share.
//
//	Sched.help ──> Reactor.ready (heap by virtual time) ──> slot: visit ──> charge ──> ready
type Reactor struct {
	workers  int
	external atomic.Int64 // completions under way, of all tenants
	waiting  atomic.Int32 // tenants in ready
	clock    clock

	mu      sync.Mutex // after that of a Sched; held for some instructions
	free    int        // slots
	slotted []*Worker  // that have a slot
	ready   tenants
	virtual time.Duration // virtual time of the tenant that was taken last; never falls
	tick    *time.Timer   // looks at the slots while tenants wait
	ticks   bool

	closed  bool        // no goroutine rests any more
	resting []chan bool // goroutines without a slot; they are told whether to go on
	fewest  int         // that have rested since the last sweep
	sweep   *time.Timer // ends those that were not needed
	sweeps  bool
}

const (
	// minVisit and maxVisit bound how long a visit lasts while other tenants wait; in
	// between, a round of all that wait takes about roundTime.
	minVisit  = 200 * time.Microsecond
	maxVisit  = 4 * time.Millisecond
	roundTime = 8 * time.Millisecond

	// freeTime is how long a goroutine of a host runs without a slot, if no tenant waits;
	// otherwise it is minVisit.
	freeTime = time.Millisecond

	// tickTime is how often slots are looked at while tenants wait: who is in foreign code
	// at two looks loses the slot.
	tickTime = 500 * time.Microsecond

	// restTime is how long a goroutine rests, at least, before it ends.
	restTime = 100 * time.Millisecond
)

// NewReactor makes a reactor that runs at most so many processes at the same time, 0: as
// many as there are processors. It needs no closing.
func NewReactor(workers int) *Reactor {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := &Reactor{workers: workers, free: workers}
	r.clock.init()
	return r
}

var shared = sync.OnceValue(func() *Reactor { return NewReactor(0) })

// Shared returns the reactor of the process, which has as many workers as there were
// processors when it was first asked for.
func Shared() *Reactor { return shared() }

// Workers returns how many processes run at the same time.
func (r *Reactor) Workers() int { return r.workers }

// tenant is what a reactor knows of a Sched. The reactor's lock guards it.
type tenant struct {
	weight  time.Duration
	virtual time.Duration // time had, by weight
	had     time.Duration // time that its tokens have had slots
	pending []*Worker     // tokens that wait for a slot
	place   int           // in Reactor.ready
}

// submit has a token served that the tenant has just taken from its free ones; the lock of
// the tenant is held.
func (r *Reactor) submit(w *Worker) {
	s := w.s
	s.visits++
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &s.tenant
	t.pending = append(t.pending, w)
	if len(t.pending) == 1 {
		// Time that it did not want is not saved up.
		t.virtual = max(t.virtual, r.virtual-r.visitTime()/t.weight)
		heap.Push(&r.ready, s)
		r.waiting.Store(int32(len(r.ready)))
	}
	if r.free > 0 {
		r.free--
		r.startLocked()
	} else {
		r.preemptLocked(t)
		r.watchLocked()
	}
}

// preemptLocked shortens the visit to the tenant that is most ahead of one that has begun to
// wait, if it is ahead by more than a visit costs. It is one that mostly sleeps who gains.
func (r *Reactor) preemptLocked(t *tenant) {
	var most *Worker
	ahead := t.virtual + minVisit
	for _, w := range r.slotted {
		u := &w.s.tenant
		at := u.virtual - (w.visit-(w.s.Now()-w.visitStart))/u.weight
		if at > ahead && !w.preempted.Load() {
			most, ahead = w, at
		}
	}
	if most != nil {
		most.preempted.Store(true)
	}
}

// withdraw takes back a token that waits for a slot, or nil. The lock of the tenant is held.
func (r *Reactor) withdraw(s *Sched) *Worker {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(s.tenant.pending) == 0 {
		return nil
	}
	s.visits--
	return r.takeLocked(s)
}

// takeLocked takes a token of a tenant in ready.
func (r *Reactor) takeLocked(s *Sched) *Worker {
	t := &s.tenant
	n := len(t.pending) - 1
	w := t.pending[n]
	t.pending[n] = nil
	t.pending = t.pending[:n]
	if n == 0 {
		heap.Remove(&r.ready, t.place)
		r.waiting.Store(int32(len(r.ready)))
	}
	return w
}

// shareOf returns how many tokens of a tenant wait for a slot, and how long all have
// had one.
func (r *Reactor) shareOf(s *Sched) (pending int, had time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	had = s.tenant.had
	for _, w := range r.slotted {
		if w.s == s {
			had += s.Now() - w.visitStart
		}
	}
	return len(s.tenant.pending), had
}

// visitTime is how long the next visit lasts if other tenants wait.
func (r *Reactor) visitTime() time.Duration {
	round := roundTime / time.Duration(1+len(r.ready)/r.workers)
	return min(max(minVisit, round), maxVisit)
}

// loop is a goroutine that comes with a slot. If a process ends it, the slot goes with
// the token.
func (r *Reactor) loop() {
	calls := make(chan bool, 1)
	slot := true
	for {
		for w := r.pick(calls, slot); w != nil; w = r.pick(calls, slot) {
			slot = r.visit(w)
		}
		if slot = <-calls; !slot {
			return
		}
	}
}

// pick gives the slot of the calling goroutine to the token that is to be served next.
// Without either, the goroutine is among those that rest.
func (r *Reactor) pick(calls chan bool, slot bool) *Worker {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slot && len(r.ready) > 0 {
		s := r.ready[0]
		r.virtual = max(r.virtual, s.tenant.virtual)
		w := r.takeLocked(s)
		r.attachLocked(w)
		return w
	}
	if slot {
		r.free++
	}
	r.restLocked(calls)
	return nil
}

// visit serves a token, and reports whether the goroutine still has its slot.
func (r *Reactor) visit(w *Worker) (slot bool) {
	s := w.s
	defer s.endVisit()
	if !w.runAll(&s.closing) {
		return false // the slot is where the token is
	}
	slot = r.detach(w)
	s.release(w, nil)
	return slot
}

// attachLocked gives a slot to a token, and charges for a visit in advance.
func (r *Reactor) attachLocked(w *Worker) {
	t := &w.s.tenant
	w.visit, w.visitStart = r.visitTime(), w.s.Now()
	t.virtual += w.visit / t.weight
	if len(t.pending) > 0 {
		heap.Fix(&r.ready, t.place)
	}
	w.preempted.Store(false)
	w.place = len(r.slotted)
	r.slotted = append(r.slotted, w)
	w.slotted.Store(true)
}

// detachLocked takes the slot from a token, if it has one, and corrects the charge.
func (r *Reactor) detachLocked(w *Worker) bool {
	if !w.slotted.Load() {
		return false
	}
	w.slotted.Store(false)
	last := r.slotted[len(r.slotted)-1]
	r.slotted[w.place], last.place = last, w.place
	r.slotted[len(r.slotted)-1] = nil
	r.slotted = r.slotted[:len(r.slotted)-1]
	t := &w.s.tenant
	took := w.s.Now() - w.visitStart
	t.had += took
	// What took much longer was held up, by a machine with other work, or nobody waited.
	t.virtual += (min(took, 2*w.visit) - w.visit) / t.weight
	if len(t.pending) > 0 {
		heap.Fix(&r.ready, t.place)
	}
	return true
}

// detach takes the slot of a token for the caller.
func (r *Reactor) detach(w *Worker) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.detachLocked(w)
}

// giveUp has others use the slot of a token, if it has one.
func (r *Reactor) giveUp(w *Worker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.giveUpLocked(w)
}

func (r *Reactor) giveUpLocked(w *Worker) {
	if !r.detachLocked(w) {
		return
	}
	if len(r.ready) > 0 {
		r.startLocked()
	} else {
		r.free++
	}
}

// admit gives a free slot to a token, if there is one.
func (r *Reactor) admit(w *Worker) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.free == 0 {
		return false
	}
	r.free--
	r.virtual = max(r.virtual, w.s.tenant.virtual) // else who comes later has all this time to catch up
	r.attachLocked(w)
	return true
}

// startLocked has a goroutine go on with a slot.
func (r *Reactor) startLocked() {
	n := len(r.resting) - 1
	if n < 0 {
		go r.loop()
		return
	}
	r.resting[n] <- true // has room: one for each entry
	r.resting[n] = nil
	r.resting = r.resting[:n]
	r.fewest = min(r.fewest, n)
}

// restLocked counts a goroutine among those that wait for a slot.
func (r *Reactor) restLocked(calls chan bool) {
	if r.closed {
		calls <- false
		return
	}
	r.resting = append(r.resting, calls)
	if r.sweeps {
		return
	}
	r.sweeps, r.fewest = true, 0
	if r.sweep == nil {
		r.sweep = time.AfterFunc(restTime, r.sweepResting)
	} else {
		r.sweep.Reset(restTime)
	}
}

// sweepResting ends the goroutines that have rested since the last sweep.
func (r *Reactor) sweepResting() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endLocked(r.fewest)
	r.fewest = len(r.resting)
	if r.sweeps = r.fewest > 0; r.sweeps {
		r.sweep.Reset(restTime)
	}
}

// endLocked ends the goroutines that have rested for longest.
func (r *Reactor) endLocked(n int) {
	for _, c := range r.resting[:n] {
		c <- false
	}
	left := copy(r.resting, r.resting[n:])
	clear(r.resting[left:])
	r.resting = r.resting[:left]
}

// close ends all goroutines that rest, now and later.
func (r *Reactor) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.endLocked(len(r.resting))
	r.fewest = 0
}

// watchLocked has the slots looked at, as long as tenants wait.
func (r *Reactor) watchLocked() {
	if r.ticks {
		return
	}
	r.ticks = true
	if r.tick == nil {
		r.tick = time.AfterFunc(tickTime, r.lookAtSlots)
	} else {
		r.tick.Reset(tickTime)
	}
}

// lookAtSlots takes the slots of those that are in the same foreign code as at the last look.
func (r *Reactor) lookAtSlots() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.slotted) - 1; i >= 0 && len(r.ready) > 0; i-- {
		w := r.slotted[i]
		stay := w.foreign.Load()
		if stay%2 == 1 && stay == w.stay {
			r.giveUpLocked(w)
		}
		w.stay = stay
	}
	if r.ticks = len(r.ready) > 0; r.ticks {
		r.tick.Reset(tickTime)
	}
}

// tenants is a heap of the tenants with pending tokens, by virtual time.
type tenants []*Sched

func (h tenants) Len() int           { return len(h) }
func (h tenants) Less(i, j int) bool { return h[i].tenant.virtual < h[j].tenant.virtual }
func (h tenants) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].tenant.place, h[j].tenant.place = i, j
}

func (h *tenants) Push(x any) {
	s := x.(*Sched)
	s.tenant.place = len(*h)
	*h = append(*h, s)
}

func (h *tenants) Pop() any {
	old := *h
	n := len(old) - 1
	s := old[n]
	old[n] = nil
	*h = old[:n]
	return s
}
