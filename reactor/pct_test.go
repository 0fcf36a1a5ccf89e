package reactor

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/linear"
)

// Those that are known and wait cost the choices among others nothing.
func TestPCTIsNotSlowedDownByThoseThatWait(t *testing.T) {
	const n = 20_000
	c := PCT(1, 3, 100).(*pct)
	ready := make([]*Proc, 1)
	begun := linear.Used()
	for range n {
		ready[0] = &Proc{}
		ready[0].InitProc(&Class{})
		c.ChooseProc(ready)
	}
	for range n {
		c.ChooseProc(ready)
	}
	require.Less(t, linear.Used()-begun, 2*time.Second)
}

// Many that are ready cost a choice little.
func TestPCTIsNotSlowedDownByThoseThatAreReady(t *testing.T) {
	const n = 50_000
	c := PCT(1, 3, 100).(*pct)
	var l readyList
	for range n {
		p := &Proc{}
		p.InitProc(&Class{})
		l.push(p)
	}
	begun := linear.Used()
	for range 2 * n {
		p := l.take(c.ChooseProc(l.procs))
		if l.len() > n/2 {
			continue
		}
		l.push(p)
	}
	require.Less(t, linear.Used()-begun, 5*time.Second) // 50,000 times 50,000 looks take half a minute
}

// The one with the highest priority is chosen, whatever comes and goes, also without
// a choice; none is passed over for longer than the patience.
func TestPCTChoosesTheHighest(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := PCT(seed, 3, 500).(*pct)
		var l readyList
		var idle []*Proc
		for range 1 + r.IntN(20) {
			p := &Proc{}
			p.InitProc(&Class{})
			idle = append(idle, p)
		}
		passed := map[*Proc]int{}
		for range 5000 {
			for range r.IntN(3) {
				if n := len(idle); n > 0 {
					i := r.IntN(n)
					l.push(idle[i])
					idle = slices.Delete(idle, i, i+1)
				}
			}
			if l.len() == 0 {
				continue
			}
			var p *Proc
			if l.len() == 1 {
				p = l.take(0)
			} else {
				all := slices.Clone(l.procs)
				i := c.ChooseProc(l.procs)
				p = l.take(i)
				require.Same(t, all[i], p)
				lowered := c.known[p].priority <= 0
				for _, q := range all {
					if q != p {
						require.True(t, lowered || c.known[q].priority <= c.known[p].priority, "seed %d", seed)
						passed[q]++
						require.LessOrEqual(t, passed[q], pctPatience+30, "seed %d", seed)
					}
				}
			}
			passed[p] = 0
			if r.IntN(4) > 0 {
				l.push(p) // goes on
			} else {
				idle = append(idle, p)
			}
		}
	}
}
