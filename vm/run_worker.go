package vm

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
)

// Worker runs an instance's tasks, one at a time, on a worker of the scheduler.
// Only the goroutine that holds that worker uses it.
type Worker struct {
	inst        *Instance
	prog        *Program
	tables      tables // the program's, for the loop
	rw          *reactor.Worker
	globals     unsafe.Pointer // the instance's
	ginit       unsafe.Pointer
	race        *raceDetector    // the instance's
	current     *Task            // the one that runs, or &idleTask
	credit      int64            // bytes paid for in advance
	nativeBytes int64            // bytes in use that are not objects: see hold
	pins        []unsafe.Pointer // objects a native is still building
	found       place            // where a map had the key that was read last
	call        Call             // reused for every native call
	scratch     []byte           // for text under construction
	frames      []Frame          // for a trace under construction
	spare       *Task            // ended tasks to be used again, linked by next
	spares      int
	spareRoot   *Task   // of a host's call, to be used again
	spareFuture *Future // to be used again
	lastID      uint32  // of the tasks that started here
	number      uint16  // its own among the scheduler's, from 1
	owns        uint32  // the name by which locks know their owner; 0: it owns none
	random      uint64  // state of choose
	explore     bool    // schedules are explored: see exploreSwitch

	hostCode   hostCode
	spareStack []Value               // of a task that has given it back, cleared
	detachable bool                  // a helper runs that may take long: see detach
	long       int64                 // steps that it has made at looks
	handBack   func(p *reactor.Proc) // when detached: makes the task ready again
	stats      workerStats
	external   *externalCall // of one without tasks: see WithCall

	machine, machineSpare *machineContext // in use, the innermost call of machine code first; to be used
}

// workerStats are those Stats that each worker counts.
type workerStats struct {
	Spawned, Ended, Failed, Cancelled, MaxAlive             int64
	Switches, Preempted, Sends, Receives, Jobs, DeadLetters int64
}

// idleTask is what workers run that have nothing to run: its exit code ends the loop. Nobody
// writes to it.
var idleTask = Task{exit: exitIdle}

// slowPaths reports whether schedules are explored or races are looked for: then
// nothing is cut short.
func (w *Worker) slowPaths() bool { return w.explore || w.race != nil }

// taskClass runs script tasks.
var taskClass = &reactor.Class{}

func init() {
	taskClass.Run = func(rw *reactor.Worker, p *reactor.Proc) {
		rw.Data.(*Worker).runFrom((*Task)(unsafe.Pointer(p)))
	}
}

// runFrom runs a ready task and then whatever is ready, until nothing is.
func (w *Worker) runFrom(t *Task) {
	w.enterWorld()
	w.runInside(t, nil)
}

// runInside is runFrom for a worker that has entered the world already. The root, if
// any, is that for which a host has lent its goroutine.
func (w *Worker) runInside(t, root *Task) {
	in := w.inst
	w.current = t
	t.w = w
	w.guarded((*Worker).begin, root)
	for w.current != &idleTask || w.handBack != nil {
		switch t := w.current; {
		case w.handBack != nil:
			in.world.leave()
			w.call.base = nil
			w.retire()
			return
		case t == nil:
			w.guarded(func(w *Worker, _ *Task) { w.next() }, root)
		case t.exit == exitFailed:
			w.failed(t)
		default:
			w.guarded(nil, root)
		}
	}
	w.call.base = nil // of a task that may have ended
	if root == nil && w.spareRoot != nil && !in.sched.Deterministic() {
		w.sharesRoot()
	}
	w.shareMachine()
	in.world.leave()
}

// guarded does something first and then runs tasks until none is ready, or one
// fails, or a helper throws: the error has then been raised in the task that
// ran.
func (w *Worker) guarded(first func(*Worker, *Task), root *Task) {
	returned, machine := false, w.machine
	defer func() {
		if returned {
			return
		}
		w.leaveMachine(machine)
		e := recover()
		if e == nil {
			w.exited(root)
			return
		}
		if w.hostCode.left {
			e = w.hostPanicked(e)
		}
		w.unpin() // by who is at home: others look at what is pinned
		w.detachable = false
		t := w.current
		if t == &idleTask {
			return // what ran is not a task: see next
		}
		switch e := e.(type) {
		case *thrown:
			t.raise(e)
		case runtime.Error:
			t.abort(e)
		default:
			t.abort(fmt.Errorf("%v", e))
		}
	}()
	if first != nil {
		first(w, w.current)
	}
	if t := w.current; t.exit == exitNone {
		switch {
		case w.inst.counts != nil:
			runCounted(t)
		case w.race != nil:
			runRace(t)
		default:
			run(t)
		}
	}
	returned = true
}

// next takes the next ready task; without one it gives the idle one, whose
// exit code ends run.
func (w *Worker) next() *Task {
	in := w.inst
	if w.handBack != nil { // another has its place
		w.current = &idleTask
		return &idleTask
	}
	if in.world.pausing.Load() {
		w.waitForWorld()
	}
	for {
		p := w.rw.Pick()
		switch {
		case p == nil:
			w.current = &idleTask
			return &idleTask
		case p.Class() == taskClass:
			p.MarkRunning()
			t := (*Task)(unsafe.Pointer(p))
			t.w = w
			w.current = t
			w.begin(t)
			return t
		default: // what it does may wait for a stop of the world to end
			w.current = &idleTask
			in.world.leave()
			w.rw.Run(p)
			w.enterWorld()
		}
	}
}

// begin lets a task go on that was suspended.
func (w *Worker) begin(t *Task) {
	w.stats.Switches++
	w.patched()
	if w.inst.observer != nil {
		w.observeRun(t)
	}
	if w.race != nil {
		w.race.begin(t)
	}
	if t.woken != wokenServed {
		t.resume()
	} else if t.waits > waitSleep && t.waits != waitLock { // who is to try a lock again needs to know
		t.waits, t.wait.on = waitNothing, nil
	}
}

// wake makes a claimed task ready, from a worker or (nil) from outside.
func (in *Instance) wake(w *Worker, t *Task) {
	if in.observer != nil {
		in.observeWake(w, t)
	}
	if w != nil && w.handBack == nil {
		w.rw.Wake(&t.Proc)
	} else {
		in.sched.Inject(&t.Proc)
	}
}

// wakeLast makes a claimed task ready behind those that are, from a worker of
// the scheduler or (nil) from outside.
func (in *Instance) wakeLast(rw *reactor.Worker, t *Task) {
	if in.observer != nil {
		in.observeWake(nil, t)
	}
	in.sched.Ready(rw, &t.Proc)
}

// opDone ends the task whose first function has returned.
func opDone(t *Task) *Task {
	f := t.future
	t.w.end(t, futureDone, pack(f.Aux, t.reg(0)))
	return t.w.next()
}

// failed ends a task with an uncaught error.
func (w *Worker) failed(t *Task) {
	state := futureFailed
	if t.wasCancelled(t.more.fail.val) {
		state = futureCancelled
	}
	w.end(t, state, Value{})
	w.current = nil
}

// opOutOfFuel looks at limits, flags and the clock at a jump or call that has
// been made: an error is blamed on the instruction it leads to.
func opOutOfFuel(t *Task) *Task {
	t.sample()
	t.pc += 8
	t.refuel()
	t.pc -= 8
	w := t.w
	overdue := w.rw.Overdue()
	if t.flags.Load()&(flagKill|flagScope) != 0 {
		// One that catches its cancel again and again must not keep others from
		// running: every other time they come first.
		more := t.extra()
		if more.gaveWay = overdue && !more.gaveWay; !more.gaveWay {
			t.cancelAtLoop()
		}
	}
	if w.race != nil {
		w.race.tidy(w.inst)
	}
	if !overdue {
		return t
	}
	w.preempt(t)
	return w.next()
}

// preempt puts a task that runs behind all that are ready.
func (w *Worker) preempt(t *Task) {
	w.stats.Preempted++
	if w.inst.observer != nil {
		w.observe(Event{Kind: TaskStops, Task: t.future.taskID(), Why: "preempted"})
	}
	if t.more != nil && t.more.host != nil {
		w.inst.arm(t)
	}
	w.rw.Yield(&t.Proc)
}

// exploreSwitch lets others run before the instruction at hand where schedules are
// explored and the chooser says so.
func (t *Task) exploreSwitch() bool {
	w := t.w
	if !w.rw.Waiting() || w.inst.sched.Chooser().Choose(4) != 0 {
		return false
	}
	t.pc -= 8
	w.preempt(t)
	return true
}

// loops pays for a jump that a helper has made.
func (t *Task) loops() *Task {
	if t.fuel--; t.fuel < 0 {
		return opOutOfFuel(t)
	}
	return t
}

// refuel charges the steps made and looks whether the host stops the task.
func (t *Task) refuel() {
	in := t.w.inst
	used := int64(t.slice) - int64(t.fuel)
	t.slice = sliceFuel
	if t.w.pressed() {
		t.slice = shortFuel
	}
	if t.w.explore {
		t.slice = int32(1 + in.sched.Chooser().Choose(exploreFuel))
	}
	if left := in.steps.Add(-used); in.limits.Steps > 0 {
		if left <= 0 && !t.spared(used) {
			t.fuel = t.slice
			throw(ErrSteps, "the limit of %d steps is reached", in.limits.Steps)
		}
		t.slice = int32(max(0, min(int64(t.slice), left)))
	}
	t.fuel = t.slice
	t.look(used)
}

// look lets memory be traced and throws where the task is to end. A cancel counts
// only in what has gone on for long: other code is not cut, see cancelAtLoop.
// used are the steps made since the last look.
func (t *Task) look(used int64) {
	in := t.w.inst
	if in.world.pausing.Load() {
		t.w.waitForWorld()
	}
	if t.more != nil && t.more.host != nil {
		t.overtime(used)
	}
	if t.more != nil && t.more.tall {
		t.checkStack()
	}
	asks := uint32(flagStop | flagTerminate)
	if t.w.long += used; t.w.detachable && t.w.long >= longWork {
		asks |= flagKill | flagScope
	}
	if t.flags.Load()&asks != 0 && !t.spared(used) {
		t.interrupted()
	}
}
