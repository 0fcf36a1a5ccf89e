package process

import (
	"sync"
	"testing"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/stretchr/testify/require"
)

// A counter without a lock in a process that several goroutines send to.
//
// origin: WP-12
func TestAProcessRunsOnOneWorkerAtATime(t *testing.T) {
	n := NewNode(scheduler(t, reactor.Options{Workers: 8}), NodeOptions{})
	const senders = 4
	each := repetitions() / senders
	counter := 0
	gate := reactor.NewGate()
	pid, err := n.Spawn(stepping(func(events []Event, out *StepOutput) error {
		for _, e := range events {
			if e.Kind == Message {
				counter++
			}
		}
		if counter == senders*each {
			gate.Open()
		}
		return nil
	}), SpawnOptions{})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range senders {
		wg.Go(func() {
			for range each {
				_ = n.Send(pid, nil)
			}
		})
	}
	wg.Wait()
	require.True(t, n.Sched().RunUntil(gate))
	n.Close(cancelled())
	require.Equal(t, senders*each, counter)
}
