package vm

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Future is a script's task<T>: the handle of a task and, once that has ended,
// its outcome. The task's own memory is then reused.
type Future struct {
	Header
	state   atomic.Uint32 // also the lock of what is below, while the task lives
	id      uint32
	task    *Task // while it lives
	val     Value // outcome; of an actor that lives its name (a *Str) and number
	waiters waitQueue
	fail    *failure // what it has ended with
	place   uint32   // 0, or the code position behind the spawn
	private bool     // only the task that awaits it, or a host, knows it: see Worker.reuse and keepRoot
	promise bool     // it is that of a Promise: no task ends it
}

// States of a Future. States from futureDone on are final.
const (
	futurePending uint32 = iota
	futureLocked
	futureDone
	futureFailed
	futureCancelled
)

// ended reports whether the task has.
func (f *Future) ended() bool { return f.state.Load() >= futureDone }

// lock reports whether the task still lives, and then locks the Future.
func (f *Future) lock() bool {
	for i := 0; !f.state.CompareAndSwap(futurePending, futureLocked); i++ {
		if f.ended() {
			return false
		}
		reactor.Backoff(i)
	}
	return true
}

// unlock sets the state, which is futurePending as long as the task lives.
func (f *Future) unlock(state uint32) { releaseStore(&f.state, state) }

func (f *Future) taskID() uint64 { return uint64(f.id) }

// newFuture makes the handle of a task that is about to start.
func (w *Worker) newFuture(id uint32, t *Task, place uint32) *Future {
	w.lastID += w.inst.workerCount
	elem := &w.prog.Types[w.prog.Types[id].Elem]
	f := w.spareFuture
	if f == nil {
		f = &Future{}
	} else {
		w.spareFuture = nil
		f.state.Store(futurePending)
	}
	f.Header = Header{Type: id, Aux: uint32(elem.Rep)}
	f.task, f.id, f.place, f.private = t, w.lastID, place, false
	t.future = f
	return f
}

// reuse keeps a private Future that has delivered its result for the next task:
// only a register that is never read again still refers to it.
func (w *Worker) reuse(f *Future) {
	f.val = Value{}
	w.spareFuture = f
}

// opSpawn starts a task with the function in b:c. The immediate word has, from
// the low end, the type of the handle (32 bits), the number of arguments (16),
// which are the registers from a on, and the registers of the function (12). The
// handle replaces the first argument.
func opSpawn(t *Task) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	t.checkpoint() // those that are cancelled spawn no more
	word, place := t.word(), t.pc
	imm := t.imm()
	c := t.w.newTaskFor(uintptr(imm>>48&0xfff) * 16)
	c.pc = uint32(bytecode.KOf(word)) * 8
	args := t.reg(uintptr(bytecode.AOf(word)))
	n := int(uint16(imm >> 32))
	copy(unsafe.Slice(c.reg(0), n), unsafe.Slice(args, n))
	t.startTask(c, args, imm, place)
	return t
}

// opSpawnClosure starts a task with the closure in b, otherwise as opSpawn.
func opSpawnClosure(t *Task) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	t.checkpoint() // those that are cancelled spawn no more
	args, fn, place := t.ra(), notNil(t.rb().p), t.pc
	imm := t.imm()
	entry := *(*uint64)(unsafe.Add(fn, 8))
	c := t.w.newTaskFor(uintptr(entry >> 32))
	c.pc = uint32(entry)
	n := int(uint16(imm >> 32))
	copy(unsafe.Slice(c.reg(0), n), unsafe.Slice(args, n))
	c.slot(0).p = fn
	t.startTask(c, args, imm, place)
	return t
}

// newTaskFor makes a task whose first function has a frame of some bytes.
func (w *Worker) newTaskFor(frame uintptr) *Task {
	in := w.inst
	stack := 0
	if firstWindow+frame > inlineSlots*16 {
		stack = int(frame/16) + 16
	}
	w.charge(taskSize + stack*16)
	if limit := in.limits.Tasks; limit > 0 {
		n := in.alive.Add(1)
		if n > limit {
			in.alive.Add(-1)
			throw(ErrTasks, "the limit of %d tasks is reached", limit)
		}
		w.stats.MaxAlive = max(w.stats.MaxAlive, n)
	}
	c := w.newTask()
	c.w = w
	if stack > 0 {
		c.setStack(make([]Value, stack))
	}
	return c
}

// startTask makes a new task ready, as one of the scope that t is in.
func (t *Task) startTask(c *Task, dst *Value, imm uint64, place uint32) {
	w := t.w
	if w.inst.origins {
		place = t.origin(place)
	}
	f := w.newFuture(uint32(imm), c, place)
	f.private = imm&bytecode.SpawnPrivate != 0 && w.race == nil
	s, by := t.scope, t
	if imm&bytecode.SpawnDetached != 0 {
		s, by = &w.inst.root, nil
	}
	if t.more != nil {
		if t.more.locals != nil {
			c.more = &taskMore{locals: t.more.locals}
		}
		if t.more.naming != nil {
			t.named(f)
		}
	}
	if w.race != nil {
		w.race.spawn(t, c)
	}
	s.join(c, by)
	dst.p = unsafe.Pointer(f)
	w.stats.Spawned++
	if w.inst.observer != nil {
		w.observeSpawn(t, c)
	}
	w.rw.Wake(&c.Proc)
}

// opAwait returns the result of task b, waiting for it, or throws its error.
func opAwait(t *Task) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	f := (*Future)(notNil(t.rb().p))
	t.checkpoint()
	if !f.ended() {
		if next := t.await(f, t.offset(t.opA())); next != nil {
			return next
		}
	}
	f.settle(t, t.ra())
	if f.private && f.state.Load() == futureDone {
		t.w.reuse(f)
	}
	return t
}

// await suspends the task until f has ended; it returns nil if f has ended already.
func (t *Task) await(f *Future, dst uint32) *Task {
	if !f.lock() {
		return nil
	}
	x := t.enqueue(waitAwait, unsafe.Pointer(f), dst)
	f.waiters.push(x)
	w, epoch, self := t.w, t.NextEpoch(), t.future
	mask := t.suspend()
	if f.promise {
		f.unlock(futurePending)
		w.inst.mayReap()
		return w.parked(t, epoch, mask)
	}
	entangled := f.task.Status() == reactor.Suspended // after suspend: of two that meet at least one sees it
	f.unlock(futurePending)
	if entangled {
		w.inst.suspect(self)
	}
	return w.parked(t, epoch, mask)
}

// settle puts the outcome of an ended task into a register of t or throws it.
func (f *Future) settle(t *Task, dst *Value) {
	if in := t.w.inst; in.observer != nil {
		t.w.observe(Event{Kind: TaskAwaited, Task: t.future.taskID(), Other: f.taskID()})
	}
	if r := t.w.race; r != nil {
		r.awaited(t, f)
	}
	switch f.state.Load() {
	case futureDone:
		*dst = f.val
	case futureCancelled:
		throw(ErrTaskCancelled, "the awaited task was cancelled")
	default:
		f.fail.seen.Store(true)
		fail := f.fail
		if f.promise {
			fail = t.awaited(fail)
		}
		t.rethrow(fail)
	}
}

// end finishes a task: its handle gets the outcome, tasks that await it are woken, its
// scope has one task less.
func (w *Worker) end(t *Task, state uint32, v Value) {
	f, home := t.future, t.home
	t.checked.forget()
	if w.race != nil {
		w.race.end(t, state)
	}
	t.dropShields()
	if t.scope != home {
		t.abandonScopes(w)
	}
	var fail *failure
	if state == futureFailed {
		fail = t.more.fail
	}
	w.countEnd(t, state)
	if t.more != nil && t.more.host != nil {
		w.endRoot(t, state, v)
		return
	}
	f.lock()
	f.val, f.fail, f.task = v, t.failure(), nil
	seen := f.waiters.last != nil
	awaiting := f.waiters.takeAll()
	f.unlock(state)
	for x := awaiting; x != nil; {
		next := x.next
		x.next = nil
		w.wakeAwaiting(x, f, state)
		x = next
	}
	if fail != nil && !seen {
		w.inst.noteUnseen(home, f)
	}
	if fail != nil && home.owner == nil {
		w.inst.exceeded(fail)
	}
	home.part(w, t, fail)
	if t.more != nil {
		for _, p := range t.more.dropped {
			p.ended(w.inst)
		}
	}
	w.recycle(t)
}

// failure is the error that the task ends with, or nil.
func (t *Task) failure() *failure {
	if t.exit != exitFailed {
		return nil
	}
	return t.more.fail
}

// wakeAwaiting hands the outcome to a task that awaits it.
func (w *Worker) wakeAwaiting(x *waiter, f *Future, state uint32) {
	u := x.task
	switch {
	case u.waits == waitAny:
		u.more.arm = x.arm
		u.woken = wokenArm
	case state == futureDone:
		*u.slot(x.dst) = f.val
		if w.race != nil {
			w.race.awaited(u, f)
		}
		if w.inst.observer != nil {
			w.observe(Event{Kind: TaskAwaited, Task: u.future.taskID(), Other: f.taskID()})
		}
		if f.private {
			w.reuse(f)
		}
	default:
		u.woken = wokenEnded
	}
	w.inst.wake(w, u)
}

func (w *Worker) countEnd(t *Task, state uint32) {
	w.stats.Ended++
	if used := t.slice - t.fuel; used > 0 { // since it was last asked
		w.inst.steps.Add(-int64(used))
	}
	why := "done"
	switch state {
	case futureFailed:
		w.stats.Failed++
		why = "failed"
	case futureCancelled:
		w.stats.Cancelled++
		why = "cancelled"
	}
	if w.inst.limits.Tasks > 0 {
		w.inst.alive.Add(-1)
	}
	if w.inst.observer != nil {
		w.observe(Event{Kind: TaskEnded, Task: t.future.taskID(), Why: why})
	}
}

func init() {
	registerNative("task.done", func(c *Call) {
		f := (*Future)(c.ptr(0))
		done := f.ended()
		if r := c.w.race; r != nil && done {
			r.awaited(c.t, f)
		}
		c.SetBool(done)
	})
	registerNative("task.cancel", func(c *Call) { (*Future)(c.ptr(0)).cancel(c.w) })
	registerNative("core.await_any", awaitAny)
}

// cancel asks the task to end, if it has not yet.
func (f *Future) cancel(w *Worker) {
	switch {
	case f.promise:
		f.promised().settle(w.inst, w, futureCancelled, Value{}, nil)
	case f.lock():
		f.task.interrupt(w, flagKill)
		f.unlock(futurePending)
	}
}

// awaitAny waits for the first of a list of tasks to end; its outcome is the
// result.
func awaitAny(c *Call) {
	l, t := c.ReadList(c.List(0)), c.t
	n := l.Len()
	if n == 0 {
		c.Throw(ErrValue, "await_any needs a task")
	}
	t.checkpoint()
	c.Charge(n * int(unsafe.Sizeof(waiter{})))
	arms := make([]waiter, n)
	dst := t.offset(uintptr(c.base) - uintptr(t.stack) - uintptr(t.delta))
	for i := range arms { // all are looked at before the first is queued: nil throws
		f := notNil(l.At(i).p)
		arms[i] = waiter{task: t, on: f, dst: dst, arm: uint16(i), kind: waitAwait}
	}
	for i := range arms {
		f := (*Future)(arms[i].on)
		if !f.lock() {
			for j := range arms[:i] {
				arms[j].leave()
			}
			f.settle(t, c.arg(0))
			return
		}
		f.waiters.push(&arms[i])
		f.unlock(futurePending)
	}
	t.extra().arms = arms
	c.next = t.parkOnAny(arms)
}

// parkOnAny suspends a task whose arms are in the queues. An awaited task that
// ended in between found this task not yet suspended, so they are checked
// again.
func (t *Task) parkOnAny(arms []waiter) *Task {
	w, epoch := t.w, t.NextEpoch()
	t.waits, t.wait.on = waitAny, nil
	mask := t.suspend()
	for i := range arms {
		f := (*Future)(arms[i].on)
		if f.promise {
			w.inst.mayReap()
		}
		if f.ended() {
			if t.Claim(epoch) {
				t.more.arm, t.woken = uint16(i), wokenArm
				w.inst.wake(w, t)
			}
			break
		}
	}
	return w.parked(t, epoch, mask)
}

// opSleep waits for a nanoseconds; for 0 it only lets others run.
func opSleep(t *Task) *Task {
	t.checkpoint()
	d := time.Duration(t.ra().Int())
	if d <= 0 {
		return opYield(t)
	}
	w, epoch := t.w, t.NextEpoch()
	t.waits = waitSleep
	mask := t.prepare()
	w.inst.sched.SleepUntil(&t.Proc, w.inst.after(d))
	return w.parked(t, epoch, mask)
}

// after is the time of the scheduler's clock in d from now.
func (in *Instance) after(d time.Duration) time.Duration {
	const forever = 100 * 365 * 24 * time.Hour // what is longer could overflow
	return in.sched.Now() + min(max(0, d), forever)
}

// opYield puts the task behind all ready ones.
func opYield(t *Task) *Task {
	if t.more != nil && t.more.host != nil {
		t.refuel() // one that only yields never runs out of fuel
	}
	t.checkpoint()
	w := t.w
	if w.inst.observer != nil {
		w.observe(Event{Kind: TaskStops, Task: t.future.taskID(), Why: "yield"})
	}
	w.rw.Yield(&t.Proc)
	return w.next()
}
