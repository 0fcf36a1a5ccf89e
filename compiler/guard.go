package compiler

import (
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// guard is a region of code with something to be done on every way out of it:
// its end, an error, and every break, continue and return that leaves it.
type guard struct {
	loops int    // how many loops were open around it
	leave func() // emits what is to be done
	from  int
	holes [][2]int // code after leave, on the way out
}

// lock compiles lock m as v { ... }: v lives in a register and is stored when
// the mutex is released.
func (b *builder) lock(e *syntax.Lock, t types.Type, dst int) int {
	d := b.resultReg(t, dst)
	b.setTopAtLeast(d + 1)
	mark := b.top
	mt := types.Prune(b.typeOf(e.X)).(*types.App)
	m := b.temp(e.X, nil)
	b.setTopAtLeast(m + 1)
	v := b.alloc()
	b.at(e)
	b.keep(b.emit(bytecode.LOCK, pr(v), pr(m), 0), v)
	b.defType(v, mt.Args[0])
	if l := b.info.Locks[e]; l != nil {
		b.locals[l] = slot{reg: v}
	}
	unlock := func() { b.emit(bytecode.UNLOCK, pr(m), pr(v), 0) }
	b.guarded(e, t, d, dst >= 0, &guard{leave: unlock}, func(err int) {
		unlock()
		b.emit(bytecode.RETHROW, pr(err), 0, 0)
	}, e.Body)
	b.setTop(mark)
	return d
}

// scope compiles scope { ... }.
func (b *builder) scope(e *syntax.Scope, t types.Type, dst int) int {
	d := b.resultReg(t, dst)
	b.setTopAtLeast(d + 1)
	mark := b.top
	b.at(e)
	b.emitAux(bytecode.SCOPE, 0, 0, 0, 0)
	end := func() {
		b.endPos(e.Body)
		b.emitAux(bytecode.SCOPE, 1, 0, 0, 0)
	}
	b.guarded(e, t, d, dst >= 0, &guard{leave: end}, func(err int) {
		b.at(e)
		b.emit(bytecode.FAILSCOPE, pr(err), 0, 0)
	}, e.Body)
	b.setTop(mark)
	return d
}

// guarded compiles the body of a guard. The value goes to d; when d is somebody
// else's it is written at the end only. failed handles the error in a register.
func (b *builder) guarded(e syntax.Expr, t types.Type, d int, others bool, g *guard, failed func(err int), body *syntax.Block) {
	state := append([]uint32(nil), b.regs[:b.top]...)
	valued := !isUnit(t) && !isNever(t)
	tmp := d
	if valued && others {
		tmp = b.alloc()
	}
	g.loops, g.from = len(b.loops), len(b.code)
	b.guards = append(b.guards, g)
	wasDead := b.dead
	b.branch(body, t, tmp)
	b.guards = b.guards[:len(b.guards)-1]
	if !b.dead {
		g.leave()
	}
	to := len(b.code)
	end := newLabel()
	if !b.dead && tmp != d {
		b.move(d, tmp, b.c.rep(t))
	}
	b.jump(end)
	if !wasDead && to > g.from {
		b.landing(g, to, state, failed)
	}
	b.bind(end)
	if valued {
		b.defType(d, t)
	}
}

// landing writes what is done when an error passes through a guard.
func (b *builder) landing(g *guard, to int, state []uint32, failed func(err int)) {
	err := b.alloc()
	regs := make([]uint32, b.top)
	copy(regs, state)
	pad := &label{pos: -1, known: true, state: regs}
	b.dead = true
	b.bind(pad)
	failed(err)
	b.dead = true
	from := g.from
	for _, h := range append(g.holes, [2]int{to, to}) {
		if h[0] > from {
			b.handlers = append(b.handlers, bytecode.Handler{
				Start: uint32(from), End: uint32(h[0]), Target: uint32(pad.pos), Reg: uint16(err), Cleanup: true,
			})
		}
		from = h[1]
	}
}

// leaveGuards does what the guards ask for, the innermost first, down to those
// outside of the n innermost loops. It gives the function that ends the way out,
// once the jump that leaves has been emitted.
func (b *builder) leaveGuards(loops int) func() {
	var left []*guard
	var starts []int
	for i := len(b.guards) - 1; i >= 0 && b.guards[i].loops >= loops && !b.dead; i-- {
		g := b.guards[i]
		g.leave()
		left, starts = append(left, g), append(starts, len(b.code))
	}
	return func() {
		for i, g := range left {
			g.holes = append(g.holes, [2]int{starts[i], len(b.code)})
		}
	}
}
