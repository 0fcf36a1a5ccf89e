package vm

import (
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Scope is a running `scope` block, or the instance itself, with the tasks that
// belong to it. It ends when all of them have ended.
type Scope struct {
	inst   *Instance
	parent *Scope
	owner  *Task // whose body it is; nil for the instance's own
	lock   reactor.SpinLock
	alive  int   // tasks that belong to it
	first  *Task // they, linked
	spared *Task // those of them that no cancel of the scope reaches yet, linked
	spares int   // shields up behind which such tasks have been spawned
	fail   *failure
	timer  *reactor.Timer
	waiter *waiter       // the owner's, while it waits for the tasks
	ends   []func()      // of the instance's own: called when the last task has ended
	grace  time.Duration // see Call.EndWithin
	parts  bool          // it is one of Instance.parting
	state  uint8
}

// What has happened to a scope, a bit each.
const (
	scopeCancelled = 1 << iota // a failure or the deadline cancelled tasks and body
	scopeLate                  // the deadline has passed
	scopeEnded                 // its boundary has been passed
)

const scopeSize = int(unsafe.Sizeof(Scope{}))

// deadlineSize is what a scope's deadline takes: a timer and what it does.
const deadlineSize = int(unsafe.Sizeof(reactor.Timer{})) + 64

// join adds a task to the scope. A task that joins a cancelled scope is
// cancelled, unless by, in whose scope it is spawned, spares it.
func (s *Scope) join(t, by *Task) {
	t.scope, t.home = s, s
	s.lock.Lock()
	s.alive++
	if by != nil && s.spare(by) {
		t.flags.Or(flagSpared)
		t.link(&s.spared)
	} else {
		t.link(&s.first)
		if flags := s.asks(); flags != 0 {
			t.flags.Or(flags)
		}
	}
	s.lock.Unlock()
}

// asks are the flags of a task of the scope that nothing spares. Those that spawn do
// not outrun the end of an instance; what a defer spawns in a scope is a part of it.
func (s *Scope) asks() (flags uint32) {
	if s.state&scopeCancelled != 0 {
		flags |= flagKill
	}
	if s.owner == nil && s.inst.stopped.Load() {
		flags |= flagStop
	}
	return flags
}

// link puts a task in front of a list.
func (t *Task) link(list **Task) {
	t.prev, t.next = nil, *list
	if t.next != nil {
		t.next.prev = t
	}
	*list = t
}

// unlink takes it off the list.
func (t *Task) unlink(list **Task) {
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		*list = t.next
	}
	if t.next != nil {
		t.next.prev = t.prev
	}
	t.prev, t.next = nil, nil
}

// part removes an ended task from the scope. A failure is the scope's, unless it is the instance's own.
func (s *Scope) part(w *Worker, t *Task, fail *failure) {
	s.lock.Lock()
	if t.flags.Load()&flagSpared != 0 {
		t.unlink(&s.spared)
	} else {
		t.unlink(&s.first)
	}
	s.alive--
	if fail != nil && s.owner != nil {
		if s.fail == nil {
			s.fail = fail
		}
		s.cancelLocked(w)
	}
	var ends []func()
	if s.alive == 0 {
		ends, s.ends = s.ends, nil
		if x := s.waiter; x != nil && x.claim() {
			s.waiter = nil
			x.task.woken = wokenRetry
			w.inst.wake(w, x.task)
		}
	}
	s.lock.Unlock()
	for _, end := range ends {
		end()
	}
}

// cancelLocked cancels the scope's tasks, except those that are spared, and its body; the lock is held.
func (s *Scope) cancelLocked(w *Worker) {
	if s.state&(scopeCancelled|scopeEnded) != 0 {
		return
	}
	s.state |= scopeCancelled
	for t := s.first; t != nil; t = t.next {
		t.interrupt(w, flagKill)
	}
	if s.owner != nil {
		s.owner.interrupt(w, flagScope)
	}
}

// interrupt raises flags in a task and wakes it if they end its wait. The
// caller makes sure that the task has not ended. w is nil outside of workers.
func (t *Task) interrupt(w *Worker, flags uint32) {
	if r := t.home.inst.race; r != nil {
		r.interrupt(w, t)
	}
	old := t.flags.Or(flags)
	if w != nil && w.current == t {
		t.lookSoon()
	}
	if old&flagGraced != 0 && flags&(flagKill|flagStop) != 0 {
		t.beginGrace()
	}
	if old&flagMasked != 0 && flags&t.reaching(old) == 0 {
		return
	}
	if t.Claim(t.Epoch()) {
		t.woken = wokenCancelled
		t.home.inst.wake(w, t)
	}
}

// reaching are the flags that end the wait of a task that is masked.
func (t *Task) reaching(own uint32) uint32 {
	if own&flagUncut != 0 && t.home.inst.stopped.Load() {
		return flagTerminate | flagScope | flagStop
	}
	return flagTerminate | flagScope
}

// checkpoint throws what the task's flags ask for.
func (t *Task) checkpoint() {
	if t.flags.Load()&^flagsOwn != 0 {
		t.interrupted()
	}
}

func (t *Task) interrupted() {
	if r := t.w.race; r != nil {
		r.interrupted(t)
	}
	f := t.flags.Load()
	switch {
	case f&flagTerminate != 0:
		t.dropShields()
		throw(ErrDeadline, "%s", t.stopText())
	case f&flagStop != 0 && (!t.shielded() || !t.parting() && t.home.inst.stopped.Load()):
		throw(ErrDeadline, "%s", t.stopText())
	case t.shielded():
		if f&flagScope != 0 {
			t.checkScopes()
		}
	case f&flagKill != 0:
		throw(ErrCancelled, "the task was cancelled")
	default:
		t.checkScopes()
	}
}

// lastSteps is how many steps a task that was asked to end may take without
// reaching a loop: deep recursion is then cut at a call.
const lastSteps = 100_000

// cancelAtLoop throws what the flags ask for at a loop iteration. Elsewhere
// code is not interrupted: a straight piece of code between two suspensions
// runs as a whole.
func (t *Task) cancelAtLoop() {
	more := t.extra()
	if more.overdue += max(t.slice, 1); more.overdue < lastSteps && !t.w.prog.loopHead(t.pc/8) {
		return
	}
	t.pc += 8 // blame what the jump leads to
	if !t.spared(int64(more.overdue)) {
		more.overdue = 0
		t.interrupted()
	}
	t.pc -= 8
}

// loopHead reports whether an instruction at or behind a word jumps back to it.
func (p *Program) loopHead(word uint32) bool {
	f := p.FuncAt(word)
	if f == nil {
		return false
	}
	for at := word; at < f.End; at++ {
		w := p.Code[at]
		op := bytecode.OpOf(w)
		if to, jumps := bytecode.JumpTarget(w, at); jumps && to == word {
			return true
		}
		if bytecode.Ops[op].Word {
			at++
		}
	}
	return false
}

// checkScopes throws when a scope whose body the task runs has been cancelled.
// Else the flag that said so was for one that has ended.
func (t *Task) checkScopes() {
	t.flags.And(^uint32(flagScope)) // before the look: who cancels sets the scope first
	if t.ownScopeCancelled() {
		t.flags.Or(flagScope)
		throw(ErrCancelled, "the scope was cancelled")
	}
}

// ownScopeCancelled reports whether a scope whose body the task runs, opened
// since the innermost shield, has been cancelled.
func (t *Task) ownScopeCancelled() bool {
	end := t.home
	if t.shielded() {
		end = t.more.shields[len(t.more.shields)-1].scope
	}
	for s := t.scope; s != end && s != t.home; s = s.parent {
		s.lock.Lock()
		cancelled := s.state&scopeCancelled != 0
		s.lock.Unlock()
		if cancelled {
			return true
		}
	}
	return false
}

// wasCancelled reports an error that a task ends with because it was asked to.
func (t *Task) wasCancelled(v Value) bool {
	if v.TypeID() == bytecode.IDLimit {
		typ := &bytecode.FixedTypes()[bytecode.IDLimit]
		return ErrKind(loadField(v.p, &typ.Fields[1]).n) == ErrDeadline
	}
	return t.isCancelled(v)
}

// isCancelled reports the error that a cancelled task ends with.
func (t *Task) isCancelled(v Value) bool {
	return v.TypeID() == t.w.prog.ErrTypes[ErrCancelled]
}

// opScope begins a scope, or (aux 1) waits for the tasks of the innermost one
// and ends it. If one of them has failed, opFailScope throws that, at the
// handler that this instruction's error leads to.
func opScope(t *Task) *Task {
	if bytecode.AuxOf(t.word()) == 0 {
		t.w.charge(scopeSize)
		t.scope = &Scope{inst: t.w.inst, parent: t.scope, owner: t}
		return t
	}
	t.innermost()
	t.checkpoint()
	if next := t.awaitScope(); next != nil {
		return next
	}
	if fail, late := t.scope.outcome(); fail != nil || late {
		throw(ErrCancelled, "the scope has failed")
	}
	t.leaveScope()
	return t
}

// opFailScope ends the innermost scope after the error in a: it cancels the
// tasks, waits for them, and throws what the scope ends with.
func opFailScope(t *Task) *Task {
	s, err := t.innermost(), *t.ra()
	own := t.failureOf(err)
	s.lock.Lock()
	if s.fail == nil && s.state&scopeCancelled == 0 && !t.isCancelled(err) {
		s.fail = own
	}
	s.cancelLocked(t.w)
	s.lock.Unlock()
	t.shield() // no cancel reaches the wait
	if next := t.awaitScope(); next != nil {
		return next
	}
	t.unshieldAt(t.delta)
	fail, late := s.outcome()
	t.leaveScope()
	if err.TypeID() == bytecode.IDLimit {
		t.rethrow(own)
		return t
	}
	if t.isCancelled(err) {
		t.checkpoint() // something else cancels the task too
	}
	switch {
	case fail != nil:
		t.rethrow(fail)
	case late:
		throw(ErrTimeout, "the time is over")
	default:
		t.rethrow(own)
	}
	return t
}

// innermost is the scope whose body the task runs. There is none only in a program
// that no compiler has made.
func (t *Task) innermost() *Scope {
	if t.scope == t.home {
		internal("the task is in no scope")
	}
	return t.scope
}

// outcome tells the first failure of the scope's tasks and whether its deadline
// has passed.
func (s *Scope) outcome() (fail *failure, late bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.fail, s.state&scopeLate != 0
}

// awaitScope suspends the task until its innermost scope has no task left; nil
// when it has none.
func (t *Task) awaitScope() *Task {
	s := t.scope
	s.lock.Lock()
	if s.alive == 0 {
		s.lock.Unlock()
		return nil
	}
	s.waiter = t.enqueue(waitScope, unsafe.Pointer(s), 0)
	w, epoch := t.w, t.NextEpoch()
	mask := t.suspend()
	s.lock.Unlock()
	return w.parked(t, epoch, mask)
}

func (t *Task) leaveScope() {
	s := t.scope
	if r := t.w.race; r != nil {
		r.leave(t, s)
	}
	t.endGrace(s)
	s.endParting()
	s.lock.Lock()
	s.state |= scopeEnded
	timer := s.timer
	s.lock.Unlock()
	if timer != nil {
		timer.Stop()
	}
	t.scope = s.parent
}

// abandonScopes releases the scopes whose bodies a task was in when it ended
// at once: nobody waits for their tasks any more.
func (t *Task) abandonScopes(w *Worker) {
	for s := t.scope; s != t.home; s = s.parent {
		s.abandon(w)
	}
}

func (s *Scope) abandon(w *Worker) {
	if w.race != nil {
		w.race.abandon(s)
	}
	s.lock.Lock()
	s.cancelLocked(w)
	s.owner = nil
	s.state |= scopeEnded
	s.lock.Unlock()
	s.endParting()
}

// giveUpScope is called when the wait for the tasks of a scope ends with a deadlock.
// The end of one that has failed leads to no other attempt to end it: it is left
// here, as are its tasks, which nothing can wake.
func (t *Task) giveUpScope() {
	if bytecode.OpOf(t.word()) != bytecode.FAILSCOPE {
		return
	}
	s := t.scope
	t.unshieldAt(t.delta)
	t.endGrace(s)
	s.abandon(t.w)
	t.scope = s.parent
}

// shielded reports whether a shield is up.
func (t *Task) shielded() bool { return t.more != nil && len(t.more.shields) > 0 }

// parting reports whether the task runs defers or ends a scope, which no stop cuts
// short either.
func (t *Task) parting() bool { return t.more != nil && t.more.framed > 0 }

// shield masks the task from cancellation until unshieldAt, if the frame that
// runs has not done so already.
func (t *Task) shield() {
	more := t.extra()
	if n := len(more.shields); n == 0 || more.shields[n-1].delta != t.delta {
		more.shields = append(more.shields, shield{delta: t.delta, scope: t.scope})
		more.framed++
	}
}

// unshieldAt takes down the shield that the frame with the window has put up.
func (t *Task) unshieldAt(delta uint32) {
	if !t.shielded() {
		return
	}
	if t.more.shields[len(t.more.shields)-1].delta != delta {
		return
	}
	t.popShield()
	t.more.overdue = 0 // what was deferred does not count
	if t.ownScopeCancelled() {
		t.flags.Or(flagScope)
	}
	if t.flags.Load()&^flagsOwn != 0 {
		t.lookSoon()
	}
}

// noFrame is the window of a shield that no frame takes down at its end.
const noFrame = ^uint32(0)

// Shield keeps cancellations, but not the end of the instance, from the task
// until Unshield. The code in between must not throw; it may wait, but only for
// what is sure to come.
func (c *Call) Shield() {
	more := c.t.extra()
	more.shields = append(more.shields, shield{delta: noFrame, scope: c.t.scope})
}

// Unshield ends what Shield began.
func (c *Call) Unshield() { c.t.unshieldAt(noFrame) }

// lookSoon makes the running task check its flags at the next jump or call.
func (t *Task) lookSoon() {
	t.slice -= t.fuel
	t.fuel = 0
}

// setDeadline cancels the innermost scope when a time has passed.
func (s *Scope) setDeadline(d time.Duration) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.state&scopeEnded != 0 {
		return
	}
	s.timer = s.inst.sched.At(s.inst.after(d), func(rw *reactor.Worker) {
		s.lock.Lock()
		defer s.lock.Unlock()
		if s.state&(scopeEnded|scopeCancelled) == 0 {
			s.state |= scopeLate
			s.cancelLocked(rw.Data.(*Worker))
		}
	})
}

func init() {
	registerNative("core.scope_deadline", func(c *Call) {
		c.Charge(deadlineSize)
		c.t.innermost().setDeadline(time.Duration(c.Int(0)))
	})
}
