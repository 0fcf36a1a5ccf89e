package vm

import (
	"sync/atomic"

	"github.com/runnel-lang/runnel/reactor"
)

// ownedLock is the lock of an object that is usually used by one worker for a
// long time. The first worker that takes it owns it, and from then on takes it
// with a load and without a store, at a tenth of the cost of two exchanges.
// When another worker wants it, the world is stopped for a moment, and then
// nobody owns it any more: it is an ordinary lock.
//
// Why a load is enough: between Lock and Unlock a worker reaches no point where
// the world can stop (it charges nothing, throws nothing and takes no other
// task). So nobody holds the lock while its owner is changed, and the owner
// checks again after that.
type ownedLock struct{ state atomic.Uint32 }

// States of an ownedLock; those from firstOwner on say whose it is. Zero is
// none, so that a worker which owns nothing has it as its name.
const (
	lockFresh = 1 + iota // nobody has taken it yet
	lockFree
	lockTaken
	firstOwner
)

// maxRevoked is how often locks of an instance lose their owner before none has
// one any more: a program that hands all its locks around must not stop for
// each of them.
const maxRevoked = 32

func (l *ownedLock) init() { l.state.Store(lockFresh) }

// owned reports whether the worker owns the lock, and so may access what it guards.
func (l *ownedLock) owned(w *Worker) bool { return l.state.Load() == w.owns }

// try takes it if nobody owns it and it is free.
func (l *ownedLock) try() bool { return l.state.CompareAndSwap(lockFree, lockTaken) }

// Lock waits for the lock.
func (l *ownedLock) Lock(w *Worker) {
	if !l.owned(w) && !l.try() {
		l.lockSlowly(w)
	}
}

// Unlock releases it. It is not a fence for what the caller reads afterwards.
func (l *ownedLock) Unlock(w *Worker) {
	if !l.owned(w) {
		releaseStore(&l.state, lockFree)
	}
}

func (l *ownedLock) lockSlowly(w *Worker) {
	for i := 0; ; i++ {
		switch s := l.state.Load(); {
		case s == lockTaken:
			reactor.Backoff(i)
		case s == lockFresh && w.owns != 0:
			if l.state.CompareAndSwap(lockFresh, w.owns) {
				return
			}
		case s < firstOwner:
			if l.state.CompareAndSwap(s, lockTaken) {
				return
			}
		default:
			l.revoke(w)
		}
	}
}

// revoke takes the lock from its owner, another worker.
func (l *ownedLock) revoke(w *Worker) {
	in := w.inst
	w.stopWorld()
	defer in.world.start()
	if l.state.Load() < firstOwner {
		return // another has been faster
	}
	l.state.Store(lockFree)
	if in.revoked++; in.revoked == maxRevoked {
		for _, w := range in.workers {
			w.owns = 0
		}
	}
}

// ownerName is the name of the worker that has a token of the scheduler.
func (in *Instance) ownerName(rw *reactor.Worker) uint32 {
	if in.race != nil || in.explore || in.revoked >= maxRevoked {
		return 0
	}
	return firstOwner + uint32(rw.ID())
}

// take gives the worker the token that another one has, which is left without.
func (w *Worker) take(from *Worker) {
	w.rw, w.lastID, w.random, w.owns = from.rw, from.lastID, from.random, from.owns
	from.owns = 0
	w.rw.Data = w
}
