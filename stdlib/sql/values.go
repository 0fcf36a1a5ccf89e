package sql

import (
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// linkTime links a native one of whose type parameters is time.Time, which a
// compiled program could have mistaken for another.
func linkTime(param int, fn func(c *vm.Call, timeID uint32)) func(*vm.Program, *bytecode.NativeRef) (vm.Native, error) {
	return func(p *vm.Program, ref *bytecode.NativeRef) (vm.Native, error) {
		id := ref.TypeArgs[param]
		t := &p.Types[id]
		if t.Kind != bytecode.TStruct || len(t.Fields) != 2 || t.Fields[0].Type != bytecode.IDInt || t.Fields[1].Type != bytecode.IDInt {
			return nil, fmt.Errorf("%s takes time.Time, not %s", ref.Name, t.Name)
		}
		if param == 2 && !isRow(p, ref.TypeArgs[1]) {
			return nil, fmt.Errorf("%s gives rows as map<str, any>, not %s", ref.Name, p.Types[ref.TypeArgs[1]].Name)
		}
		return func(c *vm.Call) { fn(c, id) }, nil
	}
}

func isRow(p *vm.Program, id uint32) bool {
	t := &p.Types[id]
	return t.Kind == bytecode.TMap && t.Key == bytecode.IDStr && t.Elem == bytecode.IDAny
}

// arguments returns the values of a list of any as those of a driver.
func arguments(c *vm.Call, i int, timeID uint32) []any {
	list := c.ReadList(c.List(i))
	c.Steps(1 + list.Len())
	c.ChargeObject(16 * list.Len())
	args := make([]any, list.Len())
	for k := range args {
		args[k] = argument(c, k, list.At(k), timeID)
	}
	return args
}

func argument(c *vm.Call, k int, v vm.Value, timeID uint32) any {
	if v.IsNone() {
		return nil
	}
	id := v.TypeID()
	switch id {
	case bytecode.IDInt:
		return v.Int()
	case bytecode.IDFloat:
		return v.Float()
	case bytecode.IDBool:
		return v.Bool()
	case bytecode.IDStr:
		return copied(c, v)
	case bytecode.IDBytes:
		return []byte(copied(c, v))
	case timeID:
		fields := c.Type(timeID).Fields
		ns, offset := vm.Field(v.Object(), &fields[0]).Int(), vm.Field(v.Object(), &fields[1]).Int()
		return time.Unix(0, ns).In(time.FixedZone("", int(offset)))
	}
	c.Throw(vm.ErrValue, "sql: argument %d is of type %s, which databases do not take", k+1, c.Type(id).Name)
	return nil
}

// copied returns the text of a str or bytes, which a driver may keep.
func copied(c *vm.Call, v vm.Value) string {
	text := c.Text(v)
	c.ChargeObject(len(text))
	return string([]byte(text))
}

// decoder makes values of rows.
type decoder struct {
	c           *vm.Call
	columns     []string
	rowID       uint32 // map<str, any>
	timeID      uint32
	names       []*vm.Str // of the columns
	fieldColumn []int     // of each field, where rows become structs; -1 is none
}

func newDecoder(c *vm.Call, columns []string, rowID, timeID uint32) *decoder {
	return &decoder{c: c, columns: columns, rowID: rowID, timeID: timeID}
}

// row makes a value of a whole row.
func (d *decoder) row(id uint32, row []any) vm.Value {
	t := d.c.Type(id)
	switch {
	case id == d.timeID:
	case t.Kind == bytecode.TStruct:
		return d.structure(id, t, row)
	case t.Kind == bytecode.TTuple:
		d.count(len(t.Fields), t)
		return d.fields(id, t, func(i int) (int, bool) { return i, true }, row)
	case t.Kind == bytecode.TMap:
		if id != d.rowID {
			d.c.Throw(vm.ErrValue, "sql: a row is a map<str, any>, not a %s", t.Name)
		}
		return d.mapping(row)
	}
	d.count(1, t)
	return d.value(id, 0, row[0])
}

func (d *decoder) count(n int, t *bytecode.Type) {
	if len(d.columns) != n {
		d.c.Throw(vm.ErrValue, "sql: a row of %d columns is no %s", len(d.columns), t.Name)
	}
}

func (d *decoder) mapping(row []any) vm.Value {
	if d.names == nil {
		for _, name := range d.columns {
			s := d.c.NewStr(name)
			d.c.Pin(s.Object())
			d.names = append(d.names, s)
		}
	}
	m := d.c.NewMap(d.rowID)
	d.c.Pin(m.Object())
	for i, v := range row {
		d.c.MapSet(m, d.names[i].Value(), d.value(bytecode.IDAny, i, v))
	}
	d.c.Unpin()
	return m.Value()
}

// structure fills the fields of a struct from the columns of their names.
func (d *decoder) structure(id uint32, t *bytecode.Type, row []any) vm.Value {
	if d.fieldColumn == nil {
		for i := range t.Fields {
			d.fieldColumn = append(d.fieldColumn, d.column(t, &t.Fields[i]))
		}
	}
	return d.fields(id, t, func(i int) (int, bool) { return d.fieldColumn[i], d.fieldColumn[i] >= 0 }, row)
}

// column finds the one of a field. A field without one must be optional.
func (d *decoder) column(t *bytecode.Type, f *bytecode.Field) int {
	for i, name := range d.columns {
		if name == f.Name {
			return i
		}
	}
	if d.c.Type(f.Type).Kind != bytecode.TOptional {
		d.c.Throw(vm.ErrValue, "sql: there is no column for the field %s of %s", f.Name, t.Name)
	}
	return -1
}

func (d *decoder) fields(id uint32, t *bytecode.Type, column func(field int) (int, bool), row []any) vm.Value {
	obj := d.c.NewStruct(id)
	d.c.Pin(obj.Object())
	for i := range t.Fields {
		if k, ok := column(i); ok {
			obj.Set(i, d.value(t.Fields[i].Type, k, row[k]))
		}
	}
	d.c.Unpin()
	return obj.Value()
}

// value makes a value of one column.
func (d *decoder) value(id uint32, column int, v any) vm.Value {
	t := d.c.Type(id)
	switch {
	case t.Kind == bytecode.TAny:
		return d.any(column, v)
	case t.Kind == bytecode.TOptional && v == nil:
		return vm.Value{}
	case t.Kind == bytecode.TOptional:
		return d.c.Some(id, d.value(t.Elem, column, v))
	case id == d.timeID:
		if at, ok := v.(time.Time); ok {
			return d.time(column, at)
		}
	case t.Kind == bytecode.TInt:
		if n, ok := v.(int64); ok {
			return vm.IntValue(n)
		}
	case t.Kind == bytecode.TFloat:
		if f, ok := floatOf(v); ok {
			return vm.FloatValue(f)
		}
	case t.Kind == bytecode.TBool:
		switch v := v.(type) {
		case bool:
			return vm.BoolValue(v)
		case int64:
			if v == 0 || v == 1 {
				return vm.BoolValue(v == 1)
			}
		}
	case t.Kind == bytecode.TStr:
		switch v := v.(type) {
		case string:
			return d.text(column, v)
		case []byte:
			return d.text(column, string(v))
		}
	case t.Kind == bytecode.TBytes:
		switch v := v.(type) {
		case string:
			return d.c.NewBytes(v).Value()
		case []byte:
			return d.c.NewBytes(string(v)).Value()
		}
	default:
		d.c.Throw(vm.ErrValue, "sql: the column %s cannot become a %s", d.columns[column], t.Name)
	}
	d.c.Throw(vm.ErrValue, "sql: the column %s holds %s, which is no %s", d.columns[column], describe(v), t.Name)
	return vm.Value{}
}

func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return fmt.Sprintf("%.40q", v)
	case []byte:
		return fmt.Sprintf("%d bytes", len(v))
	}
	return fmt.Sprint(v)
}

// floatOf takes whole numbers that a float holds exactly, and texts, as which
// drivers give numbers with many digits.
func floatOf(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case int64:
		return float64(v), v > -1<<53 && v < 1<<53
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil && !math.IsInf(f, 0)
	}
	return 0, false
}

func (d *decoder) text(column int, v string) vm.Value {
	if !utf8.ValidString(v) {
		d.c.Throw(vm.ErrValue, "sql: the column %s holds a text that is not UTF-8", d.columns[column])
	}
	return d.c.NewStr(v).Value()
}

// time makes a time.Time, which counts nanoseconds.
func (d *decoder) time(column int, at time.Time) vm.Value {
	if y := at.Year(); y < 1678 || y > 2261 {
		d.c.Throw(vm.ErrValue, "sql: the column %s holds a time of the year %d, which is out of range", d.columns[column], y)
	}
	if at.Location() == time.Local { // which is not the script's affair
		at = at.UTC()
	}
	_, offset := at.Zone()
	obj := d.c.NewStruct(d.timeID)
	obj.Set(0, vm.IntValue(at.UnixNano()))
	obj.Set(1, vm.IntValue(int64(offset)))
	return obj.Value()
}

// any makes a value of whatever type a column has.
func (d *decoder) any(column int, v any) vm.Value {
	switch v := v.(type) {
	case nil:
		return vm.BoxNone()
	case int64:
		return vm.BoxInt(v)
	case float64:
		return vm.BoxFloat(v)
	case float32:
		return vm.BoxFloat(float64(v))
	case bool:
		return vm.BoxBool(v)
	case time.Time:
		return d.time(column, v)
	case string:
		return d.text(column, v)
	case []byte:
		return d.c.NewBytes(string(v)).Value()
	}
	d.c.Throw(vm.ErrValue, "sql: the column %s has a type that is not known here, %T", d.columns[column], v)
	return vm.Value{}
}
