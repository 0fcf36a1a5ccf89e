package reactor

import (
	"runtime"
	"sync/atomic"
	"time"
)

// SpinLock is a lock held for a few instructions.
type SpinLock struct{ v atomic.Uint32 }

// Lock spins, at first tightly, then letting other goroutines run.
func (l *SpinLock) Lock() {
	if !l.v.CompareAndSwap(0, 1) {
		l.spin()
	}
}

func (l *SpinLock) spin() {
	for i := 0; l.v.Load() != 0 || !l.v.CompareAndSwap(0, 1); i++ {
		Backoff(i)
	}
}

// Backoff waits between the i-th attempt to take a lock, counted from 0, and
// the next. The holder needs only a few instructions, unless its thread has
// lost its processor: then it needs ours.
func Backoff(i int) {
	const tight, yielding = 1000, 16
	switch {
	case i < tight:
	case i < tight+yielding:
		runtime.Gosched()
	default:
		time.Sleep(20 * time.Microsecond)
	}
}

// Unlock releases the lock. It is not a fence for what the caller reads afterwards.
func (l *SpinLock) Unlock() { releaseStore32(&l.v, 0) }
