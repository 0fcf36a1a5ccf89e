package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// selectExpr evaluates channels, values and times in the order they are
// written, waits, and continues with the arm that went.
func (b *builder) selectExpr(e *syntax.Select, t types.Type, dst int) int {
	d := b.resultReg(t, dst)
	b.setTopAtLeast(d + 1)
	mark := b.top
	which := b.alloc()
	n := 0
	for _, arm := range e.Arms {
		if arm.Kind == syntax.SelRecv || arm.Kind == syntax.SelSend {
			n++
		}
	}
	if n > bytecode.MaxSelectArms {
		b.c.tooLarge(e.Span(), "arms in a `select`", bytecode.MaxSelectArms, "let what sends share a channel")
		return d
	}
	base := b.allocN(2*n + 1)
	imm := b.selectOperands(e, base, n)
	b.at(e)
	b.keep(b.emitImm(bytecode.SELECT, ir(which), pr(base), uint16(n), imm), b.top)
	b.received(e, base)
	end := newLabel()
	i := 0
	state := append([]uint32(nil), b.regs[:b.top]...)
	for k, arm := range e.Arms {
		index := n
		if arm.Kind == syntax.SelRecv || arm.Kind == syntax.SelSend {
			index = i
			i++
		}
		next := newLabel()
		if k < len(e.Arms)-1 {
			b.jumpIf(bytecode.JNEI, ir(which), uint16(index), nil, next)
		}
		b.selectArm(arm, base+2*index, t, d)
		b.jump(end)
		b.setTop(mark + 2 + 2*n)
		if k < len(e.Arms)-1 {
			next.state = append([]uint32(nil), state...)
			b.bind(next)
		}
	}
	b.setTop(mark)
	b.bind(end)
	if !isUnit(t) && !isNever(t) {
		b.defType(d, t)
	}
	return d
}

// received notes what the places for received values hold after a select.
func (b *builder) received(e *syntax.Select, base int) {
	i := 0
	for _, arm := range e.Arms {
		switch arm.Kind {
		case syntax.SelRecv:
			b.defType(base+2*i+1, b.elemOf(arm.Chan))
			i++
		case syntax.SelSend:
			i++
		}
	}
}

func (b *builder) elemOf(ch syntax.Expr) types.Type {
	return types.Prune(b.typeOf(ch)).(*types.App).Args[0]
}

// selectOperands fills the pairs of registers and gives the immediate word.
func (b *builder) selectOperands(e *syntax.Select, base, n int) uint64 {
	var imm uint64
	i := 0
	for _, arm := range e.Arms {
		switch arm.Kind {
		case syntax.SelRecv, syntax.SelSend:
			b.expr(arm.Chan, nil, base+2*i)
			if arm.Kind == syntax.SelSend {
				imm |= 1 << i
				b.expr(arm.X, b.elemOf(arm.Chan), base+2*i+1)
			}
			i++
		case syntax.SelAfter:
			imm |= bytecode.SelectAfter
			b.expr(arm.X, types.Duration, base+2*n)
		case syntax.SelDefault:
			imm |= bytecode.SelectDefault
		}
	}
	return imm
}

// selectArm compiles what an arm does; its channel and value are in a pair.
func (b *builder) selectArm(arm *syntax.SelectArm, pair int, t types.Type, d int) {
	if arm.Kind == syntax.SelRecv && arm.Bind != nil {
		elem := b.elemOf(arm.Chan)
		opt := types.NewOptional(elem)
		r := b.alloc()
		none, bound := newLabel(), newLabel()
		b.jumpWide(bytecode.JF, ir(pair), none)
		b.convert(pair+1, elem, opt, r)
		b.jump(bound)
		b.bind(none)
		b.emit(bytecode.LDNIL, pr(r), 0, 0)
		b.defType(r, opt)
		b.bind(bound)
		b.defType(r, opt)
		b.pattern(arm.Bind, r, opt, newLabel())
	}
	b.markBranch(arm.Body)
	b.branch(arm.Body, t, d)
}
