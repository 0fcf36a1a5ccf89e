package iopool

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParkedWorkHoldsNoWorker(t *testing.T) {
	p := New(Options{MaxWorkers: 1})
	const n = 100
	ended := make(chan error, n)
	for range n {
		require.NoError(t, p.Park(t.Context(), func(ctx context.Context) (any, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}, func(_ any, err error) { ended <- err }))
	}
	_, err := p.Do(t.Context(), func(context.Context) (any, error) { return 1, nil })
	require.NoError(t, err)
	require.Equal(t, n, p.Stats().MostParked)

	late, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	require.Error(t, p.Close(late), "parked work is waited for")
	for range n {
		require.ErrorIs(t, <-ended, ErrClosed)
	}
	require.ErrorIs(t, p.Park(t.Context(), nil, nil), ErrClosed)
}
