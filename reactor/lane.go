package reactor

import (
	"runtime"
	"time"
)

// What timers, completions and hosts wake is in the lane, a queue that goes before
// the others: it has mostly little to do, and somebody outside waits for it. Three rules
// keep it from starving the rest. After laneTime of the lane one of the others
// runs, for minSlice if it needs that long; a process of the lane that is still at work
// when it is asked for the second time whether it is overdue becomes one of the others;
// and a lane of laneMax is full, so that a flood waits like anybody else.
const (
	laneTime = 3 * minSlice
	laneMax  = 256
)

// pushLane adds a process that was woken from outside.
func (s *Sched) pushLane(p *Proc) {
	if s.chooser != nil {
		s.pushGlobal(p)
		return
	}
	s.mu.Lock()
	s.lanePushLocked(p)
	s.mu.Unlock()
	if s.wanted() {
		s.help()
	}
}

func (s *Sched) lanePushLocked(p *Proc) {
	if s.lane.n < laneMax {
		s.lane.push(p)
	} else {
		s.global.push(p)
	}
	s.countLocked()
}

// countLocked tells those who do not hold the lock how much is queued.
func (s *Sched) countLocked() {
	s.laneLen.Store(int64(s.lane.n))
	s.globalLen.Store(int64(s.lane.n + s.global.n))
}

// laneLook is how many processes of the lane run between two looks at the clock.
const laneLook = 8

// laneIsOver reports whether the lane has had its time.
func (w *Worker) laneIsOver() bool {
	switch w.laneRuns {
	case 0:
		w.laneStart = w.s.Now()
	case laneLook:
		if w.s.Now()-w.laneStart >= laneTime {
			return true
		}
		w.laneRuns = 1
	}
	return false
}

// popLane takes the oldest of the lane, unless others have the turn.
func (w *Worker) popLane() *Proc {
	s := w.s
	if s.laneLen.Load() == 0 || w.laneIsOver() {
		return nil
	}
	s.mu.Lock()
	p := s.lane.pop()
	s.countLocked()
	s.mu.Unlock()
	if p != nil {
		w.laneRuns++
		s.lanes.Add(1)
		w.inLane = true
	}
	return p
}

// leaveLane notes that the turn is that of a process of the other queues.
func (w *Worker) leaveLane() {
	w.owed = w.laneRuns >= laneLook
	w.laneRuns = 0
	w.inLane = false
}

// laneWaits reports whether the process that runs, for so long by now, has to make
// way for one of the lane.
func (w *Worker) laneWaits(ran time.Duration) bool {
	return w.s.laneLen.Load() > 0 && !w.inLane && (!w.owed || ran >= minSlice)
}

const (
	// goschedEvery is how often a worker's goroutine lets others run, and soonGosched how
	// often where something outside is under way: finished work and hosts need the
	// processors too.
	goschedEvery = time.Millisecond
	soonGosched  = 10 * time.Microsecond
)

// mayGosched lets other goroutines run from time to time.
func (w *Worker) mayGosched(now time.Duration) {
	every := goschedEvery
	if w.s.r.external.Load() > 0 || w.s.external.Load() > 0 {
		every = soonGosched
	}
	if now-w.goschedAt >= every {
		runtime.Gosched()
		w.goschedAt = w.s.Now()
	}
}
