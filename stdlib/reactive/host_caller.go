package reactive

import (
	"context"
	"runtime/debug"
	"sync"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// caller calls a function of a host, one call at a time and in order, on a
// goroutine that lives while there is something to call it with.
type caller struct {
	of    *callers
	room  int // how many calls wait; of more the oldest is dropped
	wrong func(v *host.Panic)
	ended func() // called once, after the last call

	mu   sync.Mutex
	due  []func()
	busy bool
	over bool
}

// call has f called soon.
func (c *caller) call(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	if len(c.due) == c.room {
		c.due = append(c.due[:0], c.due[1:]...)
	}
	c.due = append(c.due, f)
	if !c.busy {
		c.busy = true
		c.of.begin()
		go c.run()
	}
}

func (c *caller) run() {
	for f := c.next(); f != nil; f = c.next() {
		c.guarded(f)
	}
	c.of.end()
}

func (c *caller) next() (f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.due) == 0 {
		c.busy = false
		if c.over {
			c.ended()
		}
		return nil
	}
	f, c.due = c.due[0], c.due[1:]
	return f
}

func (c *caller) guarded(f func()) {
	returned := false
	defer func() {
		if v := recover(); v != nil {
			c.wrong(&host.Panic{Value: v, Stack: debug.Stack()})
		} else if !returned { // it has called runtime.Goexit
			go c.run()
		}
	}()
	f()
	returned = true
}

// Close ends it. No call begins afterwards.
func (c *caller) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return nil
	}
	c.over, c.due = true, nil
	if !c.busy {
		c.ended()
	}
	return nil
}

// callers are those of an instance.
type callers struct {
	mu    sync.Mutex
	busy  int
	quiet chan struct{} // closed when none is busy any more; nil when nobody waits
}

var callersSize = vm.SizeOf[callers]()

func (cs *callers) begin() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.busy++
}

func (cs *callers) end() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.busy--; cs.busy == 0 && cs.quiet != nil {
		close(cs.quiet)
		cs.quiet = nil
	}
}

// wait waits until none is busy; whether one was.
func (cs *callers) wait(ctx context.Context) (bool, error) {
	cs.mu.Lock()
	if cs.busy == 0 {
		cs.mu.Unlock()
		return false, nil
	}
	if cs.quiet == nil {
		cs.quiet = make(chan struct{})
	}
	quiet := cs.quiet
	cs.mu.Unlock()
	select {
	case <-quiet:
		return true, nil
	case <-vm.OrBackground(ctx).Done():
		return true, context.Cause(ctx)
	}
}

func callersOf(in *vm.Instance, d *desk) (cs *callers, err error) {
	v, err := in.Invoke(context.Background(), d.entries["callers"], nil)
	if err == nil {
		err = in.WithCall(context.Background(), func(c *vm.Call) { cs = vm.NativeOf[*callers](c, v) })
	}
	return cs, err
}

// Idle waits until nothing is in progress in the script, like its
// reactive.idle, and no function of a host is being called or about to be. Do
// not call it in a function given to Subscribe or OnError: it would wait for
// itself.
func Idle(ctx context.Context, in Instance) error {
	inst := in.VM()
	d, err := deskIn(inst)
	if err != nil {
		return err
	}
	cs, err := callersOf(inst, d)
	for again := true; again && err == nil; {
		if _, err = inst.Invoke(ctx, d.entries["idle"], nil); err == nil {
			again, err = cs.wait(ctx)
		}
	}
	return err
}

// report has a panic told as an error of the script is: to those who listen for
// errors, unless it is one of them who has panicked.
func report(in *vm.Instance, d *desk, name string, p *host.Panic, told bool) {
	obj := in.NewHostObject(d.panic, p, len(p.Stack))
	// When that fails the instance is closed, and nobody hears of it any more.
	_, _ = in.Invoke(context.Background(), d.entries["panicked"], []vm.Value{vm.StrValue(name), obj, vm.BoolValue(told)})
}

func init() {
	Module.Native("new_callers", func(c *vm.Call) { c.SetObject(c.NewNative(c.Ref().Result, &callers{}, callersSize)) })
	Module.Native("Panic.rethrow", func(c *vm.Call) { c.ThrowHost(vm.NativeArg[*host.Panic](c, 0)) })
}
