package iopool

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/stretchr/testify/require"
)

func eventually(t *testing.T, cond func() bool) {
	t.Helper()
	require.Eventually(t, cond, time.Minute, time.Millisecond)
}

// blocked is work that waits for the channel or its context.
func blocked(release <-chan struct{}) Work {
	return func(ctx context.Context) (any, error) {
		select {
		case <-release:
			return "released", nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func TestWorkIsDoneOnce(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{MaxWorkers: 8})
	const n = 5000
	var done [n]atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		err := p.Submit(context.Background(), func(context.Context) (any, error) { return i, nil }, func(v any, err error) {
			if v != i || err != nil {
				t.Errorf("got %v, %v", v, err)
			}
			done[i].Add(1)
			wg.Done()
		})
		require.NoError(t, err)
	}
	wg.Wait()
	require.NoError(t, p.Close(context.Background()))
	for i := range done {
		require.EqualValues(t, 1, done[i].Load())
	}
	s := p.Stats()
	require.EqualValues(t, n, s.Submitted)
	require.EqualValues(t, n, s.Completed)
	require.Zero(t, s.Running+s.Queued+s.Workers+s.Idle)
	require.LessOrEqual(t, s.MostWorkers, 8)
}

func TestPoolGrowsToItsLimitAndShrinks(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{MaxWorkers: 4, IdleTime: 10 * time.Millisecond})
	release := make(chan struct{})
	var wg sync.WaitGroup
	for range 6 {
		wg.Add(1)
		require.NoError(t, p.Submit(context.Background(), blocked(release), func(any, error) { wg.Done() }))
	}
	eventually(t, func() bool { s := p.Stats(); return s.Running == 4 && s.Queued == 2 && s.Workers == 4 })
	close(release)
	wg.Wait()
	eventually(t, func() bool { return p.Stats().Workers == 0 })
	v, err := p.Do(context.Background(), func(context.Context) (any, error) { return 1, nil })
	require.NoError(t, err)
	require.Equal(t, 1, v)
	require.NoError(t, p.Close(context.Background()))
	require.Positive(t, p.Stats().LongestWait)
}

func TestIdleGoroutineIsUsedAgain(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{})
	for range 100 {
		_, err := p.Do(context.Background(), func(context.Context) (any, error) { return nil, nil })
		require.NoError(t, err)
		eventually(t, func() bool { return p.Stats().Idle == 1 })
	}
	require.Equal(t, 1, p.Stats().MostWorkers)
	require.NoError(t, p.Close(context.Background()))
}

func TestFullQueueRefusesAndDoWaits(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{MaxWorkers: 1, MaxQueue: 1})
	release := make(chan struct{})
	ignore := func(any, error) {}
	require.NoError(t, p.Submit(context.Background(), blocked(release), ignore))
	require.NoError(t, p.Submit(context.Background(), blocked(release), ignore))
	require.ErrorIs(t, p.Submit(context.Background(), blocked(release), ignore), ErrFull)

	ctx, cancel := context.WithCancel(context.Background())
	impatient := make(chan error)
	go func() {
		_, err := p.Do(ctx, blocked(release))
		impatient <- err
	}()
	eventually(t, func() bool { return p.Stats().RoomWaiting == 1 })
	cancel()
	require.ErrorIs(t, <-impatient, context.Canceled)

	patient := make(chan any)
	go func() {
		v, _ := p.Do(context.Background(), blocked(release))
		patient <- v
	}()
	eventually(t, func() bool { return p.Stats().RoomWaits == 2 })
	close(release)
	require.Equal(t, "released", <-patient)
	require.NoError(t, p.Close(context.Background()))
	s := p.Stats()
	require.EqualValues(t, 1, s.MostQueued)
	require.GreaterOrEqual(t, s.Rejected, uint64(3))
	require.Zero(t, s.RoomWaiting)
}

// origin: RY-16
func TestOwnersContextCancelsItsJob(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{MaxWorkers: 1})
	cause := errors.New("the task was cancelled")
	ctx, cancel := context.WithCancelCause(context.Background())
	var begun atomic.Bool
	results := make(chan error, 2)
	done := func(_ any, err error) { results <- err }
	release := make(chan struct{})
	require.NoError(t, p.Submit(context.Background(), blocked(release), func(any, error) {}))
	require.NoError(t, p.Submit(ctx, func(context.Context) (any, error) { begun.Store(true); return nil, nil }, done))
	cancel(cause)
	require.ErrorIs(t, <-results, cause, "a job that waits ends at once")
	require.Zero(t, p.Stats().Queued)
	close(release)

	ctx, cancel = context.WithCancelCause(context.Background())
	require.NoError(t, p.Submit(ctx, blocked(nil), done))
	eventually(t, func() bool { return p.Stats().Running == 1 })
	cancel(cause)
	require.ErrorIs(t, <-results, cause)

	require.NoError(t, p.Submit(ctx, func(context.Context) (any, error) { begun.Store(true); return nil, nil }, done))
	require.ErrorIs(t, <-results, cause)
	require.False(t, begun.Load())
	require.NoError(t, p.Close(context.Background()))
}

// origin: RY-03
func TestPanicIsAnError(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{})
	_, err := p.Do(context.Background(), func(context.Context) (any, error) { panic("boom") })
	var panicked *PanicError
	require.ErrorAs(t, err, &panicked)
	require.Equal(t, "boom", panicked.Value)
	require.Contains(t, string(panicked.Stack), "TestPanicIsAnError")
	v, err := p.Do(context.Background(), func(context.Context) (any, error) { return 7, nil })
	require.NoError(t, err)
	require.Equal(t, 7, v)
	require.NoError(t, p.Close(context.Background()))
	require.EqualValues(t, 1, p.Stats().Panicked)
	require.EqualValues(t, 1, p.Stats().Failed)
}

// origin: RY-23
func TestCloseDrains(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{MaxWorkers: 2})
	var done atomic.Int32
	for range 50 {
		work := func(context.Context) (any, error) { time.Sleep(200 * time.Microsecond); return nil, nil }
		require.NoError(t, p.Submit(context.Background(), work, func(any, error) { done.Add(1) }))
	}
	require.NoError(t, p.Close(context.Background()))
	require.EqualValues(t, 50, done.Load())
	require.ErrorIs(t, p.Submit(context.Background(), blocked(nil), func(any, error) {}), ErrClosed)
	_, err := p.Do(context.Background(), blocked(nil))
	require.ErrorIs(t, err, ErrClosed)
	require.NoError(t, p.Close(context.Background()))
}

// origin: RY-23
func TestCloseGivesUpAtItsDeadline(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{MaxWorkers: 1})
	results := make(chan error, 3)
	for range 3 {
		require.NoError(t, p.Submit(context.Background(), blocked(nil), func(_ any, err error) { results <- err }))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, p.Close(ctx), context.DeadlineExceeded)
	for range 3 {
		require.ErrorIs(t, <-results, ErrClosed)
	}
}

// Submissions, cancellations, idle timeouts and the end race with one another:
// every job accepted is done exactly once.
func TestStress(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{MaxWorkers: 3, MaxQueue: 16, IdleTime: 50 * time.Microsecond})
	var accepted, done atomic.Int64
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 2000 {
				ctx, cancel := context.WithCancel(context.Background())
				work := func(context.Context) (any, error) { runtime.Gosched(); return nil, nil }
				if p.Submit(ctx, work, func(any, error) { done.Add(1) }) == nil {
					accepted.Add(1)
				}
				if (i+g)%3 == 0 {
					time.Sleep(20 * time.Microsecond)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	require.NoError(t, p.Close(context.Background()))
	eventually(t, func() bool { return done.Load() == accepted.Load() })
	require.EqualValues(t, accepted.Load(), p.Stats().Completed)
}

func BenchmarkDo(b *testing.B) {
	p := New(Options{})
	work := func(context.Context) (any, error) { return nil, nil }
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Do(context.Background(), work); err != nil {
			b.Fatal(err)
		}
	}
	if err := p.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// Many jobs that block for long do not keep a quick one from being done.
//
// origin: RY-01
func TestBlockedJobsHoldUpNobody(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{})
	release := make(chan struct{})
	var wg sync.WaitGroup
	for range 100 {
		wg.Add(1)
		require.NoError(t, p.Submit(context.Background(), blocked(release), func(any, error) { wg.Done() }))
	}
	v, err := p.Do(context.Background(), func(context.Context) (any, error) { return "quick", nil })
	require.NoError(t, err)
	require.Equal(t, "quick", v)
	close(release)
	wg.Wait()
	require.NoError(t, p.Close(context.Background()))
}

// Work that ends its goroutine has failed, and another worker does what is left.
func TestWorkThatEndsItsGoroutine(t *testing.T) {
	leaktest.Check(t)
	p := New(Options{MaxWorkers: 2})
	exit := func(context.Context) (any, error) { runtime.Goexit(); return nil, nil }
	results := make(chan error, 100)
	done := func(_ any, err error) { results <- err }
	for range 25 {
		require.NoError(t, p.Submit(t.Context(), exit, done))
		require.NoError(t, p.Submit(t.Context(), func(context.Context) (any, error) { return nil, nil }, done))
		require.NoError(t, p.Park(t.Context(), exit, done))
		require.NoError(t, p.Park(t.Context(), Limit(exit, Cores), done))
	}
	failed := 0
	for range 100 {
		if err := <-results; err != nil {
			require.ErrorIs(t, err, ErrExited)
			failed++
		}
	}
	require.Equal(t, 75, failed)
	require.NoError(t, p.Close(context.Background()))
	require.Zero(t, p.Stats().Running)
}
