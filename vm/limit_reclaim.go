package vm

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// What scripts forget is closed when Go's collector finds it, and the collector
// runs for the sake of memory, not of descriptors, of which a process has few. So
// it is run also when many resources are open, and when there is no descriptor
// left.
var reclaim reclaimer

type reclaimer struct {
	open    atomic.Int64 // resources of all instances
	mark    atomic.Int64 // of open at which the collector is run; 0 is firstMark
	running atomic.Bool

	mu    sync.Mutex // held while it is waited for
	again time.Time  // when it is worth to be run again, after it was in vain
}

const (
	firstMark = 64
	// settleTime is how long what has been collected may take to be closed.
	settleTime = 50 * time.Millisecond
	// vainShare bounds what runs in vain take of the time.
	vainShare = 10
)

// opened counts a resource more. As with memory, the next run is at twice of
// what is left, so that a program that needs many pays little.
func (r *reclaimer) opened() {
	if n := r.open.Add(1); n >= max(r.mark.Load(), firstMark) && r.running.CompareAndSwap(false, true) {
		go func() {
			defer r.running.Store(false)
			r.run()
		}()
	}
}

func (r *reclaimer) closed() { r.open.Add(-1) }

// run collects garbage and waits until what that frees is closed.
func (r *reclaimer) run() {
	begun := r.open.Load()
	runtime.GC()
	for end := time.Now().Add(settleTime); time.Now().Before(end); {
		before := r.open.Load()
		time.Sleep(time.Millisecond)
		if now := r.open.Load(); now == before && now < begun {
			break
		}
	}
	r.mark.Store(max(firstMark, 2*r.open.Load()))
}

// Reclaim closes resources that scripts have forgotten, and reports whether there were any.
func Reclaim() bool { return reclaim.wait() }

// wait runs it and reports whether resources were closed meanwhile.
func (r *reclaimer) wait() bool {
	before := r.open.Load()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open.Load() < before { // while somebody else ran it
		return true
	}
	begun := time.Now()
	if begun.Before(r.again) {
		return false
	}
	if r.run(); r.open.Load() < before {
		return true
	}
	r.again = time.Now().Add(vainShare * time.Since(begun))
	return false
}

// Opening calls a function that opens something outside. If the process has too
// many open files, it closes what scripts have forgotten and calls the function
// once more.
func Opening[T any](open func() (T, error)) (T, error) {
	value, err := open()
	if err != nil && (errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)) && reclaim.wait() {
		return open()
	}
	return value, err
}
