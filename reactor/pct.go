package reactor

import "math/rand/v2"

// pct is probabilistic concurrency testing: each process has a random priority,
// the highest that is ready runs, and at a few random points the running one
// falls below all others. A bug that needs d orderings is found with a known
// probability, unlike with uniform choices, which seldom hold a process back
// for long.
type pct struct {
	r        *rand.Rand
	priority map[*Proc]int64
	changes  map[int]bool // at which choices the chosen one is lowered
	step     int
	low      int64 // below every priority given out
	last     *Proc
	row      int // how often last was chosen in a row, others being ready
}

// pctPatience bounds how long a process that spins on another may hold it back.
const pctPatience = 1000

// PCT chooses by random priorities with depth-1 changes within the first steps
// choices, the same way for the same seed.
func PCT(seed uint64, depth, steps int) Chooser {
	c := &pct{r: source(seed), priority: map[*Proc]int64{}, changes: map[int]bool{}}
	for range depth - 1 {
		c.changes[c.r.IntN(max(1, steps))] = true
	}
	return c
}

func (c *pct) Choose(n int) int { return c.r.IntN(n) }

func (c *pct) ChooseProc(ready []*Proc) int {
	best := 0
	for i, p := range ready {
		if _, known := c.priority[p]; p.takeFresh() || !known {
			c.priority[p] = c.r.Int64()
		}
		if c.priority[p] > c.priority[ready[best]] {
			best = i
		}
	}
	p := ready[best]
	if p == c.last {
		c.row++
	} else {
		c.last, c.row = p, 0
	}
	if c.changes[c.step] || c.row >= pctPatience {
		c.row = 0
		c.low--
		c.priority[p] = c.low
	}
	c.step++
	if len(c.priority) > 2*len(ready)+minSweep {
		c.forget()
	}
	return best
}

// forget drops what has ended.
func (c *pct) forget() {
	for p := range c.priority {
		if p.Status() == Completed {
			delete(c.priority, p)
		}
	}
}
