package vm

import (
	"encoding/binary"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// FieldDefaults lets a native that reads structs from text give missing fields
// their declared defaults. The native reads the text once and notes which
// defaults are wanted; if there are any, what it has built is discarded, and it
// is called again with the defaults: see default_fields of the prelude.
type FieldDefaults struct {
	c      *Call
	keys   string // bytecode.FieldKey of each field that has one, little-endian
	wanted ListWriter
	made   ListReader
	next   int // of made
	holes  bool
}

// FieldDefaultsArg returns those of the arguments from i on: `fields: bytes, wanted: [int]?, made: [any]?`.
func (c *Call) FieldDefaultsArg(i int) FieldDefaults {
	d := FieldDefaults{c: c, keys: c.Str(i)}
	if p := c.optPtr(i + 1); p != nil {
		l := (*List)(p)
		t := c.Type(l.Type)
		d.wanted = ListWriter{c.w, l, elemsOf(c.w.prog, l), t.Elem, c.Type(t.Elem).Rep}
	}
	if p := c.optPtr(i + 2); p != nil {
		d.made = c.ReadList((*List)(p))
	}
	return d
}

// Holes reports whether a field with a default was missing, so that the value
// built has holes and must not be seen.
func (d *FieldDefaults) Holes() bool { return d.holes }

// Has reports whether a field of a struct, or of the variant tag of an enum, has a default.
func (d *FieldDefaults) Has(id uint32, tag, field int) bool { return d.find(id, tag, field) >= 0 }

// find returns the index of a field among those with defaults, -1 where it is none.
func (d *FieldDefaults) find(id uint32, tag, field int) int {
	if d.keys == "" {
		return -1
	}
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], uint64(bytecode.FieldKey(id, tag, field)))
	for k := 0; k+8 <= len(d.keys); k += 8 {
		if d.keys[k:k+8] == string(key[:]) {
			return k / 8
		}
	}
	return -1
}

// Set gives field i of a struct, or of a variant, its default; false where it has none.
func (d *FieldDefaults) Set(obj *StructWriter, i int) bool {
	if d.keys == "" {
		return false
	}
	h := (*Header)(obj.obj)
	tag := 0
	if d.c.Type(h.Type).Kind == bytecode.TEnum {
		tag = int(h.Aux)
	}
	k := d.find(h.Type, tag, i)
	switch {
	case k < 0:
		return false
	case d.next < d.made.Len():
		list := d.c.ReadList(d.c.ListOf(d.made.At(d.next)))
		d.next++
		if list.Len() != 1 {
			internal("a default is in a list of %d", list.Len())
		}
		obj.Set(i, list.At(0))
	case d.wanted.list == nil: // another task has changed what the text is read with
		d.c.Throw(ErrRace, "what a text lacks was changed while it was read")
	default:
		d.holes = true
		d.wanted.Push(IntValue(int64(k)))
	}
	return true
}

// Result returns what was built as an optional: none where it has holes.
func (d *FieldDefaults) Result(c *Call, v Value) Value {
	if d.holes {
		return Value{}
	}
	return c.Some(c.Ref().Result, v)
}
