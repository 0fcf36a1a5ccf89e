package vm

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
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
	pending map[*Task]struct{} // may not be able to go on
	behind  map[*Task][]*Task  // pending, and go on when the task does
	boxes   map[*Task][]*Chan  // of a pending task: reached, their messages not yet
	idle    []*Task            // waited for messages
	waited  int                // how many were pending at first
	from    []source           // what can be reached begins there, beside the instance
	walked  int                // of from, in this walk
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
	for h.walk(); l.walked < len(l.from); l.walked++ {
		n := len(h.from)
		if s := l.from[l.walked]; s.task != nil {
			h.frames(s.task)
			h.task(s.task)
		} else {
			s.box.messages(h.roots)
		}
		h.walk()
		h.from, h.walked = h.from[:n], n
	}
}

// unmark is the second walk.
func (l *liveness) unmark() {
	l.h.clear, l.h.walked, l.walked = true, 0, 0
	l.walk()
}

// findLiving traces what can be reached by who can go on. What is left in
// pending cannot. The world stands still; the caller unmarks.
func (in *Instance) findLiving() *liveness {
	r := &in.reaper
	if r.pending == nil {
		r.pending = map[*Task]struct{}{}
	}
	clear(r.pending)
	l := &liveness{in: in, h: newHeapTracer(in.prog), pending: r.pending, behind: map[*Task][]*Task{}, boxes: map[*Task][]*Chan{}, idle: r.waiting[:0], from: r.from[:0]}
	l.h.live = l
	in.eachTask(func(t *Task) {
		if l.mayWaitForever(t) {
			l.pending[t] = struct{}{}
			if t.waits == waitRecv {
				l.idle = append(l.idle, t)
			}
		} else {
			l.from = append(l.from, source{task: t})
		}
	})
	l.waited = len(l.pending)
	for t := range l.pending {
		on := t.blockedOn()
		if l.waits(on) && !t.asks() {
			l.behind[on] = append(l.behind[on], t)
		}
	}
	l.h.instance(in)
	var others []*Task
	for t := range l.pending {
		if on := t.blockedOn(); on != nil && !t.asks() && !l.waits(on) {
			others = append(others, t)
		}
	}
	for _, t := range others {
		l.revive(t)
	}
	l.walk()
	return l
}

// mayWaitForever reports whether liveness has to look at how a task waits.
func (l *liveness) mayWaitForever(t *Task) bool {
	if t.Status() != reactor.Suspended || anyDeadline([]*Task{t}) {
		return false
	}
	switch t.waits {
	case waitRecv:
		return (*Chan)(t.wait.on).owner() == t.future
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
	if !l.waits(t) {
		return
	}
	delete(l.pending, t)
	l.from = append(l.from, source{task: t})
	for _, c := range l.boxes[t] {
		l.from = append(l.from, source{box: c})
	}
	for _, u := range l.behind[t] {
		l.revive(u)
	}
}

// reachedMailbox is called when a mailbox has been reached.
func (l *liveness) reachedMailbox(c *Chan) {
	if l.h.clear {
		return // its messages are roots of their own
	}
	t := c.receiver()
	if t == nil {
		l.from = append(l.from, source{box: c})
		return
	}
	if t.waits == waitRecv && t.wait.on == unsafe.Pointer(c) {
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
	if l.h.clear {
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
	ts := make([]*Task, 0, len(l.pending))
	for t := range l.pending {
		ts = append(ts, t)
	}
	slices.SortFunc(ts, oldest)
	return ts
}

// reap ends what nothing else can end: actors to whom nobody can send any more
// stop, questions that nobody can answer fail, and of tasks that wait for each
// other in a circle one is told so. It reports whether anything was woken.
func (in *Instance) reap() bool {
	in.world.stopFromOutside()
	defer in.world.startFromOutside()
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.reaper.inTransit.Load() > 0 {
		in.reaper.held.Store(true)
		return false
	}
	l := in.findLiving()
	stuck := l.stuck()
	cycle := l.cycle(stuck)
	dropped := l.unreached(stuck)
	if len(dropped) > 1 { // of those the last may still reach others
		l.unmark()
		l = in.findLiving()
		slices.Reverse(dropped)
		dropped = l.unreached(append(l.unable(), dropped...))
	}
	var lost []*Promise
	for _, t := range stuck {
		if t.asks() {
			if p := (*Future)(t.wait.on).promised(); p.object.Type&marked == 0 {
				lost = append(lost, p)
			}
		}
	}
	l.unmark()
	r := &in.reaper
	r.cost, r.idle, r.waiting, r.from = l.h.bytes, l.waited, l.idle, l.from
	l.shrink()
	slices.SortFunc(dropped, oldest)
	for _, t := range dropped {
		(*Chan)(t.wait.on).close(in, nil)
	}
	for _, p := range lost {
		p.settleStill(in, futureCancelled, Value{}, nil)
	}
	clear(r.waiting)
	clear(r.from)
	admitted := false
	for _, t := range stuck {
		if t.waits == waitSend { // there may be room that the mailbox's owner has not given out
			c := (*Chan)(t.wait.on)
			senders := c.admit()
			admitted = admitted || senders.last != nil
			in.wakeSenders(nil, senders)
		}
	}
	if admitted {
		cycle = nil
	}
	told := cycle != nil && in.tellDeadlock(cycle)
	return len(dropped)+len(lost) > 0 || admitted || told
}

// unreached gives, of the tasks, those that wait for messages that nobody can send
// any more, not even one of those before; they count as able to go on then, for
// they may still answer and send. So an actor stops before those that it holds.
func (l *liveness) unreached(tasks []*Task) (dropped []*Task) {
	for _, t := range tasks {
		if t.waits != waitRecv {
			l.revive(t) // to whom it could send does not stop
		}
	}
	l.walk()
	for _, t := range tasks {
		if l.waits(t) {
			dropped = append(dropped, t)
			l.revive(t)
			l.walk()
		}
	}
	return dropped
}

// unable lists the tasks that cannot go on and wait for something else than messages.
func (l *liveness) unable() []*Task {
	return slices.DeleteFunc(l.stuck(), func(t *Task) bool { return t.waits == waitRecv })
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
func (l *liveness) waits(t *Task) bool {
	_, ok := l.pending[t]
	return ok
}

// shrink gives actors that wait for messages the small stack back, where that
// holds what they need.
func (l *liveness) shrink() {
	for _, t := range l.idle {
		if m := (*Chan)(t.wait.on).mail.Load(); m != nil {
			m.batch, m.next = nil, 0 // it is empty
		}
		t.giveBack()
	}
}

// tellDeadlock throws in the youngest task of a cycle.
func (in *Instance) tellDeadlock(cycle []*Task) bool {
	t := slices.MaxFunc(cycle, oldest)
	if !t.Claim(t.Epoch()) {
		return false
	}
	in.reports[t.future] = in.cycleReport(cycle)
	t.woken = wokenDeadlock
	in.wakeLast(nil, t)
	return true
}

// frames adds the registers that a suspended task may still read: those that were
// in use in its calls when they called and in the last when it began to wait.
func (h *heapTracer) frames(t *Task) {
	if t.Status() != reactor.Suspended {
		h.roots(t.regs())
		return
	}
	pc, delta := t.pc, t.delta
	if t.waits == waitSelect { // it has an immediate word
		pc -= 8
	}
	word := pc/8 - 1
	f := t.w.prog.FuncAt(word)
	if f == nil { // a host waits in a stub, which is no function
		h.roots(t.regs())
		return
	}
	w := t.w.prog.Code[word]
	top := uint32(bytecode.AuxOf(w))
	if bytecode.Ops[bytecode.OpOf(w)].Aux != "top" || top == 0 || top == bytecode.UnknownTop {
		h.roots(t.regs()[delta/16:])
		top = 0
	}
	for {
		h.frame(t, f, word, delta, top)
		link := t.slot(delta - 16)
		if link.n == 0 {
			return
		}
		pc = t.returnPoint(uint32(link.n >> 32))
		caller := delta - uint32(link.n)
		word = pc/8 - 1
		f, top, delta = t.w.prog.FuncAt(word), (delta-caller)/16-1, caller
	}
}

// frame adds the first registers of a call that stands at a word.
func (h *heapTracer) frame(t *Task, f *bytecode.Func, word, delta, top uint32) {
	regs := t.regs()[delta/16:]
	if f == nil {
		h.roots(regs[:top])
		return
	}
	if len(f.Captures) > 0 {
		h.roots(t.regs()[delta/16-1 : delta/16]) // its closure
	}
	m := h.prog.pointerMap(f)
	for r := 0; r < int(top); r++ {
		first := r
		for r < int(top) && m.Counts(word, r) {
			r++
		}
		h.roots(regs[first:r])
	}
}

// pointerMap finds and keeps the map of a function.
func (p *Program) pointerMap(f *bytecode.Func) *bytecode.PointerMap {
	p.pointers.mu.Lock()
	defer p.pointers.mu.Unlock()
	m := p.pointers.maps[f.Start]
	if m == nil {
		m = bytecode.Pointers(p.Program, f)
		if p.pointers.maps == nil {
			p.pointers.maps = map[uint32]*bytecode.PointerMap{}
		}
		p.pointers.maps[f.Start] = m
	}
	return m
}

// pointerMaps by the first word of the function.
type pointerMaps struct {
	mu   sync.Mutex
	maps map[uint32]*bytecode.PointerMap
}

// reaper decides when reap is worth its time: never when no actor has waited for
// messages, and so that it takes some two percent of the time at most.
type reaper struct {
	used      atomic.Bool  // there are mailboxes
	stirred   atomic.Bool  // a host has let go of something
	inTransit atomic.Int64 // results of calls that hosts have not looked into
	held      atomic.Bool  // the look was put off for them
	armed     atomic.Bool  // reap is due, some time
	idle      int          // actors that waited for messages at the last time
	cost      int64        // bytes it went through
	skip      int64        // deterministic: how often still to let the clock move without it
	turns     uint64       // of the scheduler, at the last time
	pause     time.Duration
	timer     *time.Timer

	// Used again from one time to the next.
	pending map[*Task]struct{}
	waiting []*Task
	from    []source
}

const (
	reapSoon   = 10 * time.Millisecond
	reapRarely = 200 * time.Millisecond
	reapShare  = 50
)

// mayReap is called when a task begins to wait in a way that liveness looks at.
func (in *Instance) mayReap() {
	r := &in.reaper
	if r.armed.Load() || !r.armed.CompareAndSwap(false, true) || in.sched.Deterministic() {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.closing.Load() {
		r.pause = reapSoon
		r.timer = time.AfterFunc(r.pause, in.reapInTime)
	}
}

// reapInTime is what the timer calls.
func (in *Instance) reapInTime() {
	r := &in.reaper
	if in.closing.Load() {
		return
	}
	r.armed.Store(false) // who begins to wait from now on may not be seen below
	turns, working := in.sched.Turns()
	pause := time.Second // until somebody runs again
	if working || turns != r.turns || r.stirred.Swap(false) {
		begun := time.Now()
		if in.reap() {
			r.pause = 0
		}
		took := time.Since(begun)
		pause = max(reapSoon, min(2*r.pause, reapRarely), took*reapShare)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	r.turns, r.pause = turns, pause
	if r.idle > 0 && !in.closing.Load() && r.armed.CompareAndSwap(false, true) {
		r.timer.Reset(pause)
	}
}

// idle is called in a deterministic run when nothing is ready, before the clock
// moves to a time.
func (in *Instance) idle(next time.Duration) bool {
	r := &in.reaper
	long := next-in.sched.Now() >= reapRarely
	if !r.armed.Load() && (!long || r.idle == 0) {
		return false
	}
	if r.skip > 0 && !long {
		r.skip--
		return false
	}
	r.armed.Store(false)
	woken := in.reap()
	if woken {
		r.armed.Store(true) // what it held may now be reached by nobody
	}
	r.skip = r.cost / 4096
	return woken
}

func (in *Instance) endReaper() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if t := in.reaper.timer; t != nil {
		t.Stop()
	}
}
