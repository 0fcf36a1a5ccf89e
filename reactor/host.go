package reactor

// RunUntil lends the calling goroutine, a host's, to the scheduler until the
// gate opens: while a token is free for it and anything is ready, it runs
// processes, its own or others; otherwise it sleeps. There are never more
// workers than tokens. Any worker may run what it waits for, so it sleeps on
// the gate and on a token at once. It reports whether the gate is open; it is
// not if the scheduler was closed first.
func (s *Sched) RunUntil(g *Gate) bool {
	returned := false
	defer s.awaitUnless(&returned, g)
	s.serve(s.Acquire(), g)
	returned = true
	return g.Opened()
}

// AcquireInline takes a token for the calling goroutine, a host's. It returns
// nil if all tokens are held, the scheduler is closed, or a Chooser decides
// what runs. Return the token with ReleaseInline, Release or Wait.
func (s *Sched) AcquireInline() *Worker {
	if w := s.inline.Swap(nil); w != nil {
		w.fast = true
		return w
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reclaimLocked()
	if s.closing.Opened() || s.chooser != nil {
		return nil
	}
	return s.takeLocked()
}

// takeLocked takes a free token, or one that waits for a slot: hosts need none at first.
func (s *Sched) takeLocked() *Worker {
	if len(s.free) > 0 {
		return s.takeFree()
	}
	if s.r == nil {
		return nil
	}
	w := s.r.withdraw(s)
	if w == nil {
		return nil
	}
	w.visitStart = 0
	w.endSearch(false)
	if s.wanted() && s.workLocked() { // it was to be served by this one
		s.helpLocked(false)
	}
	return w
}

// ReleaseInline is Release for a host that will be back soon: the token stays
// where the next AcquireInline finds it without a lock, and where others find
// it under the lock. From the first ReleaseInline until it is settled, it
// counts as free in idle; at times it is taken nevertheless, which costs
// whoever is misled a look under the lock.
func (s *Sched) ReleaseInline(w *Worker) {
	if w.next != nil || s.globalLen.Load() > 0 || s.queued() > 0 || s.closing.Opened() || w.slotted.Load() {
		s.release(w, nil)
		return
	}
	if !w.lent {
		w.lent = true
		s.idle.Add(1)
	}
	if !s.inline.CompareAndSwap(nil, w) {
		s.release(w, nil)
		return
	}
	// Who made something ready meanwhile has found no token.
	if s.globalLen.Load() > 0 || s.queued() > 0 || s.closing.Opened() {
		if s.inline.CompareAndSwap(w, nil) {
			s.release(w, nil)
		}
	}
}

// reclaimLocked makes a token left by ReleaseInline an ordinary free one.
func (s *Sched) reclaimLocked() {
	if w := s.inline.Swap(nil); w != nil {
		s.freeLocked(w)
	}
}

// freeLocked makes a token one that nobody holds.
func (s *Sched) freeLocked(w *Worker) {
	s.free = append(s.free, w)
	s.active--
	if w.fast { // processes have run since the last report
		w.fast, s.quiet = false, false
	}
	if w.lent {
		w.lent = false // it is in idle already
	} else {
		s.idle.Add(1)
	}
}

// settle has a token that is held count as held.
func (w *Worker) settle() {
	w.lent = false
	w.s.idle.Add(-1)
}

// BeginInline prepares a token returned by AcquireInline for a new process,
// which the caller runs at once, on its own goroutine, as Class.Run would. Then
// the caller calls EndInline with the result of BeginInline.
func (s *Sched) BeginInline(w *Worker, p *Proc, g *Gate) (life int32) {
	w.until = g
	if !w.slotted.Load() { // else it goes on with the visit of who lost the token
		w.visitStart = 0
	}
	w.turn++
	p.setStatus(Running)
	return w.lives.Load()
}

// EndInline returns the outcome of the run: rest is the token, or nil if it is
// lost. If the gate is open, the caller continues with ReleaseInline or
// Release, otherwise with Wait.
func (s *Sched) EndInline(w *Worker, life int32, g *Gate) (rest *Worker, open bool) {
	if w.lives.Load() != life {
		return nil, false
	}
	if g.Opened() {
		w.until = &s.closing
		return w, true
	}
	return w, false
}

// Release returns a token.
func (s *Sched) Release(w *Worker) { s.release(w, nil) }

// Wait is RunUntil with a token or without.
func (s *Sched) Wait(w *Worker, g *Gate) (open bool) {
	s.serve(w, g)
	return g.Opened()
}

// Call is Inject and RunUntil in one; where it can, it uses BeginInline.
func (s *Sched) Call(p *Proc, g *Gate) (open bool) {
	w := s.AcquireInline()
	if w == nil {
		s.Inject(p)
		w = s.Acquire()
	} else {
		life, returned := s.BeginInline(w, p, g), false
		defer w.quitUnless(&returned, life)
		p.class.Run(w, p)
		returned = true
		if w, open = s.EndInline(w, life, g); open {
			s.Release(w)
			return true
		}
	}
	return s.Wait(w, g)
}

// Acquire takes a token for a goroutine that continues with Wait; it returns nil if all tokens are held.
func (s *Sched) Acquire() *Worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reclaimLocked()
	if s.closing.Opened() {
		return nil
	}
	return s.takeLocked()
}

// serve runs processes with a token, its first (or nil) or one it waits for,
// until the gate opens or the scheduler is closed.
func (s *Sched) serve(w *Worker, g *Gate) {
	var tokens chan *Worker
	for {
		if w != nil && w.until != &over {
			if !w.runAll(g) {
				w = nil
				if g.Opened() || s.closing.Opened() {
					return
				}
			} else if g.Opened() || s.closing.Opened() {
				s.release(w, nil)
				return
			}
		}
		if tokens == nil {
			tokens = make(chan *Worker, 1)
		}
		if w = s.rest(w, tokens, g); w == nil {
			return
		}
	}
}

// rest gives the worker's token back, if there is one, and waits for another;
// nil when the gate or the end of the scheduler comes first.
func (s *Sched) rest(w *Worker, tokens chan *Worker, g *Gate) *Worker {
	if w != nil {
		w.until = &s.closing
		s.release(w, tokens)
	} else {
		s.await(tokens)
	}
	select {
	case w = <-tokens:
		return w
	case <-g.Opening():
	case <-s.closing.Opening():
	}
	if w = s.leaveSleepers(tokens); w != nil {
		s.release(w, nil)
	}
	return nil
}

// await makes the caller a sleeper; a token that became free since it failed
// to enter is handed on when there is work for it.
func (s *Sched) await(tokens chan *Worker) {
	s.mu.Lock()
	s.sleepers = append(s.sleepers, tokens)
	if s.wanted() && s.workLocked() {
		s.helpLocked(false)
	}
	s.mu.Unlock()
}
