package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What natives need to read and build objects of types known only at run
// time, as json does. Types are given by id (see Call.Ref, Call.Type); the
// values must fit them, which nobody checks.

// TypeOf gives the type of an object.
func (c *Call) TypeOf(obj unsafe.Pointer) *bytecode.Type { return c.Type((*Header)(obj).Type) }

// Tag of an enum variant object.
func Tag(obj unsafe.Pointer) int { return int((*Header)(obj).Aux) }

// IntValue, BoolValue, FloatValue and PtrValue make the Value of an expression
// whose static type is a scalar or a reference.
func IntValue(i int64) Value     { return Value{n: uint64(i)} }
func BoolValue(b bool) Value     { return Value{n: BoxBool(b).n} }
func FloatValue(f float64) Value { return Value{n: BoxFloat(f).n} }

func PtrValue[T any](p *T) Value { return Value{p: unsafe.Pointer(p)} }

// ---- structs, tuples, variants ----

// NewStruct makes a struct or tuple whose fields are all zero, charged. It must
// not be seen by the script before its reference fields are set.
func (c *Call) NewStruct(id uint32) unsafe.Pointer {
	l := c.Type(id).Layout
	c.Charge(l.Size())
	return newObject(id, l)
}

// NewVariant makes a variant of an enum that is not plain, charged, its fields zero.
func (c *Call) NewVariant(id uint32, tag int) unsafe.Pointer {
	l := c.Type(id).Variants[tag].Layout
	c.Charge(l.Size())
	p := newObject(id, l)
	(*Header)(p).Aux = uint32(tag)
	return p
}

// Field reads a field of an object. A reference that is nil although its type
// is not optional was torn by a race: see Call.NotNil.
func Field(obj unsafe.Pointer, f *bytecode.Field) Value {
	var v Value
	if f.Rep != bytecode.RepI {
		v.p = *(*unsafe.Pointer)(unsafe.Add(obj, f.POff))
	}
	if f.Rep != bytecode.RepP {
		v.n = *(*uint64)(unsafe.Add(obj, f.Off))
	}
	return v
}

// SetField stores a field of an object the script has not seen yet.
func SetField(obj unsafe.Pointer, f *bytecode.Field, v Value) {
	if f.Rep != bytecode.RepI {
		*(*unsafe.Pointer)(unsafe.Add(obj, f.POff)) = v.p
	}
	if f.Rep != bytecode.RepP {
		*(*uint64)(unsafe.Add(obj, f.Off)) = v.n
	}
}

// NotNil throws RaceError for the nil that only a data race leaves in a
// reference of a type that is not optional.
func (c *Call) NotNil(p unsafe.Pointer) unsafe.Pointer {
	if p == nil {
		c.Throw(ErrRace, "a value was changed by another task while it was read")
	}
	return p
}

// ---- lists ----

// ListWriter builds a list that the script has not seen yet.
type ListWriter struct {
	c     *Call
	list  *List
	class elemClass
}

// NewList starts a list with room for capacity elements, charged.
func (c *Call) NewList(id uint32, capacity int) ListWriter {
	class := classOf(c.Type(c.Type(id).Elem))
	capacity = roundCap(capacity)
	c.Charge(int(unsafe.Sizeof(List{})) + backingSize(class, capacity))
	l := &List{b: newBacking(class, capacity)}
	l.Type = id
	return ListWriter{c, l, class}
}

// List that is being built.
func (w *ListWriter) List() *List { return w.list }

// Len is the number of elements so far.
func (w *ListWriter) Len() int { return w.list.b.n }

// Push appends an element.
func (w *ListWriter) Push(v Value) {
	b := w.list.b
	if b.n == b.cap {
		b = w.grow(b)
	}
	i := b.n
	b.n = i + 1
	switch w.class {
	case elemB:
		b.bytes()[i] = byte(v.n & 1)
	case elemI:
		b.words()[i] = v.n
	case elemP:
		b.ptrs()[i] = v.p
	default:
		b.values()[i] = v
	}
}

func (w *ListWriter) grow(old *backing) *backing {
	capacity := roundCap(max(4, 2*old.cap))
	w.c.Charge(backingSize(w.class, capacity))
	b := newBacking(w.class, capacity)
	b.n = old.n
	switch w.class {
	case elemB:
		copy(b.bytes(), old.bytes())
	case elemI:
		copy(b.words(), old.words())
	case elemP:
		copy(b.ptrs(), old.ptrs())
	default:
		copy(b.values(), old.values())
	}
	w.list.b = b
	return b
}

// ListReader views the elements a list has at one moment.
type ListReader struct {
	b     *backing
	n     int
	class elemClass
}

// ReadList makes a view of a list.
func (c *Call) ReadList(l *List) ListReader {
	b := (*backing)(c.NotNil(unsafe.Pointer(l.b)))
	return ListReader{b, b.n, classOf(c.Type(c.Type(l.Type).Elem))}
}

// Len of the view.
func (r *ListReader) Len() int { return r.n }

// At gives the element at i, which is below Len.
func (r *ListReader) At(i int) Value {
	data := r.b.data()
	switch r.class {
	case elemB:
		return Value{n: uint64(*(*byte)(unsafe.Add(data, i)) & 1)}
	case elemI:
		return Value{n: *(*uint64)(unsafe.Add(data, 8*i))}
	case elemP:
		return Value{p: *(*unsafe.Pointer)(unsafe.Add(data, 8*i))}
	}
	return *(*Value)(unsafe.Add(data, 16*i))
}

// ---- native structs ----

// nativeObject is an instance of a `native struct`: it holds a Go value the
// script cannot look into. The value never changes after creation, so the
// interface is never seen torn.
type nativeObject struct {
	Header
	value any
}

// NewNative makes an instance of a native struct around a Go value. size is
// what the Go value occupies, about, in bytes.
func (c *Call) NewNative(id uint32, value any, size int) unsafe.Pointer {
	c.Charge(int(unsafe.Sizeof(nativeObject{})) + size)
	o := &nativeObject{value: value}
	o.Type = id
	return unsafe.Pointer(o)
}

// Native gives the Go value of a native struct argument. Which Go type a native
// struct holds is an agreement among its module's natives.
func Native[T any](c *Call, i int) T { return (*nativeObject)(c.Ptr(i)).value.(T) }
