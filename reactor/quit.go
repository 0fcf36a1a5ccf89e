package reactor

// Code of a host may end the goroutine that runs it, by runtime.Goexit, as the
// FailNow of a test does. Nothing keeps the goroutine from ending, which may be one
// of the pool or a host's, but what it holds is given back.

// Quit returns the token on behalf of a goroutine that ends. The process it ran
// must have been made ready or have ended.
func (w *Worker) Quit() {
	w.lives.Add(1) // for those whose calls end with the goroutine
	w.until = &w.s.closing
	w.s.release(w, nil)
}

// quitUnless is deferred by who runs processes with a token: it quits when the
// goroutine ends and still has the token.
func (w *Worker) quitUnless(returned *bool, life int32) {
	if *returned {
		return
	}
	if e := recover(); e != nil {
		panic(e) // a mistake of ours
	}
	if w.lives.Load() == life {
		w.Quit()
	}
}

// awaitUnless is deferred by RunUntil: when the goroutine ends, what is to come after
// the gate, in functions that are deferred too, still comes after it.
func (s *Sched) awaitUnless(returned *bool, g *Gate) {
	if *returned {
		return
	}
	if e := recover(); e != nil {
		panic(e)
	}
	select {
	case <-g.Opening():
	case <-s.closing.Opening():
	}
}
