package process

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/reactor"
)

// machine is a Process made of functions.
type machine struct {
	init   func(ctx context.Context, method string, input any) error
	step   func(events []Event, out *StepOutput) error
	closed atomic.Int32
}

func (m *machine) Init(ctx context.Context, method string, input any) error {
	if m.init == nil {
		return nil
	}
	return m.init(ctx, method, input)
}

func (m *machine) Step(events []Event, out *StepOutput) error { return m.step(events, out) }

func (m *machine) Close() { m.closed.Add(1) }

func stepping(f func(events []Event, out *StepOutput) error) *machine { return &machine{step: f} }

// idle handles nothing.
func idle() *machine { return stepping(func([]Event, *StepOutput) error { return nil }) }

// onNodes runs a test on a parallel and on a deterministic scheduler.
func onNodes(t *testing.T, opts NodeOptions, test func(t *testing.T, n *Node)) {
	for name, o := range map[string]reactor.Options{"parallel": {Workers: 2}, "fifo": {Chooser: reactor.FIFO{}}, "seeded": {Chooser: reactor.Seeded(7)}} {
		t.Run(name, func(t *testing.T) { test(t, NewNode(scheduler(t, o), opts)) })
	}
}

func TestProcessRunsToItsResult(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		steps := 0
		m := &machine{}
		m.init = func(_ context.Context, method string, input any) error {
			require.Equal(t, "count", method)
			steps = -input.(int)
			return nil
		}
		m.step = func(_ []Event, out *StepOutput) error {
			if steps++; steps < 0 {
				out.Next = Continue
				return nil
			}
			out.Done("done")
			return nil
		}
		result, err := n.Call(m, SpawnOptions{Method: "count", Input: 100})
		require.NoError(t, err)
		require.Equal(t, "done", result)
		require.Zero(t, steps)
		require.EqualValues(t, 1, m.closed.Load())
		require.Zero(t, n.Len())
	})
}

// origin: WP-03
func TestCommandsCompleteWithTheirTags(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		pool := iopool.New(iopool.Options{})
		t.Cleanup(func() { require.NoError(t, pool.Close(context.Background())) })
		n.Handle("double", func(ctx context.Context, cmd Command, reply Reply) {
			err := pool.Submit(ctx, func(context.Context) (any, error) { return 2 * cmd.Arg.(int), nil }, reply)
			if err != nil {
				reply(nil, err)
			}
		})
		n.Handle("panic", func(context.Context, Command, Reply) { panic("handler") })
		got := map[uint64]Event{}
		started := false
		_, err := n.Call(stepping(func(events []Event, out *StepOutput) error {
			for _, e := range events {
				got[e.Tag] = e
			}
			if !started {
				started = true
				out.Command(1, "double", 21)
				out.Command(2, "double", 4)
				out.Command(3, "unknown", nil)
				out.Command(4, "panic", nil)
				out.Sleep(5, time.Millisecond)
			}
			if out.Next = Yield; len(got) == 5 {
				out.Next = Done
			}
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		require.Equal(t, 42, got[1].Data)
		require.Equal(t, 8, got[2].Data)
		var unknown *UnknownCommandError
		require.ErrorAs(t, got[3].Err, &unknown)
		var panicked *PanicError
		require.ErrorAs(t, got[4].Err, &panicked)
		require.NoError(t, got[5].Err)
	})
}

func TestMessagesArriveInOrder(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		const count = 1000
		var got []int
		_, err := n.Call(stepping(func(events []Event, out *StepOutput) error {
			if got == nil {
				got = []int{}
				self := out.Self()
				_, err := out.Spawn(stepping(func(_ []Event, out *StepOutput) error {
					for i := range count {
						require.True(t, out.Send(self, i))
					}
					out.Next = Done
					return nil
				}), SpawnOptions{})
				require.NoError(t, err)
			}
			for _, e := range events {
				got = append(got, e.Data.(int))
			}
			if len(got) == count {
				out.Next = Done
			}
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		for i, v := range got {
			require.Equal(t, i, v)
		}
	})
}

func TestMessagesWaitWhileAProcessYields(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Chooser: reactor.FIFO{}}), NodeOptions{})
	var batches [][]Event
	_, err := n.Call(stepping(func(events []Event, out *StepOutput) error {
		batches = append(batches, append([]Event(nil), events...))
		switch len(batches) {
		case 1:
			out.Send(out.Self(), "early")
			out.Sleep(9, time.Second)
			out.Next = Yield
		default:
			out.Next = Done
		}
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	require.Len(t, batches, 2)
	require.Len(t, batches[1], 2)
	require.Equal(t, Message, batches[1][0].Kind)
	require.Equal(t, Completion, batches[1][1].Kind)
	_, err = n.Call(stepping(func(_ []Event, out *StepOutput) error { out.Next = Yield; return nil }), SpawnOptions{})
	require.ErrorIs(t, err, ErrNoCommand)
}

func TestErrorsAndPanicsEndAProcess(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		boom := errors.New("boom")
		_, err := n.Call(stepping(func([]Event, *StepOutput) error { return boom }), SpawnOptions{})
		require.ErrorIs(t, err, boom)
		m := stepping(func([]Event, *StepOutput) error { panic("step") })
		_, err = n.Call(m, SpawnOptions{})
		var panicked *PanicError
		require.ErrorAs(t, err, &panicked)
		require.EqualValues(t, 1, m.closed.Load())
		m = &machine{init: func(context.Context, string, any) error { return boom }}
		_, err = n.Call(m, SpawnOptions{})
		require.ErrorIs(t, err, boom)
		require.EqualValues(t, 1, m.closed.Load())
	})
}

// origin: WP-15
func TestStalePIDReachesNobody(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{})
	first, err := n.Spawn(idle(), SpawnOptions{})
	require.NoError(t, err)
	require.NoError(t, n.Terminate(first))
	require.Eventually(t, func() bool { return n.Len() == 0 }, time.Minute, time.Millisecond)
	var got atomic.Int32
	second, err := n.Spawn(stepping(func(events []Event, _ *StepOutput) error {
		got.Add(int32(len(events)))
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	require.Equal(t, uint32(first), uint32(second), "the slot is used again")
	require.NotEqual(t, first, second)
	require.ErrorIs(t, n.Send(first, "stale"), ErrNoProcess)
	require.ErrorIs(t, n.Send(0, "none"), ErrNoProcess)
	require.NoError(t, n.Send(second, "live"))
	require.Eventually(t, func() bool { return got.Load() == 1 }, time.Minute, time.Millisecond)
	require.ErrorIs(t, n.Terminate(first), ErrNoProcess)
	n.Close(cancelled())
}

func TestRegistryAgainstAMap(t *testing.T) {
	var r Registry[int]
	live := map[ID]int{}
	var dead []ID
	for i := range 2000 {
		if i%3 == 2 {
			for pid := range live {
				r.Remove(pid)
				delete(live, pid)
				dead = append(dead, pid)
				break
			}
			continue
		}
		r.Add(func(pid ID) int {
			live[pid] = i
			return i
		})
	}
	require.Equal(t, len(live), r.Len())
	require.Len(t, r.All(), len(live))
	for pid, v := range live {
		got, ok := r.Get(pid)
		require.True(t, ok)
		require.Equal(t, v, got)
	}
	for _, pid := range dead {
		_, ok := r.Get(pid)
		require.False(t, ok)
		r.Remove(pid) // no effect
	}
	require.Equal(t, len(live), r.Len())
}

// origin: WP-14
func TestCompletionAfterTheEndReachesNobody(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	replies := make(chan Reply, 1)
	n.Handle("wait", func(_ context.Context, _ Command, reply Reply) { replies <- reply })
	pid, err := n.Spawn(stepping(func(_ []Event, out *StepOutput) error {
		out.Command(1, "wait", nil)
		out.Next = Yield
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	reply := <-replies
	require.NoError(t, n.Terminate(pid))
	require.Eventually(t, func() bool { return n.Len() == 0 }, time.Minute, time.Millisecond)
	reply("late", nil)
	reply("twice", nil)
	require.Eventually(t, n.Sched().Quiet, time.Minute, time.Millisecond)
}

// origin: WP-27
// origin: WP-28
func TestLinksAndMonitors(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		boom := errors.New("boom")
		fail := func() Process { return stepping(func([]Event, *StepOutput) error { return boom }) }
		end := func() Process {
			return stepping(func(_ []Event, out *StepOutput) error { out.Next = Done; return nil })
		}
		parent := func(child Process, opts SpawnOptions, until int) func(events []Event, out *StepOutput) error {
			var kid ID
			seen := 0
			return func(events []Event, out *StepOutput) error {
				if kid == 0 {
					kid, _ = out.Spawn(child, opts)
				}
				for _, e := range events {
					require.Equal(t, kid, e.From)
					seen++
				}
				if seen == until {
					out.Done(events)
				}
				return nil
			}
		}
		_, err := n.Call(stepping(parent(fail(), SpawnOptions{Link: true}, 1)), SpawnOptions{})
		var link *LinkError
		require.ErrorAs(t, err, &link)
		require.ErrorIs(t, err, boom)

		result, err := n.Call(stepping(parent(fail(), SpawnOptions{Link: true}, 1)), SpawnOptions{TrapExit: true})
		require.NoError(t, err)
		require.Equal(t, Exit, result.([]Event)[0].Kind)

		result, err = n.Call(stepping(parent(end(), SpawnOptions{Link: true, Monitor: true}, 1)), SpawnOptions{})
		require.NoError(t, err)
		require.Equal(t, Down, result.([]Event)[0].Kind)
		require.NoError(t, result.([]Event)[0].Err)

		require.ErrorIs(t, n.Link(12345, 54321), ErrNoProcess)
	})
}

// origin: WP-25
func TestUnlinkAndDemonitor(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	var events atomic.Int32
	a, _ := n.Spawn(stepping(func(e []Event, _ *StepOutput) error { events.Add(int32(len(e))); return nil }), SpawnOptions{})
	b, _ := n.Spawn(idle(), SpawnOptions{})
	require.NoError(t, n.Link(a, b))
	require.NoError(t, n.Monitor(a, b))
	info, err := n.Info(b)
	require.NoError(t, err)
	require.Equal(t, 1, info.Links)
	require.Equal(t, 1, info.MonitoredBy)
	n.Unlink(a, b)
	n.Demonitor(a, b)
	require.NoError(t, n.Terminate(b))
	require.Eventually(t, func() bool { return n.Len() == 1 }, time.Minute, time.Millisecond)
	require.NoError(t, n.Monitor(a, b)) // gone: told at once
	require.Eventually(t, func() bool { return events.Load() == 1 }, time.Minute, time.Millisecond)
	n.Close(cancelled())
}

// origin: RY-22
// origin: WP-18
// origin: WP-38
func TestLimitHooksAndInspection(t *testing.T) {
	var started, completed sync.Map
	opts := NodeOptions{
		MaxProcesses: 3,
		OnStart:      func(pid ID) error { started.Store(pid, true); return nil },
		OnComplete:   func(pid ID, _ any, err error) { completed.Store(pid, err) },
	}
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), opts)
	var pids []ID
	for range 3 {
		pid, err := n.Spawn(idle(), SpawnOptions{Method: "serve", Parent: 77})
		require.NoError(t, err)
		pids = append(pids, pid)
	}
	_, err := n.Spawn(idle(), SpawnOptions{})
	require.ErrorIs(t, err, ErrProcessLimit)
	for _, pid := range pids {
		require.Eventually(t, func() bool {
			info, err := n.Info(pid)
			return err == nil && info.Status == reactor.Suspended && info.Steps == 1 && info.Method == "serve" && info.Parent == 77
		}, time.Minute, time.Millisecond)
		_, ok := started.Load(pid)
		require.True(t, ok)
	}
	require.Len(t, n.List(), 3)
	require.NoError(t, n.Terminate(pids[1]))
	require.Eventually(t, func() bool { _, ok := completed.Load(pids[1]); return ok }, time.Minute, time.Millisecond)
	why, _ := completed.Load(pids[1])
	require.ErrorIs(t, why.(error), ErrTerminated)
	require.Eventually(t, func() bool {
		_, err = n.Spawn(idle(), SpawnOptions{})
		return err == nil
	}, time.Minute, time.Millisecond)
	n.Close(cancelled())
}

// origin: WP-16
// origin: WP-29
func TestCancelIsAskedAndTerminateIsNot(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		var polite, stubborn atomic.Int32
		var ctx context.Context
		m := &machine{init: func(c context.Context, _ string, _ any) error { ctx = c; return nil }}
		m.step = func(events []Event, out *StepOutput) error {
			for _, e := range events {
				if e.Kind == Cancelled {
					polite.Add(1)
					out.Next = Done
				}
			}
			return nil
		}
		_, err := n.Spawn(m, SpawnOptions{})
		require.NoError(t, err)
		_, err = n.Spawn(stepping(func(events []Event, _ *StepOutput) error {
			stubborn.Add(int32(len(events)))
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		deadline, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		defer cancel()
		n.Close(deadline)
		require.EqualValues(t, 1, polite.Load())
		require.EqualValues(t, 1, stubborn.Load())
		require.Error(t, ctx.Err())
		require.Zero(t, n.Len())
		_, err = n.Spawn(idle(), SpawnOptions{})
		require.ErrorIs(t, err, ErrClosed)
	})
}

// Wakes of a mailbox race with its parking: no message is left behind.
//
// origin: WP-14
func TestMailboxLosesNoWakeUp(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 4}), NodeOptions{})
	const senders, each = 4, 3000
	got := 0
	gate := reactor.NewGate()
	pid, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
		if got += len(events); got == senders*each {
			gate.Open()
			out.Next = Done
		}
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	for range senders {
		go func() {
			for range each {
				_ = n.Send(pid, 1)
			}
		}()
	}
	select {
	case <-gate.Opening():
	case <-time.After(30 * time.Second):
		t.Fatal("messages are left")
	}
}

// cancelled is a context that is done.
func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
