package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/sys"
	"github.com/runnel-lang/runnel/vm"
)

// ending are the signals that end a script, and the exit codes that tell of them.
var ending = map[os.Signal]int{os.Interrupt: exitInterrupted, syscall.SIGTERM: exitTerminated}

// heeding is what has been asked for by signals that end a script.
type heeding struct {
	mu    sync.Mutex
	taken map[os.Signal]int // how often the script has taken one for itself
	exit  int               // what the first one exits with, 0 before
}

// heed notes a signal; it reports whether it is the script's own affair, and
// whether one has come before.
func (h *heeding) heed(s os.Signal) (taken, again bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.taken[s] > 0 {
		return true, false
	}
	again = h.exit != 0
	if !again {
		h.exit = ending[s]
	}
	return false, again
}

func (h *heeding) take(s os.Signal, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.taken == nil {
		h.taken = map[os.Signal]int{}
	}
	h.taken[s] += n
}

// interruptTaken reports whether the script takes interrupts for itself.
func (h *heeding) interruptTaken() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.taken[os.Interrupt] > 0
}

// stopped is the exit code of a script that a signal has ended.
func (h *heeding) stopped() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.exit == 0 {
		return exitInterrupted
	}
	return h.exit
}

// heedInterrupts has the first interrupt, or the first wish that it should end,
// cancel the tasks of the script that runs, whose deferred statements still run,
// after a SIGTERM those of its servers when they have answered what has come, and
// the second one end the process. The function given back restores what was
// before.
func (c *cli) heedInterrupts() (restore func()) {
	ctx, cancel := context.WithCancel(context.Background())
	c.ctx = ctx
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	over := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				switch taken, again := c.signals.heed(s); {
				case again:
					os.Exit(ending[s])
				case taken:
				case s == syscall.SIGTERM:
					go func() {
						c.endings.run(ctx)
						cancel()
					}()
				default:
					cancel()
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
// listens for one that would end it, that is its own affair.
func (c *cli) Notify(to chan<- os.Signal, signals ...os.Signal) (stop func()) {
	signals = slices.Clone(signals)
	take := func(n int) {
		for _, s := range signals {
			c.signals.take(s, n)
		}
	}
	take(1)
	ignore := sys.System{}.Notify(to, signals...)
	return func() {
		take(-1)
		ignore()
	}
}

func (c *cli) interrupted() bool { return c.ctx.Err() != nil }

// limited runs f in an instance until it ends, its time is over or the user interrupts
// it. What is deferred has the time for it then that it has when a program ends, but
// little after the limit of time.
func (c *cli) limited(in *runnel.Instance, f func(context.Context) error) error {
	defer context.AfterFunc(c.ctx, in.Stop)()
	ctx := context.Background()
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.timeout, timeOver{c.timeout})
		defer cancel()
	}
	err := f(ctx)
	if e, over := lateError(err); over {
		e.Message = e.Cause.Error()
	}
	return err
}

// timeOver is why a script is stopped that has taken too long.
type timeOver struct{ limit time.Duration }

func (t timeOver) Error() string { return fmt.Sprintf("the time limit of %s is reached", t.limit) }

// lateError is the error of a script that has taken too long.
func lateError(err error) (e *runnel.Error, over bool) {
	return e, errors.As(err, &e) && e.Limit == vm.ErrDeadline && errors.As(e.Cause, &timeOver{})
}

// closeAfter closes an instance after a run.
func closeAfter(in *runnel.Instance, err error) {
	if _, over := lateError(err); over {
		in.Abort()
		return
	}
	in.Close()
}
