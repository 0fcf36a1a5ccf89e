package main

import (
	"context"
	"os"
	"os/signal"
)

// limited runs f until it ends, its time is over or the user interrupts it: the
// first interrupt cancels the script's tasks, whose deferred statements still
// run; the second one ends the process.
func (c *cli) limited(f func(context.Context) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if c.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	over := make(chan struct{})
	defer close(over)
	go c.obey(signals, over, cancel)
	return f(ctx)
}

// obey waits for interrupts until the script's run is over.
func (c *cli) obey(signals <-chan os.Signal, over <-chan struct{}, cancel func()) {
	select {
	case <-signals:
		c.interrupted.Store(true)
		cancel()
	case <-over:
		return
	}
	select {
	case <-signals:
		os.Exit(exitInterrupted)
	case <-over:
	}
}
