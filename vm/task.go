package vm

import (
	"sync/atomic"
	"unsafe"
)

// Task is the whole state of one script task: nothing of it lives on a Go
// stack between two calls of run, so it can stop at any suspension point and
// go on later on any worker.
type Task struct {
	pc    uint32 // saved position: byte offset in the program's code
	delta uint32 // saved window: byte offset in the stack
	fuel  int64  // loop turns and calls until the next look at flags and limits
	slice int64  // what fuel was last set to

	stack unsafe.Pointer // first slot of the register stack
	limit uintptr        // address just past the last slot
	regs  []Value        // the stack's memory

	w     *Worker
	inst  *Instance
	flags atomic.Uint32 // preempt, cancel: looked at when fuel runs out

	stepsLeft int64 // until the task must fetch more from the instance
	defers    *deferred
	exit      exitCode
	errVal    Value  // the error being thrown, or the uncaught one
	trace     []Frame
}

// Worker runs tasks, one at a time.
type Worker struct {
	inst   *Instance
	credit int64            // bytes paid for in advance
	pins   []unsafe.Pointer // objects a native is still building
	call   Call             // reused for every native call
}

// Instance is one running copy of a program: its globals, budget and tasks.
type Instance struct {
	prog    *Program
	globals []Value
	limits  Limits
	mem     atomic.Int64 // upper bound of live bytes, credits included
	steps   atomic.Int64 // steps left
	host    Host
}

// Limits bound what an instance may use; zero fields are unlimited, but for
// Stack, whose zero is DefaultStack.
type Limits struct {
	Memory int64 // bytes of live objects
	Steps  int64 // loop turns, calls, and elements handled by natives
	Stack  int   // registers of one task's stack (16 bytes each)
}
