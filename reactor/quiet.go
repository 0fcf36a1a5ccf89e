package reactor

// AddExternal adds n (or subtracts, if n is negative) to the number of things
// outside the scheduler that may wake a process, such as hosts that hold a
// channel, and signals. Timers and completions are counted automatically.
// Before subtracting one, make ready what it has woken.
func (s *Sched) AddExternal(n int64) {
	if s.external.Add(n) == 0 {
		s.CheckQuiet()
	}
}

// CheckQuiet reports quiescence if it has been reached: when the last token is
// released, and when the last outside source goes away, because that may be a
// timer whose process was woken by something else.
func (s *Sched) CheckQuiet() {
	s.mu.Lock()
	report := s.becomesQuietLocked()
	s.mu.Unlock()
	if report {
		s.quiescent()
	}
}

// becomesQuietLocked reports whether Quiescent is to be called.
func (s *Sched) becomesQuietLocked() bool {
	s.reclaimLocked()
	if s.quiet || !s.quietLocked() {
		return false
	}
	s.quiet = true
	return s.quiescent != nil
}

// quietLocked is exact, for under the lock nothing can slip from one place to
// the next: with no token held only something outside makes a process ready,
// that takes the lock to put it into the global queue, and it counts as
// outside until it has.
func (s *Sched) quietLocked() bool {
	return s.active == 0 && s.external.Load() == 0 && !s.workLocked() && !s.timers.pending()
}

// Quiet reports whether nothing is ready or running and nothing outside can
// wake anything.
func (s *Sched) Quiet() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reclaimLocked()
	return s.quietLocked()
}
