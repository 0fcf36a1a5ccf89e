package reactor

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Options configures a Sched.
type Options struct {
	Workers int // processes that run at the same time; 0: as many as there are processors
	// Reactor runs the processes; nil: one of the scheduler's own, with as many workers.
	// One with a Chooser needs none.
	Reactor *Reactor
	// Weight is the share of the Reactor's time, compared with other schedulers that want
	// it; 0: 1.
	Weight int
	// Chooser makes the scheduler deterministic: one worker, a virtual clock,
	// and every choice asked of it. Processes run only while a goroutine is in
	// RunUntil.
	Chooser Chooser
	// NewData makes Worker.Data.
	NewData func(w *Worker) any
	// Quiescent is called, by whoever finds it out and with no lock held, when
	// nothing is ready or running and nothing outside (timer, completion, host)
	// can wake anything: once for each time that processes have run since.
	Quiescent func()
	// Idle is called in a deterministic run when nothing is ready, before the
	// clock moves to a time: true when it has made something ready. A token is held.
	Idle func(next time.Duration) bool
}

// Sched schedules processes: the goroutines that run them are those of a Reactor and of
// hosts (see RunUntil).
type Sched struct {
	r         *Reactor // nil in a deterministic run
	tenant    tenant
	workers   []*Worker
	chooser   Chooser
	quiescent func()
	idling    func(next time.Duration) bool // Options.Idle

	globalLen      atomic.Int64 // what is in global and in lane
	laneLen        atomic.Int64
	idle           atomic.Int64 // free tokens and searching workers: see wanted
	lanes          atomic.Int64 // how many of the lane have run
	stealPaused    atomic.Bool  // what is pushed to a ring wakes nobody
	failedSearches atomic.Int32 // in a row that found nothing ripe
	external       atomic.Int64 // completions and hosts that may still wake something

	mu         sync.Mutex
	global     list
	lane       list                   // goes before global: see lane.go
	free       []*Worker              // tokens nobody holds
	inline     atomic.Pointer[Worker] // a token that a host has left: see ReleaseInline
	sleepers   []chan *Worker         // hosts' goroutines waiting for a token
	active     int                    // tokens held
	closing    Gate
	visits     int           // goroutines of the reactor at work here, and tokens that wait for one
	emptied    chan struct{} // closed when visits is 0 again, for Close
	stealTimer *time.Timer   // ends a pause of stealing
	private    bool          // nobody else uses the reactor
	quiet      bool          // quiescence has been reported

	timers      timers
	completions *completions // in a deterministic run, and so is ready
	ready       *readyList   // what is, in order
}

// New makes a scheduler.
func New(opts Options) *Sched {
	switch {
	case opts.Chooser != nil:
		opts.Workers = 1
	case opts.Workers < 1:
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	s := &Sched{quiescent: opts.Quiescent, idling: opts.Idle, chooser: opts.Chooser, quiet: true}
	if s.chooser != nil {
		s.completions, s.ready = &completions{}, &readyList{}
	} else {
		s.r, s.private = opts.Reactor, opts.Reactor == nil
		s.tenant.weight = time.Duration(max(1, opts.Weight))
	}
	if s.private {
		s.r = NewReactor(opts.Workers)
	}
	for i := range opts.Workers {
		w := &Worker{s: s, id: i, until: &s.closing, seed: uint32(i)*2654435761 + 1}
		if opts.NewData != nil {
			w.Data = opts.NewData(w)
		}
		s.workers = append(s.workers, w)
	}
	for i := len(s.workers) - 1; i >= 0; i-- {
		s.free = append(s.free, s.workers[i])
	}
	s.idle.Store(int64(len(s.free)))
	s.timers.init(s)
	return s
}

// Workers returns the workers of the scheduler.
func (s *Sched) Workers() []*Worker { return s.workers }

// Deterministic reports whether a Chooser makes the choices.
func (s *Sched) Deterministic() bool { return s.chooser != nil }

// Chooser returns the chooser of a deterministic scheduler, or nil.
func (s *Sched) Chooser() Chooser { return s.chooser }

// Inject makes a claimed or new process ready from outside the workers.
func (s *Sched) Inject(p *Proc) {
	p.setStatus(Ready)
	s.pushLane(p)
}

// Ready makes a claimed or new process ready, behind the other processes of the
// worker if there is one, else from outside.
func (s *Sched) Ready(w *Worker, p *Proc) {
	if w != nil {
		w.WakeLast(p)
	} else {
		s.Inject(p)
	}
}

func (s *Sched) pushGlobal(p *Proc) {
	s.mu.Lock()
	s.global.push(p)
	s.countLocked()
	s.mu.Unlock()
	if s.wanted() {
		s.help()
	}
}

// injectAll is Inject for many that are ready.
func (s *Sched) injectAll(l *list) {
	n := l.n
	s.mu.Lock()
	for p := l.pop(); p != nil; p = l.pop() {
		s.lanePushLocked(p)
	}
	s.mu.Unlock()
	if n > 0 && s.wanted() { // a woken worker wakes the next
		s.help()
	}
}

// popGlobal takes the oldest, and the worker's share for its own queue.
func (s *Sched) popGlobal(w *Worker) *Proc {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.global.pop()
	for range min(batch, s.global.n/len(s.workers), ringSize-w.queue.Load().len()) {
		w.push(s.global.pop())
	}
	s.countLocked()
	return p
}

// help hands a free token to a goroutine that waits for one.
func (s *Sched) help() {
	s.mu.Lock()
	s.helpLocked(false)
	s.mu.Unlock()
}

// helpLocked is help; toSteal says that it is for something in a ring. Who gets
// the token counts as searching from now on.
func (s *Sched) helpLocked(toSteal bool) {
	s.reclaimLocked()
	if len(s.free) == 0 || s.closing.Opened() || len(s.sleepers) == 0 && s.chooser != nil {
		return
	}
	w := s.takeFree()
	w.searching, w.wokenToSteal = true, toSteal
	s.idle.Add(oneSearch)
	s.handLocked(w)
}

// handLocked gives a token to a host's goroutine that waits for one, if there is a slot for
// it, else to the reactor.
func (s *Sched) handLocked(w *Worker) {
	n := len(s.sleepers) - 1
	if n < 0 || s.r != nil && !s.r.admit(w) {
		s.r.submit(w)
		return
	}
	c := s.sleepers[n]
	s.sleepers = s.sleepers[:n]
	c <- w // has room: one token for one entry in sleepers
}

func (s *Sched) takeFree() *Worker {
	n := len(s.free) - 1
	w := s.free[n]
	s.free = s.free[:n]
	s.idle.Add(-1)
	s.active++
	w.visitStart = 0
	s.quiet = false
	return w
}

// release gives a token back. tokens, when not nil, is where the caller, a host's
// goroutine, will wait for another.
//
// No wake-up is lost between a producer and a worker that gives up. The
// producer pushes and then reads idle; the worker here counts itself in idle
// and then reads the queues. Go's atomics are sequentially consistent, so at
// least one of the two sees the other: the producer calls help, or the work is
// seen here and help is called for it. Both may, then a worker wakes for
// nothing. Tokens change hands under the lock only, so none is handed out twice.
func (s *Sched) release(w *Worker, tokens chan *Worker) {
	w.Lend()
	s.mu.Lock()
	s.reclaimLocked()
	w.endSearch(false)
	w.rests.Add(1)
	w.slices.Store(int64(w.turn))
	w.flushLocked()
	s.freeLocked(w)
	if tokens != nil {
		s.sleepers = append(s.sleepers, tokens)
	}
	s.mayPauseStealingLocked(w)
	switch {
	case !s.wanted():
	case s.globalLen.Load() > 0 || s.ready.len() > 0 || s.due():
		s.helpLocked(false)
	case !s.stealPaused.Load() && s.queued() > 0:
		s.helpLocked(true)
	}
	quiet := s.becomesQuietLocked()
	s.mu.Unlock()
	if quiet {
		s.quiescent()
	}
}

// leaveSleepers ends a wait for a token. One that was handed over meanwhile is
// returned.
func (s *Sched) leaveSleepers(tokens chan *Worker) *Worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range s.sleepers {
		if c == tokens {
			s.sleepers = append(s.sleepers[:i], s.sleepers[i+1:]...)
			return nil
		}
	}
	return <-tokens // sent under the lock, with its entry in sleepers removed
}

// flushLocked gives the worker's own processes to all.
func (w *Worker) flushLocked() {
	g := &w.s.global
	if p := w.next; p != nil {
		w.next = nil
		g.push(p)
	}
	q := w.queue.Load()
	for p := q.pop(); p != nil; p = q.pop() {
		g.push(p)
	}
	w.s.countLocked()
}

// workLocked reports whether a worker would find something to do.
func (s *Sched) workLocked() bool {
	return s.global.n+s.lane.n > 0 || s.queued() > 0 || s.ready.len() > 0 || s.due()
}

func (s *Sched) queued() int {
	n := 0
	for _, w := range s.workers {
		n += w.queue.Load().len()
		if w.offered.Load() != nil {
			n++
		}
	}
	return n
}

// Active returns how many tokens are held and how many processes are queued,
// not counting those in next slots.
func (s *Sched) Active() (running, queued int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reclaimLocked()
	return s.active, s.global.n + s.lane.n + s.queued()
}

// Turns counts how often workers have found nothing to do: if it does not
// change and no worker is working, nothing has run.
func (s *Sched) Turns() (n uint64, working bool) {
	for _, w := range s.workers {
		n += uint64(w.rests.Load())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reclaimLocked()
	return n, s.active > 0
}

// Now returns the time on the scheduler's clock, which is monotonic, and virtual in a deterministic run.
func (s *Sched) Now() time.Duration { return s.timers.now() }

// Close ends the work of the reactor here and waits for its end, but not for long: what
// runs foreign code ends when that returns. A worker stops at its next Pick or Overdue, a
// host in RunUntil when it finds nothing ready; remaining processes stay where they are.
func (s *Sched) Close() {
	emptied := s.beginClose()
	s.timers.stop()
	if emptied != nil {
		late := time.NewTimer(foreignGrace)
		defer late.Stop()
		select {
		case <-emptied:
		case <-late.C:
		}
	}
	if s.private {
		s.r.close()
	}
}

// beginClose takes back what the reactor has not begun with; the channel it returns, if any,
// is closed when the rest has ended.
func (s *Sched) beginClose() chan struct{} {
	s.mu.Lock() // help submits nothing after this
	defer s.mu.Unlock()
	s.closing.Open()
	s.reclaimLocked()
	if s.stealTimer != nil {
		s.stealTimer.Stop()
	}
	if s.r != nil {
		for w := s.r.withdraw(s); w != nil; w = s.r.withdraw(s) {
			w.endSearch(false)
			s.freeLocked(w)
		}
	}
	if s.visits > 0 && s.emptied == nil {
		s.emptied = make(chan struct{})
	}
	return s.emptied
}

// foreignGrace is how long Close waits for processes that run foreign code.
const foreignGrace = time.Second
