package bind

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// native moves opaque handles: a native struct around a Go value of type t. Where
// modules of the host declare what is in it, t is that; what is in those of the
// library a host may look at, and not make.
func (b *Table) native(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	declared := b.handles[rt.Name]
	if len(declared) > 0 && !slices.Contains(declared, t) {
		return fmt.Errorf("%w: that is %s", mismatch(t, rt), declared[0])
	}
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
		v := reflect.NewAt(t, p).Elem()
		switch {
		case len(declared) == 0:
			c.Throw(vm.ErrValue, "a %s is made by its module, not by a host", rt.Name)
		case t.Kind() == reflect.Pointer && v.IsNil():
			c.Throw(vm.ErrValue, "a nil %s was given as a %s", t, rt.Name)
		}
		return c.NewNative(id, v.Interface(), nativeSize).Value()
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		x := reflect.ValueOf(c.NativeValue(v))
		if !x.IsValid() || !x.Type().AssignableTo(t) {
			c.Throw(vm.ErrValue, "a %s holds %v, not %s", rt.Name, x, t)
		}
		reflect.NewAt(t, p).Elem().Set(x)
	}
	return nil
}

// hostHandleSize is what a handle of a function or channel takes in Go.
const hostHandleSize = 300

// nativeSize is what a native struct is charged for the Go value in it: that is the
// host's.
const nativeSize = 16

var errGoFunc = errors.New("a Go function cannot be given to a script as a value: offer it in a module")

// CheckParam reports whether values of a type can be given to a script.
func (b *Table) CheckParam(id uint32) error {
	if b.types[id].Kind == bytecode.TFunc {
		return errGoFunc
	}
	return nil
}

// function moves functions: those of a script become Go functions, which may be
// called from any goroutine.
func (b *Table) function(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	c.put = func(c *vm.Call, _ unsafe.Pointer) vm.Value {
		c.Throw(vm.ErrValue, "%v", errGoFunc)
		return vm.Value{}
	}
	if t == funcType {
		c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
			inGo(c, hostHandleSize)
			*(**vm.Func)(p) = c.Instance().FuncOf(v)
		}
		return nil
	}
	if t.Kind() != reflect.Func {
		return mismatch(t, rt)
	}
	call, err := b.caller(t, rt.Params, rt.Result)
	if err != nil {
		return err
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		inGo(c, hostHandleSize)
		f := c.Instance().FuncOf(v)
		reflect.NewAt(t, p).Elem().Set(call(c.Instance(), f.CallRetained))
	}
	return nil
}

// caller makes Go functions of a type that call a script's function with some
// parameters and a result.
func (b *Table) caller(t reflect.Type, params []uint32, result uint32) (func(*vm.Instance, Call) reflect.Value, error) {
	s, err := b.signature(t, params, result)
	if err != nil {
		return nil, err
	}
	if !s.fails {
		return nil, fmt.Errorf("%s must have an error as its last result: a script may fail", t)
	}
	return func(in *vm.Instance, call Call) reflect.Value {
		return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			out, err := s.call(in, call, args)
			results := []reflect.Value{reflect.Zero(errorType)}
			if err != nil {
				results[0] = reflect.ValueOf(&err).Elem()
			}
			if s.result != nil {
				results = append([]reflect.Value{out}, results...)
			}
			return results
		})
	}, nil
}

// Call is a script's function as Values.
type Call func(ctx context.Context, args ...vm.Value) (vm.Value, error)

// Chan is a script's chan<T>, as its host uses it. Its methods can be called from any goroutine.
type Chan[T any] struct {
	handle *vm.Handle
	elem   *Codec
}

// link is what the codec of channels needs of a *Chan[T].
type chanLink interface {
	elemType() reflect.Type
	attach(handle *vm.Handle, elem *Codec)
	object() *vm.Handle
}

func (ch *Chan[T]) elemType() reflect.Type                { return reflect.TypeFor[T]() }
func (ch *Chan[T]) attach(handle *vm.Handle, elem *Codec) { ch.handle, ch.elem = handle, elem }
func (ch *Chan[T]) object() *vm.Handle                    { return ch.handle }

// Send sends a value, waiting until it is received or buffered. The error is
// vm.ErrClosedChannel if the channel is closed.
func (ch *Chan[T]) Send(ctx context.Context, x T) error {
	var v vm.Value
	err := ch.handle.Instance().WithCall(ctx, func(c *vm.Call) { v = ch.elem.put(c, unsafe.Pointer(&x)) })
	if err != nil {
		return err
	}
	return ch.handle.Send(ctx, v)
}

// Recv receives the next value; ok is false if the channel is closed and empty,
// or if the context ended first. An error with ok true means that a value was
// received that does not fit the Go type.
func (ch *Chan[T]) Recv(ctx context.Context) (x T, ok bool, err error) {
	v, ok, err := ch.handle.Recv(ctx)
	if err != nil || !ok {
		return x, false, err
	}
	err = ch.handle.Instance().WithCall(ctx, func(c *vm.Call) { ch.elem.get(c, v, unsafe.Pointer(&x)) })
	return x, true, err
}

// TryRecv receives the next value if there is one. An error means that a value
// was received that does not fit the Go type.
func (ch *Chan[T]) TryRecv() (x T, ok bool, err error) {
	x, _, ok, err = ch.tryRecv()
	return x, ok, err
}

// tryRecv also tells how much the value takes in Go.
func (ch *Chan[T]) tryRecv() (x T, size int, ok bool, err error) {
	v, ok := ch.handle.TryRecv()
	if !ok {
		return x, 0, false, nil
	}
	err = ch.handle.Instance().WithCall(context.Background(), func(c *vm.Call) {
		ch.elem.get(c, v, unsafe.Pointer(&x))
		size = c.TakeCharged()
	})
	return x, size, true, err
}

// Drain receives everything that is in a channel now, up to the memory that the
// instance may use. A value that does not fit the Go type is replaced by an
// error.
func Drain(ch *Chan[any]) (list []any) {
	most, taken := ch.handle.Instance().Limits().Memory, int64(0)
	for most <= 0 || taken < most {
		x, size, ok, err := ch.tryRecv()
		if !ok {
			break
		}
		if err != nil {
			x = err
		}
		list, taken = append(list, x), taken+int64(size)
	}
	return list
}

// All yields the values until the channel is closed and empty, the context
// ends, or the instance is closed. A value that does not fit the Go type is
// replaced by an error.
func (ch *Chan[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			x, ok, err := ch.Recv(ctx)
			if !ok || vm.OrBackground(ctx).Err() != nil || !yield(x, err) {
				return
			}
		}
	}
}

// Close closes the channel; if it is closed already, it returns vm.ErrClosedChannel.
func (ch *Chan[T]) Close() error { return ch.handle.CloseChan() }

// Release gives up the channel: tasks that wait for the host on it can then be told that they wait in vain.
func (ch *Chan[T]) Release() { ch.handle.Release() }

func (b *Table) channel(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	link, ok := reflect.Zero(t).Interface().(chanLink)
	if !ok {
		return fmt.Errorf("%w: a channel is a *Chan[T]", mismatch(t, rt))
	}
	elem, err := b.Codec(link.elemType(), rt.Elem)
	if err != nil {
		return err
	}
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
		link := reflect.NewAt(t, p).Elem().Interface().(chanLink)
		if *(*unsafe.Pointer)(p) == nil || link.object() == nil {
			c.Throw(vm.ErrValue, "a nil channel was given")
		}
		handle := link.object()
		switch of := handle.Type(); {
		case handle.Instance() != c.Instance():
			c.Throw(vm.ErrValue, "the channel belongs to another instance")
		case of != id:
			c.Throw(vm.ErrValue, "a %s was given as a %s", b.types[of].Name, rt.Name)
		}
		return handle.Value()
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		inGo(c, hostHandleSize)
		made := reflect.New(t.Elem())
		made.Interface().(chanLink).attach(c.Instance().NewHandle(c.ChanOf(v).Object()), elem)
		*(*unsafe.Pointer)(p) = made.UnsafePointer()
	}
	return nil
}

// NewChan makes a channel whose values have a Go type; id is its Runnel type,
// and it has a buffer for room values.
func NewChan[T any](b *Table, in *vm.Instance, id uint32, room int) (*Chan[T], error) {
	if room < 0 {
		return nil, fmt.Errorf("runnel: a channel cannot have room for %d values", room)
	}
	elem, err := b.Locked(reflect.TypeFor[T](), b.types[id].Elem)
	if err != nil {
		return nil, err
	}
	return &Chan[T]{in.NewChan(id, room), elem}, nil
}

// FindChan returns the type of a program's channels whose values have a Go
// type: the Runnel type declared for the Go type, or the one in the package's
// table, or else the only one that fits.
func FindChan[T any](b *Table) (id uint32, err error) {
	t := reflect.TypeFor[T]()
	own := b.natural(t)
	var fit []uint32
	for id := range b.types {
		rt := &b.types[id]
		if rt.Kind != bytecode.TChan || t == anyType && rt.Elem != bytecode.IDAny {
			continue
		}
		if _, err := b.Locked(t, rt.Elem); err == nil {
			if rt.Elem == own {
				return uint32(id), nil
			}
			fit = append(fit, uint32(id))
		}
	}
	switch len(fit) {
	case 0:
		return 0, fmt.Errorf("the program has no channel for values of Go type %s", t)
	case 1:
		return fit[0], nil
	}
	return 0, fmt.Errorf("values of Go type %s fit channels of several types, as %s and %s: let a function of the script make it", t, b.types[fit[0]].Name, b.types[fit[1]].Name)
}

// natural is the type that a Go type has without more being said, 0 where
// there is none.
func (b *Table) natural(t reflect.Type) uint32 {
	if id, ok := b.hosts[t]; ok {
		return id
	}
	switch t {
	case anyType:
		return bytecode.IDAny
	case durationType:
		return bytecode.IDDuration
	case bytesType:
		return bytecode.IDBytes
	}
	switch {
	case t.PkgPath() != "": // a name of its own may stand for an enum
		return 0
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return bytecode.IDInt
	case t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32:
		return bytecode.IDFloat
	case t.Kind() == reflect.Bool:
		return bytecode.IDBool
	case t.Kind() == reflect.String:
		return bytecode.IDStr
	}
	return 0
}

// Port returns one of the channels that an instance and its host always have; id
// is the type chan<any>.
func Port(b *Table, in *vm.Instance, id uint32, which int) (*Chan[any], error) {
	elem, err := b.Locked(anyType, b.types[id].Elem)
	if err != nil {
		return nil, err
	}
	return &Chan[any]{in.Port(which, id), elem}, nil
}
