package json

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// encoder writes values, directed by their runtime types.
type encoder struct {
	c      *vm.Call
	types  []bytecode.Type
	buf    []byte
	indent int // spaces for each level; 0 writes one line
	path   []vm.Object
	values int // that have begun
	from   *origin
}

// encoders are reused with their buffers up to a size, which are not charged
// to any script; larger buffers are.
var encoders = sync.Pool{New: func() any { return &encoder{buf: make([]byte, 0, 1<<10)} }}

const pooledBuffer = 1 << 20

// encode writes a value whose static type is id, and gives what done makes of the text.
func encode[T any](c *vm.Call, id uint32, v vm.Value, indent int, from *origin, done func(text []byte) T) T {
	e := encoders.Get().(*encoder)
	e.c, e.types, e.indent, e.from = c, c.Types(), indent, from
	e.value(id, v)
	result := done(e.buf)
	if cap(e.buf) <= pooledBuffer {
		e.c, e.types, e.buf = nil, nil, e.buf[:0]
		clear(e.path[:cap(e.path)])
		encoders.Put(e)
	}
	return result
}

// room makes sure that n bytes can be appended.
func (e *encoder) room(n int) {
	if cap(e.buf)-len(e.buf) < n {
		e.grow(n)
	}
}

// grow charges for the memory before it allocates, and for the work to fill it.
func (e *encoder) grow(n int) {
	more := max(n, cap(e.buf))
	e.c.ChargeObject(len(e.buf) + more)
	e.c.Steps(more / bytesPerStep)
	e.buf = slices.Grow(e.buf, more)
}

func (e *encoder) fail(format string, args ...any) {
	err := errAt(0, format, args...)
	where := ""
	if path := pathAt(string(e.buf), len(e.buf)); path != "" {
		where = " at " + path
	}
	e.c.Throw(vm.ErrValue, "%s: %s%s", e.from.format, err.text, where)
}

func (e *encoder) typ(id uint32) *bytecode.Type { return &e.types[id] }

// scalarRoom is more than any scalar needs.
const scalarRoom = 40

// value writes a value whose static type is id.
func (e *encoder) value(id uint32, v vm.Value) {
	if e.values++; e.values%1024 == 0 {
		e.c.Heed()
	}
	e.room(scalarRoom)
	t := e.typ(id)
	switch t.Kind {
	case bytecode.TInt:
		e.buf = strconv.AppendInt(e.buf, v.Int(), 10)
	case bytecode.TFloat:
		e.float(v.Float())
	case bytecode.TBool:
		e.buf = strconv.AppendBool(e.buf, v.Bool())
	case bytecode.TDuration:
		e.buf = append(e.buf, '"')
		e.buf = append(e.buf, time.Duration(v.Int()).String()...)
		e.buf = append(e.buf, '"')
	case bytecode.TUnit, bytecode.TNone:
		e.null()
	case bytecode.TOptional:
		if inner, ok := vm.Unwrap(t, e.typ(t.Elem), v); ok {
			e.value(t.Elem, inner)
		} else {
			e.null()
		}
	case bytecode.TAny, bytecode.TInterface:
		e.value(v.TypeID(), v)
	case bytecode.TEnum:
		if t.Plain() {
			e.quote(e.variant(t, v.Int()).Name)
			return
		}
		e.enum(t, e.c.NotNil(v))
	default:
		e.object(t, e.c.NotNil(v))
	}
}

// object writes a value that lives on the heap.
func (e *encoder) object(t *bytecode.Type, p vm.Object) {
	switch t.Kind {
	case bytecode.TStr:
		e.quote(e.c.Text(p.Value()))
		return
	case bytecode.TBytes:
		data := []byte(e.c.Text(p.Value()))
		e.room(2 + base64.StdEncoding.EncodedLen(len(data)))
		e.buf = append(e.buf, '"')
		e.buf = base64.StdEncoding.AppendEncode(e.buf, data)
		e.buf = append(e.buf, '"')
		return
	}
	e.enter(p)
	switch t.Kind {
	case bytecode.TStruct:
		e.fieldsByName(p, t.Fields)
	case bytecode.TList:
		e.list(t, e.c.ListOf(p.Value()))
	case bytecode.TMap:
		e.mapping(t, e.c.MapOf(p.Value()))
	case bytecode.TSet:
		e.set(t, e.c.MapOf(p.Value()))
	case bytecode.TTuple:
		e.fieldsInOrder(p, t.Fields)
	default:
		e.c.Throw(vm.ErrValue, "%s: a value of type %s cannot be encoded", e.from.format, t.Name)
	}
	e.leave()
}

// enter notes that the value at p is being written (none: the object around a
// variant), and refuses cycles.
func (e *encoder) enter(p vm.Object) {
	if len(e.path) >= maxDepth {
		if !p.None() && slices.Contains(e.path, p) {
			e.c.Throw(vm.ErrValue, "%s: a value contains itself", e.from.format)
		}
		e.c.Throw(vm.ErrValue, "%s: nested deeper than %d levels", e.from.format, maxDepth)
	}
	e.path = append(e.path, p)
}

func (e *encoder) leave() { e.path = e.path[:len(e.path)-1] }

func (e *encoder) null() { e.buf = append(e.buf, "null"...) }

// float writes the shortest text that reads back as f, with a point or an
// exponent, so that it stays a float.
func (e *encoder) float(f float64) {
	if finite := !math.IsNaN(f) && !math.IsInf(f, 0); finite {
		e.buf = AppendFloat(e.buf, f)
	} else if e.from.nonFinite {
		e.buf = appendNonFinite(e.buf, f)
	} else {
		e.fail("%s has no JSON form", nonFiniteNames[string(appendNonFinite(nil, f))])
	}
}

// AppendFloat writes a finite float: the shortest text that reads back, which
// cannot be taken for a whole number.
func AppendFloat(b []byte, f float64) []byte {
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.AppendFloat(b, f, 'e', -1, 64)
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'f', -1, 64)
	if slices.Index(b[start:], '.') < 0 {
		b = append(b, ".0"...)
	}
	return b
}

// escaped tells which bytes of a string cannot stand for themselves.
var escaped = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// quote writes a string.
func (e *encoder) quote(s string) {
	e.room(len(s) + 2)
	e.buf = append(e.buf, '"')
	plain := 0 // start of what needs no escape
	for i := 0; i < len(s); i++ {
		if c := s[i]; escaped[c] {
			e.buf = append(e.buf, s[plain:i]...)
			e.room(len(s) - i + 8)
			e.escape(c)
			plain = i + 1
		}
	}
	e.buf = append(e.buf, s[plain:]...)
	e.buf = append(e.buf, '"')
}

func (e *encoder) escape(c byte) {
	switch c {
	case '"', '\\':
		e.buf = append(e.buf, '\\', c)
	case '\n':
		e.buf = append(e.buf, `\n`...)
	case '\t':
		e.buf = append(e.buf, `\t`...)
	case '\r':
		e.buf = append(e.buf, `\r`...)
	case '\b':
		e.buf = append(e.buf, `\b`...)
	case '\f':
		e.buf = append(e.buf, `\f`...)
	default:
		const hex = "0123456789abcdef"
		e.buf = append(e.buf, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}

// element starts the next element of an array or object; first is the number
// of those before it.
func (e *encoder) element(before int) {
	if before > 0 {
		e.buf = append(e.buf, ',')
	}
	if e.indent > 0 {
		e.newline(len(e.path))
	}
}

// end closes an array or object of n elements.
func (e *encoder) end(n int, closing byte) {
	e.room(1)
	if n > 0 && e.indent > 0 {
		e.newline(len(e.path) - 1)
	}
	e.buf = append(e.buf, closing)
}

func (e *encoder) newline(level int) {
	e.room(scalarRoom + level*e.indent)
	e.buf = append(e.buf, '\n')
	for range level * e.indent {
		e.buf = append(e.buf, ' ')
	}
}

func (e *encoder) colon() {
	e.buf = append(e.buf, ':')
	if e.indent > 0 {
		e.buf = append(e.buf, ' ')
	}
}

func (e *encoder) list(t *bytecode.Type, l *vm.List) {
	e.buf = append(e.buf, '[')
	r := e.c.ReadList(l)
	for i := range r.Len() {
		e.room(scalarRoom)
		e.element(i)
		e.value(t.Elem, r.At(i))
	}
	e.end(r.Len(), ']')
}

func (e *encoder) fieldsByName(p vm.Object, fields []bytecode.Field) {
	e.buf = append(e.buf, '{')
	for i := range fields {
		f := &fields[i]
		e.room(scalarRoom + len(f.Name))
		e.element(i)
		e.buf = append(e.buf, '"')
		e.buf = append(e.buf, f.Name...)
		e.buf = append(e.buf, '"')
		e.colon()
		e.value(f.Type, vm.Field(p, f))
	}
	e.end(len(fields), '}')
}

func (e *encoder) fieldsInOrder(p vm.Object, fields []bytecode.Field) {
	e.buf = append(e.buf, '[')
	for i := range fields {
		e.room(scalarRoom)
		e.element(i)
		e.value(fields[i].Type, vm.Field(p, &fields[i]))
	}
	e.end(len(fields), ']')
}

func (e *encoder) mapping(t *bytecode.Type, m *vm.Map) {
	e.buf = append(e.buf, '{')
	n := 0
	for pos := 0; ; n++ {
		next, key, v, ok := e.c.MapNext(m, pos)
		if !ok {
			break
		}
		pos = next
		e.room(scalarRoom)
		e.element(n)
		e.key(e.typ(t.Key), key)
		e.colon()
		e.value(t.Elem, v)
	}
	e.end(n, '}')
}

func (e *encoder) key(t *bytecode.Type, key vm.Value) {
	switch {
	case t.Kind == bytecode.TStr:
		e.quote(e.c.Text(key))
	case t.Kind == bytecode.TInt:
		e.buf = append(e.buf, '"')
		e.buf = strconv.AppendInt(e.buf, key.Int(), 10)
		e.buf = append(e.buf, '"')
	case t.Kind == bytecode.TEnum && t.Plain():
		e.quote(e.variant(t, key.Int()).Name)
	default:
		e.c.Throw(vm.ErrValue, "%s: a map with keys of type %s cannot be encoded", e.from.format, t.Name)
	}
	e.room(scalarRoom)
}

func (e *encoder) set(t *bytecode.Type, m *vm.Map) {
	e.buf = append(e.buf, '[')
	n := 0
	for pos := 0; ; n++ {
		next, v, _, ok := e.c.MapNext(m, pos)
		if !ok {
			break
		}
		pos = next
		e.room(scalarRoom)
		e.element(n)
		e.value(t.Key, v)
	}
	e.end(n, ']')
}

// variant returns the variant of a tag; one that is out of range was left by a race.
func (e *encoder) variant(t *bytecode.Type, tag int64) *bytecode.Variant {
	if uint64(tag) >= uint64(len(t.Variants)) {
		e.c.NotNil(vm.Value{})
	}
	return &t.Variants[tag]
}

// enum writes a variant: its name, and where it has fields an object that
// holds them under the name.
func (e *encoder) enum(t *bytecode.Type, p vm.Object) {
	v := e.variant(t, int64(vm.Tag(p)))
	if len(v.Fields) == 0 {
		e.quote(v.Name)
		return
	}
	e.enter(vm.Object{})
	e.room(scalarRoom)
	e.buf = append(e.buf, '{')
	e.element(0)
	e.quote(v.Name)
	e.room(scalarRoom)
	e.colon()
	e.enter(p)
	if v.Fields[0].Name == "" {
		e.fieldsInOrder(p, v.Fields)
	} else {
		e.fieldsByName(p, v.Fields)
	}
	e.leave()
	e.end(1, '}')
	e.leave()
}
