package csv

import (
	"slices"
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// fields tell for each field of a struct the column that it is read from, or -1.
type fields struct {
	id      uint32 // of the struct
	columns []int
}

// record makes a struct or a map of texts of a row, by the names in the header.
func (s *scanner) record(c *vm.Call, id uint32, row []string, missing *vm.FieldDefaults) vm.Object {
	if len(row) != len(s.header) {
		s.fail(c, 0, "the row has %d cells and the header %d", len(row), len(s.header))
	}
	switch t := c.Type(id); t.Kind {
	case bytecode.TMap:
		return s.mapping(c, id, t, row)
	case bytecode.TStruct:
		return s.structure(c, id, t, row, missing)
	default:
		c.Throw(vm.ErrValue, "csv: a row is decoded as a struct, not as %s", t.Name)
		return vm.Object{}
	}
}

func (s *scanner) fail(c *vm.Call, column int, format string, args ...any) {
	line, at := s.reader.FieldPos(column)
	c.Throw(vm.ErrValue, "csv: "+format+" at %d:%d", append(args, line, at)...)
}

func (s *scanner) mapping(c *vm.Call, id uint32, t *bytecode.Type, row []string) vm.Object {
	if t.Key != bytecode.IDStr {
		c.Throw(vm.ErrValue, "csv: a row is decoded as a map with keys of type str, not as %s", t.Name)
	}
	m := c.NewMap(id)
	c.Pin(m.Object())
	for i, name := range s.header {
		key := c.NewStr(name)
		c.Pin(key.Object())
		c.MapSet(m, key.Value(), s.cell(c, t.Elem, row[i], i))
		c.Unpin()
	}
	c.Unpin()
	return m.Object()
}

func (s *scanner) structure(c *vm.Call, id uint32, t *bytecode.Type, row []string, missing *vm.FieldDefaults) vm.Object {
	if s.fields.id != id {
		s.fields = s.columnsOf(c, id, t, missing)
	}
	obj := c.NewStruct(id)
	c.Pin(obj.Object())
	for i := range t.Fields {
		f := &t.Fields[i]
		if column := s.fields.columns[i]; column >= 0 {
			obj.Set(i, s.cell(c, f.Type, row[column], column))
		} else if !missing.Set(&obj, i) && c.Type(f.Type).Kind == bytecode.TAny {
			obj.Set(i, vm.BoxNone())
		}
	}
	c.Unpin()
	return obj.Object()
}

func (s *scanner) columnsOf(c *vm.Call, id uint32, t *bytecode.Type, missing *vm.FieldDefaults) fields {
	columns := make([]int, len(t.Fields))
	c.Steps(len(columns) * len(s.header))
	for i := range t.Fields {
		f := &t.Fields[i]
		columns[i] = slices.IndexFunc(s.header, func(name string) bool { return strings.TrimSpace(name) == f.Name })
		if kind := c.Type(f.Type).Kind; columns[i] < 0 && kind != bytecode.TOptional && kind != bytecode.TAny && !missing.Has(id, 0, i) {
			c.Throw(vm.ErrValue, "csv: no column is named %s, a field of %s", f.Name, t.Name)
		}
	}
	return fields{id, columns}
}

// cell makes the value of a type from a cell.
func (s *scanner) cell(c *vm.Call, id uint32, text string, column int) vm.Value {
	t := c.Type(id)
	switch t.Kind {
	case bytecode.TStr, bytecode.TAny:
		return c.NewStr(text).Value()
	case bytecode.TOptional:
		if text == "" {
			return vm.Value{}
		}
		return c.Some(id, s.cell(c, t.Elem, text, column))
	case bytecode.TInt:
		if n, err := vm.ParseInt(strings.TrimSpace(text), 10); err == nil {
			return vm.IntValue(n)
		}
	case bytecode.TFloat:
		if f, err := parseFloat(strings.TrimSpace(text)); err == nil {
			return vm.FloatValue(f)
		}
	case bytecode.TBool:
		if b, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text))); err == nil {
			return vm.BoolValue(b)
		}
	case bytecode.TDuration:
		if d, ok := vm.ParseDuration(strings.TrimSpace(text)); ok {
			return vm.IntValue(d)
		}
	case bytecode.TEnum:
		for tag := range t.Variants {
			if t.Plain() && t.Variants[tag].Name == text {
				return vm.IntValue(int64(tag))
			}
		}
	default:
		c.Throw(vm.ErrValue, "csv: a cell cannot be read as %s", t.Name)
	}
	s.fail(c, column, "expected %s, found %s", t.Name, vm.Quote(text))
	return vm.Value{}
}

// parseFloat reads a number as Go writes it, also a hexadecimal one.
func parseFloat(text string) (float64, error) {
	if len(text) > maxNumber {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

// maxNumber bounds the text of a number, so that none takes long to read.
const maxNumber = 1 << 16
