package bind

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"github.com/runnel-lang/runnel/lang/names"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

func (b *Table) optional(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	if t.Kind() != reflect.Pointer {
		return fmt.Errorf("%s is not a Go type for %s: it needs a pointer, which is nil for none", t, rt.Name)
	}
	if elem := b.pointed(t, rt.Elem); elem != nil {
		c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
			if *(*unsafe.Pointer)(p) == nil {
				return vm.Value{}
			}
			return c.Some(id, elem.put(c, p))
		}
		c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
			if in, ok := vm.Unwrap(rt, &b.types[rt.Elem], v); ok {
				elem.get(c, in, p)
			} else {
				*(*unsafe.Pointer)(p) = nil
			}
		}
		return nil
	}
	elem, err := b.Codec(t.Elem(), rt.Elem)
	if err != nil {
		return err
	}
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
		q := *(*unsafe.Pointer)(p)
		if q == nil {
			return vm.Value{}
		}
		enter(c)
		v := c.Some(id, elem.put(c, q))
		leave(c)
		return v
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		in, ok := vm.Unwrap(rt, &b.types[rt.Elem], v)
		if !ok {
			*(*unsafe.Pointer)(p) = nil
			return
		}
		enter(c)
		inGo(c, block+t.Elem().Size())
		q := reflect.New(t.Elem()).UnsafePointer()
		elem.get(c, in, q)
		*(*unsafe.Pointer)(p) = q
		leave(c)
	}
	return nil
}

// pointed is the codec of a native struct whose Go value is a pointer, where nil
// can stand for none; nil for all others.
func (b *Table) pointed(t reflect.Type, id uint32) *Codec {
	if b.types[id].Kind != bytecode.TNative {
		return nil
	}
	c, _ := b.Codec(t, id)
	return c
}

// enter counts how deep the value is that is moved, and the work. What leads out of
// the native makes the depth 0 again.
func enter(c *vm.Call) {
	if c.Depth >= maxDepth {
		c.Throw(vm.ErrValue, "the value is nested more than %d deep, or contains itself", maxDepth)
	}
	c.Depth++
	c.Steps(1)
}

func leave(c *vm.Call) { c.Depth-- }

// stride returns the end of the elements from i on that are moved before the next
// look at limits.
func stride(c *vm.Call, i, n int) int {
	end := min(n, i+256)
	c.Steps(end - i)
	return end
}

// each calls f for 0 to n-1; the call may end in between.
func each(c *vm.Call, n int, f func(i int)) {
	for i := 0; i < n; {
		for end := stride(c, i, n); i < end; i++ {
			f(i)
		}
	}
}

// inGo pays for what a value takes in Go.
func inGo(c *vm.Call, n uintptr) { c.Charge(int(n)) }

// block is what a value of Go takes beside its content.
const block = 16

// slice is how Go lays a slice out.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

func (b *Table) listOf(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	if t.Kind() != reflect.Slice || t == bytesType {
		return mismatch(t, rt)
	}
	elem, err := b.Codec(t.Elem(), rt.Elem)
	if err != nil {
		return err
	}
	size := t.Elem().Size()
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
		s := (*slice)(p)
		enter(c)
		list := c.NewList(id, s.len)
		c.Pin(list.Object())
		for i := 0; i < s.len; {
			for end := stride(c, i, s.len); i < end; i++ {
				list.Push(elem.put(c, unsafe.Add(s.data, uintptr(i)*size)))
			}
		}
		c.Unpin()
		leave(c)
		return list.List().Value()
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		r := c.ReadList(c.ListOf(v))
		enter(c)
		c.ChargeObject(block + r.Len()*int(size))
		n := r.Len()
		data := reflect.MakeSlice(t, n, n).UnsafePointer()
		for i := 0; i < n; {
			for end := stride(c, i, n); i < end; i++ {
				elem.get(c, r.At(i), unsafe.Add(data, uintptr(i)*size))
			}
		}
		*(*slice)(p) = slice{data, n, n}
		leave(c)
	}
	return nil
}

func (b *Table) mapOf(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	if t.Kind() != reflect.Map {
		return mismatch(t, rt)
	}
	key, err := b.Codec(t.Key(), rt.Key)
	if err != nil {
		return err
	}
	val, err := b.Codec(t.Elem(), rt.Elem)
	if err != nil {
		return err
	}
	b.entries(c, t, id, key, val)
	return nil
}

func (b *Table) setOf(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	if t.Kind() != reflect.Map || t.Elem().Size() != 0 {
		return fmt.Errorf("%s is not a Go type for %s: it needs a map[K]struct{}", t, rt.Name)
	}
	key, err := b.Codec(t.Key(), rt.Key)
	if err != nil {
		return err
	}
	none := &Codec{
		put: func(*vm.Call, unsafe.Pointer) vm.Value { return vm.Value{} },
		get: func(*vm.Call, vm.Value, unsafe.Pointer) {},
	}
	b.entries(c, t, id, key, none)
	return nil
}

// entries moves maps and sets. Go's order is random: entries are put in as they
// come.
func (b *Table) entries(c *Codec, t reflect.Type, id uint32, key, val *Codec) {
	entry := 4 * (t.Key().Size() + t.Elem().Size() + 1) // a map that grows is there twice, and has room
	anyKey := !strictlyComparable(t.Key())
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
		m := reflect.NewAt(t, p).Elem()
		enter(c)
		out := c.NewMap(id)
		c.Pin(out.Object())
		k, v := reflect.New(t.Key()), reflect.New(t.Elem())
		for it := m.MapRange(); it.Next(); {
			c.Steps(1)
			k.Elem().SetIterKey(it)
			v.Elem().SetIterValue(it)
			kv := key.put(c, k.UnsafePointer())
			c.Pin(kv.Object())
			c.MapSet(out, kv, val.put(c, v.UnsafePointer()))
			c.Unpin()
		}
		c.Unpin()
		leave(c)
		return out.Value()
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		in := c.MapOf(v)
		enter(c)
		inGo(c, emptyMap)
		m := reflect.MakeMap(t)
		for pos := 0; ; {
			next, kv, vv, ok := c.MapNext(in, pos)
			if !ok {
				break
			}
			pos = next
			c.Steps(1)
			inGo(c, entry)
			k, v := reflect.New(t.Key()), reflect.New(t.Elem())
			key.get(c, kv, k.UnsafePointer())
			val.get(c, vv, v.UnsafePointer())
			if anyKey && !k.Elem().Comparable() {
				c.Throw(vm.ErrValue, "a %s cannot be the key of a map in Go", b.types[b.types[id].Key].Name)
			}
			m.SetMapIndex(k.Elem(), v.Elem())
		}
		reflect.NewAt(t, p).Elem().Set(m)
		leave(c)
	}
}

// strictlyComparable reports whether all values of a Go type that may be a key can
// be compared: those of interfaces may not.
func strictlyComparable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Struct, reflect.Array:
		return false // a closer look is taken at each value
	}
	return true
}

// emptyMap is what a map of Go takes without entries.
const emptyMap = 48

// FieldName returns the name of a Go field in Runnel: its tag `runnel:"name"`,
// or its Go name in snake case; "" if it has none.
func FieldName(f reflect.StructField) string {
	tag := f.Tag.Get("runnel")
	switch {
	case tag == "-" || !f.IsExported():
		return ""
	case tag != "":
		return tag
	}
	return names.Snake(f.Name)
}

// member is a field that both sides have.
type member struct {
	codec *Codec
	field *bytecode.Field
	at    uintptr
}

func (b *Table) structOf(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	if t == timeType {
		return timeCodec(c, rt, id)
	}
	if t.Kind() != reflect.Struct {
		return mismatch(t, rt)
	}
	fields := map[string]reflect.StructField{}
	var order []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if name := FieldName(f); name != "" && len(f.Index) == 1 {
			fields[name] = f
			order = append(order, f)
		}
	}
	if len(order) != len(rt.Fields) {
		return fmt.Errorf("%s has %d fields, %s has %d", t, len(order), rt.Name, len(rt.Fields))
	}
	var members []member
	for i := range rt.Fields {
		f := &rt.Fields[i]
		gf, ok := fields[f.Name]
		if rt.Kind == bytecode.TTuple {
			gf, ok = order[i], true
		}
		if !ok {
			return fmt.Errorf("%s has no field for %s of %s", t, f.Name, rt.Name)
		}
		codec, err := b.Codec(gf.Type, f.Type)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
		members = append(members, member{codec, f, gf.Offset})
	}
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
		enter(c)
		obj := c.NewStruct(id)
		c.Pin(obj.Object())
		for i := range members {
			m := &members[i]
			obj.Set(i, m.codec.put(c, unsafe.Add(p, m.at)))
		}
		c.Unpin()
		leave(c)
		return obj.Value()
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		enter(c)
		obj := c.NotNil(v)
		for i := range members {
			m := &members[i]
			m.codec.get(c, vm.Field(obj, m.field), unsafe.Add(p, m.at))
		}
		leave(c)
	}
	return nil
}

// timeCodec moves the Time of module time, which has nanoseconds since 1970 and
// the offset of its zone in seconds.
func timeCodec(c *Codec, rt *bytecode.Type, id uint32) error {
	if rt.Name != "Time" || len(rt.Fields) != 2 || rt.Fields[0].Type != bytecode.IDInt || rt.Fields[1].Type != bytecode.IDInt {
		return mismatch(timeType, rt)
	}
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
		t := *(*time.Time)(p)
		if y := t.Year(); y < 1678 || y > 2261 {
			c.Throw(vm.ErrValue, "the time %s does not fit: a Time is from 1678 to 2261", t.Format(time.RFC3339))
		}
		_, offset := t.Zone()
		obj := c.NewStruct(id)
		obj.Set(0, vm.IntValue(t.UnixNano()))
		obj.Set(1, vm.IntValue(int64(offset)))
		return obj.Value()
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		obj := c.NotNil(v)
		t := time.Unix(0, vm.Field(obj, &rt.Fields[0]).Int()).UTC()
		if offset := vm.Field(obj, &rt.Fields[1]).Int(); offset != 0 && offset > -86400 && offset < 86400 {
			t = t.In(time.FixedZone("", int(offset)))
		}
		*(*time.Time)(p) = t
	}
	return nil
}

// Variant is a value of an enum whose variants have data.
type Variant struct {
	Name   string
	Values []any
}

func (b *Table) enum(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	tag := func(c *vm.Call, name string) int {
		for i := range rt.Variants {
			if rt.Variants[i].Name == name {
				return i
			}
		}
		c.Throw(vm.ErrValue, "%s has no variant %s", rt.Name, vm.Quote(name))
		return 0
	}
	check := func(c *vm.Call, i int64) int {
		if i < 0 || i >= int64(len(rt.Variants)) {
			c.Throw(vm.ErrValue, "%s has no variant number %d", rt.Name, i)
		}
		return int(i)
	}
	switch {
	case rt.Plain() && t.Kind() == reflect.String:
		c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value { return vm.IntValue(int64(tag(c, *(*string)(p)))) }
		c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
			*(*string)(p) = rt.Variants[check(c, v.Int())].Name
		}
	case rt.Plain() && t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		if last := int64(len(rt.Variants) - 1); t.Kind() <= reflect.Int64 && reflect.Zero(t).OverflowInt(last) || t.Kind() > reflect.Int64 && reflect.Zero(t).OverflowUint(uint64(last)) {
			return fmt.Errorf("%w: it has too few numbers for %d variants", mismatch(t, rt), last+1)
		}
		c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
			x := reflect.NewAt(t, p).Elem().Convert(reflect.TypeFor[int64]()).Int()
			return vm.IntValue(int64(check(c, x)))
		}
		c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
			reflect.NewAt(t, p).Elem().Set(reflect.ValueOf(check(c, v.Int())).Convert(t))
		}
	case t == variantType:
		c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value { return b.putVariant(c, id, tag, (*Variant)(p)) }
		c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) { *(*Variant)(p) = b.getVariant(c, id, v) }
	default:
		return fmt.Errorf("%w: an enum is a string or an integer type, or a Variant", mismatch(t, rt))
	}
	return nil
}

func (b *Table) putVariant(c *vm.Call, id uint32, tag func(*vm.Call, string) int, x *Variant) vm.Value {
	rt := &b.types[id]
	i := tag(c, x.Name)
	if rt.Plain() {
		return vm.IntValue(int64(i))
	}
	fields := rt.Variants[i].Fields
	if len(x.Values) != len(fields) {
		c.Throw(vm.ErrValue, "%s.%s has %d values, %d given", rt.Name, x.Name, len(fields), len(x.Values))
	}
	enter(c)
	obj := c.NewVariant(id, i)
	c.Pin(obj.Object())
	for k := range fields {
		obj.Set(k, b.putAny(c, fields[k].Type, x.Values[k]))
	}
	c.Unpin()
	leave(c)
	return obj.Value()
}

func (b *Table) getVariant(c *vm.Call, id uint32, v vm.Value) Variant {
	rt := &b.types[id]
	if rt.Plain() {
		return Variant{Name: rt.Variants[max(0, min(int(v.Int()), len(rt.Variants)-1))].Name}
	}
	obj := c.NotNil(v)
	tag := vm.Tag(obj)
	if tag >= len(rt.Variants) {
		c.Throw(vm.ErrRace, "a value was changed by another task while it was read")
	}
	enter(c)
	x := Variant{Name: rt.Variants[tag].Name}
	if fields := rt.Variants[tag].Fields; len(fields) > 0 {
		inGo(c, block+anySize*uintptr(len(fields)))
		x.Values = make([]any, len(fields))
		for k := range fields {
			x.Values[k] = b.getAny(c, fields[k].Type, vm.Field(obj, &fields[k]))
		}
	}
	leave(c)
	return x
}
