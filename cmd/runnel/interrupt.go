package main

import (
	"context"
	"os"
	"os/signal"
	"slices"

	"github.com/runnel-lang/runnel/stdlib/sys"
)

// heedInterrupts has the user's first interrupt cancel the tasks of the script
// that runs, whose deferred statements still run, and the second one end the
// process. The function given back restores what was before.
func (c *cli) heedInterrupts() (restore func()) {
	ctx, cancel := context.WithCancel(context.Background())
	c.ctx = ctx
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	over := make(chan struct{})
	go func() {
		acts := []func(){cancel, func() { os.Exit(exitInterrupted) }}
		for len(acts) > 0 {
			select {
			case <-signals:
				if c.taken.Load() == 0 {
					acts[0]()
					acts = acts[1:]
				}
			case <-over:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(over)
	}
}

// Notify is the capability of module sys to receive signals: while a script
// listens for interrupts they are its own affair.
func (c *cli) Notify(to chan<- os.Signal, signals ...os.Signal) (stop func()) {
	ignore := sys.System{}.Notify(to, signals...)
	if !slices.Contains(signals, os.Interrupt) {
		return ignore
	}
	c.taken.Add(1)
	return func() {
		c.taken.Add(-1)
		ignore()
	}
}

func (c *cli) interrupted() bool { return c.ctx.Err() != nil }

// limited runs f until it ends, its time is over or the user interrupts it.
func (c *cli) limited(f func(context.Context) error) error {
	ctx := c.ctx
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	return f(ctx)
}
