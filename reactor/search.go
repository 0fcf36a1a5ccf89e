package reactor

import (
	"runtime"
	"time"
)

// A worker that has run dry searches: it looks again and again for a short
// while, at first at once, then letting other goroutines run, before it gives
// its token back. Three rules keep a search from slowing down those who work:
//
//   - At most one worker in two searches, and while one does nobody is woken.
//   - What is in another worker's ring is taken only when it is ripe: when its
//     owner has not taken anything for a few looks, or has plenty. Processes of
//     a microsecond are not worth the trip to another core.
//   - Who is woken for a ring and finds nothing ripe a few times in a row pauses
//     stealing: pushes to rings wake nobody for a while. A timer ends the pause, or a
//     process that has been running for long (see Overdue).
const (
	tightLooks = 4  // of a search, at once
	looks      = 20 // of a search
	ripeLooks  = 8  // for which a ring stands still
	plenty     = 64 // in a ring: it is ripe at once

	maxFailedSearches = 3 // searches in a row before a pause
	minStealPause     = 100 * time.Microsecond
	maxStealPause     = 3200 * time.Microsecond
)

// sight is how a ring stood at a look, and for how many looks it has.
type sight struct {
	head  uint32
	stood int
	stay  uint32 // what its owner's foreign was
}

// Sched.idle is the number of free tokens, and of searching workers in the high
// half.
const oneSearch = 1 << 32

// wanted reports whether whoever has made something ready is to wake a worker:
// a token is free and nobody searches, who would find it.
func (s *Sched) wanted() bool { return uint64(s.idle.Load())-1 < oneSearch-1 }

// search looks for a process, in all queues.
func (w *Worker) search() *Proc {
	s := w.s
	if !w.searching {
		if n := s.idle.Add(oneSearch) >> 32; n > 1 && int(n)*2 > len(s.workers) {
			s.idle.Add(-oneSearch)
			return nil
		}
		w.searching = true
	}
	clear(w.seen)
	n := looks
	if s.r.waiting.Load() > 0 {
		n = ripeLooks + 2 // other tenants have work
	}
	for i := range n {
		if i >= tightLooks {
			runtime.Gosched()
		}
		p := w.Pick()
		if p == nil {
			p = w.steal()
		}
		if p != nil {
			w.endSearch(true)
			return p
		}
		if w.until.Opened() {
			break
		}
	}
	return nil
}

// endSearch has the worker no longer counted as searching. One that has found
// something wakes another when there is more: nobody did while it searched.
func (w *Worker) endSearch(found bool) {
	if !w.searching {
		return
	}
	s := w.s
	w.searching = false
	left := s.idle.Add(-oneSearch)
	if !found {
		return
	}
	w.wokenToSteal = false
	if uint32(left) != 0 && (s.globalLen.Load() > 0 || !s.stealPaused.Load() && s.queued() > 0) {
		s.help()
	}
}

// steal takes half of another worker's ring, one that is ripe.
func (w *Worker) steal() *Proc {
	ws := w.s.workers
	if len(ws) == 1 {
		return nil
	}
	if w.seen == nil {
		w.seen = make([]sight, len(ws))
	}
	w.seed = w.seed*1664525 + 1013904223
	start := int(w.seed>>16) % len(ws)
	for i := range ws {
		victim := ws[(start+i)%len(ws)]
		if victim == w {
			continue
		}
		if p := w.seen[victim.id].stealOffered(victim); p != nil {
			w.s.failedSearches.Store(0)
			w.stolen.Add(1)
			return p
		}
		if !w.seen[victim.id].ripe(victim.queue.Load()) {
			continue
		}
		var loot [ringSize / 2]*Proc
		n := victim.queue.Load().takeHalf(&loot)
		if n == 0 {
			continue
		}
		w.s.failedSearches.Store(0)
		w.stolen.Add(int64(n))
		// Between the two rings the loot was visible to nobody: a worker that
		// parked meanwhile has to be told of it, which enqueue does.
		for _, p := range loot[1:n] {
			w.enqueue(p)
		}
		return loot[0]
	}
	return nil
}

// stealOffered takes what a worker has offered that is in the same foreign code as at the
// last look.
func (x *sight) stealOffered(victim *Worker) *Proc {
	p := victim.offered.Load()
	if p == nil {
		return nil
	}
	stay := victim.foreign.Load()
	if stay == x.stay && victim.offered.CompareAndSwap(p, nil) {
		return p
	}
	x.stay = stay
	return nil
}

// ripe notes a look at a ring and reports whether to take from it.
func (x *sight) ripe(r *ring) bool {
	if r == nil {
		return false
	}
	head := r.head.Load()
	n := int(r.tail.Load() - head)
	if n == 0 || head != x.head {
		x.head, x.stood = head, 0
		return n >= plenty
	}
	x.stood++
	return x.stood >= ripeLooks || n >= plenty
}

// wakeToSteal wakes a worker for what has been put into a ring.
func (s *Sched) wakeToSteal() {
	s.mu.Lock()
	s.helpLocked(true)
	s.mu.Unlock()
}

// resumeStealing ends a pause.
func (s *Sched) resumeStealing() {
	s.mu.Lock()
	s.stealPaused.Store(false)
	if s.wanted() && s.workLocked() {
		s.helpLocked(true)
	}
	s.mu.Unlock()
}

// mayPauseStealingLocked is called for a worker about to rest.
func (s *Sched) mayPauseStealingLocked(w *Worker) {
	woken := w.wokenToSteal
	w.wokenToSteal = false
	if !woken || s.active == 0 || s.stealPaused.Load() || s.closing.Opened() {
		return
	}
	n := s.failedSearches.Add(1) - maxFailedSearches
	if n < 0 {
		return
	}
	s.stealPaused.Store(true)
	d := min(minStealPause<<min(n, 16), maxStealPause)
	if s.stealTimer == nil {
		s.stealTimer = time.AfterFunc(d, s.resumeStealing)
	} else {
		s.stealTimer.Reset(d)
	}
}
