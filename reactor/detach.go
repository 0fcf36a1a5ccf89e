package reactor

// Detach gives the calling goroutine's token to another goroutine, which goes
// on with what is ready, while the caller is busy for long with the process it
// runs. The caller must not use the worker any more; it calls done with the
// process, to make it ready again, and returns from Class.Run. Until then the
// process counts as something that may wake others.
func (w *Worker) Detach() (done func(p *Proc)) {
	s := w.s
	s.outside.Add(1)
	w.lives.Add(1)
	s.pool.Add(1)
	go s.goroutine(w)
	return func(p *Proc) {
		s.Inject(p)
		s.Outside(-1)
	}
}
