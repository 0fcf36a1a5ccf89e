package vm

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Task is the entire state of a script task: nothing of it is on a Go stack
// between two instructions that may suspend, so it can stop at any of them and
// continue later on any worker. It is 416 bytes, a size class of Go's
// allocator; a million of them are meant to be affordable.
type Task struct {
	reactor.Proc

	pc    uint32 // saved position: byte offset in the program's code
	delta uint32 // saved window: byte offset in the stack
	fuel  int32  // steps until the next look at flags and limits
	slice int32  // what fuel was last set to

	stack unsafe.Pointer // first slot of the register stack
	limit uintptr        // address just past the last slot
	w     *Worker        // runs it, or ran it last

	flags    atomic.Uint32 // what others ask of it: looked at when it may suspend and when fuel runs out
	checked  checkedTask
	exit     exitCode
	relieved uint8 // limits whose reserve for defers has been granted, a bit each
	woken    wakeReason
	waits    waitKind // what it waits for while it is suspended

	more   *taskMore // what few tasks have
	future *Future   // its handle
	scope  *Scope    // the innermost that it is in: what it spawns belongs there
	home   *Scope    // it belongs to
	prev   *Task     // in the home's list
	next   *Task

	wait   waiter // its place in the queue of what it waits for
	inline [inlineSlots]Value
}

// taskMore is the part of a task's state that few tasks need.
type taskMore struct {
	defers     []deferred
	locals     *taskLocal
	fail       *failure              // the error being unwound or the uncaught one
	limit      *failure              // the limit that ends the task, while defers run
	shields    []shield              // the innermost last
	framed     int                   // of these, how many are of defers or ends of scopes
	graced     atomic.Pointer[Scope] // what flagGraced speaks of
	naming     *naming               // of the task that it spawns next
	spared     int64                 // steps made beyond a limit, where none strikes
	tall       bool                  // the stack has grown beyond its limit there
	limitDelta uint32                // the call whose defers run then
	overdue    int32                 // steps made since it was asked to end, without a loop
	arm        uint16                // the one of arms that was served
	excesses   uint8                 // how often a limit was exceeded whose reserve was used up
	gaveWay    bool                  // to others, when it was to be cancelled at a loop
	arms       []waiter              // places in the queues of a select or an await of several
	job        *job                  // the blocking work it waits for
	host       *hostCall             // a host waits for it
	race       *raceTask             // when races are looked for
	dropped    []*droppedPart        // wait for its end
}

// shield masks a task from cancellation while the defers of a frame run, or
// while one of its scopes ends. Only scopes opened since then can still be
// cancelled.
type shield struct {
	delta  uint32   // window of the frame
	spares bool     // it is one of Scope.spares
	scope  *Scope   // the innermost when it began
	fail   *failure // what was on its way then, if anything was
}

// inlineSlots is the size of a task's first stack, part of the task itself.
const inlineSlots = 16

// taskSize is the memory a parked task takes, including its handle.
const taskSize = int(unsafe.Sizeof(Task{}) + unsafe.Sizeof(Future{}))

// deferred is a closure to be called when the function with window delta ends.
type deferred struct {
	fn    unsafe.Pointer
	delta uint32
}

// exitCode says why run returned.
type exitCode uint8

const (
	exitNone   exitCode = iota
	exitFailed          // uncaught error in Task.more.fail
	exitIdle            // no task: nothing is ready
)

// Flags that other goroutines may raise in a task.
const (
	flagKill      = 1 << iota // it has been cancelled
	flagScope                 // a scope whose body it runs may have been
	flagStop                  // the host stops the instance
	flagTerminate             // no grace any more: also in its defers
	flagMasked                // raised by itself: it is suspended and shielded
	flagUncut                 // raised by itself with flagMasked: only by Call.Shield
	flagSpared                // raised and taken back by its home: deferred code has spawned it, and runs
	flagGraced                // raised by itself: to be asked to end starts the time of a scope of its, see Call.EndWithin
)

// flagsOwn ask for nothing.
const flagsOwn = flagMasked | flagUncut | flagGraced | flagSpared

// sliceFuel is the number of steps between two checks of a task's flags.
const sliceFuel = 20_000

// shortFuel is that number while others may want the worker.
const shortFuel = 2_000

// The first slot of a stack is the bottom frame's link: zero, so that its
// return ends the task.
const firstWindow = 16

// newTask reuses one of the worker's spare tasks or makes one.
func (w *Worker) newTask() *Task {
	t := w.spare
	if t != nil {
		w.spare = t.next
		w.spares--
		t.next = nil
	} else {
		t = &Task{}
		t.setStack(t.inline[:])
	}
	t.InitProc(taskClass)
	t.pc, t.delta, t.fuel, t.slice = 0, firstWindow, 0, 0
	return t
}

// maxSpares bounds the tasks a worker keeps for reuse.
const maxSpares = 256

// recycle keeps an ended task's memory for the next one.
func (w *Worker) recycle(t *Task) {
	t.Complete()
	if w.spares >= maxSpares {
		t.forget()
		t.more, t.future, t.scope, t.home = nil, nil, nil, nil
		return
	}
	if t.slots() != inlineSlots {
		t.setStack(t.inline[:])
	}
	clear(t.inline[:])
	if t.flags.Load() != 0 {
		t.flags.Store(0)
	}
	t.wait.on = nil
	t.exit, t.relieved, t.woken, t.waits = 0, 0, 0, 0
	t.more, t.future, t.scope, t.home = nil, nil, nil, nil
	t.next = w.spare
	w.spare = t
	w.spares++
}

// forget clears what an ended task refers to. Queues may point at the task for
// long: a ring until the slot is overwritten, a timer until it is due.
func (t *Task) forget() {
	if t.slots() != inlineSlots {
		t.setStack(t.inline[:])
	}
	for i := range t.inline {
		if t.inline[i].p != nil { // most hold none, and to look takes less than to write
			t.inline[i].p = nil
		}
	}
	if t.waits > waitSleep { // else it is nil, and not in the processor's caches
		t.wait.on = nil
	}
}

func (t *Task) setStack(regs []Value) {
	t.stack = unsafe.Pointer(unsafe.SliceData(regs))
	t.limit = uintptr(t.stack) + uintptr(len(regs))*16
}

// slots is the number of registers of the stack.
func (t *Task) slots() uint32 { return uint32((t.limit - uintptr(t.stack)) / 16) }

// regs are all registers of the task's stack.
func (t *Task) regs() []Value { return unsafe.Slice((*Value)(t.stack), t.slots()) }

// extra returns the part that few tasks have, made on first use.
func (t *Task) extra() *taskMore {
	if t.more == nil {
		t.more = &taskMore{}
		t.w.credit -= int64(unsafe.Sizeof(taskMore{})) // the next charge pays
	}
	return t.more
}

// reg addresses a register of the current window by operand byte offset
// (scaled 16*r).
func (t *Task) reg(off uintptr) *Value {
	return (*Value)(unsafe.Add(t.stack, uintptr(t.delta)+off))
}

// slot addresses a register by its byte offset in the stack.
func (t *Task) slot(off uint32) *Value { return (*Value)(unsafe.Add(t.stack, off)) }

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
func (t *Task) word() uint64 { return *(*uint64)(unsafe.Add(t.w.prog.code, uintptr(t.pc)-8)) }
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
	w := *(*uint64)(unsafe.Add(t.w.prog.code, t.pc))
	t.pc += 8
	return w
}

// jump adds to the saved position.
func (t *Task) jump(rel int64) { t.pc = uint32(int64(t.pc) + rel) }

// steps charges n steps at once, for natives.
func (t *Task) steps(n int64) {
	if n >= longWork {
		t.w.detach()
	}
	if n <= int64(t.fuel) {
		t.fuel -= int32(n)
		return
	}
	for ; n > 0; n -= sliceFuel {
		t.fuel -= int32(min(n, sliceFuel))
		t.refuel()
	}
	t.fuel, t.slice = 0, 0 // the next jump or call looks whether others wait
	t.giveWay()
}

// giveWay lets others run during work that cannot be suspended.
func (t *Task) giveWay() {
	switch w := t.w; {
	case !w.detachable || w.inst.sched.Deterministic():
	case w.handBack != nil:
		runtime.Gosched() // the workers first
	case w.rw.Overdue():
		w.detach()
	}
}

// grow doubles the stack, up to the limit.
func (t *Task) grow() {
	limit := uint32(t.w.inst.limits.Stack)
	if t.relieved&bitOf(ErrStack) != 0 {
		limit += reserveStack
	}
	n := t.slots() * 2
	if spare := len(t.w.spareStack); n == 2*inlineSlots && spare > 0 {
		n = uint32(spare)
	}
	if n > limit && t.whole() {
		if limit += spareStack; t.slots() < limit {
			n = min(t.slots()+t.slots()/64+1024, limit)
			t.extra().tall = true
			t.lookSoon()
		}
	}
	if n > limit {
		if t.slots() >= limit {
			throwStack(limit)
		}
		n = limit
	}
	w := t.w
	w.charge(int(n) * 16)
	regs := w.spareStack
	if int(n) == len(regs) {
		w.spareStack = nil
	} else {
		regs = make([]Value, n)
	}
	copy(regs, t.regs())
	t.setStack(regs)
}

// giveBack returns to the small stack if the task's only call fits there, and
// keeps the larger one for the next task that grows.
func (t *Task) giveBack() {
	if t.slots() == inlineSlots {
		return
	}
	f := t.w.prog.FuncAt(t.pc/8 - 1)
	if f == nil || t.delta/16+uint32(f.Frame) > inlineSlots {
		return
	}
	large := t.regs()
	copy(t.inline[:], large)
	t.setStack(t.inline[:])
	if len(large) <= maxSpareStack {
		clear(large)
		t.w.spareStack = large
	}
}

// maxSpareStack bounds the registers that are kept.
const maxSpareStack = 8 * inlineSlots

// reserve makes sure that size bytes are free from byte offset off of the stack on.
func (t *Task) reserve(off uintptr, size uintptr) {
	for uintptr(t.stack)+off+size > t.limit {
		t.grow()
	}
}
