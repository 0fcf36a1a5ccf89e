package iopool

import (
	"container/list"
	"context"
	"runtime"
	"sync"
)

// Limiter bounds how much of something goes on at the same time. Those that have
// to wait come in the order in which they asked.
type Limiter struct {
	mu      sync.Mutex
	free    int
	waiting list.List // of chan struct{}, closed when its turn has come
}

// NewLimiter lets n go on at the same time.
func NewLimiter(n int) *Limiter { return &Limiter{free: n} }

// What all pools of the process share.
var (
	// Threads are those that may be blocked in the system at once. Go ends a
	// process that has ten thousand.
	Threads = NewLimiter(MaxThreads)
	// Cores are those that may compute beside the scripts.
	Cores = NewLimiter(runtime.GOMAXPROCS(0))
)

// MaxThreads is how many jobs of all pools may hold a thread at the same time.
const MaxThreads = 4096

// Acquire waits for its turn, which Release ends, or for the end of the context,
// whose cause is then the error.
func (l *Limiter) Acquire(ctx context.Context) error {
	l.mu.Lock()
	if l.free > 0 {
		l.free--
		l.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	at := l.waiting.PushBack(turn)
	l.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	select {
	case <-turn: // meanwhile: it is another's
		l.mu.Unlock()
		l.Release()
	default:
		l.waiting.Remove(at)
		l.mu.Unlock()
	}
	return context.Cause(ctx)
}

// Release lets the next one go on.
func (l *Limiter) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if next := l.waiting.Front(); next != nil {
		close(l.waiting.Remove(next).(chan struct{}))
		return
	}
	l.free++
}

// Waiting is how many wait for their turn.
func (l *Limiter) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting.Len()
}

// Limit makes work that goes on only while it has its turn at all the limiters.
func Limit(work Work, limiters ...*Limiter) Work {
	return func(ctx context.Context) (any, error) {
		for _, l := range limiters {
			if err := l.Acquire(ctx); err != nil {
				return nil, err
			}
			defer l.Release()
		}
		return work(ctx)
	}
}
