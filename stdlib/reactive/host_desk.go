package reactive

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// desk is what hosts need of a program that imports the module: the functions of
// host.rnl, and the types that are cells and computeds.
type desk struct {
	entries map[string]vm.Callee
	changes uint32 // [fn()]
	bell    uint32 // type of port.rnl's Bell, as the next two are of host.rnl
	ear     uint32
	panic   uint32
	sources map[uint32]source
	store   storeTypes
}

// source is a Cell<T> or Computed<T>.
type source struct {
	elem     uint32 // T
	settable bool
	node     *bytecode.Field // its place in the graph
	name, id *bytecode.Field // of that
}

// label is what one is called in messages.
func (s *source) label(c *vm.Call, obj unsafe.Pointer) string {
	node := c.NotNil(vm.Field(obj, s.node).Ptr())
	name := c.Text(vm.Field(node, s.name))
	switch {
	case name != "":
		return strings.Clone(name)
	case s.settable:
		return fmt.Sprintf("cell#%d", vm.Field(node, s.id).Int())
	}
	return fmt.Sprintf("computed#%d", vm.Field(node, s.id).Int())
}

type deskKey struct{}

func deskOf(b *bind.Table) *desk {
	return b.Kept(deskKey{}, func() any { return newDesk(b.Program()) }).(*desk)
}

func newDesk(p *vm.Program) *desk {
	d := &desk{entries: map[string]vm.Callee{}, sources: map[uint32]source{}}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		switch file := p.Files[f.File].Name; {
		case file == "reactive/cells.rnl" && (f.Name == "Cell.ports" || f.Name == "Computed.ports"):
			d.sources[f.Params[0]] = sourceOf(p, f.Params[0], f.Name == "Cell.ports")
		case file == "reactive/store.rnl" && f.Name == "Store.get":
			d.store.id = f.Params[0]
		case file == "reactive/host_store.rnl":
			d.entries[f.Name] = p.Callee(i)
			switch f.Name {
			case "store_get":
				d.store.result = f.Result
			case "store_set":
				copy(d.store.params[:], f.Params)
			}
		case file == "reactive/host.rnl":
			d.entries[f.Name] = p.Callee(i)
			switch f.Name {
			case "batch":
				d.changes = f.Params[0]
			case "subscribe":
				d.bell = f.Params[2]
			case "on_error":
				d.ear = f.Params[0]
			case "panicked":
				d.panic = f.Params[1]
			}
		}
	}
	return d
}

func sourceOf(p *vm.Program, id uint32, cell bool) source {
	fields := p.Types[id].Fields
	s := source{settable: cell, node: fieldNamed(fields, "_node"), elem: fieldNamed(fields, "value").Type}
	if !cell { // T?, none until it is computed
		s.elem = p.Types[s.elem].Elem
	}
	node := p.Types[s.node.Type].Fields
	s.name, s.id = fieldNamed(node, "name"), fieldNamed(node, "id")
	return s
}

func fieldNamed(fields []bytecode.Field, name string) *bytecode.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// deskIn gives the desk of an instance's program.
func deskIn(in *vm.Instance) (*desk, error) {
	d := deskOf(bind.Of(in.Program()))
	if d.bell == 0 {
		return nil, errNoReactive
	}
	return d, nil
}

func init() {
	bind.Adopt(func(b *bind.Table) map[uint32]reflect.Type {
		types := map[uint32]reflect.Type{}
		for id, s := range deskOf(b).sources {
			if s.settable {
				types[id] = reflect.TypeFor[*Cell[any]]()
			} else {
				types[id] = reflect.TypeFor[*Value[any]]()
			}
		}
		if id := deskOf(b).store.id; id != 0 {
			types[id] = reflect.TypeFor[*Store]()
		}
		return types
	})
}
