package reactor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What comes from outside, one after the other, starts at the next look at the clock, however
// many processes compute.
func TestWhatComesFromOutsideWaitsForNoSlice(t *testing.T) {
	for _, hogs := range []int{1, 2, 8, 40} {
		sim := simulate(t, 2, hogs)
		var times latencies
		start := time.Duration(-1)
		sim.started = func(*Proc) {
			times = append(times, sim.s.Now()-start)
			start = -1
		}
		class := &Class{}
		const settled = 1000 // steps, after which those who compute, injected too, have left the lane
		for i := 0; len(times) < 1000; i++ {
			if start < 0 && i > settled && i%7 == 0 {
				start = sim.s.Now()
				p := &Proc{}
				p.InitProc(class)
				sim.s.Inject(p)
			}
			sim.step()
		}
		sim.end()
		require.LessOrEqual(t, times.at(1), minSlice+simulatedStep, "beside %d that compute", hogs)
	}
}

// Those who compute keep a quarter of the time, though ever more comes from outside that computes
// for a while itself, and though more comes than can be done.
func TestTheLaneStarvesNobody(t *testing.T) {
	for _, flood := range []int{1, 20, 1000} {
		sim := simulate(t, 2, 4)
		ours := 0
		all := 0
		long := map[*Proc]int{} // those from outside that compute: for three steps
		class := &Class{}
		sim.started = func(*Proc) {}
		for i := range 20_000 {
			if i%10 == 0 {
				for range flood {
					p := &Proc{}
					p.InitProc(class)
					sim.s.Inject(p)
				}
			}
			if i%3 == 0 {
				p := &Proc{}
				p.InitProc(&sim.hog)
				long[p] = 3
				sim.s.Inject(p)
			}
			sim.step()
			for k, p := range sim.running {
				if p == nil {
					continue
				}
				all++
				if left, foreign := long[p]; !foreign {
					ours++
				} else if long[p] = left - 1; left == 1 {
					delete(long, p)
					p.Complete()
					sim.running[k] = nil
				}
			}
		}
		share := float64(ours) / float64(all)
		t.Logf("%d at once: those who compute have had %.2f of the time", flood, share)
		require.Greater(t, share, 0.24)
		sim.end()
	}
}

// A process of the lane that goes on and on becomes one of the others.
func TestWhoComputesLeavesTheLane(t *testing.T) {
	s, ws := tokens(t, 1)
	procs := newProcs(2)
	s.Inject(&procs[0])
	require.Same(t, &procs[0], ws[0].Pick())
	s.Inject(&procs[1])
	require.False(t, ws[0].Overdue(), "it is of the lane itself")
	require.True(t, ws[0].Overdue())
	ws[0].Yield(&procs[0])
	require.Same(t, &procs[1], ws[0].Pick())
	require.Same(t, &procs[0], ws[0].Pick())
}

// A worker that is at work wakes those whose time has come, without the goroutine of the clock.
func TestABusyWorkerFiresTimers(t *testing.T) {
	s, ws := tokens(t, 1)
	procs := newProcs(1)
	p := &procs[0]
	p.MarkRunning()
	s.r.clock.running = true // so that there is no other that could fire
	s.SleepUntil(p, s.Now()+time.Millisecond)
	for deadline := time.Now().Add(time.Minute); !ws[0].Overdue(); {
		require.True(t, time.Now().Before(deadline))
	}
	require.Same(t, p, ws[0].Pick())
}
