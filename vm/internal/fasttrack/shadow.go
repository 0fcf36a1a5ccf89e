package fasttrack

import "unsafe"

// variable is the history of a location: the last write and the last read, or
// reads when several of them are concurrent.
type variable struct {
	write, read           epoch // a read of sharedSlot is an index of object.sets
	writePlace, readPlace uint32
}

// sharedSlot marks reads by several threads.
const sharedSlot = maxSlots

// object holds what is known of an object's locations.
type object struct {
	few  []variable // the first ones
	more *more
}

// more is what few objects have.
type more struct {
	pages []*[fewest]variable // locations behind the first ones
	sets  []readers
	spare []uint32 // sets not in use
	sync  *Sync
	ch    *Channel
}

func (o *object) extra() *more {
	if o.more == nil {
		o.more = &more{}
	}
	return o.more
}

// fewest locations are kept in one piece.
const fewest = 64

// at returns a location.
func (o *object) at(index int) *variable {
	if index < len(o.few) {
		return &o.few[index]
	}
	return o.grow(index)
}

func (o *object) grow(index int) *variable {
	if index < fewest {
		n := max(2, len(o.few)*2)
		for n <= index {
			n *= 2
		}
		few := make([]variable, n)
		copy(few, o.few)
		o.few = few
		return &few[index]
	}
	m, i := o.extra(), index/fewest-1
	if i >= len(m.pages) {
		m.pages = append(m.pages, make([]*[fewest]variable, i+1-len(m.pages))...)
	}
	if m.pages[i] == nil {
		m.pages[i] = new([fewest]variable)
	}
	return &m.pages[i][index%fewest]
}

// reader is the last read by a thread.
type reader struct {
	epoch epoch
	place uint32
}

// readers are concurrent reads of a location.
type readers struct {
	readers []reader
	index   map[uint32]int // by slot, when they are many
	prune   int            // size at which to look for what can go
}

// manyReaders are found by an index.
const manyReaders = 8

// share gives the read of a location with two readers.
func (o *object) share(a, b reader) epoch {
	m := o.extra()
	i := uint32(len(m.sets))
	if n := len(m.spare); n > 0 {
		i = m.spare[n-1]
		m.spare = m.spare[:n-1]
	} else {
		m.sets = append(m.sets, readers{})
	}
	m.sets[i] = readers{readers: []reader{a, b}, prune: 2 * manyReaders}
	return epochOf(sharedSlot, uint64(i))
}

// unshare forgets the readers of a location.
func (o *object) unshare(v *variable) {
	i := uint32(v.read.clock())
	o.more.sets[i] = readers{}
	o.more.spare = append(o.more.spare, i)
	v.read = 0
}

// add notes a read by the thread whose clock is given.
func (s *readers) add(c *Clock, place uint32) {
	r := reader{c.now, place}
	if i, ok := s.find(c.now.slot()); ok {
		if s.readers[i].epoch != c.now {
			s.readers[i] = r
		}
		return
	}
	if len(s.readers) >= s.prune {
		s.forget(c)
	}
	if s.index != nil {
		s.index[c.now.slot()] = len(s.readers)
	}
	s.readers = append(s.readers, r)
	if s.index == nil && len(s.readers) > manyReaders {
		s.reindex()
	}
}

func (s *readers) find(slot uint32) (int, bool) {
	if s.index != nil {
		i, ok := s.index[slot]
		return i, ok
	}
	for i := range s.readers {
		if s.readers[i].epoch.slot() == slot {
			return i, true
		}
	}
	return 0, false
}

// forget drops the reads that happened before the one of c: a write that is not
// ordered with them is not with that one either.
func (s *readers) forget(c *Clock) {
	kept := s.readers[:0]
	for _, r := range s.readers {
		if !c.knows(r.epoch) {
			kept = append(kept, r)
		}
	}
	s.readers, s.index = kept, nil
	if len(kept) > manyReaders {
		s.reindex()
	}
	s.prune = max(2*manyReaders, 2*len(kept))
}

func (s *readers) reindex() {
	s.index = make(map[uint32]int, 2*len(s.readers))
	for i, r := range s.readers {
		s.index[r.epoch.slot()] = i
	}
}

// ---- finding objects ----

// cached is an object found lately.
type cached struct {
	at unsafe.Pointer
	o  *object
}

const cacheSize = 1024

func (d *Detector) object(p unsafe.Pointer) *object {
	c := &d.cache[uintptr(p)>>4%cacheSize]
	if c.at == p && c.o != nil {
		return c.o
	}
	o := d.objects[p]
	if o == nil {
		o = &object{}
		d.objects[p] = o
	}
	*c = cached{p, o}
	return o
}

// Sync returns the Sync of an object.
func (d *Detector) Sync(obj unsafe.Pointer) *Sync {
	m := d.object(obj).extra()
	if m.sync == nil {
		m.sync = &Sync{}
	}
	return m.sync
}

// Channel returns the Channel of an object, with room for some values.
func (d *Detector) Channel(obj unsafe.Pointer, room int) *Channel {
	m := d.object(obj).extra()
	if m.ch == nil {
		m.ch = NewChannel(room)
	}
	return m.ch
}

// Objects is the number of objects known, all of which are kept alive.
func (d *Detector) Objects() int { return len(d.objects) }

// Forget drops what is known of objects that no thread can reach any more.
func (d *Detector) Forget(alive func(obj unsafe.Pointer) bool) {
	for p := range d.objects {
		if !alive(p) {
			delete(d.objects, p)
		}
	}
	clear(d.cache[:])
}
