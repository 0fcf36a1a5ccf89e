package iopool

import "time"

// StuckAfter is how long a job holds its thread before it is counted as stuck.
const StuckAfter = time.Second

// Stats describes a pool at a moment, and since it was made.
type Stats struct {
	Workers     int // goroutines
	Idle        int // of them without work
	Running     int // jobs under way
	Stuck       int // of them that have held a thread for StuckAfter
	Queued      int // jobs that wait
	RoomWaiting int // callers of Do that wait for room in the queue

	MostWorkers int
	MostParked  int
	MostQueued  int
	Submitted   uint64
	Completed   uint64        // all whose done was called
	Failed      uint64        // of them with an error
	Panicked    uint64        // of these with a panic
	Rejected    uint64        // for want of room
	RoomWaits   uint64        // times a caller of Do waited for room
	Waited      time.Duration // between submission and beginning, in all
	LongestWait time.Duration
}

// Stats returns the pool's statistics.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	for j := p.working.first; j != nil && time.Since(j.began) >= StuckAfter; j = j.next {
		s.Stuck++
	}
	s.Workers, s.Idle, s.Queued, s.RoomWaiting = p.workers, len(p.idle), p.queue.n, len(p.room)
	return s
}
