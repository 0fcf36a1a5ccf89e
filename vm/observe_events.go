package vm

import (
	"context"

	"github.com/runnel-lang/runnel/iopool"
)

// observe reports an event on this worker to the instance's observer.
func (w *Worker) observe(e Event) {
	e.At, e.Worker = w.inst.sched.Now(), w.rw.ID()
	w.inst.observer.Event(e)
}

// observeRun reports that a task runs, and first that a timer has woken it, which
// the scheduler does by itself.
func (w *Worker) observeRun(t *Task) {
	if t.waits == waitSleep || t.woken == wokenTimeout {
		w.observe(Event{Kind: TaskWoken, Task: t.future.taskID()})
	}
	if t.waits == waitSleep && t.woken == wokenServed {
		t.waits = waitNothing
	}
	w.observe(Event{Kind: TaskRuns, Task: t.future.taskID()})
}

func (w *Worker) observeSpawn(t, c *Task) {
	at := t.place()
	e := Event{Kind: TaskSpawned, Task: c.future.taskID(), Other: t.future.taskID(), File: at.File, Line: at.Line}
	if name, ok := c.actor(); ok {
		started := t.w.prog.frameAt(c.future.place)
		e.Name, e.File, e.Line = name, started.File, started.Line
	} else if f := t.w.prog.FuncAt(c.pc / 8); f != nil {
		e.Name = f.Name
	}
	w.observe(e)
}

func (in *Instance) observeWake(w *Worker, t *Task) {
	e := Event{Kind: TaskWoken, Task: t.future.taskID(), At: in.sched.Now(), Worker: -1}
	if w != nil {
		e.Worker = w.rw.ID()
		if c := w.current; c != nil && c.future != nil && c != t { // between tasks it is the idle one, one that has ended, or none
			e.Other = c.future.taskID()
		}
	}
	in.observer.Event(e)
}

func (in *Instance) observeStop(t *Task) {
	e := Event{Kind: TaskStops, Task: t.future.taskID(), Why: "idle"}
	if !t.wantsMessage() {
		at := t.place()
		e.Why, e.File, e.Line = waitNames[t.waits], at.File, at.Line
	}
	t.w.observe(e)
}

// observeMessage tells which message an actor has taken, and nothing of what its
// handlers receive.
func (t *Task) observeMessage(c *Chan, v Value) {
	if !t.inHandler() {
		t.w.observe(Event{Kind: MessageTaken, Task: t.future.taskID(), Name: t.w.prog.messageName(t.w.prog.Types[c.Type].Elem, v)})
	}
}

// observeSent tells of a value that was handed to one who waited for it, from a
// worker's task or (nil) from outside.
func (in *Instance) observeSent(w *Worker, c *Chan, x *waiter) {
	u := x.task
	e := Event{Kind: ValueSent, At: in.sched.Now(), Worker: -1, Other: u.future.taskID()}
	if w != nil {
		e.Worker, e.Task = w.rw.ID(), w.current.future.taskID()
		in.observer.Event(e)
	}
	if u.wantsMessage() {
		prog := in.Program()
		e.Kind, e.Task, e.Other = MessageTaken, e.Other, e.Task
		e.Name = prog.messageName(prog.Types[c.Type].Elem, *u.slot(x.dst))
		in.observer.Event(e)
	}
}

// observeAnswer tells of an answer that a task gives to one who waits for it.
func (w *Worker) observeAnswer(x *waiter) {
	w.observe(Event{Kind: ValueSent, Task: w.current.future.taskID(), Other: x.task.future.taskID()})
}

// Blocking work runs on the pool's threads. In a deterministic run its events
// come when it is asked for and when its result is admitted instead.

// jobBegins numbers a job.
func (in *Instance) jobBegins(task uint64, name string) (number uint64) {
	if in.observer == nil {
		return 0
	}
	number = in.lastJob.Add(1)
	if in.sched.Deterministic() {
		in.observer.Event(Event{Kind: JobBegins, At: in.sched.Now(), Task: task, Job: number, Name: name})
	}
	return number
}

func (in *Instance) jobEnds(task, number uint64, name string) {
	if in.observer != nil && in.sched.Deterministic() {
		in.observer.Event(Event{Kind: JobEnds, At: in.sched.Now(), Task: task, Job: number, Name: name})
	}
}

// observed reports to the observer when work begins and ends.
func (in *Instance) observed(task, number uint64, name string, work iopool.Work) iopool.Work {
	if in.observer == nil || in.sched.Deterministic() {
		return work
	}
	return func(ctx context.Context) (any, error) {
		in.observer.Event(Event{Kind: JobBegins, At: in.sched.Now(), Task: task, Job: number, Name: name})
		defer func() {
			in.observer.Event(Event{Kind: JobEnds, At: in.sched.Now(), Task: task, Job: number, Name: name})
		}()
		return work(ctx)
	}
}

// place is where a task stands: the innermost frame in the user's own source,
// the innermost of all when there is none.
func (t *Task) place() Frame {
	var first Frame
	pc, delta := t.pc, t.delta
	for depth := 0; ; depth++ {
		word := pc/8 - 1
		if f := t.w.prog.FuncAt(word); f != nil {
			file := &t.w.prog.Files[f.File]
			if !file.Std || depth == 0 {
				line, col := f.Place(word)
				first = Frame{f.Name, file.Name, line, col}
			}
			if !file.Std {
				return first
			}
		}
		link := t.slot(delta - 16)
		if link.n == 0 {
			return first
		}
		pc = t.returnPoint(uint32(link.n >> 32))
		delta -= uint32(link.n)
	}
}
