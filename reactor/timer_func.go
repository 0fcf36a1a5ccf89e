package reactor

import "time"

// Timer calls a function at a given time. It is itself a process that sleeps,
// so the function is called on a worker, in its turn, and must be short.
type Timer struct {
	proc  Proc
	class Class
	epoch uint64
}

// At sets a timer for a time on the scheduler's clock.
func (s *Sched) At(when time.Duration, fire func(w *Worker)) *Timer {
	a := &Timer{}
	a.class.Run = func(w *Worker, p *Proc) {
		p.Complete()
		fire(w)
	}
	a.proc.InitProc(&a.class)
	a.proc.setStatus(Running)
	a.epoch = a.proc.NextEpoch()
	s.SleepUntil(&a.proc, when)
	return a
}

// Stop stops the timer and reports whether that was in time; if so, the
// function is not called. A stopped timer keeps nothing awake.
func (a *Timer) Stop() bool {
	if !a.proc.Claim(a.epoch) {
		return false
	}
	a.proc.Complete()
	a.class.Run = nil // what it would have done, and refers to, is not kept until its time
	return true
}
