package bind

import (
	"reflect"
	"sync"

	"github.com/runnel-lang/runnel/vm"
)

// Own is a Go type that makes its own codecs, as package actor does for
// addresses and replies. Codec is called on its zero value.
type Own interface {
	Codec(b *Table, id uint32) (*Codec, error)
}

// Adopt says which Go types represent types of a program where Go has an any. Call it from init functions.
func Adopt(types func(b *Table) map[uint32]reflect.Type) { adopted = append(adopted, types) }

var adopted []func(b *Table) map[uint32]reflect.Type

// own is what a Table has of those who call Adopt.
type own struct {
	types  map[uint32]reflect.Type
	values sync.Map
}

func (b *Table) adopt() {
	b.own.types = map[uint32]reflect.Type{}
	for _, types := range adopted {
		for id, t := range types(b) {
			b.own.types[id] = t
		}
	}
}

// getOwn returns a value as the Go type that stands for its type.
func (b *Table) getOwn(c *vm.Call, t reflect.Type, id uint32, v vm.Value) any {
	codec, err := b.Locked(t, id)
	if err != nil {
		c.Throw(vm.ErrValue, "%v", err)
	}
	p := reflect.New(t)
	codec.get(c, v, p.UnsafePointer())
	return p.Elem().Interface()
}

// Expr returns the Runnel type that values of a Go type have in a module. It
// declares structs that the module has not declared yet.
func Expr(m *vm.Module, t reflect.Type) (string, error) {
	typ, _, err := of(m).expr(m, t)
	return typ, err
}

// Write adds a declaration to the source of a module, once all its types have names.
func Write(m *vm.Module, text func() (string, error)) {
	ds := of(m)
	ds.later = append(ds.later, func() {
		source, err := text()
		if err != nil {
			fail(m, err)
			return
		}
		write(m, "", source)
	})
}

// Program the table is of.
func (b *Table) Program() *vm.Program { return b.prog }

// GetOrInit returns the value that the first call for a key has made.
func (b *Table) GetOrInit(key any, make func() any) any {
	if x, ok := b.own.values.Load(key); ok {
		return x
	}
	x, _ := b.own.values.LoadOrStore(key, make())
	return x
}
