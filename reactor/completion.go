package reactor

import "sync"

// Expected is a pending completion: something outside, such as a job or a
// reply, that will wake a process when it is done.
type Expected struct {
	c    *completions
	s    *Sched
	next *Expected
	fire func(w *Worker) // set when it has been delivered
	late bool            // of ExpectLate
}

// completions under way, for a deterministic scheduler in the order in which
// they were expected. They are admitted in that order and only when nothing
// else is ready, so that a run does not depend on how long each took.
type completions struct {
	mu          sync.Mutex
	first, last *Expected
	late        int         // expected with ExpectLate and not delivered
	arrived     []*Expected // delivered of these

	// Of the first, that nothing is ready any more, and that this has been looked at once more. How often
	// it is looked at until it comes is up to the machine, so choices do not count any more then.
	awaited, looked bool
}

// Expect announces a completion. Until it is delivered, it counts as something
// outside that may wake a process, and the virtual clock does not advance.
func (s *Sched) Expect() *Expected {
	s.external.Add(1)
	x := &Expected{c: s.completions, s: s}
	if s.chooser == nil {
		s.r.external.Add(1)
		return x
	}
	c := x.c
	c.mu.Lock()
	if c.last == nil {
		c.first = x
	} else {
		c.last.next = x
	}
	c.last = x
	c.mu.Unlock()
	return x
}

// ExpectLate announces a completion that may depend on what processes do in the
// meantime, or may take forever, such as a message from a connection. A
// deterministic scheduler cannot reproduce when it arrives: it accepts it
// whenever it comes, and while one is pending and nothing is ready, its clock
// follows real time.
func (s *Sched) ExpectLate() *Expected {
	if s.chooser == nil {
		return s.Expect()
	}
	s.external.Add(1)
	s.completions.mu.Lock()
	s.completions.late++
	s.completions.mu.Unlock()
	return &Expected{c: s.completions, s: s, late: true}
}

// Deliver calls fire, once per completion, to make the waiting process ready.
// fire gets the worker it is called on, or nil when called from outside (see
// Sched.Ready).
func (x *Expected) Deliver(fire func(w *Worker)) {
	s := x.s
	if s.chooser == nil {
		fire(nil)
		s.r.external.Add(-1)
		s.AddExternal(-1)
		return
	}
	x.c.mu.Lock()
	x.fire = fire
	if x.late {
		x.c.late--
		x.c.arrived = append(x.c.arrived, x)
	}
	x.c.mu.Unlock()
	if s.wanted() && s.due() {
		s.help()
	}
}

// due reports whether the next one in order has been delivered: without a
// Chooser there is no order.
func (s *Sched) due() bool { return s.chooser != nil && s.completions.due() }

func (c *completions) due() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.first != nil && c.first.fire != nil || len(c.arrived) > 0
}

// advance does what a deterministic scheduler does when nothing is ready: it
// admits the next completion, or waits for it (false); with none under way it
// moves the clock to the next timer.
func (s *Sched) advance(w *Worker) bool {
	c := s.completions
	c.mu.Lock()
	x, late := c.first, c.late > 0
	switch {
	case x != nil && x.fire != nil && c.awaited:
		c.first = x.next
		if c.first == nil {
			c.last = nil
		}
		c.awaited, c.looked = false, false
	case len(c.arrived) > 0:
		x, c.arrived = c.arrived[0], c.arrived[1:]
	default:
		come := x != nil && x.fire != nil
		c.awaited = x != nil
		c.mu.Unlock()
		switch {
		case x != nil:
			return come // then it is the next, as if it had come late
		case late:
			return s.timers.followRealTime(w)
		}
		if s.idling != nil && s.idling(s.timers.next()) {
			return true
		}
		return s.timers.advance(w)
	}
	c.mu.Unlock()
	x.fire(w)
	s.external.Add(-1) // a token is held: quiescence is looked for at its release
	return true
}
