package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// coalesce: x ?? y.
func (b *builder) coalesce(e *syntax.Binary, t types.Type, dst int) int {
	d := b.dst(dst)
	mark := b.top
	xt := b.typeOf(e.X)
	some, end := newLabel(), newLabel()
	r := b.temp(e.X, nil)
	b.jumpWide(bytecode.JNNIL, pr(r), some)
	b.setTop(mark)
	b.markBranch(e.Y)
	b.expr(e.Y, t, d)
	b.jump(end)
	b.setTop(max(mark, r+1))
	b.bind(some)
	b.openOptional(r, xt, t, d)
	b.setTop(mark)
	b.bind(end)
	b.defType(d, t)
	return d
}

// openOptional puts what the optional in r (known not to be none) holds into d
// as a value of type want.
func (b *builder) openOptional(r int, opt, want types.Type, d int) {
	elem := optElem(opt)
	switch {
	case elem == nil: // not optional after all (never, invalid)
		b.convert(r, opt, want, d)
	case types.Identical(opt, want):
		b.move(d, r, b.c.rep(opt))
	default:
		mark := b.top
		in := b.inner(r, opt, -1)
		b.convert(in, elem, want, d)
		b.setTop(mark)
	}
}

// inner returns the register that holds the value inside the optional in r,
// known not to be none: r itself but for nested optionals.
func (b *builder) inner(r int, opt types.Type, dst int) int {
	elem := optElem(opt)
	if isOptional(elem) {
		f := b.c.out.Types[b.c.typeID(opt)].Fields[0]
		d := b.dst(dst)
		b.getField(d, r, f)
		return d
	}
	if b.c.rep(elem) == bytecode.RepI && b.c.rep(opt) == bytecode.RepV || dst < 0 {
		if dst >= 0 {
			b.move(dst, r, b.c.rep(elem))
			return dst
		}
		return r
	}
	b.move(dst, r, b.c.rep(elem))
	return dst
}

// widens reports whether values of type from are values of type to by themselves, as
// the checker's conversions are: what converts in another way has been tested.
func (c *compiler) widens(from, to types.Type) bool {
	switch {
	case isNever(from), isAny(to), isUnit(to), types.Identical(from, to):
		return true
	case isOptional(to):
		return c.widens(from, optElem(to))
	case isIface(to):
		return !isAny(from) && !isOptional(from) && c.prog.Satisfies(from, types.Prune(to).(*types.Named))
	}
	return false
}

// convert turns the value of type from in r into one of type to, in dst, or
// where it likes when dst is negative.
func (b *builder) convert(r int, from, to types.Type, dst int) int {
	if isNever(from) || types.Identical(from, to) || isUnit(to) {
		if dst >= 0 {
			b.moveAs(dst, r, to)
			return dst
		}
		return r
	}
	switch {
	case isAny(to) || isIface(to):
		return b.toAny(r, from, to, dst)
	case isOptional(to) && !isOptionalNarrow(from, to):
		return b.toOptional(r, from, to, dst)
	}
	return b.narrow(r, from, to, dst)
}

// isOptionalNarrow: from is an any or a deeper optional that flow typing showed
// to hold to.
func isOptionalNarrow(from, to types.Type) bool {
	if isIface(from) && isAny(optElem(to)) {
		return false
	}
	if isAny(from) || isIface(from) {
		return !types.Identical(optElem(to), from)
	}
	e := optElem(from)
	return e != nil && types.Identical(e, to)
}

func (b *builder) toAny(r int, from, to types.Type, dst int) int {
	b.c.box(from)
	switch {
	case isOptional(from):
		op := bytecode.BOXREF
		if b.c.rep(from) == bytecode.RepV {
			op = bytecode.BOXOPT
		}
		d := b.dst(dst)
		b.emit(op, pr(d), pr(r), 0)
		b.def(d, b.c.typeID(to))
		return d
	case b.c.rep(from) == bytecode.RepI:
		d := b.dst(dst)
		b.emit(bytecode.BOX, pr(d), ir(r), uint16(b.c.typeID(from)))
		b.def(d, b.c.typeID(to))
		return d
	}
	if dst >= 0 {
		b.move(dst, r, b.c.rep(from))
		b.def(dst, b.c.typeID(to))
		return dst
	}
	return r
}

func (b *builder) toOptional(r int, from, to types.Type, dst int) int {
	elem := optElem(to)
	mark := b.top
	if !types.Identical(from, elem) {
		r = b.convert(r, from, elem, -1)
	}
	switch {
	case isOptional(elem):
		d := b.dst(dst)
		b.emit(bytecode.NEW, pr(d), uint16(b.c.typeID(to)), pr(r))
		b.def(d, b.c.typeID(to))
		return d
	case b.c.rep(elem) == bytecode.RepI:
		d := b.dst(dst)
		b.emit(bytecode.BOX, pr(d), ir(r), uint16(b.c.typeID(elem)))
		b.def(d, b.c.typeID(to))
		return d
	}
	if dst >= 0 {
		b.move(dst, r, b.c.rep(elem))
		b.def(dst, b.c.typeID(to))
		b.setTop(max(mark, dst+1))
		return dst
	}
	return r
}

// narrow returns the value of the narrower type that flow typing has shown r to
// hold. Where the pointer word carries the type it is checked again.
func (b *builder) narrow(r int, from, to types.Type, dst int) int {
	if elem := optElem(from); elem != nil {
		if types.Identical(elem, to) {
			return b.inner(r, from, dst)
		}
		return b.convert(b.inner(r, from, -1), elem, to, dst)
	}
	if b.c.rep(to) == bytecode.RepI && (isAny(from) || isIface(from)) {
		if dst >= 0 {
			b.move(dst, r, bytecode.RepI)
			return dst
		}
		return r
	}
	d := b.dst(dst)
	b.cast(d, r, to)
	return d
}

// cast emits the checked conversion of an any or interface value.
func (b *builder) cast(d, r int, to types.Type) {
	switch {
	case isAny(to):
		b.move(d, r, bytecode.RepV)
	case isIface(to):
		b.emit(bytecode.CASTIFACE, pr(d), pr(r), uint16(b.c.iface(to)))
	case isOptional(to):
		b.castOptional(d, r, to)
	default:
		b.castType(d, r, to)
	}
	b.def(d, b.c.typeID(to))
}

// castType casts to the type of the object in r.
func (b *builder) castType(d, r int, to types.Type) {
	b.c.box(to)
	b.emit(bytecode.CAST, pr(d), pr(r), uint16(b.c.typeID(to)))
	b.def(d, b.c.typeID(to))
}

// castOptional casts to an optional: r holds none, or what is in the optional. Only
// optionals of optionals have objects of their own.
func (b *builder) castOptional(d, r int, to types.Type) {
	mark := b.top
	b.setTopAtLeast(max(d, r) + 1)
	none, end := newLabel(), newLabel()
	b.testNoneInAny(r, true, none)
	if elem := optElem(to); isOptional(elem) {
		b.castType(d, r, to)
	} else {
		v := b.alloc()
		b.cast(v, r, elem)
		b.convert(v, elem, to, d)
		b.defType(d, to)
	}
	b.jump(end)
	b.bind(none)
	b.emit(bytecode.LDNIL, pr(d), 0, 0)
	b.defType(d, to)
	b.bind(end)
	b.setTop(mark)
}

func (b *builder) unwrap(e *syntax.Unwrap, t types.Type, dst int) int {
	mark := b.top
	xt := b.typeOf(e.X)
	if !isOptional(xt) { // the checker has warned
		return b.expr(e.X, t, dst)
	}
	r := b.expr(e.X, nil, -1)
	b.setTop(max(mark, r+1))
	d := b.alloc()
	if b.c.rep(xt) == bytecode.RepV {
		b.emit(bytecode.NEEDV, pr(d), pr(r), 0)
	} else {
		b.emit(bytecode.NEEDP, pr(d), pr(r), 0)
	}
	b.def(d, b.c.typeID(xt))
	if dst < 0 {
		return b.settle(b.convert(b.inner(d, xt, -1), optElem(xt), t, -1), mark)
	}
	b.openOptional(d, xt, t, dst)
	b.setTop(mark)
	return dst
}

func (b *builder) is(e *syntax.Is, dst int) int {
	mark := b.top
	r := b.expr(e.X, nil, -1)
	if p := b.info.Variants[e]; p != nil {
		b.setTopAtLeast(r + 1)
		no, end := newLabel(), newLabel()
		b.pattern(p, r, b.typeOf(e.X), no)
		b.setTop(mark)
		d := b.dst(dst)
		b.loadInt(d, 1)
		b.jump(end)
		b.bind(no)
		b.loadInt(d, 0)
		b.bind(end)
		return d
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.typeTest(d, r, b.typeOf(e.X), b.subst.Apply(b.info.TypeOfExpr(e.Type)))
	return d
}

// typeTest sets d to whether the value in r (of static type from) is a t.
func (b *builder) typeTest(d, r int, from, t types.Type) {
	switch {
	case isOptional(t) && (isAny(from) || isIface(from)): // it holds none, or what is in the optional
		end := newLabel()
		b.emit(bytecode.ISTYPE, ir(d), pr(r), bytecode.IDNone)
		b.jumpWide(bytecode.JT, ir(d), end)
		if isOptional(optElem(t)) {
			b.isType(d, r, t)
		} else {
			b.typeTest(d, r, from, optElem(t))
		}
		b.bind(end)
	case isIface(t):
		b.emit(bytecode.ISIFACE, ir(d), pr(r), uint16(b.c.iface(t)))
	case isAny(t):
		b.loadInt(d, 1)
	case isAny(from) || isIface(from) || isOptional(from):
		b.isType(d, r, t)
	default:
		v := int64(0)
		if types.Identical(from, t) {
			v = 1
		}
		b.loadInt(d, v)
	}
}

// isType sets d to whether the object in r is a t's.
func (b *builder) isType(d, r int, t types.Type) {
	b.c.box(t)
	b.emit(bytecode.ISTYPE, ir(d), pr(r), uint16(b.c.typeID(t)))
}

func (b *builder) as(e *syntax.As, t types.Type, dst int) int {
	mark := b.top
	xt := b.typeOf(e.X)
	r := b.expr(e.X, nil, -1)
	b.setTop(mark)
	d := b.dst(dst)
	if isAny(xt) || isIface(xt) {
		if types.Identical(t, xt) {
			b.move(d, r, bytecode.RepV)
			return d
		}
		b.cast(d, r, t)
		return d
	}
	return b.convert(r, xt, t, d)
}
