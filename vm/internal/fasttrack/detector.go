// Package fasttrack finds data races: two accesses of one location, at least
// one a write, of which neither happened before the other. It is the algorithm
// of Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race
// Detection" (2009): a location remembers the epoch of its last write and of its
// last read, and a vector clock of reads only while reads are concurrent.
//
// It finds the first race of each location in the run it observes, and reports
// nothing that is not a race. It knows nothing of who runs the threads. A
// Detector and all that belongs to it are used by one goroutine at a time.
package fasttrack

import "unsafe"

// Detector watches a run.
type Detector struct {
	slots    []slot
	ended    queue[uint32] // slots whose threads have ended, some of them taken since
	objects  map[unsafe.Pointer]*object
	cache    [cacheSize]cached
	reported map[pair]struct{}
	report   func(Race)
}

// Access of a location.
type Access struct {
	Thread Origin
	Write  bool
	Place  uint32 // in the program
}

// Race is two accesses that were not ordered, and what they accessed.
type Race struct {
	Object        unsafe.Pointer
	Index         int
	Before, After Access // as they came in this run
}

// pair identifies a race: one of each pair of places is reported.
type pair struct {
	before, after           uint32
	beforeWrite, afterWrite bool
}

// New makes a Detector that tells report of each race.
func New(report func(Race)) *Detector {
	return &Detector{
		objects:  map[unsafe.Pointer]*object{},
		reported: map[pair]struct{}{},
		report:   report,
	}
}

// Read is a read by t of the location index in an object, at a place of the program.
func (t *Thread) Read(obj unsafe.Pointer, index int, place uint32) {
	o := t.d.object(obj)
	t.read(o, obj, index, place)
}

// ReadRange reads the locations from up to (not including) to.
func (t *Thread) ReadRange(obj unsafe.Pointer, from, to int, place uint32) {
	o := t.d.object(obj)
	for i := from; i < to; i++ {
		t.read(o, obj, i, place)
	}
}

func (t *Thread) read(o *object, obj unsafe.Pointer, index int, place uint32) {
	v := o.at(index)
	now := t.now()
	if v.read == now {
		return
	}
	if !t.clock.knows(v.write) {
		t.found(obj, index, v.write, v.writePlace, true, Access{Place: place})
	}
	switch {
	case v.read.slot() == sharedSlot:
		o.more.sets[v.read.clock()].add(&t.clock, place)
	case t.clock.knows(v.read):
		v.read, v.readPlace = now, place
	default:
		v.read = o.share(reader{v.read, v.readPlace}, reader{now, place})
	}
}

// Write is a write by t of the location index in an object, at a place of the program.
func (t *Thread) Write(obj unsafe.Pointer, index int, place uint32) {
	o := t.d.object(obj)
	v := o.at(index)
	now := t.now()
	if v.write == now {
		return
	}
	access := Access{Write: true, Place: place}
	if !t.clock.knows(v.write) {
		t.found(obj, index, v.write, v.writePlace, true, access)
	}
	if v.read.slot() == sharedSlot {
		set := &o.more.sets[v.read.clock()]
		for _, r := range set.readers {
			if !t.clock.knows(r.epoch) {
				t.found(obj, index, r.epoch, r.place, false, access)
			}
		}
		o.unshare(v)
	} else if !t.clock.knows(v.read) {
		t.found(obj, index, v.read, v.readPlace, false, access)
	}
	v.write, v.writePlace = now, place
}

// found reports a race, unless one of the same two places has been.
func (t *Thread) found(obj unsafe.Pointer, index int, e epoch, place uint32, write bool, a Access) {
	d := t.d
	p := pair{place, a.Place, write, a.Write}
	if _, known := d.reported[p]; known {
		return
	}
	d.reported[p] = struct{}{}
	d.reported[pair{a.Place, place, a.Write, write}] = struct{}{}
	a.Thread = d.origin(t.clock.now)
	d.report(Race{obj, index, Access{d.origin(e), write, place}, a})
}
