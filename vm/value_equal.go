package vm

import (
	"cmp"
	"reflect"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// equal is `==` on two values of a static type: structural on data, identity
// on functions, tasks, channels and mutexes. It charges its work to the task.
func equal(t *Task, id uint32, a, b Value) bool {
	typ := &t.w.prog.Types[id]
	if isLeaf(typ) {
		return equalLeaf(typ, a, b)
	}
	c := comparer{prog: t.w.prog, task: t}
	return c.equal(id, a, b)
}

// equalKeys is equal for the keys of maps, which are finite.
func equalKeys(w *Worker, id uint32, a, b Value) bool {
	c := comparer{prog: w.prog, task: w.current}
	return c.equal(id, a, b)
}

// isLeaf tells the types whose values have no parts.
func isLeaf(t *bytecode.Type) bool {
	return t.Rep == bytecode.RepI || t.Kind == bytecode.TStr || t.Kind == bytecode.TBytes
}

func equalLeaf(t *bytecode.Type, a, b Value) bool {
	switch t.Kind {
	case bytecode.TFloat:
		return a.Float() == b.Float()
	case bytecode.TStr, bytecode.TBytes:
		return strEqual(textOf(a), textOf(b))
	case bytecode.TUnit:
		return true
	}
	return a.n == b.n
}

// comparer compares without recursion: frames are the pairs of objects whose
// parts are being compared. A frame leaves before its last part is looked at,
// so a linked list needs no more of them than an array.
type comparer struct {
	prog   *Program
	task   *Task // nil: not charged
	frames []compareFrame
	steps  int
	paid   int                               // bytes of class and frames
	class  map[unsafe.Pointer]unsafe.Pointer // union-find, see join; nil at first
}

type compareFrame struct {
	t      *bytecode.Type
	a, b   unsafe.Pointer
	fields []bytecode.Field
	i, n   int
}

// Work is charged every so many pairs; from then on classes of objects are
// remembered, so that cycles end and shared parts are compared once.
const compareBatch = 512

func (c *comparer) equal(id uint32, a, b Value) bool {
	same := c.pair(id, a, b)
	for same && len(c.frames) > 0 {
		same = c.step()
	}
	c.release()
	return same
}

// charge counts a unit of work.
func (c *comparer) charge() {
	if c.steps++; c.steps%compareBatch == 0 {
		if c.task != nil {
			c.task.steps(compareBatch)
			c.pay()
		}
		if c.class == nil {
			c.class = map[unsafe.Pointer]unsafe.Pointer{}
		}
	}
}

// pay charges what frames and classes have grown by.
func (c *comparer) pay() {
	if size := 2*cap(c.frames)*int(unsafe.Sizeof(compareFrame{})) + len(c.class)*classSize; size > c.paid {
		c.task.w.chargeNative(size - c.paid)
		c.paid = size
	}
}

// release gives back what was paid for meanwhile.
func (c *comparer) release() {
	if c.task != nil {
		c.task.w.nativeBytes -= int64(c.paid)
	}
}

// classSize is what an entry of class takes while the map grows.
const classSize = 64

// leaf compares values without parts; long texts count as steps.
func (c *comparer) leaf(t *bytecode.Type, a, b Value) bool {
	if c.task != nil && (t.Kind == bytecode.TStr || t.Kind == bytecode.TBytes) {
		if x, y := textOf(a), textOf(b); x != y && x.n == y.n {
			c.task.textSteps(x.n)
		}
	}
	return equalLeaf(t, a, b)
}

// join puts two objects into one class: those taken to be equal unless a
// difference is found, which ends the comparison. It reports whether they were in
// one already; then their parts need no look. With classes instead of pairs,
// rings of n and m objects take n+m steps, not n*m.
func (c *comparer) join(a, b unsafe.Pointer) (joined bool) {
	a, b = c.find(a), c.find(b)
	if a != b {
		c.class[a] = b
	}
	return a == b
}

// find returns the representative of an object's class, halving the path to it.
func (c *comparer) find(p unsafe.Pointer) unsafe.Pointer {
	for {
		up, ok := c.class[p]
		if !ok {
			return p
		}
		if top, ok := c.class[up]; ok {
			c.class[p] = top
		}
		p = up
	}
}

// enter begins to compare the parts of two objects, unless they have been.
func (c *comparer) enter(f compareFrame) {
	c.charge()
	if c.class != nil && c.join(f.a, f.b) {
		return
	}
	if f.n > 0 {
		c.frames = append(c.frames, f)
	}
}

// pair compares two values, or enters them when they have parts. False means
// that they differ.
func (c *comparer) pair(id uint32, a, b Value) bool {
	t := &c.prog.Types[id]
	if isLeaf(t) {
		return c.leaf(t, a, b)
	}
	switch t.Kind {
	case bytecode.TAny, bytecode.TInterface:
		if a.IsNone() || b.IsNone() {
			return a.IsNone() && b.IsNone()
		}
		if a.TypeID() != b.TypeID() {
			return false
		}
		return c.pair(a.TypeID(), a, b)
	case bytecode.TOptional:
		switch {
		case a.p == nil || b.p == nil:
			return a.p == b.p
		case c.prog.Types[t.Elem].Kind == bytecode.TOptional:
			c.enter(compareFrame{t: t, a: a.p, b: b.p, fields: t.Fields, n: 1})
			return true
		}
		return c.pair(t.Elem, a, b)
	}
	x, y := notNil(a.p), notNil(b.p)
	if x == y {
		return true
	}
	f := compareFrame{t: t, a: x, b: y}
	switch t.Kind {
	case bytecode.TStruct, bytecode.TTuple:
		f.fields = t.Fields
		f.n = len(f.fields)
	case bytecode.TEnum:
		tag := (*Header)(x).Aux
		if tag != (*Header)(y).Aux {
			return false
		}
		f.fields = variantOf(t, tag).Fields
		f.n = len(f.fields)
	case bytecode.TBuffer:
		ab, bb := (*List)(x).b, (*List)(y).b
		n := ab.n
		return n == bb.n && c.sameBytes(ab, bb, n)
	case bytecode.TList:
		ab, bb := (*List)(x).b, (*List)(y).b
		if f.n = ab.n; f.n != bb.n {
			return false
		}
		if elem := &c.prog.Types[t.Elem]; elem.Rep == bytecode.RepI && elem.Kind != bytecode.TFloat {
			return c.sameBytes(ab, bb, f.n*classOf(elem).size())
		}
		f.a, f.b = unsafe.Pointer(ab), unsafe.Pointer(bb)
	case bytecode.TMap, bytecode.TSet:
		if mapLen((*Map)(x)) != mapLen((*Map)(y)) {
			return false
		}
		f.n = 1 // counted by position
	case bytecode.TNative:
		return sameNative((*nativeObject)(x).value, (*nativeObject)(y).value)
	default:
		return false
	}
	if eq, ok := c.equalFields(f.fields, x, y); ok {
		c.charge()
		return eq
	}
	c.enter(f)
	return true
}

// equalFields compares objects if none of their fields has parts, the usual
// case, which needs no frames.
func (c *comparer) equalFields(fields []bytecode.Field, x, y unsafe.Pointer) (eq, ok bool) {
	for i := range fields {
		if !isLeaf(&c.prog.Types[fields[i].Type]) {
			return false, false
		}
	}
	for i := range fields {
		f := &fields[i]
		if !c.leaf(&c.prog.Types[f.Type], loadField(x, f), loadField(y, f)) {
			return false, true
		}
	}
	return true, len(fields) > 0
}

// sameBytes compares scalars where equal ones have equal bits. b has had as
// many of them as a, so the size is within both.
func (c *comparer) sameBytes(a, b *backing, size int) bool {
	if c.task != nil {
		c.task.steps(int64(bulk(size / 8)))
	}
	return unsafe.String((*byte)(a.data()), size) == unsafe.String((*byte)(b.data()), size)
}

// step compares the next part of the innermost pair of objects.
func (c *comparer) step() bool {
	f := &c.frames[len(c.frames)-1]
	switch f.t.Kind {
	case bytecode.TList:
		return c.elements(f)
	case bytecode.TMap, bytecode.TSet:
		return c.entry(f)
	}
	x, y, field := f.a, f.b, &f.fields[f.i]
	if f.i++; f.i == f.n {
		c.pop()
	}
	return c.pair(field.Type, loadField(x, field), loadField(y, field))
}

func (c *comparer) pop() { c.frames = c.frames[:len(c.frames)-1] }

// elements compares elements up to one that has parts.
func (c *comparer) elements(f *compareFrame) bool {
	x, y := (*backing)(f.a), (*backing)(f.b)
	class, depth, elem := classOf(&c.prog.Types[f.t.Elem]), len(c.frames), f.t.Elem
	n := min(f.n, y.cap)
	for i := f.i; ; i++ {
		if i == n {
			c.pop()
			return true
		}
		if i == n-1 {
			c.pop()
			return c.pair(elem, x.load(class, i), y.load(class, i))
		}
		c.charge()
		if !c.pair(elem, x.load(class, i), y.load(class, i)) {
			return false
		}
		if len(c.frames) > depth {
			c.frames[depth-1].i = i + 1
			return true
		}
	}
}

// entry compares the next entry of a map or set with the other's of its key.
func (c *comparer) entry(f *compareFrame) bool {
	m, other, t := (*Map)(f.a), (*Map)(f.b), f.t
	next, key, val, ok := mapNext(m, f.i)
	if !ok {
		c.pop()
		return true
	}
	f.i = next
	c.charge()
	val2, ok := mapGet(c.task.w, other, key)
	if !ok {
		return false
	}
	return t.Kind == bytecode.TSet || c.pair(t.Elem, val, val2)
}

// variantOf returns the variant of a tag; an object's tag can be out of range
// only under a race.
func variantOf(t *bytecode.Type, tag uint32) *bytecode.Variant {
	if int(tag) >= len(t.Variants) {
		notNil(nil)
	}
	return &t.Variants[tag]
}

// compare orders two values of an Ordered type: negative, 0 or positive. NaN
// sorts before every other float, so that sorting has a total order.
func compare(t *Task, id uint32, a, b Value) int {
	typ := &t.w.prog.Types[id]
	if isLeaf(typ) {
		return compareLeaf(typ, a, b)
	}
	c := comparer{prog: t.w.prog, task: t}
	r := c.order(id, a, b)
	for r == 0 && len(c.frames) > 0 {
		f := &c.frames[len(c.frames)-1]
		x, y, field := f.a, f.b, &f.fields[f.i]
		if f.i++; f.i == f.n {
			c.pop()
		}
		r = c.order(field.Type, loadField(x, field), loadField(y, field))
	}
	c.release()
	return r
}

func compareLeaf(t *bytecode.Type, a, b Value) int {
	switch t.Kind {
	case bytecode.TFloat:
		return cmp.Compare(a.Float(), b.Float())
	case bytecode.TStr, bytecode.TBytes:
		return strCompare(textOf(a), textOf(b))
	}
	return cmp.Compare(int64(a.n), int64(b.n))
}

// order compares two values, or enters them when they have parts.
func (c *comparer) order(id uint32, a, b Value) int {
	t := &c.prog.Types[id]
	switch {
	case isLeaf(t):
		return compareLeaf(t, a, b)
	case t.Kind == bytecode.TOptional && a.p == nil:
		if b.p == nil {
			return 0
		}
		return -1
	case t.Kind == bytecode.TOptional && b.p == nil:
		return 1
	case t.Kind == bytecode.TOptional && c.prog.Types[t.Elem].Kind != bytecode.TOptional:
		return c.order(t.Elem, a, b)
	}
	x, y := notNil(a.p), notNil(b.p)
	if x == y {
		return 0
	}
	fields := t.Fields
	if t.Kind == bytecode.TEnum {
		tag := (*Header)(x).Aux
		if d := cmp.Compare(tag, (*Header)(y).Aux); d != 0 {
			return d
		}
		fields = variantOf(t, tag).Fields
	}
	for i := range fields {
		f := &fields[i]
		ft := &c.prog.Types[f.Type]
		if !isLeaf(ft) {
			// What is left of the fields has parts, or comes behind such.
			c.enter(compareFrame{t: t, a: x, b: y, fields: fields, i: i, n: len(fields)})
			return 0
		}
		if d := compareLeaf(ft, loadField(x, f), loadField(y, f)); d != 0 {
			return d
		}
	}
	return 0
}

// sameNative reports whether two handles stand for the same thing of the host.
func sameNative(x, y any) bool {
	t := reflect.TypeOf(x)
	return t != nil && t == reflect.TypeOf(y) && t.Comparable() && reflect.ValueOf(x).Comparable() && x == y
}
