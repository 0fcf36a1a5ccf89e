package vm

import (
	"math"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Value is a register, a list element of mixed kind, or an interface value. The
// static type determines which words are used (bytecode.Rep): scalars use only
// n, references only p. Where both are used (any, interfaces, optionals of
// scalars) p says what the value is: nil is none, the address of a scalar's
// descriptor means that n is such a scalar, anything else is an object. n is
// never an address, a length that guards memory, or a type, so a pair torn by a
// race is a wrong value of a valid type, never a bad pointer.
type Value struct {
	p unsafe.Pointer
	n uint64
}

// Header starts every heap object.
type Header struct {
	Type uint32 // index in the program's types
	Aux  uint32 // str: cached hash; enum: tag; closure: function index
}

// Scalar descriptors: the pointer word of a boxed scalar. The header's type is
// the scalar's; Aux 1 tells them from objects of a type with the same id.
var scalarDesc [bytecode.NumFixedTypes]Header

func init() {
	for i := range scalarDesc {
		scalarDesc[i] = Header{Type: uint32(i), Aux: 1}
	}
}

func desc(id int) unsafe.Pointer { return unsafe.Pointer(&scalarDesc[id]) }

// noneInAny is what a none becomes inside an any.
var noneInAny = desc(bytecode.IDNone)

// BoxInt makes the any (or int?) that holds i.
func BoxInt(i int64) Value { return Value{desc(bytecode.IDInt), uint64(i)} }

// BoxFloat makes the any (or float?) that holds f.
func BoxFloat(f float64) Value { return Value{desc(bytecode.IDFloat), math.Float64bits(f)} }

// BoxBool makes the any (or bool?) that holds b.
func BoxBool(b bool) Value {
	v := Value{p: desc(bytecode.IDBool)}
	if b {
		v.n = 1
	}
	return v
}

// BoxDuration makes the any (or duration?) that holds ns nanoseconds.
func BoxDuration(ns int64) Value { return Value{desc(bytecode.IDDuration), uint64(ns)} }

// boxPtr makes the any that holds an object, or none for nil.
func boxPtr(p unsafe.Pointer) Value {
	if p == nil {
		return Value{p: noneInAny}
	}
	return Value{p: p}
}

// TypeID returns the dynamic type of an any or interface value.
func (v Value) TypeID() uint32 {
	if v.p == nil {
		return bytecode.IDNone
	}
	return typeOf(v.p)
}

// typeOf is the type of an object.
func typeOf(p unsafe.Pointer) uint32 { return (*Header)(p).Type }

// Int, Float, Bool read the number word; Object the pointer word.
func (v Value) Int() int64     { return int64(v.n) }
func (v Value) Float() float64 { return math.Float64frombits(v.n) }
func (v Value) Bool() bool     { return v.n&1 != 0 }

// IsNone reports whether an optional of a scalar is none.
func (v Value) IsNone() bool { return v.p == nil || v.p == noneInAny }
