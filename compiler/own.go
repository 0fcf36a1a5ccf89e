package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// ownOperator compiles an operator that is a method of x's type, as a value of type t; y is
// nil when it has one operand.
func (b *builder) ownOperator(n syntax.Node, x, y syntax.Expr, t types.Type, dst int) int {
	mark, xt := b.top, b.typeOf(x)
	receiver := func(want types.Type, to int) { b.expr(x, want, to) }
	if b.info.Operators[unparen(x)] != nil { // of a long chain each link would take a window inside the one before
		left := b.alloc()
		b.expr(x, xt, left)
		b.setTop(left + 1)
		receiver = func(want types.Type, to int) { b.convert(left, xt, want, to) }
	}
	return b.callOperator(n, xt, receiver, y, t, mark, dst)
}

// callOperator calls the method that operator n is on a value of type xt, which receiver
// puts into a register as the type that the method wants.
func (b *builder) callOperator(n syntax.Node, xt types.Type, receiver func(want types.Type, to int), y syntax.Expr, t types.Type, mark, dst int) int {
	info := b.info.Operators[n]
	fn, recvArgs := info.Fn, b.args(info.RecvArgs)
	if info.Kind == types.CallBound {
		fn, recvArgs = b.c.prog.MethodOf(xt, fn.Name)
	}
	self := xt
	if !isIface(xt) {
		self = b.selfType(fn, recvArgs, xt)
	}
	w := b.newWindow(1 + len(fn.Params))
	receiver(self, w.first)
	sub := types.Subst{Params: fn.OwnerParams(), Args: recvArgs}
	if y != nil {
		b.expr(y, b.subst.Apply(sub.Apply(fn.Params[0].Type)), w.first+1)
	}
	if isIface(xt) {
		b.emit(bytecode.CALLI, pr(w.first), uint16(b.c.selector(xt, fn)), 0)
	} else {
		b.emitCall(fn, recvArgs, nil, self, w)
	}
	got := b.subst.Apply(sub.Apply(fn.Result))
	if isNever(got) || types.Identical(got, t) {
		return b.finish(w, got, mark, dst)
	}
	r := b.finish(w, got, mark, -1)
	b.setTopAtLeast(r + 1)
	r = b.convert(r, got, t, dst)
	if dst < 0 {
		return b.settle(r, mark)
	}
	b.setTop(mark)
	return dst
}
