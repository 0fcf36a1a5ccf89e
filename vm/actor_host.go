package vm

import (
	"context"
	"errors"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
)

// What package actor needs so that hosts talk to actors: promises that are kept,
// and values that are sent, from outside of the tasks.

// Sched returns the scheduler of the instance's tasks, for processes in Go alongside them.
func (in *Instance) Sched() *reactor.Sched { return in.sched }

// Object returns the native struct through which scripts use the promise.
func (p *Promise) Object() Object { return Object{unsafe.Pointer(p.object)} }

// Handle returns the task<T> through which the promise is awaited. Its type is
// id, or 0 if the program has none.
func (p *Promise) Handle(c *Call, id uint32) Object {
	if id != 0 {
		return p.Task(c, id)
	}
	return Object{unsafe.Pointer(&p.Future)}
}

// CompleteExternal completes a promise for its host with a value of type id; it returns
// false if the promise was completed, failed or cancelled before.
func (p *Promise) CompleteExternal(in *Instance, id uint32, v Value) bool {
	return p.settleExternal(in, futureDone, pack(uint32(in.Program().Types[id].Rep), &v), nil)
}

// FailExternal ends a promise with an error of the host; an error that a script threw originally stays that error.
func (p *Promise) FailExternal(in *Instance, err error) bool {
	var own *Error
	if errors.As(err, &own) && own.in == in && own.Limit == 0 {
		return p.settleExternal(in, futureFailed, Value{}, &failure{val: own.val, trace: own.Trace, cause: own.Cause})
	}
	typ := &in.Program().Types[in.Program().ErrTypes[ErrHost]]
	obj := newObject(in.Program().ErrTypes[ErrHost], typ.Layout)
	storeField(obj, &typ.Fields[0], StrValue(host.ErrorText(err)))
	return p.settleExternal(in, futureFailed, Value{}, &failure{val: refValue(obj), cause: err})
}

// CancelExternal ends a promise that is no longer awaited.
func (p *Promise) CancelExternal(in *Instance) bool {
	return p.settleExternal(in, futureCancelled, Value{}, nil)
}

// Settled reports whether the promise has been completed, failed or cancelled.
func (p *Promise) Settled() bool { return p.ended() }

func (p *Promise) settleExternal(in *Instance, state uint32, v Value, fail *failure) bool {
	in.world.enter() // nobody looks at tasks while one is changed
	defer in.world.leave()
	return p.settle(in, nil, state, v, fail)
}

// Await waits for a task to end and returns its outcome, as a value of the task's type.
func (in *Instance) Await(ctx context.Context, task Object) (Value, error) {
	v, err := in.invoke(ctx, in.Program().stubs.await, []Value{task.Value()}, nil, nil)
	in.Received(v)
	return v, err
}

// TrySend sends on a channel if it need not wait; the error is ErrClosedChannel if the channel is closed.
func (h *Handle) TrySend(v Value) (sent bool, err error) {
	err = h.in.WithCall(context.Background(), func(call *Call) {
		c := call.ChanOf(refValue(h.ptr))
		call.w.prog.mustFit(call.Type(c.Type).Elem, v)
		v := pack(c.Aux, &v)
		for {
			c.lock.Lock()
			x, o := c.offer(v)
			c.lock.Unlock()
			switch o {
			case noRoom:
				c.grow(call.w)
				continue
			case closed:
				throw(ErrClosed, "send on a closed channel")
			case passed:
				sent = true
				if x != nil {
					if h.in.observer != nil {
						h.in.observeSent(nil, c, x)
					}
					h.in.wakeLast(nil, x.task)
				}
			}
			return
		}
	})
	var e *thrown
	if errors.As(err, &e) && e.kind == ErrClosed {
		err = ErrClosedChannel
	}
	return sent, err
}

// Closed reports whether the channel has been closed.
func (c *Chan) Closed() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.closed
}

// Nudge is Chan.Nudge for callers outside the instance.
func (in *Instance) Nudge(c *Chan) {
	in.world.enter()
	defer in.world.leave()
	c.nudge(in, nil)
}

// Box makes the any that holds a value of a type.
func (p *Program) Box(id uint32, v Value) Value {
	if p.Types[id].Rep == bytecode.RepI {
		v.p = p.descList[id]
	}
	return v
}

// TypeOf returns the type of the error that the script threw.
func (e *Error) TypeOf() uint32 { return e.val.TypeID() }

// Thrown makes the error of a value that a script has thrown, whose kind and
// message are known.
func (in *Instance) Thrown(v Value, kind, message string) *Error {
	return &Error{Kind: kind, Message: message, in: in, val: v}
}
