package vm

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Mutex is a mutex<T> with the value it guards. The header's aux is the rep
// of T.
//
// A running task may take a mutex that has just been unlocked before the task
// that was woken for it can (handing over every time would make all tasks that
// want it wait for each other's switches); a task that has waited for the time
// starving gets it next. A deterministic run is strictly first in, first out.
type Mutex struct {
	Header
	lock    ownedLock
	waking  bool    // a waiter has been woken to try again
	owner   *Future // who holds it; others than the holder read it under the lock, or by heldBy
	val     Value
	waiters waitQueue
	since   time.Duration // when the first waiter came
}

const (
	mutexSize = int(unsafe.Sizeof(Mutex{}))
	starving  = time.Millisecond
)

// free reports whether the task can take the mutex at once, as is usual: its
// worker owns the lock, and nothing is asked of it. The loop then does the
// rest.
func (m *Mutex) free(t *Task) bool {
	return m != nil && m.lock.owned(t.w) && m.owner == nil && t.waits == waitNothing && t.flags.Load() == 0
}

// unwanted is the same for unlocking it.
func (m *Mutex) unwanted(t *Task) bool {
	return m != nil && m.lock.owned(t.w) && m.owner == t.future && (m.waiters.last == nil || m.waking)
}

// opLock takes mutex b, waiting for it; a gets its value. It first tries the
// path that serves most locks shared by several workers.
func opLock(t *Task, a *Value, b *unsafe.Pointer) *Task {
	m := (*Mutex)(*b)
	if t.w.slowPaths() || m == nil || t.waits != waitNothing || t.flags.Load() != 0 || !m.lock.try() {
		return lockSlowly(t, a, m)
	}
	if m.owner != nil {
		m.lock.Unlock(t.w)
		return lockSlowly(t, a, m)
	}
	m.setOwner(t.future)
	t.future.private = false
	v := m.val
	m.lock.Unlock(t.w)
	*a = v
	return t
}

func lockSlowly(t *Task, a *Value, m *Mutex) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	notNil(unsafe.Pointer(m))
	if t.flags.Load()&^flagsOwn != 0 {
		m.giveUp(t)
		t.checkpoint()
	}
	m.lock.Lock(t.w)
	if m.owner == nil {
		m.acquired(t)
		v := m.val
		m.lock.Unlock(t.w)
		*a = v
		return t
	}
	if m.owner == t.future {
		m.lock.Unlock(t.w)
		throw(ErrDeadlock, "this task holds the lock already")
	}
	return m.park(t)
}

// heldBy tells a task, by its future, whether it is the owner. Nobody else can
// change that, so the answer is current.
func (m *Mutex) heldBy(f *Future) bool {
	return atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&m.owner))) == unsafe.Pointer(f)
}

// triesAgain reports whether the task was woken to try again.
func (m *Mutex) triesAgain(t *Task) bool {
	return t.waits == waitLock && t.wait.on == unsafe.Pointer(m)
}

// acquired makes t the owner; the lock is held.
func (m *Mutex) acquired(t *Task) {
	m.setOwner(t.future)
	t.future.private = false // others may look at it, even later
	if r := t.w.race; r != nil {
		r.locked(m, t)
	}
	if m.triesAgain(t) {
		m.waking, t.waits, t.wait.on = false, waitNothing, nil
	}
}

// TransferLock makes the task the owner of the mutex that is an argument. Its owner waits
// for this task, or this one has waited for its.
func (c *Call) TransferLock(i int) {
	m := (*Mutex)(notNil(c.ptr(i)))
	m.lock.Lock(c.w)
	m.acquired(c.t)
	m.lock.Unlock(c.w)
}

// giveUp lets another waiter try in place of a task that may be about to be cancelled.
func (m *Mutex) giveUp(t *Task) {
	if !m.triesAgain(t) {
		return
	}
	t.waits, t.wait.on = waitNothing, nil
	m.lock.Lock(t.w)
	m.waking = false
	if m.owner != nil {
		m.lock.Unlock(t.w) // who holds it will wake one
		return
	}
	m.release(t.w)
}

// park suspends the task until it is handed the mutex or may try again. One
// that has tried in vain keeps its place. The lock is held.
func (m *Mutex) park(t *Task) *Task {
	again := m.triesAgain(t)
	x := t.enqueue(waitLock, unsafe.Pointer(m), t.offset(t.opA()))
	if again {
		m.waking = false
		m.waiters.pushFront(x)
	} else {
		if m.waiters.last == nil {
			m.since = t.w.inst.sched.Now()
		}
		m.waiters.push(x)
	}
	w, epoch, self, holder := t.w, t.NextEpoch(), t.future, m.owner
	mask := t.suspend()
	m.lock.Unlock(w)
	if holder.suspended() {
		w.inst.suspect(self)
	}
	return w.parked(t, epoch, mask)
}

// opUnlock stores b as the value of mutex a and releases it.
func opUnlock(t *Task, a *unsafe.Pointer, b *Value) *Task {
	m := (*Mutex)(*a)
	if t.w.slowPaths() || m == nil || !m.lock.try() {
		return unlockSlowly(t, m, b)
	}
	if m.owner != t.future || m.waiters.last != nil && !m.waking {
		m.lock.Unlock(t.w)
		return unlockSlowly(t, m, b)
	}
	m.store(b)
	m.setOwner(nil)
	m.lock.Unlock(t.w)
	return t
}

func unlockSlowly(t *Task, m *Mutex, v *Value) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	notNil(unsafe.Pointer(m))
	m.lock.Lock(t.w)
	if m.owner != t.future {
		m.lock.Unlock(t.w)
		throw(ErrDeadlock, "this task does not hold the lock")
	}
	m.store(v)
	m.release(t.w)
	return t
}

// store stores the words of the value that its rep uses.
func (m *Mutex) store(v *Value) {
	if bytecode.Rep(m.Aux) != bytecode.RepP {
		m.val.n = v.n
	}
	if bytecode.Rep(m.Aux) != bytecode.RepI {
		m.val.p = v.p
	}
}

// release releases the mutex and its lock.
func (m *Mutex) release(w *Worker) {
	if w.race != nil && m.owner != nil {
		w.race.unlocked(m, m.owner.task)
	}
	m.setOwner(nil)
	if m.waiters.last == nil || m.waking {
		m.lock.Unlock(w)
		return
	}
	sched := w.inst.sched
	now := sched.Now()
	handOver := sched.Deterministic() || now-m.since >= starving
	x := m.waiters.take()
	if x == nil {
		m.lock.Unlock(w)
		return
	}
	u := x.task
	m.since = now
	if handOver {
		m.setOwner(u.future)
		u.future.private = false
		if w.race != nil {
			w.race.locked(m, u)
		}
		*u.slot(x.dst) = m.val
		u.waits, u.wait.on = waitNothing, nil
	} else {
		m.waking = true
		u.woken = wokenRetry
	}
	m.lock.Unlock(w)
	if handOver {
		w.inst.wake(w, u)
	} else {
		w.inst.wakeLast(w.rw, u)
	}
}

func init() {
	registerNative("core.try_acquire", func(c *Call) {
		m := (*Mutex)(c.ptr(0))
		m.lock.Lock(c.w)
		got := m.owner == nil
		if got {
			m.acquired(c.t)
		}
		m.lock.Unlock(c.w)
		c.SetBool(got)
	})
	registerNative("mutex.held", func(c *Call) { c.SetBool((*Mutex)(c.ptr(0)).heldBy(c.t.future)) })
	registerNative("core.release", func(c *Call) {
		m := (*Mutex)(c.ptr(0))
		m.lock.Lock(c.w)
		if m.owner != c.t.future {
			m.lock.Unlock(c.w)
			c.Throw(ErrDeadlock, "this task does not hold the lock")
		}
		m.release(c.w)
	})
	registerNative("core.guarded", func(c *Call) {
		m := (*Mutex)(c.ptr(0))
		m.lock.Lock(c.w)
		v := m.val
		m.lock.Unlock(c.w)
		r := c.arg(0)
		if bytecode.Rep(m.Aux) != bytecode.RepP {
			r.n = v.n
		}
		if bytecode.Rep(m.Aux) != bytecode.RepI {
			r.p = v.p
		}
	})
}
