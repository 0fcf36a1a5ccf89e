package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// typeOf returns the closed type of an expression in this instance.
func (b *builder) typeOf(e syntax.Expr) types.Type {
	t := b.info.Types[e.ID()]
	if t == nil {
		return types.Invalid
	}
	return b.subst.Apply(t)
}

// expr compiles e as a value of type want (nil: its own type) into dst, or,
// when dst is negative, into a register of its choice, which may be the one
// that a local lives in.
func (b *builder) expr(e syntax.Expr, want types.Type, dst int) int {
	t := b.typeOf(e)
	if want == nil {
		want = t
	}
	if k, ok := b.info.Consts[e.ID()]; ok && !b.unfolded(e, t, want) {
		return b.constant(k, t, want, dst)
	}
	if isNever(t) || types.Identical(t, want) {
		return b.value(e, t, dst)
	}
	if !b.c.widens(t, want) {
		b.c.internal(e, "a "+t.String()+" where a "+want.String()+" is expected")
	}
	mark := b.top
	r := b.value(e, t, -1)
	if dst < 0 {
		r = b.convert(r, t, want, -1)
		return b.settle(r, mark)
	}
	b.convert(r, t, want, dst)
	b.setTop(mark)
	return dst
}

// unfolded reports whether an operation on constants is left to the program.
func (b *builder) unfolded(e syntax.Expr, t, want types.Type) bool {
	if !b.c.opts.Plain || !types.Identical(t, want) || isFloat(t) {
		return false
	}
	switch e := e.(type) {
	case *syntax.Binary:
		return !isFloat(b.typeOf(e.X)) && !isFloat(b.typeOf(e.Y))
	case *syntax.Unary:
		return e.Op != syntax.OpNeg
	}
	return false
}

// settle frees the temporaries above mark but the one that holds a result.
func (b *builder) settle(r, mark int) int {
	if r >= mark {
		b.setTop(r + 1)
	} else {
		b.setTop(mark)
	}
	return r
}

// temp is expr into a fresh register, which nothing else changes.
func (b *builder) temp(e syntax.Expr, want types.Type) int {
	mark := b.top
	r := b.expr(e, want, -1)
	if r >= mark {
		return r
	}
	if want == nil {
		want = b.typeOf(e)
	}
	d := b.alloc()
	b.move(d, r, b.c.rep(want))
	return d
}

// steady puts e where nothing writes it until the caller resets top. A let or a
// parameter stays where it is.
func (b *builder) steady(e syntax.Expr) int {
	r := -1
	if id, ok := unparen(e).(*syntax.Ident); ok && !b.c.opts.Plain {
		if l, ok := b.info.Uses[id.ID()].(*types.Local); ok && !l.Var && !l.LockOf {
			r = b.expr(e, nil, -1)
		}
	}
	if r < 0 {
		r = b.temp(e, nil)
	}
	b.setTopAtLeast(r + 1)
	return r
}

// constant loads a folded value.
func (b *builder) constant(k types.Const, t, want types.Type, dst int) int {
	if types.Identical(t, want) || isFloat(want) {
		d := b.dst(dst)
		b.loadConst(d, k, want)
		return d
	}
	mark := b.top
	r := b.alloc()
	b.loadConst(r, k, t)
	if dst < 0 {
		return b.settle(b.convert(r, t, want, -1), mark)
	}
	b.convert(r, t, want, dst)
	b.setTop(mark)
	return dst
}

func (b *builder) loadConst(d int, k types.Const, t types.Type) {
	switch k := k.(type) {
	case bool:
		v := int64(0)
		if k {
			v = 1
		}
		b.loadInt(d, v)
	case int64:
		if isFloat(t) {
			b.loadFloat(d, float64(k))
		} else {
			b.loadInt(d, k)
		}
	case float64:
		b.loadFloat(d, k)
	case string:
		if isStr(t) {
			b.loadStr(d, k)
			return
		}
		b.emitK(bytecode.LDB, pr(d), int32(b.c.bytesConst(k)))
		b.def(d, bytecode.IDBytes)
	}
}

// value compiles e as a value of its own type t.
// What cannot be reached is left out: it may use locals whose declarations were
// left out too.
func (b *builder) value(e syntax.Expr, t types.Type, dst int) int {
	if b.dead {
		return b.dst(dst)
	}
	saved := b.pos
	b.at(e)
	r := b.node(e, t, dst)
	b.pos = saved
	return r
}

func (b *builder) node(e syntax.Expr, t types.Type, dst int) int {
	if x := b.first(e); x != nil && isNever(b.typeOf(x)) { // the checker has not looked at what is done with it
		b.expr(x, nil, -1)
		return b.dst(dst)
	}
	switch e := e.(type) {
	case *syntax.Paren:
		return b.expr(e.X, t, dst)
	case *syntax.IntLit:
		return b.constant(e.Value, t, t, dst)
	case *syntax.FloatLit:
		return b.constant(e.Value, t, t, dst)
	case *syntax.BoolLit:
		return b.constant(e.Value, t, t, dst)
	case *syntax.DurationLit:
		return b.constant(e.Value, t, t, dst)
	case *syntax.StrLit:
		return b.constant(e.Value, t, t, dst)
	case *syntax.BytesLit:
		return b.constant(e.Value, t, t, dst)
	case *syntax.NoneLit:
		return b.none(t, dst)
	case *syntax.UnitLit:
		return b.unit(dst)
	case *syntax.InterpLit:
		return b.interp(e, dst)
	case *syntax.ListLit:
		return b.listLit(e, t, dst)
	case *syntax.MapLit:
		return b.mapLit(e, t, dst)
	case *syntax.TupleLit:
		return b.tupleLit(e, t, dst)
	case *syntax.RangeLit:
		return b.rangeValue(e, t, dst)
	case *syntax.Ident:
		return b.ident(e, t, dst)
	case *syntax.SelfExpr:
		return b.local(b.selfVar, dst)
	case *syntax.Member:
		return b.member(e, t, dst)
	case *syntax.Index:
		return b.index(e, t, dst)
	case *syntax.Call:
		return b.call(e, t, dst)
	case *syntax.Unwrap:
		return b.unwrap(e, t, dst)
	case *syntax.Unary:
		return b.unary(e, t, dst)
	case *syntax.Binary:
		return b.binary(e, t, dst)
	case *syntax.Is:
		return b.is(e, dst)
	case *syntax.As:
		return b.as(e, t, dst)
	case *syntax.Lambda:
		return b.lambda(e, t, dst)
	default:
		return b.control(e, t, dst)
	}
}

// first returns the operand that an expression evaluates first and whose type says
// what it means, nil for others.
func (b *builder) first(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Member:
		return e.X
	case *syntax.Call:
		if m, ok := e.Fn.(*syntax.Member); ok && !isNever(b.typeOf(e.Fn)) {
			return m.X
		}
		return e.Fn
	case *syntax.For:
		return e.X
	case *syntax.Lock:
		return e.X
	}
	return nil
}

// none is the none of an optional type.
func (b *builder) none(t types.Type, dst int) int {
	d := b.dst(dst)
	b.emit(bytecode.LDNIL, pr(d), 0, 0)
	b.defType(d, t)
	return d
}

// unit is the value of a statement: a register whose content does not matter.
func (b *builder) unit(dst int) int {
	d := b.dst(dst)
	b.loadInt(d, 0)
	return d
}
