package json

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// decoder builds values straight from the text, directed by the runtime type
// that is wanted.
type decoder struct {
	c      *vm.Call
	types  []bytecode.Type
	text   string
	pos    int
	depth  int
	values int         // that have begun
	buf    []byte      // for strings with escapes
	keys   [64]*vm.Str // recent keys of maps: objects in an array mostly have the same
	// The types that arrays and objects have inside an any.
	object, array uint32
	from          *origin
	missing       vm.FieldDefaults
}

// origin is where a text comes from: JSON itself, or another notation that has
// been rewritten as JSON.
type origin struct {
	format string // its name in messages
	place  func(text string, pos int) string
	// nonFinite lets infinity and nan stand for the floats that JSON lacks.
	nonFinite bool
	// str: the text is a str, so that whatever is cut from it is UTF-8.
	str bool
}

var jsonText = &origin{format: "json", place: place, str: true}

// fail throws the error of a text that does not fit.
func (d *decoder) fail(pos int, format string, args ...any) {
	err := errAt(pos, format, args...)
	d.c.Throw(vm.ErrValue, "%s: %s at %s", d.from.format, err.text, d.from.place(d.text, pos))
}

func (d *decoder) check(err *syntaxError) {
	if err != nil {
		d.fail(err.pos, "%s", err.text)
	}
}

func (d *decoder) typ(id uint32) *bytecode.Type { return &d.types[id] }

func (d *decoder) space() { d.pos = skipSpace(d.text, d.pos) }

// peek returns the next byte, 0 at the end.
func (d *decoder) peek() byte {
	if d.pos < len(d.text) {
		return d.text[d.pos]
	}
	return 0
}

// document reads the whole text as one value. Where that is a struct, fields
// that are missing come from defaults, if it is not nil.
func (d *decoder) document(id uint32, defaults vm.Object) vm.Value {
	d.space()
	var v vm.Value
	if t := d.typ(id); t.Kind == bytecode.TStruct {
		v = d.structure(id, t, defaults)
	} else {
		v = d.value(id)
	}
	d.space()
	if d.pos < len(d.text) {
		d.fail(d.pos, "expected the end of the text, found %s", found(d.text, d.pos))
	}
	return v
}

func (d *decoder) expected(wanted string) {
	d.fail(d.pos, "expected %s, found %s", wanted, found(d.text, d.pos))
}

// value reads a value of a type; d.pos is at its first byte.
func (d *decoder) value(id uint32) vm.Value {
	if d.values++; d.values%1024 == 0 {
		d.c.Heed()
	}
	t := d.typ(id)
	switch t.Kind {
	case bytecode.TInt:
		return vm.IntValue(d.int(t))
	case bytecode.TFloat:
		return vm.FloatValue(d.float(t))
	case bytecode.TBool:
		return vm.BoolValue(d.bool(t))
	case bytecode.TStr:
		if d.peek() != '"' {
			d.expected(t.Name)
		}
		return d.newStr(d.string()).Value()
	case bytecode.TStruct:
		return d.structure(id, t, vm.Object{})
	case bytecode.TList:
		return d.list(id, t)
	case bytecode.TOptional:
		if d.word("null") {
			return vm.Value{}
		}
		return d.c.Some(id, d.value(t.Elem))
	case bytecode.TMap:
		return d.mapping(id, t)
	case bytecode.TAny:
		return d.any()
	case bytecode.TTuple:
		obj := d.c.NewStruct(id)
		d.fieldsInOrder(&obj, t.Name)
		return obj.Value()
	case bytecode.TEnum:
		return d.enum(id, t)
	case bytecode.TSet:
		return d.set(id, t)
	case bytecode.TDuration:
		return vm.IntValue(d.duration(t))
	case bytecode.TBytes:
		return d.bytes(t)
	case bytecode.TUnit:
		if !d.word("null") {
			d.expected(t.Name)
		}
		return vm.Value{}
	}
	d.c.Throw(vm.ErrValue, "%s: a value of type %s cannot be decoded", d.from.format, t.Name)
	return vm.Value{}
}

// word steps over a word if it comes next.
func (d *decoder) word(w string) bool {
	if !strings.HasPrefix(d.text[d.pos:], w) {
		return false
	}
	d.pos += len(w)
	return true
}

func (d *decoder) bool(t *bytecode.Type) bool {
	if d.word("true") {
		return true
	}
	if !d.word("false") {
		d.expected(t.Name)
	}
	return false
}

// number reads a number and gives its text.
func (d *decoder) number(t *bytecode.Type) (text string, whole bool) {
	if c := d.peek(); c != '-' && !isDigit(c) {
		d.expected(t.Name)
	}
	end, whole, err := number(d.text, d.pos)
	d.check(err)
	return d.text[d.pos:end], whole
}

func (d *decoder) int(t *bytecode.Type) int64 {
	text, whole := d.number(t)
	if !whole {
		d.fail(d.pos, "expected %s, found %s", t.Name, vm.Brief(text))
	}
	n, ok := parseInt(text)
	if !ok {
		d.fail(d.pos, "%s does not fit an int", vm.Brief(text))
	}
	d.pos += len(text)
	return n
}

// parseInt reads the text of a whole number.
func parseInt(text string) (int64, bool) {
	if len(text) > 18 {
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	}
	n, negative := int64(0), text[0] == '-'
	if negative {
		text = text[1:]
	}
	for _, c := range []byte(text) {
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

func (d *decoder) float(t *bytecode.Type) float64 {
	text, whole := d.number(t)
	f, ok := parseFloat(text, whole)
	if d.from.nonFinite {
		f, ok = parseNonFinite(text, f)
	}
	if !ok {
		d.fail(d.pos, "%s does not fit a float", vm.Brief(text))
	}
	d.pos += len(text)
	return f
}

func parseFloat(text string, whole bool) (float64, bool) {
	if whole && len(text) <= 15 && text[0] != '-' {
		n, _ := parseInt(text)
		return float64(n), true
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// string reads a string. The result is valid until the next call.
func (d *decoder) string() string {
	start := d.pos + 1
	end, err := plainString(d.text, start)
	d.check(err)
	if d.text[end] == '"' {
		d.pos = end + 1
		return d.text[start:end]
	}
	d.buf, d.pos, err = escapedString(d.buf[:0], d.text, start)
	d.check(err)
	return vm.TextView(d.buf)
}

func (d *decoder) duration(t *bytecode.Type) int64 {
	if d.peek() != '"' {
		if c := d.peek(); c != '-' && !isDigit(c) {
			d.expected(t.Name)
		}
		return d.int(t)
	}
	start := d.pos
	text := d.string()
	v, ok := vm.ParseDuration(text)
	if !ok {
		d.fail(start, "%s is not a duration", vm.Quote(text))
	}
	return v
}

func (d *decoder) bytes(t *bytecode.Type) vm.Value {
	if d.peek() != '"' {
		d.expected(t.Name)
	}
	start := d.pos
	text := d.string()
	d.c.Charge(base64.StdEncoding.DecodedLen(len(text)))
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		d.fail(start, "the string is no base64")
	}
	return d.c.NewBytes(vm.TextView(data)).Value()
}

// ---- arrays and objects ----

// open steps into an array or object; first is false where it is empty, and
// then it has been left again.
func (d *decoder) open(wanted string, opening, closing byte) (first bool) {
	if d.peek() != opening {
		d.expected(wanted)
	}
	if d.depth++; d.depth > maxDepth {
		d.fail(d.pos, "nested deeper than %d levels", maxDepth)
	}
	d.pos = skipSpace(d.text, d.pos+1)
	if d.peek() == closing {
		d.pos++
		d.depth--
		return false
	}
	return true
}

// more steps over the comma between two elements; false after the last one,
// when the array or object has been left.
func (d *decoder) more(closing byte) bool {
	next, more, err := afterElement(d.text, d.pos, closing)
	d.check(err)
	d.pos = next
	if !more {
		d.depth--
	}
	return more
}

// key reads an object's key and the colon. The result is valid until the next string is read.
func (d *decoder) key() string {
	if d.peek() != '"' {
		d.fail(d.pos, "expected a key in quotes, found %s", found(d.text, d.pos))
	}
	key := d.string()
	next, err := afterKey(d.text, d.pos)
	d.check(err)
	d.pos = next
	return key
}

func (d *decoder) list(id uint32, t *bytecode.Type) vm.Value {
	more := d.open(t.Name, '[', ']')
	w := d.c.NewList(id, 0)
	d.c.Pin(w.Object())
	for more {
		w.Push(d.value(t.Elem))
		more = d.more(']')
	}
	d.c.Unpin()
	return w.Value()
}

// structure reads an object as a struct. Fields that are missing come from
// defaults, a struct of the same type, if it is not nil.
func (d *decoder) structure(id uint32, t *bytecode.Type, defaults vm.Object) vm.Value {
	start := d.pos
	more := d.open(t.Name, '{', '}')
	obj := d.c.NewStruct(id)
	d.c.Pin(obj.Object())
	d.fieldsByName(obj, t.Name, defaults, start, more)
	d.c.Unpin()
	return obj.Value()
}

// fieldsByName reads an object's members into the fields of a struct or
// variant. Unknown keys are skipped; of two equal keys the last one counts.
func (d *decoder) fieldsByName(obj vm.StructWriter, owner string, defaults vm.Object, start int, more bool) {
	fields := obj.Fields()
	var seen [bytecode.MaxFieldOff/8/64 + 1]uint64 // one bit for each field
	next := 0                                      // the field that comes next where keys have the order of the fields
	for more {
		key := d.key()
		if next = findField(fields, key, next); next < 0 {
			pos, err := skipValue(d.text, d.pos, d.depth, looking(d.c, d.text))
			d.check(err)
			d.pos = pos
		} else {
			v := d.field(&fields[next], defaults)
			obj.Set(next, v)
			seen[next/64] |= 1 << (next % 64)
		}
		next++
		more = d.more('}')
	}
	for i := range fields {
		if seen[i/64]&(1<<(i%64)) != 0 {
			continue
		}
		if !defaults.None() {
			obj.Set(i, vm.Field(defaults, &fields[i]))
		} else {
			d.lacks(&obj, i, owner, start)
		}
	}
}

// field reads the value of a field, which may be a struct that has defaults itself.
func (d *decoder) field(f *bytecode.Field, defaults vm.Object) vm.Value {
	if !defaults.None() {
		if t := d.typ(f.Type); t.Kind == bytecode.TStruct {
			return d.structure(f.Type, t, vm.Field(defaults, f).Object())
		}
	}
	return d.value(f.Type)
}

func findField(fields []bytecode.Field, key string, guess int) int {
	if guess < len(fields) && fields[guess].Name == key {
		return guess
	}
	for i := range fields {
		if fields[i].Name == key {
			return i
		}
	}
	return -1
}

// lacks sets a field that the text does not have to its default, or to none, if it can be.
func (d *decoder) lacks(obj *vm.StructWriter, i int, owner string, start int) {
	if d.missing.Set(obj, i) {
		return
	}
	switch f := &obj.Fields()[i]; d.typ(f.Type).Kind {
	case bytecode.TOptional: // zero is none
	case bytecode.TAny:
		obj.Set(i, vm.BoxNone())
	default:
		d.fail(start, "the field %s of %s is missing", f.Name, owner)
	}
}

// fieldsInOrder reads an array with exactly one element for each field.
func (d *decoder) fieldsInOrder(obj *vm.StructWriter, owner string) {
	start, fields := d.pos, obj.Fields()
	more := d.open(owner, '[', ']')
	d.c.Pin(obj.Object())
	i := 0
	for ; more; i++ {
		if i >= len(fields) {
			d.fail(d.pos, "%s has only %d elements", owner, len(fields))
		}
		obj.Set(i, d.value(fields[i].Type))
		more = d.more(']')
	}
	if i < len(fields) {
		d.fail(start, "%s has %d elements, found %d", owner, len(fields), i)
	}
	d.c.Unpin()
}

func (d *decoder) mapping(id uint32, t *bytecode.Type) vm.Value {
	more := d.open(t.Name, '{', '}')
	m := d.c.NewMap(id)
	d.c.Pin(m.Object())
	for more {
		start := d.pos
		key := d.mapKey(t.Key, d.key(), start)
		d.c.MapSet(m, key, d.value(t.Elem))
		more = d.more('}')
	}
	d.c.Unpin()
	return m.Value()
}

// mapKey makes a map's key from an object's.
func (d *decoder) mapKey(id uint32, text string, pos int) vm.Value {
	t := d.typ(id)
	switch {
	case t.Kind == bytecode.TStr:
		return d.keyStr(text).Value()
	case t.Kind == bytecode.TInt:
		if n, err := vm.ParseInt(text, 10); err == nil {
			return vm.IntValue(n)
		}
		d.fail(pos, "the key %s is no int", vm.Quote(text))
	case t.Kind == bytecode.TEnum && t.Plain():
		for tag := range t.Variants {
			if t.Variants[tag].Name == text {
				return vm.IntValue(int64(tag))
			}
		}
		d.fail(pos, "the key %s is no %s", vm.Quote(text), t.Name)
	}
	d.c.Throw(vm.ErrValue, "%s: a map with keys of type %s cannot be decoded", d.from.format, t.Name)
	return vm.Value{}
}

func (d *decoder) newStr(text string) *vm.Str {
	if !d.from.str {
		return d.c.NewStr(text)
	}
	s, b := d.c.AllocStr(len(text))
	copy(b, text)
	return s
}

// keyStr makes the str of a key, or finds it among recent ones.
func (d *decoder) keyStr(text string) *vm.Str {
	if text == "" {
		return d.newStr(text)
	}
	slot := &d.keys[(len(text)*7+int(text[0])*3+int(text[len(text)-1]))%len(d.keys)]
	if *slot == nil || (*slot).String() != text {
		*slot = d.newStr(text)
	}
	return *slot
}

func (d *decoder) set(id uint32, t *bytecode.Type) vm.Value {
	more := d.open(t.Name, '[', ']')
	m := d.c.NewMap(id)
	d.c.Pin(m.Object())
	for more {
		if key := d.value(t.Key); !d.missing.Holes() {
			d.c.MapSet(m, key, vm.Value{})
		}
		more = d.more(']')
	}
	d.c.Unpin()
	return m.Value()
}

// enum reads a variant: its name, or where it has fields an object whose one
// key is the name and whose value holds the fields, by name or in order.
func (d *decoder) enum(id uint32, t *bytecode.Type) vm.Value {
	start := d.pos
	if d.peek() == '"' {
		tag := d.variant(t, d.string(), start)
		if len(t.Variants[tag].Fields) > 0 {
			d.fail(start, "the variant %s of %s has fields: expected an object", t.Variants[tag].Name, t.Name)
		}
		if t.Plain() {
			return vm.IntValue(int64(tag))
		}
		v := d.c.NewVariant(id, tag)
		return v.Value()
	}
	if t.Plain() {
		d.expected(t.Name)
	}
	if !d.open(t.Name, '{', '}') {
		d.fail(start, "expected the name of a variant of %s", t.Name)
	}
	keyPos := d.pos
	tag := d.variant(t, d.key(), keyPos)
	v := &t.Variants[tag]
	if len(v.Fields) == 0 {
		d.fail(keyPos, "the variant %s of %s has no fields: expected a string", v.Name, t.Name)
	}
	obj := d.c.NewVariant(id, tag)
	owner := t.Name + "." + v.Name
	if v.Fields[0].Name == "" {
		d.fieldsInOrder(&obj, owner)
	} else {
		inner := d.pos
		more := d.open(owner, '{', '}')
		d.c.Pin(obj.Object())
		d.fieldsByName(obj, owner, vm.Object{}, inner, more)
		d.c.Unpin()
	}
	if d.more('}') {
		d.fail(d.pos, "a value of %s has only one variant", t.Name)
	}
	return obj.Value()
}

func (d *decoder) variant(t *bytecode.Type, name string, pos int) int {
	for tag := range t.Variants {
		if t.Variants[tag].Name == name {
			return tag
		}
	}
	d.fail(pos, "%s has no variant %s", t.Name, vm.Quote(name))
	return 0
}

// any reads a value of whatever type the text has.
func (d *decoder) any() vm.Value {
	switch c := d.peek(); c {
	case '"':
		return d.newStr(d.string()).Value()
	case '{':
		return d.mapping(d.object, d.typ(d.object))
	case '[':
		return d.list(d.array, d.typ(d.array))
	case 't', 'f':
		if d.word("true") {
			return vm.BoxBool(true)
		}
		if d.word("false") {
			return vm.BoxBool(false)
		}
	case 'n':
		if d.word("null") {
			return vm.BoxNone()
		}
	default:
		if c == '-' || isDigit(c) {
			return d.anyNumber()
		}
	}
	d.fail(d.pos, "expected a value, found %s", found(d.text, d.pos))
	return vm.Value{}
}

// anyNumber returns an int for a whole number that fits one, else a float.
func (d *decoder) anyNumber() vm.Value {
	end, whole, err := number(d.text, d.pos)
	d.check(err)
	text := d.text[d.pos:end]
	if whole && text != "-0" {
		if n, ok := parseInt(text); ok {
			d.pos = end
			return vm.BoxInt(n)
		}
	}
	f, ok := parseFloat(text, whole)
	if d.from.nonFinite {
		f, ok = parseNonFinite(text, f)
	}
	if !ok {
		d.fail(d.pos, "%s does not fit a float", vm.Brief(text))
	}
	d.pos = end
	return vm.BoxFloat(f)
}
