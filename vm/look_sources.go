package vm

import (
	"unsafe"
)

// reachGraph is what tasks that nobody can reach refer to, down to what others reach:
// tasks and objects, each with those that it leads to. Which of the tasks reach each
// other is found by Tarjan's algorithm, without recursion.
type reachGraph struct {
	l     *liveness
	known addressNumbers // of the nodes, from 0 as they are found
	low   []int32        // the first node known to be in a circle with it
	part  []int32        // the part that a node belongs to, or undecided
	tasks []*Task        // nil of an object
	open  []int32        // nodes that are undecided
	cross []crossEdge
	path  []graphStep
	edges []graphEdge // still to be followed, those of the last step of the path on top
	parts []graphPart
}

// graphPart is a set of nodes that all reach each other.
type graphPart struct {
	tasks []*Task
}

// crossEdge leads from a node to a part of which it is none.
type crossEdge struct{ node, part int32 }

// graphStep is a node on the way to the one at hand, and where its edges begin.
type graphStep struct {
	node  int32
	edges int
}

// graphEdge leads to a run of pointer words, or to a task.
type graphEdge struct {
	span
	task *Task
}

const undecided = -1

// sources gives, of the tasks that wait for messages which nobody can send but they
// themselves, those that no others of them reach but such as they reach too. The
// others stop when these have ended.
func (l *liveness) sources(tasks []*Task) (first []*Task) {
	if len(tasks) < 2 {
		return tasks
	}
	g := &reachGraph{l: l}
	l.graph = g
	for _, t := range tasks {
		g.toTask(t)
		for len(g.path) > 0 {
			g.step()
		}
	}
	l.graph = nil
	return g.dropped()
}

// step follows the next edge of the node at hand, or leaves it.
func (g *reachGraph) step() {
	at := &g.path[len(g.path)-1]
	if len(g.edges) == at.edges {
		g.leave()
		return
	}
	e := &g.edges[len(g.edges)-1]
	if e.task != nil {
		t := e.task
		g.edges = g.edges[:len(g.edges)-1]
		g.toTask(t)
		return
	}
	p := *(*unsafe.Pointer)(e.at)
	if e.n--; e.n == 0 {
		g.edges = g.edges[:len(g.edges)-1]
	} else {
		e.at = unsafe.Add(e.at, e.stride)
	}
	g.toObject(p)
}

func (g *reachGraph) toTask(t *Task) {
	if !g.l.waits(t) || !g.enter(unsafe.Pointer(t), t) {
		return
	}
	h := g.l.h
	n := len(h.from)
	h.frames(t)
	h.task(t)
	g.follow(h.from[n:])
	h.from = h.from[:n]
}

func (g *reachGraph) toObject(p unsafe.Pointer) {
	h := g.l.h
	if p == nil || h.seen.has(p) {
		return // others reach that
	}
	id := (*Header)(p).Type
	if !h.leads.types[id] || !g.enter(p, nil) {
		return
	}
	h.follow(p, &h.prog.Types[id])
	g.follow(h.work)
	h.work = h.work[:0]
}

// enter continues to a node; false if that has been done before.
func (g *reachGraph) enter(p unsafe.Pointer, t *Task) bool {
	n, known := g.known.of(p)
	if known {
		g.reach(n)
		return false
	}
	g.low = append(g.low, n)
	g.part = append(g.part, undecided)
	g.tasks = append(g.tasks, t)
	g.open = append(g.open, n)
	g.path = append(g.path, graphStep{n, len(g.edges)})
	return true
}

// reach notes that the node at hand leads to another that is known.
func (g *reachGraph) reach(n int32) {
	if len(g.path) == 0 {
		return // a task to begin with
	}
	at := g.path[len(g.path)-1].node
	if p := g.part[n]; p != undecided {
		g.cross = append(g.cross, crossEdge{at, p})
		return
	}
	g.low[at] = min(g.low[at], g.low[n])
}

func (g *reachGraph) follow(spans []span) {
	for _, s := range spans {
		g.edges = append(g.edges, graphEdge{span: s})
	}
}

// mailbox is called when the node at hand is one: who can send there has the task
// go on.
func (g *reachGraph) mailbox(c *Chan) {
	c.messages(g.l.h.values)
	if t := c.receiver(); t != nil && t.mailbox() == c {
		g.edges = append(g.edges, graphEdge{task: t})
	}
}

// leave ends the node at hand. If nothing found since leads back behind it, they are
// a part.
func (g *reachGraph) leave() {
	n := g.path[len(g.path)-1].node
	g.path = g.path[:len(g.path)-1]
	if g.low[n] == n {
		g.close(n)
	}
	if len(g.path) > 0 {
		g.reach(n)
	}
}

func (g *reachGraph) close(first int32) {
	var p graphPart
	for {
		n := g.open[len(g.open)-1]
		g.open = g.open[:len(g.open)-1]
		g.part[n] = int32(len(g.parts))
		if t := g.tasks[n]; t != nil {
			p.tasks = append(p.tasks, t)
		}
		if n == first {
			break
		}
	}
	g.parts = append(g.parts, p)
}

// addressNumbers numbers addresses as they come: open addressing, at most half full.
type addressNumbers struct {
	slots []numberedAddress
	n     int32
}

type numberedAddress struct {
	address uintptr
	number  int32
}

// of returns the number of an address, the next one if it is not known.
func (s *addressNumbers) of(p unsafe.Pointer) (number int32, known bool) {
	if 2*int(s.n) >= len(s.slots) {
		old := s.slots
		s.slots = make([]numberedAddress, max(256, 4*len(old)))
		for _, x := range old {
			if x.address != 0 {
				*s.slot(x.address) = x
			}
		}
	}
	x := s.slot(uintptr(p))
	if x.address != 0 {
		return x.number, true
	}
	*x = numberedAddress{uintptr(p), s.n}
	s.n++
	return x.number, false
}

func (s *addressNumbers) slot(a uintptr) *numberedAddress {
	mask := len(s.slots) - 1
	i := int(uint64(a)*0x9E3779B97F4A7C15>>32) & mask
	for s.slots[i].address != 0 && s.slots[i].address != a {
		i = (i + 1) & mask
	}
	return &s.slots[i]
}
