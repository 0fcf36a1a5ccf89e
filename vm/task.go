package vm

import (
	"sync/atomic"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Task is the whole state of one script task: nothing of it lives on a Go
// stack between two calls of run, so it can stop at any suspension point and
// go on later on any worker.
type Task struct {
	pc    uint32 // saved position: byte offset in the program's code
	delta uint32 // saved window: byte offset in the stack
	fuel  int64  // steps until the next look at flags and limits
	slice int64  // what fuel was last set to

	stack unsafe.Pointer // first slot of the register stack
	limit uintptr        // address just past the last slot
	exit  exitCode
	flags atomic.Uint32 // preempt, cancel: looked at when fuel runs out

	prog     *Program
	inst     *Instance
	w        *Worker
	regs     []Value // the stack's memory
	defers   []deferred
	fail     *failure // the error being unwound or the uncaught one
	relieved uint32   // limits whose reserve for defers has been granted, a bit each
	inline   [inlineSlots]Value
}

// inlineSlots is the size of a task's first stack, part of the task itself.
const inlineSlots = 16

// deferred is a closure to be called when the function with window delta ends.
type deferred struct {
	fn    unsafe.Pointer
	delta uint32
}

// exitCode tells why run returned.
type exitCode uint8

const (
	exitNone   exitCode = iota
	exitDone            // the task's first function returned; the result is in register 0
	exitFailed          // uncaught error in Task.fail
)

// Flags another goroutine may raise in a running task.
const (
	flagCancel = 1 << iota // the instance is closing or its context is done
)

// sliceFuel is the number of steps between two looks at a task's flags.
const sliceFuel = 20_000

// The first slot of a stack is the bottom frame's link: zero, so that its
// return ends the task.
const firstWindow = 16

func newTask(inst *Instance, w *Worker) *Task {
	t := &Task{inst: inst, prog: inst.prog, w: w}
	t.setStack(t.inline[:])
	t.delta = firstWindow
	return t
}

func (t *Task) setStack(regs []Value) {
	t.regs = regs
	t.stack = unsafe.Pointer(unsafe.SliceData(regs))
	t.limit = uintptr(t.stack) + uintptr(len(regs))*16
}

// reg addresses a register of the current window by operand byte offset
// (scaled 16*r).
func (t *Task) reg(off uintptr) *Value {
	return (*Value)(unsafe.Add(t.stack, uintptr(t.delta)+off))
}

// op is the opcode of the instruction just executed; of a pair, the one that
// stands there.
func (t *Task) op() bytecode.Op {
	op := bytecode.OpOf(t.word())
	if op >= bytecode.NumOps {
		return firstOf[op-bytecode.NumOps]
	}
	return op
}

// Operands of the instruction just fetched, for helpers.
func (t *Task) word() uint64 { return *(*uint64)(unsafe.Add(t.prog.code, uintptr(t.pc)-8)) }
func (t *Task) opA() uintptr { return uintptr(bytecode.AOf(t.word())) }
func (t *Task) opB() uintptr { return uintptr(bytecode.BOf(t.word())) }
func (t *Task) opC() uintptr { return uintptr(bytecode.COf(t.word())) }

// Registers by operand: scalar operands are scaled 16*r+8, so the low bits are
// masked off to find the slot.
func (t *Task) ra() *Value { return t.reg(t.opA() &^ 15) }
func (t *Task) rb() *Value { return t.reg(t.opB() &^ 15) }
func (t *Task) rc() *Value { return t.reg(t.opC() &^ 15) }

// imm takes the immediate word behind the instruction and steps over it.
func (t *Task) imm() uint64 {
	w := *(*uint64)(unsafe.Add(t.prog.code, t.pc))
	t.pc += 8
	return w
}

// jump adds to the saved position.
func (t *Task) jump(rel int64) { t.pc = uint32(int64(t.pc) + rel) }

// steps charges n steps at once, for natives.
func (t *Task) steps(n int64) {
	if t.fuel -= n; t.fuel < 0 {
		opRefuel(t)
	}
}

// grow doubles the stack (four times the first), up to the limit.
func (t *Task) grow() {
	n := len(t.regs) * 2
	if n < 64 {
		n = 64
	}
	if n > t.inst.limits.Stack {
		if len(t.regs) >= t.inst.limits.Stack {
			throw(ErrStack, "the stack is full (%d registers): is there an endless recursion?", t.inst.limits.Stack)
		}
		n = t.inst.limits.Stack
	}
	t.w.charge(n * 16)
	regs := make([]Value, n)
	copy(regs, t.regs)
	t.setStack(regs)
}

// reserve makes sure that size bytes are free from byte offset off of the stack on.
func (t *Task) reserve(off uintptr, size uintptr) {
	for uintptr(t.stack)+off+size > t.limit {
		t.grow()
	}
}

// Worker runs tasks, one at a time.
type Worker struct {
	inst    *Instance
	credit  int64            // bytes paid for in advance
	pins    []unsafe.Pointer // objects a native is still building
	call    Call             // reused for every native call
	scratch []byte           // for text under construction
}
