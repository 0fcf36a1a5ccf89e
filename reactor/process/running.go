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

// running is a Process on a Node: its Proc, mailbox and relations.
type running struct {
	proc    reactor.Proc
	class   reactor.Class
	node    *Node
	pid     ID
	process Process
	opts    SpawnOptions
	parent  ID
	ctx     context.Context
	cancel  context.CancelCauseFunc

	mu          sync.Mutex
	events      []Event
	spare       []Event // the buffer of the last step, to be filled next
	next        Next    // what the last step wanted
	parked      bool    // suspended, or about to be under mu
	kill        error   // terminate
	hasEnded    bool
	steps       uint64
	commands    int // under way
	timers      map[*reactor.Timer]struct{}
	links       pidSet
	monitoredBy pidSet
	monitors    pidSet // those that it monitors

	ended  *reactor.Gate // of a host that waits for result and err
	result any
	err    error
}

// stepsPerTurn bounds how often a process that always has events is stepped
// before others get the worker.
const stepsPerTurn = 16

func newRunning(n *Node, p Process, opts SpawnOptions, ended *reactor.Gate) *running {
	a := &running{node: n, process: p, opts: opts, parent: opts.Parent, ended: ended}
	a.ctx, a.cancel = context.WithCancelCause(context.Background())
	a.class.Run = a.run
	a.proc.InitProc(&a.class)
	return a
}

// start asks the hook and initializes the process.
func (r *running) start() error {
	return guard(func() error {
		if f := r.node.opts.OnStart; f != nil {
			if err := f(r.pid); err != nil {
				return err
			}
		}
		return r.init(r.process, r.opts.Method, r.opts.Input)
	})
}

// init starts a process, or closes it when that fails.
func (r *running) init(p Process, method string, input any) (err error) {
	err = ErrExited // unless Init returns
	defer func() {
		if err != nil {
			_ = guard(func() error { p.Close(); return nil }) // the first error counts
		}
	}()
	return guard(func() error { return p.Init(r.ctx, method, input) })
}

// upgrade puts another process in the place of this one.
func (r *running) upgrade(to replacement) error {
	old := r.process
	r.process = nil
	if err := guard(func() error { old.Close(); return nil }); err != nil {
		return err
	}
	if err := r.init(to.process, to.method, to.input); err != nil {
		return err
	}
	r.mu.Lock()
	r.process, r.opts.Method, r.opts.Input = to.process, to.method, to.input
	r.mu.Unlock()
	return nil
}

// run steps the process on a worker.
func (r *running) run(w *reactor.Worker, p *reactor.Proc) {
	returned := false
	defer r.exitUnless(w, &returned)
	r.turn(w, p)
	returned = true
}

// turn steps it until it waits, or others are to have the worker.
func (r *running) turn(w *reactor.Worker, p *reactor.Proc) {
	out := StepOutput{node: r.node, worker: w, running: r}
	for range stepsPerTurn {
		events, err := r.take()
		if err != nil {
			r.finish(w, nil, err)
			return
		}
		out.Commands, out.Next, out.requeued = out.Commands[:0], Idle, nil
		if err := r.step(events, &out); err != nil {
			r.finish(w, nil, err)
			return
		}
		r.requeue(out.requeued)
		for _, cmd := range out.Commands {
			r.dispatch(w, cmd)
		}
		switch out.Next {
		case Done:
			r.finish(w, out.Result, nil)
			return
		case Upgrade:
			if err := r.upgrade(out.replacement); err != nil {
				r.finish(w, nil, err)
				return
			}
			continue
		case Continue:
			w.WakeLast(p)
			return
		}
		parked, err := r.park(out.Next)
		if err != nil {
			r.finish(w, nil, err)
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
func (r *running) step(events []Event, out *StepOutput) error {
	return guard(func() error { return r.process.Step(events, out) })
}

// requeue puts events before those that have come meanwhile.
func (r *running) requeue(events []Event) {
	if len(events) == 0 {
		return
	}
	r.mu.Lock()
	r.events = append(events, r.events...)
	r.mu.Unlock()
}

// take returns the events of the next step, or the reason to end.
func (r *running) take() ([]Event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kill != nil {
		return nil, r.kill
	}
	events := r.events
	clear(r.spare)
	r.events, r.spare = r.spare[:0], events
	r.steps++
	return events, nil
}

// park suspends the process unless an event it waits for has come. Suspend is
// called under the lock under which events come: whoever brings one either
// finds it parked and wakes it, or is seen here.
func (r *running) park(next Next) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = next
	if r.kill != nil {
		return false, nil
	}
	for _, e := range r.events {
		if r.wants(e) {
			return false, nil
		}
	}
	if next == Yield && r.commands == 0 {
		return false, ErrNoCommand
	}
	r.parked = true
	r.proc.Suspend()
	return true, nil
}

// wants reports whether the event ends the suspension.
func (r *running) wants(e Event) bool { return r.next != Yield || e.Kind != Message }

// deliver puts an event into the mailbox. One that is about to be terminated
// gets no more messages.
func (r *running) deliver(w *reactor.Worker, e Event) error {
	r.mu.Lock()
	if r.hasEnded || r.kill != nil && e.Kind == Message {
		defer r.mu.Unlock()
		if r.hasEnded {
			return ErrNoProcess
		}
		return ErrEnding
	}
	r.events = append(r.events, e)
	if e.Kind == Completion {
		r.commands--
	}
	wake := r.wants(e) && r.unpark()
	r.mu.Unlock()
	if wake {
		r.node.sched.Ready(w, &r.proc)
	}
	return nil
}

// unpark reports whether the caller is to make the process ready.
func (r *running) unpark() bool {
	if !r.parked {
		return false
	}
	r.parked = false
	return r.proc.Claim(r.proc.Epoch())
}

// terminate ends the process before its next step.
func (r *running) terminate(w *reactor.Worker, reason error) bool {
	r.mu.Lock()
	if r.hasEnded {
		r.mu.Unlock()
		return false
	}
	if r.kill == nil {
		r.kill = reason
	}
	wake := r.unpark()
	r.mu.Unlock()
	r.cancel(reason)
	if wake {
		r.node.sched.Ready(w, &r.proc)
	}
	return true
}

// dispatch gives a command to its handler, unless the process has ended.
func (r *running) dispatch(w *reactor.Worker, cmd Command) bool {
	if !r.expects() {
		return false
	}
	complete := func(w *reactor.Worker, data any, err error) {
		_ = r.deliver(w, Event{Kind: Completion, Tag: cmd.Tag, Data: data, Err: err}) // has ended meanwhile
	}
	if d, ok := cmd.Arg.(time.Duration); ok && cmd.Name == Sleep {
		r.sleep(d, complete)
		return true
	}
	h := r.node.handler(cmd.Name)
	if h == nil {
		complete(w, nil, &UnknownCommandError{cmd.Name})
		return true
	}
	var replied atomic.Bool
	expected := r.node.sched.Expect()
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
		h(r.ctx, cmd, reply)
		return nil
	})
	return true
}

// expects counts one command more while the process lives.
func (r *running) expects() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hasEnded {
		return false
	}
	r.commands++
	return true
}

// sleep sets a timer that ends with the process.
func (r *running) sleep(d time.Duration, complete func(*reactor.Worker, any, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hasEnded {
		return
	}
	if r.timers == nil {
		r.timers = map[*reactor.Timer]struct{}{}
	}
	s := r.node.sched
	var timer *reactor.Timer
	timer = s.At(s.Now()+d, func(w *reactor.Worker) {
		r.mu.Lock() // is held until timer is set
		delete(r.timers, timer)
		r.mu.Unlock()
		complete(w, nil, nil)
	})
	r.timers[timer] = struct{}{}
}

// finish ends the process.
func (r *running) finish(w *reactor.Worker, result any, err error) {
	r.cancel(err)
	failed := ErrExited // unless Close returns
	defer func() { r.complete(w, result, cmp.Or(err, failed)) }()
	failed = guard(func() error {
		if r.process != nil {
			r.process.Close()
		}
		return nil
	})
}

// complete tells all of the end.
func (r *running) complete(w *reactor.Worker, result any, err error) {
	n := r.node
	ties := r.leave()
	r.proc.Complete()
	n.tell(w, Event{From: r.pid, Data: result, Err: err}, ties)
	failed := ErrExited // unless OnComplete returns
	defer func() {
		if r.ended != nil {
			r.result, r.err = result, cmp.Or(err, failed)
			r.ended.Open()
		}
		n.left()
	}()
	failed = guard(func() error {
		if f := n.opts.OnComplete; f != nil {
			f(r.pid, result, err)
		}
		return nil
	})
}

// leave takes the process from the node and gives what it was tied to, which
// nobody else touches any more.
func (r *running) leave() ties {
	r.mu.Lock()
	r.hasEnded = true
	r.events, r.spare = nil, nil
	for timer := range r.timers {
		timer.Stop()
	}
	t := ties{r.links, r.monitoredBy, r.monitors}
	r.timers, r.links, r.monitoredBy, r.monitors = nil, nil, nil, nil
	r.mu.Unlock()
	r.node.processes.Remove(r.pid)
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
func (r *running) exitUnless(w *reactor.Worker, returned *bool) {
	if *returned {
		return
	}
	if e := recover(); e != nil {
		panic(e)
	}
	r.mu.Lock()
	ended := r.hasEnded
	r.mu.Unlock()
	if !ended {
		r.finish(w, nil, ErrExited)
	}
}
