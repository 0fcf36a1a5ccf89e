package reactor

import (
	"math"
	"math/rand/v2"
)

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
	since    map[*Proc]int // the choice from which on a process has been ready
	sweepAt  int           // how many may be known until those that have ended are forgotten
	low      int64         // below every priority given out
	high     int64         // above them
}

// pctPatience is how many choices a process that is ready may be held back for:
// by one that spins on it, or by several that wake each other.
const pctPatience = 1000

// PCT chooses by random priorities with depth-1 changes within the first steps
// choices, the same way for the same seed.
func PCT(seed uint64, depth, steps int) Chooser {
	c := &pct{r: source(seed), priority: map[*Proc]int64{}, since: map[*Proc]int{}, high: math.MaxInt64 / 2, changes: map[int]bool{}, sweepAt: minSweep}
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
			c.priority[p] = c.r.Int64N(math.MaxInt64 / 2)
		}
		if from, known := c.since[p]; !known {
			c.since[p] = c.step
		} else if c.step-from >= pctPatience {
			c.since[p] = c.step
			c.high++
			c.priority[p] = c.high
		}
		if c.priority[p] > c.priority[ready[best]] {
			best = i
		}
	}
	p := ready[best]
	delete(c.since, p)
	if c.changes[c.step] {
		c.low--
		c.priority[p] = c.low
	}
	c.step++
	if len(c.priority) > c.sweepAt {
		c.forget()
	}
	return best
}

// forget drops what has ended.
func (c *pct) forget() {
	for p := range c.priority {
		if p.Status() == Completed {
			delete(c.priority, p)
			delete(c.since, p)
		}
	}
	c.sweepAt = max(minSweep, 2*len(c.priority)) // so that it costs each process a little
}
