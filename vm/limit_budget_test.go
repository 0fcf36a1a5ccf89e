package vm

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// operation is a native that allocates, on arguments made afresh.
type operation struct {
	name   string
	result uint32
	args   func(f *fixture) []Value
}

func operations(tt testTypes) []operation {
	text := func(f *fixture) []Value { return []Value{vs(strings.Repeat("né x\n", 2000))} }
	ints := func(f *fixture) Value {
		l := newList(f.w, tt.ints, 0)
		for i := range 3000 {
			listPush(f.w, f.prog, l, vi(int64(i*7919%3001)))
		}
		return pv(l)
	}
	strs := func(f *fixture) Value {
		l := newList(f.w, tt.strs, 0)
		for i := range 3000 {
			listPush(f.w, f.prog, l, vs(fmt.Sprint("text ", i*7919%3001)))
		}
		return pv(l)
	}
	counts := func(f *fixture) Value {
		m := newMap(f.w, tt.strInt)
		for i := range 3000 {
			mapSet(f.w, m, vs(fmt.Sprint(i)), vi(int64(i)))
		}
		return pv(m)
	}
	set := func(f *fixture) Value {
		m := newMap(f.w, tt.setInt)
		for i := range 3000 {
			mapSet(f.w, m, vi(int64(i)), Value{})
		}
		return pv(m)
	}
	str := func(name string, result uint32, more ...Value) operation {
		return operation{"str." + name, result, func(f *fixture) []Value { return append(text(f), more...) }}
	}
	list := func(name string, result uint32, more ...Value) operation {
		return operation{"list." + name, result, func(f *fixture) []Value { return append([]Value{ints(f)}, more...) }}
	}
	const S = bytecode.IDStr
	return []operation{
		str("chars", tt.strs), str("codes", tt.ints), str("bytes", bytecode.IDBytes), str("lines", tt.strs), str("fields", tt.strs),
		str("split", tt.strs, vs("x")), str("trim", S), str("lower", S), str("upper", S), str("repeat", S, vi(10)), str("quote", S),
		str("replace", S, vs("x"), vs("yyyy"), vi(-1)), str("pad_left", S, vi(20_000), vs("é")), str("reverse", S),
		str("slice", S, vi(0), vi(6000)),
		list("copy", tt.ints), list("slice", tt.ints, vi(10), vi(2500)), list("repeat", tt.ints, vi(5)), list("sort", tt.ints),
		list("unique", tt.ints), list("to_set", tt.setInt), list("reserve", bytecode.IDUnit, vi(10_000)),
		{"list.extend", bytecode.IDUnit, func(f *fixture) []Value { return []Value{ints(f), ints(f)} }},
		{"core.joined", tt.ints, func(f *fixture) []Value { return []Value{ints(f), ints(f)} }},
		{"list.push", bytecode.IDUnit, func(f *fixture) []Value { return []Value{f.ints(tt.ints, 1, 2, 3, 4), vi(5)} }},
		{"list.insert", bytecode.IDUnit, func(f *fixture) []Value { return []Value{f.ints(tt.ints, 1, 2, 3, 4), vi(0), vi(5)} }},
		{"list.sort", tt.strs, func(f *fixture) []Value { return []Value{strs(f)} }},
		{"list.unique", tt.strs, func(f *fixture) []Value { return []Value{strs(f)} }},
		{"list.join", S, func(f *fixture) []Value { return []Value{strs(f), vs(", ")} }},
		{"core.sort_by_keys", bytecode.IDUnit, func(f *fixture) []Value { return []Value{ints(f), strs(f)} }},
		{"map.keys", tt.strs, func(f *fixture) []Value { return []Value{counts(f)} }},
		{"map.values", tt.ints, func(f *fixture) []Value { return []Value{counts(f)} }},
		{"map.copy", tt.strInt, func(f *fixture) []Value { return []Value{counts(f)} }},
		{"map.merge", tt.strInt, func(f *fixture) []Value { return []Value{counts(f), f.mapOf(tt.strInt, vs("more"), vi(1))} }},
		{"map.update", bytecode.IDUnit, func(f *fixture) []Value { return []Value{f.mapOf(tt.strInt), counts(f)} }},
		{"set.union", tt.setInt, func(f *fixture) []Value { return []Value{set(f), f.setOf(tt.setInt, vi(-1))} }},
		{"set.diff", tt.setInt, func(f *fixture) []Value { return []Value{set(f), f.setOf(tt.setInt, vi(1))} }},
		{"set.add", bytecode.IDBool, func(f *fixture) []Value {
			return []Value{f.setOf(tt.setInt, vi(1), vi(2), vi(3), vi(4), vi(5), vi(6), vi(7), vi(8)), vi(9)}
		}},
		{"buffer.write", bytecode.IDUnit, func(f *fixture) []Value { return []Value{bufferValue(f, "start"), text(f)[0]} }},
		{"bytes.to_list", tt.ints, func(f *fixture) []Value { return []Value{vb(strings.Repeat("ab", 3000))} }},
		{"bytes.split", tt.listOfBytes, func(f *fixture) []Value { return []Value{vb(strings.Repeat("ab", 3000)), vb("b")} }},
	}
}

// What a native allocates for the script it has paid for; what else Go's
// library needs meanwhile stays in proportion.
func TestNativesPayForWhatTheyAllocate(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates beside what is measured")
	}
	f, tt := newFixture(Limits{Memory: 1 << 40})
	for _, op := range operations(tt) {
		args := op.args(f)
		f.call(op.name, op.result, op.args(f)...) // fills caches of types
		var before, after runtime.MemStats
		paid := f.inst.mem.Load() - f.w.credit
		runtime.ReadMemStats(&before)
		f.call(op.name, op.result, args...)
		runtime.ReadMemStats(&after)
		paid = f.inst.mem.Load() - f.w.credit - paid
		grown := int64(after.TotalAlloc - before.TotalAlloc)
		require.LessOrEqual(t, grown, 2*paid+4096, "%s: paid %d", op.name, paid)
	}
}

// Out of memory at whichever charge: a clean error, and the arguments can
// still be printed.
func TestNativesSurviveEveryBudget(t *testing.T) {
	f, tt := newFixture(Limits{})
	unlimited := f.inst.limits
	for _, op := range operations(tt) {
		failed, passed := 0, false
		for budget := int64(1); !passed; budget += budget/3 + 8 {
			require.Less(t, budget, int64(1<<30), op.name)
			args := op.args(f)
			f.inst.limits.Memory = budget
			f.inst.mem.Store(0)
			f.w.credit = 0
			e := caught(func() { f.call(op.name, op.result, args...) })
			f.inst.limits = unlimited
			f.w.pins = f.w.pins[:0]
			if e == nil {
				passed = true
			} else {
				failed++
				require.Equal(t, ErrMemory, e.kind, op.name)
			}
			for _, a := range args {
				if a.p != nil {
					f.text((*Header)(a.p).Type, a)
				}
			}
		}
		require.Positive(t, failed, "%s costs nothing", op.name)
	}
}
