package fasttrack

import "unsafe"

// epoch is a moment of a thread: its slot above, its clock below. No thread's
// clock is ever 0, so the epoch 0 is never.
type epoch uint64

const (
	clockBits = 36
	clockMask = 1<<clockBits - 1
	maxSlots  = 1<<(64-clockBits) - 1 // the last one is sharedSlot
)

func epochOf(slot uint32, clock uint64) epoch { return epoch(slot)<<clockBits | epoch(clock) }

func (e epoch) slot() uint32  { return uint32(e >> clockBits) }
func (e epoch) clock() uint64 { return uint64(e) & clockMask }

// Clock is what a thread knew at a moment: its own epoch, that of its spawner if
// it has learnt from nobody else, and in a tree the clocks of all others. It is
// a value that never changes, taken and kept at no cost. The zero Clock knows
// nothing.
type Clock struct {
	now, spawner epoch
	tree         *node
}

func (c *Clock) of(slot uint32) uint64 {
	switch {
	case c.now.slot() == slot && c.now != 0:
		return c.now.clock()
	case c.spawner.slot() == slot && c.spawner != 0:
		return c.spawner.clock()
	}
	return c.tree.of(slot)
}

func (c *Clock) knows(e epoch) bool { return c.of(e.slot()) >= e.clock() }

// node is a part of a vector clock, a radix tree over slots: the head of an
// inner node or of a leaf. Clocks share the nodes they have in common: of a
// million threads that know a million slots each stores what it alone has learnt.
//
// The stamp says whose knowledge it is: what that thread knew of these slots
// at that epoch. Knowledge only grows. So whoever knows the stamp's epoch knows
// all that is in the node, and a join can leave it out without looking into it.
type node struct {
	stamp epoch
	level uint32 // height above the leaves
}

type inner struct {
	node
	kids [fan]*node
}

type leaf struct {
	node
	clocks [fan]uint64
}

const (
	fanBits = 3
	fan     = 1 << fanBits
)

func (n *node) inner() *inner { return (*inner)(unsafe.Pointer(n)) }
func (n *node) leaf() *leaf   { return (*leaf)(unsafe.Pointer(n)) }

// of returns a slot's clock.
func (n *node) of(slot uint32) uint64 {
	if n == nil || slot>>fanBits>>(n.level*fanBits) != 0 {
		return 0
	}
	for n.level > 0 {
		n = n.inner().kids[slot>>(n.level*fanBits)%fan]
		if n == nil {
			return 0
		}
	}
	return n.leaf().clocks[slot%fan]
}

// raised returns the node as one of a higher level.
func (n *node) raised(level uint32) *node {
	for n.level < level {
		n = &(&inner{node{n.stamp, n.level + 1}, [fan]*node{n}}).node
	}
	return n
}

// joiner joins what another clock knows into the tree of a thread.
type joiner struct{ to, from *Clock }

// join returns what a or b know. Where neither is known to have all that the
// other has, it makes a node that belongs to the thread.
func (j *joiner) join(a, b *node) *node {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	if a.level != b.level {
		level := max(a.level, b.level)
		a, b = a.raised(level), b.raised(level)
	}
	switch {
	case j.to.knows(b.stamp):
		return a
	case j.from.knows(a.stamp):
		return b
	case a.level == 0:
		return j.joinLeaves(a, b)
	}
	kids := a.inner().kids
	for i, kid := range b.inner().kids {
		kids[i] = j.join(kids[i], kid)
	}
	switch kids {
	case a.inner().kids:
		return a
	case b.inner().kids:
		return b
	}
	return &(&inner{node{j.to.now, a.level}, kids}).node
}

func (j *joiner) joinLeaves(a, b *node) *node {
	clocks := a.leaf().clocks
	for i, c := range b.leaf().clocks {
		clocks[i] = max(clocks[i], c)
	}
	switch clocks {
	case a.leaf().clocks:
		return a
	case b.leaf().clocks:
		return b
	}
	return &(&leaf{node{stamp: j.to.now}, clocks}).node
}

// with returns a tree that knows an epoch besides. The new nodes belong to the
// thread whose epoch is now.
func (n *node) with(now, e epoch) *node {
	level := uint32(0)
	for e.slot()>>fanBits>>(level*fanBits) != 0 {
		level++
	}
	if n != nil {
		n = n.raised(level)
		level = n.level
	}
	return n.set(now, e, level)
}

// set copies the path to the slot. Nodes made at this same epoch have been seen
// by nobody: a thread's epoch ends when it gives its clock away. They are
// changed in place.
func (n *node) set(now, e epoch, level uint32) *node {
	if n == nil || n.stamp != now {
		n = n.copied(now, level)
	}
	if level == 0 {
		n.leaf().clocks[e.slot()%fan] = e.clock()
		return n
	}
	kid := &n.inner().kids[e.slot()>>(level*fanBits)%fan]
	*kid = (*kid).set(now, e, level-1)
	return n
}

// copied returns a copy of the node, or an empty one of a level.
func (n *node) copied(now epoch, level uint32) *node {
	if level == 0 {
		c := &leaf{}
		if n != nil {
			*c = *n.leaf()
		}
		c.node = node{now, level}
		return &c.node
	}
	c := &inner{}
	if n != nil {
		*c = *n.inner()
	}
	c.node = node{now, level}
	return &c.node
}
