package compiler

import (
	"slices"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// control compiles the expressions that direct the flow.
func (b *builder) control(e syntax.Expr, t types.Type, dst int) int {
	switch e := e.(type) {
	case *syntax.Block:
		return b.block(e, t, dst)
	case *syntax.If:
		return b.ifExpr(e, t, dst)
	case *syntax.Match:
		return b.match(e, t, dst)
	case *syntax.Try:
		return b.try(e, t, dst)
	case *syntax.While:
		b.while(e)
	case *syntax.Loop:
		b.loop(e)
	case *syntax.For:
		b.forLoop(e)
	case *syntax.Throw:
		b.throw(e)
	case *syntax.Return:
		b.ret(e)
	case *syntax.Yield:
		b.yield(e)
	case *syntax.Break:
		b.leaveLoop(e, func(l *loop) *label { return l.brk })
	case *syntax.Continue:
		b.leaveLoop(e, func(l *loop) *label { return l.cont })
	case *syntax.Spawn:
		return b.spawn(e, t, dst)
	case *syntax.Await:
		return b.await(e, t, dst)
	case *syntax.Scope:
		return b.scope(e, t, dst)
	case *syntax.Lock:
		return b.lock(e, t, dst)
	case *syntax.Select:
		return b.selectExpr(e, t, dst)
	default:
		b.c.internal(e, "this expression cannot be compiled")
	}
	return b.dst(dst)
}

// branch compiles a branch of type t into d; a unit result is dropped.
func (b *builder) branch(e syntax.Expr, t types.Type, d int) {
	if isUnit(t) || isNever(t) {
		b.discard(e)
		return
	}
	b.expr(e, t, d)
}

// discard compiles e for what it does.
func (b *builder) discard(e syntax.Expr) {
	mark := b.top
	switch x := e.(type) {
	case *syntax.Block:
		b.blockStmts(x)
	case *syntax.If:
		b.value(e, types.Unit, -1)
	case *syntax.Match:
		b.value(e, types.Unit, -1)
	case *syntax.Try, *syntax.Scope, *syntax.Lock, *syntax.Select:
		b.value(e, types.Unit, -1)
	default:
		b.expr(e, nil, -1)
	}
	b.setTop(mark)
}

// resultReg is where a branching expression of type t leaves its value.
func (b *builder) resultReg(t types.Type, dst int) int {
	if dst < 0 && (isUnit(t) || isNever(t)) {
		return b.top // nothing is stored there
	}
	return b.dst(dst)
}

// block compiles { ... } with the value of its last expression.
func (b *builder) block(e *syntax.Block, t types.Type, dst int) int {
	last, ok := lastExpr(e)
	if !ok || isUnit(t) || isNever(t) {
		d := b.resultReg(t, dst)
		b.blockStmts(e)
		b.setTopAtLeast(d + 1)
		return d
	}
	d := b.dst(dst)
	mark := b.top
	for _, s := range e.Stmts[:len(e.Stmts)-1] {
		b.stmt(s)
	}
	b.expr(last, t, d)
	b.setTop(mark)
	return d
}

func lastExpr(e *syntax.Block) (syntax.Expr, bool) {
	if len(e.Stmts) == 0 {
		return nil, false
	}
	s, ok := e.Stmts[len(e.Stmts)-1].(*syntax.ExprStmt)
	if !ok || s.Semi {
		return nil, false
	}
	return s.X, true
}

// blockStmts compiles a block for what it does.
func (b *builder) blockStmts(e *syntax.Block) {
	mark, pos := b.top, b.pos
	for _, s := range e.Stmts {
		b.stmt(s)
	}
	b.setTop(mark)
	b.pos = pos
}

func (b *builder) ifExpr(e *syntax.If, t types.Type, dst int) int {
	d := b.resultReg(t, dst)
	mark := b.top
	els, end := newLabel(), newLabel()
	b.condFail(e.Cond, els)
	b.markBranch(e.Then)
	b.branch(e.Then, t, d)
	b.setTop(mark)
	if e.Else == nil {
		b.bindUnwritten(els, e)
		return d
	}
	b.jump(end)
	b.bind(els)
	if _, chain := e.Else.(*syntax.If); !chain {
		b.markBranch(e.Else)
	}
	b.branch(e.Else, t, d)
	b.setTop(mark)
	b.bind(end)
	if !isUnit(t) && !isNever(t) {
		b.defType(d, t)
	}
	return d
}

// condFail jumps to fail unless the condition of an if or while holds; what a
// pattern binds lives until the caller resets top.
func (b *builder) condFail(c syntax.Cond, fail *label) {
	b.test(c, fail)
	for _, more := range c.More {
		b.test(more, fail)
	}
}

// test jumps when a part of a condition does not hold.
func (b *builder) test(c syntax.Cond, fail *label) {
	if c.Pattern == nil {
		b.cond(c.X, false, fail)
		return
	}
	xt := b.typeOf(c.X)
	b.pattern(c.Pattern, b.steady(c.X), xt, fail)
}

func (b *builder) while(e *syntax.While) {
	mark := b.top
	l := &loop{node: e, brk: newLabel(), cont: newLabel()}
	b.loops = append(b.loops, l)
	if e.Cond.Binds() || b.c.opts.Plain && !b.constTrue(e.Cond.X) {
		b.bindLoop(l.cont)
		b.condFail(e.Cond, l.brk)
		b.loopBody(e.Body)
		b.setTop(mark)
		b.jump(l.cont)
	} else if b.constTrue(e.Cond.X) {
		b.bindLoop(l.cont)
		b.discard(e.Body)
		b.jump(l.cont)
	} else {
		// The test stands at the end, one fused jump a turn.
		body := newLabel()
		b.cond(e.Cond.X, false, l.brk)
		b.bindLoop(body)
		b.loopBody(e.Body)
		b.bind(l.cont)
		b.cond(e.Cond.X, true, body)
	}
	b.loops = b.loops[:len(b.loops)-1]
	b.setTop(mark)
	b.bind(l.brk)
}

func (b *builder) constTrue(e syntax.Expr) bool {
	k, ok := b.constBool(e)
	return ok && k
}

func (b *builder) loop(e *syntax.Loop) {
	mark := b.top
	l := &loop{node: e, brk: newLabel(), cont: newLabel()}
	b.loops = append(b.loops, l)
	b.bindLoop(l.cont)
	b.discard(e.Body)
	b.jump(l.cont)
	b.loops = b.loops[:len(b.loops)-1]
	b.setTop(mark)
	b.bind(l.brk)
}

// leaveLoop compiles a break or continue.
func (b *builder) leaveLoop(e syntax.Expr, to func(*loop) *label) {
	l := b.target(e)
	left := b.leaveGuards(slices.Index(b.loops, l) + 1)
	b.jump(to(l))
	left()
}

// target finds the loop that a break or continue means.
func (b *builder) target(e syntax.Expr) *loop {
	node := b.info.Labels[e]
	for i := len(b.loops) - 1; i >= 0; i-- {
		if b.loops[i].node == node || node == nil {
			return b.loops[i]
		}
	}
	b.c.internal(e, "no loop to leave")
	return &loop{brk: newLabel(), cont: newLabel()}
}

// ---- errors ----

func (b *builder) throw(e *syntax.Throw) {
	mark := b.top
	t := b.c.errorType()
	r := b.expr(e.X, t, -1)
	b.setTop(mark)
	b.emit(bytecode.THROW, pr(r), 0, 0)
	b.dead = true
}

// try compiles the body under a handler; the clauses are tried in order.
func (b *builder) try(e *syntax.Try, t types.Type, dst int) int {
	d := b.resultReg(t, dst)
	b.setTopAtLeast(d + 1)
	mark := b.top
	reg := b.alloc() // the caught error
	end := newLabel()
	state := append([]uint32(nil), b.regs[:b.top]...)
	from := len(b.code)
	wasDead := b.dead
	// The body leaves its value in a register of its own: when it fails half
	// way, d still has its old value.
	tmp := d
	if !isUnit(t) && !isNever(t) && dst >= 0 {
		tmp = b.alloc()
	}
	b.branch(e.Body, t, tmp)
	if tmp != d && !b.dead {
		b.move(d, tmp, b.c.rep(t))
	}
	to := len(b.code)
	b.jump(end)
	b.setTop(mark + 1)
	if wasDead || to == from {
		b.bind(end)
		b.setTop(mark)
		return d
	}
	errType := b.c.errorType()
	state[reg] = b.c.typeID(errType)
	handler := &label{pos: -1, known: true, state: state}
	b.dead = true
	b.bind(handler)
	b.handle(from, to, bytecode.Handler{Target: uint32(handler.pos), Reg: uint16(reg)})
	for _, c := range e.Catches {
		b.catch(c, reg, errType, t, d, end)
		b.setTop(mark + 1)
	}
	if !b.dead {
		b.emit(bytecode.RETHROW, pr(reg), 0, 0)
		b.dead = true
	}
	b.bind(end)
	b.setTop(mark)
	if !isUnit(t) && !isNever(t) {
		b.defType(d, t)
	}
	return d
}

// handle adds a handler of the code between two places, the holes in it aside.
func (b *builder) handle(from, to int, h bytecode.Handler) {
	for _, hole := range append(b.holes[:len(b.holes):len(b.holes)], [2]int{to, to}) {
		if hole[0] > from {
			h.Start, h.End = uint32(from), uint32(hole[0])
			b.handlers = append(b.handlers, h)
		}
		from = max(from, hole[1])
	}
}

func (b *builder) catch(c *syntax.CatchClause, reg int, errType, t types.Type, d int, end *label) {
	if b.dead {
		return
	}
	next := newLabel()
	bound := errType
	r := reg
	if c.Type == nil || isIface(b.subst.Apply(b.info.TypeOfExpr(c.Type))) {
		// A cancelled task ends: only catch e: Cancelled sees that.
		test := b.alloc()
		b.emit(bytecode.ISTYPE, ir(test), pr(reg), uint16(b.c.cancelledType()))
		b.jumpWide(bytecode.JT, ir(test), next)
	}
	if c.Type != nil {
		bound = b.subst.Apply(b.info.TypeOfExpr(c.Type))
		if !types.Identical(bound, errType) {
			test := b.alloc()
			b.typeTest(test, reg, errType, bound)
			b.jumpWide(bytecode.JF, ir(test), next)
			r = b.convert(reg, errType, bound, -1)
		}
	}
	if l := b.info.Catches[c]; l != nil {
		b.declare(l, r, bound)
	}
	b.markBranch(c.Body)
	b.branch(c.Body, t, d)
	b.jump(end)
	b.bind(next)
}

func (b *builder) ret(e *syntax.Return) {
	mark := b.top
	if isUnit(b.result) || e.X == nil {
		if e.X != nil {
			b.discard(e.X)
		}
		b.emitReturn(-1)
		return
	}
	if b.defers {
		b.expr(e.X, b.result, b.retReg)
		b.emitReturn(b.retReg)
	} else {
		b.emitReturn(b.expr(e.X, b.result, -1))
	}
	b.setTop(mark)
}

// emitReturn ends the function with the value in r. A function that defers
// leaves through its common exit, outside of every handler.
func (b *builder) emitReturn(r int) {
	if b.dead {
		return
	}
	left := b.leaveGuards(0)
	if b.defers || b.frame != nil {
		b.jump(b.exit)
	} else {
		b.emitRet(r)
	}
	left()
}

func (b *builder) emitRet(r int) {
	switch {
	case r < 0 || isUnit(b.result) || isNever(b.result):
		b.emit(bytecode.RET, 0, 0, 0)
	case b.c.rep(b.result) == bytecode.RepI:
		b.emit(bytecode.RETI, ir(r), 0, 0)
	case b.c.rep(b.result) == bytecode.RepP:
		b.emit(bytecode.RETP, pr(r), 0, 0)
	default:
		b.emit(bytecode.RETV, pr(r), 0, 0)
	}
	b.dead = true
}
