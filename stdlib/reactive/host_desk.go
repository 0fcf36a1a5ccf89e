package reactive

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// desk is what hosts need of a program that imports the module: the functions of
// host.rnl and host_store.rnl, and the types that are cells and computeds.
type desk struct {
	entries map[string]vm.Callee
	err     error  // why there is none
	changes uint32 // [fn()]
	bell    uint32 // type of port.rnl's Bell, as the next two are of host.rnl
	ear     uint32
	panic   uint32
	sources map[uint32]source
	store   storeTypes
}

// entries are the functions of the two files that Go calls, with the kinds of result
// and parameters. A program that was not compiled here may have others of that name.
var entries = map[string][]bytecode.TypeKind{
	"ports":       {bytecode.TStruct, bytecode.TInterface},
	"version":     {bytecode.TInt, bytecode.TStruct},
	"batch":       {bytecode.TUnit, bytecode.TList},
	"swap":        {bytecode.TBool, bytecode.TStruct, bytecode.TInt, bytecode.TFunc},
	"subscribe":   {bytecode.TStruct, bytecode.TStruct, bytecode.TFunc, bytecode.TNative},
	"unsubscribe": {bytecode.TUnit, bytecode.TStruct},
	"idle":        {bytecode.TUnit},
	"on_error":    {bytecode.TFunc, bytecode.TNative},
	"call":        {bytecode.TUnit, bytecode.TFunc},
	"outcome":     {bytecode.TUnit, bytecode.TTask},
	"panicked":    {bytecode.TUnit, bytecode.TStr, bytecode.TNative, bytecode.TBool},
	"callers":     {bytecode.TNative},

	"store_get":    {bytecode.TOptional, bytecode.TInterface, bytecode.TStruct},
	"store_set":    {bytecode.TUnit, bytecode.TInterface, bytecode.TStruct, bytecode.TAny},
	"store_remove": {bytecode.TUnit, bytecode.TInterface, bytecode.TStruct},
	"store_watch":  {bytecode.TFunc, bytecode.TInterface, bytecode.TStruct, bytecode.TNative},
}

// source is a Cell<T> or Computed<T>.
type source struct {
	elem     uint32 // T
	settable bool
}

// label is what one is called in messages.
func (s *source) label(c *vm.Call, v vm.Value) string {
	node := c.Part(v, "_node", bytecode.TStruct)
	name, id := c.Text(c.Part(node, "name", bytecode.TStr)), c.Part(node, "id", bytecode.TInt).Int()
	switch {
	case name != "":
		return strings.Clone(name)
	case s.settable:
		return fmt.Sprintf("cell#%d", id)
	}
	return fmt.Sprintf("computed#%d", id)
}

type deskKey struct{}

func deskOf(b *bind.Table) *desk {
	return b.GetOrInit(deskKey{}, func() any { return newDesk(b.Program()) }).(*desk)
}

func newDesk(p *vm.Program) *desk {
	d := &desk{entries: map[string]vm.Callee{}, sources: map[uint32]source{}}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		switch file := p.Files[f.File].Name; {
		case file == "reactive/cells.rnl" && (f.Name == "Cell.ports" || f.Name == "Computed.ports") && len(f.Params) == 1:
			if s, ok := sourceOf(p, f.Params[0], f.Name == "Cell.ports"); ok {
				d.sources[f.Params[0]] = s
			}
		case file == "reactive/store.rnl" && f.Name == "Store.get" && len(f.Params) > 0:
			d.store.id = f.Params[0]
		case file == "reactive/host.rnl" || file == "reactive/host_store.rnl":
			if kinds := entries[f.Name]; kinds != nil && f.Has(p.Types, kinds[0], kinds[1:]...) {
				d.add(f, p.Callee(i))
			}
		case strings.HasPrefix(file, "reactive/"):
			d.err = errForged // if there is not all of it
		}
	}
	switch {
	case len(d.entries) == len(entries):
		d.err = nil
	case d.err == nil:
		d.err = errNoReactive
	}
	return d
}

func (d *desk) add(f *bytecode.Func, callee vm.Callee) {
	d.entries[f.Name] = callee
	switch f.Name {
	case "batch":
		d.changes = f.Params[0]
	case "subscribe":
		d.bell = f.Params[2]
	case "on_error":
		d.ear = f.Params[0]
	case "panicked":
		d.panic = f.Params[1]
	case "store_get":
		d.store.result = f.Result
	case "store_set":
		copy(d.store.params[:], f.Params)
	}
}

// sourceOf finds out what a Cell<T> or Computed<T> is of.
func sourceOf(p *vm.Program, id uint32, cell bool) (s source, ok bool) {
	kind := bytecode.TOptional // none until it is computed
	if cell {
		kind = bytecode.TInvalid
	}
	value := p.Types[id].FieldOf("value", kind, p.Types)
	if p.Types[id].Kind != bytecode.TStruct || value == nil {
		return s, false
	}
	if cell {
		return source{value.Type, true}, true
	}
	return source{p.Types[value.Type].Elem, false}, true
}

// deskIn returns the desk of an instance's program.
func deskIn(in *vm.Instance) (*desk, error) {
	d := deskOf(bind.Of(in.Program()))
	return d, d.err
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
