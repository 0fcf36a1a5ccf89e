package vm

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// fixture is a program of nothing but types, with an instance and a task to
// run natives and helpers on.
type fixture struct {
	types []bytecode.Type
	prog  *Program
	inst  *Instance
	w     *Worker
	t     *Task
}

// Types of the fixture beyond the fixed ones.
type testTypes struct {
	ints, floats, bools, strs, anys, optInts, optStrs           uint32 // lists of them
	lists                                                       uint32 // [[int]]
	optInt, optFloat, optStr, optOptInt, optAny                 uint32
	point, node, color, shape, pair                             uint32
	intInt, intStr, strInt, strStr, floatInt, pairInt, shapeInt uint32 // maps
	intAny, strOpt, colorInt                                    uint32
	setInt, setStr                                              uint32
	points, pairs, nodes, shapes, durations, listOfBytes        uint32
}

func newFixture(limits Limits) (*fixture, testTypes) {
	f := &fixture{types: bytecode.FixedTypes()}
	var tt testTypes
	list := func(elem uint32, name string) uint32 {
		return f.add(bytecode.Type{Kind: bytecode.TList, Rep: bytecode.RepP, Name: "[" + name + "]", Elem: elem})
	}
	opt := func(elem uint32, name string) uint32 {
		t := bytecode.Type{Kind: bytecode.TOptional, Rep: bytecode.RepV, Name: name + "?", Elem: elem}
		e := f.types[elem]
		if e.Kind == bytecode.TOptional {
			t.Fields = []bytecode.Field{{Type: elem, Rep: e.Rep}}
			t.Layout = bytecode.Place(t.Fields)
		}
		if e.Rep == bytecode.RepP || e.Kind == bytecode.TOptional {
			t.Rep = bytecode.RepP
		}
		return f.add(t)
	}
	fields := func(fs ...bytecode.Field) ([]bytecode.Field, bytecode.Layout) {
		for i := range fs {
			if fs[i].Type != 0 && int(fs[i].Type) < len(f.types) {
				fs[i].Rep = f.types[fs[i].Type].Rep
			}
		}
		l := bytecode.Place(fs)
		return fs, l
	}
	tt.ints = list(bytecode.IDInt, "int")
	tt.floats = list(bytecode.IDFloat, "float")
	tt.bools = list(bytecode.IDBool, "bool")
	tt.strs = list(bytecode.IDStr, "str")
	tt.listOfBytes = list(bytecode.IDBytes, "bytes")
	tt.durations = list(bytecode.IDDuration, "duration")
	tt.anys = list(bytecode.IDAny, "any")
	tt.lists = list(tt.ints, "[int]")
	tt.optInt = opt(bytecode.IDInt, "int")
	tt.optFloat = opt(bytecode.IDFloat, "float")
	tt.optStr = opt(bytecode.IDStr, "str")
	tt.optOptInt = opt(tt.optInt, "int?")
	tt.optAny = opt(bytecode.IDAny, "any")
	tt.optInts = list(tt.optInt, "int?")
	tt.optStrs = list(tt.optStr, "str?")

	fs, l := fields(bytecode.Field{Name: "x", Type: bytecode.IDInt}, bytecode.Field{Name: "y", Type: bytecode.IDInt})
	tt.point = f.add(bytecode.Type{Kind: bytecode.TStruct, Rep: bytecode.RepP, Name: "Point<int>", Fields: fs, Layout: l})
	tt.points = list(tt.point, "Point<int>")

	tt.node = f.add(bytecode.Type{Kind: bytecode.TStruct, Rep: bytecode.RepP, Name: "Node"})
	optNode := opt(tt.node, "Node")
	fs, l = fields(bytecode.Field{Name: "value", Type: bytecode.IDInt}, bytecode.Field{Name: "next", Type: optNode})
	f.types[tt.node].Fields, f.types[tt.node].Layout = fs, l
	tt.nodes = list(tt.node, "Node")

	tt.color = f.add(bytecode.Type{Kind: bytecode.TEnum, Rep: bytecode.RepI, Name: "Color",
		Variants: []bytecode.Variant{{Name: "Red"}, {Name: "Green"}}})
	fs, l = fields(bytecode.Field{Name: "r", Type: bytecode.IDFloat})
	fs2, l2 := fields(bytecode.Field{Type: bytecode.IDInt}, bytecode.Field{Type: bytecode.IDStr})
	tt.shape = f.add(bytecode.Type{Kind: bytecode.TEnum, Rep: bytecode.RepP, Name: "Shape", Variants: []bytecode.Variant{
		{Name: "Circle", Fields: fs, Layout: l}, {Name: "Named", Fields: fs2, Layout: l2}, {Name: "Empty"}}})
	tt.shapes = list(tt.shape, "Shape")
	fs, l = fields(bytecode.Field{Type: bytecode.IDInt}, bytecode.Field{Type: bytecode.IDStr})
	tt.pair = f.add(bytecode.Type{Kind: bytecode.TTuple, Rep: bytecode.RepP, Name: "(int, str)", Fields: fs, Layout: l})
	tt.pairs = list(tt.pair, "(int, str)")

	mapOf := func(key, elem uint32) uint32 {
		return f.add(bytecode.Type{Kind: bytecode.TMap, Rep: bytecode.RepP, Name: "map", Key: key, Elem: elem})
	}
	tt.intInt = mapOf(bytecode.IDInt, bytecode.IDInt)
	tt.intStr = mapOf(bytecode.IDInt, bytecode.IDStr)
	tt.strInt = mapOf(bytecode.IDStr, bytecode.IDInt)
	tt.strStr = mapOf(bytecode.IDStr, bytecode.IDStr)
	tt.floatInt = mapOf(bytecode.IDFloat, bytecode.IDInt)
	tt.pairInt = mapOf(tt.pair, bytecode.IDInt)
	tt.shapeInt = mapOf(tt.shape, bytecode.IDInt)
	tt.intAny = mapOf(bytecode.IDInt, bytecode.IDAny)
	tt.strOpt = mapOf(bytecode.IDStr, tt.optStr)
	tt.colorInt = mapOf(tt.color, bytecode.IDInt)
	setOf := func(key uint32) uint32 {
		return f.add(bytecode.Type{Kind: bytecode.TSet, Rep: bytecode.RepP, Name: "set", Key: key})
	}
	tt.setInt = setOf(bytecode.IDInt)
	tt.setStr = setOf(bytecode.IDStr)

	prog, err := Link(&bytecode.Program{Types: f.types, Code: []uint64{uint64(bytecode.TRAP)}, MessageSel: -1}, nil)
	if err != nil {
		panic(err)
	}
	f.prog = prog
	f.inst = NewInstance(prog, Config{Limits: limits})
	f.w = f.inst.workers[0]
	f.t = f.newTask()
	return f, tt
}

// newTask makes a task that stands still.
func (f *fixture) newTask() *Task {
	t := f.w.newTask()
	t.w, t.future = f.w, &Future{}
	f.inst.root.join(t, nil)
	return t
}

func (f *fixture) add(t bytecode.Type) uint32 {
	f.types = append(f.types, t)
	return uint32(len(f.types) - 1)
}

// caught runs fn and gives the runtime error it throws, or nil. Any other
// panic goes on.
func caught(fn func()) (e *thrown) {
	defer func() {
		if r := recover(); r != nil {
			var ok bool
			if e, ok = r.(*thrown); !ok {
				panic(r)
			}
		}
	}()
	fn()
	return nil
}

// call runs a native with a result type on arguments, whose types are those of the
// values.
func (f *fixture) call(name string, result uint32, args ...Value) Value {
	regs := make([]Value, max(4, len(args)))
	copy(regs, args)
	ref := &bytecode.NativeRef{Name: name, Result: result}
	for _, v := range regs {
		ref.Params = append(ref.Params, v.TypeID())
	}
	c := &Call{t: f.t, w: f.w, base: unsafe.Pointer(&regs[0]), ref: ref}
	natives[name](c)
	f.w.pins = f.w.pins[:0]
	return regs[0]
}

// throws runs a native that must throw an error of a kind.
func (f *fixture) throws(t *testing.T, kind ErrKind, name string, result uint32, args ...Value) string {
	t.Helper()
	e := caught(func() { f.call(name, result, args...) })
	f.w.pins = f.w.pins[:0]
	require.NotNil(t, e, "%s threw nothing", name)
	require.Equal(t, kind, e.kind, "%s: %s", name, e.text)
	return e.text
}

// text of a value, as print shows it.
func (f *fixture) text(id uint32, v Value) string { return toStr(f.w, f.t, id, v).String() }

// Values.
func vi(i int64) Value          { return IntValue(i) }
func vf(x float64) Value        { return FloatValue(x) }
func vs(s string) Value         { return pv(newStrOf(bytecode.IDStr, s)) }
func vb(s string) Value         { return pv(newStrOf(bytecode.IDBytes, s)) }
func vp(p unsafe.Pointer) Value { return Value{p: p} }

func (f *fixture) list(id uint32, vs ...Value) Value {
	l := newList(f.w, id, 0)
	for _, v := range vs {
		listPush(f.w, f.prog, l, v)
	}
	return pv(l)
}

func (f *fixture) ints(id uint32, xs ...int64) Value {
	var vs []Value
	for _, x := range xs {
		vs = append(vs, vi(x))
	}
	return f.list(id, vs...)
}

func (f *fixture) strs(id uint32, xs ...string) Value {
	var out []Value
	for _, x := range xs {
		out = append(out, vs(x))
	}
	return f.list(id, out...)
}

// object makes a struct or tuple.
func (f *fixture) object(id uint32, vs ...Value) Value {
	t := &f.prog.Types[id]
	p := newObject(id, t.Layout)
	for i := range t.Fields {
		storeField(p, &t.Fields[i], vs[i])
	}
	return vp(p)
}

func (f *fixture) variant(id uint32, tag int, vs ...Value) Value {
	v := &f.prog.Types[id].Variants[tag]
	if len(v.Fields) == 0 {
		return vp(f.prog.variants[id][tag])
	}
	p := newObject(id, v.Layout)
	(*Header)(p).Aux = uint32(tag)
	for i := range v.Fields {
		storeField(p, &v.Fields[i], vs[i])
	}
	return vp(p)
}

func (f *fixture) mapOf(id uint32, kvs ...Value) Value {
	m := newMap(f.w, id)
	for i := 0; i < len(kvs); i += 2 {
		mapSet(f.w, m, kvs[i], kvs[i+1])
	}
	return pv(m)
}

func (f *fixture) setOf(id uint32, keys ...Value) Value {
	m := newMap(f.w, id)
	for _, k := range keys {
		mapSet(f.w, m, k, Value{})
	}
	return pv(m)
}

var nan = math.NaN()

func pv[T any](p *T) Value { return Value{p: unsafe.Pointer(p)} }
