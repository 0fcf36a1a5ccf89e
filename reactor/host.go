package reactor

import (
	"sync"
	"sync/atomic"
	"time"
)

// Gate is opened once, by a process or from outside, and stays open. The zero
// Gate is closed.
type Gate struct {
	open atomic.Bool
	mu   sync.Mutex
	ch   chan struct{} // made for the first who waits
}

// NewGate makes a closed gate.
func NewGate() *Gate { return &Gate{} }

// Open opens the gate.
func (g *Gate) Open() {
	g.mu.Lock()
	if !g.open.Swap(true) && g.ch != nil {
		close(g.ch)
	}
	g.mu.Unlock()
}

// Opened reports whether the gate is open.
func (g *Gate) Opened() bool { return g.open.Load() }

// Opening is closed when the gate opens.
func (g *Gate) Opening() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ch == nil {
		g.ch = make(chan struct{})
		if g.open.Load() {
			close(g.ch)
		}
	}
	return g.ch
}

// RunUntil lends the calling goroutine, a host's, to the scheduler until the
// gate opens: while a token is free for it and anything is ready it runs
// processes, its own or others, else it sleeps. It is never one worker more
// than there are tokens. What it waits for may be run by any worker, so it
// sleeps on the gate and on a token at once. It reports whether the gate is
// open, not so when the scheduler was closed first.
func (s *Sched) RunUntil(g *Gate) bool {
	s.serve(s.enter(), g)
	return g.Opened()
}

// Call is Inject and RunUntil in one: when a token is free the process runs on
// the calling goroutine and no other is woken for it.
func (s *Sched) Call(p *Proc, g *Gate) bool {
	w := s.enter()
	if w == nil {
		s.Inject(p)
	} else {
		w.Wake(p)
	}
	s.serve(w, g)
	return g.Opened()
}

// enter takes a token for the calling goroutine, or nil when all are held.
func (s *Sched) enter() *Worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == 0 || s.closing.Opened() {
		return nil
	}
	return s.takeFree()
}

// serve runs processes with a token, its first (or nil) or one it waits for,
// until the gate opens or the scheduler is closed.
func (s *Sched) serve(w *Worker, g *Gate) {
	var tokens chan *Worker
	for {
		if w != nil {
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
	var doze time.Duration
	if w != nil {
		doze = s.release(w, tokens)
	} else {
		s.await(tokens)
	}
	var alarm <-chan time.Time
	if doze > 0 {
		t := time.NewTimer(doze)
		defer t.Stop()
		alarm = t.C
		defer s.rouse() // whatever ends the rest: the doze has no other alarm
	}
	for {
		select {
		case w = <-tokens:
			return w
		case <-alarm:
			s.rouse()
			continue
		case <-g.Opening():
		case <-s.closing.Opening():
		}
		if w = s.forsake(tokens); w != nil {
			s.release(w, nil)
		}
		return nil
	}
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
