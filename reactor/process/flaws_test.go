package process

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/reactor"
)

// What has ended leaves nothing behind.
//
// origin: RY flaw 2
func TestEndedProcessesAreForgotten(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	run := func(count int) {
		for range count {
			_, err := n.Call(once(Sleep, time.Duration(0)), SpawnOptions{})
			require.NoError(t, err)
		}
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	run(1000)
	before := heap()
	run(20_000)
	require.Less(t, heap()-before, int64(200_000), "10 bytes a process")
	require.Len(t, n.processes.slots, 1)
}

// Sleeping takes no thread: all sleep at the same time.
//
// origin: RY flaw 5
func TestAllSleepAtOnce(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	var asleep atomic.Int32
	for range 1000 {
		begun := false
		_, err := n.Spawn(stepping(func(_ []Event, out *StepOutput) error {
			if begun {
				out.Next = Done
				return nil
			}
			begun = true
			asleep.Add(1)
			out.Sleep(1, 50*time.Millisecond)
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
	}
	start := time.Now()
	soon(t, func() bool { return n.Len() == 0 })
	require.EqualValues(t, 1000, asleep.Load())
	t.Logf("1000 slept for 50ms in %v", time.Since(start))
	require.Less(t, time.Since(start), 1000*50*time.Millisecond/4)
}

// A process that is cancelled while it sleeps, waits for a command or for a
// message hears of it at once: see RY16 and WP17. Here the context of its
// blocking work is cancelled too.
//
// origin: RY flaw 12
func TestCancelReachesBlockingWork(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{})
	blocking(t, n)
	begun := make(chan struct{})
	result := make(chan error, 1)
	begins := false
	pid, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
		if !begins {
			begins = true
			out.Command(1, "block", untilCancelled(begun))
		}
		for _, e := range events {
			if e.Kind == Completion {
				result <- e.Err
				out.Next = Done
			}
		}
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	<-begun
	require.NoError(t, n.Cancel(pid))
	require.ErrorIs(t, <-result, ErrCancelled)
}

// untilCancelled is work that ends with its context.
func untilCancelled(begun chan<- struct{}) iopool.Work {
	return func(ctx context.Context) (any, error) {
		close(begun)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
}

// Several schedulers at the same time have nothing to do with each other.
//
// origin: RY flaw 14
func TestSchedulersDoNotInterfere(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		s := scheduler(t, reactor.Options{Workers: 2})
		wg.Go(func() {
			n := NewNode(s, NodeOptions{})
			for i := range 200 {
				result, err := n.Call(stepping(func(_ []Event, out *StepOutput) error { out.Done(i); return nil }), SpawnOptions{})
				if err != nil || result != i {
					t.Errorf("got %v, %v", result, err)
				}
			}
		})
	}
	wg.Wait()
}

// On every worker a process that always goes on: what is spawned meanwhile, from
// outside and from within, has its turn.
//
// origin: WP flaw 2
func TestContinuingProcessesStarveNobody(t *testing.T) {
	for _, workers := range []int{1, 2} {
		n := NewNode(scheduler(t, reactor.Options{Workers: workers}), NodeOptions{})
		var stop atomic.Bool
		var within atomic.Int32
		for range workers {
			spawned := false
			_, err := n.Spawn(stepping(func(_ []Event, out *StepOutput) error {
				out.Next = Continue
				if !spawned {
					spawned = true
					_, err := out.Spawn(stepping(func(_ []Event, out *StepOutput) error {
						within.Add(1)
						out.Next = Done
						return nil
					}), SpawnOptions{})
					return err
				}
				if stop.Load() {
					out.Next = Done
				}
				return nil
			}), SpawnOptions{})
			require.NoError(t, err)
		}
		started := make(chan struct{})
		_, err := n.Spawn(stepping(func(_ []Event, out *StepOutput) error {
			close(started)
			out.Next = Done
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		<-started
		soon(t, func() bool { return int(within.Load()) == workers })
		stop.Store(true)
		soon(t, func() bool { return n.Len() == 0 })
	}
}

// The limit holds when many spawn at once.
//
// origin: WP flaw 6
func TestTheLimitIsExact(t *testing.T) {
	const limit = 10
	n := NewNode(scheduler(t, reactor.Options{Workers: 2}), NodeOptions{MaxProcesses: limit})
	for range 20 {
		var wg sync.WaitGroup
		var begun atomic.Int32
		for range 8 {
			wg.Go(func() {
				for range 10 {
					if _, err := n.Spawn(idle(), SpawnOptions{}); err == nil {
						begun.Add(1)
					}
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, limit, begun.Load())
		require.Equal(t, limit, n.Len())
		for _, info := range n.List() {
			require.NoError(t, n.Terminate(info.ID))
		}
		soon(t, func() bool { return n.count.Load() == 0 })
	}
}

// A message allocates nothing but now and then room in the mailbox.
//
// origin: WP flaw 7
func TestMessagesAllocateNothing(t *testing.T) {
	s := scheduler(t, reactor.Options{Workers: 1})
	n := NewNode(s, NodeOptions{})
	const count = 10_000
	got := 0
	var before, after runtime.MemStats
	_, err := n.Call(stepping(func(events []Event, out *StepOutput) error {
		if got += len(events); got == 100 {
			runtime.ReadMemStats(&before)
		}
		if got == count {
			runtime.ReadMemStats(&after)
			out.Next = Done
			return nil
		}
		if !out.Send(out.Self(), nil) {
			return fmt.Errorf("message %d was not delivered", got)
		}
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	require.Less(t, after.Mallocs-before.Mallocs, uint64(count/10))
}
