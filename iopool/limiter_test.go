package iopool

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALimiterLetsSoManyGoOnAndLosesNoTurn(t *testing.T) {
	l := NewLimiter(3)
	var running, most, done atomic.Int64
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(8))*time.Millisecond)
			defer cancel()
			_, err := Limit(func(context.Context) (any, error) {
				n := running.Add(1)
				for o := most.Load(); n > o && !most.CompareAndSwap(o, n); o = most.Load() {
				}
				time.Sleep(200 * time.Microsecond)
				running.Add(-1)
				done.Add(1)
				return nil, nil
			}, l)(ctx)
			if err != nil {
				assert.ErrorIs(t, err, context.DeadlineExceeded)
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 3, most.Load())
	assert.Positive(t, done.Load())
	assert.Zero(t, l.Waiting())
	for range 3 { // all are free again
		require.NoError(t, l.Acquire(t.Context()))
	}
	assert.Zero(t, l.free)
}

func TestALimiterKeepsTheOrder(t *testing.T) {
	l := NewLimiter(1)
	require.NoError(t, l.Acquire(t.Context()))
	var got []int
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			if l.Acquire(t.Context()) == nil {
				got = append(got, i)
				l.Release()
			}
		})
		require.Eventually(t, func() bool { return l.Waiting() == i+1 }, time.Minute, 100*time.Microsecond)
	}
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("why"))
	assert.EqualError(t, l.Acquire(gone), "why")
	l.Release()
	wg.Wait()
	assert.Equal(t, []int{0, 1, 2, 3, 4}, got)
}
