package process

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/reactor"
)

// blocking makes "block" a command that does its argument, an iopool.Work, on a
// pool with one goroutine.
func blocking(t *testing.T, n *Node) {
	pool := iopool.New(iopool.Options{MaxWorkers: 1})
	t.Cleanup(func() { require.NoError(t, pool.Close(context.Background())) })
	n.Handle("block", func(ctx context.Context, cmd Command, reply Reply) {
		if err := pool.Submit(ctx, cmd.Arg.(iopool.Work), reply); err != nil {
			reply(nil, err)
		}
	})
}

// once yields one command and ends with its completion.
func once(name string, arg any) *machine {
	asked := false
	return stepping(func(events []Event, out *StepOutput) error {
		if !asked {
			asked = true
			out.Command(1, name, arg)
			out.Next = Yield
			return nil
		}
		out.Done(events[0])
		return nil
	})
}

// The blocking work of one process ends only when another has computed.
//
// origin: RY-01
func TestWorkBlocksItsProcessOnly(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{})
	blocking(t, n)
	computed := make(chan struct{})
	work := iopool.Work(func(context.Context) (any, error) { <-computed; return "read", nil })
	steps := 0
	_, err := n.Spawn(stepping(func(_ []Event, out *StepOutput) error {
		if out.Next = Continue; steps == 1000 {
			close(computed)
			out.Next = Done
		}
		steps++
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	result, err := n.Call(once("block", work), SpawnOptions{})
	require.NoError(t, err)
	require.Equal(t, "read", result.(Event).Data)
}

// origin: RY-02
func TestResultAndErrorReachWhoWaits(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		result, err := n.Call(stepping(func(_ []Event, out *StepOutput) error { out.Done(42); return nil }), SpawnOptions{})
		require.NoError(t, err)
		require.Equal(t, 42, result)
		boom := errors.New("boom")
		_, err = n.Call(stepping(func([]Event, *StepOutput) error { return boom }), SpawnOptions{})
		require.ErrorIs(t, err, boom)
	})
}

// origin: RY-03
func TestBlockingWorkGivesAValueOrAnError(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		blocking(t, n)
		result, err := n.Call(once("block", iopool.Work(func(context.Context) (any, error) { return "x", nil })), SpawnOptions{})
		require.NoError(t, err)
		require.Equal(t, "x", result.(Event).Data)
		result, err = n.Call(once("block", iopool.Work(func(context.Context) (any, error) { panic("boom") })), SpawnOptions{})
		require.NoError(t, err, "the process lives on")
		var panicked *iopool.PanicError
		require.ErrorAs(t, result.(Event).Err, &panicked)
	})
}

// origin: RY-10
func TestInspectionTellsWhatAProcessWaitsFor(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 1}), NodeOptions{})
	n.Handle("never", func(context.Context, Command, Reply) {})
	message, err := n.Spawn(idle(), SpawnOptions{})
	require.NoError(t, err)
	command, err := n.Spawn(once("never", nil), SpawnOptions{})
	require.NoError(t, err)
	sleep, err := n.Spawn(once(Sleep, time.Hour), SpawnOptions{})
	require.NoError(t, err)
	for pid, want := range map[ID]Info{message: {Wants: Idle}, command: {Wants: Yield, Commands: 1}, sleep: {Wants: Yield, Commands: 1}} {
		require.Eventually(t, func() bool {
			info, err := n.Info(pid)
			require.NoError(t, err)
			return info.Status == reactor.Suspended && info.Wants == want.Wants && info.Commands == want.Commands
		}, time.Minute, time.Millisecond)
	}
	n.Close(cancelled())
}

// origin: RY-16
func TestCancelReachesAProcessThatSleepsOrRuns(t *testing.T) {
	onNodes(t, NodeOptions{}, func(t *testing.T, n *Node) {
		ended := make(chan ID, 2)
		until := func(first func(out *StepOutput)) *machine {
			return stepping(func(events []Event, out *StepOutput) error {
				for _, e := range events {
					if e.Kind == Cancelled {
						ended <- out.Self()
						return e.Err
					}
				}
				first(out)
				return nil
			})
		}
		sleeper, err := n.Spawn(until(func(out *StepOutput) { out.Sleep(1, 10*time.Second) }), SpawnOptions{})
		require.NoError(t, err)
		runner, err := n.Spawn(until(func(out *StepOutput) { out.Next = Continue }), SpawnOptions{})
		require.NoError(t, err)
		require.NoError(t, n.Cancel(sleeper))
		require.NoError(t, n.Cancel(runner))
		n.Close(context.Background())
		require.ElementsMatch(t, []ID{sleeper, runner}, []ID{<-ended, <-ended})
		require.Less(t, n.Sched().Now(), 10*time.Second)
	})
}

// origin: RY-23
func TestShutdownDoesNotWaitForSleepers(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	for range 100 {
		_, err := n.Spawn(once(Sleep, time.Hour), SpawnOptions{})
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		for _, info := range n.List() {
			if info.Status != reactor.Suspended {
				return false
			}
		}
		return true
	}, time.Minute, time.Millisecond)
	start := time.Now()
	n.Close(cancelled())
	require.Zero(t, n.Len())
	require.Eventually(t, n.Sched().Quiet, time.Minute, time.Millisecond, "a timer is left")
	t.Logf("shut down in %v", time.Since(start))
}

// origin: RY-24
func TestSuspendedProcessesKeepWhatTheyHold(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	var right atomic.Int32
	var pids []ID
	for i := range 1000 {
		held := make([]int, 100)
		held[99] = i
		pid, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
			if len(events) > 0 && held[99] == events[0].Data {
				right.Add(1)
				out.Next = Done
			}
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		pids = append(pids, pid)
	}
	for i, pid := range pids {
		if i%250 == 0 {
			runtime.GC()
		}
		require.NoError(t, n.Send(pid, i))
	}
	require.Eventually(t, func() bool { return n.Len() == 0 }, time.Minute, time.Millisecond)
	require.EqualValues(t, 1000, right.Load())
}
