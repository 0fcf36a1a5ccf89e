package reactor

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// actor is a Process on a Node: its Proc, mailbox and relations.
type actor struct {
	proc    Proc
	class   Class
	node    *Node
	pid     PID
	process Process
	opts    SpawnOptions
	parent  PID
	ctx     context.Context
	cancel  context.CancelCauseFunc

	mu       sync.Mutex
	events   []Event
	spare    []Event // the buffer of the last step, to be filled next
	next     Next    // what the last step wanted
	parked   bool    // suspended, or about to be under mu
	kill     error   // terminate
	hasEnded bool
	steps    uint64
	commands int // under way
	alarms   map[uint64]*Alarm
	links    map[PID]struct{}
	watchers map[PID]struct{}

	ended  *Gate // of a host that waits for result and err
	result any
	err    error
}

// stepsPerTurn bounds how often a process that always has events is stepped
// before others get the worker.
const stepsPerTurn = 16

func newActor(n *Node, p Process, opts SpawnOptions, ended *Gate) *actor {
	a := &actor{node: n, process: p, opts: opts, parent: opts.Parent, ended: ended}
	a.ctx, a.cancel = context.WithCancelCause(context.Background())
	a.class.Run = a.run
	a.proc.InitProc(&a.class)
	return a
}

// start asks the hook and initialises the process.
func (a *actor) start() error {
	return guard(func() error {
		if f := a.node.opts.OnStart; f != nil {
			if err := f(a.pid); err != nil {
				return err
			}
		}
		return a.init(a.process, a.opts.Method, a.opts.Input)
	})
}

// init starts a process, or closes it when that fails.
func (a *actor) init(p Process, method string, input any) error {
	err := guard(func() error { return p.Init(a.ctx, method, input) })
	if err != nil {
		_ = guard(func() error { p.Close(); return nil }) // the first error counts
	}
	return err
}

// upgrade puts another process in the place of this one.
func (a *actor) upgrade(to successor) error {
	old := a.process
	a.process = nil
	if err := guard(func() error { old.Close(); return nil }); err != nil {
		return err
	}
	if err := a.init(to.process, to.method, to.input); err != nil {
		return err
	}
	a.mu.Lock()
	a.process, a.opts.Method, a.opts.Input = to.process, to.method, to.input
	a.mu.Unlock()
	return nil
}

// run steps the process on a worker.
func (a *actor) run(w *Worker, p *Proc) {
	out := StepOutput{node: a.node, worker: w, actor: a}
	for range stepsPerTurn {
		events, err := a.take()
		if err != nil {
			a.finish(w, nil, err)
			return
		}
		out.Commands, out.Next = out.Commands[:0], Idle
		if err := guard(func() error { return a.process.Step(events, &out) }); err != nil {
			a.finish(w, nil, err)
			return
		}
		for _, cmd := range out.Commands {
			a.dispatch(w, cmd)
		}
		switch out.Next {
		case Done:
			a.finish(w, out.Result, nil)
			return
		case Upgrade:
			if err := a.upgrade(out.successor); err != nil {
				a.finish(w, nil, err)
				return
			}
			continue
		case Continue:
			w.WakeLast(p)
			return
		}
		parked, err := a.park(out.Next)
		if err != nil {
			a.finish(w, nil, err)
			return
		}
		if parked {
			return
		}
	}
	w.WakeLast(p)
}

// take gives the events of the next step, or the reason to end.
func (a *actor) take() ([]Event, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kill != nil {
		return nil, a.kill
	}
	events := a.events
	clear(a.spare)
	a.events, a.spare = a.spare[:0], events
	a.steps++
	return events, nil
}

// park suspends the process unless an event it waits for has come. Suspend is
// called under the lock under which events come: whoever brings one either
// finds it parked and wakes it, or is seen here.
func (a *actor) park(next Next) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next = next
	if a.kill != nil {
		return false, nil
	}
	for _, e := range a.events {
		if a.wants(e) {
			return false, nil
		}
	}
	if next == Yield && a.commands == 0 {
		return false, ErrNoCommand
	}
	a.parked = true
	a.proc.Suspend()
	return true, nil
}

// wants reports whether the event ends the suspension.
func (a *actor) wants(e Event) bool { return a.next != Yield || e.Kind != Message }

// deliver puts an event into the mailbox. One that is about to be terminated
// gets no more messages.
func (a *actor) deliver(w *Worker, e Event) error {
	a.mu.Lock()
	if a.hasEnded || a.kill != nil && e.Kind == Message {
		defer a.mu.Unlock()
		if a.hasEnded {
			return ErrNoProcess
		}
		return ErrEnding
	}
	a.events = append(a.events, e)
	if e.Kind == Completion {
		a.commands--
		delete(a.alarms, e.Tag)
	}
	wake := a.wants(e) && a.unpark()
	a.mu.Unlock()
	if wake {
		a.node.sched.Ready(w, &a.proc)
	}
	return nil
}

// unpark reports whether the caller is to make the process ready.
func (a *actor) unpark() bool {
	if !a.parked {
		return false
	}
	a.parked = false
	return a.proc.Claim(a.proc.Epoch())
}

// terminate ends the process before its next step.
func (a *actor) terminate(w *Worker, reason error) bool {
	a.mu.Lock()
	if a.hasEnded {
		a.mu.Unlock()
		return false
	}
	if a.kill == nil {
		a.kill = reason
	}
	wake := a.unpark()
	a.mu.Unlock()
	a.cancel(reason)
	if wake {
		a.node.sched.Ready(w, &a.proc)
	}
	return true
}

// dispatch gives a command to its handler.
func (a *actor) dispatch(w *Worker, cmd Command) {
	a.mu.Lock()
	a.commands++
	a.mu.Unlock()
	complete := func(w *Worker, data any, err error) {
		_ = a.deliver(w, Event{Kind: Completion, Tag: cmd.Tag, Data: data, Err: err}) // has ended meanwhile
	}
	if d, ok := cmd.Arg.(time.Duration); ok && cmd.Name == Sleep {
		a.sleep(cmd.Tag, d, complete)
		return
	}
	h := a.node.handler(cmd.Name)
	if h == nil {
		complete(w, nil, &UnknownCommandError{cmd.Name})
		return
	}
	var replied atomic.Bool
	expected := a.node.sched.Expect()
	reply := func(data any, err error) {
		if replied.CompareAndSwap(false, true) {
			expected.Deliver(func(w *Worker) { complete(w, data, err) })
		}
	}
	err := guard(func() error {
		h(a.ctx, cmd, reply)
		return nil
	})
	if err != nil {
		reply(nil, err)
	}
}

// sleep sets an alarm that ends with the process.
func (a *actor) sleep(tag uint64, d time.Duration, complete func(*Worker, any, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.alarms == nil {
		a.alarms = map[uint64]*Alarm{}
	}
	s := a.node.sched
	a.alarms[tag] = s.At(s.Now()+d, func(w *Worker) { complete(w, nil, nil) })
}

// finish ends the process.
func (a *actor) finish(w *Worker, result any, err error) {
	a.cancel(err)
	if a.process != nil {
		if perr := guard(func() error { a.process.Close(); return nil }); err == nil {
			err = perr
		}
	}
	n := a.node
	a.mu.Lock()
	a.hasEnded = true
	a.events, a.spare = nil, nil
	for _, alarm := range a.alarms {
		alarm.Stop()
	}
	links, watchers := a.links, a.watchers
	a.mu.Unlock()
	n.actors.Remove(a.pid)
	a.proc.Complete()
	n.tell(w, Event{From: a.pid, Data: result, Err: err}, links, watchers)
	if f := n.opts.OnComplete; f != nil {
		f(a.pid, result, err)
	}
	if a.ended != nil {
		a.result, a.err = result, err
		a.ended.Open()
	}
	n.left()
}

// guard makes a panic an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{Value: r, Stack: debug.Stack()}
		}
	}()
	return f()
}
