//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func machineEnter(x *machineContext)
//
// Machine code runs on a stack of its own. It leaves the frame of this function as it
// is, so that what it asks of Go is called from here as from any function. Helpers are
// called as compiled Go calls: arguments in AX, BX, CX, DI, the first words of the frame
// are theirs.
TEXT ·machineEnter(SB), 0, $48-8
	NO_LOCAL_POINTERS
	MOVQ x+0(FP), R15
	MOVL runtime·writeBarrier(SB), CX
	MOVL CX, machineContext_marking(R15)
	MOVQ machineContext_enterStub(R15), AX
	CALL AX
	// Machine code comes here by a jump.
	MOVQ x+0(FP), R15
	MOVQ machineContext_pos(R15), CX
	CMPQ CX, machineContext_start(R15)
	JNE  drain
drained:
	MOVLQSX machineContext_code(R15), SI
	MOVQ machineContext_exits(R15), DX
	INCQ (DX)(SI*8)
	MOVQ machineContext_task(R15), AX
	CMPL SI, $const_numOps
	JGE  callout
	LEAQ ·machineTargets(SB), DX
	MOVQ (DX)(SI*8), DX
	MOVQ machineContext_registers+0(R15), BX
	MOVQ machineContext_registers+8(R15), CX
	MOVQ machineContext_registers+16(R15), DI
	XORPS X15, X15
	MOVQ (TLS), R14
	CALL DX
	MOVQ x+0(FP), R15
	MOVQ machineContext_task(R15), DX
	MOVLQSX machineContext_code(R15), SI
	LEAQ ·machineKinds(SB), CX
	TESTB $const_callNext, (CX)(SI*1)
	CMOVQEQ DX, AX
	CMPQ AX, DX
	JNE  callout
	CMPB Task_exit(DX), $0
	JNE  callout
	MOVL Task_delta(DX), BX
	CMPL BX, machineContext_delta(R15)
	JNE  callout
	MOVQ Task_stack(DX), R8
	CMPQ R8, machineContext_stackAt(R15)
	JNE  callout
	ADDQ R8, BX
	MOVL Task_fuel(DX), R12
	MOVL runtime·writeBarrier(SB), CX
	MOVL CX, machineContext_marking(R15)
	MOVL Task_pc(DX), CX
	CMPL CX, machineContext_expect(R15)
	JNE  elsewhere
	MOVQ machineContext_resumeStub(R15), AX
	JMP  AX
elsewhere:
	// In the same call, as behind a jump.
	MOVQ machineContext_table(R15), AX
	MOVQ (AX)(CX*1), CX
	MOVQ CX, machineContext_target(R15)
	ADDQ $8, machineContext_sp(R15)
	MOVQ BX, machineContext_base(R15)
	MOVL R12, machineContext_fuel(R15)
	MOVL Task_pc(DX), AX
	MOVQ machineContext_targetStub(R15), CX
	JMP  CX
callout:
	MOVQ R15, 0(SP)
	MOVQ AX, 8(SP)
	CALL ·machineCallout(SB)
	MOVQ x+0(FP), R15
	MOVL runtime·writeBarrier(SB), CX
	MOVL CX, machineContext_marking(R15)
	MOVQ machineContext_resume(R15), CX
	MOVQ machineContext_task(R15), DX
	MOVL Task_pc(DX), AX
	TESTQ CX, CX
	JEQ  done
	JMP  CX
done:
	RET
drain:
	MOVQ R15, 0(SP)
	CALL ·machineDrain(SB)
	MOVQ x+0(FP), R15
	JMP  drained
