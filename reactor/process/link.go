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
type ties struct{ links, monitoredBy, monitors pidSet }

// pair calls f with two processes under both their locks; one that has ended is
// nil. A tie is entered and ended on both sides at once.
func (n *Node) pair(pa, pb ID, f func(a, b *running)) {
	a, _ := n.processes.Get(pa)
	b, _ := n.processes.Get(pb)
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
	n.pair(pa, pb, func(a, b *running) {
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
	n.pair(pa, pb, func(a, b *running) {
		if a != nil {
			delete(a.links, pb)
		}
		if b != nil {
			delete(b.links, pa)
		}
	})
}

// Monitor sends the process by a Down event when the other ends, at once if it has ended already.
func (n *Node) Monitor(by, pid ID) error { return found(n.monitor(nil, by, pid)) }

func (n *Node) monitor(w *reactor.Worker, by, pid ID) bool {
	there, ended := false, false
	n.pair(by, pid, func(a, b *running) {
		there, ended = a != nil, b == nil
		if there && !ended {
			a.monitors.add(pid)
			b.monitoredBy.add(by)
		}
	})
	if there && ended {
		return n.deliver(w, by, Event{Kind: Down, From: pid, Err: ErrNoProcess}) == nil
	}
	return there
}

// Demonitor ends a Monitor: by gets no Down event any more.
func (n *Node) Demonitor(by, pid ID) {
	n.pair(by, pid, func(a, b *running) {
		if a != nil {
			delete(a.monitors, pid)
		}
		if b != nil {
			delete(b.monitoredBy, by)
		}
	})
}

// unties takes a process that has ended from one of the sets of another; it reports
// whether it was there still.
func (r *running) unties(set *pidSet, pid ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, was := (*set)[pid]
	delete(*set, pid)
	return was
}

// linkEnds tells a process of the end of a linked one.
func (r *running) linkEnds(w *reactor.Worker, end Event) {
	switch {
	case r.opts.TrapExit:
		_ = r.deliver(w, end) // has ended meanwhile
	case end.Err != nil:
		r.terminate(w, &LinkError{ID: end.From, Err: end.Err})
	}
}

// tell tells those tied to a process of its end.
func (n *Node) tell(w *reactor.Worker, end Event, t ties) {
	end.Kind = Exit
	for _, p := range t.links.sorted() {
		if a, ok := n.processes.Get(p); ok && a.unties(&a.links, end.From) {
			a.linkEnds(w, end)
		}
	}
	end.Kind = Down
	for _, p := range t.monitoredBy.sorted() {
		if a, ok := n.processes.Get(p); ok && a.unties(&a.monitors, end.From) {
			_ = a.deliver(w, end) // has ended meanwhile
		}
	}
	for p := range t.monitors {
		if a, ok := n.processes.Get(p); ok {
			a.unties(&a.monitoredBy, end.From)
		}
	}
}
