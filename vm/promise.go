package vm

import "unsafe"

// Promise is a task<T> that no task ends: who has the promise gives the value.
// Its Future comes first, so that one with the flag promise is part of a Promise.
type Promise struct {
	Future
	object *nativeObject // through which scripts reach it; not traced: see liveness
	box    *Chan         // the mailbox of who is asked, or nil
}

const promiseSize = int(unsafe.Sizeof(Promise{}))

// promised is the Promise that a Future with that flag is the first part of.
func (f *Future) promised() *Promise { return (*Promise)(unsafe.Pointer(f)) }

// NewPromise makes a native struct that keeps a promise. Its value may come from
// who receives from box, a mailbox, if that is not nil.
func (c *Call) NewPromise(id uint32, box *Chan) unsafe.Pointer {
	c.w.charge(promiseSize + int(unsafe.Sizeof(nativeObject{})))
	c.w.prog.promises.add(id)
	p := &Promise{box: box}
	p.promise = true
	p.object = &nativeObject{Header: Header{Type: id, Aux: uint32(promiseSize)}, value: p}
	return unsafe.Pointer(p.object)
}

// Task gives the task<T>, whose type is id.
func (p *Promise) Task(c *Call, id uint32) unsafe.Pointer {
	if p.lock() {
		if p.Type == 0 {
			p.Type, p.Aux = id, uint32(c.Type(c.Type(id).Elem).Rep)
		}
		p.unlock(futurePending)
	}
	return unsafe.Pointer(&p.Future)
}

// Complete gives the value, argument i of the call; false when the promise was
// kept, failed or cancelled before.
func (p *Promise) Complete(c *Call, i int) bool {
	rep := c.Type(c.ref.Params[i]).Rep
	return p.settle(c.w, futureDone, pack(uint32(rep), c.arg(i)), nil)
}

// Fail gives an error, which is thrown where the promise is awaited; false as for
// Complete.
func (p *Promise) Fail(c *Call, err Value) bool {
	return p.settle(c.w, futureFailed, Value{}, c.failureOf(err))
}

// FailedTask gives a task<()>, whose type is id, that has failed with an error.
func (c *Call) FailedTask(id uint32, err Value) unsafe.Pointer {
	c.w.charge(promiseSize)
	p := &Promise{}
	p.Type, p.promise, p.fail = id, true, c.failureOf(err)
	if c.w.race != nil {
		c.w.race.settled(&p.Future, c.t)
	}
	p.state.Store(futureFailed)
	return unsafe.Pointer(&p.Future)
}

// Unheard has the failure of a task reported unless somebody awaits it.
func (c *Call) Unheard(task unsafe.Pointer) { c.w.inst.noteUnseen(&c.w.inst.root, (*Future)(task)) }

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

// settle ends the promise; w may be nil when no task of the instance runs.
func (p *Promise) settle(w *Worker, state uint32, v Value, fail *failure) bool {
	if !p.lock() {
		return false
	}
	p.val, p.fail = v, fail
	if w.race != nil {
		w.race.settled(&p.Future, w.current)
	}
	awaiting := p.waiters.takeAll()
	p.unlock(state)
	for x := awaiting; x != nil; {
		next := x.next
		x.next = nil
		w.wakeAwaiting(x, &p.Future, state)
		x = next
	}
	return true
}

// Own makes a channel the mailbox of a task, an actor with a name and a number:
// see liveness.
func (c *Call) Own(box *Chan, task unsafe.Pointer, name *Str, number int64) {
	c.w.inst.reaper.used.Store(true)
	f := (*Future)(task)
	box.lock.Lock()
	box.owner = f
	box.lock.Unlock()
	if f.lock() {
		f.val = Value{p: unsafe.Pointer(name), n: uint64(number)}
		f.unlock(futurePending)
	}
}

// Chan gives a channel argument.
func (c *Call) Chan(i int) *Chan { return (*Chan)(c.Ptr(i)) }

// receiver is the task that owns a mailbox, nil when it has ended and for other
// channels.
func (c *Chan) receiver() *Task {
	if c == nil || c.owner == nil {
		return nil
	}
	return c.owner.task
}

// Shut closes the channel if it is open.
func (c *Chan) Shut(call *Call) { c.close(call.w.inst, call.w) }

// Nudge has the receiver find the channel closed once: the one that waits, or else
// the next.
func (c *Chan) Nudge(call *Call) {
	c.lock.Lock()
	x := c.recvs.take()
	c.nudged = x == nil
	if x != nil {
		x.closeFor()
		x.task.foundClosed(c)
	}
	c.lock.Unlock()
	if x != nil {
		call.w.inst.wake(call.w, x.task)
	}
}

// Nudged reports whether a Nudge waits for a receiver.
func (c *Chan) Nudged() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.nudged
}

// Awaited reports whether somebody waits to receive.
func (c *Chan) Awaited() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.recvs.last != nil
}

// Post puts a value behind or before all others, whether there is room or not;
// false on a closed channel.
func (c *Chan) Post(call *Call, v Value, first bool) bool {
	v = pack(c.Aux, &v)
	for {
		c.lock.Lock()
		if c.closed {
			c.lock.Unlock()
			return false
		}
		var x *waiter
		if c.recvs.last != nil {
			x = c.recvs.take()
		}
		switch {
		case x != nil:
			x.deliver(v)
		case c.n >= len(c.buf):
			c.lock.Unlock()
			c.growTo(call.w, max(4, 2*c.n))
			continue
		case first:
			c.pushFront(v)
		default:
			c.push(v)
		}
		c.lock.Unlock()
		call.t.sent(c, x)
		return true
	}
}

func (c *Chan) pushFront(v Value) {
	if c.head--; c.head < 0 {
		c.head = len(c.buf) - 1
	}
	c.buf[c.head] = v
	c.n++
}
