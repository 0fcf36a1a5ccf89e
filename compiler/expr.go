package compiler

import (
	"math"
	"math/bits"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// typeOf gives the closed type of an expression in this instance.
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

// unfolded tells whether an operation on constants is left to the program.
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
func (b *builder) value(e syntax.Expr, t types.Type, dst int) int {
	saved := b.pos
	b.at(e)
	r := b.node(e, t, dst)
	b.pos = saved
	return r
}

func (b *builder) node(e syntax.Expr, t types.Type, dst int) int {
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
		d := b.dst(dst)
		b.emit(bytecode.LDNIL, pr(d), 0, 0)
		b.defType(d, t)
		return d
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

// unit is the value of a statement: a register whose content does not matter.
func (b *builder) unit(dst int) int {
	d := b.dst(dst)
	b.loadInt(d, 0)
	return d
}

// ---- operators ----

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
	if isStr(t) {
		return b.concat(e, dst)
	}
	mark := b.top
	d := b.arith(e.Op, t, e.X, e.Y, dst, mark)
	return b.settle(d, mark)
}

// arith compiles x op y on numbers. An operand that is a literal goes into the
// instruction; a field just loaded is folded into it.
func (b *builder) arith(op syntax.BinOp, t types.Type, x, y syntax.Expr, dst, mark int) int {
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

// num gives the constant value of an operand as bits: an int64 or a float64.
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

// lastIsImm tells whether the last code word is an immediate.
func (b *builder) lastIsImm() bool {
	return b.immAt == len(b.code)-1 && b.immAt > 0
}

func (b *builder) unary(e *syntax.Unary, t types.Type, dst int) int {
	mark := b.top
	if x, ok := unparen(e.X).(*syntax.Binary); ok && e.Op == syntax.OpNot && isLogic(x.Op) {
		return b.condValue(e, dst)
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

// concat flattens a + b + c on str into one instruction.
func (b *builder) concat(e *syntax.Binary, dst int) int {
	var parts []syntax.Expr
	var flatten func(x syntax.Expr)
	flatten = func(x syntax.Expr) {
		if _, folded := b.info.Consts[x.ID()]; !folded {
			if p, ok := x.(*syntax.Paren); ok {
				flatten(p.X)
				return
			}
			if y, ok := x.(*syntax.Binary); ok && y.Op == syntax.OpAdd && isStr(b.typeOf(y)) {
				flatten(y.X)
				flatten(y.Y)
				return
			}
		}
		parts = append(parts, x)
	}
	flatten(e.X)
	flatten(e.Y)
	mark := b.top
	if b.c.opts.Plain {
		parts = []syntax.Expr{e.X, e.Y}
	}
	if len(parts) == 2 {
		l := b.expr(parts[0], types.Str, -1)
		if l < mark && !b.simple(parts[1]) {
			l = b.copyTemp(l, bytecode.RepP)
		}
		r := b.expr(parts[1], types.Str, -1)
		b.setTop(mark)
		d := b.dst(dst)
		b.emit(bytecode.CONCAT, pr(d), pr(l), pr(r))
		b.def(d, bytecode.IDStr)
		return d
	}
	first := b.allocN(len(parts))
	for i, p := range parts {
		b.expr(p, types.Str, first+i)
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.emit(bytecode.CONCATN, pr(d), pr(first), uint16(len(parts)))
	b.def(d, bytecode.IDStr)
	return d
}

func (b *builder) interp(e *syntax.InterpLit, dst int) int {
	var parts []joined
	for _, p := range e.Parts {
		parts = append(parts, joined{p.Text, p.X, p.Spec})
	}
	return b.join(parts, dst)
}

// joined is a part of text to be joined: a literal, or a value with its format.
type joined struct {
	text string
	x    syntax.Expr
	spec string
}

// join makes one str of its parts: the values go into consecutive registers.
func (b *builder) join(parts []joined, dst int) int {
	if b.c.opts.Plain {
		return b.joinPairwise(parts, dst)
	}
	mark := b.top
	n := 0
	for _, p := range parts {
		if p.x != nil {
			n++
		}
	}
	first := b.allocN(max(n, 1))
	r := first
	var table []bytecode.InterpPart
	for _, p := range parts {
		switch {
		case p.x == nil:
			table = append(table, bytecode.InterpPart{Text: p.text})
			continue
		case p.spec != "":
			b.text(p.x, p.spec, r)
			table = append(table, bytecode.InterpPart{Type: bytecode.IDStr})
		default:
			t := b.typeOf(p.x)
			b.expr(p.x, t, r)
			table = append(table, bytecode.InterpPart{Type: b.c.typeID(t)})
		}
		r++
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.emitImm(bytecode.INTERP, pr(d), pr(first), 0, uint64(len(b.c.out.Interps)))
	b.c.out.Interps = append(b.c.out.Interps, table)
	b.def(d, bytecode.IDStr)
	return d
}

// joinPairwise joins parts by concatenation.
func (b *builder) joinPairwise(parts []joined, dst int) int {
	mark := b.top
	all, part := b.alloc(), b.alloc()
	b.loadStr(all, "")
	for _, p := range parts {
		if p.x == nil {
			b.loadStr(part, p.text)
		} else {
			b.text(p.x, p.spec, part)
		}
		b.emit(bytecode.CONCAT, pr(all), pr(all), pr(part))
	}
	b.setTop(mark)
	d := b.dst(dst)
	b.move(d, all, bytecode.RepP)
	return d
}

// text makes the str that shows a value.
func (b *builder) text(x syntax.Expr, spec string, dst int) {
	t := b.typeOf(x)
	if isStr(t) && spec == "" {
		b.expr(x, t, dst)
		return
	}
	mark := b.top
	r := b.expr(x, nil, -1)
	b.setTop(mark)
	if spec == "" {
		b.emit(bytecode.TOSTR, pr(dst), pr(r), uint16(b.c.typeID(t)))
	} else {
		b.emitImm(bytecode.FORMAT, pr(dst), pr(r), uint16(b.c.typeID(t)), uint64(b.c.str(spec)))
	}
	b.def(dst, bytecode.IDStr)
}

// ---- optionals and any ----

// coalesce: x ?? y.
func (b *builder) coalesce(e *syntax.Binary, t types.Type, dst int) int {
	d := b.dst(dst)
	mark := b.top
	xt := b.typeOf(e.X)
	some, end := newLabel(), newLabel()
	r := b.temp(e.X, nil)
	b.jumpWide(bytecode.JNNIL, pr(r), some)
	b.setTop(mark)
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

// inner gives the register that holds the value inside the optional in r,
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

// convert turns the value of type from in r into one of type to, in dst, or
// where it likes when dst is negative.
func (b *builder) convert(r int, from, to types.Type, dst int) int {
	if isNever(from) || types.Identical(from, to) || isUnit(to) {
		if dst >= 0 {
			b.move(dst, r, b.c.rep(to))
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
		b.setTop(max(mark, dst+1))
		return dst
	}
	return r
}

// narrow gives the value of the narrower type that flow typing has shown r to
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
	default:
		b.c.box(to)
		b.emit(bytecode.CAST, pr(d), pr(r), uint16(b.c.typeID(to)))
	}
	b.def(d, b.c.typeID(to))
}

func (b *builder) unwrap(e *syntax.Unwrap, t types.Type, dst int) int {
	mark := b.top
	xt := b.typeOf(e.X)
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
	b.setTop(mark)
	d := b.dst(dst)
	b.typeTest(d, r, b.typeOf(e.X), b.subst.Apply(b.info.TypeOfExpr(e.Type)))
	return d
}

// typeTest sets d to whether the value in r (of static type from) is a t.
func (b *builder) typeTest(d, r int, from, t types.Type) {
	switch {
	case isIface(t):
		b.emit(bytecode.ISIFACE, ir(d), pr(r), uint16(b.c.iface(t)))
	case isAny(t):
		b.loadInt(d, 1)
	case isAny(from) || isIface(from) || isOptional(from):
		b.c.box(t)
		b.emit(bytecode.ISTYPE, ir(d), pr(r), uint16(b.c.typeID(t)))
	default:
		v := int64(0)
		if types.Identical(from, t) {
			v = 1
		}
		b.loadInt(d, v)
	}
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
