package vm

import "unsafe"

// How a task waits:
//
//	lock the object; t.enqueue(kind, object, register); t.Suspend(); unlock; w.parked(t)
//
// Whoever serves it takes its waiter from the queue under the object's lock,
// wins the suspension with Claim, writes what it waited for into its register
// and wakes it. A cancel or a timer wins the suspension without the object: then
// the task itself leaves the queue when it goes on.

// waiter is a task's place in a queue.
type waiter struct {
	next, prev *waiter // nil when in no queue
	task       *Task
	on         unsafe.Pointer // the object, whose lock guards the queue
	dst        uint32         // byte offset in the stack: the register to write or to read
	arm        uint16         // of a select
	kind       waitKind
}

// claim wins the suspension of the task. The waiter is in its queue, or was a
// moment ago under the same lock: its task leaves all queues before it suspends
// again, so the suspension is the one that the waiter belongs to.
func (x *waiter) claim() bool { return x.task.Claim(x.task.Epoch()) }

// waitKind says what a task waits for.
type waitKind uint8

const (
	waitNothing waitKind = iota
	waitSleep
	waitAwait  // on *Future
	waitAny    // await_any: the arms are on *Future
	waitSend   // on *Chan, the value is in dst
	waitRecv   // on *Chan, the value goes to dst
	waitSelect // the arms are waitSend and waitRecv
	waitLock   // on *Mutex
	waitScope  // on *Scope
	waitJob    // blocking work
)

var waitNames = [...]string{
	waitNothing: "", waitSleep: "sleep", waitAwait: "await", waitAny: "await", waitSend: "send", waitRecv: "receive",
	waitSelect: "select", waitLock: "lock", waitScope: "scope", waitJob: "io",
}

// wakeReason tells a resumed task what is left to do. Whoever claims its
// suspension sets it; the task sets beforehand what a timer means.
type wakeReason uint8

const (
	wokenServed    wakeReason = iota // all is done
	wokenCancelled                   // by a cancel
	wokenRetry                       // to execute its instruction again
	wokenEnded                       // the awaited task has ended: take its result
	wokenArm                         // an arm of a select was served
	wokenTimeout                     // a select's time is over
	wokenClosed                      // the channel it sends on was closed
	wokenDeadlock                    // nothing else can wake it
	wokenJob                         // its blocking work is done
)

// waitQueue is a first-in-first-out queue of waiters: a ring, of which last is
// the latest.
type waitQueue struct{ last *waiter }

func (q *waitQueue) push(x *waiter) {
	if q.last == nil {
		x.next, x.prev = x, x
	} else {
		x.prev, x.next = q.last, q.last.next
		x.prev.next, x.next.prev = x, x
	}
	q.last = x
}

// pushFront puts a waiter before all others.
func (q *waitQueue) pushFront(x *waiter) {
	last := q.last
	q.push(x)
	if last != nil {
		q.last = last
	}
}

func (q *waitQueue) first() *waiter {
	if q.last == nil {
		return nil
	}
	return q.last.next
}

// remove takes a waiter out, if it is still in.
func (q *waitQueue) remove(x *waiter) {
	if x.next == nil {
		return
	}
	if x.next == x {
		q.last = nil
	} else {
		x.prev.next, x.next.prev = x.next, x.prev
		if q.last == x {
			q.last = x.prev
		}
	}
	x.next, x.prev = nil, nil
}

// take removes the first waiter whose suspension it can win. Those that
// somebody else has won are dropped: they leave by themselves.
func (q *waitQueue) take() *waiter {
	for x := q.first(); x != nil; x = q.first() {
		q.remove(x)
		if x.claim() {
			return x
		}
	}
	return nil
}

// takeAll empties the queue; those whose suspension it could win are linked by
// next, in order.
func (q *waitQueue) takeAll() (first *waiter) {
	end := &first
	for x := q.take(); x != nil; x = q.take() {
		*end = x
		end = &x.next
	}
	return first
}

// offset is the byte offset of a register of the current window in the stack.
func (t *Task) offset(off uintptr) uint32 { return t.delta + uint32(off&^15) }

// enqueue fills the task's own waiter for the suspension about to begin.
func (t *Task) enqueue(kind waitKind, on unsafe.Pointer, dst uint32) *waiter {
	x := &t.wait
	x.task, x.on, x.dst, x.kind = t, on, dst, kind
	t.waits = kind
	return x
}

// masked notes where a canceller sees it whether the task is shielded, and gives
// flagMasked if it is, with flagUncut if a stop reaches it all the same.
func (t *Task) masked() (own uint32) {
	if t.shielded() {
		if own = flagMasked; !t.parting() {
			own |= flagUncut
		}
	}
	const all = flagMasked | flagUncut
	if f := t.flags.Load(); f&all != own {
		t.flags.And(^uint32(all) | own)
		t.flags.Or(own)
	}
	return own
}

// suspend begins the suspension; the locks of what it waits for are held. It
// is the last that may be done with the task before they are released and
// parked is called.
func (t *Task) suspend() (mask uint32) {
	mask = t.prepare()
	t.Suspend()
	return mask
}

// prepare is the part of suspend before the suspension. The mask has the flags
// that end the wait.
func (t *Task) prepare() (mask uint32) {
	if in := t.w.inst; in.observer != nil {
		in.observeStop(t)
	}
	mask = ^uint32(flagsOwn | maskRoot)
	if own := t.masked(); own != 0 {
		mask = t.reaching(own)
	}
	if t.more != nil && t.more.host != nil {
		mask |= maskRoot
	}
	return mask
}

// maskRoot is not a flag: it stands in the mask of a task that a host waits for.
const maskRoot = 1 << 31

// parked takes the next task after one has been suspended. A cancel that came
// before the suspension began found nothing to wake: it is noticed here. The
// task may run elsewhere by now, or even have ended; then the epoch has moved on.
func (w *Worker) parked(t *Task, epoch uint64, mask uint32) *Task {
	if t.flags.Load()&mask != 0 && t.Claim(epoch) {
		t.woken = wokenCancelled
		w.inst.wake(w, t)
	}
	if mask&maskRoot != 0 {
		w.inst.arm(t)
	}
	return w.next()
}

// leave takes the task's waiters out of the queues they are still in.
func (t *Task) leave() {
	switch t.waits {
	case waitAwait, waitSend, waitRecv, waitLock, waitScope:
		t.wait.leave()
	case waitSelect, waitAny:
		for i := range t.more.arms {
			t.more.arms[i].leave()
		}
	}
}

func (x *waiter) leave() {
	switch x.kind {
	case waitAwait:
		if f := (*Future)(x.on); f.lock() {
			f.waiters.remove(x)
			f.unlock(futurePending)
		}
	case waitSend, waitRecv:
		c := (*Chan)(x.on)
		c.lock.Lock()
		c.queue(x.kind).remove(x)
		c.lock.Unlock()
	case waitLock:
		m := (*Mutex)(x.on)
		w := x.task.w
		m.lock.Lock(w)
		m.waiters.remove(x)
		m.lock.Unlock(w)
	case waitScope:
		s := (*Scope)(x.on)
		s.lock.Lock()
		s.waiter = nil
		s.lock.Unlock()
	}
}

// resume does what is left to do for a task that goes on.
func (t *Task) resume() {
	why := t.woken
	t.woken = wokenServed
	switch why {
	case wokenRetry:
		t.retry()
		return // a mutex wants to know that it tries again
	case wokenCancelled, wokenClosed, wokenDeadlock, wokenArm, wokenTimeout:
		t.leave()
	}
	waited, on := t.waits, t.wait.on
	t.waits, t.wait.on = waitNothing, nil
	switch why {
	case wokenCancelled:
		t.wakeCancelled(waited)
	case wokenEnded:
		(*Future)(on).settle(t, t.slot(t.wait.dst))
	case wokenArm:
		if waited == waitAny {
			x := t.more.arms[t.more.arm]
			t.more.arms = nil
			(*Future)(x.on).settle(t, t.slot(x.dst))
			return
		}
		t.dropArms()
		t.setArm(int(t.more.arm))
	case wokenTimeout:
		t.setArm(len(t.more.arms))
		t.dropArms()
	case wokenClosed:
		if waited == waitSelect {
			t.dropArms()
		}
		throw(ErrClosed, "the channel was closed while the value waited to be sent")
	case wokenDeadlock:
		if waited == waitScope {
			t.giveUpScope()
		}
		panic(&thrown{kind: ErrDeadlock, text: t.w.inst.deadlocked(t.future)}) // however long the report is
	case wokenJob:
		t.w.detachable = false // another's native may have led here
		t.finishJob()
	}
}

// dropArms releases what a select has waited for; the room is used again. Not so
// that of await_any: whoever parked the task may still look at what it waited for.
func (t *Task) dropArms() {
	for i := range t.more.arms {
		t.more.arms[i].on = nil
	}
}

// wakeCancelled throws what a cancel asks for. When the task was masked after
// all, it waits again.
func (t *Task) wakeCancelled(waited waitKind) {
	if waited == waitJob {
		t.jobBrokenOff()
		return
	}
	switch waited {
	case waitAny:
		t.more.arms = nil
	case waitSelect:
		t.dropArms()
	}
	t.interrupted()
	if waited == waitSelect {
		t.pc -= 8 // it has an immediate word
	}
	t.retry()
}

// retry lets the task execute the instruction again at which it waited.
func (t *Task) retry() { t.pc -= 8 }
