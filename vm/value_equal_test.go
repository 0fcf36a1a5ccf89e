package vm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

func TestEqual(t *testing.T) {
	f, tt := newFixture(Limits{})
	buf := func(s string) Value { return bufferValue(f, s) }
	pair := func(i int64, s string) Value { return f.object(tt.pair, vi(i), vs(s)) }
	some := func(id uint32, v Value) Value { return f.prog.some(id, v) }
	for _, c := range []struct {
		want bool
		id   uint32
		a, b Value
	}{
		{true, bytecode.IDInt, vi(1), vi(1)},
		{false, bytecode.IDInt, vi(1), vi(2)},
		{false, bytecode.IDFloat, vf(nan), vf(nan)},
		{true, bytecode.IDFloat, vf(0), vf(math.Copysign(0, -1))},
		{true, bytecode.IDStr, vs("ab"), vs("ab")},
		{false, bytecode.IDStr, vs("ab"), vs("ac")},
		{true, bytecode.IDBytes, vb("ab"), vb("ab")},
		{true, tt.ints, f.ints(tt.ints, 1, 2), f.ints(tt.ints, 1, 2)},
		{false, tt.ints, f.ints(tt.ints, 1, 2), f.ints(tt.ints, 1, 3)},
		{false, tt.ints, f.ints(tt.ints, 1, 2), f.ints(tt.ints, 1)},
		{true, tt.ints, f.ints(tt.ints), f.ints(tt.ints)},
		{true, tt.floats, f.list(tt.floats, vf(0)), f.list(tt.floats, vf(math.Copysign(0, -1)))},
		{false, tt.floats, f.list(tt.floats, vf(nan)), f.list(tt.floats, vf(nan))},
		{false, tt.bools, f.list(tt.bools, BoolValue(true)), f.list(tt.bools, BoolValue(false))},
		{true, tt.lists, f.list(tt.lists, f.ints(tt.ints, 1), f.ints(tt.ints, 2)), f.list(tt.lists, f.ints(tt.ints, 1), f.ints(tt.ints, 2))},
		{false, tt.lists, f.list(tt.lists, f.ints(tt.ints, 1), f.ints(tt.ints, 2), f.ints(tt.ints)), f.list(tt.lists, f.ints(tt.ints, 1), f.ints(tt.ints, 3), f.ints(tt.ints))},
		{true, tt.pair, pair(1, "a"), pair(1, "a")},
		{false, tt.pair, pair(1, "a"), pair(1, "b")},
		{true, tt.point, f.object(tt.point, vi(1), vi(2)), f.object(tt.point, vi(1), vi(2))},
		{false, tt.point, f.object(tt.point, vi(1), vi(2)), f.object(tt.point, vi(1), vi(3))},
		{true, tt.color, vi(1), vi(1)},
		{true, tt.shape, f.variant(tt.shape, 2), f.variant(tt.shape, 2)},
		{false, tt.shape, f.variant(tt.shape, 2), f.variant(tt.shape, 0, vf(1))},
		{true, tt.shape, f.variant(tt.shape, 0, vf(1)), f.variant(tt.shape, 0, vf(1))},
		{false, tt.shape, f.variant(tt.shape, 1, vi(1), vs("x")), f.variant(tt.shape, 1, vi(1), vs("y"))},
		{true, tt.optInt, Value{}, Value{}},
		{false, tt.optInt, Value{}, some(tt.optInt, vi(0))},
		{true, tt.optInt, some(tt.optInt, vi(3)), some(tt.optInt, vi(3))},
		{false, tt.optOptInt, Value{}, some(tt.optOptInt, Value{})},
		{true, tt.optOptInt, some(tt.optOptInt, Value{}), some(tt.optOptInt, Value{})},
		{true, tt.optOptInt, some(tt.optOptInt, some(tt.optInt, vi(1))), some(tt.optOptInt, some(tt.optInt, vi(1)))},
		{true, tt.optStr, vs("a"), vs("a")},
		{false, tt.optStr, vs("a"), Value{}},
		{true, bytecode.IDAny, BoxInt(1), BoxInt(1)},
		{false, bytecode.IDAny, BoxInt(1), BoxFloat(1)},
		{false, bytecode.IDAny, boxPtr(nil), BoxInt(1)},
		{true, bytecode.IDAny, boxPtr(nil), boxPtr(nil)},
		{true, bytecode.IDAny, f.ints(tt.ints, 1), f.ints(tt.ints, 1)},
		{true, tt.strInt, f.mapOf(tt.strInt, vs("a"), vi(1), vs("b"), vi(2)), f.mapOf(tt.strInt, vs("b"), vi(2), vs("a"), vi(1))},
		{false, tt.strInt, f.mapOf(tt.strInt, vs("a"), vi(1)), f.mapOf(tt.strInt, vs("a"), vi(2))},
		{false, tt.strInt, f.mapOf(tt.strInt, vs("a"), vi(1)), f.mapOf(tt.strInt, vs("b"), vi(1))},
		{true, tt.setInt, f.setOf(tt.setInt, vi(1), vi(2)), f.setOf(tt.setInt, vi(2), vi(1))},
		{false, tt.setInt, f.setOf(tt.setInt, vi(1), vi(2)), f.setOf(tt.setInt, vi(2), vi(3))},
		{true, bytecode.IDBuffer, buf("ab"), buf("ab")},
		{false, bytecode.IDBuffer, buf("ab"), buf("ac")},
	} {
		require.Equal(t, c.want, equal(f.t, c.id, c.a, c.b), "%s: %s == %s", f.prog.Types[c.id].Name, f.text(c.id, c.a), f.text(c.id, c.b))
		require.Equal(t, c.want, equal(f.t, c.id, c.b, c.a), "the other way round")
	}
}

func TestEqualOfCyclesEnds(t *testing.T) {
	f, tt := newFixture(Limits{})
	next := &f.prog.Types[tt.node].Fields[1]
	ring := func(n int, last int64) Value {
		first := f.object(tt.node, vi(last), Value{})
		v := first
		for range n - 1 {
			v = f.object(tt.node, vi(1), v)
		}
		storeField(first.p, next, v)
		return v
	}
	require.True(t, equal(f.t, tt.node, ring(3, 1), ring(4, 1)), "both unfold to the same")
	require.False(t, equal(f.t, tt.node, ring(3, 1), ring(3, 2)))
	require.True(t, equal(f.t, tt.node, ring(10_000, 1), ring(9_999, 1)))

	l := f.list(tt.anys)
	listPush(f.w, f.prog, (*List)(l.p), l)
	k := f.list(tt.anys)
	listPush(f.w, f.prog, (*List)(k.p), k)
	require.True(t, equal(f.t, tt.anys, l, k))
}

func TestEqualComparesSharedPartsOnce(t *testing.T) {
	f, tt := newFixture(Limits{})
	tower := func(bottom int64) Value {
		l := f.list(tt.anys, BoxInt(bottom))
		for range 60 {
			l = f.list(tt.anys, l, l)
		}
		return l
	}
	require.True(t, equal(f.t, tt.anys, tower(1), tower(1)))
	require.False(t, equal(f.t, tt.anys, tower(1), tower(2)))
}

func TestEqualOfDeepStructures(t *testing.T) {
	f, tt := newFixture(Limits{})
	require.True(t, equal(f.t, tt.node, f.chain(tt.node, 300_000), f.chain(tt.node, 300_000)))
	require.False(t, equal(f.t, tt.node, f.chain(tt.node, 300_000), f.chain(tt.node, 300_001)))
	deep := func(n int) Value {
		l := f.list(tt.anys, BoxInt(1), BoxInt(2))
		for range n {
			l = f.list(tt.anys, l, BoxInt(2))
		}
		return l
	}
	require.True(t, equal(f.t, tt.anys, deep(100_000), deep(100_000)))
}

func TestEqualChargesSteps(t *testing.T) {
	f, tt := newFixture(Limits{Steps: 50_000})
	x, y := f.chain(tt.node, 200_000), f.chain(tt.node, 200_000)
	e := caught(func() { equal(f.t, tt.node, x, y) })
	require.NotNil(t, e)
	require.Equal(t, ErrSteps, e.kind)
}

func TestCompare(t *testing.T) {
	f, tt := newFixture(Limits{})
	pair := func(i int64, s string) Value { return f.object(tt.pair, vi(i), vs(s)) }
	for _, c := range []struct {
		want int
		id   uint32
		a, b Value
	}{
		{-1, bytecode.IDInt, vi(-1), vi(1)},
		{0, bytecode.IDInt, vi(1), vi(1)},
		{-1, bytecode.IDFloat, vf(1), vf(1.5)},
		{-1, bytecode.IDFloat, vf(nan), vf(math.Inf(-1))},
		{-1, bytecode.IDStr, vs("a"), vs("b")},
		{-1, bytecode.IDStr, vs("a"), vs("aa")},
		{-1, bytecode.IDBool, BoolValue(false), BoolValue(true)},
		{-1, tt.pair, pair(1, "b"), pair(2, "a")},
		{-1, tt.pair, pair(1, "a"), pair(1, "b")},
		{0, tt.pair, pair(1, "a"), pair(1, "a")},
		{-1, tt.shape, f.variant(tt.shape, 0, vf(9)), f.variant(tt.shape, 1, vi(0), vs(""))},
		{-1, tt.shape, f.variant(tt.shape, 0, vf(1)), f.variant(tt.shape, 0, vf(2))},
		{-1, tt.optInt, Value{}, f.prog.some(tt.optInt, vi(-5))},
		{-1, tt.optInt, f.prog.some(tt.optInt, vi(-5)), f.prog.some(tt.optInt, vi(5))},
	} {
		require.Equal(t, c.want, compare(f.t, c.id, c.a, c.b))
		require.Equal(t, -c.want, compare(f.t, c.id, c.b, c.a))
	}
}

func TestEqualValuesHaveEqualHashes(t *testing.T) {
	f, tt := newFixture(Limits{})
	for _, c := range []struct {
		id   uint32
		a, b Value
	}{
		{bytecode.IDFloat, vf(0), vf(math.Copysign(0, -1))},
		{bytecode.IDStr, vs("x"), vs("x")},
		{tt.pair, f.object(tt.pair, vi(1), vs("a")), f.object(tt.pair, vi(1), vs("a"))},
		{tt.shape, f.variant(tt.shape, 1, vi(1), vs("a")), f.variant(tt.shape, 1, vi(1), vs("a"))},
	} {
		require.Equal(t, hashValue(f.prog, c.id, c.a), hashValue(f.prog, c.id, c.b))
	}
	require.NotEqual(t, hashValue(f.prog, tt.pair, f.object(tt.pair, vi(1), vs("a"))), hashValue(f.prog, tt.pair, f.object(tt.pair, vi(2), vs("a"))))
}
