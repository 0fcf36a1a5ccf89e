package vm

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
)

// mailbox is what a channel has that belongs to one task, an actor's. Beside the
// channel's buffer it holds what is to come first, and what its owner has taken
// ahead so that it need not lock the channel for each message.
type mailbox struct {
	// Of the owner alone, but for left.
	batch   []Value
	next    int
	left    atomic.Uint32 // of the batch
	settled bool          // has waited once: see wait
	weakly  bool          // a limit of its wait does not keep it alive: see Task.mailbox

	look   atomic.Bool // the owner has to look under the lock before it goes on
	wanted atomic.Bool // senders wait for room
	urgent []Value     // posted to come first, the last one before all; guarded by the channel's lock
	owner  *Future
}

const (
	batchFrom = 8  // messages in the buffer from which on it is worth while
	batchMost = 64 // messages taken at once
	letIn     = 8  // messages of a batch after which senders that wait are let in
)

// ahead reports whether the next message is in the batch, and nothing is to be done
// under the lock before. Senders that wait are let in some at a time.
func (m *mailbox) ahead() bool {
	return m.next < len(m.batch) && !m.look.Load() && (m.next%letIn != 0 || !m.wanted.Load())
}

// pop takes the next message of the batch.
func (m *mailbox) pop() Value {
	v := m.batch[m.next]
	m.batch[m.next] = Value{}
	m.next++
	releaseStore(&m.left, uint32(len(m.batch)-m.next))
	return v
}

// first takes a message that comes before those in the buffer. The lock is held.
func (m *mailbox) first() (v Value, ok bool) {
	if n := len(m.urgent); n > 0 {
		v, m.urgent[n-1] = m.urgent[n-1], v
		m.urgent = m.urgent[:n-1]
		return v, true
	}
	if m.next < len(m.batch) {
		return m.pop(), true
	}
	return v, false
}

// wait is called when the owner is about to wait for messages. The first time it
// gives back a stack that has grown: those that are started by the thousand
// mostly wait.
func (m *mailbox) wait(t *Task) {
	if !m.settled && m.owner == t.future {
		m.settled = true
		t.giveBack()
	}
}

// senderWaits is called when a task is about to wait until there is room.
func (c *Chan) senderWaits() {
	if m := c.mail.Load(); m != nil {
		m.wanted.Store(true)
	}
}

// admit takes the values of senders that wait as long as there is room; they are
// to be woken. The lock is held.
func (c *Chan) admit() (senders waitQueue) {
	for c.sends.last != nil && !c.full() && int(c.n) < len(c.buf) {
		x := c.sends.take()
		if x == nil {
			break
		}
		c.push(x.accept(c.Aux))
		senders.push(x)
	}
	if m := c.mail.Load(); m != nil {
		m.wanted.Store(c.sends.last != nil)
	}
	return senders
}

// wakeSenders wakes those that were admitted, from a worker's task or (nil) from
// outside.
func (in *Instance) wakeSenders(w *Worker, senders waitQueue) {
	for x := senders.first(); x != nil; x = senders.first() {
		senders.remove(x)
		var rw *reactor.Worker
		if w != nil {
			w.stats.Sends++
			rw = w.rw
		}
		in.wakeLast(rw, x.task)
	}
}

// full reports whether a sender has to wait. The lock is held.
func (c *Chan) full() bool {
	if int(c.n)+int(c.ahead) < c.room && !c.urgent {
		return false
	}
	if m := c.mail.Load(); m != nil && c.ahead > 0 {
		c.ahead = uint8(m.left.Load())
	}
	return c.waiting() >= c.room
}

// waiting counts the values on their way. The lock is held.
func (c *Chan) waiting() int {
	n := int(c.n)
	if m := c.mail.Load(); m != nil {
		n += len(m.urgent) + int(m.left.Load())
	}
	return n
}

// takeAhead lets the owner take messages into its batch. Where somebody follows
// each value, none are. The lock is held.
func (c *Chan) takeAhead(w *Worker, m *mailbox) {
	if m.next < len(m.batch) || int(c.n) < batchFrom || c.room < 4*batchMost ||
		w.race != nil || w.inst.observer != nil || w.inst.sched.Deterministic() {
		return
	}
	if cap(m.batch) == 0 {
		m.batch = make([]Value, 0, batchMost)
		w.credit -= batchMost * int64(unsafe.Sizeof(Value{})) // the next charge pays
	}
	m.batch, m.next = m.batch[:0], 0
	for range min(int(c.n), batchMost) {
		m.batch = append(m.batch, c.pop())
	}
	c.ahead = uint8(len(m.batch))
	m.left.Store(uint32(len(m.batch)))
}

// Own makes a channel the mailbox of a task, an actor: see liveness. It takes
// over whatever an owner that has ended has left in it.
func (c *Call) Own(box *Chan, task Object) {
	c.w.charge(int(unsafe.Sizeof(mailbox{})))
	c.w.inst.reaper.used.Store(true)
	f := (*Future)(task.p)
	m := &mailbox{owner: f}
	box.lock.Lock()
	box.ahead = 0
	if old := box.mail.Load(); old != nil {
		m.urgent = slices.Clone(old.batch[old.next:])
		slices.Reverse(m.urgent)
		m.urgent = append(m.urgent, old.urgent...)
		old.batch, old.next, old.urgent = nil, 0, nil
		old.left.Store(0)
		m.look.Store(true)
	}
	box.nudged = false // it was meant for the old owner
	box.mail.Store(m)
	var x *waiter
	if len(m.urgent) > 0 { // the future owner may be waiting already
		if x = box.recvs.take(); x != nil {
			v, _ := m.first()
			x.deliver(v)
		}
	}
	box.urgent = len(m.urgent) > 0
	box.lock.Unlock()
	if x != nil {
		c.t.sent(box, x)
	}
}

// Post puts a value after all others, or before them, whether there is room or
// not; it returns false for a closed channel.
func (c *Chan) Post(call *Call, v Value, first bool) bool {
	v = pack(c.Aux, &v)
	for {
		c.lock.Lock()
		if c.closed {
			c.lock.Unlock()
			return false
		}
		x := c.recvs.take()
		switch m := c.mail.Load(); {
		case x != nil:
			x.deliver(v)
		case first && m != nil:
			if n := len(m.urgent); n == cap(m.urgent) {
				c.lock.Unlock()
				c.growUrgent(call.w, max(4, 2*n))
				continue
			}
			m.urgent = append(m.urgent, v)
			c.urgent = true
			m.look.Store(true)
		case int(c.n) >= len(c.buf):
			size := max(4, 2*int(c.n))
			c.lock.Unlock()
			c.growTo(call.w, size)
			continue
		case first: // nobody owns it yet
			c.pushFront(v)
		default:
			c.push(v)
		}
		c.lock.Unlock()
		call.t.sent(c, x)
		return true
	}
}

// growUrgent makes room for messages that come first; it pays for that without the
// lock, which the caller does not hold.
func (c *Chan) growUrgent(w *Worker, size int) {
	w.charge(size * int(unsafe.Sizeof(Value{})))
	larger := make([]Value, 0, size)
	c.lock.Lock()
	defer c.lock.Unlock()
	if m := c.mail.Load(); size > cap(m.urgent) {
		m.urgent = append(larger, m.urgent...)
	}
}

func (c *Chan) pushFront(v Value) {
	if c.head == 0 {
		c.head = uint32(len(c.buf))
	}
	c.head--
	c.buf[c.head] = v
	c.n++
}

// Shut closes the channel if it is open, and forgets a nudge.
func (c *Chan) Shut(call *Call) {
	c.close(call.w.inst, call.w)
	c.lock.Lock()
	c.nudged = false
	c.lock.Unlock()
}

// Nudge makes the channel look closed to one receive: the one that waits, or else the next.
func (c *Chan) Nudge(call *Call) { c.nudge(call.w.inst, call.w) }

// nudge is Nudge by a worker's task or (nil) from outside.
func (c *Chan) nudge(in *Instance, w *Worker) {
	c.lock.Lock()
	if c.closed {
		c.lock.Unlock()
		return
	}
	x := c.recvs.take()
	c.nudged = x == nil
	if m := c.mail.Load(); m != nil && c.nudged {
		m.look.Store(true)
	}
	if x != nil {
		x.closeFor()
		x.task.foundClosed(c)
	}
	c.lock.Unlock()
	if x != nil {
		in.wake(w, x.task)
	}
}

// Nudged reports whether a Nudge waits for a receiver.
func (c *Chan) Nudged() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.nudged
}

// WaitWeakly makes a select with a time limit, in which the owner of a mailbox
// waits only for a message, count as a receive: the time limit alone does not
// keep the owner alive.
func (c *Chan) WaitWeakly(call *Call, weakly bool) {
	if m := c.mail.Load(); m != nil && m.owner == call.t.future {
		m.weakly = weakly
	}
}

// mailbox is the channel from which a suspended task waits for a message, and for
// nothing else that counts; nil for others.
func (t *Task) mailbox() *Chan {
	switch t.waits {
	case waitRecv:
		return (*Chan)(t.wait.on)
	case waitSelect:
		if arms := t.more.arms; len(arms) == 1 && arms[0].kind == waitRecv {
			c := (*Chan)(arms[0].on)
			if m := c.mail.Load(); m != nil && m.weakly && m.owner == t.future {
				return c
			}
		}
	}
	return nil
}

// Awaited reports whether somebody waits to receive.
func (c *Chan) Awaited() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.recvs.last != nil
}

// takeFor is take for a task: the owner of a mailbox, or anybody when that has
// ended, takes first what comes before the buffer. The lock is held.
func (c *Chan) takeFor(t *Task) (v Value, x *waiter, o outcome) {
	m := c.mail.Load()
	if m == nil || c.nudged || m.owner != t.future && !m.owner.ended() {
		return c.take()
	}
	v, ok := m.first()
	if !ok {
		v, x, o = c.take()
	}
	c.urgent = len(m.urgent) > 0
	m.look.Store(c.urgent)
	return v, x, o
}

// receiver is the task that owns a mailbox, nil when it has ended and for other
// channels.
func (c *Chan) receiver() *Task {
	if f := c.owner(); f != nil {
		return f.task
	}
	return nil
}

// owner is the handle of that task.
func (c *Chan) owner() *Future {
	if c == nil {
		return nil
	}
	if m := c.mail.Load(); m != nil {
		return m.owner
	}
	return nil
}

// messages visits the runs of values that a mailbox holds.
func (c *Chan) messages(visit func([]Value)) {
	visit(c.buf)
	if m := c.mail.Load(); m != nil {
		visit(m.urgent)
		visit(m.batch)
	}
}
