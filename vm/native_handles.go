package vm

import (
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Natives outside of package vm never see an address: they read and give objects of
// the script through references. A *Str, *List, *Map or *Chan is one that knows its kind,
// an Object is one of any kind. All are one word and cost what the address costs.

// Object is a reference to an object of the script. The zero Object is none. It
// keeps what it refers to alive for Go's garbage collector. Pass an object that
// must survive a charge to Call.Pin, and one that must survive the call to
// Instance.NewHandle.
type Object struct{ p unsafe.Pointer }

// None reports whether the Object refers to nothing.
func (o Object) None() bool { return o.p == nil }

// Value returns the Value of an expression whose static type is a reference to the object.
func (o Object) Value() Value { return Value{p: o.p} }

// TypeID returns the type of the object, which must not be none.
func (o Object) TypeID() uint32 { return typeOf(o.p) }

func (s *Str) Object() Object { return Object{unsafe.Pointer(s)} }
func (s *Str) Value() Value   { return Value{p: unsafe.Pointer(s)} }

func (l *List) Object() Object { return Object{unsafe.Pointer(l)} }
func (l *List) Value() Value   { return Value{p: unsafe.Pointer(l)} }

func (m *Map) Object() Object { return Object{unsafe.Pointer(m)} }
func (m *Map) Value() Value   { return Value{p: unsafe.Pointer(m)} }

func (c *Chan) Object() Object { return Object{unsafe.Pointer(c)} }

// Object returns the object being built, to Pin it and to refer to it.
func (w *StructWriter) Object() Object { return Object{w.obj} }

// Object and Value of the list that is built.
func (w *ListWriter) Object() Object { return w.list.Object() }
func (w *ListWriter) Value() Value   { return w.list.Value() }

// Object returns the reference that a value is.
func (v Value) Object() Object { return Object{v.p} }

// Object returns a reference argument; it throws RaceError for a nil, which
// only a data race can leave where the type is not optional.
func (c *Call) Object(i int) Object { return Object{c.ptr(i)} }

// OptObject returns an argument of an optional reference type, which may be none.
func (c *Call) OptObject(i int) Object { return Object{c.optPtr(i)} }

// SetObject sets a reference result.
func (c *Call) SetObject(o Object) { c.setPtr(o.p) }

// Pin keeps an object reachable for the tracer until the call returns.
func (c *Call) Pin(o Object) { c.pin(o.p) }

// NotNil throws RaceError for a nil, which only a data race can leave in a
// reference of a type that is not optional.
func (c *Call) NotNil(v Value) Object { return Object{notNil(v.p)} }

// BoxObject makes the any that holds an object, or none for no object.
func BoxObject(o Object) Value { return boxPtr(o.p) }

// BoxNone makes the any that is none.
func BoxNone() Value { return boxPtr(nil) }

// Text returns a str or bytes, as a Go string that views it; ok is false for what is neither.
func (v Value) Text() (text string, ok bool) {
	if id := v.TypeID(); id != bytecode.IDStr && id != bytecode.IDBytes {
		return "", false
	}
	return (*Str)(v.p).String(), true
}
