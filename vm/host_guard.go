package vm

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/host"
)

// Code of a host may panic wherever it is called. There are three such places, each
// with its guard:
//
//	in a native, on its worker      Call.Foreign     a HostError of the script
//	where nobody waits for it       GoForeign        told by Unhandled
//	anywhere else                   Guarded          an error, for who called it
//
// What an IO pool runs has the pool's guard, and a process the scheduler's.

// Foreign calls code of the host in a native. That code may call the script
// again; a panic in it is a HostError. It must not use the Call.
func (c *Call) Foreign(f func()) {
	c.EnterHost()
	f()
	c.ExitHost()
}

// GoForeign calls a function of the host on a separate goroutine. The instance reports a panic in it.
func (in *Instance) GoForeign(f func()) {
	go func() {
		if fail := in.guardedForeign(f); fail != nil {
			in.tellLost(fail)
		}
	}()
}

// guardedForeign returns the failure that a panic in a function of the host is.
func (in *Instance) guardedForeign(f func()) *failure {
	err := host.Guarded(func() error { f(); return nil })
	if err == nil {
		return nil
	}
	return &failure{val: limitError(ErrInternal, err.Error()), cause: err}
}

// tellLost tells of a failure that belongs to no task: to the host's function for
// these at once, else by Unhandled, as of one of that function itself.
func (in *Instance) tellLost(fail *failure) {
	if in.unhandled != nil {
		if fail = in.guardedForeign(func() { in.unhandled(in.errorOf(fail)) }); fail == nil {
			return
		}
	}
	in.keepUnseen(fail)
}

// asks is code of a host that is asked again and again: after a panic in it, of which
// the instance tells, it is left alone.
type asks struct {
	in     *Instance
	broken atomic.Bool
}

func (a *asks) ask(f func()) {
	if a.broken.Load() {
		return
	}
	if fail := a.in.guardedForeign(f); fail != nil && !a.broken.Swap(true) {
		go a.in.tellLost(fail) // the caller may hold locks
	}
}

// guardedObserver is the Observer of a host.
type guardedObserver struct {
	asks
	Observer
}

func (o *guardedObserver) Event(e Event) { o.ask(func() { o.Observer.Event(e) }) }

// guardedChooser is the Chooser of a host. In the place of what it cannot choose the
// first is taken.
type guardedChooser struct {
	asks
	reactor.Chooser
}

var errNoChoice = errors.New("the chooser has chosen what is not there")

func (c *guardedChooser) Choose(n int) int {
	return c.among(n, func() int { return c.Chooser.Choose(n) })
}

// ChooseProc is the method of a Chooser that distinguishes processes.
func (c *guardedChooser) ChooseProc(ready []*reactor.Proc) int {
	of, ok := c.Chooser.(reactor.ProcChooser)
	if !ok {
		return c.Choose(len(ready))
	}
	return c.among(len(ready), func() int { return of.ChooseProc(ready) })
}

// PerChoice is the method of a Chooser whose choices take time.
func (c *guardedChooser) PerChoice() (d time.Duration) {
	if of, ok := c.Chooser.(reactor.SlowChooser); ok {
		c.ask(func() { d = of.PerChoice() })
	}
	return max(d, 0)
}

func (c *guardedChooser) among(n int, choose func() int) (i int) {
	c.ask(func() {
		chosen := choose()
		if chosen < 0 || chosen >= n {
			panic(errNoChoice)
		}
		i = chosen
	})
	return i
}
