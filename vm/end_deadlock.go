package vm

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/reactor"
)

// quiet is called when nothing can run any more: the roots, for which hosts
// wait, end with a report.
func (in *Instance) quiet() {
	waited := in.waitingRoots.Load() > 0
	if r := &in.reaper; r.used.Load() && (waited || !in.sched.Deterministic()) { // else the next call looks
		if in.reap() || r.postponed.Load() {
			return
		}
	}
	if !waited {
		return
	}
	in.world.stopExternal() // a host may call, or end a call, while tasks are looked at
	defer in.world.startExternal()
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.sched.Quiet() { // a host has called meanwhile; who waits since then is in roots too
		return
	}
	if in.endCycles() { // the rest may go on
		return
	}
	text := ""
	for _, t := range in.roots {
		if t.Status() != reactor.Suspended {
			continue
		}
		if text == "" {
			text = in.deadlockText(in.waiting())
		}
		if t.Claim(t.Epoch()) {
			in.report(t.future, text)
			t.woken = wokenDeadlock
			in.wakeLast(nil, t)
		}
	}
}

// report keeps the text of a deadlock for a task that is told of it.
func (in *Instance) report(f *Future, text string) {
	if in.reports == nil {
		in.reports = map[*Future]string{}
	}
	in.reports[f] = text
}

// deadlocked takes the report for a task.
func (in *Instance) deadlocked(f *Future) string {
	in.mu.Lock()
	defer in.mu.Unlock()
	text := in.reports[f]
	delete(in.reports, f)
	return text
}

// waiting lists all suspended tasks, oldest first. Nothing runs meanwhile.
func (in *Instance) waiting() []*Task {
	var ts []*Task
	in.eachTask(func(t *Task) {
		if t.Status() == reactor.Suspended {
			ts = append(ts, t)
		}
	})
	slices.SortFunc(ts, func(a, b *Task) int { return int(a.future.id) - int(b.future.id) })
	return ts
}

// maxReported bounds the tasks that a report names.
const maxReported = 20

func (in *Instance) deadlockText(ts []*Task) string {
	var b strings.Builder
	b.WriteString("nothing can run any more")
	for i, t := range ts {
		if i == maxReported {
			fmt.Fprintf(&b, "\n  ... and %d more tasks", len(ts)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s", t.describeWait())
	}
	if c := in.cycleAmong(ts); len(c) > 1 {
		fmt.Fprintf(&b, "\n  a cycle: %s", cycleText(c))
	}
	return b.String()
}

// cycleAmong finds the first cycle of tasks that wait for each other: each waits for
// one, so a walk that comes to a task it has been at has gone round.
func (in *Instance) cycleAmong(ts []*Task) []*Task {
	walks, round := map[*Task]int{}, map[*Task]bool{}
	for i, t := range ts {
		for ; t != nil && walks[t] == 0; t = t.blockedOn() {
			walks[t] = i + 1
		}
		if t != nil && walks[t] == i+1 {
			for ; !round[t]; t = t.blockedOn() {
				round[t] = true
			}
		}
	}
	for _, t := range ts {
		if round[t] {
			return t.cycle(map[*Task]bool{}, len(round)+1)
		}
	}
	return nil
}

func cycleText(c []*Task) string {
	var names []string
	for _, t := range c {
		names = append(names, t.name())
	}
	return strings.Join(append(names, c[0].name()), " waits for ")
}

// first is the name of the task's first function.
func (t *Task) first() string {
	pc, delta := t.pc, t.delta
	for {
		link := t.slot(delta - 16)
		if link.n == 0 {
			break
		}
		pc = t.returnPoint(uint32(link.n >> 32))
		delta -= uint32(link.n)
	}
	if f := t.w.prog.FuncAt(pc/8 - 1); f != nil {
		return f.Name
	}
	return "?"
}

var waitTexts = map[waitKind]string{
	waitSleep: "sleeps", waitAwait: "awaits", waitAny: "awaits one of several tasks", waitSend: "waits to send",
	waitRecv: "waits to receive", waitSelect: "waits in a select", waitLock: "waits for a lock",
	waitScope: "waits for the tasks of its scope", waitJob: "waits for blocking work",
}

// describeWait says what a suspended task waits for, and where.
func (t *Task) describeWait() string {
	if t.idle() {
		return t.name() + " " + t.waitText()
	}
	return fmt.Sprintf("%s %s at %s", t.doing(), t.waitText(), t.place())
}

// waitText says what a suspended task does.
func (t *Task) waitText() string {
	switch t.waits {
	case waitAwait:
		f := (*Future)(t.wait.on)
		if !f.promise {
			return "awaits " + f.short()
		}
		if u := f.promised().box.receiver(); u != nil {
			return "waits for an answer of " + u.name()
		}
		return "waits for an answer"
	case waitSend:
		if u := (*Chan)(t.wait.on).receiver(); u != nil {
			return "waits for room in the mailbox of " + u.name()
		}
	case waitRecv:
		if t.idle() {
			return "waits for messages"
		}
	case waitLock:
		if o := (*Mutex)(t.wait.on).owner; o != nil {
			return "waits for a lock held by " + o.short()
		}
	}
	return waitTexts[t.waits]
}

// blockedOn returns the task that a suspended one needs to go on, if it is one
// certain task.
func (t *Task) blockedOn() *Task {
	switch {
	case t.Status() != reactor.Suspended:
	case t.waits == waitAwait:
		f := (*Future)(t.wait.on)
		if f.promise {
			return f.promised().box.receiver()
		}
		return f.task
	case t.waits == waitSend:
		return (*Chan)(t.wait.on).receiver()
	case t.waits == waitLock:
		if o := (*Mutex)(t.wait.on).owner; o != nil {
			return o.task
		}
	}
	return nil
}

// maxWalk bounds how many tasks are looked at for cycles at a time. Longer
// cycles are found when nothing can run any more.
const maxWalk = 20_000

// cycle follows the tasks that wait for each other; the tasks from t back to t, or nil. It looks
// at no task twice, and none that is in seen. The world is stopped.
func (t *Task) cycle(seen map[*Task]bool, most int) []*Task {
	var path []*Task
	for u := t; u != nil && !seen[u] && len(seen) < most; u = u.blockedOn() {
		seen[u] = true
		path = append(path, u)
		if u.blockedOn() == t {
			return path
		}
	}
	return nil
}

// anyDeadline reports whether a deadline will end the wait of one of the tasks.
func anyDeadline(c []*Task) bool {
	for _, t := range c {
		for s := t.scope; s != nil; s = s.parent {
			s.lock.Lock() // who stops the instance from outside does not wait for a look
			timed := s.timer != nil
			s.lock.Unlock()
			if timed {
				return true
			}
		}
	}
	return false
}

// suspectDelay is how long after a suspicious wait cycles are looked for.
const suspectDelay = 10 * time.Millisecond

// suspended reports whether the task is.
func (f *Future) suspended() bool {
	if f.promise || !f.lock() {
		return false
	}
	yes := f.task.Status() == reactor.Suspended
	f.unlock(futurePending)
	return yes
}

// suspect notes a task that has begun to wait for another, which itself is
// suspended: they may wait for each other while the rest of the program runs.
func (in *Instance) suspect(self *Future) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.suspects) >= 1000 {
		return
	}
	in.suspects = append(in.suspects, self)
	switch {
	case in.sched.Deterministic():
		in.endCycles()
	case in.checker == nil:
		in.checker = time.AfterFunc(suspectDelay, func() {
			in.world.stopExternal()
			defer in.world.startExternal()
			in.mu.Lock()
			defer in.mu.Unlock()
			in.endCycles()
		})
	}
}

// endCycles ends the wait of each suspect that is part of a cycle, and tells
// whether there was one. The world is stopped and mu is held.
func (in *Instance) endCycles() (found bool) {
	in.checker = nil
	seen, most := map[*Task]bool{}, maxWalk
	if in.sched.Deterministic() { // looked at whenever a task waits
		most = maxWalk / 100
	}
	for _, f := range in.suspects {
		t := f.task
		if t == nil {
			continue
		}
		if c := t.cycle(seen, most); c != nil && !anyDeadline(c) && t.Claim(t.Epoch()) {
			in.report(f, in.cycleReport(c))
			t.woken = wokenDeadlock
			in.wakeLast(nil, t)
			found = true
		}
	}
	in.suspects = nil
	return found
}

func (in *Instance) cycleReport(c []*Task) string {
	var b strings.Builder
	fmt.Fprintf(&b, "tasks wait for each other: %s", cycleText(c))
	for _, t := range c {
		fmt.Fprintf(&b, "\n  %s", t.describeWait())
	}
	return b.String()
}
