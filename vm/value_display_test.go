package vm

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

func TestDisplay(t *testing.T) {
	f, tt := newFixture(Limits{})
	some := func(id uint32, v Value) Value { return f.prog.some(id, v) }
	for _, c := range []struct {
		want string
		id   uint32
		v    Value
	}{
		{"-5", bytecode.IDInt, vi(-5)},
		{"3.0", bytecode.IDFloat, vf(3)},
		{"-0.0", bytecode.IDFloat, vf(math.Copysign(0, -1))},
		{"0.1", bytecode.IDFloat, vf(0.1)},
		{"1e21", bytecode.IDFloat, vf(1e21)},
		{"1e16", bytecode.IDFloat, vf(1e16)},
		{"1000000000000000.0", bytecode.IDFloat, vf(1e15)},
		{"1.5e-7", bytecode.IDFloat, vf(1.5e-7)},
		{"0.0001", bytecode.IDFloat, vf(1e-4)},
		{"1.7976931348623157e308", bytecode.IDFloat, vf(math.MaxFloat64)},
		{"nan", bytecode.IDFloat, vf(nan)},
		{"-inf", bytecode.IDFloat, vf(math.Inf(-1))},
		{"true", bytecode.IDBool, BoolValue(true)},
		{"()", bytecode.IDUnit, Value{}},
		{"1.5s", bytecode.IDDuration, vi(15e8)},
		{"2m", bytecode.IDDuration, vi(120e9)},
		{"1h", bytecode.IDDuration, vi(3600e9)},
		{"1h30m", bytecode.IDDuration, vi(5400e9)},
		{"1h0m1s", bytecode.IDDuration, vi(3601e9)},
		{"10us", bytecode.IDDuration, vi(10e3)},
		{"0s", bytecode.IDDuration, vi(0)},
		{"-2m30s", bytecode.IDDuration, vi(-150e9)},
		{"a\"b", bytecode.IDStr, vs(`a"b`)},
		{`b"a\x00\"\n"`, bytecode.IDBytes, vb("a\x00\"\n")},
		{"[1, 2]", tt.ints, f.ints(tt.ints, 1, 2)},
		{"[]", tt.ints, f.ints(tt.ints)},
		{"[1.0, nan]", tt.floats, f.list(tt.floats, vf(1), vf(nan))},
		{"[true, false]", tt.bools, f.list(tt.bools, BoolValue(true), BoolValue(false))},
		{`["a", "b\"\n\t\\", "\${x}", "$5", "é", "\0\u{1}"]`, tt.strs, f.strs(tt.strs, "a", "b\"\n\t\\", "${x}", "$5", "é", "\x00\x01")},
		{"[[1], []]", tt.lists, f.list(tt.lists, f.ints(tt.ints, 1), f.ints(tt.ints))},
		{`{"a": 1, "b": 2}`, tt.strInt, f.mapOf(tt.strInt, vs("a"), vi(1), vs("b"), vi(2))},
		{"{}", tt.intInt, f.mapOf(tt.intInt)},
		{`{(1, "a"): 2}`, tt.pairInt, f.mapOf(tt.pairInt, f.object(tt.pair, vi(1), vs("a")), vi(2))},
		{"set(1, 2)", tt.setInt, f.setOf(tt.setInt, vi(1), vi(2), vi(1))},
		{"set()", tt.setInt, f.setOf(tt.setInt)},
		{`(1, "a")`, tt.pair, f.object(tt.pair, vi(1), vs("a"))},
		{"Point(x: 1, y: 2)", tt.point, f.object(tt.point, vi(1), vi(2))},
		{"Node(value: 1, next: Node(value: 2, next: none))", tt.node, f.object(tt.node, vi(1), f.object(tt.node, vi(2), Value{}))},
		{"Green", tt.color, vi(1)},
		{"Circle(r: 2.0)", tt.shape, f.variant(tt.shape, 0, vf(2))},
		{`Named(7, "x")`, tt.shape, f.variant(tt.shape, 1, vi(7), vs("x"))},
		{"Empty", tt.shape, f.variant(tt.shape, 2)},
		{"none", tt.optInt, Value{}},
		{"5", tt.optInt, some(tt.optInt, vi(5))},
		{"none", tt.optOptInt, some(tt.optOptInt, Value{})},
		{"5", tt.optOptInt, some(tt.optOptInt, some(tt.optInt, vi(5)))},
		{"text", tt.optStr, vs("text")},
		{"none", tt.optStr, Value{}},
		{`[1, "x", none, 2.5, true]`, tt.anys, f.list(tt.anys, BoxInt(1), vs("x"), boxPtr(nil), BoxFloat(2.5), BoxBool(true))},
		{"x", bytecode.IDAny, vs("x")},
		{"1", bytecode.IDAny, BoxInt(1)},
		{`["a", none]`, tt.optStrs, f.list(tt.optStrs, vs("a"), Value{})},
		{`buffer(b"hi")`, bytecode.IDBuffer, bufferValue(f, "hi")},
	} {
		require.Equal(t, c.want, f.text(c.id, c.v))
	}
}

func bufferValue(f *fixture, text string) Value {
	b := f.call("buffer.new", bytecode.IDBuffer)
	f.call("buffer.write", bytecode.IDUnit, b, vs(text))
	return b
}

func TestDisplayMarksARevisitAndShowsASharedObjectTwice(t *testing.T) {
	f, tt := newFixture(Limits{})
	n := f.object(tt.node, vi(1), Value{})
	storeField(n.p, &f.prog.Types[tt.node].Fields[1], n)
	require.Equal(t, "Node(value: 1, next: ...)", f.text(tt.node, n))
	p := f.object(tt.point, vi(1), vi(2))
	require.Equal(t, "[Point(x: 1, y: 2), Point(x: 1, y: 2)]", f.text(tt.points, f.list(tt.points, p, p)))

	// A cycle longer than what is looked up one by one.
	first := f.object(tt.node, vi(0), Value{})
	last := first
	for i := range 100 {
		next := f.object(tt.node, vi(int64(i)), Value{})
		storeField(last.p, &f.prog.Types[tt.node].Fields[1], next)
		last = next
	}
	storeField(last.p, &f.prog.Types[tt.node].Fields[1], first)
	text := f.text(tt.node, first)
	require.Equal(t, 101, strings.Count(text, "Node("))
	require.Equal(t, 1, strings.Count(text, "..."))
}

func TestDisplayOfDeepStructuresDoesNotOverflow(t *testing.T) {
	f, tt := newFixture(Limits{})
	const depth = 100_000
	text := f.text(tt.node, f.chain(tt.node, depth))
	require.Equal(t, depth, strings.Count(text, "Node("))
	require.True(t, strings.HasSuffix(text, "none"+strings.Repeat(")", depth)))
}

// chain makes a linked list of n nodes.
func (f *fixture) chain(node uint32, n int) Value {
	v := Value{}
	for i := range n {
		v = f.object(node, vi(int64(i)), v)
	}
	return v
}

func TestDisplayPaysForWhatGrowsWithoutBound(t *testing.T) {
	f, tt := newFixture(Limits{Memory: 1 << 20})
	// Each list holds the one before twice: 2^60 elements when written out.
	id := tt.anys
	l := f.list(id, BoxInt(1))
	for range 60 {
		l = f.list(id, l, l)
	}
	e := caught(func() { f.text(id, l) })
	require.NotNil(t, e)
	require.Equal(t, ErrMemory, e.kind)

	f, tt = newFixture(Limits{Steps: 100_000})
	l = f.list(tt.anys)
	for range 60 {
		l = f.list(tt.anys, l, l)
	}
	e = caught(func() { f.text(tt.anys, l) })
	require.NotNil(t, e)
	require.Equal(t, ErrSteps, e.kind)
}

func TestShortDisplayForMessages(t *testing.T) {
	f, tt := newFixture(Limits{})
	require.Equal(t, `"a"`, f.t.display(bytecode.IDStr, vs("a")))
	long := f.t.display(tt.ints, f.list(tt.ints, make([]Value, 1000)...))
	require.Less(t, len(long), 120)
	require.True(t, strings.HasSuffix(long, "..."))
	require.True(t, strings.HasSuffix(f.t.display(bytecode.IDStr, vs(strings.Repeat("é", 500))), "é..."))
}

func TestFormatSpecs(t *testing.T) {
	f, tt := newFixture(Limits{})
	for _, c := range []struct {
		want, spec string
		id         uint32
		v          Value
	}{
		{"   42", "5", bytecode.IDInt, vi(42)},
		{"42   ", "<5", bytecode.IDInt, vi(42)},
		{" 42  ", "^5", bytecode.IDInt, vi(42)},
		{"00042", "05", bytecode.IDInt, vi(42)},
		{"-0042", "05", bytecode.IDInt, vi(-42)},
		{"*42**", "*^5", bytecode.IDInt, vi(42)},
		{"+42", "+", bytecode.IDInt, vi(42)},
		{" 42", " ", bytecode.IDInt, vi(42)},
		{"-42", "+d", bytecode.IDInt, vi(-42)},
		{"ff", "x", bytecode.IDInt, vi(255)},
		{"0xff", "#x", bytecode.IDInt, vi(255)},
		{"0XFF", "#X", bytecode.IDInt, vi(255)},
		{"0x00ff", "#06x", bytecode.IDInt, vi(255)},
		{"-0x1", "#x", bytecode.IDInt, vi(-1)},
		{"101", "b", bytecode.IDInt, vi(5)},
		{"0o17", "#o", bytecode.IDInt, vi(15)},
		{"1,234,567", ",", bytecode.IDInt, vi(1234567)},
		{"-1_000", "_d", bytecode.IDInt, vi(-1000)},
		{"dead_beef", "_x", bytecode.IDInt, vi(0xdeadbeef)},
		{"-9,223,372,036,854,775,808", ",", bytecode.IDInt, vi(math.MinInt64)},
		{"42.00", ".2f", bytecode.IDInt, vi(42)},
		{"3.14", ".2f", bytecode.IDFloat, vf(3.14159)},
		{"    3.14", "8.2f", bytecode.IDFloat, vf(3.14159)},
		{"3.14    ", "<8.2f", bytecode.IDFloat, vf(3.14159)},
		{"3.1", ".1", bytecode.IDFloat, vf(3.14159)},
		{"3.141590", "f", bytecode.IDFloat, vf(3.14159)},
		{"1,234,567.89", ",.2f", bytecode.IDFloat, vf(1234567.891)},
		{"1.235e+03", ".3e", bytecode.IDFloat, vf(1234.567)},
		{"1.235E+03", ".3E", bytecode.IDFloat, vf(1234.567)},
		{"1.2e+03", ".2g", bytecode.IDFloat, vf(1234.567)},
		{"12.35%", ".2%", bytecode.IDFloat, vf(0.123456)},
		{"+1.5", "+", bytecode.IDFloat, vf(1.5)},
		{"-0001.50", "08.2f", bytecode.IDFloat, vf(-1.5)},
		{"  nan", "5", bytecode.IDFloat, vf(nan)},
		{" -inf", "5", bytecode.IDFloat, vf(math.Inf(-1))},
		{"1,000.0", ",", bytecode.IDFloat, vf(1000)},
		{"-0.0", "", bytecode.IDFloat, vf(math.Copysign(0, -1))},
		{"ab   ", "5", bytecode.IDStr, vs("ab")},
		{"   ab", ">5", bytecode.IDStr, vs("ab")},
		{" ab  ", "^5", bytecode.IDStr, vs("ab")},
		{"--é--", "-^5", bytecode.IDStr, vs("é")},
		{"→→é", "→>3", bytecode.IDStr, vs("é")},
		{"hé", ".2", bytecode.IDStr, vs("héllo")},
		{"hé  ", "4.2s", bytecode.IDStr, vs("héllo")},
		{`"a\n"`, "?", bytecode.IDStr, vs("a\n")},
		{"42   ", "<5s", bytecode.IDInt, vi(42)},
		{"[1, 2]  ", "8", tt.ints, f.ints(tt.ints, 1, 2)},
		{"true ", "5", bytecode.IDBool, BoolValue(true)},
		{"  5", "3", tt.optInt, f.prog.some(tt.optInt, vi(5))},
		{"005", "03d", tt.optOptInt, f.prog.some(tt.optOptInt, f.prog.some(tt.optInt, vi(5)))},
		{"none ", "5", tt.optInt, Value{}},
		{"  7", "3d", bytecode.IDAny, BoxInt(7)},
		{"x  ", "3", bytecode.IDAny, vs("x")},
	} {
		got := ""
		e := caught(func() { got = formatValue(f.w, f.t, c.id, c.v, specOf(c.spec)).String() })
		require.Nil(t, e, "%q: %v", c.spec, e)
		require.Equal(t, c.want, got, "spec %q", c.spec)
	}
	for _, c := range []struct {
		spec string
		id   uint32
		v    Value
	}{
		{"d", bytecode.IDStr, vs("a")},
		{"x", bytecode.IDFloat, vf(1)},
		{".2", bytecode.IDInt, vi(1)},
		{".2d", bytecode.IDInt, vi(1)},
		{"+", bytecode.IDStr, vs("a")},
		{"05", bytecode.IDStr, vs("a")},
		{",", bytecode.IDStr, vs("a")},
		{"#", bytecode.IDInt, vi(1)},
		{"d", tt.optInt, Value{}},
		{"d", bytecode.IDAny, vs("a")},
		{"q", bytecode.IDInt, vi(1)},
		{"5.", bytecode.IDFloat, vf(1)},
		{"99999999999", bytecode.IDInt, vi(1)},
	} {
		e := caught(func() { formatValue(f.w, f.t, c.id, c.v, specOf(c.spec)) })
		require.NotNil(t, e, "spec %q", c.spec)
		require.Equal(t, ErrValue, e.kind)
	}
}

func BenchmarkToStr(b *testing.B) {
	f, tt := newFixture(Limits{})
	for _, c := range []struct {
		name string
		id   uint32
		v    Value
	}{
		{"int", bytecode.IDInt, vi(12345)},
		{"float", bytecode.IDFloat, vf(3.25)},
		{"bool", bytecode.IDBool, BoolValue(true)},
		{"any", bytecode.IDAny, BoxInt(5)},
		{"list", tt.ints, f.ints(tt.ints, 1, 2, 3)},
		{"struct", tt.point, f.object(tt.point, vi(1), vi(2))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				toStr(f.w, f.t, c.id, c.v)
			}
		})
	}
}
