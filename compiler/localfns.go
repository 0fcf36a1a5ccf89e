package compiler

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// localFns compiles the functions that a block declares one after the other. If none of
// them uses a local around them, they are functions like those at the top level. Otherwise
// they are closures; those that they use of each other, or of themselves, live in cells,
// which are there before the closures are.
func (b *builder) localFns(group []*types.Local) {
	captures := false
	for _, l := range group {
		captures = captures || len(b.freeLocals(l.Fn.Syntax.Body)) > 0
	}
	if !captures {
		b.staticFns(group)
		return
	}
	used := b.usedIn(group)
	for _, l := range group {
		reg := b.alloc()
		b.locals[l] = slot{reg: reg, cell: used[l]}
		if used[l] {
			b.newFnCell(reg, b.localType(l))
		}
	}
	for _, l := range group {
		d, ft := l.Fn.Syntax, b.localType(l)
		if !used[l] {
			reg := b.locals[l].reg
			b.closure(d, d.Body, d.Params, ft, reg)
			continue
		}
		mark := b.top
		b.setLocal(l, b.closure(d, d.Body, d.Params, ft, -1))
		b.setTop(mark)
	}
}

func (b *builder) localType(l *types.Local) *types.Func { return b.subst.Apply(l.Type).(*types.Func) }

// staticFns compiles functions that capture nothing. Their bodies are compiled later, when
// all their places are known.
func (b *builder) staticFns(group []*types.Local) {
	if b.statics == nil {
		b.statics = map[*types.Local]int{}
	}
	for _, l := range group {
		d := l.Fn.Syntax
		b.statics[l] = b.c.closureFunc(b, d, d.Body, d.Params, b.localType(l), nil)
	}
}

// static returns what a local function that captures nothing is compiled to.
func (b *builder) static(e syntax.Expr) (int, bool) {
	id, ok := unparen(e).(*syntax.Ident)
	if !ok {
		return 0, false
	}
	l, ok := b.info.Uses[id.ID()].(*types.Local)
	if !ok {
		return 0, false
	}
	index, ok := b.statics[l]
	return index, ok
}

// usedIn tells which functions of a group a body in it uses.
func (b *builder) usedIn(group []*types.Local) map[*types.Local]bool {
	used := map[*types.Local]bool{}
	for _, l := range group {
		syntax.Walk(l.Fn.Syntax.Body, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok {
				if o, ok := b.info.Uses[id.ID()].(*types.Local); ok && o.Fn != nil {
					used[o] = true
				}
			}
			return true
		})
	}
	return used
}

// newFnCell makes the cell of a function that is yet to be made.
func (b *builder) newFnCell(reg int, ft *types.Func) {
	id := b.c.cellType(ft)
	mark := b.top
	none := b.alloc()
	b.emit(bytecode.LDFN, pr(none), uint16(b.c.trapFunc(ft)), 0)
	b.defType(none, ft)
	b.emit(bytecode.NEW, pr(reg), uint16(id), pr(none))
	b.def(reg, id)
	b.setTop(mark)
}

// trapFunc is a function of a type that nobody ever calls.
func (c *compiler) trapFunc(ft *types.Func) int {
	key := "trap " + types.Key(ft)
	if i, ok := c.funcs[key]; ok {
		return i
	}
	main := c.prog.Main
	i := c.newFunc(c.funcMeta("fn", ft), diag.NoSpan, func(far bool) *builder {
		b := c.newBuilder(main, main.Info, nil, ft.Result, far)
		b.paramRegs(ft)
		b.snapshot()
		b.emit(bytecode.TRAP, 0, 0, 0)
		b.dead = true
		return b
	})
	c.funcs[key] = i
	return i
}

// around maps the type parameters of the function that is compiled to themselves: a local
// function sees them.
func (b *builder) around() types.Subst {
	if b.subst == nil {
		return types.Subst{}
	}
	s := types.Subst{Params: b.subst.Params}
	for _, p := range s.Params {
		s.Args = append(s.Args, p)
	}
	return s
}
