package vm

import (
	"sync"
	"sync/atomic"
)

// world stops an instance's workers while its memory is traced or its tasks are
// looked at. A worker looks at pausing whenever it takes another task and when fuel runs out.
type world struct {
	pausing atomic.Bool

	mu      sync.Mutex
	changed sync.Cond
	running int
}

func (wd *world) init() { wd.changed.L = &wd.mu }

func (wd *world) enter() {
	wd.mu.Lock()
	for wd.pausing.Load() {
		wd.changed.Wait()
	}
	wd.running++
	wd.mu.Unlock()
}

func (wd *world) leave() {
	wd.mu.Lock()
	wd.running--
	wd.mu.Unlock()
	wd.changed.Broadcast()
}

// wait stands still until the pause is over.
func (wd *world) wait() {
	wd.leave()
	wd.enter()
}

// stop waits until no other worker runs; the caller is one that does.
func (wd *world) stop() {
	wd.mu.Lock()
	wd.running--
	wd.changed.Broadcast()
	for wd.pausing.Load() {
		wd.changed.Wait()
	}
	wd.pausing.Store(true)
	for wd.running > 0 {
		wd.changed.Wait()
	}
	wd.mu.Unlock()
}

// start ends the pause.
func (wd *world) start() {
	wd.mu.Lock()
	wd.pausing.Store(false)
	wd.running++
	wd.mu.Unlock()
	wd.changed.Broadcast()
}

// stopFromOutside is stop for a goroutine that runs no tasks.
func (wd *world) stopFromOutside() {
	wd.mu.Lock()
	wd.running++
	wd.mu.Unlock()
	wd.stop()
}

// startFromOutside ends it.
func (wd *world) startFromOutside() {
	wd.start()
	wd.leave()
}
