package compiler

import (
	"slices"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// intrinsic compiles the native methods that are opcodes.
func (b *builder) intrinsic(s callSite, fn *types.FuncDecl, self types.Type) (int, bool) {
	if b.c.opts.Plain {
		return 0, false
	}
	name := nativeName(fn, self)
	if code, ok := unaryIntrinsics[name]; ok {
		var r int
		if self != nil {
			r = b.receiver(s, self)
		} else {
			r = b.expr(s.e.Args[0].Value, b.subst.Apply(fn.Params[0].Type), -1)
		}
		b.setTop(s.mark)
		d := b.dst(s.dst)
		b.emit(code.op, operand(d, code.dst), operand(r, code.src), 0)
		return d, true
	}
	switch name {
	case "list.push":
		elem := types.Prune(self).(*types.App).Args[0]
		l := b.receiver(s, self)
		if l < s.mark && !b.simple(s.e.Args[0].Value) {
			l = b.copyTemp(l, bytecode.RepP)
		}
		r := b.expr(s.e.Args[0].Value, elem, -1)
		b.push(l, r, elem)
		b.setTop(s.mark)
		return b.dst(s.dst), true
	case "map.has", "set.has":
		m, k := b.receiverAnd(s, self, types.Prune(self).(*types.App).Args[0])
		d := b.dst(s.dst)
		b.emit(bytecode.MHAS, ir(d), pr(m), pr(k))
		return d, true
	case "map.get", "list.get":
		args := types.Prune(self).(*types.App).Args
		elem := args[len(args)-1]
		if !b.plainElem(elem) {
			return 0, false
		}
		if name == "list.get" {
			l, i := b.receiverAnd(s, self, types.Int)
			return b.option(bytecode.LGETOPT, l, ir(i), s.t, s.dst), true
		}
		m, k := b.receiverAnd(s, self, args[0])
		return b.option(bytecode.MGETOPT, m, pr(k), s.t, s.dst), true
	case "list.last", "list.pop":
		if !b.plainElem(types.Prune(self).(*types.App).Args[0]) {
			return 0, false
		}
		l := b.receiver(s, self)
		b.setTop(s.mark)
		op := bytecode.LLAST
		if name == "list.pop" {
			op = bytecode.LPOP
		}
		return b.option(op, l, 0, s.t, s.dst), true
	case "list.swap":
		l := b.receiver(s, self)
		if l < s.mark {
			l = b.copyTemp(l, bytecode.RepP)
		}
		i := b.temp(s.e.Args[0].Value, types.Int)
		j := b.expr(s.e.Args[1].Value, types.Int, -1)
		b.emit(bytecode.LSWAP, pr(l), ir(i), ir(j))
		b.setTop(s.mark)
		return b.dst(s.dst), true
	case "list.slice", "str.slice", "bytes.slice":
		if slices.ContainsFunc(s.e.Args, func(a syntax.Arg) bool { return a.Name.Text != "" }) {
			return 0, false // which may come in another order
		}
		x := b.receiver(s, self)
		if x < s.mark {
			x = b.copyTemp(x, bytecode.RepP)
		}
		from := b.allocN(2)
		b.expr(s.e.Args[0].Value, types.Int, from)
		b.expr(s.e.Args[1].Value, types.Int, from+1)
		return b.emitSlice(self, x, from, s.mark, s.dst), true
	case "str.byte_at":
		text, i := b.receiverAnd(s, self, types.Int)
		d := b.dst(s.dst)
		b.emit(bytecode.BGET, ir(d), pr(text), ir(i))
		return d, true
	}
	return 0, false
}

// receiverAnd evaluates a receiver and the one argument, for an instruction that
// follows at once.
func (b *builder) receiverAnd(s callSite, self, param types.Type) (r, arg int) {
	r = b.receiver(s, self)
	if r < s.mark && !b.simple(s.e.Args[0].Value) {
		r = b.copyTemp(r, bytecode.RepP)
	}
	arg = b.expr(s.e.Args[0].Value, param, -1)
	b.setTop(s.mark)
	return r, arg
}

// plainElem reports whether the optional of an element is its value with a pointer
// word that tells that it is there.
func (b *builder) plainElem(elem types.Type) bool {
	return !isOptional(elem) && b.c.rep(elem) != bytecode.RepV
}

// option emits an instruction that gives an element of a collection as an optional
// of type t.
func (b *builder) option(op bytecode.Op, from int, arg uint16, t types.Type, dst int) int {
	d := b.dst(dst)
	b.emit(op, pr(d), pr(from), arg)
	b.defType(d, t)
	return d
}

type unaryOp struct {
	op       bytecode.Op
	dst, src bytecode.Rep
}

var unaryIntrinsics = map[string]unaryOp{
	"mutex.held": {bytecode.HELD, bytecode.RepI, bytecode.RepP},
	"list.len":   {bytecode.LLEN, bytecode.RepI, bytecode.RepP},
	"str.len":    {bytecode.SLEN, bytecode.RepI, bytecode.RepP},
	"bytes.len":  {bytecode.SLEN, bytecode.RepI, bytecode.RepP},
	"map.len":    {bytecode.MLEN, bytecode.RepI, bytecode.RepP},
	"set.len":    {bytecode.MLEN, bytecode.RepI, bytecode.RepP},
	"math.sqrt":  {bytecode.FSQRT, bytecode.RepI, bytecode.RepI},
	"float.abs":  {bytecode.FABS, bytecode.RepI, bytecode.RepI},
}

// receiver evaluates the receiver of a method call where it likes.
func (b *builder) receiver(s callSite, self types.Type) int {
	if s.recv >= 0 {
		return b.convert(s.recv, s.rt, self, -1)
	}
	return b.expr(s.e.Fn.(*syntax.Member).X, self, -1)
}

// builtin compiles the functions whose types cannot be written in Runnel.
func (b *builder) builtin(e *syntax.Call, ci *types.CallInfo, t types.Type, dst int) int {
	mark := b.top
	switch ci.Builtin {
	case "print", "eprint":
		b.print(e, "core."+ci.Builtin)
		b.setTop(mark)
		return b.dst(dst)
	case "assert":
		b.assert(e)
		b.setTop(mark)
		return b.dst(dst)
	case "same":
		x := b.expr(e.Args[0].Value, nil, -1)
		if x < mark && !b.simple(e.Args[1].Value) {
			x = b.copyTemp(x, bytecode.RepP)
		}
		y := b.expr(e.Args[1].Value, nil, -1)
		b.setTop(mark)
		d := b.dst(dst)
		if b.c.rep(b.typeOf(e.Args[0].Value)) == bytecode.RepI {
			b.emit(bytecode.EQ, ir(d), ir(x), ir(y))
		} else {
			b.emit(bytecode.SAME, ir(d), pr(x), pr(y))
		}
		return d
	case "type_of":
		x := e.Args[0].Value
		r := b.expr(x, nil, -1)
		b.setTop(mark)
		d := b.dst(dst)
		b.emit(bytecode.TYPEOF, pr(d), pr(r), uint16(b.c.typeID(b.typeOf(x))))
		b.def(d, bytecode.IDStr)
		return d
	case "str":
		if isBasic(b.typeOf(e.Args[0].Value), types.KBytes) {
			return b.conversion(e, "str", t, dst)
		}
		d := b.dst(dst)
		b.text(joined{x: e.Args[0].Value}, d)
		return d
	case "int", "float", "bytes":
		return b.conversion(e, ci.Builtin, t, dst)
	}
	b.c.internal(e, "no builtin "+ci.Builtin)
	return b.dst(dst)
}

// print writes its arguments separated by blanks.
func (b *builder) print(e *syntax.Call, native string) {
	w := b.newWindow(1)
	b.printed(e, w.first)
	b.emit(bytecode.CALLN, pr(w.first), uint16(b.c.nativeRef(native, nil, []types.Type{types.Str}, types.Unit)), 0)
}

// printed makes the text that a print writes.
func (b *builder) printed(e *syntax.Call, dst int) {
	switch len(e.Args) {
	case 0:
		b.loadStr(dst, "")
	case 1:
		b.text(joined{x: e.Args[0].Value}, dst)
	default:
		var parts []joined
		for i, a := range e.Args {
			if i > 0 {
				parts = append(parts, joined{text: " "})
			}
			parts = append(parts, joined{x: a.Value})
		}
		b.join(parts, dst)
	}
}

// conversion compiles int(x), float(x), bytes(x).
func (b *builder) conversion(e *syntax.Call, name string, t types.Type, dst int) int {
	x := e.Args[0].Value
	xt := b.typeOf(x)
	mark := b.top
	r := b.expr(x, nil, -1)
	b.setTop(mark)
	switch {
	case types.Identical(xt, t):
		if dst < 0 {
			return b.settle(r, mark)
		}
		b.move(dst, r, b.c.rep(t))
		return dst
	case name == "int" && isFloat(xt):
		d := b.dst(dst)
		b.emit(bytecode.FTOI, ir(d), ir(r), 0)
		return d
	case name == "int" && b.numbered(xt) != nil:
		b.setTopAtLeast(r + 1)
		w := b.newWindow(1)
		b.move(w.first, r, bytecode.RepI)
		b.emitCall(b.numbered(xt), types.Prune(xt).(*types.Named).Args, nil, nil, w)
		return b.finish(w, t, mark, dst)
	case name == "int" && b.c.rep(xt) == bytecode.RepI: // bool, duration, plain enum
		if dst < 0 {
			return b.settle(r, mark)
		}
		b.move(dst, r, bytecode.RepI)
		return dst
	case name == "float" && b.c.rep(xt) == bytecode.RepI:
		d := b.dst(dst)
		b.emit(bytecode.ITOF, ir(d), ir(r), 0)
		return d
	}
	b.setTopAtLeast(r + 1)
	w := b.newWindow(1)
	b.move(w.first, r, b.c.rep(xt))
	ref := b.c.nativeRef("core."+name, nil, []types.Type{xt}, t)
	b.emit(bytecode.CALLN, pr(w.first), uint16(ref), 0)
	return b.finish(w, t, mark, dst)
}

var compareNames = map[syntax.BinOp]string{
	syntax.OpEq: "==", syntax.OpNe: "!=", syntax.OpLt: "<", syntax.OpLe: "<=", syntax.OpGt: ">", syntax.OpGe: ">=",
}

// assert checks a condition. A failed comparison shows its operands.
func (b *builder) assert(e *syntax.Call) {
	cond := e.Args[0].Value
	ok := newLabel()
	source := b.file.Text(cond.Span())
	if b.frozen > 0 {
		source = "condition"
	}
	cmp, isCmp := unparen(cond).(*syntax.Binary)
	if !isCmp || compareNames[cmp.Op] == "" || isNoneLit(cmp.X) || isNoneLit(cmp.Y) || b.info.Operators[cmp] != nil {
		b.cond(cond, true, ok)
		b.failAssert(e, "assertion failed: "+source, nil)
		b.bind(ok)
		return
	}
	t := b.common(cmp.X, cmp.Y)
	mark := b.top
	x := b.temp(cmp.X, t)
	y := b.temp(cmp.Y, t)
	b.compareRegs(cmp.Op, t, x, y, true, ok)
	b.failAssert(e, "assertion failed: "+source, []shown{{x, t}, {y, t}})
	b.bind(ok)
	b.setTop(mark)
}

// shown is an operand to be printed.
type shown struct {
	reg int
	t   types.Type
}

// failAssert throws the AssertError with the message and the operands' values.
func (b *builder) failAssert(e *syntax.Call, text string, operands []shown) {
	mark := b.top
	native, params := "core.fail_assert", []types.Type{types.Str}
	for range operands {
		native, params = "core.fail_comparison", append(params, types.Str)
	}
	w := b.newWindow(len(params))
	b.loadStr(w.first, text)
	if len(e.Args) > 1 {
		parts := b.allocN(3)
		b.loadStr(parts, text)
		b.loadStr(parts+1, ": ")
		b.text(joined{x: e.Args[1].Value}, parts+2)
		b.emit(bytecode.CONCATN, pr(w.first), pr(parts), 3)
	}
	b.def(w.first, bytecode.IDStr)
	for i, s := range operands {
		b.quoted(s, w.first+1+i)
	}
	b.emit(bytecode.CALLN, pr(w.first), uint16(b.c.nativeRef(native, nil, params, types.Unit)), 0)
	b.emit(bytecode.TRAP, 0, 0, 0)
	b.dead = true
	b.setTop(mark)
}

// quoted makes the text of a value as it looks inside a collection.
func (b *builder) quoted(s shown, dst int) {
	b.format(s.t, "?", s.reg, dst)
	b.def(dst, bytecode.IDStr)
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

func isNoneLit(e syntax.Expr) bool {
	_, ok := unparen(e).(*syntax.NoneLit)
	return ok
}
