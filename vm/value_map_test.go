package vm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// model is what a map must behave like: a Go map and the order of insertion.
type model struct {
	vals map[string]int64
	keys []string
}

func (m *model) set(k string, v int64) (inserted bool) {
	if _, ok := m.vals[k]; !ok {
		m.keys = append(m.keys, k)
		inserted = true
	}
	m.vals[k] = v
	return inserted
}

func (m *model) remove(k string) (int64, bool) {
	v, ok := m.vals[k]
	if ok {
		delete(m.vals, k)
		for i := range m.keys {
			if m.keys[i] == k {
				m.keys = append(m.keys[:i], m.keys[i+1:]...)
				break
			}
		}
	}
	return v, ok
}

// keyMakers make the key of a number for each kind of key.
func keyMakers(f *fixture, tt testTypes) map[uint32]func(n int) Value {
	return map[uint32]func(n int) Value{
		tt.intInt:   func(n int) Value { return vi(int64(n)) },
		tt.strInt:   func(n int) Value { return vs(fmt.Sprint("key", n)) },
		tt.floatInt: func(n int) Value { return vf(float64(n) / 4) },
		tt.pairInt:  func(n int) Value { return f.object(tt.pair, vi(int64(n/2)), vs(fmt.Sprint(n%2))) },
		tt.shapeInt: func(n int) Value {
			switch n {
			case 0:
				return f.variant(tt.shape, 2)
			case 1:
				return f.variant(tt.shape, 1, vi(1), vs("n"))
			}
			return f.variant(tt.shape, 0, vf(float64(n)))
		},
	}
}

// run interprets bytes as operations on a map and its model.
func runMapModel(t *testing.T, f *fixture, tt testTypes, id uint32, ops []byte) {
	key := keyMakers(f, tt)[id]
	name := func(k Value) string { return f.text(f.prog.Types[id].Key, k) }
	v := f.mapOf(id)
	m := (*Map)(v.p)
	want := model{vals: map[string]int64{}}
	for i := 0; i+1 < len(ops); i += 2 {
		k := key(int(ops[i+1]))
		version := mapVersion(m)
		switch op := ops[i]; {
		case op < 120:
			inserted := mapSet(f.w, m, k, vi(int64(i)))
			require.Equal(t, want.set(name(k), int64(i)), inserted)
			require.Equal(t, inserted, version != mapVersion(m))
		case op < 200:
			got, ok := mapRemove(f.w, m, k)
			v, wantOK := want.remove(name(k))
			require.Equal(t, wantOK, ok)
			require.Equal(t, v, got.Int())
			require.Equal(t, ok, version != mapVersion(m))
		case op < 250:
			got, ok := mapGet(f.w, m, k)
			v, wantOK := want.vals[name(k)]
			require.Equal(t, wantOK, ok)
			require.Equal(t, v, got.Int())
		case op < 254:
			c := mapCopy(f.w, id, m)
			require.Equal(t, f.text(id, v), f.text(id, pv(c)))
			require.True(t, equal(f.t, id, v, pv(c)))
		default:
			mapClear(f.w, m)
			want = model{vals: map[string]int64{}}
		}
		require.Equal(t, len(want.keys), mapLen(m))
	}
	var keys []string
	pos := 0
	for {
		next, k, val, ok := mapNext(m, pos)
		if !ok {
			break
		}
		require.Equal(t, want.vals[name(k)], val.Int())
		keys = append(keys, name(k))
		pos = next
	}
	require.Equal(t, append([]string{}, want.keys...), append([]string{}, keys...))
}

func TestMapBehavesLikeItsModel(t *testing.T) {
	f, tt := newFixture(Limits{})
	r := rand.New(rand.NewPCG(1, 2))
	for id := range keyMakers(f, tt) {
		for range 60 {
			ops := make([]byte, 2*r.IntN(1000))
			span := 1 + r.IntN(256)
			for i := range ops {
				ops[i] = byte(r.IntN(256))
				if i%2 == 1 {
					ops[i] = byte(r.IntN(span))
				}
			}
			runMapModel(t, f, tt, id, ops)
		}
	}
}

func FuzzMap(fz *testing.F) {
	fz.Add([]byte{0, 1, 0, 2, 130, 1, 0, 3, 255, 0, 0, 1})
	fz.Fuzz(func(t *testing.T, ops []byte) {
		f, tt := newFixture(Limits{})
		for id := range keyMakers(f, tt) {
			runMapModel(t, f, tt, id, ops)
		}
	})
}

func TestMapOfManyEntries(t *testing.T) {
	f, tt := newFixture(Limits{})
	m := newMap(f.w, tt.intInt)
	const n = 200_000
	for i := range uint64(n) {
		mapSet(f.w, m, Value{n: i * 8}, vi(int64(i)))
	}
	require.Equal(t, n, mapLen(m))
	for i := range uint64(n) {
		v, ok := mapGet(f.w, m, Value{n: i * 8})
		require.True(t, ok)
		require.Equal(t, int64(i), v.Int())
		_, ok = mapGet(f.w, m, Value{n: i*8 + 1})
		require.False(t, ok)
	}
	for i := range n - 5 {
		_, ok := mapRemove(f.w, m, vi(int64(i)*8))
		require.True(t, ok)
	}
	require.Equal(t, "{1599960: 199995, 1599968: 199996, 1599976: 199997, 1599984: 199998, 1599992: 199999}", f.text(tt.intInt, pv(m)))
}

func TestMapUsedAsAQueueKeepsItsSize(t *testing.T) {
	f, tt := newFixture(Limits{})
	m := newMap(f.w, tt.intInt)
	for i := range int64(100_000) {
		mapSet(f.w, m, vi(i), vi(i))
		if i >= 10 {
			_, k, _, ok := mapNext(m, 0)
			require.True(t, ok)
			require.Equal(t, i-10, k.Int())
			mapRemove(f.w, m, k)
		}
	}
	require.LessOrEqual(t, int(m.t.cap), 32)
}

func TestFloatKeys(t *testing.T) {
	f, tt := newFixture(Limits{})
	m := (*Map)(f.mapOf(tt.floatInt, vf(0), vi(1)).p)
	v, ok := mapGet(f.w, m, vf(math.Copysign(0, -1)))
	require.True(t, ok)
	require.Equal(t, int64(1), v.Int())
	require.False(t, mapSet(f.w, m, vf(math.Copysign(0, -1)), vi(2)))
	require.Equal(t, "{0.0: 2}", f.text(tt.floatInt, pv(m)))
	e := caught(func() { mapSet(f.w, m, vf(nan), vi(1)) })
	require.Equal(t, ErrValue, e.kind)
}

func TestMapValuesOfEveryRepresentation(t *testing.T) {
	f, tt := newFixture(Limits{})
	require.Equal(t, `{1: "a", 2: "b"}`, f.text(tt.intStr, f.mapOf(tt.intStr, vi(1), vs("a"), vi(2), vs("b"))))
	require.Equal(t, `{"a": "b"}`, f.text(tt.strStr, f.mapOf(tt.strStr, vs("a"), vs("b"))))
	require.Equal(t, `{1: 2.5, 2: "x", 3: none}`, f.text(tt.intAny, f.mapOf(tt.intAny, vi(1), BoxFloat(2.5), vi(2), vs("x"), vi(3), boxPtr(nil))))
	require.Equal(t, `{"a": none}`, f.text(tt.strOpt, f.mapOf(tt.strOpt, vs("a"), Value{})))
	require.Equal(t, `{Green: 1}`, f.text(tt.colorInt, f.mapOf(tt.colorInt, vi(1), vi(1))))
}

// The register of a scalar may have a stale pointer word, that of a reference
// a stale number word: neither may count.
func TestMapIgnoresStaleHalves(t *testing.T) {
	f, tt := newFixture(Limits{})
	stale := newStrOf(bytecode.IDStr, "stale")
	m := newMap(f.w, tt.intInt)
	mapSet(f.w, m, Value{p: ptr(stale), n: 1}, Value{p: ptr(stale), n: 2})
	v, ok := mapGet(f.w, m, vi(1))
	require.True(t, ok)
	require.Equal(t, vi(2), v)
	m = newMap(f.w, tt.strStr)
	mapSet(f.w, m, Value{p: vs("k").p, n: 7}, Value{p: vs("v").p, n: 8})
	v, ok = mapGet(f.w, m, vs("k"))
	require.True(t, ok)
	require.Equal(t, "v", textOf(v).String())
	require.Zero(t, v.n)
}

func TestMapChargesBeforeItGrows(t *testing.T) {
	f, tt := newFixture(Limits{Memory: 1 << 20})
	m := newMap(f.w, tt.intInt)
	f.inst.globalList[0] = pv(m)
	i := int64(0)
	e := caught(func() {
		for {
			mapSet(f.w, m, vi(i), vi(i))
			i++
		}
	})
	require.Equal(t, ErrMemory, e.kind)
	require.Equal(t, int(i), mapLen(m), "the entry that did not fit left no trace")
	require.Greater(t, i, int64(4000))
	for k := range i {
		v, ok := mapGet(f.w, m, Value{n: uint64(k)})
		require.True(t, ok)
		require.Equal(t, k, v.Int())
	}
}

func BenchmarkMap(b *testing.B) {
	const n = 64 << 10
	f, tt := newFixture(Limits{})
	ints := newMap(f.w, tt.intInt)
	strs := newMap(f.w, tt.strInt)
	keys := make([]*Str, n)
	order := rand.Perm(n)
	words := make([]uint64, n)
	for i := range n {
		keys[i] = newStrOf(bytecode.IDStr, fmt.Sprint("key", i))
		mapSet(f.w, ints, Value{n: uint64(i)}, vi(int64(i)))
		mapSet(f.w, strs, pv(keys[i]), vi(int64(i)))
	}
	shuffled := make([]*Str, n)
	for i, j := range order {
		shuffled[i], words[i] = keys[j], uint64(j)
	}
	b.Run("get int", func(b *testing.B) {
		for i := range b.N {
			mapGet(f.w, ints, Value{n: words[i&(n-1)]})
		}
	})
	b.Run("get int of few", func(b *testing.B) {
		few := newMap(f.w, tt.intInt)
		for i := range uint64(64) {
			mapSet(f.w, few, Value{n: i}, vi(1))
		}
		for i := range b.N {
			mapGet(f.w, few, Value{n: words[i&(n-1)] & 63})
		}
	})
	b.Run("get missing int", func(b *testing.B) {
		for i := range b.N {
			mapGet(f.w, ints, Value{n: words[i&(n-1)] + n})
		}
	})
	b.Run("set int", func(b *testing.B) {
		for i := range b.N {
			mapSet(f.w, ints, Value{n: words[i&(n-1)]}, Value{n: 1})
		}
	})
	b.Run("get str in order", func(b *testing.B) {
		for i := range b.N {
			mapGet(f.w, strs, pv(keys[i&(n-1)]))
		}
	})
	b.Run("get str shuffled", func(b *testing.B) {
		for i := range b.N {
			mapGet(f.w, strs, pv(shuffled[i&(n-1)]))
		}
	})
	b.Run("get str of few", func(b *testing.B) {
		few := newMap(f.w, tt.strInt)
		for i := range 64 {
			mapSet(f.w, few, pv(keys[i]), vi(1))
		}
		for i := range b.N {
			mapGet(f.w, few, pv(keys[i&63]))
		}
	})
	b.Run("get tuple of few", func(b *testing.B) {
		few := newMap(f.w, tt.pairInt)
		pairs := make([]Value, 64)
		for i := range pairs {
			pairs[i] = f.object(tt.pair, vi(int64(i)), pv(keys[i]))
			mapSet(f.w, few, f.object(tt.pair, vi(int64(i)), pv(keys[i])), vi(1))
		}
		b.ReportAllocs()
		for i := range b.N {
			mapGet(f.w, few, pairs[i&63])
		}
	})
	b.Run("insert int", func(b *testing.B) {
		for i := range b.N {
			if i%n == 0 {
				ints = newMap(f.w, tt.intInt)
			}
			mapSet(f.w, ints, Value{n: words[i&(n-1)]}, Value{n: 1})
		}
	})
	b.Run("go map get int", func(b *testing.B) {
		m := map[uint64]uint64{}
		for i := range uint64(n) {
			m[i] = i
		}
		s := uint64(0)
		for i := range b.N {
			s += m[words[i&(n-1)]]
		}
	})
}
