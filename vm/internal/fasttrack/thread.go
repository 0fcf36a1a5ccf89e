package fasttrack

// Origin tells where a thread comes from: for reports only.
type Origin struct {
	ID   uint64
	Func uint32 // what it runs
	At   uint32 // place of the spawn
}

// Thread is a sequence of accesses, each after the one before.
type Thread struct {
	d        *Detector
	clock    Clock
	released bool     // its clock has been given away: the epoch is over
	joined   []uint32 // slots of threads that it knows to have ended
}

// slot is the place of a thread in vector clocks. When its thread has ended
// another that knows all that thread has done takes the place over: then who
// knows of the second knows of the first, as clocks imply.
type slot struct {
	last  uint64 // the clock at which its thread ended
	ended bool
	lives []life // its threads, the latest last
}

// life of a thread in a slot.
type life struct {
	from   uint64
	origin Origin
}

// maxLives bounds what a slot remembers of its former threads.
const maxLives = 64

// Start makes a thread that knows of no other.
func (d *Detector) Start(o Origin) *Thread { return d.newThread(o, &Thread{}) }

// Spawn starts a thread, which knows what t knows.
func (t *Thread) Spawn(o Origin) *Thread {
	t.fold()
	c := t.Release()
	u := t.d.newThread(o, t)
	u.clock.spawner, u.clock.tree = c.now, c.tree // all its children share the tree
	return u
}

// fold puts the spawner's epoch into the tree.
func (t *Thread) fold() {
	if c := &t.clock; c.spawner != 0 {
		c.tree = c.tree.with(c.now, c.spawner)
		c.spawner = 0
	}
}

// newThread makes a thread in a slot that the spawner knows to be free.
func (d *Detector) newThread(o Origin, spawner *Thread) *Thread {
	s, found := spawner.takeJoined(d)
	if !found {
		s, found = d.takeEnded(spawner)
	}
	if !found {
		if len(d.slots) == maxSlots {
			panic("fasttrack: too many threads that nobody has joined")
		}
		s = uint32(len(d.slots))
		d.slots = append(d.slots, slot{})
	}
	p := &d.slots[s]
	p.ended = false
	if len(p.lives) == maxLives {
		p.lives = append(p.lives[:0], p.lives[maxLives/2:]...)
	}
	p.lives = append(p.lives, life{p.last + 1, o})
	return &Thread{d: d, clock: Clock{now: epochOf(s, p.last+1)}}
}

// takeJoined returns a slot of a thread that t has joined.
func (t *Thread) takeJoined(d *Detector) (uint32, bool) {
	for n := len(t.joined); n > 0; n = len(t.joined) {
		s := t.joined[n-1]
		t.joined = t.joined[:n-1]
		if d.free(s, t) {
			return s, true
		}
	}
	return 0, false
}

// takeEnded looks at a few of the slots whose threads have ended: what t knows
// of may have reached it by other ways.
func (d *Detector) takeEnded(t *Thread) (uint32, bool) {
	for range 4 {
		s, ok := d.ended.pop()
		switch {
		case !ok:
			return 0, false
		case d.free(s, t):
			return s, true
		case d.slots[s].ended:
			d.ended.push(s)
		}
	}
	return 0, false
}

// free reports whether a slot's thread has ended and t knows that.
func (d *Detector) free(s uint32, t *Thread) bool {
	return d.slots[s].ended && t.clock.of(s) >= d.slots[s].last
}

// origin finds the thread of an epoch.
func (d *Detector) origin(e epoch) Origin {
	lives := d.slots[e.slot()].lives
	for i := len(lives) - 1; i >= 0; i-- {
		if lives[i].from <= e.clock() {
			return lives[i].origin
		}
	}
	return Origin{} // long ago
}

// now is the epoch of the next access. One whose clock has been given away is
// over; the next begins only when the thread does something, so that a thread
// that ends right after telling another so has been joined by it.
func (t *Thread) now() epoch {
	if t.released {
		t.released = false
		t.clock.now++
		if t.clock.now.clock() == 0 {
			panic("fasttrack: a thread's clock is used up")
		}
	}
	return t.clock.now
}

// Release gives the thread's clock to whom it tells that it has come so far.
func (t *Thread) Release() Clock {
	t.released = true
	return t.clock
}

// Acquire makes what c knows known to the thread: all that was done before the
// Release happened before what the thread does from here on.
func (t *Thread) Acquire(c Clock) {
	if c.now == 0 || t.clock.knows(c.now) {
		return
	}
	now := t.now()
	t.fold()
	j := joiner{&t.clock, &c}
	tree := j.join(t.clock.tree, c.tree)
	if c.spawner != 0 && !t.clock.knows(c.spawner) {
		tree = tree.with(now, c.spawner)
	}
	t.clock.tree = tree.with(now, c.now)
	s := c.now.slot()
	if p := &t.d.slots[s]; p.ended && p.last == c.now.clock() {
		t.joined = append(t.joined, s)
	}
}

// End is the Release of a thread that does nothing after it.
func (t *Thread) End() Clock {
	c := t.Release()
	p := &t.d.slots[c.now.slot()]
	p.last, p.ended = c.now.clock(), true
	t.d.ended.push(c.now.slot())
	t.joined = nil
	return c
}
