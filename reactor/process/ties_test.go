package process

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/stretchr/testify/require"
)

// told is a process that traps exits and counts what it is told, by ID. It ends
// with an error by a message that is one, and normally by any other or when it
// is cancelled.
type told struct {
	mu           sync.Mutex
	exits, downs map[ID]int
}

func newTold() *told { return &told{exits: map[ID]int{}, downs: map[ID]int{}} }

func (p *told) Init(context.Context, string, any) error { return nil }
func (p *told) Close()                                  {}

func (p *told) Step(events []Event, out *StepOutput) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range events {
		switch e.Kind {
		case Exit:
			p.exits[e.From]++
		case Down:
			p.downs[e.From]++
		case Cancelled:
			out.Done(nil)
		case Message:
			if err, ok := e.Data.(error); ok {
				return err
			}
			out.Done(e.Data)
		}
	}
	return nil
}

func TestAProcessEndsWhileItsTiesAreEnded(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 4}), NodeOptions{})
	trials := 200
	if testing.Short() {
		trials = 20
	}
	for range trials {
		hub, err := n.Spawn(newTold(), SpawnOptions{TrapExit: true})
		require.NoError(t, err)
		leaves := make([]ID, 200)
		for i := range leaves {
			leaves[i], err = n.Spawn(newTold(), SpawnOptions{TrapExit: true})
			require.NoError(t, err)
			require.NoError(t, n.Link(hub, leaves[i]))
			require.NoError(t, n.Monitor(leaves[i], hub))
		}
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i := g; i < len(leaves); i += 4 {
					switch i % 3 {
					case 0:
						n.Unlink(hub, leaves[i])
					case 1:
						n.Demonitor(leaves[i], hub)
					}
					_ = n.Send(leaves[i], "end")
				}
			})
		}
		require.NoError(t, n.Send(hub, "end"))
		wg.Wait()
	}
	require.Eventually(t, func() bool { return n.Len() == 0 }, time.Minute, time.Millisecond)
}

// What hosts do to ties at random, each pair of processes in the hands of one
// goroutine, which therefore knows what was asked for last, while others end the
// processes: at the end both sides of a tie agree, and whoever was tied to one
// that ended has been told once.
func TestTiesAgainstAModel(t *testing.T) {
	const processes, hosts = 24, 8
	rounds, steps := 30, 400
	if testing.Short() {
		rounds, steps = 5, 200
	}
	for round := range rounds {
		n := NewNode(scheduler(t, reactor.Options{Workers: 4}), NodeOptions{})
		procs, pids := make([]*told, processes), make([]ID, processes)
		for i := range procs {
			procs[i] = newTold()
			var err error
			pids[i], err = n.Spawn(procs[i], SpawnOptions{TrapExit: true})
			require.NoError(t, err)
		}
		type tie struct{ linked, everLinked, monitored bool }
		var model [processes][processes]tie // [i][j] with i < j: link, and i monitors j
		var wg sync.WaitGroup
		for h := range hosts {
			rng := rand.New(rand.NewPCG(uint64(round), uint64(h)))
			wg.Go(func() {
				for range steps {
					i, j := rng.IntN(processes), rng.IntN(processes)
					if i >= j || (i*processes+j)%hosts != h {
						continue
					}
					m := &model[i][j]
					switch rng.IntN(4) {
					case 0:
						if n.Link(pids[j], pids[i]) == nil {
							m.linked, m.everLinked = true, true
						}
					case 1:
						n.Unlink(pids[i], pids[j])
						m.linked = false
					case 2:
						m.monitored = n.Monitor(pids[i], pids[j]) == nil
					case 3:
						n.Demonitor(pids[i], pids[j])
						m.monitored = false
					}
				}
			})
		}
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(round), 99))
			for k := range processes / 2 {
				time.Sleep(time.Duration(rng.IntN(60)) * time.Microsecond)
				switch pid := pids[rng.IntN(processes)]; k % 4 {
				case 0:
					_ = n.Terminate(pid)
				case 1:
					_ = n.Cancel(pid)
				case 2:
					_ = n.Send(pid, errors.New("fails"))
				case 3:
					parent, _ := n.Spawn(newTold(), SpawnOptions{Parent: pid, Link: true, Monitor: true, TrapExit: true})
					_ = n.Send(parent, "ends")
				}
			}
		})
		wg.Wait()
		require.Eventually(t, n.Sched().Quiet, time.Minute, 100*time.Microsecond)
		for i := range processes {
			for j := i + 1; j < processes; j++ {
				a, livesA := n.processes.Get(pids[i])
				b, livesB := n.processes.Get(pids[j])
				m := model[i][j]
				require.LessOrEqual(t, procs[i].exits[pids[j]], 1)
				require.True(t, m.everLinked || procs[i].exits[pids[j]] == 0)
				switch {
				case livesA && livesB:
					require.Equal(t, m.linked, has(a.links, pids[j]))
					require.Equal(t, m.linked, has(b.links, pids[i]))
					require.Equal(t, m.monitored, has(a.monitors, pids[j]))
					require.Equal(t, m.monitored, has(b.monitoredBy, pids[i]))
				case livesA:
					require.False(t, has(a.links, pids[j]) || has(a.monitors, pids[j]), "an ended process is forgotten")
					require.True(t, !m.linked || procs[i].exits[pids[j]] == 1)
					require.True(t, !m.monitored || procs[i].downs[pids[j]] >= 1)
				case livesB:
					require.False(t, has(b.links, pids[i]) || has(b.monitoredBy, pids[i]), "an ended process is forgotten")
					require.True(t, !m.linked || procs[j].exits[pids[i]] == 1)
				}
			}
		}
		n.Close(context.Background())
		require.Zero(t, n.Len())
	}
}

func has(s pidSet, pid ID) bool { _, ok := s[pid]; return ok }

// A node is closed while its processes are spawned and tied.
func TestCloseBesideSpawning(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 20
	}
	for range rounds {
		n := NewNode(scheduler(t, reactor.Options{Workers: 4}), NodeOptions{})
		hub, err := n.Spawn(newTold(), SpawnOptions{TrapExit: true})
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 50 {
					pid, err := n.Spawn(newTold(), SpawnOptions{Parent: hub, Link: true, Monitor: true, TrapExit: true})
					if err != nil {
						require.ErrorIs(t, err, ErrClosed)
						return
					}
					_ = n.Link(pid, hub)
				}
			})
		}
		n.Close(context.Background())
		wg.Wait()
		require.Zero(t, n.Len())
	}
}

func TestSpawnedLinkedToOneThatHasEnded(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	dead, err := n.Spawn(newTold(), SpawnOptions{})
	require.NoError(t, err)
	require.NoError(t, n.Terminate(dead))
	require.Eventually(t, func() bool { return n.Len() == 0 }, time.Minute, time.Millisecond)

	_, err = n.Call(newTold(), SpawnOptions{Parent: dead, Link: true})
	var link *LinkError
	require.ErrorAs(t, err, &link)
	require.Equal(t, dead, link.ID)
	require.ErrorIs(t, err, ErrNoProcess)

	traps := newTold()
	pid, err := n.Spawn(traps, SpawnOptions{Parent: dead, Link: true, TrapExit: true})
	require.NoError(t, err)
	require.Eventually(t, n.Sched().Quiet, time.Minute, time.Millisecond)
	require.Equal(t, 1, traps.exits[dead])
	require.NoError(t, n.Terminate(pid))
}

func TestAMonitoringProcessThatHasEndedIsForgotten(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	server, err := n.Spawn(newTold(), SpawnOptions{})
	require.NoError(t, err)
	for range 100 {
		client, err := n.Spawn(newTold(), SpawnOptions{})
		require.NoError(t, err)
		require.NoError(t, n.Monitor(client, server))
		require.NoError(t, n.Send(client, "end"))
	}
	require.Eventually(t, func() bool { return n.Len() == 1 }, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool {
		info, err := n.Info(server)
		require.NoError(t, err)
		return info.MonitoredBy == 0
	}, time.Minute, time.Millisecond)
	require.ErrorIs(t, n.Monitor(12345, server), ErrNoProcess)
}

func TestAStepDoesNotWait(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{})
	_, err := n.Call(stepping(func(_ []Event, out *StepOutput) error {
		_, err := n.Call(idle(), SpawnOptions{})
		return err
	}), SpawnOptions{})
	require.ErrorIs(t, err, ErrWithinStep)
	_, err = n.Call(stepping(func([]Event, *StepOutput) error { n.Close(context.Background()); return nil }), SpawnOptions{})
	var p *PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, ErrWithinStep, p.Value)
	n.Close(context.Background())
}

func TestKeptEventsGoToTheSuccessor(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{})
	var got []any
	replacement := stepping(func(events []Event, out *StepOutput) error {
		for _, e := range events {
			got = append(got, e.Data)
		}
		if len(got) == 4 {
			out.Done(got)
		}
		return nil
	})
	result, err := n.Call(stepping(func(events []Event, out *StepOutput) error {
		for i, e := range events {
			if e.Data == "upgrade" {
				out.Requeue(events[i+1:]...)
				out.Send(out.Self(), "came last")
				out.Upgrade(replacement, "", nil)
				return nil
			}
		}
		for _, text := range []string{"upgrade", "a", "b", "c"} {
			out.Send(out.Self(), text)
		}
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	require.Equal(t, []any{"a", "b", "c", "came last"}, result)
}

// Tags are the process's own affair: two alarms of one, or an alarm and a command.
func TestEqualTagsLeaveNoAlarm(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{})
	n.Handle("now", func(_ context.Context, _ Command, reply Reply) { reply(1, nil) })
	for _, second := range []Command{{Tag: 1, Name: "now"}, {Tag: 1, Name: Sleep, Arg: time.Millisecond}, {Tag: 1, Name: Sleep, Arg: 2 * time.Hour}} {
		pid, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
			if len(events) == 0 {
				out.Sleep(1, time.Hour)
				out.Commands = append(out.Commands, second)
			}
			if second.Arg != 2*time.Hour && len(events) > 0 {
				out.Done(nil)
			}
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		if second.Arg == 2*time.Hour {
			require.Eventually(t, func() bool { i, err := n.Info(pid); return err == nil && i.Commands == 2 }, time.Minute, time.Millisecond)
			require.NoError(t, n.Terminate(pid))
		}
		require.Eventually(t, n.Sched().Quiet, time.Minute, time.Millisecond)
	}
}

func TestACommandForOneThatHasEndedIsNotCarriedOut(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{})
	var a *running
	n.opts.OnStart = func(pid ID) error { a, _ = n.processes.Get(pid); return nil }
	pid, err := n.Spawn(idle(), SpawnOptions{})
	require.NoError(t, err)
	require.NoError(t, n.Terminate(pid))
	require.Eventually(t, func() bool { return n.Len() == 0 }, time.Minute, time.Millisecond)
	require.False(t, a.dispatch(nil, Command{Name: Sleep, Arg: time.Hour}))
	require.Eventually(t, n.Sched().Quiet, time.Minute, time.Millisecond)
	require.ErrorIs(t, n.Dispatch(pid, Command{Name: Sleep, Arg: time.Hour}), ErrNoProcess)
}

func TestAPanicOfOnCompleteIsAnError(t *testing.T) {
	var ended atomic.Int32
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{OnComplete: func(ID, any, error) {
		ended.Add(1)
		panic("hook")
	}})
	_, err := n.Call(stepping(func(_ []Event, out *StepOutput) error { out.Done(1); return nil }), SpawnOptions{})
	require.ErrorContains(t, err, "panic: hook")
	require.EqualValues(t, 1, ended.Load())
}
