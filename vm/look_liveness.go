package vm

import (
	"slices"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
)

// liveness finds out which suspended tasks can ever go on. A task that waits
// for a message goes on if somebody can reach its mailbox; one that waits for an
// answer if somebody can reach the promise; one that waits for a full mailbox,
// a lock or another task if that task can. All others count as able to. What a
// task and a mailbox hold is reached through them only when the task can go on, so
// two that wait for each other do not keep each other alive.
type liveness struct {
	in      *Instance
	h       *heapTracer
	rest    taskWalk          // what is still to be added to these
	listed  bool              // nothing
	tasks   []*Task           // all
	waiting []*Task           // of them, those that may not be able to go on
	pending markSet           // of these, those of whom nothing else is known yet
	others  []*Task           // of these, those that wait neither for messages nor for answers
	askers  []*Task           // may wait for promises, but count as able to go on
	behind  map[*Task][]*Task // pending, and go on when the task does
	boxes   map[*Task][]*Chan // of a pending task: reached, their messages not yet
	from    []source          // what can be reached begins there, beside the instance
	graph   *reachGraph       // set while it is made
	begun   bool
	scouts  bool          // see look
	took    time.Duration // so far
	last    time.Duration // its last slice took
	steps   int

	// How far it has come: tasks known, others joined to those that they wait for
	// and tried, and what has been walked of from.
	known, joined, tried, walked int
}

// source is a task that can go on or a mailbox whose messages count. What they
// refer to is found when it is walked, so that no list of it is kept.
type source struct {
	task *Task
	box  *Chan
}

// findLiving traces what can be reached by who can go on. What is left in
// pending cannot. The world stands still.
func (in *Instance) findLiving() *liveness {
	l := in.newLiveness()
	l.begin()
	l.walk()
	return l
}

func (in *Instance) newLiveness() *liveness {
	return &liveness{in: in, behind: map[*Task][]*Task{}, boxes: map[*Task][]*Chan{}}
}

// begin finds where to begin. The world stands still: until then a session may
// have extended the program, whose new types the objects already have.
func (l *liveness) begin() {
	l.begun = true
	l.h = newHeapTracer(l.in.Program())
	l.h.live, l.h.leads = l, l.in.Program().leads()
	l.in.root.lock.Lock()
	l.tasks = make([]*Task, 0, l.in.root.alive+16)
	l.in.root.lock.Unlock()
	l.rest = l.in.walkTasks()
	l.h.instance(l.in)
}

// list adds some tasks to the list of all.
func (l *liveness) list() {
	for range sliceSteps {
		t := l.rest.next()
		if t == nil {
			l.listed = true
			return
		}
		l.tasks = append(l.tasks, t)
	}
}

// listAnew lists all tasks at once, as they are now.
func (l *liveness) listAnew() {
	l.tasks, l.rest = l.tasks[:0], l.in.walkTasks()
	for !l.listed {
		l.list()
	}
}

// walk does all that is to be done.
func (l *liveness) walk() {
	for l.step() {
	}
}

// step does a little of what is to be done; false when that is all.
func (l *liveness) step() bool {
	switch h := l.h; {
	case len(h.work) > 0:
		h.step()
	case !l.listed:
		l.list()
	case l.known < len(l.tasks):
		l.known++
		l.sort(l.tasks[l.known-1])
	case l.joined < len(l.others):
		l.joined++
		t := l.others[l.joined-1]
		if on := t.blockedOn(); l.waits(on) {
			l.behind[on] = append(l.behind[on], t)
		}
	case l.tried < len(l.others):
		l.tried++
		if t := l.others[l.tried-1]; !l.waits(t.blockedOn()) {
			l.revive(t)
		}
	case len(h.from) > 0:
		last := len(h.from) - 1
		h.work = append(h.work, h.from[last])
		h.from = h.from[:last]
	case l.walked < len(l.from):
		l.walked++
		l.enter(l.from[l.walked-1])
	default:
		return false
	}
	return true
}

// sort finds out whether a task may be unable to go on.
func (l *liveness) sort(t *Task) {
	if !l.mayWaitForever(t) {
		if t.Status() == reactor.Suspended && (t.asks() || t.waits == waitAny) {
			l.askers = append(l.askers, t)
		}
		l.from = append(l.from, source{task: t})
		return
	}
	l.waiting = append(l.waiting, t)
	l.pending.add(unsafe.Pointer(t))
	switch {
	case t.mailbox() == nil && !t.asks():
		l.others = append(l.others, t)
	case t.waits == waitRecv:
		t.shrink()
	}
}

// shrink gives an actor that waits for messages the small stack back, where that holds
// what it needs.
func (t *Task) shrink() {
	if m := (*Chan)(t.wait.on).mail.Load(); m.batch != nil {
		m.batch, m.next = nil, 0 // it is empty
	}
	t.giveBack()
}

// enter adds what a source refers to.
func (l *liveness) enter(s source) {
	switch t := s.task; {
	case t == nil:
		s.box.messages(l.h.roots)
	case l.scouts && t.Status() != reactor.Suspended: // it may have ended
		l.h.roots(t.regs())
		l.h.task(t)
	default:
		l.h.frames(t)
		l.h.task(t)
	}
}

// mayWaitForever reports whether liveness has to look at how a task waits.
func (l *liveness) mayWaitForever(t *Task) bool {
	if t.Status() != reactor.Suspended || anyDeadline([]*Task{t}) {
		return false
	}
	switch t.waits {
	case waitRecv, waitSelect:
		c := t.mailbox()
		return c != nil && c.owner() == t.future
	case waitSend, waitLock:
		return t.blockedOn() != nil
	case waitAwait:
		return t.asks() || t.blockedOn() != nil
	}
	return false
}

// asks reports whether a suspended task waits for a promise.
func (t *Task) asks() bool { return t.waits == waitAwait && (*Future)(t.wait.on).promise }

// revive counts a pending task as able to go on.
func (l *liveness) revive(t *Task) {
	for work := []*Task{t}; len(work) > 0; {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.waits(t) {
			continue
		}
		l.pending.remove(unsafe.Pointer(t))
		l.from = append(l.from, source{task: t})
		for _, c := range l.boxes[t] {
			l.from = append(l.from, source{box: c})
		}
		work = append(work, l.behind[t]...)
	}
}

// reachedMailbox is called when a mailbox has been reached.
func (l *liveness) reachedMailbox(c *Chan) {
	if l.graph != nil {
		l.graph.mailbox(c)
		return
	}
	t := c.receiver()
	if t == nil {
		l.from = append(l.from, source{box: c})
		return
	}
	if t.mailbox() == c {
		l.revive(t)
	}
	if l.waits(t) {
		l.boxes[t] = append(l.boxes[t], c)
	} else {
		l.from = append(l.from, source{box: c})
	}
}

// reachedPromise is called when a promise has been reached.
func (l *liveness) reachedPromise(p *Promise) {
	if l.graph != nil {
		return
	}
	last := p.waiters.last
	if last == nil {
		return
	}
	for x := last.next; ; x = x.next {
		l.revive(x.task)
		if x == last {
			return
		}
	}
}

// stuck lists the tasks that cannot go on, oldest first.
func (l *liveness) stuck() []*Task {
	var ts []*Task
	for _, t := range l.waiting {
		if l.waits(t) {
			ts = append(ts, t)
		}
	}
	slices.SortFunc(ts, oldest)
	return ts
}

// unreached gives, of the tasks, those that wait for messages that nobody can send
// any more, and that only such hold as they hold too. All count as able to go on then,
// for they may still answer and send. So an actor stops before those that it holds.
func (l *liveness) unreached(tasks []*Task) (dropped []*Task) {
	var waiting []*Task
	for _, t := range tasks {
		if t.mailbox() != nil {
			waiting = append(waiting, t)
		} else {
			l.revive(t) // to whom it could send does not stop
		}
	}
	l.walk()
	waiting = slices.DeleteFunc(waiting, func(t *Task) bool { return !l.waits(t) })
	dropped = l.sources(waiting)
	for _, t := range waiting {
		l.revive(t)
	}
	l.walk()
	return dropped
}

// lost returns the promises that tasks wait for and nobody can reach.
func (l *liveness) lost(tasks []*Task) (lost []*Promise) {
	look := func(on unsafe.Pointer) {
		if f := (*Future)(on); f.promise && !l.h.seen.has(unsafe.Pointer(f.promised().object)) {
			lost = append(lost, f.promised())
		}
	}
	for _, t := range tasks {
		switch t.waits {
		case waitAwait:
			look(t.wait.on)
		case waitAny:
			for i := range t.more.arms {
				look(t.more.arms[i].on)
			}
		}
	}
	return lost
}

// oldest orders tasks by age.
func oldest(a, b *Task) int { return int(a.future.id) - int(b.future.id) }

// cycle finds tasks that wait for each other and cannot go on.
func (l *liveness) cycle(stuck []*Task) []*Task {
	walks := map[*Task]int{} // on which walk, from 1, a task was first met
	for i, t := range stuck {
		var path []*Task
		for l.waits(t) && walks[t] == 0 {
			walks[t] = i + 1
			path = append(path, t)
			t = t.blockedOn()
		}
		if t != nil && walks[t] == i+1 {
			return path[slices.Index(path, t):]
		}
	}
	return nil
}

// waits reports whether a task cannot go on.
func (l *liveness) waits(t *Task) bool { return l.pending.has(unsafe.Pointer(t)) }
