package iopool

import (
	"context"
	"errors"
	"time"
)

// job is work on its way.
type job struct {
	pool        *Pool
	ctx         context.Context
	work        Work
	done        func(any, error)
	submitted   time.Time
	queued      bool // in the pool's queue; guarded by its lock
	prev, next  *job
	stopLeaving func() bool
}

// leaveOnCancel has a job leave the queue when its owner is cancelled. It is called
// under the pool's lock, which the function that leaves takes.
func (j *job) leaveOnCancel() {
	j.stopLeaving = context.AfterFunc(j.ctx, func() {
		p := j.pool
		p.mu.Lock()
		was := j.queued
		if was {
			p.queue.remove(j)
			p.makeRoom()
		}
		p.mu.Unlock()
		if was {
			j.finish(nil, context.Cause(j.ctx))
		}
	})
}

// run does the work on a goroutine of the pool.
func (j *job) run() {
	p := j.pool
	if j.stopLeaving != nil {
		j.stopLeaving()
	}
	waited := time.Since(j.submitted)
	p.mu.Lock()
	p.stats.Waited += waited
	p.stats.LongestWait = max(p.stats.LongestWait, waited)
	p.mu.Unlock()
	if j.ctx.Err() != nil {
		j.finish(nil, context.Cause(j.ctx))
		return
	}
	ctx, cancel := context.WithCancelCause(j.ctx)
	stop := context.AfterFunc(p.ctx, func() { cancel(ErrClosed) })
	p.mu.Lock()
	p.stats.Running++
	p.mu.Unlock()
	var value any
	err := ErrExited // unless the work returns
	defer func() {
		stop()
		cancel(nil)
		p.mu.Lock()
		p.stats.Running--
		p.mu.Unlock()
		j.finish(value, err)
	}()
	value, err = guard(ctx, j.work)
}

// finish hands the result over. A panic in done is not the pool's to hide.
func (j *job) finish(value any, err error) {
	p := j.pool
	var panicked *PanicError
	p.mu.Lock()
	p.stats.Completed++
	if err != nil {
		p.stats.Failed++
	}
	if errors.As(err, &panicked) {
		p.stats.Panicked++
	}
	p.mu.Unlock()
	j.done(value, err)
}

// queue is an intrusive list: a job leaves it from anywhere.
type queue struct {
	first, last *job
	n           int
}

func (q *queue) push(j *job) {
	j.queued = true
	j.prev, j.next = q.last, nil
	if q.last == nil {
		q.first = j
	} else {
		q.last.next = j
	}
	q.last = j
	q.n++
}

func (q *queue) pop() *job {
	j := q.first
	if j != nil {
		q.remove(j)
	}
	return j
}

func (q *queue) remove(j *job) {
	if j.prev == nil {
		q.first = j.next
	} else {
		j.prev.next = j.next
	}
	if j.next == nil {
		q.last = j.prev
	} else {
		j.next.prev = j.prev
	}
	j.prev, j.next, j.queued = nil, nil, false
	q.n--
}
