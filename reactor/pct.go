package reactor

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

// pct is probabilistic concurrency testing: each process has a random priority,
// the highest that is ready runs, and at a few random points the running one
// falls below all others. A bug that needs d orderings is found with a known
// probability, unlike with uniform choices, which seldom hold a process back
// for long.
type pct struct {
	r       *rand.Rand
	changes map[int]bool // at which choices the chosen one is lowered
	step    int
	low     int64 // below every priority given out
	high    int64 // above them

	known   map[*Proc]*pctProc
	sweepAt int // how many may be known until those that have ended are forgotten

	ready    []*pctProc // in the order of the list that is chosen from
	taken    int        // how many have left it
	priority pctHeap    // the same by priority
	patience []pctWait  // since when they wait, the longest first
}

// pctProc is what is known of a process.
type pctProc struct {
	p        *Proc
	priority int64
	number   int  // later ones are ready for less long
	at       int  // where in ready it stands, and how many had left that before
	inHeap   int  // its place there, or notInHeap
	waits    bool // is ready, and has not been chosen
	since    int  // the choice from which on
}

const notInHeap = -1

// pctWait is out of date when the process waits since another choice.
type pctWait struct {
	of    *pctProc
	since int
}

// pctPatience is how many choices a process that is ready may be held back for:
// by one that spins on it, or by several that wake each other.
const pctPatience = 1000

// PCT chooses by random priorities with depth-1 changes within the first steps
// choices, the same way for the same seed.
func PCT(seed uint64, depth, steps int) Chooser {
	c := &pct{r: source(seed), known: map[*Proc]*pctProc{}, high: math.MaxInt64 / 2, changes: map[int]bool{}, sweepAt: minSweep}
	for range depth - 1 {
		c.changes[c.r.IntN(max(1, steps))] = true
	}
	return c
}

func (c *pct) Choose(n int) int { return c.r.IntN(n) }

func (c *pct) ChooseProc(ready []*Proc) int {
	if !c.goesOn(ready) {
		c.begin()
	}
	for _, p := range ready[len(c.ready):] {
		c.add(p)
	}
	c.raise()
	best := heap.Pop(&c.priority).(*pctProc)
	best.waits = false
	if c.changes[c.step] {
		c.low--
		best.priority = c.low
	}
	c.step++
	i := best.at - c.taken
	c.take(i)
	if len(c.known) > c.sweepAt {
		c.forget()
	}
	return i
}

// goesOn reports whether a list begins with what the last choice has left. Who was alone
// may have been taken without a choice.
func (c *pct) goesOn(ready []*Proc) bool {
	n := len(c.ready)
	return n > 1 && n <= len(ready) && ready[0] == c.ready[0].p && ready[n-1] == c.ready[n-1].p
}

// begin forgets what is ready.
func (c *pct) begin() {
	for _, e := range c.ready {
		e.inHeap = notInHeap
	}
	c.ready, c.priority, c.taken = nil, nil, 0
}

// add notes a process that has become ready.
func (c *pct) add(p *Proc) {
	e := c.known[p]
	if e == nil {
		e = &pctProc{p: p}
		c.known[p] = e
		p.takeFresh()
		e.priority = c.r.Int64N(math.MaxInt64 / 2)
	} else if p.takeFresh() {
		e.priority = c.r.Int64N(math.MaxInt64 / 2)
	}
	if !e.waits {
		e.waits, e.since = true, c.step
		c.patience = append(c.patience, pctWait{e, c.step})
	}
	e.number, e.at = c.step, c.taken+len(c.ready)
	c.ready = append(c.ready, e)
	heap.Push(&c.priority, e)
}

// raise puts the one that has been held back for longest before all others if that is
// long enough. So it is chosen, and the next one after it.
func (c *pct) raise() {
	for len(c.patience) > 0 {
		w := c.patience[0]
		current := w.of.waits && w.of.since == w.since
		if current && c.step-w.since < pctPatience {
			return
		}
		c.patience = c.patience[1:]
		switch {
		case !current:
		case w.of.inHeap == notInHeap: // taken without a choice
			w.of.waits = false
		default:
			c.high++
			w.of.priority = c.high
			heap.Fix(&c.priority, w.of.inHeap)
			return
		}
	}
}

// take does to ready what is done to the list: the oldest moves into the place.
func (c *pct) take(i int) {
	first := c.ready[0]
	c.ready[i], first.at = first, c.taken+i
	c.ready[0] = nil
	c.ready = c.ready[1:]
	c.taken++
}

// forget drops what has ended.
func (c *pct) forget() {
	for p := range c.known {
		if p.Status() == Completed {
			delete(c.known, p)
		}
	}
	c.sweepAt = max(minSweep, 2*len(c.known)) // so that it costs each process a little
}

// pctHeap has the highest priority on top; of equal ones, the one that was ready first.
type pctHeap []*pctProc

func (h pctHeap) Len() int { return len(h) }

func (h pctHeap) Less(i, j int) bool {
	if h[i].priority != h[j].priority {
		return h[i].priority > h[j].priority
	}
	return h[i].number < h[j].number
}

func (h pctHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].inHeap, h[j].inHeap = i, j
}

func (h *pctHeap) Push(x any) {
	e := x.(*pctProc)
	e.inHeap = len(*h)
	*h = append(*h, e)
}

func (h *pctHeap) Pop() any {
	n := len(*h) - 1
	e := (*h)[n]
	e.inHeap, (*h)[n] = notInHeap, nil
	*h = (*h)[:n]
	return e
}
