package chrometrace

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/vm"
)

// States of a task on its track, besides what it waits for.
const (
	ready   = "ready"
	running = "running"
	idle    = "idle" // an actor that waits for messages
)

// Kinds of arrows.
const (
	arrowSpawn arrowKind = iota // numbered by the new task
	arrowAwait
	arrowSend
	arrowJob // numbered by the job
	arrowKinds
)

type arrowKind int

func (k arrowKind) String() string { return [arrowKinds]string{"spawn", "await", "send", "io"}[k] }

// id tells an arrow from all others, of whatever kind: chrome://tracing joins
// heads to tails by it alone.
func (a arrow) id() uint64 { return a.n*uint64(arrowKinds) + uint64(a.kind) }

func (w *Writer) spawned(e *vm.Event) {
	if w.tasks[e.Task] != nil {
		return
	}
	t := w.beginTrack(e)
	if w.tail(e.Other, arrowSpawn, e.Task) {
		t.arrows = append(t.arrows, arrow{arrowSpawn, e.Task})
	}
}

// beginTrack opens the track of a new task, which is ready.
func (w *Writer) beginTrack(e *vm.Event) *task {
	t := &task{name: label(e), worker: -1}
	w.tasks[e.Task] = t
	w.onTrack('b', t.name, e.Task)
	w.args().number("task", e.Task)
	if e.Other != 0 {
		w.number("spawned by", e.Other)
	}
	w.place(e).end()
	w.setState(e.Task, t, ready, nil)
	return t
}

// label is what a task is called: one that is a block of its spawner has no
// name of its own, and is told from others by the line.
func label(e *vm.Event) string {
	name := named(e.Name, "task")
	if e.Line > 0 && strings.HasPrefix(name, "task in ") {
		name += ":" + decimal(e.Line)
	}
	return name
}

// setState closes the slice of the task's state and opens the next. e, when
// there is one, tells where.
func (w *Writer) setState(id uint64, t *task, state string, e *vm.Event) {
	w.closeState(id, t)
	t.state = state
	w.onTrack('b', state, id)
	if e != nil && e.File != "" {
		w.args().place(e)
	}
	w.end()
}

func (w *Writer) closeState(id uint64, t *task) {
	if t.state == "" {
		return
	}
	w.onTrack('e', t.state, id)
	w.end()
	t.state = ""
}

// endTrack closes what is open on the track of a task. how is empty for one
// that has not ended.
func (w *Writer) endTrack(id uint64, t *task, how string) {
	w.closeState(id, t)
	w.closeMessage(id, t)
	w.onTrack('e', t.name, id)
	if how != "" {
		w.args().text("ended", how)
	}
	w.end()
	delete(w.tasks, id)
}

func (w *Writer) runs(e *vm.Event) {
	t := w.tasks[e.Task]
	if t == nil {
		t = w.beginTrack(e) // of the host, or begun before the trace
	}
	w.leaveWorker(e.Task, t, nil)
	l := w.lane(workers, e.Worker)
	if other := w.tasks[l.task]; l.open && other != nil {
		other.worker = -1
	}
	w.setState(e.Task, t, running, nil)
	w.openLane(l, workers, e.Worker, t.name, e)
	t.worker, t.woken = max(e.Worker, 0), false
	for _, a := range t.arrows {
		w.head(t.worker, a)
	}
	t.arrows = nil
}

// stops is late when another worker has already taken the task up: then there
// is nothing left to do.
func (w *Writer) stops(e *vm.Event) {
	t := w.tasks[e.Task]
	if t == nil || t.worker != e.Worker {
		return
	}
	w.leaveWorker(e.Task, t, e)
	if e.Why == idle {
		w.closeState(e.Task, t)
		w.closeMessage(e.Task, t)
	}
	state := named(e.Why, "waits")
	if t.woken || e.Why == "yield" || e.Why == "preempted" {
		state = ready
	}
	w.setState(e.Task, t, state, e)
}

func (w *Writer) leaveWorker(id uint64, t *task, e *vm.Event) {
	if t.worker < 0 {
		return
	}
	if l := &w.workers[t.worker]; l.task == id {
		w.closeLane(l, workers, t.worker, e)
	}
	t.last, t.worker = end{t.worker, w.now}, -1
}

func (w *Writer) woken(e *vm.Event) {
	switch t := w.tasks[e.Task]; {
	case t == nil:
	case t.worker >= 0:
		t.woken = true
	case t.state != ready:
		w.setState(e.Task, t, ready, nil)
	}
}

func (w *Writer) ended(e *vm.Event) {
	t := w.tasks[e.Task]
	if t == nil {
		return
	}
	w.leaveWorker(e.Task, t, e)
	w.keepEnd(e.Task, t.last)
	w.endTrack(e.Task, t, named(e.Why, "done"))
}

// keepEnd remembers where a task has ended, for those that await it later.
func (w *Writer) keepEnd(id uint64, at end) {
	if len(w.kept) < maxEnds {
		w.kept = append(w.kept, id)
	} else {
		delete(w.ends, w.kept[w.next])
		w.kept[w.next] = id
		w.next = (w.next + 1) % maxEnds
	}
	w.ends[id] = at
}

// taken closes the slice of the message before and opens the next one's.
func (w *Writer) taken(e *vm.Event) {
	t := w.tasks[e.Task]
	if t == nil {
		return
	}
	w.closeState(e.Task, t)
	w.closeMessage(e.Task, t)
	t.message = named(e.Name, "message")
	w.onTrack('b', t.message, e.Task)
	w.end()
	if t.worker >= 0 {
		w.setState(e.Task, t, running, nil)
	} else {
		w.setState(e.Task, t, ready, nil)
	}
}

func (w *Writer) closeMessage(id uint64, t *task) {
	if t.message == "" {
		return
	}
	w.onTrack('e', t.message, id)
	w.end()
	t.message = ""
}

func (w *Writer) sent(e *vm.Event) {
	w.sends++
	w.join(e.Task, e.Other, arrow{arrowSend, w.sends})
}

// awaited may be heard shortly before the end of the other task. That of an answer
// is told as a value that was sent.
func (w *Writer) awaited(e *vm.Event) {
	w.awaits++
	w.join(e.Other, e.Task, arrow{arrowAwait, w.awaits})
}

// join draws an arrow from one task to another. From one that does not run it comes
// from its last slice, just before the end of it.
func (w *Writer) join(from, to uint64, a arrow) {
	if w.tasks[to] == nil {
		return
	}
	last := w.ends[from]
	if t := w.tasks[from]; t != nil {
		if t.worker >= 0 {
			w.flow('s', a, workers, t.worker)
			w.point(to, a)
			return
		}
		last = t.last
	}
	if last.at == 0 {
		return
	}
	now := w.now
	w.now = last.at - 1
	w.flow('s', a, workers, last.worker)
	w.now = now
	w.point(to, a)
}

// jobBegins takes the first track that is free.
func (w *Writer) jobBegins(e *vm.Event) {
	n := 0
	for n < len(w.jobs) && w.jobs[n].open {
		n++
	}
	l := w.lane(jobs, n)
	l.job = e.Job
	w.openLane(l, jobs, n, named(e.Name, "job"), e)
}

func (w *Writer) jobEnds(e *vm.Event) {
	n := slices.IndexFunc(w.jobs, func(l lane) bool { return l.open && l.job == e.Job })
	if n < 0 {
		return
	}
	w.flow('s', arrow{arrowJob, e.Job}, jobs, n)
	w.closeLane(&w.jobs[n], jobs, n, nil)
	w.point(e.Task, arrow{arrowJob, e.Job})
}

// tail begins an arrow at what a task is running; whether it runs.
func (w *Writer) tail(from uint64, kind arrowKind, n uint64) bool {
	t := w.tasks[from]
	if t == nil || t.worker < 0 {
		return false
	}
	w.flow('s', arrow{kind, n}, workers, t.worker)
	return true
}

// point ends an arrow at what a task is running, or will run next.
func (w *Writer) point(to uint64, a arrow) {
	switch t := w.tasks[to]; {
	case t == nil:
	case t.worker >= 0:
		w.head(t.worker, a)
	default:
		t.arrows = append(t.arrows, a)
	}
}

func (w *Writer) head(worker int, a arrow) { w.flow('f', a, workers, worker) }

// lane finds a track of workers or jobs and names it at its first use.
func (w *Writer) lane(group, n int) *lane {
	n = max(n, 0)
	lanes, name := &w.workers, "worker"
	if group == jobs {
		lanes, name = &w.jobs, "io"
	}
	for len(*lanes) <= n {
		*lanes = append(*lanes, lane{})
	}
	l := &(*lanes)[n]
	if !l.named {
		l.named = true
		w.metadata(group, n+1, "thread_name", name+" "+decimal(n))
		w.sortIndex(group, n+1, "thread_sort_index", n)
	}
	return l
}

// openLane begins a slice, and ends the one that is still open.
func (w *Writer) openLane(l *lane, group, n int, name string, e *vm.Event) {
	n = max(n, 0)
	w.closeLane(l, group, n, nil)
	l.open, l.name, l.task = true, name, e.Task
	w.begin('B', name, "run", group, n+1)
	w.args().number("task", e.Task)
	if group == jobs {
		w.number("job", e.Job)
	}
	w.end()
}

// closeLane ends the open slice; e, when there is one, tells why.
func (w *Writer) closeLane(l *lane, group, n int, e *vm.Event) {
	if !l.open {
		return
	}
	l.open = false
	w.begin('E', l.name, "run", group, n+1)
	if e != nil && e.Why != "" {
		w.args().text("why", e.Why).place(e)
	}
	w.end()
}
