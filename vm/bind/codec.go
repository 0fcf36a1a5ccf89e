// Package bind converts between Go values and values of a program. The relation
// between a Go type and a Runnel type is determined once, in a Codec, which
// then moves values without inspecting types again.
//
//	| Runnel             | Go                                                    |
//	|--------------------|-------------------------------------------------------|
//	| int                | int, int8 to int64, uint to uint64: values must fit   |
//	| float              | float64, float32                                      |
//	| bool, str, bytes   | bool, string, []byte                                  |
//	| duration           | time.Duration                                         |
//	| T?                 | *T; nil is none                                       |
//	| [T]                | []T                                                   |
//	| map<K, V>, set<K>  | map[K]V, map[K]struct{}                               |
//	| struct             | struct, by the names of the fields; time.Time         |
//	| tuple              | struct, by the order of the fields                    |
//	| enum without data  | string or an integer type                             |
//	| enum with data     | Variant                                               |
//	| native struct      | the Go type in it                                     |
//	| fn                 | func                                                  |
//	| chan<T>            | *Chan[T]                                              |
//	| any of these       | any                                                   |
package bind

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Codec converts values of a Go type, given by address, to and from values of a
// Runnel type. put and get panic as natives do, with what vm.Call.Throw throws.
type Codec struct {
	put func(c *vm.Call, p unsafe.Pointer) vm.Value
	get func(c *vm.Call, v vm.Value, p unsafe.Pointer)
	// kind of those types that Scalar and the like convert in place.
	kind kind
}

type kind uint8

const (
	kindOther kind = iota
	kindInt        // of 64 bits
	kindFloat      // of 64 bits
	kindBool
	kindStr
)

// Table makes the codecs of a program.
type Table struct {
	prog  *vm.Program
	types []bytecode.Type
	made  map[pair]*Codec
	order []pair // in which they were begun
	// The types that an any holds lists and maps as, 0 where the program has none.
	list, object uint32
	// The types that hosts' modules have declared for types of Go.
	hosts map[reflect.Type]uint32
	// What is in the native structs that hosts' modules declare, by name.
	handles map[string][]reflect.Type
	own     own // see Own
}

type pair struct {
	t  reflect.Type
	id uint32
}

// NewTable makes an empty table.
func NewTable(prog *vm.Program) *Table {
	b := &Table{prog: prog, types: prog.Types, made: map[pair]*Codec{}, hosts: map[reflect.Type]uint32{}, handles: map[string][]reflect.Type{}}
	names := map[string]reflect.Type{}
	for _, m := range prog.Modules() {
		if ds, ok := m.Extension.(*declared); ok {
			for t, name := range ds.names {
				names[name] = t
				if t.Kind() != reflect.Struct {
					b.handles[name] = append(b.handles[name], t)
				}
			}
		}
	}
	for id := range b.types {
		switch t := &b.types[id]; {
		case t.Kind == bytecode.TList && t.Elem == bytecode.IDAny:
			b.list = uint32(id)
		case t.Kind == bytecode.TMap && t.Key == bytecode.IDStr && t.Elem == bytecode.IDAny:
			b.object = uint32(id)
		case t.Kind == bytecode.TStruct || t.Kind == bytecode.TNative:
			if host, ok := names[t.Name]; ok {
				if _, twice := b.hosts[host]; twice {
					delete(names, t.Name) // the script has one of that name too
					delete(b.hosts, host)
				} else {
					b.hosts[host] = uint32(id)
				}
			}
		}
	}
	b.adopt()
	return b
}

// maxDepth bounds how deep values are nested: deeper ones contain themselves.
const maxDepth = 1000

var (
	durationType = reflect.TypeFor[time.Duration]()
	timeType     = reflect.TypeFor[time.Time]()
	anyType      = reflect.TypeFor[any]()
	bytesType    = reflect.TypeFor[[]byte]()
	variantType  = reflect.TypeFor[Variant]()
	funcType     = reflect.TypeFor[*vm.Func]()
)

// Codec for a Go type and a Runnel type. The error tells why there is none.
func (b *Table) Codec(t reflect.Type, id uint32) (*Codec, error) {
	if c := b.made[pair{t, id}]; c != nil {
		return c, nil
	}
	c := &Codec{}
	b.made[pair{t, id}] = c // for types that contain themselves
	before := len(b.order)
	b.order = append(b.order, pair{t, id})
	if err := b.fill(c, t, id); err != nil {
		for _, p := range b.order[before:] { // what stands on it too
			delete(b.made, p)
		}
		b.order = b.order[:before]
		return nil, err
	}
	return c, nil
}

func mismatch(t reflect.Type, rt *bytecode.Type) error {
	return fmt.Errorf("%s is not a Go type for %s", t, rt.Name)
}

func (b *Table) fill(c *Codec, t reflect.Type, id uint32) error {
	rt := &b.types[id]
	if t == anyType {
		b.dynamic(c, id)
		return nil
	}
	if own, ok := reflect.Zero(t).Interface().(Own); ok {
		made, err := own.Codec(b, id)
		if err == nil {
			*c = *made
		}
		return err
	}
	switch rt.Kind {
	case bytecode.TInt:
		return intCodec(c, t, rt)
	case bytecode.TFloat:
		return floatCodec(c, t, rt)
	case bytecode.TDuration:
		if t != durationType {
			return mismatch(t, rt)
		}
		c.put = func(_ *vm.Call, p unsafe.Pointer) vm.Value { return vm.IntValue(*(*int64)(p)) }
		c.get = func(_ *vm.Call, v vm.Value, p unsafe.Pointer) { *(*int64)(p) = v.Int() }
		c.kind = kindInt
		return nil
	case bytecode.TBool:
		if t.Kind() != reflect.Bool {
			return mismatch(t, rt)
		}
		c.put = func(_ *vm.Call, p unsafe.Pointer) vm.Value { return vm.BoolValue(*(*bool)(p)) }
		c.get = func(_ *vm.Call, v vm.Value, p unsafe.Pointer) { *(*bool)(p) = v.Bool() }
		c.kind = kindBool
		return nil
	case bytecode.TStr:
		if t.Kind() != reflect.String {
			return mismatch(t, rt)
		}
		c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
			return c.NewStr(validText(c, *(*string)(p))).Value()
		}
		c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) { *(*string)(p) = text(c, v) }
		c.kind = kindStr
		return nil
	case bytecode.TBytes:
		if t != bytesType {
			return mismatch(t, rt)
		}
		c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value { return putBytes(c, *(*[]byte)(p)) }
		c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) { *(*[]byte)(p) = getBytes(c, v) }
		return nil
	case bytecode.TUnit:
		if t.Size() != 0 {
			return mismatch(t, rt)
		}
		c.put = func(*vm.Call, unsafe.Pointer) vm.Value { return vm.Value{} }
		c.get = func(*vm.Call, vm.Value, unsafe.Pointer) {}
		return nil
	case bytecode.TOptional:
		return b.optional(c, t, id)
	case bytecode.TList:
		return b.listOf(c, t, id)
	case bytecode.TMap:
		return b.mapOf(c, t, id)
	case bytecode.TSet:
		return b.setOf(c, t, id)
	case bytecode.TStruct, bytecode.TTuple:
		return b.structOf(c, t, id)
	case bytecode.TEnum:
		return b.enum(c, t, id)
	case bytecode.TNative:
		return b.native(c, t, id)
	case bytecode.TFunc:
		return b.function(c, t, id)
	case bytecode.TChan:
		return b.channel(c, t, id)
	}
	return mismatch(t, rt)
}

// text is the content of a str or bytes, which never changes.
func text(c *vm.Call, v vm.Value) string { return c.Text(v) }

// piece is how much of a text is moved without a look at limits.
const piece = 64 << 10

// validText is a text with what is not UTF-8 replaced.
func validText(c *vm.Call, s string) string {
	valid := 0
	for valid < len(s) {
		end := cut(s, valid)
		if c.Steps(bulk(end - valid)); !utf8.ValidString(s[valid:end]) {
			break
		}
		valid = end
	}
	if valid == len(s) {
		return s
	}
	const most = len("\uFFFD") // which one byte becomes
	c.ChargeObject(most * len(s))
	var b strings.Builder
	b.Grow(len(s))
	for at := 0; at < len(s); {
		end := cut(s, at)
		c.Steps(bulk(end - at))
		b.WriteString(strings.ToValidUTF8(s[at:end], "\uFFFD"))
		at = end
	}
	return b.String()
}

// cut returns the end of a piece of a text, which cuts no rune.
func cut(s string, at int) int {
	end := min(at+piece, len(s))
	for end < len(s) && end > at+piece-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return end
}

// bulk is what moving n bytes costs in steps.
func bulk(n int) int { return n/8 + 1 }

func putBytes(c *vm.Call, data []byte) vm.Value {
	c.Steps(bulk(len(data)))
	return c.NewBytes(unsafe.String(unsafe.SliceData(data), len(data))).Value()
}

func getBytes(c *vm.Call, v vm.Value) []byte {
	s := text(c, v)
	c.Steps(bulk(len(s)))
	c.ChargeObject(block + len(s))
	return []byte(s)
}

func intCodec(c *Codec, t reflect.Type, rt *bytecode.Type) error {
	if t == durationType {
		return mismatch(t, rt)
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		c.kind = kindInt
		c.put = func(_ *vm.Call, p unsafe.Pointer) vm.Value { return vm.IntValue(*(*int64)(p)) }
		c.get = func(_ *vm.Call, v vm.Value, p unsafe.Pointer) { *(*int64)(p) = v.Int() }
	case reflect.Int32:
		narrow[int32](c)
	case reflect.Int16:
		narrow[int16](c)
	case reflect.Int8:
		narrow[int8](c)
	case reflect.Uint, reflect.Uint64:
		narrow[uint64](c)
	case reflect.Uint32:
		narrow[uint32](c)
	case reflect.Uint16:
		narrow[uint16](c)
	case reflect.Uint8:
		narrow[uint8](c)
	default:
		return mismatch(t, rt)
	}
	return nil
}

// narrow converts integers of which not all fit.
func narrow[T int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8](c *Codec) {
	c.put = func(c *vm.Call, p unsafe.Pointer) vm.Value {
		x := *(*T)(p)
		if x > 0 && int64(x) < 0 {
			c.Throw(vm.ErrValue, "%d does not fit an int", x)
		}
		return vm.IntValue(int64(x))
	}
	c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
		x := T(v.Int())
		if int64(x) != v.Int() || (x < 0) != (v.Int() < 0) {
			c.Throw(vm.ErrValue, "%d does not fit Go's %T", v.Int(), x)
		}
		*(*T)(p) = x
	}
}

func floatCodec(c *Codec, t reflect.Type, rt *bytecode.Type) error {
	switch t.Kind() {
	case reflect.Float64:
		c.kind = kindFloat
		c.put = func(_ *vm.Call, p unsafe.Pointer) vm.Value { return vm.FloatValue(*(*float64)(p)) }
		c.get = func(_ *vm.Call, v vm.Value, p unsafe.Pointer) { *(*float64)(p) = v.Float() }
	case reflect.Float32:
		c.put = func(_ *vm.Call, p unsafe.Pointer) vm.Value { return vm.FloatValue(float64(*(*float32)(p))) }
		c.get = func(c *vm.Call, v vm.Value, p unsafe.Pointer) {
			f := v.Float()
			if math.Abs(f) > math.MaxFloat32 && !math.IsInf(f, 0) {
				c.Throw(vm.ErrValue, "%g does not fit Go's float32", f)
			}
			*(*float32)(p) = float32(f)
		}
	default:
		return mismatch(t, rt)
	}
	return nil
}
