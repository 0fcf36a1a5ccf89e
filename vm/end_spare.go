package vm

// What deferred code spawns is a part of what it does: the cancel of the scope in which
// it runs spares such tasks too, and what they spawn there, until no deferred code of
// that scope that has spawned any runs on. So a task that outlives it is cancelled then.

// spare reports whether a task that t spawns in the scope, its innermost, is spared; the
// lock is held.
func (s *Scope) spare(t *Task) bool {
	if t.shielded() {
		if sh := &t.more.shields[len(t.more.shields)-1]; sh.scope == s {
			if !sh.spares {
				sh.spares = true
				s.spares++
			}
			return true
		}
	}
	return t.home == s && t.flags.Load()&flagSpared != 0
}

// popShield takes down the innermost shield. One further out that stands in the same
// scope goes on for it.
func (t *Task) popShield() {
	n := len(t.more.shields) - 1
	last := t.more.shields[n]
	t.more.shields[n] = shield{}
	t.more.shields = t.more.shields[:n]
	if last.delta != noFrame {
		t.more.framed--
	}
	if !last.spares {
		return
	}
	if n > 0 && t.more.shields[n-1].scope == last.scope && !t.more.shields[n-1].spares {
		t.more.shields[n-1].spares = true
		return
	}
	last.scope.spareNoMore(t.w)
}

// dropShields takes down all that are left.
func (t *Task) dropShields() {
	for t.shielded() {
		t.popShield()
	}
}

// spareNoMore is called when a shield that spares tasks is down. After the last one
// they are asked what the scope's others have been.
func (s *Scope) spareNoMore(w *Worker) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.spares--; s.spares > 0 {
		return
	}
	for s.spared != nil {
		t := s.spared
		t.unlink(&s.spared)
		t.flags.And(^uint32(flagSpared))
		t.link(&s.first)
		if flags := s.asks(); flags != 0 {
			t.interrupt(w, flags)
		}
	}
}
