package compiler

import (
	"math"
	"math/bits"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

var intOps = map[syntax.BinOp]bytecode.Op{
	syntax.OpAdd: bytecode.ADD, syntax.OpSub: bytecode.SUB, syntax.OpMul: bytecode.MUL,
	syntax.OpDiv: bytecode.DIV, syntax.OpMod: bytecode.MOD, syntax.OpPow: bytecode.POW,
	syntax.OpShl: bytecode.SHL, syntax.OpShr: bytecode.SHR, syntax.OpAnd: bytecode.AND,
	syntax.OpOr: bytecode.OR, syntax.OpXor: bytecode.XOR,
}

var floatOps = map[syntax.BinOp]bytecode.Op{
	syntax.OpAdd: bytecode.FADD, syntax.OpSub: bytecode.FSUB, syntax.OpMul: bytecode.FMUL,
	syntax.OpDiv: bytecode.FDIV, syntax.OpMod: bytecode.FMOD, syntax.OpPow: bytecode.FPOW,
}

func (b *builder) binary(e *syntax.Binary, t types.Type, dst int) int {
	switch e.Op {
	case syntax.OpAndAnd, syntax.OpOrOr, syntax.OpEq, syntax.OpNe, syntax.OpLt, syntax.OpLe, syntax.OpGt, syntax.OpGe:
		return b.condValue(e, dst)
	case syntax.OpCoalesce:
		return b.coalesce(e, t, dst)
	}
	switch {
	case b.info.Operators[e] != nil:
		return b.ownOperator(e, e.X, e.Y, t, dst)
	case isText(t):
		return b.concat(e, t, dst)
	case isList(t):
		return b.joinLists(e.X, e.Y, t, dst)
	}
	mark := b.top
	d := b.arith(e.Op, t, e.X, e.Y, dst, mark)
	return b.settle(d, mark)
}

// arith compiles x op y on numbers. An operand that is a literal goes into the
// instruction; a field just loaded is folded into it.
func (b *builder) arith(op syntax.BinOp, t types.Type, x, y syntax.Expr, dst, mark int) int {
	b.numbers(t, x)
	float := isFloat(t)
	if k, ok := b.num(y, float); ok {
		l := b.expr(x, b.operandType(t, x), -1)
		b.setTop(mark)
		d := b.dst(dst)
		if b.arithConst(op, float, d, l, k) {
			return d
		}
		b.setTopAtLeast(max(d, l) + 1)
		r := b.alloc()
		b.loadNum(r, k, float)
		b.emitArith(op, float, d, l, r, mark)
		return d
	}
	if k, ok := b.num(x, float); ok {
		if r, done := b.constArith(op, float, k, y, t, dst, mark); done {
			return r
		}
	}
	l := b.expr(x, b.operandType(t, x), -1)
	if l < mark && !b.simple(y) {
		l = b.copyTemp(l, bytecode.RepI)
	}
	r := b.expr(y, b.operandType(t, y), -1)
	b.setTop(mark)
	d := b.dst(dst)
	b.emitArith(op, float, d, l, r, mark)
	return d
}

// numbers makes sure that arithmetic is of numbers: its instructions write no
// pointer word, so a value of another type would keep the one of before.
func (b *builder) numbers(t types.Type, at syntax.Expr) {
	if !isIntLike(t) && !isFloat(t) && !isNever(t) {
		b.c.internal(at, "arithmetic of "+t.String())
	}
}

// operandType: operands of float arithmetic are floats (a literal int adapts);
// durations mix with ints, so others keep their own type.
func (b *builder) operandType(t types.Type, _ syntax.Expr) types.Type {
	if isFloat(t) {
		return t
	}
	return nil
}

func (b *builder) copyTemp(r int, rep bytecode.Rep) int {
	d := b.alloc()
	b.move(d, r, rep)
	return d
}

// num returns the constant value of an operand as bits: an int64 or a float64.
func (b *builder) num(e syntax.Expr, float bool) (uint64, bool) {
	if b.c.opts.Plain {
		return 0, false
	}
	k, ok := b.info.Consts[e.ID()]
	if !ok {
		switch e := e.(type) {
		case *syntax.Paren:
			return b.num(e.X, float)
		case *syntax.IntLit:
			k = e.Value
		case *syntax.FloatLit:
			k = e.Value
		case *syntax.DurationLit:
			k = e.Value
		default:
			return 0, false
		}
	}
	switch k := k.(type) {
	case int64:
		if float {
			return math.Float64bits(float64(k)), true
		}
		return uint64(k), true
	case float64:
		return math.Float64bits(k), float
	}
	return 0, false
}

func (b *builder) loadNum(r int, k uint64, float bool) {
	if float {
		b.loadFloat(r, math.Float64frombits(k))
	} else {
		b.loadInt(r, int64(k))
	}
}

var floatConstOps = map[syntax.BinOp]bytecode.Op{
	syntax.OpAdd: bytecode.FADDK, syntax.OpSub: bytecode.FSUBK, syntax.OpMul: bytecode.FMULK, syntax.OpDiv: bytecode.FDIVK,
}

// arithConst emits d = l op k where an immediate form exists.
func (b *builder) arithConst(op syntax.BinOp, float bool, d, l int, k uint64) bool {
	if float {
		if code, ok := floatConstOps[op]; ok {
			b.emitImm(code, ir(d), ir(l), 0, k)
			return true
		}
		return false
	}
	v := int64(k)
	small := v == int64(int16(v))
	switch {
	case op == syntax.OpAdd && small:
		b.emit(bytecode.ADDI, ir(d), ir(l), uint16(v))
	case op == syntax.OpSub && -v == int64(int16(-v)):
		b.emit(bytecode.ADDI, ir(d), ir(l), uint16(-v))
	case op == syntax.OpMul && small:
		b.emit(bytecode.MULI, ir(d), ir(l), uint16(v))
	case op == syntax.OpAnd && small:
		b.emit(bytecode.ANDI, ir(d), ir(l), uint16(v))
	case op == syntax.OpShl && v >= 0 && v <= 63:
		b.emit(bytecode.SHLI, ir(d), ir(l), uint16(v))
	case op == syntax.OpShr && v >= 0 && v <= 63:
		b.emit(bytecode.SHRI, ir(d), ir(l), uint16(v))
	case op == syntax.OpDiv && v > 1 && v&(v-1) == 0:
		b.emit(bytecode.DIVP, ir(d), ir(l), uint16(bits.TrailingZeros64(k)))
	case op == syntax.OpMod && v > 1 && v&(v-1) == 0:
		b.emit(bytecode.MODP, ir(d), ir(l), uint16(bits.TrailingZeros64(k)))
	case op == syntax.OpDiv && v != 0 && v != -1:
		b.emitImm(bytecode.DIVK, ir(d), ir(l), 0, k)
	case op == syntax.OpMod && v != 0 && v != -1:
		b.emitImm(bytecode.MODK, ir(d), ir(l), 0, k)
	default:
		return false
	}
	return true
}

// constArith compiles k op y.
func (b *builder) constArith(op syntax.BinOp, float bool, k uint64, y syntax.Expr, t types.Type, dst, mark int) (int, bool) {
	var code bytecode.Op
	imm := true
	switch {
	case float && op == syntax.OpSub:
		code = bytecode.FRSUBK
	case float && op == syntax.OpDiv:
		code = bytecode.FRDIVK
	case !float && op == syntax.OpSub && int64(k) == int64(int16(k)):
		code, imm = bytecode.RSUBI, false
	case op == syntax.OpAdd || op == syntax.OpMul:
		r := b.expr(y, b.operandType(t, y), -1)
		b.setTop(mark)
		d := b.dst(dst)
		if b.arithConst(op, float, d, r, k) {
			return d, true
		}
		b.setTopAtLeast(max(d, r) + 1)
		l := b.alloc()
		b.loadNum(l, k, float)
		b.emitArith(op, float, d, l, r, mark)
		return d, true
	default:
		return 0, false
	}
	r := b.expr(y, b.operandType(t, y), -1)
	b.setTop(mark)
	d := b.dst(dst)
	if imm {
		b.emitImm(code, ir(d), ir(r), 0, k)
	} else {
		b.emit(code, ir(d), ir(r), uint16(k))
	}
	return d, true
}

var fieldOps = map[bytecode.Op]bytecode.Op{
	bytecode.ADD: bytecode.ADDF, bytecode.FADD: bytecode.FADDF, bytecode.FSUB: bytecode.FSUBF, bytecode.FMUL: bytecode.FMULF,
}

// emitArith emits d = l op r. When the instruction before loaded one operand
// from a field into a temporary, both become one.
func (b *builder) emitArith(op syntax.BinOp, float bool, d, l, r, mark int) {
	code := intOps[op]
	if float {
		code = floatOps[op]
	}
	if fused, ok := fieldOps[code]; ok {
		if obj, off, ok := b.takeFieldLoad(r, mark); ok {
			b.emitAux(fused, uint8(off/8), ir(d), ir(l), obj)
			return
		}
		if code != bytecode.FSUB && l != r {
			if obj, off, ok := b.takeFieldLoad(l, mark); ok {
				b.emitAux(fused, uint8(off/8), ir(d), ir(r), obj)
				return
			}
		}
	}
	b.emit(code, ir(d), ir(l), ir(r))
}

// takeFieldLoad removes the last instruction when it loads a number from a
// field into the temporary r, and gives the object's operand and the offset.
func (b *builder) takeFieldLoad(r, mark int) (obj uint16, off int, ok bool) {
	n := len(b.code)
	if r < mark || n == 0 || b.bound == n || b.dead || b.c.opts.Plain {
		return 0, 0, false
	}
	w := b.code[n-1]
	if bytecode.OpOf(w) != bytecode.GETI || bytecode.AOf(w) != ir(r) || b.lastIsImm() {
		return 0, 0, false
	}
	off = int(bytecode.COf(w))
	if off/8 > math.MaxUint8 {
		return 0, 0, false
	}
	b.code = b.code[:n-1]
	return bytecode.BOf(w), off, true
}

// lastIsImm reports whether the last code word is an immediate.
func (b *builder) lastIsImm() bool {
	return b.immAt == len(b.code)-1 && b.immAt > 0
}

func (b *builder) unary(e *syntax.Unary, t types.Type, dst int) int {
	mark := b.top
	if x, ok := unparen(e.X).(*syntax.Binary); ok && e.Op == syntax.OpNot && isLogic(x.Op) {
		return b.condValue(e, dst)
	}
	if b.info.Operators[e] != nil {
		return b.ownOperator(e, e.X, nil, t, dst)
	}
	r := b.expr(e.X, t, -1)
	b.setTop(mark)
	d := b.dst(dst)
	switch {
	case e.Op == syntax.OpNot:
		b.emit(bytecode.NOT, ir(d), ir(r), 0)
	case e.Op == syntax.OpCompl:
		b.emit(bytecode.COMPL, ir(d), ir(r), 0)
	case isFloat(t):
		b.emit(bytecode.FNEG, ir(d), ir(r), 0)
	default:
		b.emit(bytecode.NEG, ir(d), ir(r), 0)
	}
	return d
}

// isLogic: && and ||, which are compiled as jumps.
func isLogic(op syntax.BinOp) bool { return op == syntax.OpAndAnd || op == syntax.OpOrOr }
