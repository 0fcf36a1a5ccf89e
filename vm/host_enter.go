package vm

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/host"
)

// While a native runs Go code of its host, its worker is in host code: it does not
// touch anything of the instance. If a call comes in meanwhile and no token is
// free, as when that code itself calls the script, the call takes the worker's.
// The native goes on without when it returns, as one that has been detached.

// ErrReentered is returned when a native calls its own script in a
// deterministic run, in which only one call can be active.
var ErrReentered = errors.New("a native function called the script again in a deterministic run")

// ErrTooDeep is returned when a native calls its own script and too many such
// calls are nested: they all share one Go stack.
var ErrTooDeep = errors.New("a native function called the script again in too many calls inside of calls")

// maxRetaken bounds the workers in host code whose token was retaken, and so how deep
// calls are inside of calls.
const maxRetaken = 10_000

const (
	runsScript uint32 = iota
	runsHost
	beingRetaken
	retaken
)

type hostCode struct {
	state atomic.Uint32
	left  bool // the worker has left the world and has to come home
}

// EnterHost says that the native runs code of the host until ExitHost; it must not use the Call in between.
func (c *Call) EnterHost() {
	w := c.w
	w.hostCode.left = true
	if w.handBack == nil { // else it has no token that could be taken
		w.rw.BeginForeign()
		releaseStore(&w.hostCode.state, runsHost) // to leave the world is the fence
	}
	w.inst.world.leave() // others may stop the world, which that code may wait for
}

// ExitHost ends EnterHost.
func (c *Call) ExitHost() { c.w.exitHost() }

func (w *Worker) exitHost() {
	if !w.hostCode.left {
		return
	}
	w.hostCode.left = false
	if s := &w.hostCode.state; !s.CompareAndSwap(runsHost, runsScript) && s.Load() != runsScript {
		for i := 0; s.Load() != retaken; i++ {
			reactor.Backoff(i)
		}
		s.Store(runsScript)
		w.inst.retaken.Add(-1)
	} else if w.handBack == nil {
		w.rw.EndForeign()
	}
	w.enterWorld()
}

// retake takes the token of a worker that is in host code, or returns nil.
func (in *Instance) retake() (*reactor.Worker, error) {
	in.world.enter()
	defer in.world.leave()
	in.mu.Lock()
	workers := in.workers
	in.mu.Unlock()
	for _, w := range slices.Backward(workers) { // of calls inside of calls the innermost is the last
		if w.hostCode.state.Load() != runsHost {
			continue
		}
		if in.sched.Deterministic() {
			return nil, ErrReentered
		}
		if in.retaken.Load() >= maxRetaken {
			return nil, ErrTooDeep
		}
		if !w.hostCode.state.CompareAndSwap(runsHost, beingRetaken) {
			continue
		}
		in.retaken.Add(1)
		if more := w.current.more; more != nil && more.host != nil {
			in.arm(w.current)
		}
		in.spareWorker().take(w)
		rw := w.rw
		rw.EndForeign()
		w.handBack = rw.Retake()
		w.hostCode.state.Store(retaken)
		return rw, nil
	}
	return nil, nil
}

// hostPanicked makes a panic in host code an error of the script. The worker is
// home again.
func (w *Worker) hostPanicked(value any) *thrown {
	err := &host.Panic{Value: value, Stack: debug.Stack()}
	w.exitHost()
	return &thrown{kind: ErrHost, text: err.Error(), cause: err}
}

// ErrExited is the error of a native that ended its goroutine.
var ErrExited = errors.New("a native function has called runtime.Goexit")

// exited leaves a goroutine that has been ended by what ran there, and with it a
// host's root. Nothing keeps it from ending, so the task, which has failed, ends
// elsewhere. Its defers do not run, as they could end the goroutine of another call.
func (w *Worker) exited(root *Task) {
	if root != nil {
		defer w.inst.abandonRoot(root)
	}
	if w.current == &idleTask { // what ran is not a task: see next
		w.rw.Quit()
		return
	}
	w.exitHost()
	w.unpin()
	w.detachable = false
	in, t := w.inst, w.current
	t.abort(ErrExited)
	if more := t.more; more.host != nil {
		in.arm(t)
	}
	in.world.leave()
	w.call.base = nil
	if w.handBack != nil {
		w.retire()
		return
	}
	w.current = &idleTask
	in.sched.Inject(&t.Proc)
	w.rw.Quit()
}

// Context returns the context for host code that the native calls: the context
// of the host's call it is part of, from which InstanceOf returns the instance.
func (c *Call) Context() context.Context {
	ctx := context.Background()
	if c.t != nil && c.t.more != nil && c.t.more.host != nil && c.t.more.host.ctx != nil {
		ctx = c.t.more.host.ctx
	}
	return c.w.inst.Within(ctx)
}

// within is a context that knows its instance.
type within struct {
	context.Context
	in *Instance
}

// OrBackground returns the context, or, for nil, one that never ends.
func OrBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

type instanceKey struct{}

func (w within) Value(key any) any {
	if key == (instanceKey{}) {
		return w.in
	}
	return w.Context.Value(key)
}

// Within returns a context from which InstanceOf gives the instance.
func (in *Instance) Within(ctx context.Context) context.Context {
	if w, ok := ctx.(within); ok && w.in == in {
		return ctx // of a call inside of another
	}
	return within{ctx, in}
}

// InstanceOf returns the instance of a context made by Within; nil for other contexts.
func InstanceOf(ctx context.Context) *Instance {
	in, _ := OrBackground(ctx).Value(instanceKey{}).(*Instance)
	return in
}

// ThrowHost raises a HostError for an error returned by host code. An error
// that the script itself has thrown is rethrown as it was.
func (c *Call) ThrowHost(err error) {
	var own *Error
	if errors.As(err, &own) && own.in == c.w.inst && own.Limit == 0 {
		panic(&thrown{text: own.Message, val: own.val, cause: own.Cause})
	}
	panic(&thrown{kind: ErrHost, text: host.ErrorText(err), cause: err})
}
