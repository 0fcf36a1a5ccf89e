//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// lists serves lists and the length of texts. It reports whether the instruction is one.
func (e *emitter) lists() bool {
	in := e.in
	A, B, C := in.A(), in.B(), in.C()
	switch in.op {
	case bc.LLEN:
		b := e.list(B, rCX)
		e.loadTo(A, M(b, 0))
	case bc.SLEN:
		p := e.object(B, rCX)
		e.loadTo(A, M(p, 8))
	case bc.LGETI, bc.LGETB, bc.LGETP, bc.LGETO, bc.LGETV:
		e.listGet(A, B, C)
	case bc.LGETIK:
		b := e.list(B, rCX)
		e.alui(aCMP, M(b, 0), in.UC())
		e.coldExit(e.jcc(ccBE), vm.MachineFault)
		e.loadTo(A, M(b, in.UC()*8+16))
	case bc.LSETB, bc.LSETBK, bc.LSETI, bc.LSETP, bc.LSETV:
		e.listSet(A, B, C)
	case bc.LPUSHI, bc.LPUSHB, bc.LPUSHP:
		e.listPush(A, B)
	case bc.LGETOPT, bc.LLAST, bc.LPOP:
		e.listOption(A, B, C)
	case bc.LSWAP:
		e.listSwap(A, B, C)
	case bc.FORLB, bc.FORLI, bc.FORLP, bc.FORLO, bc.FORLV:
		e.forl(A&^15, B)
	case bc.BGET:
		p := e.object(B, rCX)
		i := e.srcIR(C, rAX)
		e.alu(aCMP, i, M(p, 8))
		e.coldExit(e.jcc(ccAE), vm.MachineFault)
		d := e.dstI(A, rAX)
		e.movzxb(d, MX(p, i, 1, 16))
		e.setI(A, d)
	default:
		return false
	}
	return true
}

// listGet reads an element.
func (e *emitter) listGet(a, b, c int32) {
	in := e.in
	bk := e.list(b, rCX)
	i := e.srcIR(c, rAX)
	e.alu(aCMP, i, M(bk, 0))
	e.coldExit(e.jcc(ccAE), vm.MachineFault)
	switch in.op {
	case bc.LGETI:
		e.loadTo(a, MX(bk, i, 8, 16))
	case bc.LGETB:
		d := e.dstI(a, rAX)
		e.movzxb(d, MX(bk, i, 1, 16))
		e.setI(a, d)
	case bc.LGETP, bc.LGETO:
		e.ld(rAX, MX(bk, i, 8, 16))
		if in.op == bc.LGETP {
			e.test(rAX, rAX)
			e.coldExit(e.jcc(ccE), vm.MachineFault)
		}
		e.setP(a, rAX)
	case bc.LGETV:
		e.ld(rDX, R(i))
		e.shi(4, rDX, 4)
		e.lea(rDX, MX(bk, rDX, 1, 16))
		e.ld(rCX, M(rDX, 8))
		e.ld(rAX, M(rDX, 0))
		e.setI(a+8, rCX)
		e.setP(a, rAX)
	}
}

// listSet writes an element.
func (e *emitter) listSet(a, b, c int32) {
	in := e.in
	bk := e.list(a, rCX)
	i := e.srcIR(b, rAX)
	e.alu(aCMP, i, M(bk, 0))
	e.coldExit(e.jcc(ccAE), vm.MachineFault)
	switch in.op {
	case bc.LSETB:
		e.ld(rDX, e.srcI(c, rDX))
		e.alui(aAND, R(rDX), 1)
		e.stb(MX(bk, i, 1, 16), rDX)
	case bc.LSETBK:
		e.stbi(MX(bk, i, 1, 16), byte(in.SC())&1)
	case bc.LSETI:
		if w := e.acc(c/16, halfN, false); w != nil && w.reg >= 0 && w.isF {
			e.fst(MX(bk, i, 8, 16), w.reg)
		} else {
			e.st(MX(bk, i, 8, 16), e.srcIR(c, rDX))
		}
	case bc.LSETP:
		e.storeP(MX(bk, i, 8, 16), e.srcP(c, rDX))
	case bc.LSETV:
		e.ld(rAX, R(i))
		e.shi(4, rAX, 4)
		e.st(MX(bk, rAX, 1, 24), e.srcIR(c+8, rDX))
		e.storeP(MX(bk, rAX, 1, 16), e.srcP(c, rDX))
	}
}

// listPush appends where there is room.
func (e *emitter) listPush(a, b int32) {
	in := e.in
	bk := e.list(a, rCX)
	e.ld(rAX, M(bk, 0))
	e.alu(aCMP, rAX, M(bk, 8))
	e.coldExit(e.jcc(ccAE), int(in.op))
	switch in.op {
	case bc.LPUSHI:
		if w := e.acc(b/16, halfN, false); w != nil && w.reg >= 0 && w.isF {
			e.fst(MX(bk, rAX, 8, 16), w.reg)
		} else {
			e.st(MX(bk, rAX, 8, 16), e.srcIR(b, rDX))
		}
	case bc.LPUSHB:
		e.ld(rDX, e.srcI(b, rDX))
		e.alui(aAND, R(rDX), 1)
		e.stb(MX(bk, rAX, 1, 16), rDX)
	case bc.LPUSHP:
		e.storeP(MX(bk, rAX, 8, 16), e.srcP(b, rDX))
	}
	e.alui(aADD, R(rAX), 1)
	e.st(M(bk, 0), rAX)
}

// forl is a loop over a list.
func (e *emitter) forl(a, b int32) {
	in := e.in
	bk := e.list(b, rCX)
	i := e.srcIR(a+24, rDX)
	e.alu(aCMP, i, M(bk, 0))
	skip := e.jcc(ccAE)
	switch in.op {
	case bc.FORLB:
		e.movzxb(rAX, MX(bk, i, 1, 16))
	case bc.FORLV:
		e.ld(rAX, R(i))
		e.shi(4, rAX, 4)
		e.lea(rAX, MX(bk, rAX, 1, 16))
		e.ld(rCX, M(rAX, 8))
		e.ld(rAX, M(rAX, 0))
	default:
		e.ld(rAX, MX(bk, i, 8, 16))
	}
	if in.op == bc.FORLP {
		e.test(rAX, rAX)
		e.coldExit(e.jcc(ccE), vm.MachineFault)
	}
	d := e.dstI(a+24, rDX)
	e.lea(d, M(i, 1))
	e.setI(a+24, d)
	switch in.op {
	case bc.FORLB, bc.FORLI:
		e.setI(a+8, rAX)
	case bc.FORLV:
		e.setI(a+8, rCX)
		e.setP(a, rAX)
	default:
		e.setP(a, rAX)
	}
	e.fuelTo(in.to)
	e.here(skip)
}

// numbers has the rest done by Go unless a list, whose type is not known before, has
// elements of a number word.
func (e *emitter) numbers(l int) {
	e.ld32(rDX, M(l, 0))
	e.shi(4, rDX, 4)
	e.moviNF(rAX, int64(e.obj.Elements))
	e.alu(aADD, rDX, R(rAX))
	e.cmpb(M(rDX, 0), vm.ElementNumber)
	e.coldExit(e.jcc(ccNE), int(e.in.op))
}

// listOption gives an element of a list of numbers as an optional.
func (e *emitter) listOption(a, b, c int32) {
	l := e.object(b, rCX)
	e.numbers(l)
	e.ld(rDX, M(rDX, 8)) // the pointer word of the optional
	bk := e.list(b, rCX)
	if e.in.op == bc.LGETOPT {
		i := e.srcIR(c, rAX)
		e.alu(aCMP, i, M(bk, 0))
		e.coldExit(e.jcc(ccAE), int(e.in.op))
		e.ld(rAX, MX(bk, i, 8, 16))
	} else {
		e.ld(rAX, M(bk, 0))
		e.test(rAX, rAX)
		e.coldExit(e.jcc(ccLE), int(e.in.op))
		if e.in.op == bc.LPOP {
			e.alui(aSUB, R(rAX), 1)
			e.st(M(bk, 0), rAX)
			e.ld(rAX, MX(bk, rAX, 8, 16))
		} else {
			e.ld(rAX, MX(bk, rAX, 8, 8))
		}
	}
	if e.dead(a + 8) {
		e.setP(a, rDX)
		return
	}
	e.setI(a+8, rAX)
	e.setP(a, rDX)
}

// listSwap exchanges two elements of a list of numbers.
func (e *emitter) listSwap(a, b, c int32) {
	l := e.object(a, rCX)
	e.numbers(l)
	bk := e.list(a, rCX)
	i := e.srcIR(b, rAX)
	e.alu(aCMP, i, M(bk, 0))
	e.coldExit(e.jcc(ccAE), int(e.in.op))
	j := e.srcIR(c, rDX)
	e.alu(aCMP, j, M(bk, 0))
	e.coldExit(e.jcc(ccAE), int(e.in.op))
	e.fld(14, MX(bk, i, 8, 16))
	e.fld(15, MX(bk, j, 8, 16))
	e.fst(MX(bk, i, 8, 16), 15)
	e.fst(MX(bk, j, 8, 16), 14)
}
