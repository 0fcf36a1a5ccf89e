package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// List is a [T]: a header and a pointer to its backing. The backing stores its
// length and capacity next to the elements. The capacity never changes and no
// writer stores a length above it, so whatever races on a list, an index
// checked against the length of the backing it was loaded from is in bounds.
type List struct {
	Header
	b *backing
}

// backing is followed by cap elements of 1 (bool), 8 (scalars, references) or
// 16 bytes (both words). It is allocated with the exact Go type, so the
// collector sees its pointers.
type backing struct {
	n   int // elements in use; n <= cap in every backing at every moment
	cap int
}

const backingData = unsafe.Sizeof(backing{})

// elemClass is how a backing stores its elements.
type elemClass uint8

const (
	elemB elemClass = iota // bool, a byte
	elemI                  // a number word
	elemP                  // a pointer word
	elemV                  // both words, as a Value
)

func (c elemClass) size() int { return [...]int{1, 8, 8, 16}[c] }

// classOf returns the element class of lists of a type.
func classOf(t *bytecode.Type) elemClass {
	switch {
	case t.Kind == bytecode.TBool:
		return elemB
	case t.Rep == bytecode.RepI:
		return elemI
	case t.Rep == bytecode.RepP:
		return elemP
	}
	return elemV
}

// emptyBacking serves every empty list: its capacity is 0, so nothing is ever stored in it.
var emptyBacking = &backing{}

func (b *backing) data() unsafe.Pointer { return unsafe.Add(unsafe.Pointer(b), backingData) }

// Typed views of the elements in use. The caller knows the class.
func (b *backing) bytes() []byte          { return unsafe.Slice((*byte)(b.data()), b.n) }
func (b *backing) words() []uint64        { return unsafe.Slice((*uint64)(b.data()), b.n) }
func (b *backing) ptrs() []unsafe.Pointer { return unsafe.Slice((*unsafe.Pointer)(b.data()), b.n) }

// Views of all elements there is room for: a racing writer may change n at any
// time, so loops take n once and slice these.
func (b *backing) capBytes() []byte          { return unsafe.Slice((*byte)(b.data()), b.cap) }
func (b *backing) capWords() []uint64        { return unsafe.Slice((*uint64)(b.data()), b.cap) }
func (b *backing) capPtrs() []unsafe.Pointer { return unsafe.Slice((*unsafe.Pointer)(b.data()), b.cap) }
func (b *backing) capValues() []Value        { return unsafe.Slice((*Value)(b.data()), b.cap) }

// load reads element i < cap.
func (b *backing) load(c elemClass, i int) Value {
	switch c {
	case elemB:
		return Value{n: uint64(b.capBytes()[i])}
	case elemI:
		return Value{n: b.capWords()[i]}
	case elemP:
		return Value{p: b.capPtrs()[i]}
	}
	return b.capValues()[i]
}

// store writes element i < cap.
func (b *backing) store(c elemClass, i int, v Value) {
	switch c {
	case elemB:
		b.capBytes()[i] = byte(v.n)
	case elemI:
		b.capWords()[i] = v.n
	case elemP:
		b.capPtrs()[i] = v.p
	default:
		b.capValues()[i] = v
	}
}

// move copies count elements from src[from:] to b[to:]; they may overlap.
func (b *backing) move(c elemClass, to int, src *backing, from, count int) {
	switch c {
	case elemB:
		copy(b.capBytes()[to:], src.capBytes()[from:from+count])
	case elemI:
		copy(b.capWords()[to:], src.capWords()[from:from+count])
	case elemP:
		copy(b.capPtrs()[to:], src.capPtrs()[from:from+count])
	default:
		copy(b.capValues()[to:], src.capValues()[from:from+count])
	}
}

// wipe clears the references of elements from up to to, so that they do not
// keep objects alive.
func (b *backing) wipe(c elemClass, from, to int) {
	switch c {
	case elemP:
		clear(b.capPtrs()[from:to])
	case elemV:
		clear(b.capValues()[from:to])
	}
}

// elemInfo is what operations on a list or map of a type want to know of its elements.
type elemInfo struct {
	class elemClass
	some  unsafe.Pointer // the pointer word of an element as an optional; nil where that is its own
}

const _ = -(unsafe.Sizeof(elemInfo{}) ^ 16) // the opcodes multiply by that

// elemInfoOf is found out once for each type.
func elemInfoOf(prog *Program, id int) (info elemInfo) {
	switch t := &prog.Types[id]; t.Kind {
	case bytecode.TList, bytecode.TMap:
		elem := &prog.Types[t.Elem]
		info.class = classOf(elem)
		if elem.Rep == bytecode.RepI {
			info.some = prog.descList[t.Elem]
		}
	}
	return info
}

// option makes the optional of an element, which must not be one itself.
func (e *elemInfo) option(v Value) Value {
	switch {
	case e.some != nil:
		v.p = e.some
	case v.p == nil:
		notNil(nil)
	}
	return v
}

// elemsOf returns the element class of a list or buffer.
func elemsOf(prog *Program, l *List) elemClass { return prog.elems[l.Type].class }

// newList makes a list with room for capacity elements, charged.
func newList(w *Worker, id uint32, capacity int) *List {
	l := &List{}
	l.Type = id
	c := elemsOf(w.prog, l)
	w.charge(int(unsafe.Sizeof(List{})))
	l.b = chargedBacking(w, c, capacity)
	return l
}

// chargedBacking makes a backing of at least a capacity that a script may have
// chosen.
func chargedBacking(w *Worker, c elemClass, capacity int) *backing {
	if capacity < 0 || capacity > maxObject {
		w.chargeObject(-1)
	}
	capacity = roundCap(capacity)
	w.chargeObject(backingSize(c, capacity))
	return newBacking(c, capacity)
}

// listGrow gives a list a larger backing with room for want elements.
func listGrow(w *Worker, c elemClass, l *List, old *backing, want int) *backing {
	n := old.n
	switch {
	case old.cap < 1<<16:
		want = max(want, 2*old.cap, 4)
	case want < maxObject:
		want = max(want, old.cap+old.cap/2)
	}
	b := chargedBacking(w, c, want)
	b.move(c, 0, old, 0, n)
	b.n = n
	l.b = b
	return b
}

// listPush appends an element.
func listPush(w *Worker, prog *Program, l *List, v Value) {
	pushElem(w, elemsOf(prog, l), l, v)
}

func pushElem(w *Worker, c elemClass, l *List, v Value) {
	b := l.b
	n := b.n
	if n >= b.cap {
		b = listGrow(w, c, l, b, n+1)
		n = min(b.n, b.cap-1) // others see b already
	}
	b.store(c, n, v)
	b.n = n + 1
}

// listPop takes the last element.
func listPop(prog *Program, l *List) (v Value, ok bool) {
	b := l.b
	n := b.n
	if n == 0 {
		return v, false
	}
	c := elemsOf(prog, l)
	v = b.load(c, n-1)
	b.wipe(c, n-1, n)
	b.n = n - 1
	return v, true
}

// listInsert puts v before element i <= n, where n is the length of backing b.
func listInsert(w *Worker, prog *Program, l *List, b *backing, i, n int, v Value) {
	c := elemsOf(prog, l)
	if n >= b.cap {
		b = listGrow(w, c, l, b, n+1)
	}
	b.move(c, i+1, b, i, n-i)
	b.store(c, i, v)
	b.n = n + 1
}

// listRemove takes element i < n out, where n is the length of backing b.
func listRemove(prog *Program, l *List, b *backing, i, n int) Value {
	c := elemsOf(prog, l)
	v := b.load(c, i)
	b.move(c, i, b, i+1, n-i-1)
	b.wipe(c, n-1, n)
	b.n = n - 1
	return v
}

// listTruncate cuts a list to n elements, keeping its room.
func listTruncate(prog *Program, l *List, n int) {
	b := l.b
	old := b.n
	if n >= old {
		return
	}
	b.wipe(elemsOf(prog, l), n, old)
	b.n = n
}

// listSlice returns a new list of the elements from from up to to.
func listSlice(w *Worker, prog *Program, l *List, from, to int64) *List {
	b := l.b
	n := b.n
	if from < 0 || to > int64(n) || from > to {
		throw(ErrIndex, "slice [%d..%d] is out of range: the list has %d elements", from, to, n)
	}
	return listOf(w, prog, l.Type, b, int(from), int(to))
}

// listOf makes a list of a type from part of a backing of that type.
func listOf(w *Worker, prog *Program, id uint32, b *backing, from, to int) *List {
	out := newList(w, id, to-from)
	if to > from {
		out.b.move(elemsOf(prog, out), 0, b, from, to-from)
		out.b.n = to - from
	}
	return out
}

// listExtend appends count elements of a backing of the same class.
func listExtend(w *Worker, c elemClass, l *List, src *backing, from, count int) {
	if count == 0 {
		return
	}
	b := l.b
	n := b.n
	if n+count > b.cap {
		b = listGrow(w, c, l, b, n+count)
		n = min(b.n, b.cap-count)
	}
	b.move(c, n, src, from, count)
	b.n = n + count
}
