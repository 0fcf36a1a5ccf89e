package actor

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// messageCodec moves messages of a Go type: besides what package bind knows, a
// struct with the name and the fields of a variant is that variant.
func messageCodec(b *bind.Table, t reflect.Type, id uint32) (*bind.Codec, error) {
	rt := &b.Program().Types[id]
	if rt.Kind == bytecode.TEnum && t.Kind() == reflect.Struct && t.Name() != "" {
		for tag := range rt.Variants {
			if rt.Variants[tag].Name == t.Name() {
				return variantCodec(b, t, id, tag)
			}
		}
	}
	k, err := b.Locked(t, id)
	if err != nil && rt.Kind == bytecode.TEnum && t.Kind() == reflect.Struct && t.Name() != "" {
		err = fmt.Errorf("%s has no variant %s", rt.Name, t.Name())
	}
	return k, err
}

// member is a field of a Go struct and of a variant.
type member struct {
	codec *bind.Codec
	field *bytecode.Field
	index int // of the field
	at    reflect.StructField
}

// variantCodec moves a Go struct to and from one variant of an enum.
func variantCodec(b *bind.Table, t reflect.Type, id uint32, tag int) (*bind.Codec, error) {
	rt := &b.Program().Types[id]
	fields := rt.Variants[tag].Fields
	var members []member
	for _, f := range visible(t) {
		index := slices.IndexFunc(fields, func(field bytecode.Field) bool { return field.Name == bind.FieldName(f) })
		if index < 0 {
			return nil, fmt.Errorf("%s.%s has no %s", rt.Name, t.Name(), bind.FieldName(f))
		}
		field := &fields[index]
		k, err := b.Locked(f.Type, field.Type)
		if err != nil {
			return nil, fmt.Errorf("%s of %s.%s: %w", field.Name, rt.Name, t.Name(), err)
		}
		members = append(members, member{k, field, index, f})
	}
	if len(members) != len(fields) {
		return nil, fmt.Errorf("the Go type %s has %d fields, %s.%s has %d", t, len(members), rt.Name, t.Name(), len(fields))
	}
	put := func(c *vm.Call, p bind.Place) vm.Value {
		if rt.Plain() {
			return vm.IntValue(int64(tag))
		}
		obj := c.NewVariant(id, tag)
		c.Pin(obj.Object())
		for _, m := range members {
			obj.Set(m.index, m.codec.Put(c, p.Field(m.at)))
		}
		c.Unpin()
		return obj.Value()
	}
	get := func(c *vm.Call, v vm.Value, p bind.Place) {
		for _, m := range members {
			m.codec.Get(c, vm.Field(c.NotNil(v), m.field), p.Field(m.at))
		}
	}
	return bind.NewPlaceCodec(put, get), nil
}

// visible are the fields of a Go struct that a script sees.
func visible(t reflect.Type) []reflect.StructField {
	var fs []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if bind.FieldName(f) != "" && len(f.Index) == 1 {
			fs = append(fs, f)
		}
	}
	return fs
}
