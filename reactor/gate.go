package reactor

import (
	"sync"
	"sync/atomic"
)

// Gate can be opened once, by a process or from outside, and then stays open. The zero Gate is closed.
type Gate struct {
	open    atomic.Uint32 // 1: open
	watched atomic.Bool   // somebody has asked for ch
	mu      sync.Mutex
	ch      chan struct{}
	done    bool // ch is closed
}

// NewGate makes a closed gate.
func NewGate() *Gate { return &Gate{} }

// Open opens the gate. A waiter sets watched before it looks at open, so
// one of the two closes the channel.
func (g *Gate) Open() {
	g.open.Store(1)
	if g.watched.Load() {
		g.mu.Lock()
		g.closeLocked()
		g.mu.Unlock()
	}
}

// OpenFrom is Open by a process that runs on a worker. If it is the worker's own
// goroutine that waits for the gate, it will look at it next, and nobody else.
func (g *Gate) OpenFrom(w *Worker) {
	if w.until == g {
		releaseStore32(&g.open, 1)
	} else {
		g.Open()
	}
}

func (g *Gate) closeLocked() {
	if !g.done {
		g.done = true
		close(g.ch)
	}
}

// Opened reports whether the gate is open.
func (g *Gate) Opened() bool { return g.open.Load() != 0 }

// Opening is closed when the gate opens.
func (g *Gate) Opening() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ch == nil {
		g.ch = make(chan struct{})
		g.watched.Store(true)
		if g.Opened() {
			g.closeLocked()
		}
	}
	return g.ch
}

// Reset closes a gate that nobody has waited for and nobody will open; it
// reports false if somebody has waited.
func (g *Gate) Reset() bool {
	if g.watched.Load() {
		return false
	}
	releaseStore32(&g.open, 0)
	return true
}
