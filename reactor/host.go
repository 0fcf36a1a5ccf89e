package reactor

import (
	"sync"
	"sync/atomic"
)

// Gate is opened once, by a process or from outside, and stays open.
type Gate struct {
	open atomic.Bool
	once sync.Once
	ch   chan struct{}
}

// NewGate makes a closed gate.
func NewGate() *Gate {
	g := &Gate{}
	g.init()
	return g
}

func (g *Gate) init() { g.ch = make(chan struct{}) }

// Open opens the gate.
func (g *Gate) Open() {
	g.once.Do(func() {
		g.open.Store(true)
		close(g.ch)
	})
}

// Opened reports whether the gate is open.
func (g *Gate) Opened() bool { return g.open.Load() }

// Opening is closed when the gate opens.
func (g *Gate) Opening() <-chan struct{} { return g.ch }

// RunUntil lends the calling goroutine, a host's, to the scheduler until the
// gate opens: while a token is free for it and anything is ready it runs
// processes, its own or others, else it sleeps. It is never one worker more
// than there are tokens. What it waits for may be run by any worker, so it
// sleeps on the gate and on a token at once. It reports whether the gate is
// open, not so when the scheduler was closed first.
func (s *Sched) RunUntil(g *Gate) bool {
	w := s.enter()
	tokens := make(chan *Worker, 1)
	if w == nil {
		s.await(tokens)
	}
	for {
		if w != nil {
			w.runAll(g)
			if g.Opened() || s.closing.Opened() {
				s.release(w, nil)
				return g.Opened()
			}
			s.release(w, tokens)
		}
		select {
		case w = <-tokens:
			continue
		case <-g.ch:
		case <-s.closing.ch:
		}
		if w = s.forsake(tokens); w != nil {
			s.release(w, nil)
		}
		return g.Opened()
	}
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

// await makes the caller a sleeper; a token that became free since it failed
// to enter is handed on when there is work for it.
func (s *Sched) await(tokens chan *Worker) {
	s.mu.Lock()
	s.sleepers = append(s.sleepers, tokens)
	work := len(s.free) > 0 && s.workLocked()
	s.mu.Unlock()
	if work {
		s.help()
	}
}
