package vm

import (
	"sync"
	"sync/atomic"
)

// world stops an instance's workers while its memory is traced or its tasks are
// looked at. A worker looks at pausing whenever it takes another task and when fuel runs out.
type world struct {
	pausing atomic.Bool
	running atomic.Int64 // who entered and finds pausing set leaves again

	mu      sync.Mutex
	changed sync.Cond
}

func (wd *world) init() { wd.changed.L = &wd.mu }

func (wd *world) enter() {
	for {
		wd.running.Add(1)
		if !wd.pausing.Load() {
			return
		}
		wd.leave()
		wd.mu.Lock()
		for wd.pausing.Load() {
			wd.changed.Wait()
		}
		wd.mu.Unlock()
	}
}

func (wd *world) leave() {
	wd.running.Add(-1)
	if wd.pausing.Load() { // else who sets it sees what was subtracted
		wd.mu.Lock()
		wd.changed.Broadcast()
		wd.mu.Unlock()
	}
}

// wait blocks until the pause is over.
func (wd *world) wait() {
	wd.leave()
	wd.enter()
}

// stop waits until no other worker runs; the caller is one that does.
func (wd *world) stop() {
	wd.mu.Lock()
	wd.running.Add(-1)
	wd.changed.Broadcast()
	for wd.pausing.Load() {
		wd.changed.Wait()
	}
	wd.pausing.Store(true)
	for wd.running.Load() > 0 {
		wd.changed.Wait()
	}
	wd.mu.Unlock()
}

// start ends the pause.
func (wd *world) start() {
	wd.mu.Lock()
	wd.pausing.Store(false)
	wd.running.Add(1)
	wd.changed.Broadcast()
	wd.mu.Unlock()
}

// stopExternal is stop for a goroutine that runs no tasks.
func (wd *world) stopExternal() {
	wd.running.Add(1)
	wd.stop()
}

// startExternal ends it.
func (wd *world) startExternal() {
	wd.start()
	wd.leave()
}

// A worker that waits for the world lends its slot in the reactor: other instances go on.

// enterWorld begins to run tasks.
func (w *Worker) enterWorld() {
	wd := &w.inst.world
	wd.running.Add(1)
	if wd.pausing.Load() {
		w.lend()
		wd.wait()
	}
}

// waitForWorld waits until a pause is over.
func (w *Worker) waitForWorld() {
	w.lend()
	w.inst.world.wait()
}

// stopWorld is world.stop for a worker, which may then look at much.
func (w *Worker) stopWorld() {
	w.lend()
	w.inst.world.stop()
}

// pressed reports whether others may want the worker soon.
func (w *Worker) pressed() bool { return w.placed() && w.rw.Pressed() }

// lend gives up the worker's slot.
func (w *Worker) lend() {
	if w.placed() {
		w.rw.Lend()
	}
}

// placed reports whether the worker has a place in the scheduler.
func (w *Worker) placed() bool { return w.rw != nil && w.handBack == nil }
