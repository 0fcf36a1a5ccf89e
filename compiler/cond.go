package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// cond jumps to l when e is sense, and falls through otherwise.
func (b *builder) cond(e syntax.Expr, sense bool, l *label) {
	if k, ok := b.info.Consts[e.ID()].(bool); ok && !b.unfolded(e, types.Bool, types.Bool) {
		if k == sense {
			b.jump(l)
		}
		return
	}
	switch e := e.(type) {
	case *syntax.Paren:
		b.cond(e.X, sense, l)
		return
	case *syntax.Unary:
		if e.Op == syntax.OpNot {
			b.cond(e.X, !sense, l)
			return
		}
	case *syntax.Binary:
		switch e.Op {
		case syntax.OpAndAnd, syntax.OpOrOr:
			b.logic(e, sense, l)
			return
		case syntax.OpEq, syntax.OpNe, syntax.OpLt, syntax.OpLe, syntax.OpGt, syntax.OpGe:
			saved := b.pos
			b.at(e)
			b.compare(e, sense, l)
			b.pos = saved
			return
		}
	}
	mark := b.top
	r := b.expr(e, types.Bool, -1)
	op := bytecode.JF
	if sense {
		op = bytecode.JT
	}
	b.setTop(mark)
	b.jumpWide(op, ir(r), l)
}

// logic: && and ||. One of them jumps for each operand, the other needs a label
// behind itself.
func (b *builder) logic(e *syntax.Binary, sense bool, l *label) {
	if (e.Op == syntax.OpOrOr) == sense {
		b.cond(e.X, sense, l)
		b.markBranch(e.Y)
		b.cond(e.Y, sense, l)
		return
	}
	skip := newLabel()
	b.cond(e.X, !sense, skip)
	b.markBranch(e.Y)
	b.cond(e.Y, sense, l)
	b.bind(skip)
}

// condValue makes a bool of a condition.
func (b *builder) condValue(e syntax.Expr, dst int) int {
	if bin, ok := e.(*syntax.Binary); ok {
		if d, ok := b.compareValue(bin, dst); ok {
			return d
		}
	}
	d := b.dst(dst)
	mark := b.top
	yes, end := newLabel(), newLabel()
	b.cond(e, true, yes)
	b.loadInt(d, 0)
	b.jump(end)
	b.bind(yes)
	b.loadInt(d, 1)
	b.bind(end)
	b.setTop(mark)
	return d
}

type setOp struct {
	op   bytecode.Op
	swap bool
}

var intSets = map[syntax.BinOp]setOp{
	syntax.OpEq: {bytecode.EQ, false}, syntax.OpNe: {bytecode.NE, false}, syntax.OpLt: {bytecode.LT, false},
	syntax.OpLe: {bytecode.LE, false}, syntax.OpGt: {bytecode.LT, true}, syntax.OpGe: {bytecode.LE, true},
}

var floatSets = map[syntax.BinOp]setOp{
	syntax.OpEq: {bytecode.FEQ, false}, syntax.OpNe: {bytecode.FNE, false}, syntax.OpLt: {bytecode.FLT, false},
	syntax.OpLe: {bytecode.FLE, false}, syntax.OpGt: {bytecode.FLT, true}, syntax.OpGe: {bytecode.FLE, true},
}

// compareValue emits a comparison of numbers straight into a register.
func (b *builder) compareValue(e *syntax.Binary, dst int) (int, bool) {
	sets := intSets
	if isNoneLit(e.X) || isNoneLit(e.Y) || b.c.opts.Plain || b.info.Operators[e] != nil {
		return 0, false
	}
	t := b.common(e.X, e.Y)
	switch {
	case isFloat(t):
		sets = floatSets
	case !isIntLike(t):
		return 0, false
	}
	s, ok := sets[e.Op]
	if !ok {
		return 0, false
	}
	mark := b.top
	x, y := b.pair(e, t)
	if s.swap {
		x, y = y, x
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.emit(s.op, ir(d), ir(x), ir(y))
	return d, true
}

// pair evaluates both operands of a comparison as values of type t.
func (b *builder) pair(e *syntax.Binary, t types.Type) (x, y int) {
	mark := b.top
	x = b.expr(e.X, t, -1)
	if x < mark && !b.simple(e.Y) {
		x = b.copyTemp(x, b.c.rep(t))
	}
	return x, b.expr(e.Y, t, -1)
}

// common is the type both operands of a comparison are converted to: that of one
// which the other's widens to.
func (b *builder) common(x, y syntax.Expr) types.Type {
	tx, ty := b.typeOf(x), b.typeOf(y)
	switch {
	case b.c.widens(ty, tx):
		return tx
	case !b.c.widens(tx, ty):
		b.c.internal(x, "a comparison of "+tx.String()+" and "+ty.String())
	}
	return ty
}

// compare jumps to l when the comparison's outcome is sense.
func (b *builder) compare(e *syntax.Binary, sense bool, l *label) {
	mark := b.top
	defer b.setTop(mark)
	if x, ok := noneOperand(e); ok {
		r := b.expr(x, nil, -1)
		op := bytecode.JNNIL
		if (e.Op == syntax.OpEq) == sense {
			op = bytecode.JNIL
		}
		if isAny(b.typeOf(x)) {
			b.testNoneInAny(r, (e.Op == syntax.OpEq) == sense, l)
			return
		}
		b.setTop(mark)
		b.jumpWide(op, pr(r), l)
		return
	}
	if b.info.Operators[e] != nil {
		r := b.ownOperator(e, e.X, e.Y, types.Int, -1)
		b.setTop(mark)
		b.jumpIf(immJump(e.Op, sense), ir(r), 0, nil, l)
		return
	}
	t := b.common(e.X, e.Y)
	if isIntLike(t) {
		if k, ok := b.num(e.Y, false); ok && int64(k) == int64(int16(k)) {
			x := b.expr(e.X, t, -1)
			b.setTop(mark)
			b.jumpIf(immJump(e.Op, sense), ir(x), uint16(k), nil, l)
			return
		}
		if k, ok := b.num(e.X, false); ok && int64(k) == int64(int16(k)) {
			y := b.expr(e.Y, t, -1)
			b.setTop(mark)
			b.jumpIf(immJump(mirror[e.Op], sense), ir(y), uint16(k), nil, l)
			return
		}
	}
	if isFloat(t) {
		if k, ok := b.num(e.Y, true); ok {
			if op, ok := floatConstJump(e.Op, sense); ok {
				x := b.expr(e.X, t, -1)
				b.setTop(mark)
				b.jumpIf(op, ir(x), 0, &k, l)
				return
			}
		}
	}
	x, y := b.pair(e, t)
	b.compareRegs(e.Op, t, x, y, sense, l)
}

func noneOperand(e *syntax.Binary) (syntax.Expr, bool) {
	if e.Op != syntax.OpEq && e.Op != syntax.OpNe {
		return nil, false
	}
	if isNoneLit(e.Y) {
		return e.X, true
	}
	if isNoneLit(e.X) {
		return e.Y, true
	}
	return nil, false
}

// testNoneInAny jumps to l when the any in r is none (or is not, as sense says).
func (b *builder) testNoneInAny(r int, sense bool, l *label) {
	d := b.alloc()
	b.emit(bytecode.ISTYPE, ir(d), pr(r), bytecode.IDNone)
	op := bytecode.JF
	if sense {
		op = bytecode.JT
	}
	b.jumpWide(op, ir(d), l)
}

var mirror = map[syntax.BinOp]syntax.BinOp{
	syntax.OpEq: syntax.OpEq, syntax.OpNe: syntax.OpNe, syntax.OpLt: syntax.OpGt,
	syntax.OpLe: syntax.OpGe, syntax.OpGt: syntax.OpLt, syntax.OpGe: syntax.OpLe,
}

var negated = map[syntax.BinOp]syntax.BinOp{
	syntax.OpEq: syntax.OpNe, syntax.OpNe: syntax.OpEq, syntax.OpLt: syntax.OpGe,
	syntax.OpLe: syntax.OpGt, syntax.OpGt: syntax.OpLe, syntax.OpGe: syntax.OpLt,
}

var immJumps = map[syntax.BinOp]bytecode.Op{
	syntax.OpEq: bytecode.JEQI, syntax.OpNe: bytecode.JNEI, syntax.OpLt: bytecode.JLTI,
	syntax.OpLe: bytecode.JLEI, syntax.OpGt: bytecode.JGTI, syntax.OpGe: bytecode.JGEI,
}

func immJump(op syntax.BinOp, sense bool) bytecode.Op {
	if !sense {
		op = negated[op]
	}
	return immJumps[op]
}

// floatConstJump: comparisons with NaN are false, so a negated one is not the
// opposite comparison.
func floatConstJump(op syntax.BinOp, sense bool) (bytecode.Op, bool) {
	switch {
	case op == syntax.OpLt && sense:
		return bytecode.JFLTK, true
	case op == syntax.OpLt:
		return bytecode.JFNLTK, true
	case op == syntax.OpGt && sense:
		return bytecode.JFGTK, true
	case op == syntax.OpGt:
		return bytecode.JFNGTK, true
	}
	return 0, false
}

// compareRegs jumps to l when x op y is sense.
func (b *builder) compareRegs(op syntax.BinOp, t types.Type, x, y int, sense bool, l *label) {
	mark := b.top
	b.setTopAtLeast(max(x, y) + 1)
	defer b.setTop(mark)
	switch {
	case isUnit(t): // there is only one
		if (op == syntax.OpEq || op == syntax.OpLe || op == syntax.OpGe) == sense {
			b.jump(l)
		}
	case isFloat(t):
		b.compareFloats(op, x, y, sense, l)
	case isIntLike(t):
		b.compareInts(op, ir(x), ir(y), sense, l)
	case op != syntax.OpEq && op != syntax.OpNe:
		d := b.alloc()
		if isText(t) {
			b.emit(bytecode.SCMP, ir(d), pr(x), pr(y))
		} else {
			b.emitImm(bytecode.CMPV, ir(d), pr(x), pr(y), uint64(b.c.typeID(t)))
		}
		b.jumpIf(immJump(op, sense), ir(d), 0, nil, l)
	default:
		d := b.alloc()
		b.equal(t, d, x, y)
		code := bytecode.JF
		if (op == syntax.OpEq) == sense {
			code = bytecode.JT
		}
		b.jumpWide(code, ir(d), l)
	}
}

func (b *builder) compareInts(op syntax.BinOp, x, y uint16, sense bool, l *label) {
	if !sense {
		op = negated[op]
	}
	switch op {
	case syntax.OpEq:
		b.jumpIf(bytecode.JEQ, x, y, nil, l)
	case syntax.OpNe:
		b.jumpIf(bytecode.JNE, x, y, nil, l)
	case syntax.OpLt:
		b.jumpIf(bytecode.JLT, x, y, nil, l)
	case syntax.OpLe:
		b.jumpIf(bytecode.JLE, x, y, nil, l)
	case syntax.OpGt:
		b.jumpIf(bytecode.JLT, y, x, nil, l)
	case syntax.OpGe:
		b.jumpIf(bytecode.JLE, y, x, nil, l)
	}
}

func (b *builder) compareFloats(op syntax.BinOp, x, y int, sense bool, l *label) {
	if op == syntax.OpGt || op == syntax.OpGe {
		x, y, op = y, x, mirror[op]
	}
	codes := map[syntax.BinOp][2]bytecode.Op{
		syntax.OpEq: {bytecode.JFNE, bytecode.JFEQ},
		syntax.OpNe: {bytecode.JFEQ, bytecode.JFNE},
		syntax.OpLt: {bytecode.JFNLT, bytecode.JFLT},
		syntax.OpLe: {bytecode.JFNLE, bytecode.JFLE},
	}[op]
	code := codes[0]
	if sense {
		code = codes[1]
	}
	b.jumpIf(code, ir(x), ir(y), nil, l)
}

// equal sets d to whether two values of type t are equal.
func (b *builder) equal(t types.Type, d, x, y int) {
	switch {
	case isUnit(t):
		b.loadInt(d, 1)
	case isIntLike(t):
		b.emit(bytecode.EQ, ir(d), ir(x), ir(y))
	case isFloat(t):
		b.emit(bytecode.FEQ, ir(d), ir(x), ir(y))
	case isText(t):
		b.emit(bytecode.SEQ, ir(d), pr(x), pr(y))
	case isIdentity(t):
		b.emit(bytecode.SAME, ir(d), pr(x), pr(y))
	default:
		b.emitImm(bytecode.EQV, ir(d), pr(x), pr(y), uint64(b.c.typeID(t)))
	}
}

// simple expressions contain no statements, so evaluating one changes no
// local's register.
func (b *builder) simple(e syntax.Expr) bool {
	ok := !b.c.opts.Plain
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.Lambda:
			return false
		case *syntax.Block, *syntax.Match, *syntax.If, *syntax.Try, *syntax.Loop, *syntax.While, *syntax.For:
			ok = false
		}
		return ok
	})
	return ok
}
