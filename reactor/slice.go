package reactor

import "time"

const (
	// maxSlice is how long a process runs before it makes way for others, and
	// about how long a round takes in which all that wait have their turn.
	maxSlice = 8 * time.Millisecond
	// minSlice is what is left of it when many wait.
	minSlice = 200 * time.Microsecond
)

// Overdue reports whether the running process should yield: its time slice is
// over and others wait, or the worker's goroutine is wanted back. It reads the
// clock, so call it every ten thousand instructions or so, not at each switch:
// the first call in a slice starts the time, and processes that hand over to
// each other through the next slot share one slice. A scheduler with a Chooser
// asks the Chooser instead: alternative 0 is to yield.
func (w *Worker) Overdue() bool {
	if w.until.Opened() {
		return true
	}
	if c := w.s.chooser; c != nil {
		w.s.timers.pass(w)
		return w.Waiting() && c.Choose(2) == 0
	}
	if w.looksAround() {
		return true
	}
	now := w.now
	first := w.stamped != w.turn
	if first {
		w.stamped, w.since = w.turn, now
	} else {
		w.inLane = false
	}
	ran := now - w.since
	if w.laneWaits(ran) {
		return true
	}
	if first {
		return false
	}
	if w.s.idle.Load() != 0 {
		w.expose()
	}
	return ran >= minSlice && w.Waiting() && ran >= w.slice()
}

// expose lets an idle worker have what waits behind a process that has been
// running for a while: in the next slot it would be stolen by nobody.
func (w *Worker) expose() {
	if p := w.next; p != nil {
		w.next = nil
		w.enqueue(p)
	}
	if w.s.stealPaused.Load() && w.queue.Load().len() > 0 {
		w.s.resumeStealing()
	}
}

// slice is shorter the more processes wait.
func (w *Worker) slice() time.Duration {
	n := len(w.s.workers)
	waiting := w.queue.Load().len() + (int(w.s.globalLen.Load())+n-1)/n
	if w.next != nil {
		waiting++
	}
	return max(minSlice, maxSlice/time.Duration(1+waiting))
}
