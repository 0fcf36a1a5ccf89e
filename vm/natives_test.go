package vm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

func TestListNatives(t *testing.T) {
	f, tt := newFixture(Limits{})
	l := f.ints(tt.ints, 3, 1, 2)
	show := func() string { return f.text(tt.ints, l) }
	opt := func(name string, args ...Value) string { return f.text(tt.optInt, f.call(name, tt.optInt, args...)) }

	require.Equal(t, "3", opt("list.first", l))
	require.Equal(t, "2", opt("list.last", l))
	require.Equal(t, "1", opt("list.get", l, vi(1)))
	require.Equal(t, "none", opt("list.get", l, vi(3)))
	require.Equal(t, "none", opt("list.get", l, vi(-1)))
	require.Equal(t, "2", opt("list.index_of", l, vi(2)))
	require.Equal(t, "none", opt("list.index_of", l, vi(9)))
	require.Equal(t, "1", opt("list.min", l))
	require.Equal(t, "3", opt("list.max", l))
	require.Equal(t, int64(6), f.call("list.sum", bytecode.IDInt, l).Int())
	require.Equal(t, int64(6), f.call("list.product", bytecode.IDInt, l).Int())
	require.True(t, f.call("list.contains", bytecode.IDBool, l, vi(2)).Bool())

	require.Equal(t, "2", opt("list.pop", l))
	f.call("list.insert", bytecode.IDUnit, l, vi(0), vi(7))
	f.call("list.insert", bytecode.IDUnit, l, vi(3), vi(8))
	require.Equal(t, "[7, 3, 1, 8]", show())
	require.Equal(t, int64(3), f.call("list.remove", bytecode.IDInt, l, vi(1)).Int())
	require.Equal(t, "[7, 1, 8]", show())
	f.call("list.extend", bytecode.IDUnit, l, l)
	require.Equal(t, "[7, 1, 8, 7, 1, 8]", show())
	f.call("list.swap", bytecode.IDUnit, l, vi(0), vi(5))
	require.Equal(t, l, f.call("list.reverse", tt.ints, l))
	require.Equal(t, "[7, 1, 7, 8, 1, 8]", show())
	require.Equal(t, l, f.call("list.sort", tt.ints, l))
	require.Equal(t, "[1, 1, 7, 7, 8, 8]", show())
	require.Equal(t, "[1, 7, 8]", f.text(tt.ints, f.call("list.unique", tt.ints, l)))
	require.Equal(t, "set(1, 7, 8)", f.text(tt.setInt, f.call("list.to_set", tt.setInt, l)))
	require.Equal(t, "[1, 1]", f.text(tt.ints, f.call("list.take", tt.ints, l, vi(2))))
	require.Equal(t, "[8]", f.text(tt.ints, f.call("list.skip", tt.ints, l, vi(5))))
	require.Equal(t, "[]", f.text(tt.ints, f.call("list.skip", tt.ints, l, vi(50))))
	require.Equal(t, "[1, 7]", f.text(tt.ints, f.call("list.slice", tt.ints, l, vi(1), vi(3))))
	f.call("list.truncate", bytecode.IDUnit, l, vi(2))
	require.Equal(t, "[1, 1]", show())
	require.Equal(t, "[1, 1, 1, 1, 1, 1]", f.text(tt.ints, f.call("list.repeat", tt.ints, l, vi(3))))
	f.call("list.fill", bytecode.IDUnit, l, vi(4))
	require.Equal(t, "[4, 4]", show())
	f.call("list.clear", bytecode.IDUnit, l)
	require.Equal(t, "[]", show())
	require.Equal(t, "none", opt("list.pop", l))
	require.Equal(t, "none", opt("list.first", l))
	require.Equal(t, "none", opt("list.min", l))
	require.Equal(t, `b"hi"`, f.text(bytecode.IDBytes, f.call("list.to_bytes", bytecode.IDBytes, f.ints(tt.ints, 104, 105))))
	require.Equal(t, "a-b-c", f.text(bytecode.IDStr, f.call("list.join", bytecode.IDStr, f.strs(tt.strs, "a", "b", "c"), vs("-"))))
	require.Equal(t, "2.5", f.text(bytecode.IDFloat, f.call("list.sum", bytecode.IDFloat, f.list(tt.floats, vf(1), vf(1.5)))))

	require.Equal(t, 3, strings.Count(f.text(tt.strs, f.call("list.repeat", tt.strs, f.strs(tt.strs, "x"), vi(3))), "x"))
	// An optional of an optional tells a none inside from the end.
	ol := f.list(tt.optInts, Value{})
	got := f.call("list.pop", tt.optOptInt, ol)
	require.NotNil(t, got.p)
	require.Nil(t, f.call("list.pop", tt.optOptInt, ol).p)

	f.throws(t, ErrIndex, "list.insert", bytecode.IDUnit, l, vi(1), vi(1))
	f.throws(t, ErrIndex, "list.remove", bytecode.IDInt, l, vi(0))
	f.throws(t, ErrIndex, "list.remove", bytecode.IDInt, l, vi(-1))
	f.throws(t, ErrIndex, "list.swap", bytecode.IDUnit, l, vi(0), vi(0))
	f.throws(t, ErrIndex, "list.slice", tt.ints, l, vi(0), vi(1))
	f.throws(t, ErrIndex, "list.slice", tt.ints, f.ints(tt.ints, 1, 2), vi(2), vi(1))
	f.throws(t, ErrValue, "list.take", tt.ints, l, vi(-1))
	f.throws(t, ErrValue, "list.repeat", tt.ints, l, vi(-1))
	f.throws(t, ErrValue, "list.truncate", bytecode.IDUnit, l, vi(-1))
	f.throws(t, ErrValue, "list.to_bytes", bytecode.IDBytes, f.ints(tt.ints, 256))
	f.throws(t, ErrValue, "list.to_bytes", bytecode.IDBytes, f.ints(tt.ints, -1))
}

func TestSorting(t *testing.T) {
	f, tt := newFixture(Limits{})
	sorted := func(id uint32, l Value) string { return f.text(id, f.call("list.sort", id, l)) }
	require.Equal(t, `["", "a", "ab", "b"]`, sorted(tt.strs, f.strs(tt.strs, "b", "ab", "", "a")))
	require.Equal(t, "[nan, -1.5, 2.0]", sorted(tt.floats, f.list(tt.floats, vf(2), vf(nan), vf(-1.5))))
	require.Equal(t, "[false, true, true]", sorted(tt.bools, f.list(tt.bools, BoolValue(true), BoolValue(false), BoolValue(true))))
	require.Equal(t, `[(1, "a"), (1, "b"), (2, "a")]`, sorted(tt.pairs, f.list(tt.pairs,
		f.object(tt.pair, vi(2), vs("a")), f.object(tt.pair, vi(1), vs("b")), f.object(tt.pair, vi(1), vs("a")))))
	require.Equal(t, "[none, 1, 2]", sorted(tt.optInts, f.list(tt.optInts, f.prog.some(tt.optInt, vi(2)), Value{}, f.prog.some(tt.optInt, vi(1)))))

	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		n := r.IntN(200)
		xs, keys := make([]Value, n), make([]Value, n)
		for i := range n {
			keys[i] = vs(fmt.Sprint(r.IntN(10)))
			xs[i] = vi(int64(i))
		}
		l, k := f.list(tt.ints, xs...), f.list(tt.strs, keys...)
		f.call("core.sort_by_keys", bytecode.IDUnit, l, k)
		want := slices.Clone(xs)
		slices.SortStableFunc(want, func(a, b Value) int { return strCompare(textOf(keys[a.Int()]), textOf(keys[b.Int()])) })
		require.Equal(t, f.text(tt.ints, f.list(tt.ints, want...)), f.text(tt.ints, l))
	}
	f.throws(t, ErrModified, "core.sort_by_keys", bytecode.IDUnit, f.ints(tt.ints, 1, 2), f.ints(tt.ints, 1))
	f.throws(t, ErrModified, "core.become", bytecode.IDUnit, f.ints(tt.ints, 1, 2), f.ints(tt.ints, 1), f.ints(tt.ints, 1))
	f.throws(t, ErrModified, "core.become", bytecode.IDUnit, f.ints(tt.ints, 1, 2), f.ints(tt.ints, 1, 3), f.ints(tt.ints, 2, 1))
}

func TestStrNatives(t *testing.T) {
	f, tt := newFixture(Limits{})
	for _, c := range []struct {
		want   string
		name   string
		result uint32
		args   []Value
	}{
		{"2", "char_count", bytecode.IDInt, []Value{vs("né")}},
		{`["n", "é", "😀"]`, "chars", tt.strs, []Value{vs("né😀")}},
		{"[110, 233]", "codes", tt.ints, []Value{vs("né")}},
		{"233", "code", bytecode.IDInt, []Value{vs("é")}},
		{`b"n\xc3\xa9"`, "bytes", bytecode.IDBytes, []Value{vs("né")}},
		{"195", "byte_at", bytecode.IDInt, []Value{vs("é"), vi(0)}},
		{`["a", "b", "", "c"]`, "lines", tt.strs, []Value{vs("a\r\nb\n\nc")}},
		{`["a"]`, "lines", tt.strs, []Value{vs("a\n")}},
		{"[]", "lines", tt.strs, []Value{vs("")}},
		{`["a", "b"]`, "fields", tt.strs, []Value{vs("  a\u2003\tb\n")}},
		{`["a", "", "b"]`, "split", tt.strs, []Value{vs("a,,b"), vs(",")}},
		{`[""]`, "split", tt.strs, []Value{vs(""), vs(",")}},
		{"a b", "trim", bytecode.IDStr, []Value{vs(" a b\n")}},
		{"a ", "trim_start", bytecode.IDStr, []Value{vs(" a ")}},
		{" a", "trim_end", bytecode.IDStr, []Value{vs(" a ")}},
		{"1.2", "trim_prefix", bytecode.IDStr, []Value{vs("v1.2"), vs("v")}},
		{"a", "trim_suffix", bytecode.IDStr, []Value{vs("a.txt"), vs(".txt")}},
		{"äß", "lower", bytecode.IDStr, []Value{vs("Äß")}},
		{"ÄB", "upper", bytecode.IDStr, []Value{vs("äb")}},
		{"true", "starts_with", bytecode.IDBool, []Value{vs("abc"), vs("ab")}},
		{"false", "ends_with", bytecode.IDBool, []Value{vs("abc"), vs("ab")}},
		{"true", "contains", bytecode.IDBool, []Value{vs("abc"), vs("b")}},
		{"2", "find", tt.optInt, []Value{vs("abcabc"), vs("c")}},
		{"none", "find", tt.optInt, []Value{vs("abc"), vs("x")}},
		{"5", "rfind", tt.optInt, []Value{vs("abcabc"), vs("c")}},
		{"2", "count", bytecode.IDInt, []Value{vs("banana"), vs("an")}},
		{"b--n--n--", "replace", bytecode.IDStr, []Value{vs("banana"), vs("a"), vs("--"), vi(-1)}},
		{"bxnxna", "replace", bytecode.IDStr, []Value{vs("banana"), vs("a"), vs("x"), vi(2)}},
		{"banana", "replace", bytecode.IDStr, []Value{vs("banana"), vs("z"), vs("x"), vi(-1)}},
		{"abababab", "repeat", bytecode.IDStr, []Value{vs("ab"), vi(4)}},
		{"", "repeat", bytecode.IDStr, []Value{vs("ab"), vi(0)}},
		{"", "repeat", bytecode.IDStr, []Value{vs(""), vi(1 << 60)}},
		{"007", "pad_left", bytecode.IDStr, []Value{vs("7"), vi(3), vs("0")}},
		{"é→→", "pad_right", bytecode.IDStr, []Value{vs("é"), vi(3), vs("→")}},
		{"abc", "pad_left", bytecode.IDStr, []Value{vs("abc"), vi(-3), vs("0")}},
		{"😀éa", "reverse", bytecode.IDStr, []Value{vs("aé😀")}},
		{"é", "slice", bytecode.IDStr, []Value{vs("né"), vi(1), vi(3)}},
		{"12", "parse", tt.optInt, []Value{vs("12")}},
		{"-12", "parse", tt.optInt, []Value{vs("-12")}},
		{"none", "parse", tt.optInt, []Value{vs("12a")}},
		{"none", "parse", tt.optInt, []Value{vs(" 12")}},
		{"none", "parse", tt.optInt, []Value{vs("9223372036854775808")}},
		{"1.5", "parse", tt.optFloat, []Value{vs("1.5")}},
		{"none", "parse", tt.optFloat, []Value{vs("0x1p4")}},
		{"255", "parse_int", tt.optInt, []Value{vs("ff"), vi(16)}},
		{"none", "parse_int", tt.optInt, []Value{vs("1_0"), vi(10)}},
		{"1e100", "parse_float", tt.optFloat, []Value{vs("1e100")}},
		{"none", "parse_float", tt.optFloat, []Value{vs("1e999")}},
		{"-1", "compare", bytecode.IDInt, []Value{vs("a"), vs("b")}},
		{`"a\n"`, "quote", bytecode.IDStr, []Value{vs("a\n")}},
		{"true", "is_digit", bytecode.IDBool, []Value{vs("123")}},
		{"false", "is_digit", bytecode.IDBool, []Value{vs("")}},
		{"true", "is_alpha", bytecode.IDBool, []Value{vs("aé")}},
		{"true", "is_space", bytecode.IDBool, []Value{vs(" \n")}},
		{"true", "is_lower", bytecode.IDBool, []Value{vs("ab1")}},
		{"false", "is_upper", bytecode.IDBool, []Value{vs("AbC")}},
	} {
		got := f.call("str."+c.name, c.result, c.args...)
		require.Equal(t, c.want, f.text(c.result, got), "%s of %s", c.name, f.text(bytecode.IDStr, c.args[0]))
	}
	str := bytecode.IDStr
	f.throws(t, ErrIndex, "str.slice", uint32(str), vs("né"), vi(0), vi(2))
	f.throws(t, ErrIndex, "str.slice", uint32(str), vs("né"), vi(2), vi(3))
	f.throws(t, ErrIndex, "str.slice", uint32(str), vs("né"), vi(0), vi(4))
	f.throws(t, ErrIndex, "str.slice", uint32(str), vs("né"), vi(-1), vi(1))
	f.throws(t, ErrIndex, "str.byte_at", bytecode.IDInt, vs("a"), vi(1))
	f.throws(t, ErrValue, "str.repeat", uint32(str), vs("a"), vi(-1))
	f.throws(t, ErrValue, "str.split", tt.strs, vs("a"), vs(""))
	f.throws(t, ErrValue, "str.replace", uint32(str), vs("a"), vs(""), vs("b"), vi(-1))
	f.throws(t, ErrValue, "str.pad_left", uint32(str), vs("a"), vi(5), vs("ab"))
	f.throws(t, ErrValue, "str.code", bytecode.IDInt, vs(""))
	f.throws(t, ErrValue, "str.parse_int", tt.optInt, vs("1"), vi(1))
}

func TestHugeResultsAreMemoryErrorsAndCostNothing(t *testing.T) {
	for _, limits := range []Limits{{Memory: 16 << 20}, {}} {
		f, tt := newFixture(limits)
		f.throws(t, ErrMemory, "str.repeat", bytecode.IDStr, vs("x"), vi(1<<40))
		f.throws(t, ErrMemory, "str.repeat", bytecode.IDStr, vs("xyz"), vi(math.MaxInt64))
		f.throws(t, ErrMemory, "bytes.repeat", bytecode.IDBytes, vb("xyz"), vi(math.MaxInt64/2))
		f.throws(t, ErrMemory, "str.pad_left", bytecode.IDStr, vs("x"), vi(math.MaxInt64), vs("é"))
		f.throws(t, ErrMemory, "list.repeat", tt.ints, f.ints(tt.ints, 1, 2, 3), vi(math.MaxInt64))
		f.throws(t, ErrMemory, "list.reserve", bytecode.IDUnit, f.ints(tt.ints), vi(math.MaxInt64))
		f.throws(t, ErrMemory, "buffer.reserve", bytecode.IDUnit, bufferValue(f, ""), vi(1<<50))
		big := strings.Repeat("a", 1<<20)
		f.throws(t, ErrMemory, "str.replace", bytecode.IDStr, vs(big), vs("a"), vs(big), vi(-1))
		require.Equal(t, int64(3), f.call("list.len", bytecode.IDInt, f.ints(tt.ints, 1, 2, 3)).Int(), "and work goes on")
	}
}

func TestBytesAndBufferNatives(t *testing.T) {
	f, tt := newFixture(Limits{})
	require.Equal(t, "104", f.text(tt.optInt, f.call("bytes.get", tt.optInt, vb("hi"), vi(0))))
	require.Equal(t, "none", f.text(tt.optInt, f.call("bytes.get", tt.optInt, vb("hi"), vi(2))))
	require.Equal(t, `[b"a", b"b"]`, f.text(tt.listOfBytes, f.call("bytes.split", tt.listOfBytes, vb("a,b"), vb(","))))
	require.Equal(t, "[104, 105]", f.text(tt.ints, f.call("bytes.to_list", tt.ints, vb("hi"))))
	require.Equal(t, "6869", f.text(bytecode.IDStr, f.call("bytes.hex", bytecode.IDStr, vb("hi"))))
	require.Equal(t, `b"\xff"`, f.text(bytecode.IDBytes, f.call("bytes.slice", bytecode.IDBytes, vb("a\xff"), vi(1), vi(2))))
	require.Equal(t, "hi", f.text(bytecode.IDStr, f.call("core.str", bytecode.IDStr, vb("hi"))))
	require.Contains(t, f.throws(t, ErrValue, "core.str", bytecode.IDStr, vb("a\xff")), "byte 1 is 0xff")

	b := bufferValue(f, "hello")
	f.call("buffer.write_bytes", bytecode.IDUnit, b, vb(" \xff"))
	f.call("buffer.push", bytecode.IDUnit, b, vi(33))
	require.Equal(t, `b"hello \xff!"`, f.text(bytecode.IDBytes, f.call("buffer.to_bytes", bytecode.IDBytes, b)))
	f.throws(t, ErrValue, "buffer.to_str", bytecode.IDStr, b)
	f.call("buffer.set", bytecode.IDUnit, b, vi(6), vi(63))
	require.Equal(t, "hello ?!", f.text(bytecode.IDStr, f.call("buffer.to_str", bytecode.IDStr, b)))
	require.Equal(t, "33", f.text(tt.optInt, f.call("buffer.get", tt.optInt, b, vi(7))))
	require.Equal(t, `b"ell"`, f.text(bytecode.IDBytes, f.call("buffer.slice", bytecode.IDBytes, b, vi(1), vi(4))))
	f.call("buffer.truncate", bytecode.IDUnit, b, vi(2))
	require.Equal(t, int64(2), f.call("buffer.len", bytecode.IDInt, b).Int())
	f.throws(t, ErrValue, "buffer.push", bytecode.IDUnit, b, vi(256))
	f.throws(t, ErrIndex, "buffer.set", bytecode.IDUnit, b, vi(2), vi(1))
	f.throws(t, ErrIndex, "buffer.slice", bytecode.IDBytes, b, vi(1), vi(3))
}

func TestMapAndSetNatives(t *testing.T) {
	f, tt := newFixture(Limits{})
	m := f.mapOf(tt.strInt, vs("a"), vi(1), vs("b"), vi(2))
	require.Equal(t, "1", f.text(tt.optInt, f.call("map.get", tt.optInt, m, vs("a"))))
	require.Equal(t, "none", f.text(tt.optInt, f.call("map.get", tt.optInt, m, vs("c"))))
	require.Equal(t, `["a", "b"]`, f.text(tt.strs, f.call("map.keys", tt.strs, m)))
	require.Equal(t, `[1, 2]`, f.text(tt.ints, f.call("map.values", tt.ints, m)))
	other := f.mapOf(tt.strInt, vs("b"), vi(3), vs("c"), vi(4))
	require.Equal(t, `{"a": 1, "b": 3, "c": 4}`, f.text(tt.strInt, f.call("map.merge", tt.strInt, m, other)))
	require.Equal(t, `{"a": 1, "b": 2}`, f.text(tt.strInt, m))
	f.call("map.update", bytecode.IDUnit, m, other)
	f.call("map.update", bytecode.IDUnit, m, m)
	require.Equal(t, `{"a": 1, "b": 3, "c": 4}`, f.text(tt.strInt, m))
	require.Equal(t, "3", f.text(tt.optInt, f.call("map.remove", tt.optInt, m, vs("b"))))
	require.Equal(t, "none", f.text(tt.optInt, f.call("map.remove", tt.optInt, m, vs("b"))))
	f.call("map.clear", bytecode.IDUnit, m)
	require.Equal(t, "{}", f.text(tt.strInt, m))

	a, b := f.setOf(tt.setInt, vi(1), vi(2), vi(3)), f.setOf(tt.setInt, vi(2), vi(3), vi(4))
	set := func(name string) string { return f.text(tt.setInt, f.call(name, tt.setInt, a, b)) }
	require.Equal(t, "set(1, 2, 3, 4)", set("set.union"))
	require.Equal(t, "set(2, 3)", set("set.intersect"))
	require.Equal(t, "set(1)", set("set.diff"))
	require.False(t, f.call("set.is_subset", bytecode.IDBool, a, b).Bool())
	require.True(t, f.call("set.add", bytecode.IDBool, a, vi(9)).Bool())
	require.False(t, f.call("set.add", bytecode.IDBool, a, vi(9)).Bool())
	require.True(t, f.call("set.remove", bytecode.IDBool, a, vi(1)).Bool())
	require.Equal(t, "[2, 3, 9]", f.text(tt.ints, f.call("set.to_list", tt.ints, a)))
}

func TestNumberNatives(t *testing.T) {
	f, tt := newFixture(Limits{})
	opt := func(name string, x, y int64) string { return f.text(tt.optInt, f.call(name, tt.optInt, vi(x), vi(y))) }
	require.Equal(t, "3", opt("int.checked_add", 1, 2))
	require.Equal(t, "none", opt("int.checked_add", math.MaxInt64, 1))
	require.Equal(t, "none", opt("int.checked_add", math.MinInt64, -1))
	require.Equal(t, "9223372036854775806", opt("int.checked_add", math.MaxInt64, -1))
	require.Equal(t, "none", opt("int.checked_sub", math.MinInt64, 1))
	require.Equal(t, "none", opt("int.checked_sub", 0, math.MinInt64))
	require.Equal(t, "-6", opt("int.checked_mul", 2, -3))
	require.Equal(t, "none", opt("int.checked_mul", math.MinInt64, -1))
	require.Equal(t, "none", opt("int.checked_mul", 1<<32, 1<<31))
	require.Equal(t, fmt.Sprint(math.MinInt64), opt("int.checked_mul", 1<<32, -1<<31))
	num := func(name string, args ...Value) int64 { return f.call(name, bytecode.IDInt, args...).Int() }
	require.Equal(t, int64(2), num("int.mod", vi(-7), vi(3)))
	require.Equal(t, int64(-2), num("int.mod", vi(7), vi(-3)))
	f.throws(t, ErrDivision, "int.mod", bytecode.IDInt, vi(1), vi(0))
	require.Equal(t, "-ff", f.text(bytecode.IDStr, f.call("int.to_base", bytecode.IDStr, vi(-255), vi(16))))
	require.Equal(t, "é", f.text(bytecode.IDStr, f.call("int.char", bytecode.IDStr, vi(233))))
	f.throws(t, ErrValue, "int.char", bytecode.IDStr, vi(0xD800))
	f.throws(t, ErrValue, "int.char", bytecode.IDStr, vi(1<<40))
	round := func(x float64, d int64) float64 { return f.call("float.round", bytecode.IDFloat, vf(x), vi(d)).Float() }
	require.Equal(t, 3.14, round(3.14159, 2))
	require.Equal(t, 1.01, round(1.005, 2))
	require.Equal(t, -3.0, round(-2.5, 0))
	require.Equal(t, 1200.0, round(1234, -2))
	require.Equal(t, 1e300, round(1e300, 5))
	require.Equal(t, 5e-324, round(5e-324, 400))
	require.Equal(t, 2.675, round(2.675, 10))
	require.Equal(t, int64(12), num("core.int", vs("12")))
	require.Contains(t, f.throws(t, ErrValue, "core.int", bytecode.IDInt, vs("1.5")), `"1.5" is not an int`)
	require.Contains(t, f.throws(t, ErrValue, "core.int", bytecode.IDInt, vs("99999999999999999999")), "does not fit")
	require.Contains(t, f.throws(t, ErrValue, "core.float", bytecode.IDFloat, vs("x")), `"x" is not a float`)
	require.Equal(t, int64(2), num("duration.round", vi(1500), vi(1000))/1000)
	f.throws(t, ErrValue, "duration.truncate", bytecode.IDDuration, vi(1500), vi(0))
}

// The accounting of the tracer must not lag behind what was charged for what
// is still reachable.
func TestTracerFindsWhatIsReachable(t *testing.T) {
	f, tt := newFixture(Limits{Memory: 1 << 30})
	live := func(roots ...Value) int64 {
		h := newHeapTracer(f.prog)
		h.roots(roots)
		return h.run()
	}
	require.Zero(t, live(Value{}, BoxInt(5), boxPtr(nil), f.variant(tt.shape, 2)))
	require.Equal(t, int64(strSize(5)), live(vs("hello")))
	n := 10_000
	chain := f.chain(tt.node, n)
	require.Equal(t, int64(n*f.prog.Types[tt.node].Layout.Size()), live(chain))
	storeField(chain.p, &f.prog.Types[tt.node].Fields[1], chain)
	require.Equal(t, int64(f.prog.Types[tt.node].Layout.Size()), live(chain, chain), "a cycle is counted once")

	charged := func(build func() Value) {
		t.Helper()
		before := f.inst.mem.Load() - f.w.credit
		v := build()
		paid := f.inst.mem.Load() - f.w.credit - before
		require.LessOrEqual(t, live(v), paid)
		require.Greater(t, live(v)*4, paid)
	}
	charged(func() Value {
		m := newMap(f.w, tt.strStr)
		for i := range 1000 {
			s := newTextOf(f.w, bytecode.IDStr, fmt.Sprint("key ", i))
			mapSet(f.w, m, pv(s), pv(s))
		}
		return pv(m)
	})
	charged(func() Value {
		l := newList(f.w, tt.lists, 0)
		for range 1000 {
			listPush(f.w, f.prog, l, f.ints(tt.ints, 1, 2, 3))
		}
		return pv(l)
	})
	charged(func() Value { return f.call("str.chars", tt.strs, vs(strings.Repeat("é", 1000))) })
}

func TestNativesChargeSteps(t *testing.T) {
	f, tt := newFixture(Limits{Steps: 200_000})
	l := newList(f.w, tt.strs, 0)
	for range 100_000 {
		listPush(f.w, f.prog, l, vs("x"))
	}
	e := caught(func() {
		for range 10 {
			f.call("list.index_of", tt.optInt, pv(l), vs("y"))
		}
	})
	require.NotNil(t, e)
	require.Equal(t, ErrSteps, e.kind)
}
