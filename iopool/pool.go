// Package iopool runs blocking work on its own goroutines, so that callers need not block.
//
//	Submit ──> idle goroutine │ new goroutine │ bounded queue ──> work(ctx) ──> done(result, error)
//
// The pool grows while jobs block, up to a limit, and shrinks when goroutines
// have been idle for a while. A job's context is cancelled with its owner's; a
// panic in the job becomes its error.
package iopool

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// Work is a job that may block. It should end early when the context is cancelled.
type Work func(ctx context.Context) (any, error)

// Options configures a Pool; zero values mean the defaults.
type Options struct {
	MaxWorkers int           // jobs that run at the same time: 256
	MaxQueue   int           // jobs that wait beyond those: 65536
	IdleTime   time.Duration // after which a goroutine without work ends: 5s
}

// The errors of a pool.
var (
	ErrFull   = errors.New("the queue of the pool is full")
	ErrClosed = errors.New("the pool is closed")
	// ErrExited is the error of work that has ended its goroutine.
	ErrExited = errors.New("blocking work has called runtime.Goexit")
)

// PanicError is a panic in a job.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic in blocking work: %v", e.Value) }

// Pool of goroutines.
type Pool struct {
	opts   Options
	ctx    context.Context // cancelled when Close gives up
	cancel context.CancelFunc

	mu      sync.Mutex
	idle    []chan *job // goroutines without work, the last the most recent
	queue   jobs
	working jobs            // that hold a thread, in the order in which they began
	room    []chan struct{} // callers of Do that wait for room
	workers int
	parked  int // jobs of Park that run
	closed  bool
	drained chan struct{} // closed when the pool is and its last goroutine has ended
	stats   Stats
}

// New makes a pool. It starts no goroutines until there is work.
func New(opts Options) *Pool {
	if opts.MaxWorkers <= 0 {
		opts.MaxWorkers = 256
	}
	if opts.MaxQueue <= 0 {
		opts.MaxQueue = 65536
	}
	if opts.IdleTime <= 0 {
		opts.IdleTime = 5 * time.Second
	}
	p := &Pool{opts: opts, drained: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// Submit runs work and calls done with its result, once, from a goroutine of
// the pool. It does not block: if the queue is full, it fails with ErrFull and
// does not call done. Work whose context is cancelled while it is queued is not
// started; done gets the cause at once.
func (p *Pool) Submit(ctx context.Context, work Work, done func(any, error)) error {
	j := &job{pool: p, ctx: ctx, work: work, done: done, submitted: time.Now()}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.admit(j)
}

// Park is Submit for work that only waits in Go's scheduler, for a connection
// or a channel, and holds no OS thread: it starts at once, whatever else is
// running, on a goroutine that does not count as a worker.
func (p *Pool) Park(ctx context.Context, work Work, done func(any, error)) error {
	j := &job{pool: p, ctx: ctx, work: work, done: done, submitted: time.Now(), parked: true}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	p.parked++
	p.stats.Submitted++
	p.stats.MostParked = max(p.stats.MostParked, p.parked)
	go func() {
		defer func() {
			p.mu.Lock()
			p.parked--
			p.drainedLocked()
			p.mu.Unlock()
		}()
		j.run()
	}()
	return nil
}

// drainedLocked tells Close when the last goroutine of a closed pool has ended.
func (p *Pool) drainedLocked() {
	if p.closed && p.workers == 0 && p.parked == 0 {
		close(p.drained)
	}
}

func (p *Pool) admit(j *job) error {
	switch {
	case p.closed:
		return ErrClosed
	case len(p.idle) > 0:
		last := len(p.idle) - 1
		p.idle[last] <- j // has room: one job for one entry in idle
		p.idle = p.idle[:last]
	case p.workers < p.opts.MaxWorkers:
		p.workers++
		p.stats.MostWorkers = max(p.stats.MostWorkers, p.workers)
		go p.worker(j)
	case p.queue.n < p.opts.MaxQueue:
		p.queue.push(j)
		p.stats.MostQueued = max(p.stats.MostQueued, p.queue.n)
		j.leaveOnCancel()
	default:
		p.stats.Rejected++
		return ErrFull
	}
	p.stats.Submitted++
	return nil
}

// Do waits for room in the queue, runs work and waits for it. When the context
// is cancelled, Do does not wait for work that has started.
func (p *Pool) Do(ctx context.Context, work Work) (any, error) {
	type outcome struct {
		value any
		err   error
	}
	result := make(chan outcome, 1)
	done := func(value any, err error) { result <- outcome{value, err} }
	for {
		err := p.Submit(ctx, work, done)
		if err == nil {
			break
		}
		if !errors.Is(err, ErrFull) {
			return nil, err
		}
		if err := p.waitForRoom(ctx); err != nil {
			return nil, err
		}
	}
	select {
	case r := <-result:
		return r.value, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (p *Pool) waitForRoom(ctx context.Context) error {
	p.mu.Lock()
	if p.queue.n < p.opts.MaxQueue || p.closed {
		p.mu.Unlock()
		return nil
	}
	room := make(chan struct{})
	p.room = append(p.room, room)
	p.stats.RoomWaits++
	p.mu.Unlock()
	select {
	case <-room:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// makeRoom lets all callers of Do try again.
func (p *Pool) makeRoom() {
	for _, room := range p.room {
		close(room)
	}
	p.room = nil
}

// worker does jobs until it has been idle for a while. When one of them ends the
// goroutine, by runtime.Goexit, another takes its place.
func (p *Pool) worker(j *job) {
	jobs := make(chan *job, 1)
	timer := time.NewTimer(p.opts.IdleTime)
	ended := false
	defer func() {
		timer.Stop()
		if !ended {
			go p.replace()
		}
	}()
	for j != nil {
		j.run()
		if j = p.nextJob(jobs); j != nil {
			continue
		}
		timer.Reset(p.opts.IdleTime)
		select {
		case j = <-jobs: // nil when the pool closes
		case <-timer.C:
			j = p.retire(jobs)
		}
	}
	ended = true
	p.mu.Lock()
	p.workers--
	p.drainedLocked()
	p.mu.Unlock()
}

// replace is the worker in the place of one whose goroutine a job has ended.
func (p *Pool) replace() {
	p.mu.Lock()
	j := p.queue.pop()
	if j != nil {
		p.makeRoom()
	}
	p.mu.Unlock()
	p.worker(j)
}

// nextJob takes the oldest job that waits, or makes the goroutine an idle one.
func (p *Pool) nextJob(jobs chan *job) *job {
	p.mu.Lock()
	defer p.mu.Unlock()
	if j := p.queue.pop(); j != nil {
		p.makeRoom()
		return j
	}
	if p.closed {
		close(jobs)
	} else {
		p.idle = append(p.idle, jobs)
	}
	return nil
}

// retire ends an idle goroutine, unless it was given a job meanwhile.
func (p *Pool) retire(jobs chan *job) *job {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, c := range p.idle {
		if c == jobs {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			return nil
		}
	}
	return <-jobs
}

// Close stops accepting work and waits until all submitted work is done. If the
// context ends first, work that has not started fails with ErrClosed, running
// work is cancelled, and Close returns the context's error without waiting for
// it.
func (p *Pool) Close(ctx context.Context) error {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		p.makeRoom()
		for _, jobs := range p.idle {
			close(jobs)
		}
		p.idle = nil
		p.drainedLocked()
	}
	p.mu.Unlock()
	defer p.cancel()
	select {
	case <-p.drained:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	left := p.queue
	p.queue = jobs{}
	for j := left.first; j != nil; j = j.next {
		j.in = &left
	}
	p.mu.Unlock()
	for j := left.pop(); j != nil; j = left.pop() {
		j.finish(nil, ErrClosed)
	}
	return context.Cause(ctx)
}

// guard makes a panic an error.
func guard(ctx context.Context, work Work) (value any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{Value: r, Stack: debug.Stack()}
		}
	}()
	return work(ctx)
}
