package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/internal/fasttrack"
)

// raceDetector looks for data races of a run. Such a run is deterministic and so
// has one worker, which alone uses the watch: nothing here needs a lock, and
// what is found once is found again with the same choices. The loop runRace
// tells of accesses, before it makes them; where tasks wait for each other they
// tell what happens before what.
type raceDetector struct {
	d       *fasttrack.Detector
	prog    *Program
	library []bool         // by word of the code
	natives []nativeAccess // by index of the program's natives; nil: none
	ended   map[*Future]fasttrack.Clock
	scopes  map[*Scope]*fasttrack.Sync
	host    fasttrack.Sync    // calls by the host come one after the other
	most    int               // known objects at which to look for dead ones
	actors  map[uint64]string // their names, by the task
	globals unsafe.Pointer
	ginit   unsafe.Pointer
	found   []Race
	seen    map[[2]raceSide]struct{}
}

// raceTask is a task as the detector sees it.
type raceTask struct {
	thread *fasttrack.Thread
	told   fasttrack.Sync // by those who have cancelled it
}

// fewestForgotten is the number of objects from which on dead ones are forgotten.
const fewestForgotten = 1 << 16

func newRaceDetector(in *Instance) *raceDetector {
	r := &raceDetector{
		prog: in.Program(), ended: map[*Future]fasttrack.Clock{}, scopes: map[*Scope]*fasttrack.Sync{}, most: fewestForgotten,
		globals: in.globals, ginit: in.ginit, seen: map[[2]raceSide]struct{}{}, actors: map[uint64]string{},
	}
	r.d = fasttrack.New(r.report)
	r.library = make([]bool, len(in.Program().Code)+1)
	for i := range in.Program().Funcs {
		f := &in.Program().Funcs[i]
		if in.Program().Files[f.File].Std {
			for w := f.Start; w < f.End; w++ {
				r.library[w] = true
			}
		}
	}
	for i := range in.Program().Natives {
		r.natives = append(r.natives, accessOf(in.Program(), &in.Program().Natives[i]))
	}
	return r
}

// racePlace is the place that a report names for what the task does now: in the
// user's own code, from where the library was called.
func (t *Task) racePlace() uint32 {
	r := t.w.race
	pc, delta := t.pc, t.delta
	for r.library[pc/8-1] {
		link := t.slot(delta - 16)
		if link.n == 0 {
			return t.pc
		}
		pc = t.returnPoint(uint32(link.n >> 32))
		delta -= uint32(link.n)
	}
	return pc
}

// ---- threads ----

func (t *Task) thread() *fasttrack.Thread { return t.more.race.thread }

// begin makes the thread of a task that a host has started.
func (r *raceDetector) begin(t *Task) {
	if t.more != nil && t.more.race != nil {
		return
	}
	th := r.d.Start(fasttrack.Origin{ID: t.future.taskID(), Func: t.pc})
	r.host.Acquire(th)
	r.setThread(t, th)
}

// spawn makes the thread of task c, which t starts.
func (r *raceDetector) spawn(t, c *Task) {
	at := fasttrack.Origin{ID: c.future.taskID(), Func: c.pc, At: t.racePlace()}
	r.setThread(c, t.thread().Spawn(at))
	if name, ok := c.actor(); ok {
		r.actors[c.future.taskID()] = name
	}
}

func (r *raceDetector) setThread(t *Task, th *fasttrack.Thread) {
	if t.more == nil {
		t.more = &taskMore{}
	}
	t.more.race = &raceTask{thread: th}
}

// end records the end of a task for all threads that may observe it.
func (r *raceDetector) end(t *Task, state uint32) {
	c := t.thread().End()
	host := t.future.Type == bytecode.IDInvalid
	if !host {
		r.ended[t.future] = c
	}
	if t.home.owner != nil {
		r.scope(t.home).Add(c)
	} else if host || state == futureFailed {
		r.host.Add(c) // the host sees the result, or the error that nobody has awaited
	}
}

// awaited tells t that a task has ended.
func (r *raceDetector) awaited(t *Task, f *Future) {
	if f.promise {
		r.d.Sync(unsafe.Pointer(f)).Acquire(t.thread())
		return
	}
	t.thread().Acquire(r.ended[f])
}

// settled tells all who await a promise what t has done.
func (r *raceDetector) settled(f *Future, t *Task) { r.d.Sync(unsafe.Pointer(f)).Release(t.thread()) }

// ---- scopes ----

func (r *raceDetector) scope(s *Scope) *fasttrack.Sync {
	told := r.scopes[s]
	if told == nil {
		told = &fasttrack.Sync{}
		r.scopes[s] = told
	}
	return told
}

// leave tells t that the tasks of a scope have ended.
func (r *raceDetector) leave(t *Task, s *Scope) {
	if told := r.scopes[s]; told != nil {
		told.Acquire(t.thread())
		delete(r.scopes, s)
	}
}

// abandon forgets a scope for whose tasks nobody waits any more.
func (r *raceDetector) abandon(s *Scope) { delete(r.scopes, s) }

// interrupt tells t what the task has done that runs now and cancels it.
func (r *raceDetector) interrupt(w *Worker, t *Task) {
	if w == nil || t.more == nil || t.more.race == nil {
		return
	}
	if by := w.current; by != nil && by.more != nil && by.more.race != nil { // none runs at a deadline
		t.more.race.told.Join(by.thread())
	}
}

// interrupted is called where t notices that it has been cancelled.
func (r *raceDetector) interrupted(t *Task) {
	t.more.race.told.Acquire(t.thread())
	r.host.Acquire(t.thread())
}

// ---- channels and mutexes ----

func (r *raceDetector) channel(c *Chan) *fasttrack.Channel {
	return r.d.Channel(unsafe.Pointer(c), c.room)
}

// sent: t has sent over c, and x, if any, was the receiver that waited.
func (r *raceDetector) sent(c *Chan, t *Task, x *waiter) {
	if x == nil {
		r.channel(c).Send(t.thread())
	} else {
		r.channel(c).Pass(t.thread(), x.task.thread())
	}
}

// received: t has received from c. The sender x, if any, waited: it gave its
// value to t, or has put it where the one that t took has been.
func (r *raceDetector) received(c *Chan, t *Task, x *waiter) {
	switch {
	case x == nil:
		r.channel(c).Receive(t.thread())
	case c.room == 0:
		r.channel(c).Pass(x.task.thread(), t.thread())
	default:
		r.channel(c).Receive(t.thread())
		r.channel(c).Send(x.task.thread())
	}
}

func (r *raceDetector) closes(c *Chan, t *Task) { r.channel(c).Close(t.thread()) }

// closed: t has found that c is closed.
func (r *raceDetector) closed(c *Chan, t *Task) { r.channel(c).Closed(t.thread()) }

func (r *raceDetector) locked(m *Mutex, t *Task) { r.d.Sync(unsafe.Pointer(m)).Acquire(t.thread()) }

func (r *raceDetector) unlocked(m *Mutex, t *Task) { r.d.Sync(unsafe.Pointer(m)).Release(t.thread()) }

// ---- memory ----

// tidy forgets what the program cannot reach any more.
func (r *raceDetector) tidy(in *Instance) {
	if r.known() < r.most {
		return
	}
	h, _ := in.heapRoots()
	h.run()
	r.d.Forget(func(p unsafe.Pointer) bool { return p == r.globals || p == r.ginit || h.seen.has(p) })
	for f := range r.ended {
		if !h.seen.has(unsafe.Pointer(f)) {
			delete(r.ended, f)
		}
	}
	r.most = max(fewestForgotten, 2*r.known())
}

// known is the number of objects that are kept alive.
func (r *raceDetector) known() int { return r.d.Objects() + len(r.ended) }
