package vm

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// failure is an error on its way up the stack, with the trace of its origin.
type failure struct {
	val   Value
	trace []Frame
	cause error           // of the host, or nil
	actor string          // that has failed with it, or ""
	first *failure        // in whose place a deferred statement has thrown it, or nil
	seen  atomic.Bool     // somebody who awaited the task has got it
	lost  runtime.Cleanup // tells of it when the task's handle is gone
}

// Frame is a place in a trace, innermost first.
type Frame struct {
	Func string
	File string
	Line int
	Col  int
}

// Error is an uncaught script error.
type Error struct {
	Kind    string // type of the error value: "IndexError", "MyError"
	Message string
	Trace   []Frame
	Limit   ErrKind // not 0: the limit that was exceeded
	Cause   error   // the Go error of a native function that led to it, or nil
	Actor   string  // that has failed with it and nobody heard: "counter#1"; "" for others
	First   *Error  // in whose place a deferred statement has thrown this one, or nil
	in      *Instance
	val     Value // what was thrown
}

// Unwrap returns the cause, so that errors.Is and errors.As find it.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether both stand for the same error thrown by the script.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && e.in != nil && e.in == other.in && e.val.p == other.val.p
}

func (e *Error) Error() string {
	if e.First != nil { // which has none itself
		return e.alone() + " (in the place of " + e.First.alone() + ")"
	}
	return e.alone()
}

func (e *Error) alone() string {
	text := e.Kind
	if e.Message != "" {
		text += ": " + e.Message
	}
	if len(e.Trace) > 0 && e.Trace[0].Line > 0 {
		f := e.Trace[0]
		return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Col, text)
	}
	return text
}

// abort ends the task after a fault at a place where its saved state need not
// be current, so that neither handlers nor defers can run: a nil reference
// that only a data race can have left, or a defect of a native function.
func (t *Task) abort(err error) {
	kind, text := ErrInternal, "internal error: "+err.Error()
	if errors.Is(err, nilDereference()) {
		kind, text = ErrRace, "a value was changed by another task while it was read"
	}
	t.extra().fail = &failure{val: limitError(kind, text)}
	t.exit = exitFailed
}

// nilDereference is the error of Go's runtime for the use of a nil pointer, which has no
// name: it is made once, to compare with.
var nilDereference = sync.OnceValue(func() (err error) {
	defer func() { err = recover().(error) }()
	var p *Header
	_ = p.Type
	return nil
})

// raise throws one of the runtime's own errors.
func (t *Task) raise(e *thrown) {
	if e.kind.Limit() {
		t.relieve(e.kind)
		t.fail(limitError(e.kind, e.text), t.stackTrace(), e.cause)
		return
	}
	if e.val.p != nil {
		t.fail(e.val, t.stackTrace(), e.cause)
		return
	}
	id := t.w.prog.ErrTypes[e.kind]
	typ := &t.w.prog.Types[id]
	trace := t.stackTrace()
	if e.kind != ErrCancelled { // its task gives more back than it takes
		if limit := t.w.pay(strSize(len(e.text)) + typ.Layout.Size() + failureSize(len(trace))); limit != nil {
			t.raise(limit)
			return
		}
	}
	obj := newObject(id, typ.Layout)
	storeField(obj, &typ.Fields[0], Value{p: unsafe.Pointer(newStrOf(bytecode.IDStr, e.text))})
	if e.kind == ErrIO && len(typ.Fields) > 1 {
		storeField(obj, &typ.Fields[1], Value{n: uint64(e.io)})
	}
	t.fail(Value{p: obj}, trace, e.cause)
}

// fail throws a new error.
func (t *Task) fail(val Value, trace []Frame, cause error) {
	t.extra().fail = &failure{val: val, trace: trace, cause: cause}
	t.unwind(val)
}

// failureSize is the memory of a failure with a trace of that many frames.
func failureSize(frames int) int {
	return int(unsafe.Sizeof(failure{})) + frames*int(unsafe.Sizeof(Frame{}))
}

// pay is charge for callers that must not throw: it returns the error of the limit.
func (w *Worker) pay(n int) (limit *thrown) {
	defer func() {
		if e := recover(); e != nil {
			limit = e.(*thrown)
		}
	}()
	w.charge(n)
	return nil
}

// limitError makes the error value of a limit: a type that no script can name
// and no catch clause matches.
func limitError(kind ErrKind, text string) Value {
	typ := &bytecode.FixedTypes()[bytecode.IDLimit]
	obj := newObject(bytecode.IDLimit, typ.Layout)
	storeField(obj, &typ.Fields[0], Value{p: unsafe.Pointer(newStrOf(bytecode.IDStr, text))})
	storeField(obj, &typ.Fields[1], Value{n: uint64(kind)})
	return Value{p: obj}
}

func opThrow(t *Task) {
	val := *t.ra()
	if more := t.more; more == nil || more.fail == nil || more.fail.val.p != val.p {
		trace := t.stackTrace()
		t.w.charge(failureSize(len(trace)))
		t.extra().fail = &failure{val: val, trace: trace}
	}
	t.unwind(val)
}

// opRethrow keeps the trace of the error's origin.
func opRethrow(t *Task) { t.unwind(*t.ra()) }

// unwind finds the innermost handler for an error raised at the saved
// position and continues there; without one the task has failed. An error that
// is thrown again keeps its first trace.
func (t *Task) unwind(val Value) {
	more := t.extra()
	more.naming = nil
	more.fail = t.failureOf(val)
	t.checked.forget()
	limit := val.TypeID() == bytecode.IDLimit
	if limit {
		more.limit = more.fail
	}
	for {
		if more.limit != nil && !limit && t.delta <= more.limitDelta {
			// A defer that the limit let run has thrown: the limit goes on all the same.
			limit, val, more.fail = true, more.limit.val, more.limit
		}
		word := t.pc/8 - 1 // the instruction that raised the error or made the call
		if f := t.w.prog.FuncAt(word); f != nil {
			for i := range f.Handlers {
				h := &f.Handlers[i]
				if h.Start <= word && word < h.End && (!limit || h.Cleanup) {
					if limit {
						more.limitDelta = t.delta
					} else if h.Cleanup {
						t.keepFirst(word, h)
					}
					*t.reg(uintptr(h.Reg) * 16) = val
					t.pc = h.Target * 8
					return
				}
			}
		}
		link := t.reg(0)
		link = (*Value)(unsafe.Add(unsafe.Pointer(link), -16))
		if link.n == 0 {
			t.exit = exitFailed
			return
		}
		t.unshieldAt(t.delta) // the defers of this frame are over
		t.pc = t.returnPoint(uint32(link.n >> 32))
		t.delta -= uint32(link.n)
	}
}

// keepFirst keeps the error that was on its way when the deferred statement was run
// that has thrown: what the function ends with tells of it.
func (t *Task) keepFirst(word uint32, h *bytecode.Handler) {
	code, more := t.w.prog.Code, t.more
	if bytecode.OpOf(code[word]) != bytecode.RUNDEFER || bytecode.OpOf(code[word+1]) != bytecode.RETHROW || len(more.shields) == 0 {
		return
	}
	sh := &more.shields[len(more.shields)-1]
	old := *t.reg(uintptr(h.Reg) * 16)
	first := sh.fail
	if sh.delta != t.delta || first == nil || first.val.p != old.p || old.p == more.fail.val.p || t.isCancelled(old) {
		return
	}
	if first.first != nil {
		first = first.first
	}
	t.w.credit -= int64(failureSize(0)) // the next charge pays
	f := more.fail
	more.fail = &failure{val: f.val, trace: f.trace, cause: f.cause, actor: f.actor, first: first}
	sh.fail = more.fail
}

// failureOf is the failure with which an error is on its way: the one that the
// task has last caught, or a new one.
func (t *Task) failureOf(val Value) *failure {
	if more := t.extra(); more.fail != nil && more.fail.val.p == val.p {
		return more.fail
	}
	return &failure{val: val, trace: t.stackTrace()}
}

// rethrow throws an error that has been thrown before, here or in another task.
func (t *Task) rethrow(f *failure) {
	t.extra().fail = f
	t.unwind(f.val)
}

// maxTrace bounds the frames a trace keeps at each end.
const maxTrace = 20

// maxTraces bounds the frames of a trace that is made of several.
const maxTraces = 200

// stackTrace lists the frames from the saved position outwards. Of very many it has
// the innermost and the outermost, and between them one that says how many are left
// out.
func (t *Task) stackTrace() []Frame {
	frames, _ := t.frames()
	return slices.Clone(frames)
}

// frames is stackTrace in a list that is used again, and how many of the first stand in
// the library.
func (t *Task) frames() (frames []Frame, library int) {
	calls := t.calls()
	frames = t.w.frames[:0]
	own := 0 // frames up to the outermost outside of the library
	pc, delta := t.pc, t.delta
	for depth := 0; depth < calls; depth++ {
		switch word := pc/8 - 1; {
		case depth < maxTrace || depth >= calls-maxTrace:
			if f := t.w.prog.FuncAt(word); f != nil {
				line, col := f.Place(word)
				frames = append(frames, Frame{f.Name, t.w.prog.Files[f.File].Name, line, col})
				switch {
				case !t.w.prog.Files[f.File].Std:
					own = len(frames)
				case own == 0:
					library = len(frames)
				}
			}
		case depth == maxTrace:
			frames = append(frames, Frame{Func: fmt.Sprintf("... %d more", calls-2*maxTrace)})
		}
		link := (*Value)(unsafe.Add(t.stack, uintptr(delta)-16))
		pc = t.returnPoint(uint32(link.n >> 32))
		delta -= uint32(link.n)
	}
	how := "spawned in "
	if _, ok := t.actor(); ok { // how the library came to call it says nothing
		frames, how = append(frames[:own], Frame{Func: "in actor " + t.doing()}), "started in "
		library = min(library, own)
	}
	t.w.frames = t.spawnSite(frames, how)
	return t.w.frames, library
}

// awaited is the failure of a promise as who awaits it throws it: with the place where
// it waits behind the trace. An error that nobody's code has thrown is his alone.
func (t *Task) awaited(f *failure) *failure {
	own, library := t.frames()
	own = own[library:]
	trace := f.trace
	if len(trace) == 0 || trace[0].File == "" {
		trace = nil
	}
	n := len(trace)
	trace = slices.Concat(trace, own)
	if n > 0 && len(own) > 0 && own[0].File != "" {
		trace[n].Func = "awaited in " + trace[n].Func
	}
	if n := len(trace); n > maxTraces { // it has been thrown on for very long
		trace = slices.Concat(trace[:maxTraces/2], []Frame{{Func: fmt.Sprintf("... %d more", n-maxTraces+1)}}, trace[n-maxTraces/2+1:])
	}
	t.w.charge(failureSize(len(trace)))
	return &failure{val: f.val, trace: trace, cause: f.cause, actor: f.actor, first: f.first}
}

// calls is how many functions have been called and not returned.
func (t *Task) calls() int {
	for n, delta := 1, t.delta; ; n++ {
		link := (*Value)(unsafe.Add(t.stack, uintptr(delta)-16))
		if link.n == 0 {
			return n
		}
		delta -= uint32(link.n)
	}
}

// spawnSite adds where the task was spawned.
func (t *Task) spawnSite(frames []Frame, how string) []Frame {
	if t.future == nil || t.future.place == 0 {
		return frames
	}
	at := t.w.prog.frameAt(t.future.place)
	if at.File == "" {
		return frames
	}
	at.Func = how + at.Func
	return append(frames, at)
}

// returnPoint is where a call that began at the instruction before comes back
// to. A deferred closure is called by the very instruction it returns to, which
// is then the one to be blamed.
func (t *Task) returnPoint(pc uint32) uint32 {
	if bytecode.OpOf(*(*uint64)(unsafe.Add(t.w.prog.code, pc))) == bytecode.RUNDEFER {
		return pc + 8
	}
	return pc
}

// opFault raises the error of a fast opcode whose check failed.
func opFault(t *Task) {
	w := t.word()
	a, b, c := t.ra(), t.rb(), t.rc()
	switch op := t.op(); op {
	case bytecode.DIV, bytecode.MOD, bytecode.DIVK, bytecode.MODK:
		throw(ErrDivision, "division by zero")
	case bytecode.SHL, bytecode.SHR:
		throw(ErrValue, "shift by %d: a shift count must be from 0 to 63", c.Int())
	case bytecode.FTOI:
		throw(ErrValue, "%s does not fit an int", formatFloat(b.Float()))
	case bytecode.LGETIK:
		indexFault((*List)(b.p), int64(bytecode.COf(w)))
	case bytecode.LGETB, bytecode.LGETI, bytecode.LGETP, bytecode.LGETO, bytecode.LGETV:
		indexFault((*List)(b.p), c.Int())
	case bytecode.LSETB, bytecode.LSETBK, bytecode.LSETI, bytecode.LSETP, bytecode.LSETV:
		indexFault((*List)(a.p), b.Int())
	case bytecode.BGET:
		if (*Header)(b.p).Type == bytecode.IDStr {
			throw(ErrIndex, "index %d is out of range: the str has %d bytes", c.Int(), (*Str)(b.p).n)
		}
		throw(ErrIndex, "index %d is out of range: the bytes have length %d", c.Int(), (*Str)(b.p).n)
	case bytecode.CAST:
		throw(ErrCast, "the value is of type %s, not %s", t.w.prog.Types[b.TypeID()].Name, t.w.prog.Types[bytecode.COf(w)].Name)
	case bytecode.NEEDP, bytecode.NEEDV:
		throw(ErrNone, "the value is none (`!` needs a value; use `??` for a default)")
	case bytecode.GGETP, bytecode.GCHECK:
		g := int(bytecode.KOf(w))
		if op == bytecode.GGETP {
			g /= 16
		}
		throw(ErrUninit, "`%s` is used before it is initialised", t.w.prog.Globals[g].Name)
	default:
		throw(ErrRace, "a value was changed by another task while it was read")
	}
}

func indexFault(l *List, i int64) {
	n := l.b.n
	if i >= 0 && i < int64(n) {
		throw(ErrRace, "a list was changed by another task while it was read")
	}
	throw(ErrIndex, "index %d is out of range: the list has length %d", i, n)
}
