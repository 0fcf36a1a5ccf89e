package actor

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// desk is what hosts need of a program that imports the module: the functions of
// host.rnl, and the types that are addresses and places of answers.
type desk struct {
	entries map[string]vm.Callee
	err     error  // why there is none
	bell    uint32 // type of host.rnl's Bell
	letters uint32 // chan<DeadLetter>
	rows    uint32 // [Row]
	seen    uint32 // Seen
	stopped uint32 // of Stopped
	dropped uint32 // of TaskCancelled
	refs    map[uint32]bool
	replies map[uint32]answerTypes
}

// answerTypes of a Reply<R>: R, and task<R> or 0.
type answerTypes struct{ elem, task uint32 }

func (d *desk) entry(name string) vm.Callee { return d.entries[name] }

// entries are the functions of host.rnl that Go calls, with the kinds of result and
// parameters. A program that was not compiled here may have others of that name.
var entries = map[string][]bytecode.TypeKind{
	"by_id":           {bytecode.TOptional, bytecode.TInt},
	"by_name":         {bytecode.TOptional, bytecode.TStr},
	"stop":            {bytecode.TUnit, bytecode.TInterface},
	"kill":            {bytecode.TUnit, bytecode.TInterface},
	"watch":           {bytecode.TUnit, bytecode.TInterface, bytecode.TNative},
	"join":            {bytecode.TStruct, bytecode.TInterface},
	"lose":            {bytecode.TUnit, bytecode.TStr, bytecode.TAny, bytecode.TBool},
	"handle_overflow": {bytecode.TBool, bytecode.TAny, bytecode.TAny},
	"listen":          {bytecode.TChan, bytecode.TInt},
	"rows":            {bytecode.TList},
	"tree_text":       {bytecode.TStr, bytecode.TInt},
	"inspect":         {bytecode.TStruct, bytecode.TInterface, bytecode.TInt},
}

type deskKey struct{}

func deskOf(b *bind.Table) *desk {
	return b.GetOrInit(deskKey{}, func() any { return newDesk(b.Program()) }).(*desk)
}

// deskIn returns the desk of an instance's program.
func deskIn(in *vm.Instance) (*desk, error) {
	d := deskOf(bind.Of(in.Program()))
	return d, d.err
}

func newDesk(p *vm.Program) *desk {
	d := &desk{entries: map[string]vm.Callee{}, refs: map[uint32]bool{}, replies: map[uint32]answerTypes{}, dropped: p.ErrTypes[vm.ErrTaskCancelled]}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		switch file := p.Files[f.File].Name; {
		case file == "actor/host.rnl":
			if kinds := entries[f.Name]; kinds != nil && f.Has(p.Types, kinds[0], kinds[1:]...) {
				d.add(f, p.Callee(i))
			}
		case file == "actor/cell.rnl" && f.Name == "Ref.core" && len(f.Params) == 1 && isRef(p, f.Params[0]):
			d.refs[f.Params[0]] = true
		case file == "actor/core.rnl" && f.Name == "Stopped.message" && len(f.Params) == 1:
			d.stopped = f.Params[0]
		case strings.HasPrefix(file, "actor/"):
			d.err = errForged // if there is not all of it
		}
	}
	for id := range p.Types {
		if t := &p.Types[id]; t.Kind == bytecode.TNative && t.Decl == "actor.Reply" && len(t.Params) == 1 {
			d.replies[uint32(id)] = answersOf(p, uint32(id))
		}
	}
	switch {
	case len(d.entries) == len(entries):
		d.err = nil
	case d.err == nil:
		d.err = ErrNoActors
	}
	return d
}

func (d *desk) add(f *bytecode.Func, callee vm.Callee) {
	d.entries[f.Name] = callee
	switch f.Name {
	case "watch":
		d.bell = f.Params[1]
	case "listen":
		d.letters = f.Result
	case "rows":
		d.rows = f.Result
	case "inspect":
		d.seen = f.Result
	}
}

// isRef reports whether a type is a Ref<M> of the script.
func isRef(p *vm.Program, id uint32) bool {
	t := &p.Types[id]
	own := t.FieldOf("own", bytecode.TStruct, p.Types)
	return t.Kind == bytecode.TStruct && strings.HasPrefix(t.Name, "Ref<") && own != nil &&
		t.FieldOf("_box", bytecode.TChan, p.Types) != nil &&
		p.Types[own.Type].FieldOf("id", bytecode.TInt, p.Types) != nil &&
		p.Types[own.Type].FieldOf("name", bytecode.TStr, p.Types) != nil
}

// answersOf tells what goes into a Reply, and the type of the task that waits for it.
func answersOf(p *vm.Program, reply uint32) answerTypes {
	a := answerTypes{elem: p.Types[reply].Params[0]}
	for id := range p.Types {
		if t := &p.Types[id]; t.Kind == bytecode.TTask && t.Elem == a.elem && a.task == 0 {
			a.task = uint32(id)
		}
	}
	return a
}

func init() {
	Module.Native("Bell.ring", ring)
	bind.Adopt(func(b *bind.Table) map[uint32]reflect.Type {
		d, types := deskOf(b), map[uint32]reflect.Type{}
		for id := range d.refs {
			types[id] = reflect.TypeFor[*Ref]()
		}
		for id := range d.replies {
			types[id] = reflect.TypeFor[*Reply[any]]()
		}
		return types
	})
}

// Codec returns the codec of addresses: see bind.Own.
func (*Ref) Codec(b *bind.Table, id uint32) (*bind.Codec, error) {
	d := deskOf(b)
	if !d.refs[id] {
		return nil, fmt.Errorf("*actor.Ref is not a Go type for %s", b.Program().Types[id].Name)
	}
	return refCodec(d, id), d.err
}

// refCodec moves a *Ref, or what has one alone in it.
func refCodec(d *desk, id uint32) *bind.Codec {
	return bind.NewCodec(
		func(c *vm.Call, p **Ref) vm.Value {
			r := *p
			switch {
			case r == nil:
				c.Throw(vm.ErrValue, "a nil address was given")
			case r.object.Instance() != c.Instance():
				c.Throw(vm.ErrValue, "%s belongs to another instance", r.Name())
			case r.object.Object().TypeID() != id:
				c.Throw(vm.ErrValue, "%s takes other messages than a %s", r.Name(), c.Type(id).Name)
			}
			return r.object.Value()
		},
		func(c *vm.Call, v vm.Value, p **Ref) { *p = newRef(c, d, v) })
}

// RefTo is a Ref in a message to an actor written in Go: a script's
// actor.Ref<M>. RefTo[string], for example, is the address of an actor that
// accepts strings.
//
//	type Subscribe struct{ Who actor.RefTo[float64] }
type RefTo[M any] struct{ *Ref }

func (RefTo[M]) message() reflect.Type { return reflect.TypeFor[M]() }

// Codec returns the codec of addresses with the type of their messages: see bind.Own.
func (RefTo[M]) Codec(b *bind.Table, id uint32) (*bind.Codec, error) {
	p := b.Program()
	if !isRef(p, id) {
		return nil, fmt.Errorf("%s is not a Go type for %s", reflect.TypeFor[RefTo[M]](), p.Types[id].Name)
	}
	box := p.Types[id].FieldOf("_box", bytecode.TChan, p.Types)
	if _, err := b.Codec(reflect.TypeFor[M](), p.Types[box.Type].Elem); err != nil {
		return nil, err
	}
	d := deskOf(b)
	return refCodec(d, id), d.err
}
