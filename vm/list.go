package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// List is a [T]: a header and a pointer to its backing. The backing carries
// its own length and capacity beside the elements. The capacity never changes
// and no writer stores a length above it, so whatever races on a list, an index
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

// classOf gives the element class of lists of a type.
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
func (b *backing) values() []Value        { return unsafe.Slice((*Value)(b.data()), b.n) }
