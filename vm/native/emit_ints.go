//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"math"

	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// ints serves integers. It reports whether the instruction is one.
func (e *emitter) ints() bool {
	in := e.in
	A, B, C := in.A(), in.B(), in.C()
	switch in.op {
	case bc.ADD:
		e.arith(aADD, A, B, C)
	case bc.SUB:
		e.arith(aSUB, A, B, C)
	case bc.AND:
		e.arith(aAND, A, B, C)
	case bc.OR:
		e.arith(aOR, A, B, C)
	case bc.XOR:
		e.arith(aXOR, A, B, C)
	case bc.MUL:
		e.mul(A, B, C)
	case bc.ADDI:
		e.arithK(aADD, A, B, in.SC())
	case bc.ANDI:
		e.arithK(aAND, A, B, in.SC())
	case bc.MULI:
		d := e.dstI(A, rAX)
		e.imuli(d, e.srcI(B, rAX), in.SC())
		e.setI(A, d)
	case bc.DIV, bc.MOD:
		e.divide(A, B, C)
	case bc.DIVK, bc.MODK:
		e.divideBy(A, B, int64(in.imm), in.op == bc.DIVK)
	case bc.DIVP, bc.MODP:
		e.dividePower(A, B)
	case bc.SHL, bc.SHR:
		e.shift(A, B, C)
	case bc.SHLI, bc.SHRI:
		e.shiftK(in.op == bc.SHLI, A, B, byte(in.UC()&63))
	case bc.RSUBI:
		e.ld(rCX, e.srcI(B, rCX))
		e.movi(rAX, int64(in.SC()))
		e.alu(aSUB, rAX, R(rCX))
		e.setI(A, rAX)
	case bc.NEG, bc.COMPL:
		x := e.srcI(B, rAX)
		d := e.dstI(A, rAX)
		e.ld(d, x)
		if in.op == bc.NEG {
			e.neg(d)
		} else {
			e.not(d)
		}
		e.setI(A, d)
	case bc.NOT:
		e.ld(rAX, e.srcI(B, rAX))
		e.alui(aAND, R(rAX), 1)
		e.alui(aXOR, R(rAX), 1)
		e.setI(A, rAX)
	case bc.EQ:
		e.cmp(B, C)
		e.setcc(ccE, A)
	case bc.NE:
		e.cmp(B, C)
		e.setcc(ccNE, A)
	case bc.LT:
		e.cmp(B, C)
		e.setcc(ccL, A)
	case bc.LE:
		e.cmp(B, C)
		e.setcc(ccLE, A)
	case bc.ITOF:
		x := e.srcI(B, rAX)
		d := e.dstF(A, 14)
		e.vex(false, 0, 0x57, d, d, R(d))
		e.vex(true, 3, 0x2a, d, d, x)
		e.setF(A, d)
	default:
		return false
	}
	return true
}

func commutes(op int) bool { return op != aSUB }

func (e *emitter) arith(op int, a, b, c int32) {
	if e.arithImmediate(op, a, b, c) {
		return
	}
	x, y := e.srcI(b, rAX), e.srcI(c, rCX)
	d := e.dstI(a, rAX)
	if op == aADD && x.isReg() && y.isReg() && int(x.reg) != d && int(y.reg) != d {
		e.lea(d, MX(int(x.reg), int(y.reg), 1, 0))
		e.setI(a, d)
		return
	}
	if y.isReg() && int(y.reg) == d && !(x.isReg() && int(x.reg) == d) {
		if commutes(op) {
			x, y = y, x
		} else {
			e.ld(rCX, y)
			y = R(rCX)
		}
	}
	e.ld(d, x)
	e.alu(op, d, y)
	e.setI(a, d)
}

// arithImmediate serves operands that are known. It reports whether one is.
func (e *emitter) arithImmediate(op int, a, b, c int32) bool {
	if k, ok := e.j.constant(e.in, c); ok && op == aAND && k == 1<<32-1 {
		x := e.srcI(b, rAX)
		d := e.dstI(a, rAX)
		e.ld32(d, x)
		e.setI(a, d)
		return true
	}
	if k, ok := e.immediate(c); ok && !(op == aSUB && k == math.MinInt32) {
		if op == aSUB {
			op, k = aADD, -k
		}
		e.arithK(op, a, b, k)
		return true
	}
	if k, ok := e.immediate(b); ok && commutes(op) {
		e.arithK(op, a, c, k)
		return true
	}
	return false
}

func (e *emitter) arithK(op int, a, b int32, k int32) {
	x := e.srcI(b, rAX)
	d := e.dstI(a, rAX)
	if op == aADD && x.isReg() && int(x.reg) != d {
		e.lea(d, M(int(x.reg), k))
	} else {
		e.ld(d, x)
		e.alui(op, R(d), k)
	}
	e.setI(a, d)
}

func (e *emitter) mul(a, b, c int32) {
	for _, x := range [2][2]int32{{b, c}, {c, b}} {
		if k, ok := e.immediate(x[1]); ok {
			d := e.dstI(a, rAX)
			e.imuli(d, e.srcI(x[0], rAX), k)
			e.setI(a, d)
			return
		}
	}
	x, y := e.srcI(b, rAX), e.srcI(c, rCX)
	d := e.dstI(a, rAX)
	if y.isReg() && int(y.reg) == d {
		x, y = y, x
	}
	e.ld(d, x)
	e.imul(d, y)
	e.setI(a, d)
}

func (e *emitter) cmp(a, b int32) {
	if k, ok := e.immediate(b); ok {
		e.cmpK(a, k)
		return
	}
	x := e.srcIR(a, rAX)
	e.alu(aCMP, x, e.srcI(b, rCX))
}

func (e *emitter) cmpK(a int32, k int32) {
	x := e.srcI(a, rAX)
	if k == 0 && x.isReg() {
		e.test(int(x.reg), int(x.reg))
		return
	}
	e.alui(aCMP, x, k)
}

func (e *emitter) jumpIf(cc byte) {
	skip := e.jcc(cc ^ 1)
	e.fuelTo(e.in.to)
	e.here(skip)
}

func (e *emitter) setcc(cc byte, a int32) {
	e.asm.setcc(cc, rAX)
	e.movzxb(rAX, R(rAX))
	e.setI(a, rAX)
}

// magic of a signed division by a constant, after Hacker's Delight.
func magic(d int64) (m int64, s uint) {
	const two63 = uint64(1) << 63
	ad := uint64(d)
	if d < 0 {
		ad = -ad
	}
	t := two63 + uint64(d)>>63
	anc := t - 1 - t%ad
	p := uint(63)
	q1, r1 := two63/anc, two63%anc
	q2, r2 := two63/ad, two63%ad
	for {
		p++
		q1, r1 = 2*q1, 2*r1
		if r1 >= anc {
			q1++
			r1 -= anc
		}
		q2, r2 = 2*q2, 2*r2
		if r2 >= ad {
			q2++
			r2 -= ad
		}
		delta := ad - r2
		if !(q1 < delta || q1 == delta && r1 == 0) {
			break
		}
	}
	m = int64(q2 + 1)
	if d < 0 {
		m = -m
	}
	return m, p - 64
}

// divK leaves the quotient in rdx; the dividend is x, not rax or rdx.
func (e *emitter) divK(x int, k int64) {
	m, s := magic(k)
	e.movi(rAX, m)
	e.imul1(R(x)) // rdx:rax
	if k > 0 && m < 0 {
		e.alu(aADD, rDX, R(x))
	} else if k < 0 && m > 0 {
		e.alu(aSUB, rDX, R(x))
	}
	if s > 0 {
		e.shi(7, rDX, byte(s))
	}
	e.ld(rAX, R(rDX))
	e.shi(5, rAX, 63)
	e.alu(aADD, rDX, R(rAX))
}

// divide is / and %, with the shorter division where both numbers are small.
func (e *emitter) divide(a, b, c int32) {
	in := e.in
	if k, ok := e.j.constant(in, c); ok && k != 0 {
		e.divideBy(a, b, k, in.op == bc.DIV)
		return
	}
	if y := e.srcIR(c, rCX); y != rCX {
		e.ld(rCX, R(y))
	}
	e.test(rCX, rCX)
	e.coldExit(e.jcc(ccE), vm.MachineFault)
	e.ld(rAX, e.srcI(b, rAX))
	e.alui(aCMP, R(rCX), -1)
	m1 := e.jcc(ccE)
	e.ld(rDX, R(rAX))
	e.alu(aOR, rDX, R(rCX))
	e.shi(5, rDX, 32)
	wide := e.jcc(ccNE)
	e.div32(R(rCX)) // rdx is 0
	over := e.jmp()
	e.here(wide)
	e.cqo()
	e.idiv(R(rCX))
	over2 := e.jmp()
	e.here(m1)
	e.neg(rAX)
	e.movi(rDX, 0)
	e.here(over)
	e.here(over2)
	if in.op == bc.DIV {
		e.setI(a, rAX)
	} else {
		e.setI(a, rDX)
	}
}

// divideBy is / and % by a constant.
func (e *emitter) divideBy(a, b int32, k int64, quotient bool) {
	if k == 0 {
		e.coldExit(e.jmp(), vm.MachineFault)
		return
	}
	x := e.srcIR(b, rCX)
	if k == 1 || k == -1 || k == math.MinInt64 {
		e.ld(rAX, R(x))
		switch {
		case k == math.MinInt64: // quotient is 1 or 0
			e.movi(rCX, k)
			e.movi(rDX, 0)
			e.alu(aCMP, rAX, R(rCX))
			ne := e.jcc(ccNE)
			e.movi(rDX, 1)
			e.movi(rAX, 0)
			e.here(ne)
			if quotient {
				e.setI(a, rDX)
			} else {
				e.setI(a, rAX)
			}
		case !quotient:
			e.setConst(a, 0)
		default:
			if k == -1 {
				e.neg(rAX)
			}
			e.setI(a, rAX)
		}
		return
	}
	e.divK(x, k)
	if quotient {
		e.setI(a, rDX)
		return
	}
	if k == int64(int32(k)) {
		e.imuli(rDX, R(rDX), int32(k))
	} else {
		e.movi(rAX, k)
		e.imul(rDX, R(rAX))
	}
	e.ld(rAX, R(x))
	e.alu(aSUB, rAX, R(rDX))
	e.setI(a, rAX)
}

// dividePower is / and % by a power of two.
func (e *emitter) dividePower(a, b int32) {
	in := e.in
	k := byte(in.UC() & 63)
	x := e.srcIR(b, rCX)
	if k == 0 {
		if in.op == bc.DIVP {
			e.setI(a, x)
		} else {
			e.setConst(a, 0)
		}
		return
	}
	e.ld(rAX, R(x))
	if k > 1 {
		e.shi(7, rAX, 63)
	}
	e.shi(5, rAX, 64-k)
	e.alu(aADD, rAX, R(x))
	e.shi(7, rAX, k)
	if in.op == bc.MODP {
		e.shi(4, rAX, k)
		e.ld(rDX, R(x))
		e.alu(aSUB, rDX, R(rAX))
		e.setI(a, rDX)
	} else {
		e.setI(a, rAX)
	}
}

// shiftK is << or >> by a constant.
func (e *emitter) shiftK(left bool, a, b int32, k byte) {
	x := e.srcI(b, rAX)
	d := e.dstI(a, rAX)
	e.ld(d, x)
	if left {
		e.shi(4, d, k)
	} else {
		e.shi(7, d, k)
	}
	e.setI(a, d)
}

// shift is << and >>.
func (e *emitter) shift(a, b, c int32) {
	in := e.in
	if k, ok := e.immediate(c); ok && 0 <= k && k < 64 {
		e.shiftK(in.op == bc.SHL, a, b, byte(k))
		return
	}
	if y := e.srcIR(c, rCX); y != rCX {
		e.ld(rCX, R(y))
	}
	e.alui(aCMP, R(rCX), 63)
	e.coldExit(e.jcc(ccA), vm.MachineFault)
	e.ld(rAX, e.srcI(b, rAX))
	if in.op == bc.SHL {
		e.shcl(4, rAX)
	} else {
		e.shcl(7, rAX)
	}
	e.setI(a, rAX)
}
