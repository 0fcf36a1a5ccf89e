package vm

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What natives need to read and build objects of types known only at run
// time, as json does. Types are given by id (see Call.Ref, Call.Type). What is
// put into an object is held against the type of its place: see fits.

// Types returns all types of the program, by id.
func (c *Call) Types() []bytecode.Type { return c.w.prog.Types }

// TypeOf returns the type of an object.
func (c *Call) TypeOf(o Object) *bytecode.Type { return c.Type(typeOf(o.p)) }

// Tag of an enum variant object.
func Tag(o Object) int { return int((*Header)(o.p).Aux) }

// IntValue, BoolValue and FloatValue make the Value of an expression whose static
// type is a scalar; Object.Value that of a reference.
func IntValue(i int64) Value     { return Value{n: uint64(i)} }
func BoolValue(b bool) Value     { return Value{n: BoxBool(b).n} }
func FloatValue(f float64) Value { return Value{n: BoxFloat(f).n} }

func refValue(p unsafe.Pointer) Value { return Value{p: p} }

// ChargeObject is Charge for a single block whose size the script chose: even
// without a limit it refuses a block that the Go runtime might not survive.
func (c *Call) ChargeObject(n int) {
	c.w.checkSize(n)
	c.w.chargeNative(n)
}

// Unpin undoes the last Pin, once something pinned refers to the object.
func (c *Call) Unpin() { c.w.pins = c.w.pins[:len(c.w.pins)-1] }

// ---- structs, tuples, variants ----

// StructWriter builds a struct, tuple or variant that the script cannot see
// yet. All of its reference fields must be set before it can.
type StructWriter struct {
	c      *Call
	obj    unsafe.Pointer
	fields []bytecode.Field
}

// NewStruct starts a struct or tuple, its fields zero, charged.
func (c *Call) NewStruct(id uint32) StructWriter {
	t := c.Type(id)
	if t.Kind != bytecode.TStruct && t.Kind != bytecode.TTuple {
		c.otherKind(t)
	}
	c.w.charge(t.Layout.Size())
	return StructWriter{c, newObject(id, t.Layout), t.Fields}
}

// NewVariant starts a variant of an enum that is not plain, its fields zero,
// charged. Variants without fields are shared.
func (c *Call) NewVariant(id uint32, tag int) StructWriter {
	t := c.typeOf(id, bytecode.TEnum, bytecode.TEnum)
	if p := c.w.prog.variants[id][tag]; p != nil {
		return StructWriter{c, p, nil}
	}
	v := &t.Variants[tag]
	c.w.charge(v.Layout.Size())
	p := newObject(id, v.Layout)
	(*Header)(p).Aux = uint32(tag)
	return StructWriter{c, p, v.Fields}
}

// Set stores a field by its index.
func (w *StructWriter) Set(i int, v Value) {
	f := &w.fields[i]
	if !fitsPlainly(f.Type, f.Rep, v) {
		w.c.w.prog.mustFit(f.Type, v)
	}
	storeField(w.obj, f, v)
}

// Fields returns the fields of the value being built.
func (w *StructWriter) Fields() []bytecode.Field { return w.fields }

// Value returns the value being built.
func (w *StructWriter) Value() Value { return Value{p: w.obj} }

// Field reads a field of an object. A reference that is nil although its type
// is not optional was torn by a race: see Call.NotNil.
func Field(o Object, f *bytecode.Field) Value { return loadField(o.p, f) }

// Text returns a str or bytes that is not an argument, as a Go string that views it.
func (c *Call) Text(v Value) string {
	p := notNil(v.p)
	if id := (*Header)(p).Type; id != bytecode.IDStr && id != bytecode.IDBytes {
		c.noObject("a text", v)
	}
	return (*Str)(p).String()
}

// ListOf and MapOf return a list, or a map or set, that is not an argument.
func (c *Call) ListOf(v Value) *List {
	if c.kindOf(v) != bytecode.TList {
		c.noObject("a list", v)
	}
	return (*List)(v.p)
}

func (c *Call) MapOf(v Value) *Map {
	if k := c.kindOf(v); k != bytecode.TMap && k != bytecode.TSet {
		c.noObject("a map", v)
	}
	return (*Map)(v.p)
}

func (c *Call) kindOf(v Value) bytecode.TypeKind {
	return c.w.prog.Types[(*Header)(notNil(v.p)).Type].Kind
}

func (c *Call) noObject(what string, v Value) {
	internal("a %s is taken for %s", c.w.prog.nameOf(v.TypeID()), what)
}

// ChanOf returns a channel that is not an argument.
func (c *Call) ChanOf(v Value) *Chan {
	if c.kindOf(v) != bytecode.TChan {
		c.noObject("a channel", v)
	}
	return (*Chan)(v.p)
}

// Part returns the field of a struct with a given name. The caller knows its
// kind, which is checked: a program that was not compiled here may have
// declared another.
func (c *Call) Part(v Value, name string, kind bytecode.TypeKind) Value {
	if c.kindOf(v) != bytecode.TStruct {
		c.noObject("a struct", v)
	}
	t := c.TypeOf(v.Object())
	f := t.FieldOf(name, kind, c.w.prog.Types)
	if f == nil {
		internal("a %s has no field %s of the type that belongs there", t.Name, name)
	}
	return loadField(v.p, f)
}

// ---- optionals ----

// Some makes the value of an optional type that holds v.
func (c *Call) Some(optional uint32, v Value) Value {
	t := c.typeOf(optional, bytecode.TOptional, bytecode.TOptional)
	c.w.prog.mustFit(t.Elem, v)
	return c.w.prog.some(optional, v)
}

// Unwrap returns what a value of an optional type holds, or false for none.
func Unwrap(optional *bytecode.Type, elem *bytecode.Type, v Value) (Value, bool) {
	if v.p == nil {
		return v, false
	}
	if elem.Kind == bytecode.TOptional {
		return loadField(v.p, &optional.Fields[0]), true
	}
	return v, true
}

// ---- lists ----

// ListWriter builds a list that the script cannot see yet.
type ListWriter struct {
	w     *Worker
	list  *List
	class elemClass
	elem  uint32
	rep   bytecode.Rep // of elem
}

// NewList starts a list with room for capacity elements, charged.
func (c *Call) NewList(id uint32, capacity int) ListWriter {
	t := c.Type(id)
	if t.Kind != bytecode.TList {
		c.otherKind(t)
	}
	l := newList(c.w, id, capacity)
	return ListWriter{c.w, l, elemsOf(c.w.prog, l), t.Elem, c.Type(t.Elem).Rep}
}

// List returns the list being built.
func (w *ListWriter) List() *List { return w.list }

// Push appends an element.
func (w *ListWriter) Push(v Value) {
	if !fitsPlainly(w.elem, w.rep, v) {
		w.w.prog.mustFit(w.elem, v)
	}
	pushElem(w.w, w.class, w.list, v)
}

// ListReader is a view of the elements of a list at one moment.
type ListReader struct {
	b     *backing
	n     int
	class elemClass
}

// ReadList makes a view of a list.
func (c *Call) ReadList(l *List) ListReader {
	b := (*backing)(notNil(unsafe.Pointer(l.b)))
	return ListReader{b, b.n, elemsOf(c.w.prog, l)}
}

// Len returns the number of elements.
func (r *ListReader) Len() int { return r.n }

// At returns the element at i, which is below Len.
func (r *ListReader) At(i int) Value { return r.b.load(r.class, i) }

// ---- maps and sets ----

// NewMap makes an empty map or set, charged.
func (c *Call) NewMap(id uint32) *Map {
	c.typeOf(id, bytecode.TMap, bytecode.TSet)
	return newMap(c.w, id)
}

// MapSet sets the value of a key; for a set the value is ignored.
func (c *Call) MapSet(m *Map, key, val Value) {
	t := c.Type(m.Type)
	c.w.prog.mustFit(t.Key, key)
	if t.Kind == bytecode.TMap {
		c.w.prog.mustFit(t.Elem, val)
	}
	mapSet(c.w, m, key, val)
}

// MapNext returns the first entry at or after position pos, in insertion order,
// and the position after it. The first position is 0.
func (c *Call) MapNext(m *Map, pos int) (next int, key, val Value, ok bool) { return mapNext(m, pos) }

// ---- native structs ----

// nativeObject is an instance of a `native struct`: it holds a Go value the
// script cannot look into. The value never changes after creation, so the
// interface is never seen torn. Header.Aux is the size it is charged for.
type nativeObject struct {
	Header
	value any
}

// NewNative makes an instance of a native struct around a Go value. size is the
// approximate size of the Go value in bytes.
func (c *Call) NewNative(id uint32, value any, size int) Object {
	c.typeOf(id, bytecode.TNative, bytecode.TInvalid) // which is of no place: an object that no script sees
	c.w.charge(int(unsafe.Sizeof(nativeObject{})) + size)
	o := &nativeObject{Header: Header{Type: id, Aux: uint32(size)}, value: value}
	return Object{unsafe.Pointer(o)}
}

// ResizeNative updates the size of the Go value of an argument that is a native struct.
func (c *Call) ResizeNative(i, size int) {
	atomic.StoreUint32(&(*Header)(c.ptr(i)).Aux, uint32(min(size, math.MaxUint32)))
}

// NativeArg returns the Go value of an argument that is a native struct. The
// natives of a module agree on which Go type its native structs hold. Only a
// program that was not compiled here can pass another.
func NativeArg[T any](c *Call, i int) T {
	v, ok := (*nativeObject)(c.ptr(i)).value.(T)
	if !ok {
		c.wrongType(i)
	}
	return v
}

// MustBe checks that a type known only to the call is the one that a Go value
// was made for: no declaration can connect the two.
func (c *Call) MustBe(have, want uint32) {
	if have != want {
		internal("%s is called with %s instead of %s", c.ref.Name, c.Type(have).Name, c.Type(want).Name)
	}
}

// wrongType ends a script that has given a native a value of another type, which
// only a program can do that was not compiled here.
func (c *Call) wrongType(i int) {
	internal("argument %d of %s is of another type", i, c.ref.Name)
}

// StrValue makes a str for an argument of Instance.Call, which counts it.
func StrValue(text string) Value { return refValue(unsafe.Pointer(newStrOf(bytecode.IDStr, text))) }
