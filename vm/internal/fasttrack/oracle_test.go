package fasttrack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The oracle keeps for each event the set of all events before it.

type events []uint64 // a bit each

func (e *events) add(i int) {
	for len(*e) <= i/64 {
		*e = append(*e, 0)
	}
	(*e)[i/64] |= 1 << (i % 64)
}

func (e *events) join(o events) {
	for len(*e) < len(o) {
		*e = append(*e, 0)
	}
	for i, w := range o {
		(*e)[i] |= w
	}
}

func (e events) has(i int) bool { return i/64 < len(e) && e[i/64]>>(i%64)&1 != 0 }

type access struct {
	event, loc int
	write      bool
	thread     int
}

// actor is a thread in both worlds.
type actor struct {
	id     int
	t      *Thread
	before events // that happened before its next event
	lock   int    // mutex it holds, or -1
}

type ended struct {
	clock  Clock
	before events
}

type channel struct {
	c    *Channel
	room int
	sent []events
	got  []events
	out  int
}

// world runs a random trace in the detector and in the oracle.
type world struct {
	rnd      *rand.Rand
	d        *Detector
	obj      [locations]int64
	event    int
	threads  int
	running  []*actor
	ended    []ended
	accesses []access
	locks    [2]Sync
	lockedBy [2]*actor
	unlocked [2]events
	atomic   Sync
	stored   events
	chans    []*channel
	scope    Sync
	parted   events

	found []Race
}

const locations = 6

func newWorld(seed uint64) *world {
	w := &world{rnd: rand.New(rand.NewPCG(seed, 1))}
	w.d = New(func(r Race) { w.found = append(w.found, r) })
	for _, room := range []int{0, 1, 3} {
		w.chans = append(w.chans, &channel{c: NewChannel(room), room: room})
	}
	w.start(func(o Origin) *Thread { return w.d.Start(o) }, nil)
	return w
}

func (w *world) start(spawn func(Origin) *Thread, before events) {
	w.threads++
	a := &actor{id: w.threads, t: spawn(Origin{ID: uint64(w.threads)}), before: slices.Clone(before), lock: -1}
	w.running = append(w.running, a)
}

// next is an event of a thread.
func (w *world) next(a *actor) int {
	w.event++
	a.before.add(w.event)
	return w.event
}

func (w *world) step() {
	a := w.running[w.rnd.IntN(len(w.running))]
	switch w.rnd.IntN(20) {
	case 0, 1:
		w.next(a)
		w.start(a.t.Spawn, a.before)
	case 2, 3:
		if len(w.running) > 1 && a.lock < 0 {
			w.next(a)
			w.ended = append(w.ended, ended{a.t.End(), a.before})
			w.running = slices.DeleteFunc(w.running, func(b *actor) bool { return a == b })
		}
	case 4, 5:
		if n := len(w.ended); n > 0 {
			e := w.ended[w.rnd.IntN(n)]
			a.t.Acquire(e.clock)
			a.before.join(e.before)
		}
	case 6, 7:
		w.mutex(a)
	case 8:
		w.next(a)
		w.atomic.Acquire(a.t)
		a.before.join(w.stored)
		if w.rnd.IntN(2) == 0 {
			w.atomic.Release(a.t)
			w.stored = slices.Clone(a.before)
		}
	case 9, 10:
		w.channel(a, w.chans[w.rnd.IntN(len(w.chans))])
	case 11:
		w.next(a)
		if w.rnd.IntN(3) > 0 {
			w.scope.Join(a.t)
			w.parted.join(a.before)
		} else {
			w.scope.Acquire(a.t)
			a.before.join(w.parted)
		}
	default:
		w.access(a)
	}
}

func (w *world) mutex(a *actor) {
	w.next(a)
	if i := a.lock; i >= 0 {
		w.locks[i].Release(a.t)
		w.unlocked[i] = slices.Clone(a.before)
		w.lockedBy[i], a.lock = nil, -1
		return
	}
	i := w.rnd.IntN(len(w.locks))
	if w.lockedBy[i] == nil {
		w.locks[i].Acquire(a.t)
		a.before.join(w.unlocked[i])
		w.lockedBy[i], a.lock = a, i
	}
}

func (w *world) channel(a *actor, c *channel) {
	w.next(a)
	b := w.running[w.rnd.IntN(len(w.running))]
	switch {
	case c.room == 0:
		if a != b {
			w.next(b)
			c.c.Pass(a.t, b.t)
			a.before.join(b.before)
			b.before.join(a.before)
		}
	case len(c.sent)-c.out < c.room && w.rnd.IntN(2) == 0:
		c.c.Send(a.t)
		if i := len(c.sent) - c.room; i >= 0 {
			a.before.join(c.got[i])
		}
		c.sent = append(c.sent, slices.Clone(a.before))
	case c.out < len(c.sent):
		c.c.Receive(a.t)
		a.before.join(c.sent[c.out])
		c.got = append(c.got, slices.Clone(a.before))
		c.out++
	}
}

func (w *world) access(a *actor) {
	e := w.next(a)
	x := access{event: e, loc: w.rnd.IntN(locations), write: w.rnd.IntN(3) == 0, thread: a.id}
	found := len(w.found)
	if x.write {
		a.t.Write(ptr(&w.obj[x.loc]), x.loc, uint32(e))
	} else {
		a.t.Read(ptr(&w.obj[x.loc]), x.loc, uint32(e))
	}
	w.check(a, x, w.found[found:])
	w.accesses = append(w.accesses, x)
}

// raced are the locations with a race so far.
func (w *world) raced(loc int) bool {
	return slices.ContainsFunc(w.found, func(r Race) bool { return r.Index == loc })
}

// check compares what the detector found at an access with all races there are.
func (w *world) check(a *actor, x access, found []Race) {
	races := map[int]access{}
	for _, y := range w.accesses {
		if y.loc == x.loc && (x.write || y.write) && !a.before.has(y.event) {
			races[y.event] = y
		}
	}
	for _, r := range found {
		y, ok := races[int(r.Before.Place)]
		want := Race{ptr(&w.obj[x.loc]), x.loc, side(y), side(x)}
		if !ok || r != want {
			panic(fmt.Sprintf("at event %d: found %+v, there are %v", x.event, r, races))
		}
	}
	if len(races) > 0 && !w.raced(x.loc) {
		panic(fmt.Sprintf("at event %d: missed the first of location %d: %v", x.event, x.loc, races))
	}
}

func side(x access) Access {
	return Access{Thread: Origin{ID: uint64(x.thread)}, Write: x.write, Place: uint32(x.event)}
}

func TestFindsTheFirstRaceOfEachLocationAndNothingElse(t *testing.T) {
	races, reused := 0, 0
	for seed := range uint64(3000) {
		w := newWorld(seed)
		require.NotPanics(t, func() {
			for range 60 + int(seed%5)*100 {
				w.step()
			}
		}, "seed %d", seed)
		races += len(w.found)
		reused += w.threads - len(w.d.slots)
	}
	require.Greater(t, races, 1000, "the traces must hold races")
	require.Greater(t, reused, 1000, "the traces must use slots again")
}
