//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import "github.com/runnel-lang/runnel/vm"

// stubOffsets says where in their code the stubs begin.
type stubOffsets struct {
	enter, exit, resume, resumeAt, ret, notCompiled, barrier, barrierDone int
}

// writeStubs writes what all machine code shares.
func writeStubs(a *asm) (s stubOffsets) {
	s.enter = a.pos() // Go calls this: its stack is put aside.
	a.u8(0x58)        // pop rax
	a.st(M(r15, off.Back), rAX)
	enterMachine := func() {
		a.st(M(r15, off.GoSP), rSP)
		a.st(M(r15, off.GoBP), rBP)
		a.ld(rSP, M(r15, off.SP))
	}
	state := func() {
		a.ld(rBX, M(r15, off.Base))
		a.ld32(r12, M(r15, off.Fuel))
	}
	leaveMachine := func() {
		a.st(M(r15, off.SP), rSP)
		a.ld(rSP, M(r15, off.GoSP))
		a.ld(rBP, M(r15, off.GoBP))
		a.jmpM(M(r15, off.Back))
	}
	enterMachine()
	state()
	a.jmpM(M(r15, off.Target))

	// Called by machine code that has its state in memory: ecx is the position, eax what
	// is asked of Go.
	s.exit = a.pos()
	a.ld(rDX, M(r15, off.Task))
	a.st32(M(rDX, off.TaskPC), rCX)
	a.st32(M(r15, off.Code), rAX)
	a.ld(rCX, R(rBX))
	a.alu(aSUB, rCX, M(rDX, off.TaskStack))
	a.st32(M(rDX, off.TaskDelta), rCX)
	a.st32(M(r15, off.Delta), rCX)
	a.st32(M(rDX, off.TaskFuel), r12)
	leaveMachine()

	s.resume = a.pos() // Go jumps here when it is done; rbx and r12 are set
	enterMachine()
	a.ret()

	s.resumeAt = a.pos() // or here, to go on elsewhere; eax is the position
	enterMachine()
	state()
	a.jmpM(M(r15, off.Target))

	// What returns comes here when machine code has not called it: it goes on by the link.
	s.ret = a.pos()
	a.alui(aSUB, R(rSP), 8) // the address of this stub stays
	a.ld(rAX, M(rBX, -8))
	a.test(rAX, rAX)
	done := a.jcc(ccE)
	a.l(0x8b, rCX, R(rAX))
	a.alu(aSUB, rBX, R(rCX))
	a.st(M(r15, off.Floor), rBX) // what is called from here nests from here
	a.lea(rCX, M(rBX, vm.MachineNested))
	a.alu(aCMP, rCX, M(r15, off.Limit))
	enough := a.jcc(ccAE)
	a.st(M(r15, off.Limit), rCX)
	a.here(enough)
	a.shi(5, rAX, 32)
	a.ld(rDX, M(r15, off.Table))
	a.jmpM(MX(rDX, rAX, 1, 0))
	a.here(done)
	a.movi(rCX, 8)
	a.movi(rAX, vm.MachineDone)
	a.patch(a.call(), s.exit)

	s.notCompiled = a.pos() // eax is the position
	a.ld(rSP, M(r15, off.Bottom))
	a.l(0x8b, rCX, R(rAX))
	a.movi(rAX, vm.MachineLeave)
	a.patch(a.call(), s.exit)

	writeBarrierStub(a, &s, enterMachine, leaveMachine)
	for a.pos()%16 != 0 {
		a.u8(0xcc)
	}
	return s
}

// writeBarrierStub writes what stores the pointer rax to the address rcx while the
// collector marks: both it and what was there are noted. All other registers are kept.
func writeBarrierStub(a *asm, s *stubOffsets, enterMachine, leaveMachine func()) {
	s.barrier = a.pos()
	a.st(M(r15, off.Save+14*8), rDX)
	a.ld(rDX, M(r15, off.BarrierPos))
	a.st(M(rDX, 0), rAX)
	a.st(M(r15, off.Save+15*8), rAX)
	a.ld(rAX, M(rCX, 0))
	a.st(M(rDX, 8), rAX)
	a.ld(rAX, M(r15, off.Save+15*8))
	a.st(M(rCX, 0), rAX)
	a.alui(aADD, R(rDX), 16)
	a.st(M(r15, off.BarrierPos), rDX)
	a.alu(aCMP, rDX, M(r15, off.BarrierEnd))
	full := a.jcc(ccA)
	a.ld(rDX, M(r15, off.Save+14*8))
	a.ret()
	a.here(full)
	a.ld(rDX, M(r15, off.Save+14*8))
	regs := []int{rDX, rBX, rBP, rSI, rDI, r8, r9, r10, r11, r12, r13, r14}
	for i, r := range regs {
		a.st(M(r15, off.Save+int32(i)*8), r)
	}
	for x := range 16 {
		a.fst(M(r15, off.FloatSave+int32(x)*8), x)
	}
	a.sti32(M(r15, off.Code), vm.MachineBarrier)
	leaveMachine()
	s.barrierDone = a.pos()
	enterMachine()
	for i, r := range regs {
		a.ld(r, M(r15, off.Save+int32(i)*8))
	}
	for x := range 16 {
		a.fld(x, M(r15, off.FloatSave+int32(x)*8))
	}
	a.ret()
}
