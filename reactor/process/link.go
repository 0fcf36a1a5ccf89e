package process

import (
	"maps"
	"slices"

	"github.com/runnel-lang/runnel/reactor"
)

// pidSet is the processes that one is tied to in one way.
type pidSet map[ID]struct{}

func (s *pidSet) add(pid ID) {
	if *s == nil {
		*s = pidSet{}
	}
	(*s)[pid] = struct{}{}
}

// sorted returns the order in which processes are told, so that runs repeat.
func (s pidSet) sorted() []ID { return slices.Sorted(maps.Keys(s)) }

// ties of a process that has ended.
type ties struct{ links, watchers, watching pidSet }

// pair calls f with two processes under both their locks; one that has ended is
// nil. A tie is entered and ended on both sides at once.
func (n *Node) pair(pa, pb ID, f func(a, b *actor)) {
	a, _ := n.actors.Get(pa)
	b, _ := n.actors.Get(pb)
	first, second := a, b
	if pa > pb {
		first, second = b, a
	}
	if first != nil {
		first.mu.Lock()
		defer first.mu.Unlock()
	}
	if second != nil && second != first {
		second.mu.Lock()
		defer second.mu.Unlock()
	}
	if a != nil && a.hasEnded {
		a = nil
	}
	if b != nil && b.hasEnded {
		b = nil
	}
	f(a, b)
}

// Link links two processes: when one fails, the other is terminated with a
// LinkError, or gets an Exit event if it traps exits. A normal end only causes
// an event.
func (n *Node) Link(a, b ID) error { return found(n.link(a, b)) }

func (n *Node) link(pa, pb ID) (done bool) {
	n.pair(pa, pb, func(a, b *actor) {
		if a == nil || b == nil || a == b {
			return
		}
		a.links.add(pb)
		b.links.add(pa)
		done = true
	})
	return done
}

// Unlink removes the link between two processes: neither is told when the other ends.
func (n *Node) Unlink(pa, pb ID) {
	n.pair(pa, pb, func(a, b *actor) {
		if a != nil {
			delete(a.links, pb)
		}
		if b != nil {
			delete(b.links, pa)
		}
	})
}

// Monitor makes a watcher get a Down event when a process ends, at once if it has ended already.
func (n *Node) Monitor(watcher, pid ID) error { return found(n.monitor(nil, watcher, pid)) }

func (n *Node) monitor(w *reactor.Worker, watcher, pid ID) bool {
	there, ended := false, false
	n.pair(watcher, pid, func(a, b *actor) {
		there, ended = a != nil, b == nil
		if there && !ended {
			a.watching.add(pid)
			b.watchers.add(watcher)
		}
	})
	if there && ended {
		return n.deliver(w, watcher, Event{Kind: Down, From: pid, Err: ErrNoProcess}) == nil
	}
	return there
}

// Demonitor ends a Monitor: the watcher gets no Down event any more.
func (n *Node) Demonitor(watcher, pid ID) {
	n.pair(watcher, pid, func(a, b *actor) {
		if a != nil {
			delete(a.watching, pid)
		}
		if b != nil {
			delete(b.watchers, watcher)
		}
	})
}

// unties takes a process that has ended from one of the actor's sets; it reports
// whether it was there still.
func (a *actor) unties(set *pidSet, pid ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, was := (*set)[pid]
	delete(*set, pid)
	return was
}

// linkEnds tells a process of the end of a linked one.
func (a *actor) linkEnds(w *reactor.Worker, end Event) {
	switch {
	case a.opts.TrapExit:
		_ = a.deliver(w, end) // has ended meanwhile
	case end.Err != nil:
		a.terminate(w, &LinkError{ID: end.From, Err: end.Err})
	}
}

// tell tells those tied to a process of its end.
func (n *Node) tell(w *reactor.Worker, end Event, t ties) {
	end.Kind = Exit
	for _, p := range t.links.sorted() {
		if a, ok := n.actors.Get(p); ok && a.unties(&a.links, end.From) {
			a.linkEnds(w, end)
		}
	}
	end.Kind = Down
	for _, p := range t.watchers.sorted() {
		if a, ok := n.actors.Get(p); ok && a.unties(&a.watching, end.From) {
			_ = a.deliver(w, end) // has ended meanwhile
		}
	}
	for p := range t.watching {
		if a, ok := n.actors.Get(p); ok {
			a.unties(&a.watchers, end.From)
		}
	}
}
