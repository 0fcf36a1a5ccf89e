package reactor

import "time"

// over is the gate of workers whose visit is over: Pick finds nothing.
var over Gate

func init() { over.Open() }

// visitIsOver reports whether the worker has to make way for another tenant, or, on a host's
// goroutine without a slot, for those that have one. If so, it picks nothing any more.
func (w *Worker) visitIsOver(now time.Duration) bool {
	r := w.s.r
	switch {
	case w.slotted.Load():
		visit := w.visit
		if w.preempted.Load() {
			visit = minVisit
		}
		if r.waiting.Load() == 0 || now-w.visitStart < visit {
			return false
		}
	case w.visitStart == 0:
		w.visitStart = now
		return false
	case now-w.visitStart < minVisit || now-w.visitStart < freeTime && r.waiting.Load() == 0 || r.admit(w):
		return false
	}
	w.until = &over
	return true
}

// lookEvery is how many times a worker picks between two looks at the clock: processes
// that never run for long never ask whether they are overdue.
const lookEvery = 64

// looksAround does what is due now and then, and reports whether the visit is over.
func (w *Worker) looksAround() bool {
	w.s.r.clock.checkTimers()
	now := w.s.Now()
	w.mayGosched(now)
	w.now = now
	w.slices.Store(int64(w.turn))
	return w.visitIsOver(now)
}

// Pressed reports whether others may want the worker soon: something is under way outside,
// a timer is about to come, or another tenant waits. Then ask Overdue more often.
func (w *Worker) Pressed() bool {
	r := w.s.r
	return r != nil && (r.waiting.Load() > 0 || r.external.Load() > 0 || r.clock.comes(w.now+time.Millisecond, w.s))
}

// Lend gives up the worker's slot in the reactor, before something that takes long or
// waits for others. It gets one again when it has run for a while.
func (w *Worker) Lend() {
	if w.slotted.Load() {
		w.s.r.giveUp(w)
	}
}

// BeginForeign says that the worker runs code, until EndForeign, of which nobody knows how
// long it takes. If it takes long and others wait, the slot is taken from it. The process in
// the next slot may be stolen; else it is still the next at the end.
func (w *Worker) BeginForeign() {
	w.stays++ // odd
	releaseStore32(&w.foreign, w.stays)
	if w.next != nil {
		w.offer()
	}
}

// offer lets other workers have the process in the next slot.
func (w *Worker) offer() {
	if w.s.chooser != nil {
		w.expose()
		return
	}
	p := w.next
	w.next, w.offers = nil, true
	w.offered.Store(p) // before the look at idle: see release
	if w.lent {
		w.settle()
	}
	if w.s.wanted() && !w.s.stealPaused.Load() {
		w.s.wakeToSteal()
	}
}

// EndForeign ends BeginForeign.
func (w *Worker) EndForeign() {
	w.stays++
	releaseStore32(&w.foreign, w.stays)
	if w.offers {
		w.takeBack()
	}
}

// takeBack is apart so that EndForeign is small enough to be inlined.
//
//go:noinline
func (w *Worker) takeBack() { w.next, w.offers = w.offered.Swap(nil), false }

// endVisit is called by a goroutine of the reactor that is done with the tenant.
func (s *Sched) endVisit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visits--
	s.emptiedLocked()
}

// emptiedLocked tells Close that no goroutine of the reactor is at work any more.
func (s *Sched) emptiedLocked() {
	if s.visits == 0 && s.emptied != nil {
		close(s.emptied)
		s.emptied = nil
	}
}
