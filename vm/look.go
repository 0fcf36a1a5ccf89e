package vm

import (
	"math"
	"time"

	"github.com/runnel-lang/runnel/reactor"
)

// A look at many objects takes longer than a program should stand still, and mostly
// finds nothing that could end. So it is made in slices, between which the tasks run.
// One that takes more than a slice is a scout: as tasks change things meanwhile it
// proves nothing. But it does not reach what nobody could reach when it began. So if it
// has reached all tasks that wait nothing is missed, and only otherwise is the world
// stopped for as long as a look takes that proves.
const (
	lookSlice  = 2 * time.Millisecond
	lookRest   = 3 // times a slice, between two
	sliceSteps = 64
)

// look is reap in slices. One that follows on one which has ended something continues at
// once, as it mostly does too.
func (in *Instance) look() bool {
	r := &in.reaper
	r.looking.Add(1)
	defer r.looking.Add(-1)
	in.mu.Lock()
	most := r.slice
	in.mu.Unlock()
	if r.ended {
		most = math.MaxInt64
	}
	l := in.newLiveness()
	over, found := in.goOn(l, most)
	if !over {
		for l.scouts = true; !over; {
			time.Sleep(lookRest * l.last)
			over, found = in.goOn(l, most)
		}
		found = found && in.reap()
	}
	r.ended = found
	return found
}

// goOn continues with a look for a while. When that is over, it reports whether anything
// was woken; a scout, whether it has not reached all.
func (in *Instance) goOn(l *liveness, most time.Duration) (over, found bool) {
	in.world.stopExternal()
	defer in.world.startExternal()
	in.mu.Lock()
	defer in.mu.Unlock()
	r := &in.reaper
	if !l.begun && r.inTransit.Load() > 0 {
		r.postponed.Store(true)
		r.missed.Store(true) // the waiter has not been seen
		return true, false
	}
	begun := time.Now() // the wait for the world to stop does not count
	defer func() {
		l.last = time.Since(begun)
		r.stop = max(r.stop, l.last)
		if l.took += l.last; over {
			r.cost, r.idle = l.h.visited, len(l.waiting)+len(l.askers)
			r.charge(l.took)
		}
	}()
	switch {
	case !l.begun:
		l.begin()
	case in.closing.Load():
		return true, false
	case in.Program() != l.h.prog: // it has been extended: the look does not know the new types
		return true, true
	case !l.listed && !l.rest.resume():
		l.listAnew()
	}
	for l.step() {
		if l.steps++; l.steps%sliceSteps == 0 && time.Since(begun) >= most {
			return false, false
		}
	}
	if l.scouts {
		return true, l.suspects()
	}
	return true, in.conclude(l)
}

// suspects reports whether a task has not been reached, or a promise that one waits for.
func (l *liveness) suspects() bool {
	for _, t := range l.waiting {
		if l.waits(t) && l.mayWaitForever(t) {
			return true
		}
	}
	for _, t := range l.askers {
		if t.Status() == reactor.Suspended && len(l.lost([]*Task{t})) > 0 {
			return true
		}
	}
	return false
}
