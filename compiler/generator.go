package compiler

import (
	"fmt"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// A generator is compiled to two functions. The one that is called puts its
// parameters, and what else the body uses from around, into a frame: an object that is
// an Iterator. Its next() is the other one, the body:
//
//	to the place of frame.state: start | done | behind the first yield | ... | running
//	yield x:   frame = the registers in use; frame.state = n; return x
//	           place n: frame.state = running; the registers = frame
//
// Nothing else is kept of it, and nothing is to be released: a frame that nobody
// uses is garbage.

// States of a frame; a yield's are those from stateYield on.
const (
	stateStart = iota
	stateDone
	stateYield

	stateRunning = -1 // as it is larger than all others, the last entry of the jump table
)

// frame is the object in which a generator keeps what it needs to go on.
type frame struct {
	typ    *types.Named
	id     uint32
	kinds  []uint32   // of the fields: what objectOf gives for what is in them; the first is the state
	fixed  int        // so many registers, and fields, behind the first never change
	uses   []fieldUse // to be completed when all fields are known
	places []int      // where the code of each state begins
}

// fieldUse is an instruction that accesses a field.
type fieldUse struct{ at, field int }

func yields(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Lambda:
		return n.Yields
	case *syntax.FnDecl:
		return n.Yields
	}
	return false
}

// generator compiles the function that is called: it makes the frame.
func (b *builder) generator(body syntax.Expr) {
	locals := b.freeLocals(body)
	f := b.c.newFrame(b.result)
	b.c.resume(b, f, body, b.captures(locals))
	b.at(body)
	first := b.allocN(len(f.kinds))
	b.loadInt(first, stateStart)
	b.captured(locals, first+1)
	for i := 1 + len(locals); i < len(f.kinds); i++ {
		if f.kinds[i] == 0 {
			b.loadInt(first+i, 0)
		} else {
			b.emit(bytecode.LDNIL, pr(first+i), 0, 0)
		}
	}
	d := b.alloc()
	b.emit(bytecode.NEW, pr(d), uint16(f.id), pr(first))
	b.defType(d, f.typ)
	b.emitRet(b.convert(d, f.typ, b.result, -1))
}

// captures tells how locals are captured.
func (b *builder) captures(locals []*types.Local) []capture {
	caps := make([]capture, len(locals))
	for i, l := range locals {
		caps[i] = capture{local: l, typ: b.subst.Apply(l.Type), cell: b.locals[l].cell}
	}
	return caps
}

// newFrame makes the type of a generator's frame, which has fields when the body is
// compiled.
func (c *compiler) newFrame(result types.Type) *frame {
	decl := *c.prog.PreludeName("Generator").(*types.TypeDecl)
	decl.Name = fmt.Sprintf("Generator %d", len(c.generators))
	t := &types.Named{Decl: &decl, Args: types.Prune(result).(*types.Named).Args}
	f := &frame{typ: t, id: c.typeID(t)}
	c.generators[&decl] = 0
	return f
}

// resume compiles the function that goes on.
func (c *compiler) resume(outer *builder, f *frame, body syntax.Expr, caps []capture) {
	result := types.NewOptional(f.typ.Args[0])
	index := c.reserve(bytecode.Func{Name: outer.name, Params: []uint32{f.id}, Result: c.typeID(result)}, body.Span())
	c.generators[f.typ.Decl] = index
	build := func(far bool) *builder {
		b := c.newBuilder(outer.module, outer.info, outer.subst, result, far)
		b.name, b.selfVar, b.self, b.statics = outer.name, outer.selfVar, outer.self, outer.statics
		b.frame = f
		f.kinds, f.uses, f.places = []uint32{0}, nil, make([]int, stateYield)
		b.resumable(body, caps)
		return b
	}
	b := build(false)
	if b.tooFar {
		b = build(true)
	}
	c.finishFunc(index, b)
}

// resumable compiles the body of a generator.
func (b *builder) resumable(body syntax.Expr, caps []capture) {
	f := b.frame
	b.def(b.alloc(), f.id)
	b.snapshot()
	b.at(body)
	state := b.alloc()
	b.get(kept{state, 0})
	b.setTop(state)
	jump := b.emit(bytecode.SWITCH, ir(state), 0, 0)
	b.exit = newLabel()

	f.places[stateStart] = b.begin()
	b.addState(stateRunning - stateStart)
	for _, cp := range caps {
		k := kept{b.alloc(), len(f.kinds)}
		f.kinds = append(f.kinds, b.c.kindOf(cp))
		b.get(k)
		b.locals[cp.local] = slot{reg: k.reg, cell: cp.cell}
	}
	f.fixed = len(caps)
	from := len(b.code)
	b.discard(body)
	b.endPos(body)
	b.emitReturn(-1)
	to := len(b.code)

	if b.exit.known {
		b.bind(b.exit)
		b.setTop(1)
		b.finished()
		b.returnNone()
	}
	f.places[stateDone] = b.begin()
	b.returnNone()
	b.failing(from, to)
	b.runsAlready()
	b.completeFrame(jump)
}

// begin is a place where a state begins: nothing but the frame is known there.
func (b *builder) begin() int {
	b.dead = true
	b.setTop(1)
	l := &label{pos: -1, known: true, state: []uint32{b.frame.id}}
	b.bind(l)
	return l.pos
}

// kindOf tells what field a captured local needs.
func (c *compiler) kindOf(cp capture) uint32 {
	if cp.cell {
		return c.cellType(cp.typ)
	}
	return c.objectOf(c.typeID(cp.typ))
}

func (b *builder) returnNone() {
	none := b.alloc()
	b.emit(bytecode.LDNIL, pr(none), 0, 0)
	b.emitRet(none)
}

// finished makes the frame one that gives nothing any more, and refers to nothing.
func (b *builder) finished() {
	none := b.alloc()
	b.loadInt(none, stateDone)
	b.put(kept{none, 0})
	b.emit(bytecode.LDNIL, pr(none), 0, 0)
	for i, kind := range b.frame.kinds {
		if kind != 0 {
			b.put(kept{none, i})
		}
	}
}

// failing ends the generator where an error leaves its body.
func (b *builder) failing(from, to int) {
	if to == from {
		return
	}
	const caught = 1
	b.setTop(caught + 1)
	pad := &label{pos: -1, known: true, state: []uint32{b.frame.id, b.c.typeID(b.c.errorType())}}
	b.bind(pad)
	b.handlers = append(b.handlers, bytecode.Handler{Start: uint32(from), End: uint32(to), Target: uint32(pad.pos), Reg: caught})
	b.finished()
	b.emit(bytecode.RETHROW, pr(caught), 0, 0)
	b.dead = true
}

// runsAlready throws: next() was called while the generator runs.
func (b *builder) runsAlready() {
	b.frame.places = append(b.frame.places, b.begin())
	fn := b.c.prog.PreludeName("generator_runs").(*types.FuncDecl)
	b.emitCall(fn, nil, nil, nil, b.newWindow(0))
	b.emit(bytecode.TRAP, 0, 0, 0)
	b.dead = true
}

// completeFrame fills in what is known when the body is compiled: the fields of the
// frame, and where its states begin.
func (b *builder) completeFrame(jump int) {
	c, f := b.c, b.frame
	fields := make([]bytecode.Field, len(f.kinds))
	for i, kind := range f.kinds {
		switch kind {
		case 0:
			fields[i] = bytecode.Field{Type: bytecode.IDInt, Rep: bytecode.RepI}
		case bytecode.IDAny:
			fields[i] = c.field("", types.NewOptional(types.Any))
		default:
			fields[i] = bytecode.Field{Type: c.orNone(kind), Rep: bytecode.RepP}
		}
	}
	fields[0].Name = "state"
	layout := c.place(fields, c.here, "a generator", "give it a struct, a list or a map")
	t := &c.out.Types[f.id]
	*t = bytecode.Type{Kind: bytecode.TFrame, Rep: bytecode.RepP, Name: "Generator<" + f.typ.Args[0].String() + ">", Fields: fields, Layout: layout}
	for _, u := range f.uses {
		b.code[u.at] |= fieldOperand(b.code[u.at], fields[u.field])
	}
	if jump >= 0 {
		table := c.newTable(len(f.places))
		b.code[jump] |= uint64(table) << 32
		for i, pos := range f.places {
			b.tables = append(b.tables, tableRef{table, i, pos})
		}
	}
}

// fieldOperand is the offset of a field where an instruction that accesses it has it.
func fieldOperand(w uint64, f bytecode.Field) uint64 {
	switch bytecode.OpOf(w) {
	case bytecode.GETI:
		return uint64(f.Off) << 48
	case bytecode.GETP:
		return uint64(f.POff) << 48
	case bytecode.SETI, bytecode.ADDMI:
		return uint64(f.Off) << 32
	}
	return uint64(f.POff) << 32
}

// orNone is the type of the places for objects of a type that are empty at first.
func (c *compiler) orNone(id uint32) uint32 {
	if c.out.Types[id].Kind == bytecode.TOptional {
		return id
	}
	key := fmt.Sprint("none or ", id)
	if opt, ok := c.idByKey[key]; ok {
		return opt
	}
	opt := uint32(len(c.out.Types))
	if opt > maxTypes {
		c.tooLarge(c.here, "types after its generic ones are made concrete", maxTypes, "use generic types with fewer arguments: an interface or `any` is one type")
		return bytecode.IDInvalid
	}
	c.out.Types = append(c.out.Types, bytecode.Type{Kind: bytecode.TOptional, Rep: bytecode.RepP, Name: c.out.Types[id].Name + "?", Elem: id})
	c.static = append(c.static, nil)
	c.idByKey[key] = opt
	return opt
}
