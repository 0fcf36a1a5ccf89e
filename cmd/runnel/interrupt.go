package main

import (
	"context"
	"os"
	"os/signal"
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
		for _, act := range []func(){cancel, func() { os.Exit(exitInterrupted) }} {
			select {
			case <-signals:
				act()
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
