package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

func isList(t types.Type) bool {
	a, ok := types.Prune(t).(*types.App)
	return ok && a.Ctor == types.CList
}

// joinLists makes a new list of type t of the elements of two. What another join has
// made is seen by nobody else, so it grows.
func (b *builder) joinLists(x, y syntax.Expr, t types.Type, dst int) int {
	mark := b.top
	l := b.operandReg(x, y, t)
	if e, ok := unparen(x).(*syntax.Binary); !ok || e.Op != syntax.OpAdd || b.info.Operators[e] != nil || b.c.opts.Plain {
		return b.joined(l, b.expr(y, t, -1), t, mark, dst)
	}
	w := b.newWindow(2)
	b.expr(y, t, w.first+1)
	b.move(w.first, l, bytecode.RepP)
	b.emit(bytecode.CALLN, pr(w.first), uint16(b.c.nativeRef("list.extend", nil, []types.Type{t, t}, types.Unit)), 0)
	if dst < 0 {
		return b.settle(l, mark)
	}
	b.move(dst, l, bytecode.RepP)
	b.setTop(mark)
	return dst
}

func elemOf(t types.Type) types.Type { return types.Prune(t).(*types.App).Args[0] }

// joined joins the lists of type t in two registers.
func (b *builder) joined(x, y int, t types.Type, mark, dst int) int {
	b.setTopAtLeast(max(x, y) + 1)
	w := b.newWindow(2)
	b.move(w.first, x, bytecode.RepP)
	b.move(w.first+1, y, bytecode.RepP)
	b.emit(bytecode.CALLN, pr(w.first), uint16(b.c.nativeRef("core.joined", []types.Type{elemOf(t)}, []types.Type{t, t}, t)), 0)
	return b.finish(w, t, mark, dst)
}
