package vm

import (
	"slices"
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
	waiting []*Task           // may not be able to go on, at first
	pending markSet           // of them, those of whom nothing else is known yet
	behind  map[*Task][]*Task // pending, and go on when the task does
	boxes   map[*Task][]*Chan // of a pending task: reached, their messages not yet
	large   []*Task           // wait for messages and have more memory than they need for that
	askers  []*Task           // may wait for promises, but count as able to go on
	from    []source          // what can be reached begins there, beside the instance
	walked  int               // of from
	graph   *reachGraph       // set while it is made
}

// source is a task that can go on or a mailbox whose messages count. What they
// refer to is found when it is walked, so that no list of it is kept.
type source struct {
	task *Task
	box  *Chan
}

// walk visits what is reachable from the sources that have not been walked.
func (l *liveness) walk() {
	h := l.h
	for h.walk(); l.walked < len(l.from); h.walk() {
		s := l.from[l.walked]
		l.walked++
		if s.task != nil {
			h.frames(s.task)
			h.task(s.task)
		} else {
			s.box.messages(h.roots)
		}
	}
}

// findLiving traces what can be reached by who can go on. What is left in
// pending cannot. The world stands still.
func (in *Instance) findLiving() *liveness {
	l := in.newLiveness()
	l.find()
	return l
}

func (in *Instance) newLiveness() *liveness {
	r := &in.reaper
	l := &liveness{in: in, h: newHeapTracer(in.Program()), behind: map[*Task][]*Task{}, boxes: map[*Task][]*Chan{}, waiting: r.waiting[:0], from: r.from[:0]}
	l.h.live, l.h.leads = l, in.Program().leads()
	return l
}

func (l *liveness) find() {
	var others []*Task // do not wait for messages or an answer
	l.in.eachTask(func(t *Task) {
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
			others = append(others, t)
		case t.waits == waitRecv && (t.slots() != inlineSlots || (*Chan)(t.wait.on).mail.Load().batch != nil):
			l.large = append(l.large, t)
		}
	})
	for _, t := range others {
		if on := t.blockedOn(); l.waits(on) {
			l.behind[on] = append(l.behind[on], t)
		}
	}
	l.h.instance(l.in)
	for _, t := range others {
		if !l.waits(t.blockedOn()) {
			l.revive(t)
		}
	}
	l.walk()
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

// lost gives the promises that tasks wait for and nobody can reach.
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
