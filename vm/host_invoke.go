package vm

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Callee is a script function that a host calls.
type Callee struct {
	f       *bytecode.Func
	closure unsafe.Pointer // or nil
	leaf    bool           // it calls nothing
}

// Callee returns the Callee of a function without captures.
func (p *Program) Callee(fn int) Callee {
	f := &p.Funcs[fn]
	return Callee{f: f, leaf: p.isLeaf(f)}
}

// isLeaf reports whether a function uses no registers beyond its own.
func (p *Program) isLeaf(f *bytecode.Func) bool {
	for at := f.Start; at < f.End && int(at) < len(p.Code); at++ {
		op := &bytecode.Ops[bytecode.OpOf(p.Code[at])]
		if slices.Contains(op.Operands[:], "win") || slices.Contains(op.Operands[:], "args") {
			return false
		}
		if op.Word {
			at++
		}
	}
	return true
}

// hostCall is the part of a root task's state: one that a host waits for.
type hostCall struct {
	gate     reactor.Gate // opens when it has ended
	ctx      context.Context
	deadline time.Time   // zero: none
	late     atomic.Bool // the deadline has passed
	steps    int64       // counted where they are limited
	epoch    uint64      // before the first suspension
	overdue  time.Time   // when its defers have had time enough; zero: not asked to end

	mu    sync.Mutex
	armed atomic.Bool // it has come to wait, or may: see arm
	over  bool
	stops []func() bool
	timer *reactor.Timer // ends its defers
	left  bool           // the host has not waited for its end

	finished atomic.Bool // the worker that ended it is done with it

	telling *telling // it is a message method
}

// Invoke runs a function to its end. Arguments and result are Values of the
// representation of the function's types. When ctx ends the call is stopped,
// with an error that wraps the context's.
//
// The function runs on the caller's goroutine until it suspends, if a worker is
// free: nothing is allocated for that, and no other goroutine is involved.
func (in *Instance) Invoke(ctx context.Context, callee Callee, args []Value) (Value, error) {
	v, err := in.InvokeRetained(ctx, callee, args)
	in.Received(v)
	return v, err
}

// InvokeRetained is Invoke for a caller that will look into the result: an
// actor reachable only through the result does not stop until Received is
// called with it. Call Received after an error, too.
func (in *Instance) InvokeRetained(ctx context.Context, callee Callee, args []Value) (Value, error) {
	if err := in.takes(callee, args); err != nil {
		return Value{}, err
	}
	return in.InvokeBound(ctx, callee, args)
}

// InvokeBound is InvokeRetained for arguments that were made for the types of the function's parameters.
func (in *Instance) InvokeBound(ctx context.Context, callee Callee, args []Value) (Value, error) {
	return in.invoke(ctx, callee, args, nil, nil)
}

// Received ends InvokeRetained.
func (in *Instance) Received(v Value) {
	if v.p != nil && in.reaper.inTransit.Add(-1) == 0 && in.reaper.postponed.Swap(false) {
		in.quiet()
	}
}

// invoke is Invoke; read, if any, looks at the task when it has returned.
func (in *Instance) invoke(ctx context.Context, callee Callee, args []Value, read func(*Task), telling *telling) (Value, error) {
	ctx = OrBackground(ctx)
	switch {
	case in.closed.Load():
		return Value{}, ErrInstanceClosed
	case in.sched.Deterministic() && InstanceOf(ctx) == in:
		return Value{}, ErrReentered
	case ctx.Err() != nil && telling == nil:
		return Value{}, in.tooLate(ctx)
	}
	rw := in.sched.AcquireInline()
	if rw == nil {
		var err error
		if rw, err = in.retake(); err != nil {
			return Value{}, err
		}
	}
	in.world.enter() // who stops it looks at all tasks
	t := in.newRoot(rw, callee)
	copy(unsafe.Slice(t.reg(0), len(args)), args)
	in.countTexts(args)
	call := t.more.host
	if call.telling = telling; telling != nil && (call.deadline.IsZero() || telling.until.Before(call.deadline)) {
		call.deadline = telling.until
	}
	if ctx.Done() != nil {
		call.ctx = ctx
	}
	if rw == nil {
		in.world.leave()
		in.arm(t)
		in.sched.Inject(&t.Proc)
		rw = in.sched.Acquire()
	} else {
		w, life := t.w, in.sched.BeginInline(rw, &t.Proc, &call.gate)
		w.runInside(t, t)
		var open bool
		switch rw, open = in.sched.EndInline(rw, life, &call.gate); {
		case open && w.ranAlone(t):
			v := t.future.val
			if read != nil {
				read(t)
			}
			w.keepRoot(t, callee)
			in.reaper.stir()
			in.sched.ReleaseInline(rw)
			if in.waitingRoots.Load() > 0 {
				in.sched.CheckQuiet()
			}
			return v, nil
		case open:
			in.sched.Release(rw)
			return in.ended(t, read)
		}
	}
	if !in.finish(rw, t) {
		in.disarm(t)
		return Value{}, ErrInstanceClosed
	}
	return in.ended(t, read)
}

// finish lends the goroutine of a host until its root has ended.
func (in *Instance) finish(rw *reactor.Worker, t *Task) bool {
	returned := false
	defer func() {
		if !returned { // a native has ended this goroutine
			in.abandonRoot(t)
		}
	}()
	open := in.sched.Wait(rw, &t.more.host.gate)
	returned = true
	return open
}

// SmallText is the length up to which a host may pass a text without first
// checking that there is room for it.
const SmallText = 4 << 10

// countTexts counts the small texts that a host gives; the next charge finds out
// whether they are too much. Others have been paid for.
func (in *Instance) countTexts(args []Value) {
	for _, v := range args {
		if v.p != nil && typeOf(v.p) == bytecode.IDStr && (*Str)(v.p).n <= SmallText {
			in.mem.Add(int64(strSize((*Str)(v.p).n)))
		}
	}
}

// ranAlone reports that a root has succeeded here without a suspension: nobody
// else has had to do with it.
func (w *Worker) ranAlone(t *Task) bool {
	call := t.more.host
	return t.future.state.Load() == futureDone && // else another worker may be running it: the host's patience is over
		t.w == w && t.Epoch() == call.epoch+1 && !call.armed.Load()
}

// ended returns the outcome of a root, or that of one that takes too long to end.
func (in *Instance) ended(t *Task, read func(*Task)) (Value, error) {
	in.reaper.stir()
	if !in.disarm(t) {
		err := in.stoppedError(t, &failure{val: limitError(ErrDeadline, in.stopText(t))})
		in.leave(t)
		return Value{}, err
	}
	if call := t.more.host; !call.armed.Load() || call.finished.Load() { // else a worker is about to release it
		defer in.drop(t)
	}
	if t.future.state.Load() == futureDone {
		if read != nil {
			read(t)
		}
		return t.future.val, nil
	}
	return Value{}, in.stoppedError(t, t.future.fail)
}

// abandonRoot stops a root whose host is no more, and ends its part in it.
func (in *Instance) abandonRoot(t *Task) {
	in.stopRoot(t, t.more.host)
	if !in.disarm(t) {
		in.leave(t)
		return
	}
	in.Received(t.future.val)
	in.drop(t)
}

// leave ends the host's part in a root that continues: it no longer touches it.
func (in *Instance) leave(t *Task) {
	call := t.more.host
	call.mu.Lock()
	ended := t.future.ended() // since it was looked at
	call.left = !ended
	call.mu.Unlock()
	if ended {
		in.Received(t.future.val)
	}
}

// sees reports whether a look in slices may still get to a root that has just ended. Hosts
// come by outside the world, so they leave such a root as it is, and to nobody else.
func (in *Instance) sees() bool { return in.reaper.looking.Load() > 0 }

// drop is forgetRoot on the goroutine of a host.
func (in *Instance) drop(t *Task) {
	if !in.sees() {
		t.forgetRoot()
	}
}

// forgetRoot is forget for a root that has ended and whose outcome has been taken.
func (t *Task) forgetRoot() {
	t.forget()
	f, call := t.future, t.more.host
	f.val, f.fail = Value{}, nil
	call.mu.Lock()
	call.ctx, call.stops, call.timer = nil, nil, nil
	call.mu.Unlock()
	more := t.more // whose host is still looked at by who is too late to arm it
	more.defers, more.locals, more.fail, more.limit, more.shields, more.arms, more.naming = nil, nil, nil, nil, nil, nil, nil
}

// arm has a root told of deadlocks, of the end of its context and of its
// deadline, which it finds out by itself only as long as it runs. It is called
// before the root leaves the goroutine of its host, or when it has been
// suspended.
func (in *Instance) arm(t *Task) {
	call := t.more.host
	if call.armed.Load() {
		return
	}
	call.mu.Lock()
	defer call.mu.Unlock()
	if call.armed.Load() || call.over {
		return
	}
	in.mu.Lock()
	in.roots = append(in.roots, t)
	in.waitingRoots.Add(1)
	in.mu.Unlock()
	if call.ctx != nil {
		call.stops = append(call.stops, context.AfterFunc(call.ctx, func() { in.stopRoot(t, call) }))
	}
	if !call.deadline.IsZero() {
		timer := time.AfterFunc(time.Until(call.deadline), func() {
			call.late.Store(true)
			in.stopRoot(t, call)
		})
		call.stops = append(call.stops, timer.Stop)
	}
	call.armed.Store(true)
}

// disarm ends what arm began and reports whether the root has ended.
func (in *Instance) disarm(t *Task) (ended bool) {
	call := t.more.host
	call.mu.Lock()
	defer call.mu.Unlock()
	call.over = true
	for _, stop := range call.stops {
		stop()
	}
	if ended = t.future.ended(); ended && call.timer != nil {
		call.timer.Stop()
	}
	if call.armed.Load() {
		in.mu.Lock()
		in.roots = slices.DeleteFunc(in.roots, func(r *Task) bool { return r == t })
		in.waitingRoots.Add(-1)
		in.mu.Unlock()
	}
	return ended
}

// stoppedError makes the error of a root. If its context ended first, that is the
// cause.
func (in *Instance) stoppedError(t *Task, fail *failure) error {
	if excess := in.excess.Load(); excess != nil && limitOf(fail.val) == ErrDeadline {
		fail = excess // which has stopped all
	}
	call := t.more.host
	ctx := OrBackground(call.ctx)
	var err *Error
	if call.telling != nil {
		err = in.errorOf(fail)
	} else {
		err = in.uncaught(ctx, fail)
	}
	stopped := limitOf(fail.val) == ErrDeadline || t.future.state.Load() == futureCancelled
	if err.Cause == nil && stopped {
		err.Cause = context.Cause(ctx)
	}
	if err.Cause == nil && stopped && in.closing.Load() {
		err.Cause = ErrInstanceClosed
	}
	return err
}

// patience is how long a call whose context or time has ended waits for its defers,
// which may go on beside it for the rest of Grace.
const patience = 200 * time.Millisecond

// stopRoot ends a root that still runs, its defers included if they take longer
// than Grace. The host does not wait for them as long.
// Nothing else of the task is looked at that may have been forgotten meanwhile.
func (in *Instance) stopRoot(t *Task, call *hostCall) {
	call.mu.Lock()
	defer call.mu.Unlock()
	if call.over {
		return
	}
	raise := func(flags uint32) {
		in.root.lock.Lock()
		defer in.root.lock.Unlock()
		if !t.future.ended() {
			t.interrupt(nil, flags)
		}
	}
	call.stops = append(call.stops, time.AfterFunc(patience, call.gate.Open).Stop)
	if call.telling != nil {
		raise(flagStop | flagTerminate)
		return
	}
	raise(flagStop)
	if call.timer == nil {
		call.timer = in.sched.At(in.sched.Now()+Grace, func(*reactor.Worker) { raise(flagTerminate) })
	}
}

// newRoot makes a task that a host waits for, with the worker whose token the
// host holds, if any.
func (in *Instance) newRoot(rw *reactor.Worker, callee Callee) *Task {
	var t *Task
	var id uint32
	if rw != nil {
		w := rw.Data.(*Worker)
		w.lastID += in.workerCount
		id = w.lastID
		if t = w.spareRoot; t != nil {
			w.spareRoot = nil
		} else if t, _ = roots.Get().(*Task); t != nil {
			t.w = w
		} else {
			t = newRootTask(w)
		}
	} else {
		in.mu.Lock()
		t = newRootTask(in.workers[0])
		in.lastRoot += in.workerCount
		id = in.lastRoot
		in.mu.Unlock()
	}
	f := callee.f
	if n := int(f.Frame) + 1; n > inlineSlots {
		t.setStack(make([]Value, n))
	}
	t.InitProc(taskClass)
	t.more.host.epoch = t.Epoch()
	t.pc, t.delta, t.fuel, t.slice = f.Start*8, firstWindow, 0, 0
	t.slot(0).p = callee.closure
	t.future.Header = Header{Type: bytecode.IDInvalid, Aux: uint32(in.Program().Types[f.Result].Rep)}
	t.future.id = id
	if in.limits.Time > 0 {
		t.more.host.deadline = time.Now().Add(in.limits.Time)
	}
	in.root.join(t, nil)
	if in.stopped.Load() {
		t.flags.Or(flagStop)
	}
	if in.observer != nil {
		in.observer.Event(Event{Kind: TaskSpawned, At: in.sched.Now(), Worker: -1, Task: t.future.taskID(), Name: f.Name})
	}
	return t
}

func newRootTask(w *Worker) *Task {
	t := &Task{w: w, more: &taskMore{host: &hostCall{}}}
	t.setStack(t.inline[:])
	t.future = &Future{task: t, private: true}
	return t
}

// keepRoot keeps a root that has ended for the next call. Nothing refers to it.
func (w *Worker) keepRoot(t *Task, callee Callee) {
	if w.inst.sees() {
		return
	}
	call := t.more.host
	if !call.gate.Reset() || t.slots() != inlineSlots || !t.future.private {
		t.forgetRoot() // the worker's last native call may point at it
		return
	}
	call.ctx, call.overdue, call.steps = nil, time.Time{}, 0
	if call.telling != nil {
		call.telling, call.deadline = nil, time.Time{}
	}
	t.more.reset()
	if callee.leaf && callee.f.Frame < inlineSlots {
		clear(t.inline[:callee.f.Frame+1])
	} else {
		clear(t.inline[:])
	}
	if t.flags.Load() != 0 {
		t.flags.Store(0)
	}
	t.exit, t.relieved, t.woken, t.waits = 0, 0, 0, 0
	f := t.future
	f.val, f.fail, f.task = Value{}, nil, t
	releaseStore(&f.state, futurePending)
	w.spareRoot = t
}

// roots are kept for the next call of any instance, as those of instances that run by
// themselves may wait for one for long.
var roots sync.Pool // of *Task

func (w *Worker) sharesRoot() {
	t := w.spareRoot
	t.w, w.spareRoot = nil, nil
	t.more.host.deadline = time.Time{} // the next instance may have none
	roots.Put(t)
}

// endRoot ends a task that a host waits for.
func (w *Worker) endRoot(t *Task, state uint32, v Value) {
	f := t.future
	if !f.private || t.Epoch() != t.more.host.epoch {
		f.lock() // others may look at who holds a lock, or waits
	}
	f.val, f.fail = v, t.failure()
	if v.p != nil {
		w.inst.reaper.inTransit.Add(1)
	}
	call, left := t.more.host, false
	alone := t.Epoch() == call.epoch && !call.armed.Load()
	if alone {
		f.unlock(state)
	} else { // the host may be about to leave
		call.mu.Lock()
		f.unlock(state)
		left = call.left
		if left && call.timer != nil {
			call.timer.Stop()
		}
		call.mu.Unlock()
	}
	if left {
		w.inst.Received(v)
	}
	t.home.part(w, t, nil)
	t.Complete() // the host may still look at it
	if left {
		t.forgetRoot()
		return
	}
	if !alone {
		call.finished.Store(true)
	}
	if w.handBack == nil {
		call.gate.OpenFrom(w.rw)
	} else {
		call.gate.Open()
	}
}

// reset makes the state of a task that has ended that of a new one.
func (more *taskMore) reset() {
	if more.defers != nil || more.locals != nil || more.fail != nil || more.limit != nil || more.shields != nil || more.arms != nil || more.race != nil || more.naming != nil || more.overdue != 0 || more.spared != 0 || more.tall {
		*more = taskMore{host: more.host}
	}
}

// overtime ends a call that has made too many steps, whose context has ended or
// that has taken too long; after Grace its defers too.
func (t *Task) overtime(steps int64) {
	call := t.more.host
	limit := t.w.inst.limits.CallSteps
	if call.telling != nil && (limit <= 0 || limit > tellingSteps) {
		limit = tellingSteps
	}
	if limit > 0 {
		if call.steps += steps; call.steps >= limit && !t.spared(steps) {
			call.steps = limit - reserveSteps // for its defers
			t.fuel = t.slice
			throw(ErrSteps, "the limit of %d steps of a call is reached", limit)
		}
		t.slice = int32(max(0, min(int64(t.slice), limit-call.steps)))
		t.fuel = t.slice
	}
	done := call.ctx != nil && call.ctx.Err() != nil
	late := !call.deadline.IsZero() && time.Now().After(call.deadline)
	if !done && !late {
		return
	}
	if late {
		call.late.Store(true)
	}
	if call.overdue.IsZero() {
		call.overdue = time.Now().Add(Grace)
		t.w.inst.arm(t) // the host does not wait as long
	}
	if call.telling != nil || time.Now().After(call.overdue) {
		t.flags.Or(flagTerminate)
	}
	t.flags.Or(flagStop)
}

// stopText says why the task is stopped.
func (t *Task) stopText() string { return t.w.inst.stopText(t) }

// stopText is that of a task that another worker may be running.
func (in *Instance) stopText(t *Task) string {
	if t.more != nil && t.more.host != nil && t.more.host.late.Load() {
		return in.lateText()
	}
	return stoppedText
}

const stoppedText = "the program was stopped by its host"

func (in *Instance) lateText() string {
	return fmt.Sprintf("the time limit of %s is reached", in.limits.Time)
}
