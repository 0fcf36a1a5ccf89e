package reactor

import (
	"sync"
	"sync/atomic"
	"time"
)

// Gate is opened once, by a process or from outside, and stays open. The zero
// Gate is closed.
type Gate struct {
	open    atomic.Bool
	watched atomic.Bool // somebody has asked for ch
	mu      sync.Mutex
	ch      chan struct{}
	done    bool // ch is closed
}

// NewGate makes a closed gate.
func NewGate() *Gate { return &Gate{} }

// Open opens the gate. Who waits has set watched before it looks at open, so
// one of the two closes the channel.
func (g *Gate) Open() {
	g.open.Store(true)
	if g.watched.Load() {
		g.mu.Lock()
		g.closeLocked()
		g.mu.Unlock()
	}
}

func (g *Gate) closeLocked() {
	if !g.done {
		g.done = true
		close(g.ch)
	}
}

// Opened reports whether the gate is open.
func (g *Gate) Opened() bool { return g.open.Load() }

// Opening is closed when the gate opens.
func (g *Gate) Opening() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ch == nil {
		g.ch = make(chan struct{})
		g.watched.Store(true)
		if g.open.Load() {
			g.closeLocked()
		}
	}
	return g.ch
}

// Reset closes a gate that nobody has waited at or will still open; it reports
// false when somebody has waited.
func (g *Gate) Reset() bool {
	if g.watched.Load() {
		return false
	}
	g.open.Store(false)
	return true
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

// Enter takes a token for the calling goroutine, a host's, or nil when all are
// held, the scheduler is closed, or a Chooser decides what runs. It is given
// back by Call.
func (s *Sched) Enter() *Worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == 0 || s.closing.open.Load() || s.chooser != nil {
		return nil
	}
	return s.takeFree()
}

// Begin runs a new process at once, on the calling goroutine, with a token that
// Enter gave. rest is the token, or nil if it is lost. When the gate is open
// after it, the caller goes on to Leave, else to Finish.
func (s *Sched) Begin(w *Worker, p *Proc, g *Gate) (rest *Worker, open bool) {
	w.until = g
	w.turn++
	life := w.lives.Load()
	w.Run(p)
	if w.lives.Load() != life {
		return nil, false
	}
	if g.open.Load() {
		w.until = &s.closing
		return w, true
	}
	return w, false
}

// Leave gives a token back.
func (s *Sched) Leave(w *Worker) { s.release(w, nil) }

// Finish is RunUntil with a token or without.
func (s *Sched) Finish(w *Worker, g *Gate) (open bool) {
	s.serve(w, g)
	return g.Opened()
}

// Call is Inject and RunUntil in one; where it can, it uses Begin.
func (s *Sched) Call(p *Proc, g *Gate) (open bool) {
	w := s.Enter()
	if w == nil {
		s.Inject(p)
		w = s.enter()
	} else if w, open = s.Begin(w, p, g); open {
		s.Leave(w)
		return true
	}
	return s.Finish(w, g)
}

// Rejoin takes a token for a goroutine that has made a process ready and goes
// on to Finish, or nil.
func (s *Sched) Rejoin() *Worker { return s.enter() }

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
