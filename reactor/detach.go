package reactor

// Detach gives the calling goroutine's token to another goroutine, one that
// waits for a token or a new one. That goes on with what is ready while the
// caller is busy for long with the process it runs. The caller must not use the
// worker any more; it calls done with the process, to make it ready again, or
// with nil when it has suspended it, and returns from Class.Run. Until then the process counts as something that may
// wake others.
func (w *Worker) Detach() (done func(p *Proc)) {
	done = w.Retake()
	s := w.s
	s.mu.Lock()
	s.handLocked(w)
	s.mu.Unlock()
	return done
}

// Retake takes the token from the goroutine that holds it, for the caller,
// who has made sure that the other does not use the worker any more. It is
// otherwise as Detach.
func (w *Worker) Retake() (done func(p *Proc)) {
	s := w.s
	s.outside.Add(1)
	w.lives.Add(1)
	return func(p *Proc) {
		if p != nil {
			s.Inject(p)
		}
		s.AddExternal(-1)
	}
}
