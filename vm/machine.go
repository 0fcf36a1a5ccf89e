package vm

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// Machine is the machine code of a program: package vm/native makes it, and the loop
// enters it where it comes past an instruction that has been compiled. What machine code
// leaves behind between two instructions is what the loop would have left, so that each
// can go on where the other stops.
type Machine struct {
	prog  *Program
	words []uint64  // the program's code, with byteMachine where there is machine code
	table []uintptr // where to go on in machine code, by word
	enter func(*Task) *Task
	hot   func(word uint32) // is told where tasks spend their time
	plans []newPlan
	stubs MachineStubs

	functions, bytes atomic.Int64 // that have been compiled
	exits            *machineExits
}

// opMachine goes on in machine code.
func opMachine(t *Task) *Task {
	t.pc -= 8
	return t.w.prog.machine.enter(t)
}

// newMachine makes that of a program of which nothing has been compiled.
func newMachine(p *Program) *Machine {
	code := unsafe.Slice((*uint64)(p.code), p.words)
	return &Machine{prog: p, words: slices.Clone(code), table: make([]uintptr, p.words)}
}

// patched lets the loop see machine code again, which it does not after machine code has
// come upon something that it leaves to the loop.
func (w *Worker) patched() {
	if m := w.prog.machine; m != nil {
		w.tables.code = base(m.words)
	}
}

// sample tells the compiler where a task spends its time.
func (t *Task) sample() {
	if m := t.w.prog.machine; m != nil {
		t.w.patched()
		if m.hot != nil {
			m.hot(t.pc / 8)
		}
	}
}
