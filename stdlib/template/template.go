// Package template holds the native functions of module template: they look
// into values whose types are known only at run time.
package template

import (
	_ "embed"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/stdlib/re"
	"github.com/runnel-lang/runnel/stdlib/text"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

//go:embed template.rnl
var source string

// Module is what the import of template gives.
var Module = vm.NewModule("template", source, json.Module, re.Module, text.Module)

func init() {
	Module.Native("member", func(c *vm.Call) {
		if v, ok := member(c, c.Value(0), c.Str(1)); ok {
			out := c.NewList(c.Ref().Result, 1)
			out.Push(v)
			c.SetObject(out.Object())
			return
		}
		out := c.NewList(c.Ref().Result, 0)
		c.SetObject(out.Object())
	})
	Module.Native("entries", func(c *vm.Call) {
		v := c.Value(0)
		if t := c.Type(v.TypeID()); t.Kind != bytecode.TList && t.Kind != bytecode.TMap && t.Kind != bytecode.TSet {
			c.SetNone()
			return
		}
		c.SetObject(entries(c, v, c.Type(c.Ref().Result).Elem).Object())
	})
}

// Boxed makes the any of a value whose static type is id. A variant of an enum
// without fields becomes its name: it has no object.
func Boxed(c *vm.Call, id uint32, v vm.Value) vm.Value {
	t := c.Type(id)
	switch t.Kind {
	case bytecode.TInt:
		return vm.BoxInt(v.Int())
	case bytecode.TFloat:
		return vm.BoxFloat(v.Float())
	case bytecode.TBool:
		return vm.BoxBool(v.Bool())
	case bytecode.TDuration:
		return vm.BoxDuration(v.Int())
	case bytecode.TAny, bytecode.TInterface:
		return v
	case bytecode.TUnit:
		return vm.BoxNone()
	case bytecode.TOptional:
		inner, ok := vm.Unwrap(t, c.Type(t.Elem), v)
		if !ok {
			return vm.BoxNone()
		}
		return Boxed(c, t.Elem, inner)
	case bytecode.TEnum:
		if t.Plain() {
			if uint64(v.Int()) >= uint64(len(t.Variants)) {
				c.NotNil(vm.Value{})
			}
			return c.NewStr(t.Variants[v.Int()].Name).Value()
		}
	}
	return vm.BoxObject(c.NotNil(v))
}

// member finds a field of a struct, a part of a tuple, an entry of a map with
// texts for keys, or an element of a list.
func member(c *vm.Call, v vm.Value, name string) (found vm.Value, ok bool) {
	t := c.Type(v.TypeID())
	switch t.Kind {
	case bytecode.TStruct:
		for i := range t.Fields {
			if t.Fields[i].Name == name {
				return Boxed(c, t.Fields[i].Type, vm.Field(v.Object(), &t.Fields[i])), true
			}
		}
	case bytecode.TTuple:
		if i, err := vm.ParseInt(name, 10); err == nil && 0 <= i && i < int64(len(t.Fields)) {
			return Boxed(c, t.Fields[i].Type, vm.Field(v.Object(), &t.Fields[i])), true
		}
	case bytecode.TList:
		list := c.ReadList(c.ListOf(v))
		if i, err := vm.ParseInt(name, 10); err == nil && 0 <= i && i < int64(list.Len()) {
			return Boxed(c, t.Elem, list.At(int(i))), true
		}
	case bytecode.TMap:
		if c.Type(t.Key).Kind == bytecode.TStr {
			return lookUp(c, t, c.MapOf(v), name)
		}
	}
	return found, false
}

func lookUp(c *vm.Call, t *bytecode.Type, m *vm.Map, name string) (found vm.Value, ok bool) {
	for pos := 0; ; {
		next, key, v, more := c.MapNext(m, pos)
		if !more {
			return found, false
		}
		c.Steps(1)
		if c.Text(key) == name {
			return Boxed(c, t.Elem, v), true
		}
		pos = next
	}
}

// entries lists what a list, set or map holds as pairs of type pairs' element:
// an element with its number, a value with its key.
func entries(c *vm.Call, v vm.Value, pairs uint32) *vm.List {
	out := c.NewList(pairs, 0)
	c.Pin(out.Object())
	pair := c.Type(pairs).Elem
	push := func(key, value vm.Value) {
		c.Steps(1)
		obj := c.NewStruct(pair)
		obj.Set(0, key)
		obj.Set(1, value)
		out.Push(obj.Value())
	}
	t := c.Type(v.TypeID())
	if t.Kind == bytecode.TList {
		list := c.ReadList(c.ListOf(v))
		for i := range list.Len() {
			push(vm.BoxInt(int64(i)), Boxed(c, t.Elem, list.At(i)))
		}
		return out.List()
	}
	for pos, n := 0, 0; ; n++ {
		next, key, value, ok := c.MapNext(c.MapOf(v), pos)
		if !ok {
			return out.List()
		}
		pos = next
		if t.Kind == bytecode.TSet {
			push(vm.BoxInt(int64(n)), Boxed(c, t.Key, key))
		} else {
			push(Boxed(c, t.Key, key), Boxed(c, t.Elem, value))
		}
	}
}
