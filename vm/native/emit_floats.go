//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"math"

	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// floats serves floats. It reports whether the instruction is one.
func (e *emitter) floats() bool {
	in := e.in
	A, B, C := in.A(), in.B(), in.C()
	switch in.op {
	case bc.FADD:
		e.fbin(fADD, A, B, C)
	case bc.FSUB:
		e.fbin(fSUB, A, B, C)
	case bc.FMUL:
		e.fbin(fMUL, A, B, C)
	case bc.FDIV:
		e.fbin(fDIV, A, B, C)
	case bc.FADDK:
		e.fbinK(fADD, A, B, in.imm, false)
	case bc.FSUBK:
		e.fbinK(fSUB, A, B, in.imm, false)
	case bc.FMULK:
		e.fbinK(fMUL, A, B, in.imm, false)
	case bc.FDIVK:
		e.fbinK(fDIV, A, B, in.imm, false)
	case bc.FRSUBK:
		e.fbinK(fSUB, A, B, in.imm, true)
	case bc.FRDIVK:
		e.fbinK(fDIV, A, B, in.imm, true)
	case bc.FNEG, bc.FABS:
		x := e.srcFR(B, 14)
		d := e.dstF(A, 14)
		k, code := uint64(1)<<63, byte(0x57)
		if in.op == bc.FABS {
			k, code = 1<<63-1, 0x54
		}
		e.fld(15, e.K(k))
		e.vex(false, 1, code, d, x, R(15))
		e.setF(A, d)
	case bc.FSQRT:
		x := e.srcF(B, 14)
		if !x.isReg() {
			e.fld(14, x)
			x = R(14)
		}
		d := e.dstF(A, 14)
		e.fop(fSQRT, d, int(x.reg), x)
		e.setF(A, d)
	case bc.FTOI:
		x := e.srcF(B, 14)
		e.vex(true, 3, 0x2c, rAX, 0, x)
		e.movi(rCX, math.MinInt64)
		e.alu(aCMP, rAX, R(rCX))
		e.coldExit(e.jcc(ccE), vm.MachineInterpret)
		e.setI(A, rAX)
	case bc.FEQ, bc.FNE:
		e.fcmp(B, C)
		if in.op == bc.FEQ {
			e.asm.setcc(ccNP, rCX)
			e.asm.setcc(ccE, rAX)
			e.l(0x21, rCX, R(rAX))
		} else {
			e.asm.setcc(ccP, rCX)
			e.asm.setcc(ccNE, rAX)
			e.l(0x09, rCX, R(rAX))
		}
		e.movzxb(rAX, R(rAX))
		e.setI(A, rAX)
	case bc.FLT:
		e.fcmp(C, B)
		e.setcc(ccA, A)
	case bc.FLE:
		e.fcmp(C, B)
		e.setcc(ccAE, A)
	default:
		return false
	}
	return true
}

func (e *emitter) fbin(code byte, a, b, c int32) {
	x := e.srcFR(b, 14)
	y := e.srcF(c, 15)
	d := e.dstF(a, 14)
	e.fop(code, d, x, y)
	e.setF(a, d)
}

func (e *emitter) fbinK(code byte, a, b int32, k uint64, rev bool) {
	d := e.dstF(a, 14)
	if rev {
		y := e.srcF(b, 14)
		e.fld(15, e.K(k))
		e.fop(code, d, 15, y)
	} else {
		x := e.srcFR(b, 14)
		e.fop(code, d, x, e.K(k))
	}
	e.setF(a, d)
}

func (e *emitter) fcmp(a, b int32) { // ucomi a, b
	x := e.srcFR(a, 14)
	e.ucomi(x, e.srcF(b, 15))
}

// jumpFloatConst compares a float with a constant.
func (e *emitter) jumpFloatConst(a int32) {
	in := e.in
	switch in.op {
	case bc.JFLTK, bc.JFNLTK:
		e.fld(15, e.K(in.imm))
		e.ucomi(15, e.srcF(a, 14))
	default:
		e.ucomi(e.srcFR(a, 14), e.K(in.imm))
	}
	if in.op == bc.JFNLTK || in.op == bc.JFNGTK {
		e.jumpIf(ccBE)
	} else {
		e.jumpIf(ccA)
	}
}
