package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// lambda compiles |x| body to a function of its own and makes the closure.
func (b *builder) lambda(e *syntax.Lambda, t types.Type, dst int) int {
	return b.closure(e, e.Body, e.Params, types.Prune(t).(*types.Func), dst)
}

// closure compiles a body that sees the locals around it, and makes the
// function value: what it uses of them is captured, a var by its cell.
func (b *builder) closure(n syntax.Node, body syntax.Node, params []*syntax.Param, ft *types.Func, dst int) int {
	captured := b.freeLocals(body)
	if len(captured) == 0 {
		index := b.c.closureFunc(b, n, body, params, ft, nil)
		d := b.dst(dst)
		b.emit(bytecode.LDFN, pr(d), uint16(index), 0)
		b.defType(d, ft)
		return d
	}
	mark := b.top
	first := b.allocN(len(captured))
	caps := b.captured(captured, first)
	index := b.c.closureFunc(b, n, body, params, ft, caps)
	b.setTop(mark)
	d := b.dst(dst)
	b.emit(bytecode.CLOSURE, pr(d), uint16(index), pr(first))
	b.defType(d, ft)
	return d
}

// captured puts the locals that a body captures, a var by its cell, into
// registers from first on.
func (b *builder) captured(locals []*types.Local, first int) []capture {
	caps := make([]capture, len(locals))
	for i, l := range locals {
		t := b.subst.Apply(l.Type)
		s := b.locals[l]
		caps[i] = capture{local: l, typ: t, cell: s.cell}
		if s.cell {
			m := b.top
			cell, _ := b.cellOf(s, t)
			b.move(first+i, cell, bytecode.RepP)
			b.setTop(m)
		} else {
			b.local(l, first+i)
		}
	}
	return caps
}

// freeLocals lists the locals of this function that a body uses, in the order
// of their first use.
func (b *builder) freeLocals(body syntax.Node) []*types.Local {
	var out []*types.Local
	seen := map[*types.Local]bool{}
	add := func(l *types.Local) {
		if _, ours := b.locals[l]; ours && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			if l, ok := b.info.Uses[n.ID()].(*types.Local); ok {
				add(l)
			}
		case *syntax.SelfExpr:
			add(b.selfVar)
		}
		return true
	})
	return out
}

// captureFields lays out what a closure captures behind its entry word.
func (c *compiler) captureFields(caps []capture) ([]bytecode.Field, bytecode.Layout) {
	fields := make([]bytecode.Field, len(caps))
	for i, cp := range caps {
		if cp.cell {
			fields[i] = bytecode.Field{Name: cp.local.Name, Type: c.cellType(cp.typ), Rep: bytecode.RepP}
		} else {
			fields[i] = c.field(cp.local.Name, cp.typ)
		}
	}
	// The entry word is the first scalar: place with one in front.
	all := append([]bytecode.Field{{Rep: bytecode.RepI}}, fields...)
	layout := c.place(all, c.here, "what a function takes from around it", "give it a struct, a list or a map")
	copy(fields, all[1:])
	return fields, layout
}

// boundMethod makes a function value of x.method: a closure over the receiver.
func (b *builder) boundMethod(mi *types.MemberInfo, recv int, rt types.Type, dst int) {
	fn, recvArgs, kind := mi.Fn, b.args(mi.RecvArgs), mi.CallKind
	if kind == types.CallBound {
		if isIface(rt) {
			kind = types.CallIface
		} else {
			fn, recvArgs = b.methodBehind(rt, fn, recvArgs)
		}
	}
	ft := types.Prune(b.subst.Apply(mi.Type)).(*types.Func)
	self := rt
	if kind != types.CallIface {
		self = b.selfType(fn, recvArgs, rt)
	}
	mark := b.top
	bound := b.alloc()
	b.convert(recv, rt, self, bound)
	index := b.c.methodValue(fn, recvArgs, b.args(mi.TypeArgs), self, ft, kind == types.CallIface)
	b.setTop(mark)
	b.emit(bytecode.CLOSURE, pr(dst), uint16(index), pr(bound))
	b.defType(dst, ft)
}

// deferStmt makes a closure of the statement and leaves it with the task.
func (b *builder) deferStmt(s *syntax.DeferStmt) {
	mark := b.top
	ft := &types.Func{Result: types.Unit}
	r := b.closure(s, s.Body, nil, ft, -1)
	b.emit(bytecode.DEFER, pr(r), 0, 0)
	b.setTop(mark)
}
