package vm

import "time"

// EndWithin sets a time limit for the innermost scope started behind a shield:
// the time runs from when the task is asked to end, by a cancellation or
// because everything ends, or, if now is set, from now on. So only this limit
// can cut short what a task does last.
func (c *Call) EndWithin(d time.Duration, now bool) {
	t, s := c.t, c.t.innermost()
	c.Charge(deadlineSize)
	if !s.parts {
		s.parts = true
		s.inst.parting.Add(1)
	}
	if now {
		s.setDeadline(t.w.inst.left(d))
		return
	}
	s.grace = d
	t.extra().graced.Store(s)
	t.flags.Or(flagGraced)
	if t.flags.Load()&(flagKill|flagStop) != 0 {
		t.beginGrace()
	}
}

// beginGrace starts the time of EndWithin. Of those who ask the task to end one
// comes first.
func (t *Task) beginGrace() {
	if t.flags.And(^uint32(flagGraced))&flagGraced == 0 {
		return
	}
	s := t.more.graced.Load()
	s.setDeadline(s.inst.left(s.grace))
}

// endGrace is called when a scope ends.
func (t *Task) endGrace(s *Scope) {
	if t.more != nil && t.more.graced.Load() == s {
		t.flags.And(^uint32(flagGraced))
	}
}

// endParting is called when a scope ends, or is released.
func (s *Scope) endParting() {
	if s.parts {
		s.parts = false
		s.inst.parting.Add(-1)
	}
}

// AskedToEnd reports whether the task is ending because its instance is.
func (c *Call) AskedToEnd() bool {
	more := c.t.more
	return more != nil && more.limit != nil && limitOf(more.limit.val) == ErrDeadline
}

// ProgramEnds reports whether all tasks of the instance have been asked to end.
func (c *Call) ProgramEnds() bool { return c.t.w.inst.ends.Load() != 0 }

// toldBefore is how much earlier than all is terminated what has a time of its own
// ends, so that it is told of.
const toldBefore = 100 * time.Millisecond

// left is the part of a time that is left to a task that is to end.
func (in *Instance) left(d time.Duration) time.Duration {
	if ends := time.Duration(in.ends.Load()); ends > 0 {
		d = min(d, max(0, ends-toldBefore-in.sched.Now()))
	}
	return d
}

// endsBy notes when all tasks are terminated, as Grace has begun.
func (in *Instance) endsBy(when time.Duration) { in.ends.CompareAndSwap(0, int64(max(1, when))) }

// HearLimit keeps the limit that the task has exceeded from being reported elsewhere.
func (c *Call) HearLimit() {
	if more := c.t.more; more != nil && more.limit != nil {
		more.limit.seen.Store(true)
	}
}
