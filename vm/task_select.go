package vm

import (
	"slices"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// SELECT: register a gets the index of the arm that went. Its arms are the c
// pairs of registers from b on: the channel, then the value to send or the
// place for the value received; the number word of the channel's register is
// then 1, or 0 when nothing comes any more. The immediate word has a bit for
// each arm that sends, and SelectDefault (index c: nothing was ready) or
// SelectAfter (index c: the duration in the register behind the pairs is over).

// opSelect performs one of its arms, waiting until one can go.
func opSelect(t *Task) *Task {
	if t.w.explore && t.exploreSwitch() {
		return t.w.next()
	}
	word := t.word()
	imm := t.imm()
	n := int(bytecode.COf(word))
	t.checkpoint()
	start := 0
	if n > 0 {
		start = t.w.choose(n)
		if t.selectQuick(word, imm, start) {
			return t
		}
	}
	arms := t.selectArms(word, imm)
	chans := channelsOf(arms)
	for {
		lockAll(chans)
		r := t.selectReady(arms, start)
		switch {
		case r.outcome == noRoom:
			unlockAll(chans)
			(*Chan)(arms[r.arm].on).grow(t.w)
		case r.outcome != blocked:
			unlockAll(chans)
			x := arms[r.arm]
			t.dropArms()
			t.went(&x, r)
			return t
		case imm&bytecode.SelectDefault != 0:
			unlockAll(chans)
			t.dropArms()
			t.setArm(n)
			return t
		default:
			after := time.Duration(-1)
			if imm&bytecode.SelectAfter != 0 {
				after = max(0, time.Duration(t.reg(uintptr(bytecode.BOf(word))+uintptr(n)*32).n))
			}
			return t.parkOnArms(arms, chans, after)
		}
	}
}

// selectQuick performs an arm that can go at once, locking one channel at a
// time. The places for received values are cleared, so that each holds nothing
// or a value of its type.
func (t *Task) selectQuick(word, imm uint64, start int) bool {
	base, n := uintptr(bytecode.BOf(word)), int(bytecode.COf(word))
	for i := range n {
		if imm>>i&1 == 0 {
			*t.reg(base + uintptr(i)*32 + 16) = Value{}
		}
	}
	for i := range n {
		arm := start + i
		if arm >= n {
			arm -= n
		}
		pair := t.reg(base + uintptr(arm)*32)
		val := t.reg(base + uintptr(arm)*32 + 16)
		c := (*Chan)(notNil(pair.p))
		c.lock.Lock()
		if imm>>arm&1 != 0 {
			x, o := c.offer(pack(c.Aux, val))
			c.lock.Unlock()
			if o == passed {
				t.setArm(arm)
				t.sent(c, x)
				return true
			}
			continue
		}
		v, x, o := c.takeFor(t)
		c.lock.Unlock()
		if o == passed {
			*val, pair.n = v, 1
			t.setArm(arm)
			t.received(c, x)
			return true
		}
	}
	return false
}

// selectArms reads the arms.
func (t *Task) selectArms(word, imm uint64) []waiter {
	n, more := int(bytecode.COf(word)), t.extra()
	if cap(more.arms) < n {
		t.w.charge(n * int(unsafe.Sizeof(waiter{})))
		more.arms = make([]waiter, n)
	}
	more.arms = more.arms[:n]
	for i := range more.arms {
		off := uintptr(bytecode.BOf(word)) + uintptr(i)*32
		kind := waitRecv
		if imm>>i&1 != 0 {
			kind = waitSend
		}
		more.arms[i] = waiter{
			task: t, on: notNil(t.reg(off).p), dst: t.offset(off + 16), arm: uint16(i), kind: kind,
		}
	}
	return more.arms
}

// channelsOf lists the channels of arms by address, each once: the order in
// which they are locked.
func channelsOf(arms []waiter) []*Chan {
	chans := make([]*Chan, 0, 8)
	for i := range arms {
		chans = append(chans, (*Chan)(arms[i].on))
	}
	slices.SortFunc(chans, func(x, y *Chan) int {
		return int(int64(uintptr(unsafe.Pointer(x))) - int64(uintptr(unsafe.Pointer(y))))
	})
	return slices.Compact(chans)
}

func lockAll(chans []*Chan) {
	for _, c := range chans {
		c.lock.Lock()
	}
}

func unlockAll(chans []*Chan) {
	for _, c := range chans {
		c.lock.Unlock()
	}
}

// tried is what came of trying the arms of a select.
type tried struct {
	arm     int
	outcome outcome
	peer    *waiter // at the other end, to be woken
}

// selectReady performs the first arm from start on that can go. A channel
// that is closed counts only when no other arm is ready.
func (t *Task) selectReady(arms []waiter, start int) tried {
	found := tried{outcome: blocked}
	n := len(arms)
	for i := range n {
		a := (start + i) % n
		switch peer, o := arms[a].try(); o {
		case passed, noRoom:
			return tried{a, o, peer}
		case closed:
			if found.outcome == blocked {
				found = tried{a, closed, nil}
			}
		}
	}
	return found
}

// choose picks one of n alternatives: at random, or as the run's chooser says.
func (w *Worker) choose(n int) int {
	if n == 1 {
		return 0
	}
	if c := w.inst.sched.Chooser(); c != nil {
		return c.Choose(n)
	}
	w.random = w.random*6364136223846793005 + 1442695040888963407
	return int(w.random >> 33 % uint64(n))
}

// try performs an arm if it is ready.
func (x *waiter) try() (peer *waiter, o outcome) {
	c, r := (*Chan)(x.on), x.task.slot(x.dst)
	if x.kind == waitSend {
		return c.offer(pack(c.Aux, r))
	}
	v, peer, o := c.takeFor(x.task)
	got := uint64(0)
	if o == passed {
		*r, got = v, 1
	}
	x.task.slot(x.dst - 16).n = got
	return peer, o
}

// went ends a select in which an arm was ready at once.
func (t *Task) went(x *waiter, r tried) {
	t.setArm(r.arm)
	c := (*Chan)(x.on)
	switch {
	case x.kind != waitSend && r.outcome == closed:
		t.w.stats.Receives++
		t.foundClosed(c)
	case x.kind != waitSend:
		t.received(c, r.peer)
	case r.outcome == closed:
		throw(ErrClosed, "send on a closed channel")
	default:
		t.sent(c, r.peer)
	}
}

// setArm tells the code after the select which arm was taken.
func (t *Task) setArm(arm int) {
	word := *(*uint64)(unsafe.Add(t.w.prog.code, t.pc-16))
	t.reg(uintptr(bytecode.AOf(word)) &^ 15).n = uint64(arm)
}

// parkOnArms suspends the task in the queues of all arms, whose channels are
// locked, for a time at most unless that is negative.
func (t *Task) parkOnArms(arms []waiter, chans []*Chan, after time.Duration) *Task {
	for i := range arms {
		c := (*Chan)(arms[i].on)
		c.queue(arms[i].kind).push(&arms[i])
		if arms[i].kind == waitSend {
			c.senderWaits()
		}
	}
	w, epoch := t.w, t.NextEpoch()
	t.waits = waitSelect
	mask := t.prepare()
	if after >= 0 {
		t.woken = wokenTimeout
		w.inst.sched.SleepUntil(&t.Proc, w.inst.after(after))
	} else {
		t.Suspend()
	}
	unlockAll(chans)
	if len(chans) == 1 && chans[0].mail.Load() != nil {
		w.inst.mayReap()
	}
	return w.parked(t, epoch, mask)
}
