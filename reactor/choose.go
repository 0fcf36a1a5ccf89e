package reactor

import (
	"math/rand/v2"
	"time"
)

// Chooser makes the choices of a deterministic run: which process runs next,
// which ready arm of a select is taken, whether to preempt. The same Chooser
// gives the same run. It is called by one goroutine at a time, and must not end
// that goroutine.
type Chooser interface {
	// Choose picks one of n alternatives, 0 to n-1. They come oldest first.
	Choose(n int) int
}

// ProcChooser is a Chooser that distinguishes processes.
type ProcChooser interface {
	Chooser
	// ChooseProc picks one of the ready processes.
	ChooseProc(ready []*Proc) int
}

// SlowChooser is a Chooser of a run in which choices take time.
type SlowChooser interface {
	Chooser
	// PerChoice is how much time each choice takes on the virtual clock.
	PerChoice() time.Duration
}

// FIFO is a Chooser that always takes the oldest.
type FIFO struct{}

// Choose returns 0.
func (FIFO) Choose(int) int { return 0 }

// Seeded chooses at random, the same way for the same seed.
func Seeded(seed uint64) Chooser { return seeded{source(seed)} }

// Slow chooses as Seeded does. Each choice takes time, as on a slow machine: who sleeps comes
// due before others have got anywhere.
func Slow(seed uint64, perChoice time.Duration) Chooser { return slow{Seeded(seed), perChoice} }

type slow struct {
	Chooser
	perChoice time.Duration
}

func (s slow) PerChoice() time.Duration { return s.perChoice }

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

type seeded struct{ r *rand.Rand }

func (s seeded) Choose(n int) int { return s.r.IntN(n) }

// readyList holds what is ready in a deterministic run. Taking one costs the
// same wherever it stands: the oldest moves into its place.
type readyList struct{ procs []*Proc }

func (l *readyList) len() int {
	if l == nil {
		return 0
	}
	return len(l.procs)
}

func (l *readyList) push(p *Proc) { l.procs = append(l.procs, p) }

func (l *readyList) take(i int) *Proc {
	p := l.procs[i]
	l.procs[i] = l.procs[0]
	l.procs[0] = nil
	l.procs = l.procs[1:]
	return p
}

// choose takes one of everything that is ready.
func (s *Sched) choose(w *Worker) *Proc {
	if c := s.completions; !c.looked || w.Waiting() {
		c.looked = c.awaited
		s.timers.pass(w)
	}
	if p := w.next; p != nil {
		w.next = nil
		s.ready.push(p)
	}
	if s.globalLen.Load() > 0 {
		s.mu.Lock()
		for p := s.global.pop(); p != nil; p = s.global.pop() {
			s.ready.push(p)
		}
		s.globalLen.Store(0)
		s.mu.Unlock()
	}
	switch n := s.ready.len(); n {
	case 0:
		return nil
	case 1:
		return s.ready.take(0)
	default:
		if c, ok := s.chooser.(ProcChooser); ok {
			return s.ready.take(c.ChooseProc(s.ready.procs))
		}
		return s.ready.take(s.chooser.Choose(n))
	}
}
