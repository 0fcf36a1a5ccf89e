package reactive

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
)

// Store is a script's store, as its host uses it. Its values are bool, int,
// float64, string, []any and map[string]any. For several steps that belong
// together, call a function of the script, which can use a transaction. Its
// methods can be called from any goroutine.
//
//	docs, err := runnel.Get[*reactive.Store](inst, "docs") // pub let docs = reactive.store()
type Store struct {
	desk   *desk
	object *vm.Handle
}

// Address is a place in a store: an entity, and the path to a value in it.
type Address struct {
	Space string
	ID    string
	Kind  string // "application/json" as a rule
	Path  []string
}

// At returns the address of an entity, or of a value in it.
//
//	reactive.At("home", "of:1", "tags", "0")
func At(space, id string, path ...string) Address {
	return Address{space, id, "application/json", path}
}

// At returns the address of a part, given its key, or its index as text.
func (a Address) At(key string) Address {
	a.Path = append(slices.Clone(a.Path), key)
	return a
}

// Release gives up the store; so does the garbage collector when the Store is unreachable.
func (s *Store) Release() { s.object.Release() }

// Get returns the value at an address, or nil if there is none.
func (s *Store) Get(ctx context.Context, at Address) (value any, err error) {
	v, err := s.call(ctx, "store_get", at)
	if err == nil {
		err = s.object.Instance().WithCall(ctx, func(c *vm.Call) { value = s.desk.read(c, v) })
	}
	return value, err
}

// Set writes a value. All subscribers have been notified when it returns.
func (s *Store) Set(ctx context.Context, at Address, value any) error {
	var v vm.Value
	err := s.object.Instance().WithCall(ctx, func(c *vm.Call) { v = bind.Arg(s.desk.store.value, c, value) })
	if err == nil {
		_, err = s.call(ctx, "store_set", at, v)
	}
	return err
}

// Remove removes a value.
func (s *Store) Remove(ctx context.Context, at Address) error {
	_, err := s.call(ctx, "store_remove", at)
	return err
}

// Subscribe calls f with the value at an address (nil if there is none) now,
// and whenever a commit has changed it; otherwise it works like Subscribe of a
// Value.
func (s *Store) Subscribe(ctx context.Context, at Address, f func(any)) (stop func(), err error) {
	b := &bell{desk: s.desk, in: s.object.Instance(), name: at.Space + "/" + at.ID, elem: s.desk.store.result, after: func() {}}
	b.read = func(c *vm.Call, v vm.Value) func() {
		x := s.desk.read(c, v)
		return func() { f(x) }
	}
	return b.hang(ctx, func(obj vm.Value) (vm.Value, error) { return s.call(ctx, "store_watch", at, obj) }, "call")
}

// call calls a function of host_store.rnl.
func (s *Store) call(ctx context.Context, name string, at Address, more ...vm.Value) (vm.Value, error) {
	args := append(make([]vm.Value, 0, 3), s.object.Value(), vm.Value{})
	err := s.object.Instance().WithCall(ctx, func(c *vm.Call) { args[1] = bind.Arg(s.desk.store.address, c, at) })
	if err != nil {
		return vm.Value{}, err
	}
	return s.object.Instance().Invoke(ctx, s.desk.entries[name], append(args, more...))
}

// read returns a value of a store.
func (d *desk) read(c *vm.Call, v vm.Value) any { return bind.Read[any](d.store.optional, c, v) }

// Codec returns the codec of stores: see bind.Own.
func (*Store) Codec(b *bind.Table, id uint32) (*bind.Codec, error) {
	d := deskOf(b)
	if id != d.store.id || id == 0 || d.err != nil {
		return nil, fmt.Errorf("*reactive.Store is not a Go type for %s", b.Program().Types[id].Name)
	}
	if err := d.store.learn(b); err != nil {
		return nil, err
	}
	return bind.NewCodec(
		func(c *vm.Call, p **Store) vm.Value {
			s := *p
			switch {
			case s == nil:
				c.Throw(vm.ErrValue, "a nil *reactive.Store was given")
			case s.object.Instance() != c.Instance():
				c.Throw(vm.ErrValue, "the store belongs to another instance")
			}
			return s.object.Value()
		},
		func(c *vm.Call, v vm.Value, p **Store) { *p = &Store{d, c.Instance().NewHandle(c.NotNil(v))} }), nil
}

// storeTypes are what a desk knows of stores.
type storeTypes struct {
	id       uint32    // of Store, 0 where the program has none
	params   [3]uint32 // of store_set: a store, an address, an any
	result   uint32    // of store_get: any?
	address  *bind.Codec
	value    *bind.Codec
	optional *bind.Codec
}

// learn makes the codecs, when the first store is asked for.
func (t *storeTypes) learn(b *bind.Table) (err error) {
	if t.address, err = b.Codec(reflect.TypeFor[Address](), t.params[1]); err != nil {
		return err
	}
	if t.value, err = b.Codec(reflect.TypeFor[any](), t.params[2]); err != nil {
		return err
	}
	t.optional, err = b.Codec(reflect.TypeFor[any](), t.result)
	return err
}
