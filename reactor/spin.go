package reactor

import (
	"runtime"
	"sync/atomic"
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
	for i := 0; !l.v.CompareAndSwap(0, 1); i++ {
		if i >= 32 {
			runtime.Gosched()
		}
	}
}

// Unlock releases the lock. It is no fence for what the caller reads afterwards.
func (l *SpinLock) Unlock() { releaseStore32(&l.v, 0) }
