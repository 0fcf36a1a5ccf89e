package vm

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

//go:generate go run ./internal/genobj

// Every allocation a script causes passes Worker.charge before it is made.

// creditChunk is how much a worker takes from its instance's budget at a time.
const creditChunk = 64 << 10

// longBytes is how much is expected to take longer to fill than others should wait, as when
// a large map grows.
const longBytes = 256 << 10

// charge pays for n bytes about to be allocated. It throws when the instance
// is out of memory. It may stop to trace what is alive, so every object the
// caller still needs must be reachable from a register or w.pin.
func (w *Worker) charge(n int) {
	if w.credit -= int64(n); w.credit < 0 {
		w.refillCredit(n)
	}
}

// chargeNative is charge for memory that no object shows to the tracer: it counts as in
// use until what is being done ends.
func (w *Worker) chargeNative(n int) {
	w.charge(n)
	w.nativeBytes += int64(n)
}

// newObject allocates a zeroed object of a layout: a header, scalars, pointers.
func newObject(id uint32, l bytecode.Layout) unsafe.Pointer {
	var p unsafe.Pointer
	if l.Refs == 0 {
		words := make([]uint64, 1+int(l.Scalars))
		p = unsafe.Pointer(unsafe.SliceData(words))
	} else if l.Scalars < maxGenScalars && l.Refs < maxGenRefs {
		p = genObjects[l.Scalars][l.Refs]()
	} else {
		p = reflect.New(layoutType(l)).UnsafePointer()
	}
	(*Header)(p).Type = id
	return p
}

// layoutTypes caches the Go types of layouts too large for the generated table.
var layoutTypes sync.Map // bytecode.Layout -> reflect.Type

func layoutType(l bytecode.Layout) reflect.Type {
	if t, ok := layoutTypes.Load(l); ok {
		return t.(reflect.Type)
	}
	word, ptr := reflect.TypeFor[uint64](), reflect.TypeFor[unsafe.Pointer]()
	t := reflect.StructOf([]reflect.StructField{
		{Name: "S", Type: reflect.ArrayOf(1+int(l.Scalars), word)},
		{Name: "P", Type: reflect.ArrayOf(int(l.Refs), ptr)},
	})
	layoutTypes.Store(l, t)
	return t
}

// backingTypes caches the Go types of backings with pointers, by capacity.
var backingTypes [2]sync.Map // int -> reflect.Type

// Exact backings for short lists, the common case.
type (
	ptrs4 struct {
		n, cap int
		d      [4]unsafe.Pointer
	}
	ptrs8 struct {
		n, cap int
		d      [8]unsafe.Pointer
	}
	ptrs16 struct {
		n, cap int
		d      [16]unsafe.Pointer
	}
	values4 struct {
		n, cap int
		d      [4]Value
	}
	values8 struct {
		n, cap int
		d      [8]Value
	}
)

// backingSize is what a backing is charged.
func backingSize(c elemClass, capacity int) int {
	return int(backingData) + (capacity*c.size()+7)&^7
}

// newBacking allocates room for at least capacity elements, none in use. The
// caller has charged backingSize of the rounded capacity (see roundCap).
func newBacking(c elemClass, capacity int) *backing {
	var b *backing
	switch {
	case capacity == 0:
		return emptyBacking
	case c <= elemI:
		words := make([]uint64, 2+(capacity*c.size()+7)/8)
		b = (*backing)(unsafe.Pointer(unsafe.SliceData(words)))
	case c == elemP && capacity == 4:
		b = (*backing)(unsafe.Pointer(new(ptrs4)))
	case c == elemP && capacity == 8:
		b = (*backing)(unsafe.Pointer(new(ptrs8)))
	case c == elemP && capacity == 16:
		b = (*backing)(unsafe.Pointer(new(ptrs16)))
	case c == elemV && capacity == 4:
		b = (*backing)(unsafe.Pointer(new(values4)))
	case c == elemV && capacity == 8:
		b = (*backing)(unsafe.Pointer(new(values8)))
	default:
		b = (*backing)(reflect.New(backingType(c, capacity)).UnsafePointer())
	}
	b.cap = capacity
	return b
}

// roundCap rounds a wanted capacity up to one that backings come in: powers of
// two and one and a half times them from 4 on, so that few Go types are made.
func roundCap(n int) int {
	if n == 0 {
		return 0
	}
	c := 4
	for c < n {
		if m := c + c/2; m >= n && c >= 8 {
			return m
		}
		c *= 2
	}
	return c
}

func backingType(c elemClass, capacity int) reflect.Type {
	cache := &backingTypes[c-elemP]
	if t, ok := cache.Load(capacity); ok {
		return t.(reflect.Type)
	}
	elem := reflect.TypeFor[unsafe.Pointer]()
	if c == elemV {
		elem = reflect.TypeFor[Value]()
	}
	t := reflect.StructOf([]reflect.StructField{
		{Name: "N", Type: reflect.TypeFor[int]()},
		{Name: "Cap", Type: reflect.TypeFor[int]()},
		{Name: "D", Type: reflect.ArrayOf(capacity, elem)},
	})
	cache.Store(capacity, t)
	return t
}
