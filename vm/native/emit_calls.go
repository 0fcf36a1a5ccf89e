//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// calls serves calls and returns. It reports whether the instruction is one.
func (e *emitter) calls() bool {
	in := e.in
	A, B := in.A(), in.B()
	switch in.op {
	case bc.CALL:
		e.callFunction(A)
	case bc.CALLC, bc.CALLI:
		e.callDynamic(A, B)
	case bc.RET:
		e.ret()
	case bc.RETI:
		w := e.acc(A/16, halfN, false)
		if w != nil && w.reg >= 0 && w.isF {
			e.fst(M(rBX, 8), w.reg)
		} else {
			e.st(M(rBX, 8), e.srcIR(A, rAX))
		}
		e.ret()
	case bc.RETP:
		e.storeP(M(rBX, 0), e.srcP(A, rAX))
		e.ret()
	case bc.RETV:
		e.st(M(rBX, 8), e.srcIR(A+8, rAX)) // may be the same register
		e.storeP(M(rBX, 0), e.srcP(A, rAX))
		e.ret()
	default:
		return false
	}
	return true
}

// enterInlined is a call of a function that is expanded here: it takes a step and needs room.
func (e *emitter) enterInlined(a int32) {
	in := e.in
	callee := funcStarting(e.p, uint32(in.K()))
	e.lea(rAX, M(rBX, a+int32(in.aux)*64))
	e.alu(aCMP, rAX, M(r15, off.Limit))
	e.coldExit(e.jcc(ccA), vm.MachineGrow)
	e.dec32(r12)
	at := e.jcc(ccS)
	s, fr := e.dirtyAt(e.i+1), e.j.ir[e.i+1].fr
	if fr == in.fr || fr == nil { // the callee is empty
		fr = &inlined{up: in.fr, off: a, a: int32(bc.AOf(in.w)), ret: in.next}
	}
	e.later(func() {
		e.here(at)
		e.exit(fr, vm.MachineRefuel, callee.Start*8, s, true)
	})
}

// callFunction calls a function that is known.
func (e *emitter) callFunction(a int32) {
	in := e.in
	e.lea(rAX, M(rBX, a+int32(in.aux)*64))
	e.alu(aCMP, rAX, M(r15, off.Limit))
	e.coldExit(e.jcc(ccA), vm.MachineGrow)
	e.spill(e.dirtyBefore())
	e.movi(rAX, int64(uint64(in.next*8)<<32|uint64(uint32(a))))
	e.st(M(rBX, a-8), rAX)
	e.alui(aADD, R(rBX), a)
	e.dec32(r12)
	at := e.jcc(ccS)
	start := uint32(in.K())
	e.later(func() {
		e.here(at)
		e.exit(nil, vm.MachineRefuel, start*8, nil, true)
	})
	if e.batch[start] {
		e.relocs = append(e.relocs, reloc{e.call(), start})
	} else {
		e.movi(rAX, int64(start)*8)
		e.ld(rDX, M(r15, off.Table))
		e.callM(MX(rDX, rAX, 1, 0))
	}
	e.alui(aSUB, R(rBX), a)
}

// callDynamic calls a closure, or a method of an interface.
func (e *emitter) callDynamic(a, b int32) {
	in := e.in
	e.spill(e.dirtyBefore())
	none := make(set, len(e.j.dirtyIn[e.i]))
	cold := func(at, code int) {
		pc := (in.at + 1) * 8
		if code == vm.MachineInterpret || code == vm.MachineGrow {
			pc = in.at * 8
		}
		e.later(func() {
			e.here(at)
			e.exit(nil, code, pc, none, true)
		})
	}
	if in.op == bc.CALLC {
		cl := e.srcP(b, rCX)
		e.test(cl, cl)
		cold(e.jcc(ccE), vm.MachineInterpret)
		if cl != rCX {
			e.ld(rCX, R(cl))
		}
		e.ld(rAX, M(rCX, 8))
	} else {
		e.ld(rCX, M(rBX, a))
		e.test(rCX, rCX)
		cold(e.jcc(ccE), vm.MachineFault)
		e.ld32(rAX, M(rCX, 0))
		tab := e.obj.Selectors[bc.BOf(in.w)]
		if len(tab) == 0 {
			cold(e.jmp(), vm.MachineFault)
			return
		}
		e.alui(aCMP, R(rAX), int32(len(tab)))
		cold(e.jcc(ccAE), vm.MachineFault)
		e.movi(rDX, int64(uintptr(unsafe.Pointer(unsafe.SliceData(tab)))))
		e.ld(rAX, MX(rDX, rAX, 8, 0))
		e.test(rAX, rAX)
		cold(e.jcc(ccE), vm.MachineFault)
	}
	e.ld(rDX, R(rAX))
	e.shi(5, rDX, 32)
	e.lea(rDX, MX(rBX, rDX, 1, a))
	e.alu(aCMP, rDX, M(r15, off.Limit))
	cold(e.jcc(ccA), vm.MachineGrow)
	if in.op == bc.CALLC {
		e.storeP(M(rBX, a-16), rCX)
	}
	e.movi(rDX, int64(uint64(in.next*8)<<32|uint64(uint32(a))))
	e.st(M(rBX, a-8), rDX)
	e.alui(aADD, R(rBX), a)
	e.l(0x8b, rAX, R(rAX)) // the position
	e.dec32(r12)
	at := e.jcc(ccS)
	e.later(func() {
		e.here(at)
		e.ld(rSP, M(r15, off.Bottom))
		e.l(0x8b, rCX, R(rAX))
		e.movi(rAX, vm.MachineRefuel)
		e.callM(M(r15, off.Exit))
	})
	e.ld(rDX, M(r15, off.Table))
	e.callM(MX(rDX, rAX, 1, 0))
	e.alui(aSUB, R(rBX), a)
}
