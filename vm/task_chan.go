package vm

import (
	"sync/atomic"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Chan is a chan<T>. The header's aux is the rep of T.
//
// What each send writes is in 16 bytes of one cache line: when many workers
// send, they contend only for that line.
type Chan struct {
	Header
	lock   reactor.SpinLock
	n      uint32 // values in the buffer
	head   uint32 // where the first one is
	ahead  uint8  // values taken ahead at most: see mailbox
	urgent bool   // there are values that come first
	closed bool
	nudged bool // see Nudge
	turn   sendTurn

	room  int
	buf   []Value // a ring, which grows up to room
	recvs waitQueue
	sends waitQueue               // only when the buffer is full
	mail  atomic.Pointer[mailbox] // when it is one
	lossy bool                    // see Overflow
}

const chanSize = int(unsafe.Sizeof(Chan{}))

func (c *Chan) queue(k waitKind) *waitQueue {
	if k == waitSend {
		return &c.sends
	}
	return &c.recvs
}

// pack masks a register down to the words that a rep uses, so that it keeps no old value alive.
func pack(rep uint32, r *Value) Value {
	switch bytecode.Rep(rep) {
	case bytecode.RepI:
		return Value{n: r.n}
	case bytecode.RepP:
		return Value{p: r.p}
	}
	return *r
}

// opNewSync makes a channel with room for b values or a mutex that guards b.
func opNewSync(t *Task) {
	id := uint32(t.opC())
	typ := &t.w.prog.Types[id]
	h := Header{Type: id, Aux: uint32(t.w.prog.Types[typ.Elem].Rep)}
	if typ.Kind == bytecode.TMutex {
		t.w.charge(mutexSize)
		m := &Mutex{Header: h, val: pack(h.Aux, t.rb())}
		m.lock.init()
		t.ra().p = unsafe.Pointer(m)
		return
	}
	room := t.rb().Int()
	if room < 0 {
		throw(ErrValue, "a channel cannot have room for %d values", room)
	}
	t.w.charge(chanSize)
	t.ra().p = unsafe.Pointer(&Chan{Header: h, room: int(room)})
}

// outcome of an attempt to send or receive.
type outcome uint8

const (
	passed outcome = iota
	blocked
	closed
	noRoom // the buffer has to grow first: see Chan.grow
)

// grow makes the buffer larger. It charges for that without the lock, which the caller must not hold.
func (c *Chan) grow(w *Worker) {
	c.lock.Lock()
	size := min(max(4, 2*int(c.n)), c.room)
	c.lock.Unlock()
	c.growTo(w, size)
}

func (c *Chan) growTo(w *Worker, size int) {
	w.charge(size * 16)
	buf := make([]Value, size)
	c.lock.Lock()
	defer c.lock.Unlock()
	if size <= len(c.buf) {
		return // another task was faster
	}
	for i := range int(c.n) {
		buf[i] = c.buf[(int(c.head)+i)%len(c.buf)]
	}
	c.buf, c.head = buf, 0
}

func (c *Chan) push(v Value) {
	i := int(c.head) + int(c.n)
	if i >= len(c.buf) {
		i -= len(c.buf)
	}
	if i%fetchAhead == 0 {
		c.fetch(i)
	}
	c.buf[i] = v
	c.n++
}

// fetchAhead is how many values the buffer's memory is prefetched for at once.
const fetchAhead = 64

// fetch clears the places of the buffer from i on, which are free and empty.
// This lets a processor get their cache lines from the last receiver's all at
// once, instead of waiting for each when it is needed.
func (c *Chan) fetch(i int) {
	if i+fetchAhead <= len(c.buf) && int(c.n)+fetchAhead <= len(c.buf) {
		clear(c.buf[i : i+fetchAhead])
	}
}

func (c *Chan) pop() Value {
	v := c.buf[c.head]
	c.buf[c.head] = Value{}
	if c.head++; int(c.head) == len(c.buf) {
		c.head = 0
	}
	c.n--
	return v
}

// offer sends v if it need not wait: to the buffer, or to x, a receiver to be woken. The lock is held.
func (c *Chan) offer(v Value) (x *waiter, o outcome) {
	switch {
	case c.closed:
		return nil, closed
	case c.recvs.last != nil:
		if x = c.recvs.take(); x != nil {
			x.deliver(v)
			return x, passed
		}
	}
	switch {
	case int(c.n) >= len(c.buf) && len(c.buf) < c.room:
		return nil, noRoom // also where it is full: it may be so for its owner's batch
	case c.full():
		if c.lossy {
			return nil, closed
		}
		return nil, blocked
	}
	c.push(v)
	return nil, passed
}

// take receives if it need not wait; x is the sender to be woken, whose value
// was taken or could be buffered. The lock is held.
func (c *Chan) take() (v Value, x *waiter, o outcome) {
	if c.nudged {
		c.nudged = false
		return v, nil, closed
	}
	if c.n > 0 {
		v = c.pop()
		if c.sends.last != nil && !c.full() { // it is still when values were posted
			if x = c.sends.take(); x != nil {
				c.push(x.accept(c.Aux))
			}
		}
		return v, x, passed
	}
	if c.sends.last != nil {
		if x = c.sends.take(); x != nil {
			return x.accept(c.Aux), x, passed
		}
	}
	if c.closed {
		return v, nil, closed
	}
	return v, nil, blocked
}

// sent counts a value sent and wakes the receiver that got it, if any.
func (t *Task) sent(c *Chan, x *waiter) {
	w := t.w
	if w.race != nil {
		w.race.sent(c, t, x)
	}
	w.stats.Sends++
	if x == nil {
		return
	}
	w.stats.Receives++
	if w.inst.observer != nil {
		w.inst.observeSent(w, c, x)
	}
	w.inst.wake(w, x.task)
}

// received counts a value received and wakes the sender that gave one, if any.
func (t *Task) received(c *Chan, x *waiter) {
	w := t.w
	if w.race != nil {
		w.race.received(c, t, x)
	}
	w.stats.Receives++
	if x == nil {
		return
	}
	w.stats.Sends++
	if w.inst.observer != nil {
		w.observe(Event{Kind: ValueSent, Task: x.task.future.taskID(), Other: t.future.taskID()})
	}
	w.inst.wake(w, x.task)
}

// deliver puts a value where a claimed receiver wants it.
func (x *waiter) deliver(v Value) {
	u := x.task
	*u.slot(x.dst) = v
	if u.waits == waitSelect {
		u.slot(x.dst - 16).n = 1
		u.more.arm, u.woken = x.arm, wokenArm
	}
}

// closeFor tells a claimed receiver that the channel is closed.
func (x *waiter) closeFor() {
	u := x.task
	if u.waits == waitSelect {
		u.slot(x.dst - 16).n = 0
		u.more.arm, u.woken = x.arm, wokenArm
		return
	}
	u.jump(int64(int16(u.opC())))
}

// accept takes the value of a claimed sender.
func (x *waiter) accept(rep uint32) Value {
	u := x.task
	v := pack(rep, u.slot(x.dst))
	if u.waits == waitSelect {
		u.more.arm, u.woken = x.arm, wokenArm
	}
	return v
}

// opSend sends b over channel a.
func opSend(t *Task) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	c := (*Chan)(notNil(t.ra().p))
	t.checkpoint()
	for {
		c.lock.Lock()
		if c.turn.of != t.w.number {
			c.takeTurn(t.w.number)
		}
		c.turn.sent++
		switch x, o := c.offer(pack(c.Aux, t.rb())); o {
		case passed:
			c.lock.Unlock()
			t.sent(c, x)
			return t
		case blocked:
			return t.parkOn(c, waitSend, t.offset(t.opB()))
		case closed:
			c.lock.Unlock()
			throw(ErrClosed, "send on a closed channel")
		case noRoom:
			c.lock.Unlock()
			c.grow(t.w)
		}
	}
}

// opRecv receives from channel b into a; it jumps if the channel is closed and empty.
func opRecv(t *Task) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	c := (*Chan)(notNil(t.rb().p))
	t.checkpoint()
	m := c.mail.Load()
	if m != nil && m.owner == t.future && m.ahead() {
		*t.ra() = m.pop()
		t.w.stats.Receives++
		return t
	}
	c.lock.Lock()
	v, x, o := c.takeFor(t)
	switch o {
	case passed:
		if m == nil || m.owner != t.future {
			c.lock.Unlock()
		} else {
			c.takeAhead(t.w, m)
			senders := c.admit()
			c.lock.Unlock()
			t.w.inst.wakeSenders(t.w, senders)
			if t.w.inst.observer != nil {
				t.observeMessage(c, v)
			}
		}
		*t.ra() = v
		t.received(c, x)
	case closed:
		c.lock.Unlock()
		t.foundClosed(c)
		t.jump(int64(int16(t.opC())))
	default:
		return t.parkOn(c, waitRecv, t.offset(t.opA()))
	}
	return t
}

// foundClosed is called when the task learns that the channel is closed.
func (t *Task) foundClosed(c *Chan) {
	if r := t.w.race; r != nil {
		r.closed(c, t)
	}
}

// parkOn suspends the task in a queue of the channel, whose lock is held.
func (t *Task) parkOn(c *Chan, kind waitKind, dst uint32) *Task {
	m := c.mail.Load()
	switch {
	case kind == waitSend:
		c.senderWaits()
	case m != nil:
		m.wait(t)
	}
	x := t.enqueue(kind, unsafe.Pointer(c), dst)
	c.queue(kind).push(x)
	w, epoch := t.w, t.NextEpoch()
	mask := t.suspend()
	c.lock.Unlock()
	if m != nil {
		w.inst.mayReap()
	}
	return w.parked(t, epoch, mask)
}

// close closes the channel, for a task of the worker or (nil) for a host.
// Waiting senders get an error, receivers none. It returns false if the channel
// was already closed.
func (c *Chan) close(in *Instance, w *Worker) bool {
	c.lock.Lock()
	if c.closed {
		c.lock.Unlock()
		return false
	}
	c.closed = true
	var rw *reactor.Worker
	if w != nil {
		rw = w.rw
		if w.race != nil {
			w.race.closes(c, w.current)
		}
	}
	var woken *waiter
	for x := c.recvs.take(); x != nil; x = c.recvs.take() {
		x.closeFor()
		x.task.foundClosed(c)
		x.next, woken = woken, x
	}
	for x := c.sends.take(); x != nil; x = c.sends.take() {
		x.task.woken = wokenClosed
		x.next, woken = woken, x
	}
	c.lock.Unlock()
	var first *waiter // in the order in which they came
	for x := woken; x != nil; {
		next := x.next
		x.next, first = first, x
		x = next
	}
	for x := first; x != nil; {
		next := x.next
		x.next = nil
		in.wakeLast(rw, x.task)
		x = next
	}
	return true
}

// trySend sends v if it need not wait.
func (c *Chan) trySend(t *Task, v Value) bool {
	for {
		c.lock.Lock()
		x, o := c.offer(v)
		c.lock.Unlock()
		switch o {
		case passed:
			t.sent(c, x)
			return true
		case blocked:
			return false
		case closed:
			throw(ErrClosed, "send on a closed channel")
		}
		c.grow(t.w)
	}
}

func init() {
	registerNative("chan.try_send", func(c *Call) {
		ch := (*Chan)(c.ptr(0))
		c.SetBool(ch.trySend(c.t, pack(ch.Aux, c.arg(1))))
	})
	registerNative("chan.try_recv", func(c *Call) {
		ch := (*Chan)(c.ptr(0))
		ch.lock.Lock()
		v, x, o := Value{}, (*waiter)(nil), blocked
		if !ch.nudged {
			v, x, o = ch.takeFor(c.t)
		}
		ch.lock.Unlock()
		if o != passed {
			if o == closed {
				c.t.foundClosed(ch)
			}
			c.SetNone()
			return
		}
		c.SetSome(v)
		c.t.received(ch, x)
	})
	registerNative("chan.close", func(c *Call) {
		if !(*Chan)(c.ptr(0)).close(c.w.inst, c.w) {
			c.Throw(ErrClosed, "the channel has been closed before")
		}
	})
	chanInfo("chan.is_closed", func(ch *Chan) Value { return BoolValue(ch.closed) })
	chanInfo("chan.len", func(ch *Chan) Value { return IntValue(int64(ch.waiting())) })
	chanInfo("chan.capacity", func(ch *Chan) Value { return IntValue(int64(ch.room)) })
}

// chanInfo registers a native that reads a channel under its lock.
func chanInfo(name string, read func(*Chan) Value) {
	registerNative(name, func(c *Call) {
		ch := (*Chan)(c.ptr(0))
		ch.lock.Lock()
		v, closed := read(ch), ch.closed
		ch.lock.Unlock()
		if closed {
			c.t.foundClosed(ch)
		}
		c.SetInt(v.Int())
	})
}
