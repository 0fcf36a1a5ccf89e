package compiler

import (
	"math"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

func (b *builder) forLoop(e *syntax.For) {
	fi := b.info.Fors[e]
	mark := b.top
	l := &loop{node: e, brk: newLabel(), cont: newLabel()}
	b.loops = append(b.loops, l)
	switch fi.Kind {
	case types.ForRange:
		// A range value cannot end with the largest int, as a loop can.
		if r, ok := unparen(e.X).(*syntax.RangeLit); ok && b.c.opts.Plain && !r.Inclusive {
			b.forRangeValue(e, l)
			break
		}
		b.forRange(e, l)
	case types.ForRangeVal:
		b.forRangeValue(e, l)
	case types.ForList:
		b.forList(e, fi, l)
	case types.ForMap, types.ForSet:
		b.forMap(e, fi, l)
	case types.ForStr:
		b.forStr(e, l)
	case types.ForBytes:
		b.forBytes(e, l)
	case types.ForIterator:
		b.forIterator(e, fi, l)
	case types.ForChan:
		b.forChan(e, fi, l)
	default:
		b.c.internal(e, "a loop over something unknown")
	}
	b.loops = b.loops[:len(b.loops)-1]
	b.setTop(mark)
	b.bind(l.brk)
}

// loopVar declares the i-th variable of the loop with the value in r, or takes it
// apart; it is new in each turn.
func (b *builder) loopVar(e *syntax.For, i, r int) {
	b.takeApart(e.Vars[i], r, b.subst.Apply(b.info.Pats[e.Vars[i]].Type))
}

// forRange counts without a range object: one instruction a turn.
func (b *builder) forRange(e *syntax.For, l *loop) {
	r := unparen(e.X).(*syntax.RangeLit)
	i := b.alloc()
	b.expr(r.Lo, types.Int, i)
	hi := b.rangeEnd(r)
	body := newLabel()
	lo, loConst := b.num(r.Lo, false)
	top, hiConst := uint64(math.MaxInt64), true
	if r.Hi != nil {
		top, hiConst = b.num(r.Hi, false)
	}
	nonEmpty := loConst && hiConst && (int64(lo) < int64(top) || r.Inclusive && int64(lo) == int64(top))
	if !nonEmpty {
		op := bytecode.JLE // leave when hi <= i
		if r.Inclusive {
			op = bytecode.JLT
		}
		b.jumpIf(op, ir(hi), ir(i), nil, l.brk)
	}
	b.bindLoop(body)
	mark := b.top
	b.countVars(e, i, i)
	b.loopBody(e.Body)
	b.setTop(mark)
	b.bind(l.cont)
	if r.Inclusive {
		b.jumpIf(bytecode.FORLE, ir(i), ir(hi), nil, body)
	} else {
		b.jumpIf(bytecode.FORI, ir(i), ir(hi), nil, body)
	}
}

// rangeEnd returns the end of a range that a loop counts to.
func (b *builder) rangeEnd(r *syntax.RangeLit) int {
	if r.Hi != nil {
		return b.stable(r.Hi)
	}
	hi := b.alloc()
	b.loadInt(hi, math.MaxInt64)
	return hi
}

// countVars declares the variables of a counting loop: one is the element, two
// are index and element.
func (b *builder) countVars(e *syntax.For, index, elem int) {
	if len(e.Vars) == 2 {
		b.loopVar(e, 0, index)
		b.loopVar(e, 1, elem)
		return
	}
	b.loopVar(e, 0, elem)
}

// stable evaluates an int once into a register that nothing changes.
func (b *builder) stable(e syntax.Expr) int {
	if id, ok := unparen(e).(*syntax.Ident); ok {
		if l, ok := b.info.Uses[id.ID()].(*types.Local); ok && !l.Var {
			return b.expr(e, types.Int, -1)
		}
	}
	return b.temp(e, types.Int)
}

// forRangeValue counts through a range object.
func (b *builder) forRangeValue(e *syntax.For, l *loop) {
	rt := b.typeOf(e.X)
	r := b.temp(e.X, nil)
	i, step, n, k := b.alloc(), b.alloc(), b.alloc(), b.alloc()
	b.getField(i, r, b.structField(rt, 0))
	b.getField(step, r, b.structField(rt, 2))
	b.rangeLen(rt, r, n)
	b.loadInt(k, 0)
	body := newLabel()
	b.jumpIf(bytecode.JLE, ir(n), ir(k), nil, l.brk)
	b.bindLoop(body)
	mark := b.top
	b.countVars(e, k, i)
	b.loopBody(e.Body)
	b.setTop(mark)
	b.bind(l.cont)
	b.emit(bytecode.ADD, ir(i), ir(i), ir(step))
	b.jumpIf(bytecode.FORI, ir(k), ir(n), nil, body)
}

// rangeLen calls range.len on the range in r.
func (b *builder) rangeLen(rt types.Type, r, dst int) {
	fn, args := b.c.prog.MethodOf(rt, "len")
	mark := b.top
	w := b.newWindow(1)
	b.move(w.first, r, bytecode.RepP)
	b.emitCall(fn, args, nil, rt, w)
	b.move(dst, w.first, bytecode.RepI)
	b.setTop(mark)
}

// forList walks a list live, by index.
func (b *builder) forList(e *syntax.For, fi *types.ForInfo, l *loop) {
	elem := b.subst.Apply(fi.Elem)
	list := b.temp(e.X, nil)
	x := b.allocN(2) // element, next index
	b.loadInt(x+1, 0)
	body := newLabel()
	b.jump(l.cont)
	b.defType(x, elem)
	b.deferBody(body)
	mark := b.top
	if len(e.Vars) == 2 {
		if !isWildcard(e.Vars[0]) {
			i := b.alloc()
			b.emit(bytecode.ADDI, ir(i), ir(x+1), 0xffff)
			b.loopVar(e, 0, i)
		}
		b.loopVar(e, 1, x)
	} else {
		b.loopVar(e, 0, x)
	}
	b.loopBody(e.Body)
	b.setTop(mark)
	b.bind(l.cont)
	b.nextElem(list, x, elem, body)
}

// deferBody binds the label of a loop's body that is only jumped to from its
// end: what is known there is what is known now, before the loop.
func (b *builder) deferBody(body *label) {
	b.dead = false
	body.known = true
	body.state = append([]uint32(nil), b.regs[:b.top]...)
	b.dead = true
	b.bind(body)
}

// nextElem emits the step of a loop over a list.
func (b *builder) nextElem(list, x int, elem types.Type, body *label) {
	rep := b.c.rep(elem)
	b.jumpIf(b.c.listOps(elem).next, operand(x, rep), pr(list), nil, body)
}

// listLoop runs do for each element of the list in l; x is the element's
// register, x+1 counts.
func (b *builder) listLoop(l, x int, elem types.Type, do func()) {
	b.loadInt(x+1, 0)
	body, cont := newLabel(), newLabel()
	b.jump(cont)
	b.defType(x, elem)
	b.deferBody(body)
	do()
	b.bind(cont)
	b.nextElem(l, x, elem, body)
}

func (b *builder) forMap(e *syntax.For, fi *types.ForInfo, l *loop) {
	xt := types.Prune(b.typeOf(e.X)).(*types.App)
	m := b.temp(e.X, nil)
	state := b.allocN(2)
	key := b.alloc()
	val := -1
	if fi.Kind == types.ForMap && len(e.Vars) == 2 && !isWildcard(e.Vars[1]) {
		val = b.alloc()
	}
	b.emit(bytecode.MITER, ir(state), pr(m), 0)
	body := newLabel()
	b.jump(l.cont)
	b.dead = false
	b.defType(key, xt.Args[0])
	if val >= 0 {
		b.defType(val, xt.Args[1])
	}
	b.deferBody(body)
	mark := b.top
	b.loopVar(e, 0, key)
	if val >= 0 {
		b.loopVar(e, 1, val)
	}
	b.loopBody(e.Body)
	b.setTop(mark)
	b.regs[key] = 0
	if val >= 0 {
		b.regs[val] = 0
	}
	b.bind(l.cont)
	regs := uint64(pr(key)) | math.MaxUint32<<32
	if val >= 0 {
		regs = uint64(pr(key)) | uint64(pr(val))<<32
	}
	b.jumpIf(bytecode.MNEXT, ir(state), pr(m), &regs, body)
}

// forStr walks the characters of a str: STRNEXT gives each with its index.
func (b *builder) forStr(e *syntax.For, l *loop) {
	s := b.temp(e.X, nil)
	ch, next := b.alloc(), b.alloc()
	at := b.alloc()
	b.loadInt(next, 0)
	body := newLabel()
	b.jump(l.cont)
	b.dead = false
	b.def(ch, bytecode.IDStr)
	b.deferBody(body)
	mark := b.top
	if len(e.Vars) == 2 {
		b.loopVar(e, 0, at)
		b.loopVar(e, 1, ch)
	} else {
		b.loopVar(e, 0, ch)
	}
	b.loopBody(e.Body)
	b.setTop(mark)
	b.regs[ch] = 0
	b.bind(l.cont)
	b.emit(bytecode.MOVI, ir(at), ir(next), 0)
	b.jumpIf(bytecode.STRNEXT, pr(ch), pr(s), nil, body)
}

func (b *builder) forBytes(e *syntax.For, l *loop) {
	s := b.temp(e.X, nil)
	i, n, x := b.alloc(), b.alloc(), b.alloc()
	b.loadInt(i, 0)
	b.emit(bytecode.SLEN, ir(n), pr(s), 0)
	body := newLabel()
	b.jumpIf(bytecode.JLE, ir(n), ir(i), nil, l.brk)
	b.bindLoop(body)
	mark := b.top
	b.emit(bytecode.BGET, ir(x), pr(s), ir(i))
	b.countVars(e, i, x)
	b.loopBody(e.Body)
	b.setTop(mark)
	b.bind(l.cont)
	b.jumpIf(bytecode.FORI, ir(i), ir(n), nil, body)
}

// forIterator calls next() until it gives none.
func (b *builder) forIterator(e *syntax.For, fi *types.ForInfo, l *loop) {
	xt := b.typeOf(e.X)
	it := b.temp(e.X, nil)
	opt := types.NewOptional(b.subst.Apply(fi.Elem))
	index := -1
	if len(e.Vars) == 2 {
		index = b.alloc()
		b.loadInt(index, -1)
	}
	b.bindLoop(l.cont)
	mark := b.top
	w := b.newWindow(1)
	b.callNext(fi, it, xt, w)
	b.defType(w.first, opt)
	b.jumpWide(bytecode.JNIL, pr(w.first), l.brk)
	x := b.inner(w.first, opt, -1)
	b.setTopAtLeast(x + 1)
	b.defType(x, optElem(opt))
	if index >= 0 {
		b.emit(bytecode.ADDI, ir(index), ir(index), 1)
		b.loopVar(e, 0, index)
		b.loopVar(e, 1, x)
	} else {
		b.loopVar(e, 0, x)
	}
	b.loopBody(e.Body)
	b.setTop(mark)
	b.jump(l.cont)
}

// callNext calls the iterator's next with the window's first register as receiver.
func (b *builder) callNext(fi *types.ForInfo, it int, xt types.Type, w window) {
	fn, args := fi.Next.Fn, b.args(fi.Next.RecvArgs)
	if fi.Next.Kind == types.CallBound {
		fn, args = b.c.prog.MethodOf(xt, "next")
	}
	if isIface(xt) {
		b.move(w.first, it, bytecode.RepV)
		b.emit(bytecode.CALLI, pr(w.first), uint16(b.c.selector(xt, fn)), 0)
		return
	}
	self := b.selfType(fn, args, xt)
	b.convert(it, xt, self, w.first)
	b.emitCall(fn, args, nil, self, w)
}
