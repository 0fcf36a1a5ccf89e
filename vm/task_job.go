package vm

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/host"
)

// Blocking is work of a native that waits for something outside: it runs on a
// thread of the IO pool, and only its task waits for it.
//
//	task:  native ── Await ─┄┄ suspended ┄┄─ Finish, in the task
//	pool:              └────── Work ──────┘
//
// Work must not touch the script's objects, except texts that it may read
// because they never change.
type Blocking struct {
	Name string // for traces
	// Charge is the memory that Work fills: it is charged in advance, and counts
	// as in use until Finish has returned.
	Charge int
	// Parks says that Work waits in Go's scheduler, for a connection or a
	// channel, and holds no thread: any number may wait so at the same time.
	Parks bool
	// Foreign says that Work is code of the host, which may hold a thread for
	// any time. Limits.Blocking bounds how many run at a time.
	Foreign bool
	// Computes says that Work keeps a core busy; at most one per core runs at a time.
	Computes bool
	// Work blocks. Its context ends when the task is cancelled, which does not
	// wait for it.
	Work func(ctx context.Context) (any, error)
	// Finish sets the native's result, throws, Awaits more work, or calls Again
	// to have the native called again.
	Finish func(c *Call, value any, err error)
	// Drop, if set, releases what Work has opened if Finish is not called or
	// throws. It is called after Work has ended, or instead of it.
	Drop func()
}

// job is Blocking on its way.
type job struct {
	Blocking
	inst     *Instance
	task     *Task
	base     uint32 // of the native's arguments in the stack
	cancel   context.CancelFunc
	expected *reactor.Expected
	owner    uint64 // number of the task
	number   uint64 // of the job, for the observer
	turn     turn

	mu    sync.Mutex
	state jobState
	epoch uint64 // the suspension that waits for it
	value any
	err   error
}

type jobState uint8

const (
	jobNew       jobState = iota // asked for by the Finish of another
	jobRuns                      // handed to the pool
	jobDone                      // Finish is called next
	jobAbandoned                 // the task does not wait any more
)

// Block is Await for work that neither needs memory nor opens anything.
func (c *Call) Block(name string, work func(ctx context.Context) (any, error), finish func(c *Call, value any, err error)) {
	c.Await(Blocking{Name: name, Work: work, Finish: finish})
}

// Await starts blocking work; the native, or the Finish that calls it, must return right after.
func (c *Call) Await(b Blocking) {
	if !c.w.prog.blocking[c.ref.Name] {
		panic("vm: " + c.ref.Name + " is not registered as blocking")
	}
	if b.Charge > 0 {
		c.w.chargeObject(b.Charge)
	}
	t := c.t
	more := t.extra()
	j := &job{Blocking: b, inst: c.w.inst, task: t, owner: t.future.taskID()}
	j.base = t.offset(uintptr(c.base) - uintptr(t.stack) - uintptr(t.delta))
	if more.job != nil { // it finishes: see finishJob
		more.job = j
		return
	}
	t.checkpoint()
	more.job = j
	c.takeUp(j)
}

// Again makes the native be called again when its Finish has returned. The arguments must be unchanged.
func (c *Call) Again() { c.t.retry() }

// takeUp begins or continues to wait for a job.
func (c *Call) takeUp(j *job) {
	t, w, in := c.t, c.w, c.w.inst
	if w.handBack != nil { // it cannot wait where it is: it comes again on a worker
		t.retry()
		return
	}
	j.mu.Lock()
	was := j.state
	if was == jobDone { // since the wait was broken off
		j.mu.Unlock()
		t.finishJob()
		return
	}
	var ctx context.Context
	if was == jobNew {
		j.state = jobRuns
		ctx, j.cancel = context.WithCancel(context.Background())
		if j.Parks || j.Foreign {
			j.expected = in.sched.ExpectLate()
		} else {
			j.expected = in.sched.Expect()
		}
		j.number = in.jobBegins(j.owner, j.Name)
		w.stats.Jobs++
	}
	epoch := t.NextEpoch()
	j.epoch = epoch
	t.waits, t.woken = waitJob, wokenJob
	mask := t.suspend()
	j.mu.Unlock()
	if was == jobNew {
		submit := in.ioPool().Submit
		if j.Parks || j.Foreign || j.Computes { // the pool's workers are for what the system does
			submit = in.ioPool().Park
		}
		if err := submit(ctx, in.observed(j.owner, j.number, j.Name, in.limited(j)), j.done); err != nil {
			j.done(nil, err)
		}
		if !j.Parks && !in.sched.Deterministic() {
			runtime.Gosched() // the goroutine that does the job is next on this processor; most are done at once
		}
	}
	w.detachable = false // what runs next is not part of the native
	c.next = w.parked(t, epoch, mask)
}

// done takes the outcome of the work.
func (j *job) done(value any, err error) {
	j.cancel()
	j.inst.turns.over(&j.turn)
	j.mu.Lock()
	if j.state == jobAbandoned {
		j.mu.Unlock()
		j.drop()
		return
	}
	j.value, j.err, j.state = value, err, jobDone
	j.mu.Unlock()
	j.expected.Deliver(func(rw *reactor.Worker) {
		j.inst.jobEnds(j.owner, j.number, j.Name)
		j.mu.Lock()
		won := j.task.Claim(j.epoch)
		j.mu.Unlock()
		if won {
			j.inst.wakeLast(rw, j.task)
		}
	})
}

func (j *job) drop() {
	if j.Drop != nil {
		host.Guarded(func() error { j.Drop(); return nil }) // what it gives back is the host's
	}
}

// finishJob continues the native whose work is done.
func (t *Task) finishJob() {
	j := t.more.job
	c := &t.w.call
	c.t, c.w = t, t.w
	c.base = unsafe.Pointer(t.slot(j.base))
	c.ref = &t.w.prog.Natives[t.opB()]
	finished := false
	defer func() {
		if !finished {
			t.more.job = nil
			j.drop()
		}
	}()
	var panicked *iopool.PanicError
	if errors.As(j.err, &panicked) {
		cause := &host.Panic{Value: panicked.Value, Stack: panicked.Stack}
		panic(&thrown{kind: ErrIO, text: j.Name + ": " + cause.Error(), cause: cause})
	}
	j.Finish(c, j.value, j.err)
	finished = true
	if t.more.job == j {
		t.more.job = nil
	} else {
		t.retry() // which takes the next one up
	}
	t.w.unpin()
}

// jobBrokenOff throws what a cancellation asks for and abandons the job; if it
// was not meant for this wait after all, the task continues to wait for the
// job.
func (t *Task) jobBrokenOff() {
	waits := false
	defer func() {
		if !waits {
			t.abandonJob()
		}
	}()
	t.interrupted()
	waits = true
	t.retry()
}

// abandonJob ends the job's context. The job no longer counts as something that is waited for.
func (t *Task) abandonJob() {
	j := t.more.job
	t.more.job = nil
	j.mu.Lock()
	was := j.state
	j.state = jobAbandoned
	j.mu.Unlock()
	if was != jobRuns {
		j.drop()
		return
	}
	j.cancel()
	j.inst.turns.over(&j.turn)
	j.expected.Deliver(func(*reactor.Worker) { j.inst.jobEnds(j.owner, j.number, j.Name) })
}

// ioPool is made when something blocks. Its queue is bounded by the number of tasks.
func (in *Instance) ioPool() *iopool.Pool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.pool == nil {
		in.pool = iopool.New(iopool.Options{MaxQueue: math.MaxInt})
		in.blocking = iopool.NewLimiter(in.limits.Blocking)
		in.computing = iopool.NewLimiter(runtime.GOMAXPROCS(0))
	}
	return in.pool
}

// limited makes the work of a job wait until the limiter admits it.
func (in *Instance) limited(j *job) iopool.Work {
	work := in.inTurn(j)
	switch {
	case j.Parks:
		return work
	case j.Foreign:
		return iopool.Limit(work, in.blocking, iopool.Hosts, iopool.Threads)
	case j.Computes: // other instances do not wait for all that this one has to compute
		return iopool.Limit(work, in.computing, iopool.Cores)
	}
	return iopool.Limit(work, iopool.Threads)
}

// abandonedGrace is how long the end of an instance waits for work that no task
// waits for and that ignores its context.
const abandonedGrace = 100 * time.Millisecond

// closePool ends the pool. All tasks have ended.
func (in *Instance) closePool() {
	in.mu.Lock()
	pool := in.pool
	in.mu.Unlock()
	if pool == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), abandonedGrace)
	defer cancel()
	pool.Close(ctx)
}

// turns runs the jobs of a deterministic run one after another, in the order in
// which they were requested, so that what they do to each other's files does
// not depend on how long each takes. An abandoned job delays nobody.
type turns struct {
	mu    sync.Mutex
	queue []*turn
}

type turn struct {
	came chan struct{} // closed when it is this one's turn; nil in a parallel run
	over bool
}

func (ts *turns) add(t *turn) {
	t.came = make(chan struct{})
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.queue = append(ts.queue, t); len(ts.queue) == 1 {
		close(t.came)
	}
}

func (ts *turns) over(t *turn) {
	if t.came == nil {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t.over {
		return
	}
	t.over = true
	moved := false
	for len(ts.queue) > 0 && ts.queue[0].over {
		ts.queue[0], ts.queue, moved = nil, ts.queue[1:], true
	}
	if moved && len(ts.queue) > 0 {
		close(ts.queue[0].came)
	}
}

// inTurn makes the work wait for its turn in a deterministic run.
func (in *Instance) inTurn(j *job) iopool.Work {
	if !in.sched.Deterministic() || j.Parks || j.Foreign {
		return j.Work
	}
	in.turns.add(&j.turn)
	return func(ctx context.Context) (any, error) {
		select {
		case <-j.turn.came:
			return j.Work(ctx)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// NewFill makes a str or bytes for Work to fill before the script sees it. Its
// FillSize(n) bytes must be in Charge.
func NewFill(id uint32, n int) (*Str, []byte) { return allocStr(id, n) }

// FillSize returns the memory that a str or bytes of n bytes takes.
func FillSize(n int) int { return strSize(n) }
