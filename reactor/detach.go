package reactor

// Detach hands the calling goroutine's token to another goroutine, one that
// waits for a token or a new one. That goroutine runs what is ready while the
// caller is busy with a long operation of its process. The caller must not use
// the worker any more; it calls done with the process, to make it ready again,
// or with nil if it has suspended it, and returns from Class.Run. Until then
// the process counts as something that may wake others.
func (w *Worker) Detach() (done func(p *Proc)) {
	w.Lend()
	done = w.Retake()
	s := w.s
	s.mu.Lock()
	s.handLocked(w)
	s.mu.Unlock()
	return done
}

// Retake takes the token from the goroutine that holds it, for the caller,
// which must make sure that the other goroutine does not use the worker any
// more. Otherwise it works like Detach.
func (w *Worker) Retake() (done func(p *Proc)) {
	s := w.s
	s.external.Add(1)
	w.lives.Add(1)
	return func(p *Proc) {
		if p != nil {
			s.Inject(p)
		}
		s.AddExternal(-1)
	}
}
