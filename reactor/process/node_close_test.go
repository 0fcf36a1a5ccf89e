package process

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/reactor"
	"github.com/stretchr/testify/require"
)

// A step that does not return keeps nobody who closes its node, on whichever goroutine
// it runs.
func TestCloseDoesNotWaitForAStepThatDoesNotReturn(t *testing.T) {
	for _, workers := range []int{1, 4} {
		s := reactor.New(reactor.Options{Workers: workers})
		n := NewNode(s, NodeOptions{})
		release, entered := make(chan struct{}), make(chan struct{}, 1)
		_, err := n.Spawn(stepping(func(events []Event, _ *StepOutput) error {
			for _, e := range events {
				if e.Kind == Cancelled { // the first look of the one who closes the node
					entered <- struct{}{}
					<-release
				}
			}
			return nil
		}), SpawnOptions{})
		require.NoError(t, err)
		gone := errors.New("the host has gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-entered
			cancel(gone)
		}()
		begin := time.Now()
		require.ErrorIs(t, n.Close(ctx), gone)
		require.Less(t, time.Since(begin), lastStep+5*time.Second)
		close(release)
		require.NoError(t, n.Close(t.Context()))
		s.Close()
	}
}
