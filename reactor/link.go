package reactor

import (
	"maps"
	"slices"
)

// Link ties two processes: when one fails, the other is terminated with a
// LinkError, or gets an Exit event when it traps exits. A normal end is an
// event only.
func (n *Node) Link(a, b PID) error { return found(n.link(nil, a, b)) }

func (n *Node) link(w *Worker, pa, pb PID) bool {
	a, ok := n.actors.Get(pa)
	if !ok {
		return false
	}
	b, ok := n.actors.Get(pb)
	if !ok || pa == pb {
		return false
	}
	// The locks are not held together, so one may end in between: whoever
	// is entered second and has ended is told of to the first as if later.
	if !a.relate(&a.links, pb) {
		return false
	}
	if !b.relate(&b.links, pa) {
		a.exit(w, Event{Kind: Exit, From: pb, Err: ErrNoProcess})
		return false
	}
	return true
}

// Unlink ends the tie of two processes.
func (n *Node) Unlink(pa, pb PID) {
	for _, pair := range [][2]PID{{pa, pb}, {pb, pa}} {
		if a, ok := n.actors.Get(pair[0]); ok {
			a.unrelate(&a.links, pair[1])
		}
	}
}

// Monitor has a watcher get a Down event when a process ends, at once when it
// has already.
func (n *Node) Monitor(watcher, pid PID) error { return found(n.monitor(nil, watcher, pid)) }

func (n *Node) monitor(w *Worker, watcher, pid PID) bool {
	a, ok := n.actors.Get(pid)
	if ok && a.relate(&a.watchers, watcher) {
		return true
	}
	return n.deliver(w, watcher, Event{Kind: Down, From: pid, Err: ErrNoProcess}) == nil
}

// Demonitor ends a Monitor.
func (n *Node) Demonitor(watcher, pid PID) {
	if a, ok := n.actors.Get(pid); ok {
		a.unrelate(&a.watchers, watcher)
	}
}

// relate enters a process into one of the actor's sets while it lives.
func (a *actor) relate(set *map[PID]struct{}, pid PID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hasEnded {
		return false
	}
	if *set == nil {
		*set = map[PID]struct{}{}
	}
	(*set)[pid] = struct{}{}
	return true
}

func (a *actor) unrelate(set *map[PID]struct{}, pid PID) {
	a.mu.Lock()
	delete(*set, pid)
	a.mu.Unlock()
}

// exit tells a process of the end of a linked one.
func (a *actor) exit(w *Worker, end Event) {
	a.mu.Lock()
	delete(a.links, end.From)
	a.mu.Unlock()
	switch {
	case a.opts.TrapExit:
		_ = a.deliver(w, end) // has ended meanwhile
	case end.Err != nil:
		a.terminate(w, &LinkError{PID: end.From, Err: end.Err})
	}
}

// tell tells those tied to a process of its end, in the order of their PIDs so
// that runs repeat.
func (n *Node) tell(w *Worker, end Event, links, watchers map[PID]struct{}) {
	end.Kind = Exit
	for _, p := range slices.Sorted(maps.Keys(links)) {
		if a, ok := n.actors.Get(p); ok {
			a.exit(w, end)
		}
	}
	end.Kind = Down
	for _, p := range slices.Sorted(maps.Keys(watchers)) {
		_ = n.deliver(w, p, end) // has ended meanwhile
	}
}
