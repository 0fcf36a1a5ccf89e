package vm

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/host"
)

// Instance is one running copy of a program: its globals, budget and tasks.
type Instance struct {
	// Owner belongs to whoever made the instance.
	Owner any

	prog    atomic.Pointer[Program]
	globals unsafe.Pointer // first of globalList
	ginit   unsafe.Pointer // first of initList
	limits  Limits
	mem     atomic.Int64 // upper bound of live bytes, workers' credits included
	steps   atomic.Int64 // steps left
	// externalBytes is the part of mem that is taken for values on their way from or to
	// hosts, which the tracer does not find.
	externalBytes atomic.Int64
	alive         atomic.Int64 // tasks, when they are limited
	parting       atomic.Int64 // scopes of EndWithin that run

	spared     atomic.Int64 // bytes taken beyond the limit, where none strikes
	failCharge atomic.Int64 // a test has the charge of this number fail; 0: none
	host       *host.Host   // what instances of one configuration share
	observer   Observer
	unhandled  func(*Error)
	soon       bool // unhandled hears of failures while there are handles
	explore    bool
	origins    bool          // of tasks and resources are noted
	race       *raceDetector // nil: races are not looked for

	sched       *reactor.Sched
	workers     []*Worker
	retired     []*Worker // of workers, those that have been detached and are done
	workerCount uint32    // one more than there are: the stride of task numbers
	root        Scope     // the tasks that are in no scope
	world       world
	revoked     int // how many locks had to be taken from their owners; changes while the world is stopped
	stopped     atomic.Bool
	closed      atomic.Bool
	closing     atomic.Bool             // Close has begun
	ends        atomic.Int64            // when all are terminated, by the scheduler's clock; 0: nobody has said
	excess      atomic.Pointer[failure] // of a limit, which has stopped the instance
	starting    atomic.Bool             // the script runs without its main function
	ports       [2]*Chan                // of module host
	lastJob     atomic.Uint64
	retaken     atomic.Int64 // workers in host code without their token

	mu              sync.Mutex
	pool            *iopool.Pool
	blocking        *iopool.Limiter // of its host's functions; made with the pool
	computing       *iopool.Limiter // of jobs that compute; made with the pool
	turns           turns           // of jobs
	resources       resources
	handles         map[uint64]unsafe.Pointer // objects that hosts hold
	lastHandle      uint64
	externalWorkers atomic.Pointer[sync.Pool] // of *Worker: see WithCall; made for the first
	lastRoot        uint32
	roots           []*Task       // that a host waits for, armed
	waitingRoots    atomic.Int64  // how many
	unseen          []*failure    // of tasks in no scope, and nobody was waiting
	tellings        chan struct{} // holds one for each message method that runs; made for the first
	suspects        []*Future     // began to wait for a task that waits too
	checker         *time.Timer
	reaper          reaper
	reports         map[*Future]string // of deadlocks, for those who are told

	counts     []uint64 // how often each word of the code was executed, nil when not counted
	globalList []Value
	initList   []uint8 // globals that have been initialized
}

// Config configures an Instance.
type Config struct {
	Host    *host.Host // nil grants nothing; not to be changed later
	Limits  Limits
	Workers int // tasks that run at the same time; 0: 1
	// Reactor runs the tasks, beside those of other instances; nil: one of the instance's
	// own. Weight is the instance's share of it, compared with others that want it; 0: 1.
	Reactor *reactor.Reactor
	Weight  int
	// Chooser makes the run deterministic: one worker, a virtual clock, and
	// every choice of the scheduler asked of it.
	Chooser reactor.Chooser
	// Explore lets the Chooser preempt tasks often.
	Explore  bool
	Observer Observer
	// Unhandled is called for tasks that have failed and whose handle is gone
	// without having been awaited. It is called on its own goroutine.
	Unhandled func(*Error)
	// UnhandledSoon makes Unhandled be called even while there is a handle,
	// unless somebody awaits the task within a moment: for a session, which
	// keeps every handle.
	UnhandledSoon bool
	// Race detects data races: see Instance.Races. The run is then
	// deterministic, with a default Chooser if none is given.
	Race bool
}

// Limits bound what an instance can use; zero fields mean unlimited, except for Stack and Blocking.
type Limits struct {
	Memory int64 // bytes of live objects
	Steps  int64 // taken jumps, calls, and elements handled by natives
	Stack  int   // registers of one task's stack (16 bytes each); 0 is DefaultStack
	Tasks  int64 // that live at the same time, without those that hosts call
	// CallSteps limits each call by a host, not counting the tasks it spawns.
	// Steps limits everything that an instance ever does.
	CallSteps int64
	// Blocking is how many blocking functions of the host run at the same time;
	// others wait for these. 0 is DefaultBlocking.
	Blocking int
	Time     time.Duration // of each call by a host
}

// DefaultStack allows some 200,000 nested calls of a small function.
const DefaultStack = 1 << 20

// MaxStack is the maximum of Limits.Stack: two gibibytes per task.
const MaxStack = 1 << 27

// MaxWorkers is the maximum of Config.Workers.
const MaxWorkers = 1 << 12

// DefaultBlocking is how many of the process's threads an instance may hold with functions of its host.
const DefaultBlocking = iopool.MaxThreads / 4

// reserveAfterLimit is what defers may use after a limit error.
const (
	reserveMemory = 256 << 10
	reserveSteps  = 100_000
	reserveStack  = 1024
)

// exploreFuel bounds sliceFuel where schedules are explored.
const exploreFuel = 20

// noHost grants nothing.
var noHost host.Host

// NewInstance makes an instance with its globals uninitialized.
func NewInstance(p *Program, c Config) *Instance {
	if c.Host == nil {
		c.Host = &noHost
	}
	if c.Limits.Stack <= 0 {
		c.Limits.Stack = DefaultStack
	}
	c.Limits.Stack = min(c.Limits.Stack, MaxStack)
	if c.Limits.Blocking <= 0 {
		c.Limits.Blocking = DefaultBlocking
	}
	if c.Race {
		c.Explore = true
		if c.Chooser == nil {
			c.Chooser = reactor.Seeded(0)
		}
	}
	if c.Chooser != nil || c.Workers < 1 {
		c.Workers = 1
	}
	c.Workers = min(c.Workers, MaxWorkers)
	in := &Instance{limits: c.Limits, host: c.Host, unhandled: c.Unhandled, soon: c.UnhandledSoon, explore: c.Explore && c.Chooser != nil}
	if c.Observer != nil {
		in.observer = &guardedObserver{asks{in: in}, c.Observer}
	}
	if c.Chooser != nil {
		c.Chooser = &guardedChooser{asks{in: in}, c.Chooser}
	}
	if c.Limits.Steps <= 0 {
		in.steps.Store(math.MaxInt64)
	} else {
		in.steps.Store(c.Limits.Steps)
	}
	in.prog.Store(p)
	in.placeGlobals(len(p.Globals))
	in.root.inst = in
	in.reaper.slice = lookSlice
	in.world.init()
	in.workerCount = uint32(c.Workers) + 1
	if c.Race {
		in.prog.Store(p.unpaired())
		in.race = newRaceDetector(in)
	}
	in.sched = reactor.New(reactor.Options{Workers: c.Workers, Reactor: c.Reactor, Weight: c.Weight, Chooser: c.Chooser, Quiescent: in.quiet, Idle: in.idle, NewData: in.newWorker})
	if c.Chooser != nil {
		h := *in.host
		h.UseClock(in.sched.Now)
		in.host = &h
	}
	return in
}

func (in *Instance) newWorker(rw *reactor.Worker) any {
	w := in.makeWorker()
	w.rw, w.lastID, w.random, w.number = rw, uint32(rw.ID())+1, uint64(rw.ID())+1, uint16(rw.ID()+1)
	w.owns = in.ownerName(rw)
	return w
}

// makeWorker makes a worker that has no place in the scheduler yet.
func (in *Instance) makeWorker() *Worker {
	w := &Worker{inst: in, prog: in.Program(), tables: in.Program().tables, globals: in.globals, ginit: in.ginit, explore: in.explore, race: in.race}
	in.workers = append(in.workers, w)
	return w
}

// CountWords makes the instance count how often it executes each word of its
// code, in a slower loop, and returns the counts. Call it before the instance
// runs; with several workers the counts are not exact.
func (in *Instance) CountWords() []uint64 {
	in.prog.Store(in.Program().unpaired())
	for _, w := range in.workers {
		w.prog, w.tables = in.Program(), in.Program().tables
	}
	in.counts = make([]uint64, in.Program().words)
	return in.counts
}

// Program returns the program that the instance runs.
func (in *Instance) Program() *Program { return in.prog.Load() }

// Limits returns the limits of the instance.
func (in *Instance) Limits() Limits { return in.limits }

// Host returns the host that the instance was given.
func (in *Instance) Host() host.Host { return *in.host }

// Stats returns counts of what the instance's tasks have done. Call it while none is running.
func (in *Instance) Stats() Stats {
	var s Stats
	for _, w := range in.workers {
		s.Spawned += w.stats.Spawned
		s.Ended += w.stats.Ended
		s.Failed += w.stats.Failed
		s.Cancelled += w.stats.Cancelled
		s.Switches += w.stats.Switches
		s.Preempted += w.stats.Preempted
		s.Sends += w.stats.Sends
		s.DeadLetters += w.stats.DeadLetters
		s.Receives += w.stats.Receives
		s.Jobs += w.stats.Jobs
		s.MaxAlive = max(s.MaxAlive, w.stats.MaxAlive)
	}
	if m := in.Program().machine; m != nil {
		s.Compiled, s.MachineCode, s.Exits = m.functions.Load(), m.bytes.Load(), m.exits.reasons()
	}
	in.root.lock.Lock()
	s.Alive = int64(in.root.alive)
	in.root.lock.Unlock()
	in.mu.Lock()
	s.LongestLook = in.reaper.stop
	in.mu.Unlock()
	return s
}

// maxExcesses is how many defers of a task may exceed a reserve: with more, those
// that defer what they are themselves would go on beyond all limits.
const maxExcesses = 100

// relieve grants the reserve that lets defers run after a limit error, once
// for each limit: a defer that exceeds the reserve too is ended at once, and after
// maxExcesses of them no more are run.
func (t *Task) relieve(kind ErrKind) {
	if t.relieved&bitOf(kind) != 0 {
		more := t.extra()
		more.excesses = min(more.excesses+1, maxExcesses)
		return
	}
	t.relieved |= bitOf(kind)
	switch in := t.w.inst; kind {
	case ErrMemory:
		in.mem.Add(-reserveMemory)
	case ErrSteps:
		if in.limits.Steps > 0 && in.steps.Load() < reserveSteps {
			in.steps.Store(reserveSteps)
		}
	}
}

// bitOf is the bit of a limit in Task.relieved.
func bitOf(kind ErrKind) uint8 { return 1 << (kind - ErrMemory) }

// spareShare is the part of the memory limit that must be free after a trace.
// With less a script whose memory is all but full would spend its time tracing.
const spareShare = 32

// refillCredit takes another share of the instance's memory budget, tracing
// what is alive when the budget seems used up.
func (w *Worker) refillCredit(n int) {
	in := w.inst
	if n >= longBytes {
		w.lend()
	}
	if in.failCharge.Load() > 0 {
		w.failNth(n)
		return
	}
	if w.external != nil {
		w.refillExternal(n)
		return
	}
	if in.limits.Memory <= 0 {
		w.refillUnlimited(n)
		return
	}
	short := -w.credit // what the failed charge lacks, > 0
	if int64(n) > in.limits.Memory || short > in.limits.Memory {
		if w.overdraws(short) {
			return
		}
		w.credit += int64(n)
		throw(ErrMemory, "the memory limit of %s is reached", sizeText(in.limits.Memory))
	}
	want := min(max(short, creditChunk), in.limits.Memory)
	if in.mem.Add(want) <= in.limits.Memory {
		w.credit += want
		return
	}
	if in.excess.Load() != nil { // the instance ends: nobody need look again
		in.mem.Add(-want)
		w.credit = 0
		throw(ErrMemory, "the memory limit of %s is reached", sizeText(in.limits.Memory))
	}
	most := in.limits.Memory - in.limits.Memory/spareShare - int64(n)
	live := w.liveBytes(most)
	w.credit = -int64(n)
	if live > most {
		if w.overdraws(int64(n)) {
			return
		}
		w.credit = 0
		throw(ErrMemory, "the memory limit of %s is reached", sizeText(in.limits.Memory))
	}
	in.spared.Store(0)
	grant := min(in.limits.Memory-live, max(int64(n), creditChunk))
	in.mem.Add(grant)
	w.credit += grant
}

// refillUnlimited is refillCredit where only message methods are bounded.
func (w *Worker) refillUnlimited(n int) {
	took := creditChunk - w.credit
	w.credit = creditChunk
	if w.current == nil || w.current.more == nil || w.current.more.host == nil {
		return
	}
	if told := w.current.more.host.telling; told != nil && told.overspent(took) {
		throw(ErrMemory, "it would take more than %s", sizeText(tellingMemory))
	}
}

// failNth grants just what is asked for, so that every charge comes here, and
// fails the one that a test has chosen.
func (w *Worker) failNth(n int) {
	w.credit = 0
	if in := w.inst; in.failCharge.Add(-1) == 0 {
		if w.current != nil && w.current.whole() {
			in.failCharge.Store(1) // the next one
			return
		}
		throw(ErrMemory, "the memory limit of %s is reached", sizeText(in.limits.Memory))
	}
}

// liveBytes stops all tasks, traces what the instance's globals and they reach,
// and sets the account to that. What other workers had paid for in advance is
// paid for again. If that is more than there should be, tasks forget what is left in
// registers that they will not read.
func (w *Worker) liveBytes(most int64) int64 {
	in := w.inst
	w.stopWorld()
	defer in.world.start()
	live := in.traceLive()
	if live > most && in.forgetDead() > 0 {
		live = in.traceLive()
	}
	in.mem.Store(live)
	return live
}

// traceLive is liveBytes in a stopped world.
func (in *Instance) traceLive() int64 {
	h, stacks := in.heapRoots()
	live := stacks + in.externalBytes.Load()
	for _, w := range in.workers {
		w.credit = min(w.credit, 0)
		live += w.nativeBytes
	}
	return live + h.run()
}

// heapRoots begins a walk through all that the globals and tasks reach, and
// returns the size of the tasks. The world is stopped.
func (in *Instance) heapRoots() (h *heapTracer, stacks int64) {
	h = newHeapTracer(in.Program())
	in.mu.Lock()
	stacks = h.instance(in)
	in.mu.Unlock()
	in.eachTask(func(t *Task) {
		h.roots(t.regs())
		stacks += h.task(t)
	})
	return h, stacks
}

// instance adds what an instance refers to apart from its tasks, and gives its
// size. The instance's lock is held.
func (h *heapTracer) instance(in *Instance) (size int64) {
	h.roots(in.globalList)
	h.pointers(in.handleRoots())
	for _, w := range in.workers {
		h.pointers(w.pins)
	}
	for _, fail := range in.unseen {
		if fail.wasSeen() {
			continue // of no interest any more
		}
		h.word(unsafe.Pointer(&fail.val.p))
		size += int64(failureSize(len(fail.trace)))
	}
	return size
}

// task adds what a task refers to apart from its registers, and gives its size.
func (h *heapTracer) task(t *Task) (size int64) {
	size = int64(taskSize)
	if t.slots() > inlineSlots {
		size += int64(t.slots()) * 16
	}
	h.word(unsafe.Pointer(&t.future))
	for s := t.scope; s != nil && s.owner == t; s = s.parent { // whose body it runs
		size += int64(scopeSize)
		s.lock.Lock() // who stops the instance from outside does not wait for the trace
		if s.timer != nil {
			size += int64(deadlineSize)
		}
		if s.fail != nil {
			h.word(unsafe.Pointer(&s.fail.val.p))
		}
		s.lock.Unlock()
	}
	more := t.more
	if more == nil {
		return size
	}
	size += int64(unsafe.Sizeof(*more)) + int64(cap(more.arms))*int64(unsafe.Sizeof(waiter{}))
	for l := more.locals; l != nil; l = l.next {
		h.word(unsafe.Pointer(&l.val.p))
	}
	size += int64(cap(more.defers) * deferredSize)
	if more.job != nil {
		size += int64(more.job.Charge)
	}
	h.deferred(more.defers)
	if more.fail != nil && h.live == nil { // who has caught it has it in a register, if it is needed
		h.word(unsafe.Pointer(&more.fail.val.p))
		size += int64(failureSize(len(more.fail.trace)))
	}
	return size
}
