package reactor_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel/reactor"
)

// sleeper is a process that sleeps a number of times. Where it continues is in its fields:
// while it sleeps it has neither a goroutine nor a stack.
type sleeper struct {
	reactor.Proc
	class  reactor.Class
	sched  *reactor.Sched
	name   string
	pause  time.Duration
	left   int
	waking func(name string, at time.Duration)
	done   func()
}

// start makes the process ready for the first time.
func (p *sleeper) start() {
	p.class.Run = p.run
	p.InitProc(&p.class)
	p.sched.Inject(&p.Proc)
}

// run is called each time that the process has become ready.
func (p *sleeper) run(*reactor.Worker, *reactor.Proc) {
	if p.waking != nil {
		p.waking(p.name, p.sched.Now())
	}
	if p.left == 0 {
		p.Complete()
		p.done()
		return
	}
	p.left--
	p.sched.SleepUntil(&p.Proc, p.sched.Now()+p.pause) // the process may run elsewhere from here on
}

// With a Chooser a scheduler is deterministic: its clock is virtual, and the goroutine that
// waits runs the processes.
func Example() {
	s := reactor.New(reactor.Options{Chooser: reactor.FIFO{}})
	defer s.Close()
	tell := func(name string, at time.Duration) { fmt.Println(name, at) }
	done := reactor.NewGate()
	(&sleeper{sched: s, name: "slow", pause: 24 * time.Hour, left: 1, waking: tell, done: done.Open}).start()
	(&sleeper{sched: s, name: "fast", pause: 10 * time.Hour, left: 2, waking: tell, done: func() {}}).start()
	s.RunUntil(done)
	// Output:
	// slow 0s
	// fast 0s
	// fast 10h0m0s
	// fast 20h0m0s
	// slow 24h0m0s
}

// Any number of schedulers share a Reactor: each gets its part of the time, and none has a
// goroutine while its processes sleep.
func ExampleReactor() {
	r := reactor.NewReactor(2)
	var all sync.WaitGroup
	var woken atomic.Int64
	for range 1000 {
		s := reactor.New(reactor.Options{Workers: 1, Reactor: r, Weight: 1})
		defer s.Close()
		all.Add(1)
		count := func(string, time.Duration) { woken.Add(1) }
		(&sleeper{sched: s, pause: time.Millisecond, left: 3, waking: count, done: all.Done}).start()
	}
	all.Wait()
	fmt.Println(woken.Load())
	// Output: 4000
}

// Something outside the scheduler, here a goroutine, wakes a process that waits for it.
func ExampleSched_Expect() {
	s := reactor.New(reactor.Options{Workers: 1})
	defer s.Close()
	done := reactor.NewGate()
	var answer string
	var class reactor.Class
	p := &reactor.Proc{}
	class.Run = func(*reactor.Worker, *reactor.Proc) {
		if answer != "" {
			fmt.Println(answer)
			p.Complete()
			done.Open()
			return
		}
		expected := s.Expect()
		epoch := p.Suspend()
		go func() {
			expected.Deliver(func(w *reactor.Worker) {
				if p.Claim(epoch) { // else something else has woken it, such as a timeout
					answer = "an answer"
					s.Ready(w, p)
				}
			})
		}()
	}
	p.InitProc(&class)
	s.Inject(p)
	s.RunUntil(done)
	// Output: an answer
}

// A goroutine of a host waits for a gate until something ends its patience.
func ExampleGate() {
	gate := reactor.NewGate()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	select {
	case <-gate.Opening():
	case <-ctx.Done():
		fmt.Println("closed:", !gate.Opened())
	}
	gate.Open()
	<-gate.Opening()
	fmt.Println("open:", gate.Opened())
	// Output:
	// closed: true
	// open: true
}
