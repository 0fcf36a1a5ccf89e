package vm

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// The failure of a task outside scopes that nobody awaits is reported: at once
// when its handle is gone, because then nobody ever will await it, else when
// the host asks.

// maxUnseen bounds the failures that are kept until somebody asks.
const maxUnseen = 1000

// noteUnseen records a failure that nobody has awaited yet.
func (in *Instance) noteUnseen(home *Scope, f *Future) {
	if home.owner != nil || f.Type == bytecode.IDInvalid || in.endsInDeadlock(f.fail) {
		return
	}
	if in.unhandled != nil {
		f.fail.lost = runtime.AddCleanup(f, in.lost, f.fail)
	}
	in.keepUnseen(f.fail)
}

// keepUnseen keeps a failure that nobody has seen, for Unhandled.
func (in *Instance) keepUnseen(fail *failure) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.unseen) == cap(in.unseen) {
		in.unseen = slices.DeleteFunc(in.unseen, (*failure).forgetSeen)
	}
	if len(in.unseen) == maxUnseen {
		fail.lost.Stop()
		return
	}
	in.unseen = append(in.unseen, fail)
	if in.soon && in.unhandled != nil {
		time.AfterFunc(aMoment, func() { in.lost(fail) })
	}
}

// aMoment is how long whoever has started a task has to await it before a session
// tells that it has failed.
const aMoment = 100 * time.Millisecond

// forgetSeen is wasSeen for a caller that then releases the failure. Its cleanup would keep the
// instance alive, and with it a handle that is held there.
func (f *failure) forgetSeen() bool {
	seen := f.wasSeen()
	if seen {
		f.lost.Stop()
	}
	return seen
}

// tellRest tells of the failures that are left when the instance ends, as nobody will
// await those tasks any more.
func (in *Instance) tellRest() {
	if in.unhandled == nil {
		return
	}
	in.mu.Lock()
	list, none := in.unseen, runtime.Cleanup{}
	in.unseen = slices.DeleteFunc(slices.Clone(list), func(f *failure) bool { return f.lost != none })
	in.mu.Unlock()
	for _, fail := range list {
		fail.lost.Stop()
		if fail.lost != none && !fail.wasSeen() {
			in.GoForeign(func() { in.unhandled(in.uncaught(context.Background(), fail)) })
		}
	}
}

// wasSeen reports whether somebody has awaited the task since.
func (f *failure) wasSeen() bool { return f.seen.Load() }

// endsInDeadlock reports a deadlock that is found while the program ends: it is
// the one that it ends with.
func (in *Instance) endsInDeadlock(fail *failure) bool {
	in.root.lock.Lock()
	ending := in.root.state&scopeCancelled != 0
	in.root.lock.Unlock()
	return ending && fail.val.TypeID() == in.Program().ErrTypes[ErrDeadlock]
}

// lost reports the failure of a task whose handle is gone. The Go runtime's
// goroutine for cleanups must not be held up by a script's message method.
func (in *Instance) lost(fail *failure) {
	in.mu.Lock()
	i := slices.Index(in.unseen, fail)
	if i >= 0 {
		fail.lost.Stop()
		in.unseen = slices.Delete(in.unseen, i, i+1)
	}
	in.mu.Unlock()
	if i >= 0 && !fail.wasSeen() {
		in.GoForeign(func() { in.unhandled(in.uncaught(context.Background(), fail)) })
	}
}

// Unhandled returns, once each, the errors of failed tasks that no scope and
// nobody awaiting them has seen. Their message methods share the time allowed
// for one.
func (in *Instance) Unhandled() []*Error {
	in.mu.Lock()
	list := in.unseen
	in.unseen = nil
	in.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), tellingTime)
	defer cancel()
	var errs []*Error
	for _, fail := range list {
		fail.lost.Stop()
		if fail.wasSeen() {
			continue
		}
		e := in.errorOf(fail)
		if ctx.Err() == nil {
			in.ask(ctx, e)
		} else if e.Message == "" {
			e.Message = "(its message() was not asked: those before took too long)"
		}
		errs = append(errs, e)
	}
	return errs
}
