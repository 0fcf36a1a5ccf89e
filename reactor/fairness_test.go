package reactor

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// simulation has a clock of its own: a few workers, each with a process that computes,
// take steps of a tenth of a millisecond and ask whether to make way, so that
// what is measured does not depend on who else uses the machine.
type simulation struct {
	t       *testing.T
	s       *Sched
	workers []*Worker
	running []*Proc
	hog     Class
	started func(p *Proc) // one of those that are measured
}

const simulatedStep = 100 * time.Microsecond

func simulate(t *testing.T, workers, hogs int) *simulation {
	sim := &simulation{t: t, s: withSched(t, Options{Workers: workers}), running: make([]*Proc, workers)}
	sim.s.timers.virtual = &virtualClock{}
	for range workers {
		sim.workers = append(sim.workers, sim.s.Acquire())
	}
	for range hogs {
		p := &Proc{}
		p.InitProc(&sim.hog)
		sim.s.Inject(p)
	}
	return sim
}

// step lets every worker run for a step.
func (sim *simulation) step() {
	for i, w := range sim.workers {
		if p := sim.running[i]; p != nil && w.Overdue() {
			w.Yield(p)
			sim.running[i] = nil
		}
		for sim.running[i] == nil {
			p := w.Pick()
			if p == nil {
				p = w.steal()
			}
			if p == nil {
				break
			}
			p.MarkRunning()
			if p.Class() != &sim.hog {
				sim.started(p)
				p.Complete()
				continue
			}
			sim.running[i] = p
		}
	}
	sim.s.timers.virtual.now.Add(int64(simulatedStep))
}

// end takes everything out again.
func (sim *simulation) end() {
	for _, w := range sim.workers {
		for p := w.Pick(); p != nil; p = w.Pick() {
			p.Complete()
		}
	}
	for _, w := range sim.workers {
		sim.s.release(w, nil)
	}
}

// With busy processes on all workers, what is new or woken starts within 20 ms,
// wherever it waits.
//
// origin: RY-07
func TestNobodyWaitsLongBehindBusyProcesses(t *testing.T) {
	ways := []struct {
		name      string
		makeReady func(s *Sched, w *Worker, p *Proc)
	}{
		{"injected", func(s *Sched, _ *Worker, p *Proc) { s.Inject(p) }},
		{"in the next slot", func(_ *Sched, w *Worker, p *Proc) { w.Wake(p) }},
		{"in the ring", func(_ *Sched, w *Worker, p *Proc) { w.WakeLast(p) }},
		{"woken", func(_ *Sched, w *Worker, p *Proc) { p.MarkRunning(); p.Claim(p.Suspend()); w.Wake(p) }},
	}
	for _, way := range ways {
		for _, hogs := range []int{1, 2, 8, 40} {
			t.Run(fmt.Sprintf("%s/%d", way.name, hogs), func(t *testing.T) {
				sim := simulate(t, 2, hogs)
				var times latencies
				var start time.Duration
				sim.started = func(*Proc) {
					times = append(times, sim.s.Now()-start)
					start = -1
				}
				start = -1
				class := &Class{}
				n := 1000
				if testing.Short() {
					n = 200
				}
				for i := 0; len(times) < n; i++ {
					if w := sim.workers[i%2]; start < 0 && i%37 == 0 && sim.running[i%2] != nil {
						start = sim.s.Now()
						p := &Proc{}
						p.InitProc(class)
						way.makeReady(sim.s, w, p)
					}
					sim.step()
					if sim.s.Now() > time.Hour {
						t.Fatal("it never starts")
					}
				}
				sim.end()
				t.Logf("median %v, 99.9%% within %v, at most %v", times.at(.5), times.at(.999), times.at(1))
				require.LessOrEqual(t, times.at(.999), 20*time.Millisecond)
			})
		}
	}
}

// Busy processes share the workers, wherever they began.
func TestBusyProcessesShareTheWorkers(t *testing.T) {
	for _, hogs := range []int{3, 5, 11, 100} {
		sim := simulate(t, 2, 0)
		steps := map[*Proc]int{}
		for i := range hogs { // all but one in the ring of one worker
			p := &Proc{}
			p.InitProc(&sim.hog)
			sim.workers[min(i, 1)].WakeLast(p)
		}
		const n = 50_000
		for range n {
			sim.step()
			for _, p := range sim.running {
				if p != nil {
					steps[p]++
				}
			}
		}
		sim.end()
		least, most := n, 0
		for _, k := range steps {
			least, most = min(least, k), max(most, k)
		}
		t.Logf("%d processes: each ran for %d to %d of %d steps", hogs, least, most, n)
		require.Len(t, steps, hogs)
		require.Less(t, most, 3*least)
	}
}
