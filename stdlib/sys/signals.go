package sys

import (
	"context"
	"os"
	"os/signal"
	"sync"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
)

// Signals is the right to be told of the signals that the process gets. Those
// that a script has asked for are not dealt with otherwise until it stops.
type Signals interface {
	// Notify passes signals on, without waiting for room, until stop is called.
	Notify(to chan<- os.Signal, signals ...os.Signal) (stop func())
}

// Notify passes on what the process gets.
func (System) Notify(to chan<- os.Signal, signals ...os.Signal) (stop func()) {
	signal.Notify(to, signals...)
	return func() { signal.Stop(to) }
}

func init() {
	Module.Native("signals", subscribe)
	Module.Blocking("SignalStream.next", nextSignal)
	Module.Blocking("SignalStream.close", textio.Close)
}

// maxSignals is how many signals are kept for a script that does not ask for them.
const maxSignals = 16

// subscription is what a SignalStream of scripts holds.
type subscription struct {
	came   chan os.Signal
	stop   func()
	closed chan struct{}
	once   sync.Once
}

func (s *subscription) Close() error {
	s.once.Do(func() {
		s.stop()
		close(s.closed)
	})
	return nil
}

func subscribe(c *vm.Call) {
	granted := vm.Granted[Signals](c, "signals")
	names := c.ReadList(c.List(0))
	if names.Len() == 0 {
		c.Throw(vm.ErrValue, "sys.signals: no signal is named")
	}
	c.Steps(names.Len())
	var wanted []os.Signal
	for i := range names.Len() {
		name := c.Text(names.At(i))
		s, ok := known[name]
		if !ok {
			c.Throw(vm.ErrValue, "sys.signals: there is no signal %s", vm.Quote(name))
		}
		wanted = append(wanted, s)
	}
	s := &subscription{came: make(chan os.Signal, maxSignals), closed: make(chan struct{})}
	c.Foreign(func() { s.stop = granted.Notify(s.came, wanted...) })
	defer func() {
		if r := recover(); r != nil { // there is no memory for it
			s.Close()
			panic(r)
		}
	}()
	c.SetObject(c.NewResource(c.Ref().Result, "stream of signals", s, 512))
}

// nextSignal gives the name of the next signal. One that came for a task that
// was cancelled is there for the next.
func nextSignal(c *vm.Call) {
	s := vm.ResourceOf(c, 0).Closer.(*subscription)
	var got os.Signal
	c.Await(vm.Blocking{
		Name:  "wait for a signal",
		Parks: true,
		Work: func(ctx context.Context) (any, error) {
			select {
			case got = <-s.came:
			case <-s.closed:
			case <-ctx.Done():
			}
			return nil, nil
		},
		Finish: func(c *vm.Call, _ any, _ error) {
			if got == nil {
				c.SetNone()
				return
			}
			c.SetStr(nameOf(got))
		},
		Drop: func() {
			if got != nil {
				select {
				case s.came <- got:
				default:
				}
			}
		},
	})
}

func nameOf(s os.Signal) string {
	for name, k := range known {
		if k == s {
			return name
		}
	}
	return s.String()
}
