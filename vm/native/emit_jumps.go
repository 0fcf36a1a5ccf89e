//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// jumps serves jumps and loops over ranges. It reports whether the instruction is one.
func (e *emitter) jumps() bool {
	in := e.in
	A, B := in.A(), in.B()
	switch in.op {
	case bc.JMP:
		e.fuelTo(in.to)
	case bc.JT, bc.JF:
		x := e.srcI(A, rAX)
		e.testb1(x)
		if in.op == bc.JT {
			e.jumpIf(ccNE)
		} else {
			e.jumpIf(ccE)
		}
	case bc.JEQ:
		e.cmp(A, B)
		e.jumpIf(ccE)
	case bc.JNE:
		e.cmp(A, B)
		e.jumpIf(ccNE)
	case bc.JLT:
		e.cmp(A, B)
		e.jumpIf(ccL)
	case bc.JLE:
		e.cmp(A, B)
		e.jumpIf(ccLE)
	case bc.JEQI:
		e.cmpK(A, in.SB())
		e.jumpIf(ccE)
	case bc.JNEI:
		e.cmpK(A, in.SB())
		e.jumpIf(ccNE)
	case bc.JLTI:
		e.cmpK(A, in.SB())
		e.jumpIf(ccL)
	case bc.JLEI:
		e.cmpK(A, in.SB())
		e.jumpIf(ccLE)
	case bc.JGTI:
		e.cmpK(A, in.SB())
		e.jumpIf(ccG)
	case bc.JGEI:
		e.cmpK(A, in.SB())
		e.jumpIf(ccGE)
	case bc.JFEQ:
		e.fcmp(A, B)
		s1, s2 := e.jcc(ccNE), e.jcc(ccP)
		e.fuelTo(in.to)
		e.here(s1)
		e.here(s2)
	case bc.JFNE:
		e.fcmp(A, B)
		t1 := e.jcc(ccNE)
		s1 := e.jcc(ccNP)
		e.here(t1)
		e.fuelTo(in.to)
		e.here(s1)
	case bc.JFLT:
		e.fcmp(B, A)
		e.jumpIf(ccA)
	case bc.JFLE:
		e.fcmp(B, A)
		e.jumpIf(ccAE)
	case bc.JFNLT:
		e.fcmp(B, A)
		e.jumpIf(ccBE)
	case bc.JFNLE:
		e.fcmp(B, A)
		e.jumpIf(ccB)
	case bc.JFLTK, bc.JFNLTK, bc.JFGTK, bc.JFNGTK:
		e.jumpFloatConst(A)
	case bc.JNIL, bc.JNNIL:
		r := e.srcP(A, rAX)
		e.test(r, r)
		if in.op == bc.JNIL {
			e.jumpIf(ccE)
		} else {
			e.jumpIf(ccNE)
		}
	case bc.FORI:
		d := e.dstI(A, rAX)
		e.ld(d, e.srcI(A, rAX))
		e.alui(aADD, R(d), 1)
		e.setI(A, d)
		e.cmpWith(d, B)
		e.jumpIf(ccL)
	case bc.FORLE:
		x := e.srcIR(A, rAX)
		e.cmpWith(x, B)
		skip := e.jcc(ccGE)
		d := e.dstI(A, rAX)
		e.lea(d, M(x, 1))
		e.setI(A, d)
		e.fuelTo(in.to)
		e.here(skip)
	case bc.SWITCH:
		e.jumpTable(A)
	default:
		return false
	}
	return true
}

// cmpWith compares with the bound of a loop.
func (e *emitter) cmpWith(x int, bound int32) {
	if k, ok := e.immediate(bound); ok {
		e.alui(aCMP, R(x), k)
	} else {
		e.alu(aCMP, x, e.srcI(bound, rCX))
	}
}

// jumpTable goes on at an entry of a table.
func (e *emitter) jumpTable(a int32) {
	in := e.in
	tab := e.obj.Jumps[bc.BOf(in.w)]
	e.ld(rAX, e.srcI(a, rAX))
	e.movi(rCX, int64(len(tab)-1))
	e.alu(aCMP, rAX, R(rCX))
	e.cmov(ccA, rAX, R(rCX))
	e.spill(e.dirtyBefore())
	e.movi(rCX, int64(uintptr(unsafe.Pointer(unsafe.SliceData(tab)))))
	e.ld32(rAX, MX(rCX, rAX, 4, 0))
	e.dec32(r12)
	at := e.jcc(ccS)
	e.ld(rDX, M(r15, off.Table))
	e.jmpM(MX(rDX, rAX, 1, 0))
	e.later(func() {
		e.here(at)
		e.l(0x8b, rCX, R(rAX))
		e.movi(rAX, vm.MachineRefuel)
		e.callM(M(r15, off.Exit))
	})
}
