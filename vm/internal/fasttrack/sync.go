package fasttrack

// Sync is an object by which threads tell each other how far they have come: a
// mutex, an atomic, a task that ends. The zero Sync has been told nothing.
type Sync struct{ told []Clock }

// Release tells it how far t is, in place of what it was told before: who has
// acquired it and releases it, as of a mutex.
func (s *Sync) Release(t *Thread) {
	clear(s.told)
	s.told = append(s.told[:0], t.Release())
}

// Join tells it how far t is, besides what it was told before.
func (s *Sync) Join(t *Thread) { s.Add(t.Release()) }

// Add is Join with a clock taken earlier.
func (s *Sync) Add(c Clock) {
	if n := len(s.told); n > 0 && c.knows(s.told[n-1].now) {
		s.told[n-1] = c
		return
	}
	s.told = append(s.told, c)
}

// Acquire makes what it was told known to t.
func (s *Sync) Acquire(t *Thread) {
	for _, c := range s.told {
		t.Acquire(c)
	}
}

// Channel orders the senders and receivers of a channel: a send before its
// receive, and with room for k values receive i before send i+k, which needed
// the place. With no room both wait for each other.
type Channel struct {
	room  int
	sends int           // so far
	sent  queue[Clock]  // a clock for each value in the channel
	got   queue[places] // of receives that no send has had to wait for
	ended Sync          // by close
}

// places are some consecutive receives, taken as one where a channel has room
// for very many values: the latest clock of all stands for each.
type places struct {
	clocks Sync
	n      int
}

// maxPlaces bounds the clocks a channel keeps of receives.
const maxPlaces = 1024

// NewChannel with room for some values.
func NewChannel(room int) *Channel { return &Channel{room: room} }

// Send puts a value of t into the channel.
func (c *Channel) Send(t *Thread) {
	c.sends++
	if c.sends > c.room && c.room > 0 {
		c.vacant(t)
	}
	c.sent.push(t.Release())
}

// vacant lets t know of the receive that made the place for its value.
func (c *Channel) vacant(t *Thread) {
	p := c.got.first()
	if p == nil {
		return // it was the host's
	}
	p.clocks.Acquire(t)
	if p.n--; p.n == 0 {
		c.got.pop()
	}
}

// Receive takes the first value out.
func (c *Channel) Receive(t *Thread) {
	if sent, ok := c.sent.pop(); ok {
		t.Acquire(sent)
	}
	if c.room == 0 {
		return
	}
	per := c.room/maxPlaces + 1
	if p := c.got.last(); p != nil && p.n < per && per > 1 {
		p.clocks.Join(t)
		p.n++
		return
	}
	p := places{n: 1}
	p.clocks.Join(t)
	c.got.push(p)
}

// Pass is a Send and its Receive of which one has waited for the other.
func (c *Channel) Pass(from, to *Thread) {
	if c.room > 0 {
		c.Send(from)
		c.Receive(to)
		return
	}
	sent, got := from.Release(), to.Release()
	from.Acquire(got)
	to.Acquire(sent)
}

// Close ends the channel.
func (c *Channel) Close(t *Thread) { c.ended.Release(t) }

// Closed tells t that the channel has ended.
func (c *Channel) Closed(t *Thread) { c.ended.Acquire(t) }

// queue is first in, first out.
type queue[T any] struct {
	items []T
	head  int
}

func (q *queue[T]) push(v T) {
	if q.head > 16 && q.head*2 > len(q.items) {
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
	q.items = append(q.items, v)
}

func (q *queue[T]) pop() (v T, ok bool) {
	if q.head == len(q.items) {
		return v, false
	}
	v = q.items[q.head]
	var none T
	q.items[q.head] = none
	q.head++
	return v, true
}

func (q *queue[T]) first() *T {
	if q.head == len(q.items) {
		return nil
	}
	return &q.items[q.head]
}

func (q *queue[T]) last() *T {
	if q.head == len(q.items) {
		return nil
	}
	return &q.items[len(q.items)-1]
}
