package runnel

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"weak"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What a host does with a running instance: it calls the script's public
// functions, reads its public values and exchanges messages with it. Package
// vm/bind documents which Go type goes with which Runnel type.

// ErrClosed is returned by operations on a Runtime or an Instance that has been closed.
var ErrClosed = vm.ErrInstanceClosed

// Chan is a script's chan<T>, as its host uses it.
type Chan[T any] = bind.Chan[T]

// Variant is a value of an enum whose variants have data.
type Variant = bind.Variant

// function finds a public function of the script.
func (p *Program) function(name string) (*bytecode.Func, int, error) {
	for _, e := range p.Code.Exports {
		if e.Name == name && !e.Global {
			return &p.Code.Funcs[e.Index], e.Index, nil
		}
	}
	for i := range p.Code.Funcs {
		if p.Code.Funcs[i].Name == name {
			return nil, 0, fmt.Errorf("runnel: the function %s is not public: declare it `pub fn %s`", name, name)
		}
	}
	return nil, 0, fmt.Errorf("runnel: the script has no public function %s%s", name, p.offers(false))
}

// offers lists what the script has.
func (p *Program) offers(globals bool) string {
	var names []string
	for _, e := range p.Code.Exports {
		if e.Global == globals {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return " (it has none)"
	}
	return " (it has " + strings.Join(names, ", ") + ")"
}

// Signature returns the signature of a public function, as the script declares it.
func (p *Program) Signature(name string) (string, error) {
	f, _, err := p.function(name)
	if err != nil {
		return "", err
	}
	return p.signature(name, f), nil
}

func (p *Program) signature(name string, f *bytecode.Func) string {
	var params []string
	for _, id := range f.Params {
		params = append(params, p.Code.Types[id].Name)
	}
	text := "fn " + name + "(" + strings.Join(params, ", ") + ")"
	if f.Result != bytecode.IDUnit {
		text += " -> " + p.Code.Types[f.Result].Name
	}
	return text
}

// bound is a public function whose types have been checked against Go's.
type bound struct {
	in     *vm.Instance
	callee vm.Callee
	params []*bind.Codec
	result *bind.Codec
	plain  bool // the arguments need no vm.Call
	texts  bool // nor if they are short, for some are texts
}

func (in *Instance) bound(name string, result reflect.Type, params ...reflect.Type) (*bound, error) {
	f, index, err := in.prog.function(name)
	if err != nil {
		return nil, err
	}
	b := &bound{in: in.vm, callee: in.vm.Program().Callee(index), plain: true, texts: true}
	fail := func(format string, args ...any) error {
		sig, _ := in.prog.Signature(name)
		return fmt.Errorf("runnel: cannot bind `%s`: %w", sig, fmt.Errorf(format, args...))
	}
	if len(f.Params) != len(params) {
		return nil, fail("it has %d parameters, %d are bound", len(f.Params), len(params))
	}
	table := bind.Of(in.vm.Program())
	for i, t := range params {
		c, err := table.Locked(t, f.Params[i])
		if err == nil && t.Kind() == reflect.Func {
			err = table.CheckParam(f.Params[i])
		}
		if err != nil {
			return nil, fail("parameter %d: %w", i+1, err)
		}
		b.params = append(b.params, c)
		b.texts = b.texts && c.Plain()
		b.plain = b.texts && b.plain && !c.Text()
	}
	if b.result, err = table.Locked(result, f.Result); err != nil {
		return nil, fail("result: %w", err)
	}
	return b, nil
}

// None is the result type of a function that returns nothing.
type None = struct{}

// Bind0 returns a public function of the script as a Go function. The types are
// checked once, here; calls use no reflection. The function can be called from
// many goroutines at once. A call runs on the caller's goroutine until the
// function waits for something; when ctx ends, the call ends with an error. The
// result type of a function that returns nothing is None.
func Bind0[R any](in *Instance, name string) (func(context.Context) (R, error), error) {
	b, err := in.bound(name, reflect.TypeFor[R]())
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (R, error) { return invoke[R](ctx, b, nil) }, nil
}

// Bind1 is Bind0 for functions of one parameter.
func Bind1[A, R any](in *Instance, name string) (func(context.Context, A) (R, error), error) {
	b, err := in.bound(name, reflect.TypeFor[R](), reflect.TypeFor[A]())
	if err != nil {
		return nil, err
	}
	pa := b.params[0]
	return func(ctx context.Context, a A) (r R, err error) {
		var args [1]vm.Value
		if b.plain || b.texts && bind.Small(pa, a) {
			args[0] = bind.Arg(pa, nil, a)
		} else if err = b.in.WithCall(ctx, func(c *vm.Call) { args[0] = bind.Arg(pa, c, a) }); err != nil {
			return r, err
		}
		return invoke[R](ctx, b, args[:])
	}, nil
}

// Bind2 is Bind0 for functions of two parameters.
func Bind2[A, B, R any](in *Instance, name string) (func(context.Context, A, B) (R, error), error) {
	b, err := in.bound(name, reflect.TypeFor[R](), reflect.TypeFor[A](), reflect.TypeFor[B]())
	if err != nil {
		return nil, err
	}
	pa, pb := b.params[0], b.params[1]
	return func(ctx context.Context, a1 A, a2 B) (r R, err error) {
		var args [2]vm.Value
		if b.plain || b.texts && bind.Small(pa, a1) && bind.Small(pb, a2) {
			args[0], args[1] = bind.Arg(pa, nil, a1), bind.Arg(pb, nil, a2)
		} else if err = b.in.WithCall(ctx, func(c *vm.Call) {
			args[0], args[1] = bind.Arg(pa, c, a1), bind.Arg(pb, c, a2)
		}); err != nil {
			return r, err
		}
		return invoke[R](ctx, b, args[:])
	}, nil
}

// Bind3 is Bind0 for functions of three parameters.
func Bind3[A, B, C, R any](in *Instance, name string) (func(context.Context, A, B, C) (R, error), error) {
	b, err := in.bound(name, reflect.TypeFor[R](), reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C]())
	if err != nil {
		return nil, err
	}
	pa, pb, pc := b.params[0], b.params[1], b.params[2]
	return func(ctx context.Context, a1 A, a2 B, a3 C) (r R, err error) {
		var args [3]vm.Value
		if b.plain || b.texts && bind.Small(pa, a1) && bind.Small(pb, a2) && bind.Small(pc, a3) {
			args[0], args[1], args[2] = bind.Arg(pa, nil, a1), bind.Arg(pb, nil, a2), bind.Arg(pc, nil, a3)
		} else if err = b.in.WithCall(ctx, func(c *vm.Call) {
			args[0], args[1], args[2] = bind.Arg(pa, c, a1), bind.Arg(pb, c, a2), bind.Arg(pc, c, a3)
		}); err != nil {
			return r, err
		}
		return invoke[R](ctx, b, args[:])
	}, nil
}

func invoke[R any](ctx context.Context, b *bound, args []vm.Value) (r R, err error) {
	v, err := b.in.InvokeBound(ctx, b.callee, args)
	defer b.in.Received(v)
	if err != nil {
		return r, err
	}
	if b.result.Plain() {
		return bind.Read[R](b.result, nil, v), nil
	}
	err = b.in.WithCall(ctx, func(c *vm.Call) { r = bind.Read[R](b.result, c, v) })
	return r, err
}

// BindFunc sets a variable of any Go function type to a public function of the
// script. The type's last result must be an error; its first parameter may be a
// context. Calls use reflection.
//
//	var score func(context.Context, Order) (float64, error)
//	err := inst.BindFunc("score", &score)
func (in *Instance) BindFunc(name string, to any) error {
	v := reflect.ValueOf(to)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Func {
		return fmt.Errorf("runnel: BindFunc needs the address of a variable of a function type, not %T", to)
	}
	f, index, err := in.prog.function(name)
	if err != nil {
		return err
	}
	made, err := bind.Of(in.vm.Program()).Func(v.Elem().Type(), f)
	if err != nil {
		sig, _ := in.prog.Signature(name)
		return fmt.Errorf("runnel: cannot bind `%s`: %w", sig, err)
	}
	callee := in.vm.Program().Callee(index)
	v.Elem().Set(made(in.vm, func(ctx context.Context, args ...vm.Value) (vm.Value, error) {
		return in.vm.InvokeRetained(ctx, callee, args)
	}))
	return nil
}

// Call calls a public function of the script with any values that fit its
// parameters: a map[string]any can stand for a struct, a []any for a list. The
// result has the Go type closest to the script's; see package vm/bind. To call
// a function often, bind it instead.
func (in *Instance) Call(ctx context.Context, name string, args ...any) (any, error) {
	f, _, err := in.prog.function(name)
	if err != nil {
		return nil, err
	}
	types := make([]reflect.Type, len(f.Params))
	for i := range types {
		types[i] = reflect.TypeFor[any]()
	}
	if len(args) != len(types) {
		return nil, in.prog.wrongCount(name, f, args)
	}
	b, err := in.bound(name, reflect.TypeFor[any](), types...)
	if err != nil {
		return nil, err
	}
	values := make([]vm.Value, len(args))
	at := 0
	err = in.vm.WithCall(ctx, func(c *vm.Call) {
		for at = range args {
			values[at] = bind.Arg(b.params[at], c, args[at])
		}
	})
	if err != nil {
		return nil, fmt.Errorf("runnel: argument %d of %s: %w", at+1, name, err)
	}
	return invoke[any](ctx, b, values)
}

func (p *Program) wrongCount(name string, f *bytecode.Func, args []any) error {
	return fmt.Errorf("runnel: `%s` has %d parameters, %d arguments are given", p.signature(name, f), len(f.Params), len(args))
}

// Get returns the current value of a `pub let` or `pub var` that the script declares at its top level.
func Get[T any](in *Instance, name string) (value T, err error) {
	for _, e := range in.prog.Code.Exports {
		if e.Name != name || !e.Global {
			continue
		}
		c, err := bind.Of(in.vm.Program()).Locked(reflect.TypeFor[T](), in.prog.Code.Globals[e.Index].Type)
		if err != nil {
			return value, fmt.Errorf("runnel: cannot read `%s`: %w", name, err)
		}
		v, ok := in.vm.Global(e.Index)
		if !ok {
			return value, fmt.Errorf("runnel: `%s` has not been set yet", name)
		}
		err = in.vm.WithCall(context.Background(), func(call *vm.Call) { value = bind.Read[T](c, call, v) })
		return value, err
	}
	for _, g := range in.prog.Code.Globals {
		if g.Name == name {
			return value, fmt.Errorf("runnel: the value %s is not public: declare it `pub let %s` or `pub var %s`", name, name, name)
		}
	}
	return value, fmt.Errorf("runnel: the script has no public value %s%s", name, in.prog.offers(true))
}

// InstanceOf returns the instance that called a native function, given the
// function's context; with any other context, nil.
func InstanceOf(ctx context.Context) *Instance {
	in := vm.InstanceOf(ctx)
	if in == nil {
		return nil
	}
	owner, _ := in.Owner.(weak.Pointer[Instance])
	return owner.Value()
}

// Task is a call that runs in the background.
type Task struct {
	done   chan struct{}
	cancel context.CancelFunc
	value  any
	err    error
}

// Spawn calls a public function without waiting for it. The call ends when ctx does, or with Cancel.
func (in *Instance) Spawn(ctx context.Context, name string, args ...any) (*Task, error) {
	f, _, err := in.prog.function(name)
	if err == nil && len(f.Params) != len(args) {
		err = in.prog.wrongCount(name, f, args)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(vm.OrBackground(ctx))
	t := &Task{done: make(chan struct{}), cancel: cancel, err: vm.ErrExited}
	go func() {
		defer close(t.done)
		defer cancel()
		t.value, t.err = in.Call(ctx, name, args...)
	}()
	return t, nil
}

// Wait returns the outcome of the call, or the context's error if the context ends first.
func (t *Task) Wait(ctx context.Context) (any, error) {
	select {
	case <-t.done:
		return t.value, t.err
	case <-vm.OrBackground(ctx).Done():
		return nil, context.Cause(ctx)
	}
}

// Done is closed when the call has ended.
func (t *Task) Done() <-chan struct{} { return t.done }

// Cancel ends the call; its defers run.
func (t *Task) Cancel() { t.cancel() }

// NewChan makes a channel with a buffer for room values, to be passed to the
// script as an argument or as the result of a native function. The script must
// use channels of a matching type.
func NewChan[T any](in *Instance, room int) (*Chan[T], error) {
	table := bind.Of(in.vm.Program())
	id, err := bind.FindChan[T](table)
	if err != nil {
		return nil, fmt.Errorf("runnel: %w", err)
	}
	return bind.NewChan[T](table, in.vm, id, room)
}

// Send sends a message to the script, which receives it with `host.receive()`.
// It waits while a thousand messages are pending.
func (in *Instance) Send(ctx context.Context, message any) error {
	ch, err := in.port(vm.Inputs)
	if err != nil {
		return err
	}
	return ch.Send(ctx, message)
}

// Outputs yields the messages that the script emits with `host.emit(value)`,
// until the context ends or the instance is closed. A script that is a thousand
// messages ahead waits. A message that cannot be converted to a Go value is
// replaced by an error.
func (in *Instance) Outputs(ctx context.Context) iter.Seq[any] {
	ch, err := in.port(vm.Outputs)
	if err != nil {
		return func(func(any) bool) {}
	}
	return func(yield func(any) bool) {
		for x, err := range ch.All(ctx) {
			if err != nil {
				x = err
			}
			if !yield(x) {
				return
			}
		}
	}
}

// Drain returns the messages that the script has emitted so far, with errors as
// in Outputs. Once the messages take as much memory in Go as the instance may
// use, it leaves the rest for the next call.
func (in *Instance) Drain() []any {
	ch, err := in.port(vm.Outputs)
	if err != nil {
		return nil
	}
	return bind.Drain(ch)
}

func (in *Instance) port(which int) (*Chan[any], error) {
	table := bind.Of(in.vm.Program())
	id, err := bind.FindChan[any](table)
	switch {
	case err == nil:
	case in.vm.Closed():
		return nil, ErrClosed
	default:
		return nil, errors.New("runnel: the script does not use module host")
	}
	return bind.Port(table, in.vm, id, which)
}
