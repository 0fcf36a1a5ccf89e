package process

import (
	"cmp"
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel/reactor"
)

// actor is a Process on a Node: its Proc, mailbox and relations.
type actor struct {
	proc    reactor.Proc
	class   reactor.Class
	node    *Node
	pid     ID
	process Process
	opts    SpawnOptions
	parent  ID
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
	timers   map[*reactor.Timer]struct{}
	links    pidSet
	watchers pidSet
	watching pidSet // whose watchers it is among

	ended  *reactor.Gate // of a host that waits for result and err
	result any
	err    error
}

// stepsPerTurn bounds how often a process that always has events is stepped
// before others get the worker.
const stepsPerTurn = 16

func newActor(n *Node, p Process, opts SpawnOptions, ended *reactor.Gate) *actor {
	a := &actor{node: n, process: p, opts: opts, parent: opts.Parent, ended: ended}
	a.ctx, a.cancel = context.WithCancelCause(context.Background())
	a.class.Run = a.run
	a.proc.InitProc(&a.class)
	return a
}

// start asks the hook and initializes the process.
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
func (a *actor) init(p Process, method string, input any) (err error) {
	err = ErrExited // unless Init returns
	defer func() {
		if err != nil {
			_ = guard(func() error { p.Close(); return nil }) // the first error counts
		}
	}()
	return guard(func() error { return p.Init(a.ctx, method, input) })
}

// upgrade puts another process in the place of this one.
func (a *actor) upgrade(to replacement) error {
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
func (a *actor) run(w *reactor.Worker, p *reactor.Proc) {
	returned := false
	defer a.exitUnless(w, &returned)
	a.turn(w, p)
	returned = true
}

// turn steps it until it waits, or others are to have the worker.
func (a *actor) turn(w *reactor.Worker, p *reactor.Proc) {
	out := StepOutput{node: a.node, worker: w, actor: a}
	for range stepsPerTurn {
		events, err := a.take()
		if err != nil {
			a.finish(w, nil, err)
			return
		}
		out.Commands, out.Next, out.requeued = out.Commands[:0], Idle, nil
		if err := a.step(events, &out); err != nil {
			a.finish(w, nil, err)
			return
		}
		a.requeue(out.requeued)
		for _, cmd := range out.Commands {
			a.dispatch(w, cmd)
		}
		switch out.Next {
		case Done:
			a.finish(w, out.Result, nil)
			return
		case Upgrade:
			if err := a.upgrade(out.replacement); err != nil {
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

// step is not inlined, so that withinStep finds it on the stack.
//
//go:noinline
func (a *actor) step(events []Event, out *StepOutput) error {
	return guard(func() error { return a.process.Step(events, out) })
}

// requeue puts events before those that have come meanwhile.
func (a *actor) requeue(events []Event) {
	if len(events) == 0 {
		return
	}
	a.mu.Lock()
	a.events = append(events, a.events...)
	a.mu.Unlock()
}

// take returns the events of the next step, or the reason to end.
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
func (a *actor) deliver(w *reactor.Worker, e Event) error {
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
func (a *actor) terminate(w *reactor.Worker, reason error) bool {
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

// dispatch gives a command to its handler, unless the process has ended.
func (a *actor) dispatch(w *reactor.Worker, cmd Command) bool {
	if !a.expects() {
		return false
	}
	complete := func(w *reactor.Worker, data any, err error) {
		_ = a.deliver(w, Event{Kind: Completion, Tag: cmd.Tag, Data: data, Err: err}) // has ended meanwhile
	}
	if d, ok := cmd.Arg.(time.Duration); ok && cmd.Name == Sleep {
		a.sleep(d, complete)
		return true
	}
	h := a.node.handler(cmd.Name)
	if h == nil {
		complete(w, nil, &UnknownCommandError{cmd.Name})
		return true
	}
	var replied atomic.Bool
	expected := a.node.sched.Expect()
	reply := func(data any, err error) {
		if replied.CompareAndSwap(false, true) {
			expected.Deliver(func(w *reactor.Worker) { complete(w, data, err) })
		}
	}
	err := ErrExited
	defer func() {
		if err != nil {
			reply(nil, err)
		}
	}()
	err = guard(func() error {
		h(a.ctx, cmd, reply)
		return nil
	})
	return true
}

// expects counts one command more while the process lives.
func (a *actor) expects() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hasEnded {
		return false
	}
	a.commands++
	return true
}

// sleep sets a timer that ends with the process.
func (a *actor) sleep(d time.Duration, complete func(*reactor.Worker, any, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hasEnded {
		return
	}
	if a.timers == nil {
		a.timers = map[*reactor.Timer]struct{}{}
	}
	s := a.node.sched
	var timer *reactor.Timer
	timer = s.At(s.Now()+d, func(w *reactor.Worker) {
		a.mu.Lock() // is held until timer is set
		delete(a.timers, timer)
		a.mu.Unlock()
		complete(w, nil, nil)
	})
	a.timers[timer] = struct{}{}
}

// finish ends the process.
func (a *actor) finish(w *reactor.Worker, result any, err error) {
	a.cancel(err)
	failed := ErrExited // unless Close returns
	defer func() { a.complete(w, result, cmp.Or(err, failed)) }()
	failed = guard(func() error {
		if a.process != nil {
			a.process.Close()
		}
		return nil
	})
}

// complete tells all of the end.
func (a *actor) complete(w *reactor.Worker, result any, err error) {
	n := a.node
	ties := a.leave()
	a.proc.Complete()
	n.tell(w, Event{From: a.pid, Data: result, Err: err}, ties)
	failed := ErrExited // unless OnComplete returns
	defer func() {
		if a.ended != nil {
			a.result, a.err = result, cmp.Or(err, failed)
			a.ended.Open()
		}
		n.left()
	}()
	failed = guard(func() error {
		if f := n.opts.OnComplete; f != nil {
			f(a.pid, result, err)
		}
		return nil
	})
}

// leave takes the process from the node and gives what it was tied to, which
// nobody else touches any more.
func (a *actor) leave() ties {
	a.mu.Lock()
	a.hasEnded = true
	a.events, a.spare = nil, nil
	for timer := range a.timers {
		timer.Stop()
	}
	t := ties{a.links, a.watchers, a.watching}
	a.timers, a.links, a.watchers, a.watching = nil, nil, nil, nil
	a.mu.Unlock()
	a.node.actors.Remove(a.pid)
	return t
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

// exitUnless is deferred by who runs the code of a process: one that has ended its
// goroutine has failed.
func (a *actor) exitUnless(w *reactor.Worker, returned *bool) {
	if *returned {
		return
	}
	if e := recover(); e != nil {
		panic(e)
	}
	a.mu.Lock()
	ended := a.hasEnded
	a.mu.Unlock()
	if !ended {
		a.finish(w, nil, ErrExited)
	}
}
