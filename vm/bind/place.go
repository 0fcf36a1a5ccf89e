package bind

import (
	"reflect"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
)

// Place is the location of a value of a Go type that a Codec was made for.
type Place struct{ p unsafe.Pointer }

// PlaceAt returns the place that a pointer points to.
func PlaceAt(ptr reflect.Value) Place { return Place{ptr.UnsafePointer()} }

// Field returns the place of a field of the struct there.
func (p Place) Field(f reflect.StructField) Place { return Place{unsafe.Add(p.p, f.Offset)} }

// NewCodec makes the codec of a Go type, or of a struct with a single field of that type.
func NewCodec[T any](put func(c *vm.Call, x *T) vm.Value, get func(c *vm.Call, v vm.Value, x *T)) *Codec {
	return &Codec{
		put: func(c *vm.Call, p unsafe.Pointer) vm.Value { return put(c, (*T)(p)) },
		get: func(c *vm.Call, v vm.Value, p unsafe.Pointer) { get(c, v, (*T)(p)) },
	}
}

// NewPlaceCodec makes the codec of a Go type that is known only at run time.
func NewPlaceCodec(put func(c *vm.Call, p Place) vm.Value, get func(c *vm.Call, v vm.Value, p Place)) *Codec {
	return &Codec{
		put: func(c *vm.Call, p unsafe.Pointer) vm.Value { return put(c, Place{p}) },
		get: func(c *vm.Call, v vm.Value, p unsafe.Pointer) { get(c, v, Place{p}) },
	}
}

// Put returns the value in a place of the codec's Go type.
func (k *Codec) Put(c *vm.Call, p Place) vm.Value { return k.put(c, p.p) }

// Get writes a value to a place of the codec's Go type.
func (k *Codec) Get(c *vm.Call, v vm.Value, p Place) { k.get(c, v, p.p) }
