package vm

import (
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// reap ends what nothing else can end: actors to whom nobody can send any more
// stop, questions that nobody can answer fail, and of tasks that wait for each
// other in a circle one is told so. It reports whether anything was woken.
func (in *Instance) reap() bool {
	_, woken := in.goOn(in.newLiveness(), math.MaxInt64)
	return woken
}

// conclude ends what a look has found. The world stands still.
func (in *Instance) conclude(l *liveness) bool {
	stuck := l.stuck()
	cycle := l.cycle(stuck)
	dropped := l.unreached(stuck)
	lost := l.lost(slices.Concat(stuck, l.askers))
	slices.SortFunc(dropped, oldest)
	for _, t := range dropped {
		t.mailbox().close(in, nil)
	}
	for _, p := range lost {
		p.settle(in, nil, futureCancelled, Value{}, nil)
	}
	admitted := false
	for _, t := range stuck {
		if t.waits == waitSend { // there may be room that the mailbox's owner has not given out
			c := (*Chan)(t.wait.on)
			senders := c.admit()
			admitted = admitted || senders.last != nil
			in.wakeSenders(nil, senders)
		}
	}
	if admitted {
		cycle = nil
	}
	told := cycle != nil && in.tellDeadlock(cycle)
	return len(dropped)+len(lost) > 0 || admitted || told
}

// tellDeadlock throws in the youngest task of a cycle.
func (in *Instance) tellDeadlock(cycle []*Task) bool {
	t := slices.MaxFunc(cycle, oldest)
	if !t.Claim(t.Epoch()) {
		return false
	}
	in.report(t.future, in.cycleReport(cycle))
	t.woken = wokenDeadlock
	in.wakeLast(nil, t)
	return true
}

// reaper decides when reap is worth its time: never when no actor has waited for
// messages, and so that it takes some two percent of the time at most; ten while each
// look ends something.
type reaper struct {
	slice     time.Duration // the most that a part of a look takes
	used      atomic.Bool   // there are mailboxes
	armed     atomic.Bool   // a look is due, some time
	looking   atomic.Int32  // looks in slices that are under way: see Instance.sees
	missed    atomic.Bool   // somebody began to wait since the last look began
	stirred   atomic.Bool   // a host has released something, or made a call
	inTransit atomic.Int64  // results of calls that hosts have not looked into
	postponed atomic.Bool   // the look was put off for them

	// Guarded by the instance's lock, or in a deterministic run by its one worker.
	idle  int           // tasks that may have waited forever at the last look
	cost  int64         // objects it went through
	skip  int64         // deterministic: how often still to let the clock move without it
	at    time.Duration // deterministic: of the clock, at the last look
	turns uint64        // of the scheduler, at the last look
	took  time.Duration // the last look, see charge
	pause time.Duration
	stop  time.Duration // the longest that a look has stopped the world
	ended bool          // the last look has ended something
	timer *time.Timer
}

// charge notes what a look took. One that was held up, by a machine with other
// work, would put the next off for long: the time may double from look to look.
func (r *reaper) charge(took time.Duration) {
	r.took = min(took, 2*r.took+time.Millisecond)
}

// stir has the next look be worth its time, though no worker has had a turn: a host's
// call, on the goroutine of the host, may have dropped something.
func (r *reaper) stir() {
	if r.armed.Load() && !r.stirred.Load() {
		r.stirred.Store(true)
	}
}

const (
	reapSoon   = 10 * time.Millisecond
	reapRarely = 200 * time.Millisecond
	reapShare  = 50
	skipShare  = 64 // objects for each time that a clock is let move without a look

	// After a look that has ended something.
	reapNext      = time.Millisecond
	reapNextShare = 10
)

// mayReap is called when a task begins to wait in a way that liveness looks at.
func (in *Instance) mayReap() {
	r := &in.reaper
	if !r.missed.Load() {
		r.missed.Store(true)
	}
	if r.armed.Load() || !r.armed.CompareAndSwap(false, true) || in.sched.Deterministic() {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.closing.Load() {
		r.pause = reapSoon
		r.timer = time.AfterFunc(r.pause, in.reapInTime)
	}
}

// reapInTime is what the timer calls.
func (in *Instance) reapInTime() {
	r := &in.reaper
	if in.closing.Load() {
		return
	}
	missed := r.missed.Swap(false) // before the look: who begins to wait from now on may not be seen
	turns, working := in.sched.Turns()
	in.mu.Lock()
	was, pause, share := r.turns, r.pause, time.Duration(reapShare)
	in.mu.Unlock()
	if missed || working || turns != was || r.stirred.Swap(false) {
		if in.look() { // what that held may now be reached by nobody
			pause, share = reapNext, reapNextShare
		} else {
			pause = max(reapSoon, min(2*pause, reapRarely))
		}
	} else {
		pause = time.Second // until somebody runs again
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	pause = max(pause, r.took*share)
	r.turns, r.pause = turns, pause
	if r.idle == 0 && !r.missed.Load() {
		r.armed.Store(false)
		if !r.missed.Load() || !r.armed.CompareAndSwap(false, true) {
			return // else somebody has begun to wait just now, and found it armed
		}
	}
	if !in.closing.Load() {
		r.timer.Reset(pause)
	}
}

// idle is called in a deterministic run when nothing is ready, before the clock
// moves to a time.
func (in *Instance) idle(next time.Duration) bool {
	r := &in.reaper
	long := next-r.at >= reapRarely
	if !r.armed.Load() && (!long || r.idle == 0) {
		return false
	}
	if r.skip > 0 && !long {
		r.skip--
		return false
	}
	r.armed.Store(false)
	if in.reap() {
		r.armed.Store(true) // what it held may now be reached by nobody
		r.skip = 0          // and the clock does not move yet
		return true
	}
	r.at, r.skip = next, r.cost/skipShare
	return false
}

func (in *Instance) endReaper() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if t := in.reaper.timer; t != nil {
		t.Stop()
	}
}
