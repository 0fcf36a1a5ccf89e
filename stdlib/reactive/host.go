package reactive

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Instance is a *runnel.Instance.
type Instance interface{ VM() *vm.Instance }

// Value is a script's cell or computed, which its host reads as a T. Its
// methods can be called from any goroutine.
//
//	total, err := runnel.Get[*reactive.Value[float64]](inst, "total") // pub let total = reactive.computed(...)
//
// A function called by an effect, a computed or a batch of the script must not
// use it: it would wait for the wave that waits for the function. Pass it the
// value instead.
type Value[T any] struct{ handle }

// Cell is a script's cell, as its host uses it.
//
//	price, err := runnel.Get[*reactive.Cell[float64]](inst, "price") // pub let price = reactive.cell(9.5)
type Cell[T any] struct{ Value[T] }

// handle is what Values of all types have.
type handle struct {
	desk   *desk
	object *vm.Handle // the Cell or Computed of the script
	elem   *bind.Codec
	typ    uint32 // of the value
	name   string
	mu     sync.Mutex
	ports  *ports
}

// ports are the fields of port.rnl's Ports.
type ports struct {
	node             vm.Value
	ring             vm.Value
	object           *vm.Handle
	get, set, change *vm.Func
}

// at returns the ports, which the script is asked for once.
func (h *handle) at(ctx context.Context) (*ports, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ports != nil {
		return h.ports, nil
	}
	in := h.object.Instance()
	v, err := in.Invoke(ctx, h.desk.entries["ports"], []vm.Value{h.object.Value()})
	if err != nil {
		return nil, err
	}
	var p *ports
	if err = in.WithCall(ctx, func(c *vm.Call) { p = portsOf(c, v) }); err != nil {
		return nil, err
	}
	settable := h.desk.sources[h.object.Type()].settable
	if p.get == nil || p.get.Gives() != h.typ || settable && (p.set == nil || p.change == nil) {
		return nil, errForged
	}
	h.ports = p
	return p, nil
}

func portsOf(c *vm.Call, v vm.Value) *ports {
	function := func(name string) *vm.Func {
		f := c.Part(v, name, bytecode.TAny)
		if f.IsNone() {
			return nil
		}
		return c.Instance().FuncOf(f)
	}
	return &ports{
		node: c.Part(v, "node", bytecode.TStruct), ring: c.Part(v, "ring", bytecode.TFunc),
		get: function("get"), set: function("set"), change: function("change"),
		object: c.Instance().NewHandle(v.Object()),
	}
}

// call calls a function of host.rnl.
func (h *handle) call(ctx context.Context, name string, args ...vm.Value) (vm.Value, error) {
	return h.object.Instance().Invoke(ctx, h.desk.entries[name], args)
}

// Name returns the name the script gave it, or "cell#3".
func (h *handle) Name() string { return h.name }

// String returns the name.
func (h *handle) String() string { return h.name }

// Release gives it up; so does the garbage collector when it is unreachable.
func (h *handle) Release() {
	h.object.Release()
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.ports; p != nil {
		p.object.Release()
		for _, f := range []*vm.Func{p.get, p.set, p.change} {
			if f != nil {
				f.Release()
			}
		}
	}
}

// Get returns the value, recomputed if something it depends on has changed. If
// the function of a computed throws, that is the error. Get waits for a wave or
// batch in progress.
func (v *Value[T]) Get(ctx context.Context) (x T, err error) {
	p, err := v.at(ctx)
	if err != nil {
		return x, err
	}
	got, err := p.get.CallRetained(ctx)
	in := v.object.Instance()
	defer in.Received(got)
	if err != nil {
		return x, err
	}
	if v.elem.Plain() {
		return bind.Read[T](v.elem, nil, got), nil
	}
	err = in.WithCall(ctx, func(c *vm.Call) { x = bind.Read[T](v.elem, c, got) })
	return x, err
}

// Set changes the value. If the new value differs, the script's effects that
// depend on it have run when Set returns.
func (c *Cell[T]) Set(ctx context.Context, x T) error {
	p, err := c.at(ctx)
	if err != nil {
		return err
	}
	v, err := c.encode(ctx, x)
	if err == nil {
		_, err = p.set.Call(ctx, v)
	}
	return err
}

func (c *Cell[T]) encode(ctx context.Context, x T) (v vm.Value, err error) {
	if c.elem.Plain() {
		return bind.Arg(c.elem, nil, x), nil
	}
	if err = c.object.Instance().WithCall(ctx, func(call *vm.Call) { v = bind.Arg(c.elem, call, x) }); err != nil {
		err = fmt.Errorf("reactive: %s: %w", c, err)
	}
	return v, err
}

// Update sets the value to the result of f, called with the current value, and
// returns it. f runs outside the script; if the cell is set meanwhile, f is
// called again with the new value.
func (c *Cell[T]) Update(ctx context.Context, f func(T) T) (x T, err error) {
	p, err := c.at(ctx)
	if err != nil {
		return x, err
	}
	for {
		seen, err := c.call(ctx, "version", p.node)
		if err != nil {
			return x, err
		}
		if x, err = c.Get(ctx); err != nil {
			return x, err
		}
		x = f(x)
		change, err := c.change(ctx, x)
		if err != nil {
			return x, err
		}
		if done, err := c.call(ctx, "swap", p.node, seen, change); err != nil || done.Bool() {
			return x, err
		}
	}
}

// change makes the function of the script that sets the value.
func (c *Cell[T]) change(ctx context.Context, x T) (vm.Value, error) {
	p, err := c.at(ctx)
	if err != nil {
		return vm.Value{}, err
	}
	v, err := c.encode(ctx, x)
	if err != nil {
		return vm.Value{}, err
	}
	return p.change.Call(ctx, v)
}

// Change is a new value for a cell: see Batch.
type Change struct {
	of   *handle
	make func(context.Context) (vm.Value, error)
}

// To returns the change that sets the cell to x.
func (c *Cell[T]) To(x T) Change {
	return Change{&c.handle, func(ctx context.Context) (vm.Value, error) { return c.change(ctx, x) }}
}

// Batch applies several changes as one: effects run once, after all of them,
// and nobody sees some without the others. If one of them is an error, none is
// applied.
//
//	err := reactive.Batch(ctx, price.To(12.5), count.To(3))
func Batch(ctx context.Context, changes ...Change) error {
	if len(changes) == 0 {
		return nil
	}
	first := changes[0].of
	in, batch := first.object.Instance(), first.desk.entries["batch"]
	made := make([]vm.Value, len(changes))
	for i, change := range changes {
		if change.of.object.Instance() != in {
			return fmt.Errorf("reactive: %s and %s are of different instances", first, change.of)
		}
		var err error
		if made[i], err = change.make(ctx); err != nil {
			return err
		}
	}
	var all vm.Value
	err := in.WithCall(ctx, func(c *vm.Call) {
		list := c.NewList(first.desk.changes, len(made))
		for _, f := range made {
			list.Push(f)
		}
		all = list.Value()
	})
	if err == nil {
		_, err = in.Invoke(ctx, batch, []vm.Value{all})
	}
	return err
}

var (
	errNoReactive = errors.New("reactive: the script does not import module reactive")
	errForged     = errors.New("reactive: the program was not made by this compiler")
)

// Codec returns the codec of readable values: see bind.Own.
func (*Value[T]) Codec(b *bind.Table, id uint32) (*bind.Codec, error) {
	return codecOf(b, id, reflect.TypeFor[T](), "*reactive.Value", false,
		func(p **Value[T]) *handle {
			if v := *p; v != nil {
				return &v.handle
			}
			return nil
		},
		func(p **Value[T]) *handle {
			v := &Value[T]{}
			*p = v
			return &v.handle
		})
}

// Codec returns the codec of cells: see bind.Own.
func (*Cell[T]) Codec(b *bind.Table, id uint32) (*bind.Codec, error) {
	return codecOf(b, id, reflect.TypeFor[T](), "*reactive.Cell", true,
		func(p **Cell[T]) *handle {
			if c := *p; c != nil {
				return &c.handle
			}
			return nil
		},
		func(p **Cell[T]) *handle {
			c := &Cell[T]{}
			*p = c
			return &c.handle
		})
}

// codecOf makes the codec of a handle: where it lies, and how one is made there.
func codecOf[H any](b *bind.Table, id uint32, t reflect.Type, name string, sets bool, of, at func(*H) *handle) (*bind.Codec, error) {
	d, typ := deskOf(b), b.Program().Types[id].Name
	if d.err != nil {
		return nil, d.err
	}
	s, ok := d.sources[id]
	if !ok {
		return nil, fmt.Errorf("%s is not a Go type for %s", name, typ)
	}
	if sets && !s.settable {
		return nil, fmt.Errorf("a %s cannot be set: it is a *reactive.Value in Go", typ)
	}
	elem, err := b.Codec(t, s.elem)
	if err != nil {
		return nil, fmt.Errorf("%s of a %s: %w", name, typ, err)
	}
	return bind.NewCodec(
		func(c *vm.Call, p *H) vm.Value {
			h := of(p)
			switch {
			case h == nil:
				c.Throw(vm.ErrValue, "a nil %s was given", name)
			case h.object.Instance() != c.Instance():
				c.Throw(vm.ErrValue, "%s belongs to another instance", h)
			case h.object.Object().TypeID() != id:
				c.Throw(vm.ErrValue, "%s is no %s", h, typ)
			}
			return h.object.Value()
		},
		func(c *vm.Call, v vm.Value, p *H) {
			h := at(p)
			h.desk, h.elem, h.typ, h.object = d, elem, s.elem, c.Instance().NewHandle(c.NotNil(v))
			h.name = s.label(c, v)
		}), nil
}
