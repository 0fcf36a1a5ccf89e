package bind

import (
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// dynamic is the codec between any of Go and a Runnel type: what an any holds
// is looked at when it is moved.
func (b *Table) dynamic(c *Codec, id uint32) {
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value { return b.putAny(c, id, *(*any)(p)) }
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) { *(*any)(p) = b.getAny(c, id, v) }
}

// putAny makes a value of a Runnel type of what an any of Go holds.
func (b *Table) putAny(c *vm.Call, id uint32, x any) vm.Value {
	rt := &b.types[id]
	switch rt.Kind {
	case bytecode.TAny, bytecode.TInterface:
		return b.box(c, rt, x)
	case bytecode.TOptional:
		if x == nil {
			return vm.Value{}
		}
		if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
			return vm.Value{}
		}
		if t := reflect.TypeOf(x); t.Kind() != reflect.Pointer || b.types[rt.Elem].Kind == bytecode.TNative {
			return c.Some(id, b.putAny(c, rt.Elem, x))
		}
	case bytecode.TList:
		if xs, ok := x.([]any); ok {
			return b.putList(c, id, len(xs), func(i int) any { return xs[i] })
		}
	case bytecode.TTuple:
		if xs, ok := x.([]any); ok {
			return b.putTuple(c, id, xs)
		}
	case bytecode.TSet:
		if xs, ok := x.([]any); ok {
			return b.putSet(c, id, xs)
		}
	case bytecode.TMap:
		if m, ok := x.(map[string]any); ok && rt.Key == bytecode.IDStr {
			return b.putObject(c, id, m)
		}
	case bytecode.TStruct:
		if m, ok := x.(map[string]any); ok {
			return b.putFields(c, id, m)
		}
	}
	if x == nil && rt.Kind == bytecode.TUnit {
		return vm.Value{}
	}
	if x == nil {
		c.Throw(vm.ErrValue, "nil is no %s", rt.Name)
	}
	t := reflect.TypeOf(x)
	if rt.Kind == bytecode.TFunc {
		c.Throw(vm.ErrValue, "%v", errGoFunc)
	}
	codec, err := b.Locked(t, id)
	if err != nil {
		c.Throw(vm.ErrValue, "%v", err)
	}
	p := reflect.New(t)
	p.Elem().Set(reflect.ValueOf(x))
	return codec.put(c, p.UnsafePointer())
}

func (b *Table) putList(c *vm.Call, id uint32, n int, at func(i int) any) vm.Value {
	enter(c)
	list := c.NewList(id, n)
	c.Pin(list.Object())
	each(c, n, func(i int) { list.Push(b.putAny(c, b.types[id].Elem, at(i))) })
	c.Unpin()
	leave(c)
	return list.List().Value()
}

func (b *Table) putTuple(c *vm.Call, id uint32, xs []any) vm.Value {
	fields := b.types[id].Fields
	if len(xs) != len(fields) {
		c.Throw(vm.ErrValue, "%s has %d values, %d given", b.types[id].Name, len(fields), len(xs))
	}
	enter(c)
	obj := c.NewStruct(id)
	c.Pin(obj.Object())
	for i := range fields {
		obj.Set(i, b.putAny(c, fields[i].Type, xs[i]))
	}
	c.Unpin()
	leave(c)
	return obj.Value()
}

func (b *Table) putSet(c *vm.Call, id uint32, xs []any) vm.Value {
	enter(c)
	out := c.NewMap(id)
	c.Pin(out.Object())
	each(c, len(xs), func(i int) {
		key := b.putAny(c, b.types[id].Key, xs[i])
		c.Pin(key.Object())
		c.MapSet(out, key, vm.Value{})
		c.Unpin()
	})
	c.Unpin()
	leave(c)
	return out.Value()
}

func (b *Table) putObject(c *vm.Call, id uint32, m map[string]any) vm.Value {
	enter(c)
	out := c.NewMap(id)
	c.Pin(out.Object())
	for k, x := range m {
		c.Steps(1)
		key := c.NewStr(validText(c, k))
		c.Pin(key.Object())
		c.MapSet(out, key.Value(), b.putAny(c, b.types[id].Elem, x))
		c.Unpin()
	}
	c.Unpin()
	leave(c)
	return out.Value()
}

func (b *Table) putFields(c *vm.Call, id uint32, m map[string]any) vm.Value {
	rt := &b.types[id]
	enter(c)
	for name := range m {
		if !slices.ContainsFunc(rt.Fields, func(f bytecode.Field) bool { return f.Name == name }) {
			c.Throw(vm.ErrValue, "%s has no field %s", rt.Name, name)
		}
	}
	obj := c.NewStruct(id)
	c.Pin(obj.Object())
	for i := range rt.Fields {
		f := &rt.Fields[i]
		x, ok := m[f.Name]
		if !ok && b.types[f.Type].Kind != bytecode.TOptional {
			c.Throw(vm.ErrValue, "the map has no value for %s of %s", f.Name, rt.Name)
		}
		obj.Set(i, b.putAny(c, f.Type, x))
	}
	c.Unpin()
	leave(c)
	return obj.Value()
}

// box makes the any that holds x.
func (b *Table) box(c *vm.Call, rt *bytecode.Type, x any) vm.Value {
	if rt.Kind == bytecode.TInterface {
		c.Throw(vm.ErrValue, "no Go value can be given for %s: only the script knows what satisfies it", rt.Name)
	}
	switch x := x.(type) {
	case nil:
		return vm.BoxNone()
	case bool:
		return vm.BoxBool(x)
	case string:
		return c.NewStr(validText(c, x)).Value()
	case []byte:
		return putBytes(c, x)
	case time.Duration:
		return vm.BoxDuration(int64(x))
	case []any:
		b.need(c, b.list, "[any]")
		return b.putList(c, b.list, len(x), func(i int) any { return x[i] })
	case map[string]any:
		b.need(c, b.object, "map<str, any>")
		return b.putObject(c, b.object, x)
	}
	v := reflect.ValueOf(x)
	if id, ok := b.hosts[v.Type()]; ok {
		if codec, err := b.Locked(v.Type(), id); err == nil {
			p := reflect.New(v.Type())
			p.Elem().Set(v)
			return vm.BoxObject(codec.put(c, p.UnsafePointer()).Object())
		}
	}
	switch {
	case v.CanInt():
		return vm.BoxInt(v.Int())
	case v.CanUint():
		if u := v.Uint(); u <= 1<<63-1 {
			return vm.BoxInt(int64(u))
		}
		c.Throw(vm.ErrValue, "%d does not fit an int", x)
	case v.CanFloat():
		return vm.BoxFloat(v.Float())
	case v.Kind() == reflect.String:
		return c.NewStr(validText(c, v.String())).Value()
	case v.Kind() == reflect.Slice:
		b.need(c, b.list, "[any]")
		return b.putList(c, b.list, v.Len(), func(i int) any { return v.Index(i).Interface() })
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		c.ChargeObject(v.Len() * 4 * anySize)
		m := make(map[string]any, v.Len())
		for it := v.MapRange(); it.Next(); {
			c.Steps(1)
			m[it.Key().String()] = it.Value().Interface()
		}
		return b.box(c, rt, m)
	}
	c.Throw(vm.ErrValue, "a Go %T cannot be held by an any", x)
	return vm.Value{}
}

func (b *Table) need(c *vm.Call, id uint32, name string) {
	if id == 0 {
		c.Throw(vm.ErrValue, "the program has no values of type %s, so none can be given to it", name)
	}
}

// getAny returns a value as the Go type that is closest to its Runnel type: int,
// float64, bool, string, []byte, time.Duration, []any, map[string]any (of
// structs too) or map[any]any, Variant, the Go value of a native struct; nil for
// none.
func (b *Table) getAny(c *vm.Call, id uint32, v vm.Value) any {
	if t := b.own.types[id]; t != nil {
		return b.getOwn(c, t, id, v)
	}
	rt := &b.types[id]
	inGo(c, block)
	switch rt.Kind {
	case bytecode.TAny, bytecode.TInterface:
		return b.unbox(c, v)
	case bytecode.TOptional:
		in, ok := vm.Unwrap(rt, &b.types[rt.Elem], v)
		if !ok {
			return nil
		}
		return b.getAny(c, rt.Elem, in)
	case bytecode.TInt:
		return int(v.Int())
	case bytecode.TFloat:
		return v.Float()
	case bytecode.TBool:
		return v.Bool()
	case bytecode.TDuration:
		return time.Duration(v.Int())
	case bytecode.TUnit, bytecode.TNone:
		return nil
	case bytecode.TStr:
		return text(c, v)
	case bytecode.TBytes:
		return getBytes(c, v)
	case bytecode.TNative:
		return c.NativeValue(v)
	case bytecode.TFunc:
		inGo(c, hostHandleSize)
		return c.Instance().FuncOf(v)
	case bytecode.TEnum:
		if rt.Plain() {
			return b.getVariant(c, id, v).Name
		}
		return b.getVariant(c, id, v)
	}
	enter(c)
	x := b.getParts(c, rt, v)
	leave(c)
	return x
}

// anySize is what an any takes in Go.
const anySize = 16

// getParts returns a value that has parts.
func (b *Table) getParts(c *vm.Call, rt *bytecode.Type, v vm.Value) any {
	switch rt.Kind {
	case bytecode.TList:
		r := c.ReadList(c.ListOf(v))
		c.ChargeObject(r.Len() * anySize)
		xs := make([]any, r.Len())
		each(c, r.Len(), func(i int) { xs[i] = b.getAny(c, rt.Elem, r.At(i)) })
		return xs
	case bytecode.TTuple:
		obj := c.NotNil(v)
		inGo(c, uintptr(len(rt.Fields))*anySize)
		xs := make([]any, len(rt.Fields))
		for i := range xs {
			xs[i] = b.getAny(c, rt.Fields[i].Type, vm.Field(obj, &rt.Fields[i]))
		}
		return xs
	case bytecode.TStruct:
		obj := c.NotNil(v)
		inGo(c, emptyMap+uintptr(len(rt.Fields))*anyEntry)
		m := make(map[string]any, len(rt.Fields))
		for i := range rt.Fields {
			m[rt.Fields[i].Name] = b.getAny(c, rt.Fields[i].Type, vm.Field(obj, &rt.Fields[i]))
		}
		return m
	case bytecode.TMap, bytecode.TSet:
		return b.getEntries(c, rt, c.MapOf(v))
	}
	c.Throw(vm.ErrValue, "a %s cannot be given to Go as an any", rt.Name)
	return nil
}

// anyEntry is what an entry of a map takes in Go, with room to grow.
const anyEntry = 4 * (2*anySize + 1)

func (b *Table) getEntries(c *vm.Call, rt *bytecode.Type, in *vm.Map) any {
	inGo(c, emptyMap)
	byText, byAny, list := map[string]any{}, map[any]any{}, []any{}
	for pos := 0; ; {
		next, k, v, ok := c.MapNext(in, pos)
		if !ok {
			break
		}
		pos = next
		c.Steps(1)
		inGo(c, anyEntry)
		switch key := b.getAny(c, rt.Key, k); {
		case rt.Kind == bytecode.TSet:
			list = append(list, key)
		case rt.Key == bytecode.IDStr:
			byText[key.(string)] = b.getAny(c, rt.Elem, v)
		case !reflect.ValueOf(key).Comparable():
			c.Throw(vm.ErrValue, "a %s cannot be the key of a map in Go", b.types[rt.Key].Name)
		default:
			byAny[key] = b.getAny(c, rt.Elem, v)
		}
	}
	switch {
	case rt.Kind == bytecode.TSet:
		return list
	case rt.Key == bytecode.IDStr:
		return byText
	}
	return byAny
}

// unbox returns what an any of a script holds.
func (b *Table) unbox(c *vm.Call, v vm.Value) any {
	if v.IsNone() {
		return nil
	}
	return b.getAny(c, v.TypeID(), v)
}
