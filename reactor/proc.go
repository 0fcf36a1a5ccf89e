// Package reactor schedules processes on a few workers. It knows nothing about
// any language: a process is an intrusive header with a state word and a way to
// be run.
//
// A Sched is a set of processes with its own queues, limits and quiescence. A Reactor
// runs the processes of many of them fairly, on as many goroutines as there are processors.
// Within a Sched:
//
//	spawn, wake ──> next slot / ring of the worker ──> run
//	                     │ overflow, yields            │ suspends: a waiter record somewhere
//	                     └──> global queue <── injector ── timers, completions, hosts
//
// Whatever two processes settle between themselves happens on the worker that
// runs one of them; timers, completions and everything from outside come
// through the global queue.
//
// A Sched runs anything that embeds a Proc. Package process runs state machines
// written in Go on it, with identifiers, mailboxes, links and monitors.
package reactor

import "sync/atomic"

// Proc is the scheduler's part of a process, embedded in it as its first field.
type Proc struct {
	next  *Proc // queue link
	state atomic.Uint64
	class *Class
}

// Class defines how a kind of process is run.
type Class struct {
	// Run runs a ready process on a worker until there is nothing more to do
	// for it there: it is suspended, queued again or complete. It may go on
	// with processes it takes with Worker.Pick, those of another class it
	// gives to Worker.Run.
	Run func(w *Worker, p *Proc)
}

// Status is the status of a process, in the low bits of its state word. The
// bits above are the epoch: it counts suspensions, so that a waker of an
// earlier suspension can be told from one of the current suspension.
//
//	Ready ──> Running ──> Suspended ──> claimed ──> Running
//	             └──> Ready (yield), Completed
//
// In each status the process has one owner: the queue, the worker, nobody
// (Suspended), the waker that claimed it and then a queue. Only Suspended ->
// claimed is contended, so only that transition is a compare-and-swap.
type Status uint8

// The statuses of a process.
const (
	Ready     Status = iota // in a queue, or woken and about to be
	Running                 // on a worker
	Suspended               // waits; whoever claims the epoch may write into it
	Completed
	claimed // a waker is writing its result, or it is in a queue since
)

// String names the status.
func (s Status) String() string {
	switch s {
	case Ready:
		return "ready"
	case Running:
		return "running"
	case Suspended:
		return "suspended"
	}
	return "completed"
}

const (
	statusMask = 0x7f
	fresh      = 0x80 // not yet run in this life: choosers tell lives apart by it
	epochShift = 8
)

// InitProc prepares a process before it is first made ready. The epoch
// continues from the previous process in the same memory.
func (p *Proc) InitProc(c *Class) {
	p.class = c
	releaseStore64(&p.state, p.state.Load()>>epochShift<<epochShift|fresh|uint64(Ready))
}

// Class of the process.
func (p *Proc) Class() *Class { return p.class }

// Status of the process now.
func (p *Proc) Status() Status {
	if s := Status(p.state.Load() & statusMask); s != claimed {
		return s
	}
	return Ready
}

// Epoch returns the epoch of the current or last suspension. It has 56 bits, so
// it cannot wrap around while a waiter record is left over, whatever a program
// does.
func (p *Proc) Epoch() uint64 { return p.state.Load() >> epochShift }

// Suspend begins a suspension and returns its epoch. The process itself calls
// it when its state is saved, before releasing the lock under which its waiter
// record became visible. A wake can therefore not come too early, and after the
// release the caller must not touch the process: it may run elsewhere. Suspend
// is a fence: a flag raised before a Claim that came too early is visible after
// Suspend.
func (p *Proc) Suspend() uint64 {
	e := p.state.Load()>>epochShift + 1
	p.state.Store(e<<epochShift | uint64(Suspended))
	return e
}

// NextEpoch returns the epoch that Suspend will return, for waiter records made before it.
func (p *Proc) NextEpoch() uint64 { return p.state.Load()>>epochShift + 1 }

// Claim tries to win the right to end the suspension of the epoch: the winner
// writes the result into the process and then makes it ready. It fails if
// somebody else has won or the process has resumed.
func (p *Proc) Claim(epoch uint64) bool {
	at := epoch << epochShift
	return p.state.CompareAndSwap(at|uint64(Suspended), at|uint64(claimed))
}

// waits reports whether the suspension of the epoch has not been ended.
func (p *Proc) waits(epoch uint64) bool {
	return p.state.Load() == epoch<<epochShift|uint64(Suspended)
}

// setStatus is for the one who owns the process at the moment. Nobody decides
// anything by what it writes, so it need not be an exchange, only in order.
func (p *Proc) setStatus(s Status) {
	releaseStore64(&p.state, p.state.Load()&^statusMask|uint64(s))
}

// MarkRunning is called by a Class that takes a process over with Pick.
func (p *Proc) MarkRunning() { p.setStatus(Running) }

// Complete ends the process; the epoch advances, so that leftover wakers find
// nothing when the memory is reused.
func (p *Proc) Complete() {
	releaseStore64(&p.state, (p.state.Load()>>epochShift+1)<<epochShift|uint64(Completed))
}

// takeFresh reports once per life whether the process has not run yet.
func (p *Proc) takeFresh() bool {
	s := p.state.Load()
	if s&fresh != 0 {
		p.state.Store(s &^ fresh)
	}
	return s&fresh != 0
}
