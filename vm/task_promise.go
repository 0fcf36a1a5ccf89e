package vm

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// Promise is a task<T> without a task: whoever has the promise provides the
// value. Its Future comes first, so that one with the flag promise is part of a
// Promise.
type Promise struct {
	Future
	object *nativeObject // through which scripts reach it; not traced: see liveness
	box    *Chan         // the mailbox of the actor that is asked, or nil
}

const promiseSize = int(unsafe.Sizeof(Promise{}))

// promised is the Promise that a Future with that flag is the first part of.
func (f *Future) promised() *Promise { return (*Promise)(unsafe.Pointer(f)) }

// NewPromise makes a native struct that holds a promise. If box, a mailbox, is
// not nil, its receiver may provide the value.
func (c *Call) NewPromise(id uint32, box *Chan) Object {
	c.w.charge(promiseSize + int(unsafe.Sizeof(nativeObject{})))
	c.w.prog.promises.add(id)
	p := &Promise{box: box}
	p.promise = true
	p.object = &nativeObject{Header: Header{Type: id, Aux: uint32(promiseSize)}, value: p}
	return Object{unsafe.Pointer(p.object)}
}

// Task returns the task<T>, whose type is id. The promise may have been kept before.
func (p *Promise) Task(c *Call, id uint32) Object {
	if atomic.LoadUint32(&p.Type) == 0 {
		atomic.StoreUint32(&p.Aux, uint32(c.Type(c.Type(id).Elem).Rep))
		atomic.StoreUint32(&p.Type, id)
	}
	return Object{unsafe.Pointer(&p.Future)}
}

// Complete keeps the promise with a value, argument i of the call; it returns
// false if the promise was kept, failed or cancelled before.
func (p *Promise) Complete(c *Call, i int) bool {
	rep := c.Type(c.ref.Params[i]).Rep
	return p.settle(c.w.inst, c.w, futureDone, pack(uint32(rep), c.arg(i)), nil)
}

// Fail ends the promise with an error, which is thrown where it is awaited; it
// returns false as Complete does.
func (p *Promise) Fail(c *Call, err Value) bool {
	return p.settle(c.w.inst, c.w, futureFailed, Value{}, c.failureOf(err))
}

// FailedTask returns a task<()>, whose type is id, that has failed with an
// error. If another error was just caught, it has the trace of that one.
func (c *Call) FailedTask(id uint32, err, caught Value) Object {
	c.w.charge(promiseSize)
	p := &Promise{}
	p.Type, p.promise, p.fail = id, true, c.failureOf(caught)
	p.fail.val = err
	p.fail.actor, _ = c.t.actor()
	if c.w.race != nil {
		c.w.race.settled(&p.Future, c.t)
	}
	p.state.Store(futureFailed)
	return Object{unsafe.Pointer(&p.Future)}
}

// Unheard makes the failure of a task be reported unless somebody awaits it.
func (c *Call) Unheard(task Object) {
	f := (*Future)(task.p)
	if f.state.Load() != futureFailed {
		internal("%s is given a task that has not failed", c.ref.Name)
	}
	c.w.inst.noteUnseen(&c.w.inst.root, f)
}

// Caused puts the trace with which a task has failed before that of an error which
// the caller throws next.
func (c *Call) Caused(err Value, task Object) {
	trace := c.t.stackTrace()
	if first := (*Future)(task.p).fail; first != nil {
		trace = slices.Concat(first.trace, trace)
	}
	c.w.charge(failureSize(len(trace)))
	c.t.extra().fail = &failure{val: err, trace: trace}
}

// failureOf makes what an error value is thrown again as; it has the trace of the
// error if that is the one that the task has last caught.
func (c *Call) failureOf(err Value) *failure {
	if more := c.t.more; more != nil && more.fail != nil && more.fail.val.p == err.p {
		return &failure{val: err, trace: more.fail.trace, cause: more.fail.cause}
	}
	trace := c.t.stackTrace()
	c.w.charge(failureSize(len(trace)))
	return &failure{val: err, trace: trace}
}

// settle ends the promise, by a worker's task or (nil) from outside.
func (p *Promise) settle(in *Instance, w *Worker, state uint32, v Value, fail *failure) bool {
	if !p.lock() {
		return false
	}
	p.val, p.fail, p.box = v, fail, nil
	if w != nil && w.race != nil {
		w.race.settled(&p.Future, w.current)
	}
	awaiting := p.waiters.takeAll()
	p.unlock(state)
	for x := awaiting; x != nil; {
		next := x.next
		x.next = nil
		if w != nil {
			if in.observer != nil {
				w.observeAnswer(x)
			}
			w.wakeAwaiting(x, &p.Future, state)
		} else {
			in.tellAwaiting(x)
		}
		x = next
	}
	return true
}

// tellAwaiting wakes one who awaits a task that has ended, to take its outcome.
func (in *Instance) tellAwaiting(x *waiter) {
	if x.task.waits == waitAny {
		x.task.more.arm, x.task.woken = x.arm, wokenArm
	} else {
		x.task.woken = wokenEnded
	}
	in.wakeLast(nil, x.task)
}

// Chan returns a channel argument.
func (c *Call) Chan(i int) *Chan { return (*Chan)(c.ptr(i)) }
