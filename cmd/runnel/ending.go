package main

import (
	"context"
	"sync"
)

// endings are what servers do before the tasks of a script that is asked to end are
// cancelled.
type endings struct {
	mu   sync.Mutex
	last int
	all  map[int]func(context.Context)
}

// OnEnd is the capability of module http to answer the requests in hand.
func (c *cli) OnEnd(answer func(context.Context)) (forget func()) {
	e := &c.endings
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.all == nil {
		e.all = map[int]func(context.Context){}
	}
	e.last++
	n := e.last
	e.all[n] = answer
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.all, n)
	}
}

// run lets all servers answer what has come.
func (e *endings) run(ctx context.Context) {
	e.mu.Lock()
	var running sync.WaitGroup
	for _, answer := range e.all {
		running.Go(func() { answer(ctx) })
	}
	e.mu.Unlock()
	running.Wait()
}
