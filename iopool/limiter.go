package iopool

import (
	"container/list"
	"context"
	"runtime"
	"sync"
)

// Limiter limits how many things happen at the same time. Waiting callers are served in order.
type Limiter struct {
	mu      sync.Mutex
	free    int
	waiting list.List // of chan struct{}, closed when its turn has come
}

// NewLimiter makes a limiter that admits n at the same time.
func NewLimiter(n int) *Limiter { return &Limiter{free: n} }

// Limits that all pools of the process share.
var (
	// Threads limits the threads blocked in system calls. Go ends a process that has ten thousand.
	Threads = NewLimiter(MaxThreads)
	// Hosts limits those of them that hold functions of hosts, which may be stuck for any time:
	// the others are left for what scripts wait for besides.
	Hosts = NewLimiter(MaxHosts)
	// Cores limits the jobs that compute alongside scripts.
	Cores = NewLimiter(runtime.GOMAXPROCS(0))
)

// MaxThreads is how many jobs of all pools together may hold a thread at the same time.
const MaxThreads = 4096

// MaxHosts is how many of MaxThreads functions of hosts may hold.
const MaxHosts = MaxThreads / 4 * 3

// Acquire waits until it is admitted, or until the context ends, and then
// returns the context's cause. Release ends the turn.
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

// Release admits the next one.
func (l *Limiter) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if next := l.waiting.Front(); next != nil {
		close(l.waiting.Remove(next).(chan struct{}))
		return
	}
	l.free++
}

// Waiting returns how many are waiting.
func (l *Limiter) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting.Len()
}

// Limit returns work that runs only while admitted by all the limiters.
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
