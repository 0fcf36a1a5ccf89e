package reactive

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/host"
)

// Subscribe calls f with the value now, and whenever it differs at the end of a
// wave: f never sees half of a change. The calls are made on a separate
// goroutine, one at a time and in order. A slow f gets the newest value next
// and misses those in between; no script waits for it.
//
// It ends with stop, with the context or with the instance: no call starts
// after that. A panic in f is an error of the script (see OnError), and so is
// an error thrown by a computed's function; the subscription stays active.
func (v *Value[T]) Subscribe(ctx context.Context, f func(T)) (stop func(), err error) {
	return v.subscribe(ctx, f, func() {})
}

// Values returns a channel of the value now and whenever it differs, as in
// Subscribe. The channel holds only the newest value; it is closed when the
// context or the instance ends.
//
//	prices, err := price.Values(ctx)
//	for x := range prices { ... }
func (v *Value[T]) Values(ctx context.Context) (<-chan T, error) {
	values := make(chan T, 1)
	_, err := v.subscribe(ctx, func(x T) {
		select {
		case <-values: // it was not taken
		default:
		}
		values <- x
	}, func() { close(values) })
	if err != nil {
		return nil, err
	}
	return values, nil
}

func (v *Value[T]) subscribe(ctx context.Context, f func(T), ended func()) (stop func(), err error) {
	p, err := v.at(ctx)
	if err != nil {
		return nil, err
	}
	b := &bell{desk: v.desk, in: v.object.Instance(), name: v.name, elem: v.typ, after: ended}
	b.read = func(c *vm.Call, value vm.Value) func() {
		x := bind.Read[T](v.elem, c, value)
		return func() { f(x) }
	}
	return b.hang(ctx, func(obj vm.Value) (vm.Value, error) { return v.call(ctx, "subscribe", p.node, p.ring, obj) }, "unsubscribe")
}

// bell is what a script rings when there is a new value. It is the Go value of
// port.rnl's Bell, and closed with the instance.
type bell struct {
	caller
	desk  *desk
	in    *vm.Instance
	name  string                              // of what it is about
	elem  uint32                              // type of the value
	read  func(c *vm.Call, v vm.Value) func() // the call with a value
	after func()                              // called when it has ended
}

// hang gives the bell to the script: begin does, and the function of the script
// named end takes it back.
func (b *bell) hang(ctx context.Context, begin func(obj vm.Value) (vm.Value, error), end string) (stop func(), err error) {
	cs, err := callersOf(b.in, b.desk)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(vm.OrBackground(ctx))
	b.caller = caller{of: cs, room: 1}
	b.ended = func() {
		cancel()
		b.after()
	}
	b.wrong = func(p *host.Panic) { report(b.in, b.desk, "a subscriber of "+b.name, p, true) }
	var obj vm.Value
	var closer *vm.Resource
	err = b.in.WithCall(ctx, func(c *vm.Call) {
		obj = c.NewResource(b.desk.bell, "subscription of "+b.name, b, vm.SizeOf[bell]()).Value()
		closer = vm.NativeOf[*vm.Resource](c, obj)
	})
	if err != nil {
		cancel()
		return nil, err
	}
	sub, err := begin(obj)
	if err != nil {
		closer.Close()
		return nil, err
	}
	stop = sync.OnceFunc(func() {
		closer.Close()
		_, _ = b.in.Invoke(context.Background(), b.desk.entries[end], []vm.Value{sub}) // or it has ended with the instance
	})
	context.AfterFunc(ctx, stop)
	return stop, nil
}

// ring is Bell.ring.
func ring(c *vm.Call) {
	b := vm.CloserArg[*bell](c, 0)
	c.MustBe(c.Ref().TypeArgs[0], b.elem)
	b.call(b.read(c, c.Value(1)))
}

// Failure is an error of an effect, a cleanup, an action or a subscriber.
type Failure struct {
	Name string // whose it is
	Err  error  // a *runnel.Error
}

// failuresKept is how many errors wait for a function that is slow.
const failuresKept = 1000

// OnError calls f with every error of an effect, cleanup, action or subscriber
// from now on, like the script's reactive.on_error: one at a time, in order, on
// its own goroutine. If more than a thousand are waiting, the oldest are
// dropped. While nobody listens, such errors are those of the instance: see
// runnel.WithUnhandled.
func OnError(in Instance, f func(Failure)) (stop func(), err error) {
	inst := in.VM()
	d, err := deskIn(inst)
	if err != nil {
		return nil, err
	}
	cs, err := callersOf(inst, d)
	if err != nil {
		return nil, err
	}
	e := &ear{in: inst, desk: d, f: f, caller: caller{of: cs, room: failuresKept, ended: func() {}}}
	e.wrong = func(p *host.Panic) { report(inst, d, "a listener for errors", p, false) }
	obj := inst.NewHostObject(d.ear, e, vm.SizeOf[ear]())
	end, err := inst.Invoke(context.Background(), d.entries["on_error"], []vm.Value{obj})
	if err != nil {
		return nil, err
	}
	return func() {
		e.Close()
		_, _ = inst.Invoke(context.Background(), d.entries["call"], []vm.Value{end}) // or it has ended with the instance
	}, nil
}

// ear is what a script tells of errors.
type ear struct {
	caller
	in   *vm.Instance
	desk *desk
	f    func(Failure)
}

// hear is Ear.hear.
func hear(c *vm.Call) {
	e, name, task := vm.NativeArg[*ear](c, 0), strings.Clone(c.Str(1)), c.Value(2)
	e.call(func() {
		_, err := e.in.Invoke(context.Background(), e.desk.entries["outcome"], []vm.Value{task})
		if !errors.Is(err, vm.ErrInstanceClosed) {
			e.f(Failure{name, err})
		}
	})
}

func init() {
	Module.Native("Bell.ring", ring)
	Module.Native("Ear.hear", hear)
}
