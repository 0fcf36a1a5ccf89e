package compiler

import (
	"math"
	"slices"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// ---- names ----

func (b *builder) ident(e *syntax.Ident, t types.Type, dst int) int {
	return b.object(e, b.info.Uses[e.ID()], b.args(b.info.Insts[e.ID()]), t, dst)
}

// object compiles the use of a name as a value of type t.
func (b *builder) object(n syntax.Node, obj types.Object, args []types.Type, t types.Type, dst int) int {
	switch o := obj.(type) {
	case *types.Local:
		declared := b.subst.Apply(o.Type)
		if types.Identical(declared, t) || isNever(t) {
			return b.local(o, dst)
		}
		mark := b.top
		r := b.local(o, -1)
		if dst < 0 {
			return b.settle(b.convert(r, declared, t, -1), mark)
		}
		b.convert(r, declared, t, dst)
		b.setTop(mark)
		return dst
	case *types.Global:
		return b.global(o, t, dst)
	case *types.ConstObj:
		return b.constant(o.Value, b.subst.Apply(o.Type), t, dst)
	case *types.FuncDecl:
		d := b.dst(dst)
		b.c.available(n, o, nil)
		b.emit(bytecode.LDFN, pr(d), uint16(b.c.funcValue(o, args, t)), 0)
		b.defType(d, t)
		return d
	case *types.VariantRef:
		return b.variantValue(o, t, dst)
	}
	b.c.internal(n, "this name has no value")
	return b.dst(dst)
}

// local returns the register of a local, or loads it from its cell or capture.
func (b *builder) local(l *types.Local, dst int) int {
	if index, ok := b.statics[l]; ok {
		d := b.dst(dst)
		b.emit(bytecode.LDFN, pr(d), uint16(index), 0)
		b.defType(d, b.subst.Apply(l.Type))
		return d
	}
	s, ok := b.locals[l]
	if !ok {
		if b.c.failed == nil {
			b.c.internalAt(l.At, "local "+l.Name+" has no register")
		}
		return b.dst(dst)
	}
	t := b.subst.Apply(l.Type)
	rep := b.c.rep(t)
	switch {
	case !s.up && !s.cell:
		if dst < 0 {
			return s.reg
		}
		b.move(dst, s.reg, rep)
		return dst
	case !s.cell:
		d := b.dst(dst)
		if rep != bytecode.RepP {
			b.emit(bytecode.UPI, ir(d), s.f.Off, 0)
		}
		if rep != bytecode.RepI {
			b.emit(bytecode.UPP, pr(d), s.f.POff, 0)
			b.defType(d, t)
		}
		return d
	case s.up && rep == bytecode.RepI && !b.c.opts.Plain:
		d := b.dst(dst)
		b.emit(bytecode.UCGETI, ir(d), s.f.POff, 0)
		return d
	}
	cell, f := b.cellOf(s, t)
	d := b.dst(dst)
	b.getField(d, cell, f)
	return d
}

// cellOf returns the register of a local's cell, loading a captured one, and the
// field in it.
func (b *builder) cellOf(s slot, t types.Type) (int, bytecode.Field) {
	id := b.c.cellType(t)
	f := b.c.out.Types[id].Fields[0]
	if !s.up {
		return s.reg, f
	}
	r := b.alloc()
	b.emit(bytecode.UPP, pr(r), s.f.POff, 0)
	b.def(r, id)
	return r, f
}

// setLocal stores register r into a local.
func (b *builder) setLocal(l *types.Local, r int) {
	s := b.locals[l]
	t := b.subst.Apply(l.Type)
	rep := b.c.rep(t)
	switch {
	case !s.cell:
		b.moveAs(s.reg, r, t)
	case s.up && rep == bytecode.RepI && !b.c.opts.Plain:
		b.emit(bytecode.UCSETI, ir(r), s.f.POff, 0)
	default:
		mark := b.top
		b.setTopAtLeast(r + 1)
		cell, f := b.cellOf(s, t)
		b.setField(cell, r, f)
		b.setTop(mark)
	}
}

func (b *builder) global(g *types.Global, t types.Type, dst int) int {
	declared := b.subst.Apply(g.Type)
	if !types.Identical(declared, t) && !isNever(t) {
		mark := b.top
		r := b.global(g, declared, -1)
		if dst < 0 {
			return b.settle(b.convert(r, declared, t, -1), mark)
		}
		b.convert(r, declared, t, dst)
		b.setTop(mark)
		return dst
	}
	if r, ok := b.globals[g]; ok {
		if dst < 0 {
			return r
		}
		b.move(dst, r, b.c.rep(t))
		return dst
	}
	i := b.c.globalIndex(g)
	rep := b.c.rep(t)
	d := b.dst(dst)
	checked := b.c.initDone(b, g)
	if !checked && (rep != bytecode.RepP || isOptional(t)) {
		b.emitK(bytecode.GCHECK, 0, int32(i))
	}
	if rep != bytecode.RepP {
		b.emitK(bytecode.GGETI, ir(d), int32(i*16+8))
	}
	if rep != bytecode.RepI {
		op := bytecode.GGETP
		if isOptional(t) {
			op = bytecode.GGETO
		}
		b.emitK(op, pr(d), int32(i*16))
		b.defType(d, t)
	}
	return d
}

func (b *builder) setGlobal(g *types.Global, r int) {
	t := b.subst.Apply(g.Type)
	rep := b.c.rep(t)
	if reg, ok := b.globals[g]; ok {
		b.moveAs(reg, r, t)
		return
	}
	i := b.c.globalIndex(g)
	if rep != bytecode.RepP {
		b.emitK(bytecode.GSETI, ir(r), int32(i*16+8))
	}
	if rep != bytecode.RepI {
		b.emitK(bytecode.GSETP, pr(r), int32(i*16))
	}
}

// variantValue: a variant without fields is a value, one with fields a function.
func (b *builder) variantValue(v *types.VariantRef, t types.Type, dst int) int {
	if ft, ok := types.Prune(t).(*types.Func); ok && len(v.Variant.Fields) > 0 {
		d := b.dst(dst)
		b.emit(bytecode.LDFN, pr(d), uint16(b.c.variantFunc(v, ft)), 0)
		b.defType(d, t)
		return d
	}
	d := b.dst(dst)
	b.loadVariant(d, t, v.Variant)
	return d
}

func (b *builder) loadVariant(d int, t types.Type, v *types.VariantDecl) {
	if b.c.rep(t) == bytecode.RepI {
		b.loadInt(d, int64(v.Tag))
		return
	}
	b.loadEnum(d, bytecode.EnumConst{Type: b.c.typeID(t), Tag: uint16(v.Tag)})
}

// ---- fields ----

func (b *builder) getField(d, obj int, f bytecode.Field) {
	// The pointer word is read last: d may be the object's own register.
	if f.Rep != bytecode.RepP {
		b.emit(bytecode.GETI, ir(d), pr(obj), f.Off)
	}
	if f.Rep != bytecode.RepI {
		b.emit(bytecode.GETP, pr(d), pr(obj), f.POff)
		b.def(d, f.Type)
	}
}

func (b *builder) setField(obj, r int, f bytecode.Field) {
	if f.Rep != bytecode.RepP {
		b.emit(bytecode.SETI, pr(obj), f.Off, ir(r))
	}
	if f.Rep != bytecode.RepI {
		b.emit(bytecode.SETP, pr(obj), f.POff, pr(r))
	}
}

// structField finds a field's place in the object of a struct type.
func (b *builder) structField(t types.Type, index int) bytecode.Field {
	return b.c.out.Types[b.c.typeID(t)].Fields[index]
}

func (b *builder) member(e *syntax.Member, t types.Type, dst int) int {
	mi := b.info.Members[e]
	if mi == nil || mi.Kind == types.MemModule || mi.Kind == types.MemVariant || mi.Kind == types.MemStatic {
		return b.object(e, b.info.Uses[e.ID()], b.args(b.info.Insts[e.ID()]), t, dst)
	}
	if e.Safe {
		return b.safe(e.X, t, dst, func(recv int, rt types.Type, d int) types.Type {
			b.memberOf(mi, recv, rt, d)
			return b.subst.Apply(mi.Type)
		})
	}
	mark := b.top
	obj := b.expr(e.X, nil, -1)
	xt := b.typeOf(e.X)
	if mi.Kind == types.MemMethod {
		b.setTop(max(mark, obj+1))
		d := b.dst(dst)
		b.boundMethod(mi, obj, xt, d)
		if dst < 0 {
			return b.settle(d, mark)
		}
		b.setTop(mark)
		return d
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.memberOf(mi, obj, xt, d)
	return d
}

// memberOf reads a field, tuple element or bound method of the value in obj into d.
func (b *builder) memberOf(mi *types.MemberInfo, obj int, xt types.Type, d int) {
	switch mi.Kind {
	case types.MemField:
		b.getField(d, obj, b.structField(xt, mi.Field.Index))
	case types.MemTuple:
		b.getField(d, obj, b.structField(xt, mi.Index))
	case types.MemMethod:
		b.boundMethod(mi, obj, xt, d)
	}
}

// safe compiles x?.something: none when x is none, else what then leaves in d,
// a value of the type it returns, made optional.
func (b *builder) safe(x syntax.Expr, t types.Type, dst int, then func(recv int, rt types.Type, d int) types.Type) int {
	d := b.dst(dst)
	mark := b.top
	xt := b.typeOf(x)
	none, end := newLabel(), newLabel()
	r := b.temp(x, nil)
	b.jumpWide(bytecode.JNIL, pr(r), none)
	in := b.inner(r, xt, -1)
	b.setTopAtLeast(max(in, r) + 1)
	res := b.alloc()
	got := then(in, optElem(xt), res)
	b.convert(res, got, t, d)
	b.jump(end)
	b.bind(none)
	b.setTop(mark)
	if !isUnit(t) {
		b.emit(bytecode.LDNIL, pr(d), 0, 0)
	}
	b.defType(d, t)
	b.bind(end)
	b.defType(d, t)
	return d
}

// ---- indexing ----

func (b *builder) index(e *syntax.Index, t types.Type, dst int) int {
	mark := b.top
	xt := types.Prune(b.typeOf(e.X))
	x := b.expr(e.X, nil, -1)
	if x < mark && !b.simple(e.I) {
		x = b.copyTemp(x, bytecode.RepP)
	}
	if r, ok := unparen(e.I).(*syntax.RangeLit); ok {
		return b.slice(xt, x, r, mark, dst)
	}
	if n, ok := types.Prune(b.typeOf(e.I)).(*types.Named); ok && n.Decl.Name == "range" {
		return b.sliceBy(xt, x, e.I, mark, dst)
	}
	if m, ok := xt.(*types.App); ok && m.Ctor == types.CMap {
		k := b.expr(e.I, m.Args[0], -1)
		b.setTop(mark)
		d := b.dst(dst)
		b.emit(bytecode.MGET, pr(d), pr(x), pr(k))
		b.defType(d, m.Args[1])
		return d
	}
	l, ok := xt.(*types.App)
	if k, isConst := b.num(e.I, false); ok && isConst && k <= math.MaxUint16 && b.c.listOps(l.Args[0]).get == bytecode.LGETI {
		b.setTop(mark)
		d := b.dst(dst)
		b.emit(bytecode.LGETIK, ir(d), pr(x), uint16(k))
		return d
	}
	i := b.expr(e.I, types.Int, -1)
	b.setTop(mark)
	d := b.dst(dst)
	if !ok {
		b.emit(bytecode.BGET, ir(d), pr(x), ir(i))
		return d
	}
	op := b.c.listOps(l.Args[0]).get
	b.emit(op, operand(d, b.c.rep(l.Args[0])), pr(x), ir(i))
	b.defType(d, l.Args[0])
	return d
}

func operand(r int, rep bytecode.Rep) uint16 {
	if rep == bytecode.RepI {
		return ir(r)
	}
	return pr(r)
}

func (b *builder) slice(xt types.Type, x int, r *syntax.RangeLit, mark, dst int) int {
	from := b.allocN(2)
	if r.Lo != nil {
		b.expr(r.Lo, types.Int, from)
	} else {
		b.loadInt(from, 0)
	}
	switch {
	case r.Hi == nil && isText(xt):
		b.emit(bytecode.SLEN, ir(from+1), pr(x), 0)
	case r.Hi == nil:
		b.emit(bytecode.LLEN, ir(from+1), pr(x), 0)
	default:
		b.expr(r.Hi, types.Int, from+1)
		if r.Inclusive {
			b.emit(bytecode.ADDI, ir(from+1), ir(from+1), 1)
		}
	}
	return b.emitSlice(xt, x, from, mark, dst)
}

func (b *builder) sliceBy(xt types.Type, x int, i syntax.Expr, mark, dst int) int {
	rt := b.typeOf(i)
	r := b.temp(i, nil)
	from := b.allocN(2)
	b.getField(from, r, b.structField(rt, 0))
	b.getField(from+1, r, b.structField(rt, 1))
	return b.emitSlice(xt, x, from, mark, dst)
}

func (b *builder) emitSlice(xt types.Type, x, from, mark, dst int) int {
	op := bytecode.LSLICE
	if isText(xt) {
		op = bytecode.SSLICE
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.emit(op, pr(d), pr(x), pr(from))
	b.defType(d, xt)
	return d
}

// ---- literals ----

func (b *builder) listLit(e *syntax.ListLit, t types.Type, dst int) int {
	elem := types.Prune(t).(*types.App).Args[0]
	id := uint16(b.c.typeID(t))
	mark := b.top
	if slices.ContainsFunc(e.Elems, isSpread) {
		return b.spreadList(e, t, dst)
	}
	// Long literals are pushed in parts so that they need few registers.
	part := 64
	if b.c.opts.Plain {
		part = 1
	}
	n := len(e.Elems)
	l := -1
	for i := 0; i == 0 || i < n; i += part {
		size := min(part, n-i)
		if i == 0 && n <= part {
			first := b.allocN(size)
			for k := range size {
				b.expr(e.Elems[k], elem, first+k)
			}
			b.setTop(mark)
			l = b.dst(dst)
			b.emitImm(bytecode.MKLIST, pr(l), id, pr(first), uint64(size))
			b.defType(l, t)
			return l
		}
		if i == 0 {
			l = b.alloc()
			b.emit(bytecode.NEWLIST, pr(l), id, uint16(min(n, math.MaxInt16)))
			b.defType(l, t)
		}
		for k := range size {
			m := b.top
			r := b.expr(e.Elems[i+k], elem, -1)
			b.push(l, r, elem)
			b.setTop(m)
		}
	}
	if dst < 0 {
		return b.settle(l, mark)
	}
	b.move(dst, l, bytecode.RepP)
	b.setTop(mark)
	return dst
}

func isSpread(e syntax.Expr) bool {
	_, ok := e.(*syntax.Spread)
	return ok
}

// spreadList compiles a literal that takes the elements of other lists.
func (b *builder) spreadList(e *syntax.ListLit, t types.Type, dst int) int {
	elem := types.Prune(t).(*types.App).Args[0]
	mark := b.top
	l := b.alloc()
	b.emit(bytecode.NEWLIST, pr(l), uint16(b.c.typeID(t)), uint16(len(e.Elems)))
	b.defType(l, t)
	for _, x := range e.Elems {
		m := b.top
		s, ok := x.(*syntax.Spread)
		if !ok {
			b.push(l, b.expr(x, elem, -1), elem)
			b.setTop(m)
			continue
		}
		from := types.Prune(b.typeOf(s.X)).(*types.App).Args[0]
		list := b.temp(s.X, nil)
		each := b.allocN(2) // element, next index
		b.listLoop(list, each, from, func() {
			b.push(l, b.convert(each, from, elem, -1), elem)
		})
		b.setTop(m)
	}
	if dst < 0 {
		return b.settle(l, mark)
	}
	b.move(dst, l, bytecode.RepP)
	b.setTop(mark)
	return dst
}

// push appends register r to the list in l.
func (b *builder) push(l, r int, elem types.Type) {
	switch {
	case isBasic(elem, types.KBool):
		b.emit(bytecode.LPUSHB, pr(l), ir(r), 0)
	case b.c.rep(elem) == bytecode.RepI:
		b.emit(bytecode.LPUSHI, pr(l), ir(r), 0)
	case b.c.rep(elem) == bytecode.RepP:
		b.emit(bytecode.LPUSHP, pr(l), pr(r), 0)
	default:
		b.emit(bytecode.LPUSH, pr(l), pr(r), uint16(b.c.typeID(elem)))
	}
}

func (b *builder) mapLit(e *syntax.MapLit, t types.Type, dst int) int {
	app := types.Prune(t).(*types.App)
	mark := b.top
	m := b.alloc()
	b.emit(bytecode.NEWMAP, pr(m), uint16(b.c.typeID(t)), 0)
	b.defType(m, t)
	for _, en := range e.Entries {
		at := b.top
		k := b.expr(en.Key, app.Args[0], -1)
		if !b.simple(en.Value) && k < at {
			k = b.copyTemp(k, b.c.rep(app.Args[0]))
		}
		v := b.expr(en.Value, app.Args[1], -1)
		b.emit(bytecode.MSET, pr(m), pr(k), pr(v))
		b.setTop(at)
	}
	if dst < 0 {
		return b.settle(m, mark)
	}
	b.move(dst, m, bytecode.RepP)
	b.setTop(mark)
	return dst
}

func (b *builder) tupleLit(e *syntax.TupleLit, t types.Type, dst int) int {
	if isNever(t) { // one of its elements is
		for _, x := range e.Elems {
			b.expr(x, nil, -1)
		}
		return b.dst(dst)
	}
	args := types.Prune(t).(*types.App).Args
	mark := b.top
	first := b.allocN(len(e.Elems))
	for i, x := range e.Elems {
		b.expr(x, args[i], first+i)
	}
	return b.newObject(t, first, mark, dst)
}

// newObject emits NEW with the fields from register first on.
func (b *builder) newObject(t types.Type, first, mark, dst int) int {
	b.setTop(mark)
	d := b.dst(dst)
	b.emit(bytecode.NEW, pr(d), uint16(b.c.typeID(t)), pr(first))
	b.defType(d, t)
	return d
}

// rangeValue makes a range object: start, end (exclusive), step.
func (b *builder) rangeValue(e *syntax.RangeLit, t types.Type, dst int) int {
	mark := b.top
	first := b.allocN(3)
	b.loadInt(first+2, 1)
	b.expr(e.Lo, types.Int, first)
	if e.Hi == nil {
		b.loadInt(first+1, math.MaxInt64)
	} else {
		b.expr(e.Hi, types.Int, first+1)
	}
	if e.Inclusive {
		b.emit(bytecode.ADDI, ir(first+1), ir(first+1), 1)
	}
	return b.newObject(t, first, mark, dst)
}
