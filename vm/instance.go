package vm

import (
	"sync/atomic"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Instance is one running copy of a program: its globals, budget and tasks.
type Instance struct {
	prog    *Program
	globals unsafe.Pointer // first of globalList
	ginit   unsafe.Pointer // first of initList
	limits  Limits
	mem     atomic.Int64 // upper bound of live bytes, workers' credits included
	steps   atomic.Int64 // steps left
	host    Host
	worker  *Worker
	tasks   []*Task              // begun and not ended, the running one last
	running atomic.Pointer[Task] // what runs now, for Stop
	stopped atomic.Bool

	counts     *[256]uint64 // executed opcodes, nil when not counted
	globalList []Value
	initList   []uint8 // globals that have been initialised
}

// Limits bound what an instance may use; zero fields are unlimited, but for
// Stack, whose zero is DefaultStack.
type Limits struct {
	Memory int64 // bytes of live objects
	Steps  int64 // taken jumps, calls, and elements handled by natives
	Stack  int   // registers of one task's stack (16 bytes each)
}

// DefaultStack allows some 200,000 nested calls of a small function.
const DefaultStack = 1 << 20

// reserveAfterLimit is what defers may use after a limit error.
const (
	reserveMemory = 256 << 10
	reserveSteps  = 100_000
	reserveStack  = 1024
)

// NewInstance makes an instance with its globals uninitialised.
func NewInstance(p *Program, host Host, limits Limits) *Instance {
	if limits.Stack <= 0 {
		limits.Stack = DefaultStack
	}
	in := &Instance{prog: p, limits: limits, host: host}
	in.steps.Store(limits.Steps)
	in.globalList = make([]Value, len(p.Globals)+1)
	in.initList = make([]uint8, len(p.Globals)+1)
	in.globals = base(in.globalList)
	in.ginit = base(in.initList)
	in.worker = &Worker{inst: in}
	return in
}

// CountOps makes the instance count the opcodes it executes, in a slower loop.
// It is called before the instance runs.
func (in *Instance) CountOps(counts *[256]uint64) {
	in.counts = counts
	in.prog = in.prog.unpaired()
}

// Program the instance runs.
func (in *Instance) Program() *Program { return in.prog }

// Host the instance was given.
func (in *Instance) Host() Host { return in.host }

// Stop makes the running task end with an error at its next look at its flags.
// It may be called from any goroutine.
func (in *Instance) Stop() {
	in.stopped.Store(true)
	if t := in.running.Load(); t != nil {
		t.flags.Or(flagCancel)
	}
}

// Run initialises the modules and runs the script.
func (in *Instance) Run() error {
	_, err := in.Call(in.prog.Entry)
	return err
}

// Call runs a function to its end on the caller's goroutine. Arguments and
// result are Values of the representation of the function's types.
func (in *Instance) Call(fn int, args ...Value) (Value, error) {
	f := &in.prog.Funcs[fn]
	t := newTask(in, in.worker)
	in.running.Store(t)
	if in.stopped.Load() {
		t.flags.Or(flagCancel)
	}
	in.tasks = append(in.tasks, t)
	defer in.leave()
	if err := t.start(f, args); err != nil {
		return Value{}, err
	}
	t.exec()
	if t.exit == exitFailed {
		return Value{}, t.uncaught()
	}
	return *t.reg(0), nil
}

// leave takes the task that ended off the list.
func (in *Instance) leave() {
	n := len(in.tasks) - 1
	in.tasks[n] = nil
	in.tasks = in.tasks[:n]
	if n > 0 {
		in.running.Store(in.tasks[n-1])
	} else {
		in.running.Store(nil)
	}
}

func (t *Task) start(f *bytecode.Func, args []Value) (err error) {
	t.pc = f.Start * 8
	t.slice, t.fuel = 0, 0
	defer func() {
		if e, ok := recover().(*thrown); ok {
			err = &Error{Kind: "LimitError", Message: e.text, Limit: e.kind}
		}
	}()
	opRefuel(t)
	t.reserve(firstWindow, uintptr(max(int(f.Frame), len(args)))*16)
	copy(unsafe.Slice(t.reg(0), len(args)), args)
	return nil
}

// uncaught makes the Go error of a failed task. The message of a user's error
// type comes from its method, run as a script function.
func (t *Task) uncaught() *Error {
	v := t.fail.val
	typ := &t.prog.Types[v.TypeID()]
	e := &Error{Kind: typ.Name, Trace: t.fail.trace}
	if v.TypeID() == bytecode.IDLimit {
		e.Limit = ErrKind(loadField(v.p, &typ.Fields[1]).n)
		e.Message = (*Str)(loadField(v.p, &typ.Fields[0]).p).String()
		if e.Limit == ErrRace {
			e.Kind, e.Limit = "RaceError", 0
		}
		return e
	}
	if sel := t.prog.MessageSel; sel >= 0 {
		tab := t.prog.Selectors[sel].Table
		if id := v.TypeID(); int(id) < len(tab) && tab[id] != 0 {
			if s, err := t.inst.Call(int(tab[id]-1), v); err == nil {
				if s.p != nil { // as only a race or a damaged program has it
					e.Message = (*Str)(s.p).String()
				}
			} else {
				e.Message = "(its message() failed: " + err.Error() + ")"
			}
		}
	}
	return e
}

// relieve grants the reserve that lets defers run after a limit error, once
// for each limit: a defer that exceeds the reserve too is ended at once.
func (t *Task) relieve(kind ErrKind) {
	if t.relieved&(1<<kind) != 0 {
		return
	}
	t.relieved |= 1 << kind
	switch in := t.inst; kind {
	case ErrMemory:
		in.mem.Add(-reserveMemory)
	case ErrSteps:
		in.steps.Store(reserveSteps)
	case ErrDeadline:
		t.flags.And(^uint32(flagCancel))
	case ErrStack:
		in.limits.Stack += reserveStack
	}
}

// refillCredit takes another share of the instance's memory budget, tracing
// what is alive when the budget seems used up.
func (w *Worker) refillCredit(n int) {
	in := w.inst
	if in.limits.Memory <= 0 {
		w.credit = creditChunk
		return
	}
	short := -w.credit // what the failed charge lacks, > 0
	if int64(n) > in.limits.Memory || short > in.limits.Memory {
		w.credit += int64(n)
		throw(ErrMemory, "the memory limit of %s is reached", sizeText(in.limits.Memory))
	}
	want := min(max(short, creditChunk), in.limits.Memory)
	if in.mem.Add(want) <= in.limits.Memory {
		w.credit += want
		return
	}
	live := in.liveBytes()
	w.credit = -int64(n)
	if live+int64(n) > in.limits.Memory {
		w.credit = 0
		in.mem.Store(live)
		throw(ErrMemory, "the memory limit of %s is reached", sizeText(in.limits.Memory))
	}
	grant := min(in.limits.Memory-live, max(int64(n), creditChunk))
	in.mem.Store(live + grant)
	w.credit += grant
}

// liveBytes traces what the instance's globals and tasks reach.
func (in *Instance) liveBytes() int64 {
	h := newHeapTracer(in.prog)
	h.roots(in.globalList)
	h.pointers(in.worker.pins)
	stacks := int64(0)
	for _, t := range in.tasks {
		h.roots(t.regs)
		stacks += int64(len(t.regs))*16 + int64(cap(t.defers)*deferredSize)
		h.deferred(t.defers)
		if t.fail != nil {
			h.root(t.fail.val.p)
		}
	}
	return h.run() + stacks
}
