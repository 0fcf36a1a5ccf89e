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
	began       time.Time
	parked      bool  // it holds no thread
	in          *jobs // the list of the pool that it is in; guarded by the pool's lock
	prev, next  *job
	stopLeaving func() bool
}

// leaveOnCancel has a job leave the queue when its owner is cancelled. It is called
// under the pool's lock, which the function that leaves takes.
func (j *job) leaveOnCancel() {
	j.stopLeaving = context.AfterFunc(j.ctx, func() {
		p := j.pool
		p.mu.Lock()
		was := j.in == &p.queue
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
	j.began = time.Now()
	waited := j.began.Sub(j.submitted)
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
	if !j.parked {
		p.working.push(j)
	}
	p.mu.Unlock()
	var value any
	err := ErrExited // unless the work returns
	defer func() {
		stop()
		cancel(nil)
		p.mu.Lock()
		p.stats.Running--
		if !j.parked {
			p.working.remove(j)
		}
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

// jobs is an intrusive list, the oldest first: a job leaves it from anywhere.
type jobs struct {
	first, last *job
	n           int
}

func (q *jobs) push(j *job) {
	j.in = q
	j.prev, j.next = q.last, nil
	if q.last == nil {
		q.first = j
	} else {
		q.last.next = j
	}
	q.last = j
	q.n++
}

func (q *jobs) pop() *job {
	j := q.first
	if j != nil {
		q.remove(j)
	}
	return j
}

func (q *jobs) remove(j *job) {
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
	j.prev, j.next, j.in = nil, nil, nil
	q.n--
}
