package vm

import (
	"context"
	"errors"
	"time"

	"github.com/runnel-lang/runnel/vm/bytecode"

	"github.com/runnel-lang/runnel/reactor"
)

// Grace is how long the defers of tasks may keep running when a program ends or
// is stopped: slightly more than five seconds, so that whatever the library has
// given five seconds, such as an actor's on_stop, times out by itself and is
// reported.
const Grace = 5*time.Second + 250*time.Millisecond

// hostGrace is how much longer the end of an instance waits for tasks that are in code
// of the host, which nothing can cut short.
const hostGrace = time.Second

// ErrInstanceClosed is returned for a call of an instance that has been closed.
var ErrInstanceClosed = errors.New("the instance is closed")

// Run initializes the modules and runs the script. Tasks that remain when its
// last statement has run are cancelled, and Run waits for their defers. When
// ctx ends or the time limit is reached, all tasks are stopped, and Run waits
// no longer than a call does.
func (in *Instance) Run(ctx context.Context) error {
	if ctx.Err() != nil {
		return in.tooLate(ctx)
	}
	timed, cancel := in.timed(ctx)
	defer cancel()
	hurry, leave := context.WithCancel(context.Background())
	defer leave()
	defer context.AfterFunc(timed, func() { time.AfterFunc(patience, leave) })()
	_, err := in.Invoke(ctx, in.Program().Callee(in.Program().Entry), nil)
	defer context.AfterFunc(timed, in.Stop)() // not before: the call tells best what has ended it
	in.Drain(hurry)
	if timed.Err() != nil {
		in.Stop()
		if err == nil && in.hasTasks() {
			err = in.tooLate(timed)
		}
	}
	return err
}

// timed is a context that ends with the time of a call that begins now too.
func (in *Instance) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	if in.limits.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, in.limits.Time, errTime)
}

// errTime is why a context of timed ends that nobody has ended.
var errTime = errors.New("the time is over")

// tooLate is the error of what a context keeps from running on.
func (in *Instance) tooLate(ctx context.Context) *Error {
	cause, text := context.Cause(ctx), stoppedText
	if cause == errTime {
		cause, text = nil, in.lateText()
	}
	err := in.errorOf(&failure{val: limitError(ErrDeadline, text)})
	err.Cause = cause
	return err
}

// Start initializes the modules and runs the script's statements, but not its
// main function. Tasks that it has spawned keep running.
func (in *Instance) Start(ctx context.Context) error {
	in.starting.Store(true)
	defer in.starting.Store(false)
	_, err := in.Invoke(ctx, in.Program().Callee(in.Program().Entry), nil)
	return err
}

// Global returns the value of a top-level variable; ok is false when it has not
// been initialized.
func (in *Instance) Global(index int) (v Value, ok bool) {
	in.world.enter()
	defer in.world.leave()
	v = in.globalList[index]
	rep := in.Program().Types[in.Program().Globals[index].Type].Rep
	return pack(uint32(rep), &v), in.initList[index] != 0
}

// Call runs a function to its end, lending the caller's goroutine to the
// instance's tasks in the meantime. Arguments and result are Values of the
// representation of the function's types.
func (in *Instance) Call(fn int, args ...Value) (Value, error) {
	return in.Invoke(context.Background(), in.Program().Callee(fn), args)
}

// Drain cancels all tasks and waits until their defers have run, or until ctx ends. Those that take longer than Grace are terminated.
func (in *Instance) Drain(ctx context.Context) {
	s := &in.root
	in.endsBy(in.sched.Now() + Grace)
	s.lock.Lock()
	s.state &^= scopeCancelled
	if s.alive > 0 {
		s.cancelLocked(nil)
	}
	s.lock.Unlock()
	in.untilEmpty(ctx, Grace, Grace+hostGrace, func(*reactor.Gate) { in.interruptAll(flagTerminate) })
	s.lock.Lock()
	s.state &^= scopeCancelled
	s.lock.Unlock()
	if !in.stopped.Load() {
		in.ends.Store(0)
	}
}

// Settle waits until no task is left, or for a time on the scheduler's clock,
// and again while there are actors that end because nobody can reach them.
func (in *Instance) Settle(d time.Duration) {
	ctx := context.Background()
	in.untilEmpty(ctx, d, d+Grace+hostGrace, (*reactor.Gate).Open)
	for more := true; more && in.reaper.used.Load() && in.hasTasks(); {
		more = in.reap()
		in.untilEmpty(ctx, d, d+Grace+hostGrace, (*reactor.Gate).Open) // also for those that the look before this one has ended
	}
}

func (in *Instance) hasTasks() bool {
	in.root.lock.Lock()
	defer in.root.lock.Unlock()
	return in.root.alive > 0
}

// untilEmpty waits until no task is left; late is called when that takes longer
// than a time of the scheduler's clock. Opening the gate ends the wait, and so does the
// time most of the world's: a task that is in code of the host ends when that does,
// and timers need a worker. So does the end of ctx.
func (in *Instance) untilEmpty(ctx context.Context, d, most time.Duration, late func(*reactor.Gate)) {
	s := &in.root
	gate := reactor.NewGate()
	s.lock.Lock()
	if s.alive == 0 {
		s.lock.Unlock()
		return
	}
	s.ends = append(s.ends, gate.Open)
	s.lock.Unlock()
	defer time.AfterFunc(most, gate.Open).Stop()
	defer context.AfterFunc(ctx, gate.Open)()
	timer := in.sched.At(in.sched.Now()+d, func(*reactor.Worker) { late(gate) })
	in.sched.RunUntil(gate)
	timer.Stop()
}

// interruptAll raises flags in every task that is in no scope; those in scopes
// follow when the bodies of these end.
func (in *Instance) interruptAll(flags uint32) {
	s := &in.root
	s.lock.Lock()
	defer s.lock.Unlock()
	for t := s.first; t != nil; t = t.next {
		t.interrupt(nil, flags)
	}
	if flags&flagTerminate == 0 {
		return
	}
	for t := s.spared; t != nil; t = t.next {
		t.interrupt(nil, flags)
	}
}

// Stop makes all tasks end with an error, at once if they are waiting and
// otherwise when they next check their flags; their defers run. It may be
// called from any goroutine.
func (in *Instance) Stop() {
	if in.stopped.Swap(true) {
		return
	}
	end := in.sched.Now() + Grace
	in.endsBy(end)
	in.interruptAll(flagStop)
	in.sched.At(end, func(*reactor.Worker) { in.interruptAll(flagTerminate) })
}

// exceeded ends everything after a task in no scope has exceeded a limit that all
// tasks share: those that are left would only run into it one after the other.
func (in *Instance) exceeded(fail *failure) {
	switch limitOf(fail.val) {
	case ErrMemory, ErrSteps, ErrTasks:
		if in.excess.CompareAndSwap(nil, fail) {
			in.Stop()
		}
	}
}

// limitOf returns the limit that an error is about, or 0.
func limitOf(v Value) ErrKind {
	if v.TypeID() != bytecode.IDLimit {
		return 0
	}
	return ErrKind(loadField(v.p, &bytecode.FixedTypes()[bytecode.IDLimit].Fields[1]).n)
}

// Close cancels all tasks, waits until their defers have run, and ends the workers.
func (in *Instance) Close() {
	in.closing.Store(true)
	in.Stop()
	defer in.dismantle() // also when code of the host that runs here meanwhile ends this goroutine
	in.Drain(context.Background())
}

// Abort is Close that gives defers only a moment, like a call whose time is
// over; code with its own time limit (see EndWithin) gets that time.
func (in *Instance) Abort() {
	in.closing.Store(true)
	in.Stop()
	for begun := time.Now(); in.hasTasks() && time.Since(begun) < Grace; {
		in.untilEmpty(context.Background(), Grace, patience, func(*reactor.Gate) {})
		if in.parting.Load() == 0 {
			break
		}
	}
	in.interruptAll(flagTerminate)
	in.Close()
}

// dismantle ends what runs tasks, of which there are none any more.
func (in *Instance) dismantle() {
	in.mu.Lock()
	checker := in.checker
	in.mu.Unlock()
	if checker != nil {
		checker.Stop()
	}
	in.endReaper()
	in.tellRest()
	in.closed.Store(true)
	in.closeResources()
	in.closePool()
	in.sched.Close()
}

// Closed reports whether Close has ended the instance.
func (in *Instance) Closed() bool { return in.closed.Load() }

// Leaked returns, for each live task, where it was spawned.
func (in *Instance) Leaked() []Frame {
	in.world.stopExternal()
	defer in.world.startExternal()
	var frames []Frame
	in.eachTask(func(t *Task) {
		if f := in.spawnPlace(t); f.File != "" {
			frames = append(frames, f)
		}
	})
	return frames
}
