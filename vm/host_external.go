package vm

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// externalCall is what is done with values on a goroutine that runs no task. It pays
// as a task does, from the instance's account; what it holds at the moment is
// known to the tracer by Instance.externalBytes alone.
type externalCall struct {
	ctx      context.Context
	deadline time.Time // zero: not looked at yet, or none
	left     int       // steps to the next look
	taken    int64     // bytes of the instance's account
}

// lookSteps is how many steps are made between two looks at the context.
const lookSteps = 1024

// WithCall lets f make and read values on a goroutine that runs no task. What
// it allocates, in the script and in Go, is charged as in a task; Go memory is
// the host's own when f has returned. It ends with the context, and after the
// time that a call may take. What f throws is the error.
func (in *Instance) WithCall(ctx context.Context, f func(c *Call)) (err error) {
	workers := in.workersOfHosts()
	w := workers.Get().(*Worker)
	w.external.ctx, w.external.left = OrBackground(ctx), lookSteps
	in.world.enter()
	w.prog = in.Program() // which may have been extended
	w.tables = w.prog.tables
	defer func() {
		e := recover()
		w.settle()
		in.world.leave()
		workers.Put(w)
		switch e := e.(type) {
		case nil:
		case *thrown:
			err = in.externalError(e)
		case runtime.Error: // as a data race may leave something to trip over
			err = fmt.Errorf("a value was changed by another task while it was read: %w", e)
		default:
			panic(e)
		}
	}()
	w.call.w = w
	f(&w.call)
	return nil
}

// workersOfHosts are those of WithCall.
func (in *Instance) workersOfHosts() *sync.Pool {
	if in.externalWorkers.Load() == nil {
		workers := &sync.Pool{New: func() any { return &Worker{inst: in, external: &externalCall{}} }}
		in.externalWorkers.CompareAndSwap(nil, workers)
	}
	return in.externalWorkers.Load()
}

// externalError returns limits as the errors that calls give them as.
func (in *Instance) externalError(e *thrown) error {
	if !e.kind.Limit() {
		return e
	}
	return &Error{Kind: in.Program().Types[bytecode.IDLimit].Name, Message: e.text, Limit: e.kind, Cause: e.cause, in: in}
}

// settle gives back what was not used, and what is in Go.
func (w *Worker) settle() {
	x := w.external
	if w.inst.limits.Memory > 0 {
		w.inst.mem.Add(-max(w.credit, 0) - w.nativeBytes)
		w.inst.externalBytes.Add(-x.taken)
	}
	w.unpin()
	w.credit = 0
	*x = externalCall{}
}

// steps counts work, and looks now and then whether to go on.
func (x *externalCall) steps(w *Worker, n int) {
	if x.left -= n; x.left < 0 {
		x.left = lookSteps
		x.look(w.inst)
	}
}

// look lets the world stop, and ends what nobody waits for any more.
func (x *externalCall) look(in *Instance) {
	if in.world.pausing.Load() {
		in.world.wait()
	}
	if x.ctx != nil && x.ctx.Err() != nil {
		panic(&thrown{kind: ErrDeadline, text: "the program was stopped by its host", cause: context.Cause(x.ctx)})
	}
	if in.limits.Time <= 0 {
		return
	}
	switch now := time.Now(); {
	case x.deadline.IsZero():
		x.deadline = now.Add(in.limits.Time)
	case now.After(x.deadline):
		throw(ErrDeadline, "the time limit of %s is reached", in.limits.Time)
	}
}

// refillExternal is refillCredit for a worker without tasks.
func (w *Worker) refillExternal(n int) {
	in, x := w.inst, w.external
	limit := in.limits.Memory
	x.look(in)
	if limit <= 0 {
		w.credit = creditChunk
		return
	}
	short := -w.credit // > 0
	w.credit = 0
	if short > limit {
		throw(ErrMemory, "the memory limit of %s is reached", sizeText(limit))
	}
	want := min(max(short, creditChunk), limit)
	if in.mem.Add(want) > limit {
		most := limit - limit/spareShare - short
		live := w.liveBytes(most)
		if live > most {
			throw(ErrMemory, "the memory limit of %s is reached", sizeText(limit))
		}
		want = min(limit-live, max(short, creditChunk))
		in.mem.Add(want)
	}
	x.taken += want
	in.externalBytes.Add(want)
	w.credit = want - short
}

// TakeCharged returns how much Charge has charged, which then no longer counts for
// this call: the work that the native waits for has to hold it.
func (c *Call) TakeCharged() int {
	n := c.w.nativeBytes
	c.w.nativeBytes = 0
	c.w.credit += n
	return int(n)
}

// Try runs f and returns what it throws, except for limits: these end the call.
func (c *Call) Try(f func()) (err error) {
	depth, pins := c.Depth, len(c.w.pins)
	defer func() {
		var e *thrown
		switch r := recover().(type) {
		case nil:
			return
		case *thrown:
			e = r
		default:
			panic(r)
		}
		if e.kind.Limit() {
			panic(e)
		}
		c.Depth, c.w.pins, err = depth, c.w.pins[:pins], e
	}()
	f()
	return nil
}
