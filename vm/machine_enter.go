//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package vm

import (
	"sync"
	"sync/atomic"
	"unsafe"

	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// machineEnter runs machine code until that gives the loop a task to go on with.
//
//go:noescape
func machineEnter(x *machineContext)

// What machine code asks of Go. Numbers below bytecode.NumOps ask for the helper of that
// opcode.
const (
	MachineInterpret = bc.NumOps + iota // the loop goes on, without machine code up to the next look
	MachineLeave                        // the loop goes on, where nothing has been compiled
	MachineFault
	MachineRefuel
	MachineGrow
	MachineDone
	MachineBarrier
)

// MachineStubs are the addresses of pieces of machine code that all programs share.
type MachineStubs struct {
	Enter, Exit, Resume, ResumeAt, Return, NotCompiled, Barrier, BarrierDone uintptr
}

// MachineOffsets tells machine code where things are: in its context, then in the task.
type MachineOffsets struct {
	GoSP, GoBP, SP, Bottom, Base, Limit, Fuel, Code, Marking, Back, Target, Expect, Delta, Task, Globals, Init, Table, Floor int32

	Exit, Barrier, BarrierPos, BarrierEnd, Registers, Save, FloatSave int32

	TaskPC, TaskDelta, TaskFuel, TaskStack int32
}

// MachineLayout is the offsets.
var MachineLayout = MachineOffsets{
	GoSP:       int32(unsafe.Offsetof(machineContext{}.goSP)),
	GoBP:       int32(unsafe.Offsetof(machineContext{}.goBP)),
	SP:         int32(unsafe.Offsetof(machineContext{}.sp)),
	Bottom:     int32(unsafe.Offsetof(machineContext{}.bottom)),
	Base:       int32(unsafe.Offsetof(machineContext{}.base)),
	Limit:      int32(unsafe.Offsetof(machineContext{}.limit)),
	Fuel:       int32(unsafe.Offsetof(machineContext{}.fuel)),
	Code:       int32(unsafe.Offsetof(machineContext{}.code)),
	Marking:    int32(unsafe.Offsetof(machineContext{}.marking)),
	Back:       int32(unsafe.Offsetof(machineContext{}.back)),
	Target:     int32(unsafe.Offsetof(machineContext{}.target)),
	Expect:     int32(unsafe.Offsetof(machineContext{}.expect)),
	Delta:      int32(unsafe.Offsetof(machineContext{}.delta)),
	Task:       int32(unsafe.Offsetof(machineContext{}.task)),
	Globals:    int32(unsafe.Offsetof(machineContext{}.globals)),
	Init:       int32(unsafe.Offsetof(machineContext{}.ginit)),
	Table:      int32(unsafe.Offsetof(machineContext{}.table)),
	Floor:      int32(unsafe.Offsetof(machineContext{}.floor)),
	Exit:       int32(unsafe.Offsetof(machineContext{}.exitStub)),
	Barrier:    int32(unsafe.Offsetof(machineContext{}.barrierStub)),
	BarrierPos: int32(unsafe.Offsetof(machineContext{}.pos)),
	BarrierEnd: int32(unsafe.Offsetof(machineContext{}.end)),
	Registers:  int32(unsafe.Offsetof(machineContext{}.registers)),
	Save:       int32(unsafe.Offsetof(machineContext{}.save)),
	FloatSave:  int32(unsafe.Offsetof(machineContext{}.floatSave)),
	TaskPC:     int32(unsafe.Offsetof(Task{}.pc)),
	TaskDelta:  int32(unsafe.Offsetof(Task{}.delta)),
	TaskFuel:   int32(unsafe.Offsetof(Task{}.fuel)),
	TaskStack:  int32(unsafe.Offsetof(Task{}.stack)),
}

// machineStack is the size of the stack that machine code returns over. It holds nothing
// but return addresses, and may be dropped at any time: what is not on it returns by the
// links in the task's registers.
const (
	machineStack  = 256 << 10
	machineSlack  = 512
	machineBottom = machineStack/8 - 8
	MachineNested = (machineStack - machineSlack) / 8 * 16 // bytes of registers that calls may nest over, each of which takes one at least
)

// machineExits counts what machine code has asked of Go, by code. Workers do not wait for
// each other to count: where several run, some may be missing.
type machineExits [MachineBarrier + 1]uint64

// reasons are the names of what has been asked of Go and how often, without names of
// opcodes' helpers, which are the opcodes'.
func (e *machineExits) reasons() map[string]uint64 {
	m := map[string]uint64{}
	for code, n := range e {
		if n == 0 {
			continue
		}
		if code < bc.NumOps {
			m[bc.Ops[code].Name] = n
		} else {
			m[machineReasons[code-bc.NumOps]] = n
		}
	}
	return m
}

var machineReasons = [...]string{"interpret", "leave", "fault", "out of fuel", "grow", "done", "barrier"}

// leavesPerSample is how often machine code goes on in a function that has not been compiled
// for that to count like the end of a slice there: what calls hot functions in a loop uses up
// few slices itself.
const leavesPerSample = 32

// barrierEntries is how many stores of pointers are noted before Go is told.
const barrierEntries = 512

// machineContext is what machine code finds in r15. What the task, its worker and the
// program hold is named by address only, so that a context that is kept holds nothing.
type machineContext struct {
	goSP, goBP  uintptr // of the goroutine, while machine code runs
	sp, bottom  uintptr // of machine code, while Go runs
	base        uintptr
	limit       uintptr
	fuel        int32
	code        int32  // what is asked of Go
	marking     uint32 // the collector marks: stores of pointers are noted
	expect      uint32 // the position behind the instruction whose helper is called
	delta       uint32
	floor       uintptr // where the window was, or above, when the stack was empty
	back        uintptr
	target      uintptr
	resume      uintptr    //lint:ignore U1000 machineEnter reads the stub that goes on, 0: machine code is left
	registers   [3]uintptr // of the operands, for helpers that want them
	pos         uintptr    // the next free entry of noted
	start, end  uintptr
	stackAt     uintptr // the task's registers
	task        *Task
	globals     uintptr
	ginit       uintptr
	table       uintptr
	enterStub   uintptr
	exitStub    uintptr
	barrierStub uintptr
	resumeStub  uintptr
	targetStub  uintptr
	next        *Task          // goes on in the loop
	exits       uintptr        // counts what is asked of Go, by code
	sink        unsafe.Pointer //lint:ignore U1000 stored to, so that Go's barrier sees a pointer
	up          *machineContext
	save        [16]uint64
	floatSave   [16]uint64
	stack       []uint64
	leaves      uint32                  // into what has not been compiled
	noted       [barrierEntries]uintptr // what was stored and what was overwritten while the collector marked
}

// machineCall is a helper that machine code calls, and how.
type machineCall struct {
	helper any
	kind   uint8
}

//lint:ignore U1000 machineEnter uses it
const numOps = bc.NumOps

const (
	callKnown = 1 << iota
	callRegs  // with pointers to its registers, as machine code gives them always
	callNext  // it gives the task that goes on
)

// Known to machineEnter: the code of the helpers, which is called as compiled Go calls it.
var (
	machineTargets [bc.NumOps]uintptr
	machineKinds   [bc.NumOps]uint8
)

var machineOnce sync.Once

func machineInit() {
	calls := machineCalls
	calls[bc.NEW].helper = opNewPlanned
	for op, c := range calls {
		if c.helper != nil {
			machineTargets[op] = codeOf(c.helper)
			machineKinds[op] = c.kind | callKnown
		}
	}
}

// codeOf is the address of a function's code.
func codeOf(f any) uintptr { return **(**uintptr)(unsafe.Add(unsafe.Pointer(&f), 8)) }

// MachineCalls reports whether machine code may ask for the helper of an opcode, and
// whether that wants pointers to the registers.
func MachineCalls(op bc.Op) (known, registers bool) {
	c := &machineCalls[op]
	return c.helper != nil, c.kind&callRegs != 0
}

// UseMachine has a program run what is published by machine code. It tells hot, if it is
// not nil, where tasks use up their slices. Call it before there are instances.
func (p *Program) UseMachine(stubs MachineStubs, hot func(word uint32)) *Machine {
	machineOnce.Do(machineInit)
	m := newMachine(p)
	m.stubs, m.hot, m.enter, m.plans = stubs, hot, enterMachine, p.planNews()
	m.exits = new(machineExits)
	for i := range m.table {
		m.table[i] = stubs.NotCompiled
	}
	p.machine = m
	return m
}

// Publish makes machine code of some functions and bytes known: where it can be entered,
// by word.
func (m *Machine) Publish(functions, bytes int, entries map[uint32]uintptr) {
	m.functions.Add(int64(functions))
	m.bytes.Add(int64(bytes))
	for w, at := range entries {
		atomic.StoreUintptr(&m.table[w], at)
	}
	for w := range entries {
		if int(w) < len(m.prog.Code) {
			atomic.StoreUint64(&m.words[w], m.words[w]&^0xff|uint64(byteMachine))
		}
	}
}

// MachineObjects are the addresses of what machine code refers to of a program.
type MachineObjects struct {
	Consts, Bytes, Enums, Descs []uintptr
	Jumps                       [][]uint32
	Selectors                   [][]uint64
	Elements                    uintptr // by type of list, 16 bytes each: its class, the pointer word of an element as an optional
	EmptyBacking, NoneInAny     uintptr
}

// ElementNumber is the class of lists whose elements are a number word.
const ElementNumber = byte(elemI)

// Objects returns them. They live as long as the program.
func (m *Machine) Objects() *MachineObjects {
	p := m.prog
	return &MachineObjects{
		Consts: addresses(p.constList), Bytes: addresses(p.bytesList), Enums: addresses(p.enumList), Descs: addresses(p.descList),
		Jumps: p.jumpList, Selectors: p.selList, Elements: uintptr(p.elements),
		EmptyBacking: uintptr(unsafe.Pointer(emptyBacking)), NoneInAny: uintptr(noneInAny),
	}
}

// addresses of objects, which Go does not move.
func addresses(objects []unsafe.Pointer) []uintptr {
	list := make([]uintptr, len(objects))
	for i, p := range objects {
		list[i] = uintptr(p)
	}
	return list
}

// machineContexts are those that no worker uses.
var machineContexts = sync.Pool{New: func() any {
	x := &machineContext{stack: make([]uint64, machineStack/8)}
	x.start = uintptr(unsafe.Pointer(&x.noted))
	x.pos = x.start
	x.end = x.start + (barrierEntries-2)*8
	x.bottom = uintptr(unsafe.Pointer(&x.stack[machineBottom]))
	return x
}}

// enterMachine goes on in machine code, at an instruction that has been compiled. It
// gives the task that goes on in the loop.
func enterMachine(t *Task) *Task {
	w := t.w
	m := w.prog.machine
	x := w.machineSpare
	if x == nil {
		x = machineContexts.Get().(*machineContext)
	}
	w.machineSpare = nil
	x.up, w.machine = w.machine, x
	x.begin(t, m)
	machineEnter(x)
	next := x.next
	w.leaveMachine(x.up)
	return next
}

// leaveMachine takes contexts out of use, down to the one that was in use before.
func (w *Worker) leaveMachine(before *machineContext) {
	for x := w.machine; x != before; x = w.machine {
		w.machine = x.up
		x.up, x.next, x.task, x.pos = nil, nil, nil, x.start
		w.machineSpare = x
	}
}

// shareMachine gives the spare context of a worker that has nothing to do to others.
func (w *Worker) shareMachine() {
	if x := w.machineSpare; x != nil {
		w.machineSpare = nil
		machineContexts.Put(x)
	}
}

func (x *machineContext) begin(t *Task, m *Machine) {
	s := &m.stubs
	x.enterStub, x.exitStub, x.barrierStub, x.resumeStub, x.targetStub = s.Enter, s.Exit, s.Barrier, s.Resume, s.ResumeAt
	x.stack[machineBottom] = uint64(s.Return)
	x.task, x.table = t, uintptr(unsafe.Pointer(unsafe.SliceData(m.table)))
	x.exits = uintptr(unsafe.Pointer(m.exits))
	x.globals, x.ginit = uintptr(t.w.globals), uintptr(t.w.ginit)
	x.empty(t)
	x.ready(t)
	x.target = m.table[t.pc/8]
}

// empty drops the stack.
func (x *machineContext) empty(t *Task) {
	x.sp, x.floor, x.stackAt = x.bottom, uintptr(t.stack)+uintptr(t.delta), uintptr(t.stack)
}

// ready sets what machine code finds when it goes on.
func (x *machineContext) ready(t *Task) {
	at := uintptr(t.stack)
	x.floor += at - x.stackAt // which may have moved
	x.base, x.stackAt = at+uintptr(t.delta), at
	x.limit = min(t.limit, x.floor+MachineNested)
	x.fuel = t.fuel
}

// machineCallout does what machine code asks for, on the goroutine's own stack: for an
// opcode the helper has been called, and next is what goes on.
//
//lint:ignore U1000 machineEnter calls it
func machineCallout(x *machineContext, next *Task) {
	t, delta := x.task, x.delta
	x.resume = 0
	switch x.code {
	case MachineBarrier:
		x.resume = t.w.prog.machine.stubs.BarrierDone
		return
	case MachineInterpret:
		t.w.tables.code = t.w.prog.code
		x.next = t
		return
	case MachineLeave:
		if x.leaves++; x.leaves%leavesPerSample == 0 {
			t.sample()
		}
		x.next = t
		return
	case MachineDone:
		x.next = opDone(t)
		return
	case MachineFault:
		opFault(t)
	case MachineRefuel:
		next = opOutOfFuel(t)
	case MachineGrow:
		if x.limit == t.limit {
			opGrow(t)
		}
		delta++ // so that the stack is dropped
	}
	if next != t || t.exit != exitNone {
		x.next = next
		return
	}
	m := t.w.prog.machine
	x.target = m.table[t.pc/8]
	if x.target == m.stubs.NotCompiled {
		x.next = t
		return
	}
	if x.sp += 8; t.delta != delta { // what was called has returned, or another function goes on
		x.empty(t)
	}
	x.ready(t)
	x.resume = m.stubs.ResumeAt
}

// machineDrain shows to the collector what machine code has stored while that marks,
// before this goroutine can be stopped: neither machine code nor a function without a
// check of its stack is preempted, and no phase of a collection ends while a processor
// runs on.
//
//lint:ignore U1000 machineEnter calls it
//go:nosplit
func machineDrain(x *machineContext) {
	for i := range (x.pos - x.start) / 8 {
		x.sink = *(*unsafe.Pointer)(unsafe.Pointer(&x.noted[i]))
	}
	x.sink = nil
	x.pos = x.start
}
