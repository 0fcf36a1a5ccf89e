package csv

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// writer prints rows.
type writer struct {
	bytes.Buffer
	c   *vm.Call
	csv *csv.Writer
	by  *scanner // for its quote
}

func newWriter(c *vm.Call, separator, quote rune) *writer {
	w := &writer{c: c, by: newScanner(separator, quote, 0)}
	w.csv = csv.NewWriter(&w.Buffer)
	w.csv.Comma = w.by.reader.Comma
	return w
}

// rows writes those of a list whose elements have a type.
func (w *writer) rows(id uint32, list *vm.List, header bool) {
	t := w.c.Type(id)
	if t.Kind == bytecode.TStruct && header {
		names := make([]string, len(t.Fields))
		for i := range t.Fields {
			names[i] = t.Fields[i].Name
		}
		w.row(names)
	}
	r := w.c.ReadList(list)
	for i := range r.Len() {
		w.row(w.cells(t, r.At(i)))
	}
	w.csv.Flush()
}

// cells of a row that is a struct or a list of str.
func (w *writer) cells(t *bytecode.Type, v vm.Value) []string {
	switch {
	case t.Kind == bytecode.TStruct:
		p := w.c.NotNil(v)
		cells := make([]string, len(t.Fields))
		for i := range t.Fields {
			cells[i] = w.cell(t.Fields[i].Type, vm.Field(p, &t.Fields[i]))
		}
		return cells
	case t.Kind == bytecode.TList && w.c.Type(t.Elem).Kind == bytecode.TStr:
		r := w.c.ReadList(w.c.ListOf(v))
		w.c.ChargeObject(r.Len() * vm.SizeOf[string]())
		cells := make([]string, r.Len())
		for i := range cells {
			cells[i] = w.cell(t.Elem, r.At(i))
		}
		return cells
	}
	w.c.Throw(vm.ErrValue, "csv: a row is a struct or a [str], not %s", t.Name)
	return nil
}

// cell returns the text of a value whose static type is id.
func (w *writer) cell(id uint32, v vm.Value) string {
	switch t := w.c.Type(id); t.Kind {
	case bytecode.TInt:
		return strconv.FormatInt(v.Int(), 10)
	case bytecode.TFloat:
		return float(v.Float())
	case bytecode.TBool:
		return strconv.FormatBool(v.Bool())
	case bytecode.TDuration:
		return time.Duration(v.Int()).String()
	case bytecode.TStr:
		return w.c.Text(v)
	case bytecode.TNone:
		return ""
	case bytecode.TOptional:
		if inner, ok := vm.Unwrap(t, w.c.Type(t.Elem), v); ok {
			return w.cell(t.Elem, inner)
		}
		return ""
	case bytecode.TAny:
		return w.cell(v.TypeID(), v)
	case bytecode.TEnum:
		if tag := v.Int(); t.Plain() && uint64(tag) < uint64(len(t.Variants)) {
			return t.Variants[tag].Name
		}
		fallthrough
	default:
		w.c.Throw(vm.ErrValue, "csv: a value of type %s cannot be a cell", t.Name)
		return ""
	}
}

func float(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return string(json.AppendFloat(nil, f))
}

func (w *writer) row(cells []string) {
	size := 0
	for i, cell := range cells {
		size += 2*len(cell) + 3
		cells[i] = w.by.swapAll(cell)
	}
	w.c.ChargeObject(2 * size)
	w.c.Steps(1 + len(cells) + size/bytesPerStep)
	if len(cells) == 1 && cells[0] == "" { // which the library would make an empty line
		w.csv.Flush()
		w.WriteString(`""` + "\n")
		return
	}
	if err := w.csv.Write(cells); err != nil {
		w.c.Throw(vm.ErrValue, "csv: separator and quote do not go together")
	}
}

// String returns what was written, with the quotes that were asked for.
func (w *writer) String() string { return w.by.swapAll(w.Buffer.String()) }
