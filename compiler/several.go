package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// part is a value, in a register, that a place is to get.
type part struct {
	target syntax.Expr
	reg    int
	typ    types.Type
}

// assignSeveral evaluates the value, and then assigns its parts from left to right.
func (b *builder) assignSeveral(targets *syntax.TupleLit, value syntax.Expr) {
	parts := b.parts(targets, value, nil)
	for _, p := range parts {
		mark := b.top
		b.at(p.target)
		b.store(p)
		b.setTop(mark)
	}
}

// parts evaluates what the targets get. Of a literal no tuple is made.
func (b *builder) parts(target, value syntax.Expr, out []part) []part {
	target = unparen(target)
	targets, several := target.(*syntax.TupleLit)
	if !several {
		t := b.typeOf(target)
		r := b.temp(value, t)
		b.setTopAtLeast(r + 1)
		return append(out, part{target, r, t})
	}
	if lit, ok := unparen(value).(*syntax.TupleLit); ok && len(lit.Elems) == len(targets.Elems) {
		for i, el := range targets.Elems {
			out = b.parts(el, lit.Elems[i], out)
		}
		return out
	}
	t := b.typeOf(value)
	r := b.temp(value, t)
	b.setTopAtLeast(r + 1)
	return b.partsOf(targets, r, t, out)
}

// partsOf takes the value of type t in register r apart.
func (b *builder) partsOf(target syntax.Expr, r int, t types.Type, out []part) []part {
	target = unparen(target)
	targets, several := target.(*syntax.TupleLit)
	if !several {
		want := b.typeOf(target)
		d := b.convert(r, t, want, -1)
		b.setTopAtLeast(d + 1)
		return append(out, part{target, d, want})
	}
	if isNever(t) {
		return out
	}
	for i, el := range targets.Elems {
		if id, ok := unparen(el).(*syntax.Ident); ok && id.Name == "_" {
			continue
		}
		p := b.alloc()
		b.getField(p, r, b.structField(t, i))
		out = b.partsOf(el, p, types.Prune(t).(*types.App).Args[i], out)
	}
	return out
}

// store assigns a value to a place.
func (b *builder) store(p part) {
	switch target := p.target.(type) {
	case *syntax.Ident:
		b.storeName(b.info.Uses[target.ID()], p.reg)
	case *syntax.Member:
		mi := b.info.Members[target]
		if mi == nil || mi.Kind != types.MemField {
			b.storeName(b.info.Uses[target.ID()], p.reg)
			return
		}
		obj := b.expr(target.X, nil, -1)
		b.setField(obj, p.reg, b.structField(b.typeOf(target.X), mi.Field.Index))
	case *syntax.Index:
		xt := types.Prune(b.typeOf(target.X)).(*types.App)
		x := b.operandReg(target.X, target.I, nil)
		if xt.Ctor == types.CMap {
			b.emit(bytecode.MSET, pr(x), pr(b.expr(target.I, xt.Args[0], -1)), pr(p.reg))
			return
		}
		i := b.expr(target.I, types.Int, -1)
		b.at(target)
		b.emit(b.c.listOps(xt.Args[0]).set, pr(x), ir(i), operand(p.reg, b.c.rep(xt.Args[0])))
	}
}

func (b *builder) storeName(obj types.Object, r int) {
	switch o := obj.(type) {
	case *types.Local:
		b.setLocal(o, r)
	case *types.Global:
		b.setGlobal(o, r)
	}
}
