package vm

import (
	"context"
	"unsafe"

	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/reactor"
)

// job is blocking work of a native, done by the IO pool while its task waits.
type job struct {
	name   string
	base   uint32 // of the native's arguments in the stack
	cancel context.CancelFunc
	finish func(c *Call, value any, err error)
	value  any
	err    error
}

// Block has work done on a thread of the IO pool while only this task waits.
// finish is then called in the task, with the result of the work: it sets the
// native's result or throws. The native returns right after Block. The context
// ends when the task is cancelled; work must not touch the script's objects.
func (c *Call) Block(name string, work func(ctx context.Context) (any, error), finish func(c *Call, value any, err error)) {
	t, w := c.t, c.w
	in := w.inst
	t.checkpoint()
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{name: name, base: t.offset(uintptr(c.base) - uintptr(t.stack) - uintptr(t.delta)), cancel: cancel, finish: finish}
	t.extra().job = j
	w.stats.Jobs++
	id := t.future.taskID()
	epoch := t.NextEpoch()
	expected := in.sched.Expect()
	t.waits, t.woken = waitJob, wokenJob
	number := in.jobBegins(id, name)
	mask := t.suspend()
	done := func(value any, err error) {
		cancel()
		j.value, j.err = value, err
		expected.Deliver(func(rw *reactor.Worker) {
			in.jobEnds(id, number, name)
			if t.Claim(epoch) {
				in.wakeLast(rw, t)
			}
		})
	}
	if err := in.ioPool().Submit(ctx, in.observed(id, number, name, work), done); err != nil {
		done(nil, err)
	}
	c.next = w.parked(t, epoch, mask)
}

// jobDone lets the native whose work is done set its result.
func (t *Task) jobDone() {
	j := t.more.job
	t.more.job = nil
	c := &t.w.call
	c.t, c.w = t, t.w
	c.base = unsafe.Pointer(t.slot(j.base))
	c.ref = &t.w.prog.Natives[t.opB()]
	j.finish(c, j.value, j.err)
	t.w.unpin()
}

// ioPool is made when something blocks.
func (in *Instance) ioPool() *iopool.Pool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.pool == nil {
		in.pool = iopool.New(iopool.Options{})
	}
	return in.pool
}
