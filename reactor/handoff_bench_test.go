package reactor

import (
	"fmt"
	"testing"
	"time"
)

// onWorkers runs a benchmark with one and with two workers: an idle one must
// not slow down the busy one.
func onWorkers(b *testing.B, bench func(b *testing.B, s *Sched)) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			s := New(Options{Workers: workers})
			defer s.Close()
			bench(b, s)
		})
	}
}

// Two processes wake each other; the class goes on with Pick as an interpreter
// does. One operation is one hand-off: Suspend, Claim, Wake, Pick, MarkRunning.
func BenchmarkHandOff(b *testing.B) {
	onWorkers(b, func(b *testing.B, s *Sched) {
		gate := NewGate()
		var a, z Proc
		class := &Class{Run: func(w *Worker, p *Proc) {
			other := map[*Proc]*Proc{&a: &z, &z: &a}[p]
			for range b.N {
				epoch := other.Epoch()
				p.Suspend()
				if other.Claim(epoch) {
					w.Wake(other)
				}
				next := w.Pick()
				next.MarkRunning()
				p, other = next, p
			}
			p.Complete()
			gate.Open()
		}}
		a.InitProc(class)
		z.InitProc(class)
		z.Suspend()
		s.Inject(&a)
		b.ResetTimer()
		s.RunUntil(gate)
	})
}

// child is a process that works for a while and then wakes who awaits it.
type child struct {
	Proc
	lock   SpinLock
	ended  bool
	waiter *Proc
	epoch  uint64
}

// spawner is a process that spawns some children and awaits each, b.N times,
// written as an interpreter would run it: one loop that switches with Pick.
type spawner struct {
	Proc
	children []child
	work     time.Duration
	rounds   int
	awaited  int // of this round
	gate     *Gate
}

var spawnerClass, childClass *Class

func init() {
	spawnerClass = &Class{Run: runSpawners}
	childClass = &Class{Run: runSpawners}
}

var theSpawner *spawner

func runSpawners(w *Worker, p *Proc) {
	s := theSpawner
	for p != nil {
		if p.Class() == spawnerClass {
			if s.awaited < 0 {
				for i := range s.children {
					c := &s.children[i]
					c.ended, c.waiter = false, nil
					c.InitProc(childClass)
					w.Wake(&c.Proc)
				}
				s.awaited = 0
			}
			suspended := false
			for s.awaited < len(s.children) {
				c := &s.children[s.awaited]
				s.awaited++
				c.lock.Lock()
				if !c.ended {
					c.waiter, c.epoch = p, p.NextEpoch()
					p.Suspend()
					suspended = true
				}
				c.lock.Unlock()
				if suspended {
					break
				}
			}
			if !suspended {
				s.awaited = -1
				if s.rounds--; s.rounds == 0 {
					p.Complete()
					s.gate.Open()
				} else {
					continue
				}
			}
		} else {
			c := &s.children[0]
			for i := range s.children {
				if &s.children[i].Proc == p {
					c = &s.children[i]
				}
			}
			if s.work > 0 {
				for start := time.Now(); time.Since(start) < s.work; {
				}
			}
			p.Complete()
			c.lock.Lock()
			c.ended = true
			waiter, epoch := c.waiter, c.epoch
			if waiter != nil && waiter.Claim(epoch) {
				w.Wake(waiter)
			}
			c.lock.Unlock()
		}
		if p = w.Pick(); p != nil {
			p.MarkRunning()
		}
	}
}

// One process spawns others and awaits them. One operation is one child.
func BenchmarkSpawnAndAwait(b *testing.B) {
	for _, work := range []time.Duration{0, time.Microsecond, 10 * time.Microsecond, 100 * time.Microsecond} {
		for _, n := range []int{1, 2, 4, 16} {
			b.Run(fmt.Sprintf("work=%v/children=%d", work, n), func(b *testing.B) {
				onWorkers(b, func(b *testing.B, s *Sched) {
					p := &spawner{children: make([]child, n), work: work, rounds: (b.N + n - 1) / n, awaited: -1, gate: NewGate()}
					theSpawner = p
					p.InitProc(spawnerClass)
					s.Inject(&p.Proc)
					b.ResetTimer()
					s.RunUntil(p.gate)
				})
			})
		}
	}
}
