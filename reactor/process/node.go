package process

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel/reactor"
)

// Node runs Processes on a scheduler.
//
//	Spawn ──> running: mailbox ──> Step ──> commands ──> handlers
//	             ↑ messages, exits, completions <──────────┘
//
// A process on the node sends and spawns through its StepOutput, on its own
// worker; the node's methods are for hosts and handlers and come in through the
// global queue.
type Node struct {
	sched     *reactor.Sched
	opts      NodeOptions
	processes Registry[*running]
	count     atomic.Int64 // spawned and not ended
	closing   atomic.Bool
	empty     *reactor.Gate // opened when closing and the last process has ended
	mu        sync.RWMutex
	handlers  map[string]Handler
}

// NodeOptions configures a Node.
type NodeOptions struct {
	MaxProcesses int // 0: no limit
	// OnStart is called before Init, by whoever spawns; its error is that of
	// the spawning and nothing has been started then. OnComplete is called
	// after Close, on the worker, for every process that was started.
	OnStart    func(pid ID) error
	OnComplete func(pid ID, result any, err error)
}

// NewNode makes a node on a scheduler, which may serve others too.
func NewNode(s *reactor.Sched, opts NodeOptions) *Node {
	return &Node{sched: s, opts: opts, empty: reactor.NewGate(), handlers: map[string]Handler{}}
}

// Sched returns the node's scheduler.
func (n *Node) Sched() *reactor.Sched { return n.sched }

// Handle registers the handler of a command.
func (n *Node) Handle(command string, h Handler) {
	n.mu.Lock()
	n.handlers[command] = h
	n.mu.Unlock()
}

func (n *Node) handler(command string) Handler {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.handlers[command]
}

// Spawn starts a process.
func (n *Node) Spawn(p Process, opts SpawnOptions) (ID, error) {
	a, err := n.spawn(nil, p, opts, nil)
	if err != nil {
		return 0, err
	}
	n.sched.Inject(&a.proc)
	return a.pid, nil
}

// Call starts a process and waits for its end, lending the calling goroutine to
// the scheduler. It is for hosts: within a Step it returns ErrWithinStep,
// because waiting there would block the worker that has to run the process.
func (n *Node) Call(p Process, opts SpawnOptions) (any, error) {
	if withinStep() {
		return nil, ErrWithinStep
	}
	a, err := n.spawn(nil, p, opts, reactor.NewGate())
	if err != nil {
		return nil, err
	}
	if !n.sched.Call(&a.proc, a.ended) {
		return nil, ErrClosed
	}
	return a.result, a.err
}

// spawn makes a process; the caller makes it ready.
func (n *Node) spawn(w *reactor.Worker, p Process, opts SpawnOptions, ended *reactor.Gate) (*running, error) {
	if err := n.enter(); err != nil {
		return nil, err
	}
	a := newRunning(n, p, opts, ended)
	n.processes.Add(func(pid ID) *running {
		a.pid = pid
		return a
	})
	if err := n.start(w, a); err != nil {
		return nil, err
	}
	if opts.Link && !n.link(opts.Parent, a.pid) {
		a.linkEnds(w, Event{Kind: Exit, From: opts.Parent, Err: ErrNoProcess})
	}
	if opts.Monitor {
		n.monitor(w, opts.Parent, a.pid)
	}
	if n.closing.Load() { // Close may have listed the processes before
		a.terminate(w, ErrClosed)
	}
	return a, nil
}

// start has a process begin; one that fails has never been there.
func (n *Node) start(w *reactor.Worker, a *running) (err error) {
	err = ErrExited // unless it returns
	defer func() {
		if err != nil {
			a.cancel(err)
			n.tell(w, Event{From: a.pid, Err: err}, a.leave()) // Init or OnStart may have tied it
			n.left()
		}
	}()
	return a.start()
}

// enter counts one process more, up to the limit.
func (n *Node) enter() error {
	for {
		count := n.count.Load()
		if limit := int64(n.opts.MaxProcesses); limit > 0 && count >= limit {
			return ErrProcessLimit
		}
		if n.count.CompareAndSwap(count, count+1) {
			break
		}
	}
	if n.closing.Load() {
		n.left()
		return ErrClosed
	}
	return nil
}

// left notes that one process fewer counts.
func (n *Node) left() {
	if n.count.Add(-1) == 0 && n.closing.Load() {
		n.empty.Open()
	}
}

// Send sends a message from outside.
func (n *Node) Send(to ID, data any) error {
	return n.deliver(nil, to, Event{Kind: Message, Data: data})
}

// Dispatch executes a command on behalf of a process; the completion reaches
// the process as if it had yielded the command itself.
func (n *Node) Dispatch(to ID, cmd Command) error {
	a, ok := n.processes.Get(to)
	return found(ok && a.dispatch(nil, cmd))
}

// Cancel asks a process to end: its context is cancelled and it gets a
// Cancelled event, to which it may react when it likes.
func (n *Node) Cancel(pid ID) error {
	a, ok := n.processes.Get(pid)
	if !ok {
		return ErrNoProcess
	}
	a.cancel(ErrCancelled)
	return a.deliver(nil, Event{Kind: Cancelled, Err: ErrCancelled})
}

// Terminate ends a process at once, or after the step it is in.
func (n *Node) Terminate(pid ID) error {
	a, ok := n.processes.Get(pid)
	return found(ok && a.terminate(nil, ErrTerminated))
}

func found(ok bool) error {
	if !ok {
		return ErrNoProcess
	}
	return nil
}

func (n *Node) deliver(w *reactor.Worker, to ID, e Event) error {
	a, ok := n.processes.Get(to)
	if !ok {
		return ErrNoProcess
	}
	return a.deliver(w, e)
}

// lastStep is how long Close waits for steps that are on when its context is done.
const lastStep = time.Second

// Close cancels all processes and waits for their end; when the context ends,
// it terminates those that are left. A process in a step ends after the step;
// if that takes more than a second, Close returns the context's cause without
// waiting for it. Nothing can be spawned afterwards. The scheduler is not
// closed. Within a Step Close panics, because it would wait for that step's own
// process to end.
func (n *Node) Close(ctx context.Context) error {
	if withinStep() {
		panic(ErrWithinStep)
	}
	n.count.Add(1)
	n.closing.Store(true)
	for _, a := range n.processes.All() {
		_ = n.Cancel(a.pid) // has ended meanwhile
	}
	n.left()
	over := make(chan struct{})
	go func() { // lent to the scheduler; not the caller's, which a step may keep
		defer close(over)
		n.sched.RunUntil(n.empty)
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
	}
	for _, a := range n.processes.All() {
		a.terminate(nil, ErrTerminated)
	}
	select {
	case <-over:
		return nil
	case <-time.After(lastStep):
		return context.Cause(ctx)
	}
}
