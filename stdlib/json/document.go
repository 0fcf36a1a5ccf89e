package json

import (
	"math"
	"strconv"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Document rewrites a text in another notation as JSON, from which the values
// are decoded, so that all notations fit their values to types by one set of
// rules. What it holds is charged.
type Document struct {
	out    encoder
	from   origin
	counts []int // elements written of each array and object that is open
	keyed  bool  // a key has been written, its value comes next
	limit  int
}

// Step is one step on the way from a document to a value inside of it.
type Step struct {
	Key     string
	Index   int
	InArray bool // Index counts, else Key
}

// NewDocument starts a document in a format, which messages name. As JSON it
// has at most limit bytes. locate finds the line and column of a value.
func NewDocument(c *vm.Call, format string, limit int, locate func(path []Step) (line, column int)) *Document {
	d := &Document{limit: limit}
	d.from = origin{format: format, nonFinite: true, place: func(text string, pos int) string {
		levels := levelsAt(text, pos)
		line, column := locate(steps(levels))
		return lineColumnPath(line, column, join(levels))
	}}
	d.out = encoder{c: c, types: c.Types(), from: &d.from}
	return d
}

func steps(levels []level) []Step {
	var path []Step
	for _, l := range levels {
		if l.array || !l.keyNext {
			path = append(path, Step{l.key, l.index, l.array})
		}
	}
	return path
}

// Fail throws an error about the place where the document has arrived.
func (d *Document) Fail(format string, args ...any) {
	err := errAt(0, format, args...)
	d.out.c.Throw(vm.ErrValue, "%s: %s at %s", d.from.format, err.text, d.from.place(d.text(), len(d.out.buf)))
}

func (d *Document) text() string { return vm.TextView(d.out.buf) }

// next makes the buffer ready for a value.
func (d *Document) next() {
	if len(d.out.buf) > d.limit {
		d.Fail("the document is larger than %d bytes, written as JSON", d.limit)
	}
	d.out.room(scalarRoom)
	if n := len(d.counts); !d.keyed && n > 0 {
		d.out.element(d.counts[n-1])
		d.counts[n-1]++
	}
	d.keyed = false
}

// Key writes the key of the next value.
func (d *Document) Key(key string) {
	d.next()
	d.out.quote(key)
	d.out.room(scalarRoom)
	d.out.colon()
	d.keyed = true
}

// Open begins an array or object, by its opening bracket.
func (d *Document) Open(bracket byte) {
	d.next()
	if len(d.counts) >= maxDepth {
		d.Fail("nested deeper than %d levels", maxDepth)
	}
	d.out.buf = append(d.out.buf, bracket)
	d.counts = append(d.counts, 0)
}

// Close ends the innermost array or object, by its closing bracket.
func (d *Document) Close(bracket byte) {
	d.counts = d.counts[:len(d.counts)-1]
	d.out.end(0, bracket)
}

func (d *Document) Str(s string) {
	d.next()
	d.out.quote(s)
}

func (d *Document) Null() {
	d.next()
	d.out.null()
}

func (d *Document) Bool(b bool) {
	d.next()
	d.out.buf = strconv.AppendBool(d.out.buf, b)
}

func (d *Document) Int(n int64) {
	d.next()
	d.out.buf = strconv.AppendInt(d.out.buf, n, 10)
}

func (d *Document) Float(f float64) {
	d.next()
	d.out.float(f)
}

// Decode returns the document as the value that a native decode_as gives: see decodeAs.
func (d *Document) Decode() vm.Value { return decodeAs(d.out.c, d.text(), &d.from) }

// decodeAs decodes a text for a native with the signature of json.decode_as:
// `fn decode_as<T, Object, Array>(text: str, defaults: T?, fields: bytes, wanted: [int]?, made: [any]?) -> T?`.
func decodeAs(c *vm.Call, text string, from *origin) vm.Value {
	c.Steps(1 + len(text)/bytesPerStep)
	id := c.Ref().TypeArgs[0]
	var defaults vm.Object
	if c.Type(id).Kind == bytecode.TStruct {
		defaults = c.OptObject(1)
	}
	d := newDecoder(c, text, from)
	d.missing = c.FieldDefaultsArg(2)
	return d.missing.Result(c, d.document(id, defaults))
}

// newDecoder makes a decoder for a native with the type arguments T, Object, Array.
func newDecoder(c *vm.Call, text string, from *origin) decoder {
	args := c.Ref().TypeArgs
	return decoder{c: c, types: c.Types(), text: text, object: args[1], array: args[2], from: from}
}

// What stands in a document for the floats that JSON lacks: numbers by its
// grammar, which nothing else is written as.
const (
	infinity = "1e999"
	nan      = "0e999"
)

func appendNonFinite(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, nan...)
	case f < 0:
		b = append(b, '-')
	}
	return append(b, infinity...)
}

// parseNonFinite returns the float that a number of a document stands for; f is
// what it is as JSON.
func parseNonFinite(text string, f float64) (float64, bool) {
	if text == nan {
		return math.NaN(), true
	}
	return f, true
}
