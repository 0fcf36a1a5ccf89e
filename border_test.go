package runnel_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	stdtime "github.com/runnel-lang/runnel/stdlib/time"
)

// Everything that can cross the border, there and back.
const echoes = `
import time
pub enum Level { Low, Mid, High }
pub enum Shape { Dot, Circle(r: float), Pair(int, str) }
pub struct Leaf { name: str, size: int }
pub struct Tree { leaf: Leaf, kids: [Tree], by_name: map<str, Leaf>, tags: set<int>, note: str?, at: (int, bool) }
pub fn ints(x: int) -> int { x }
pub fn floats(x: float) -> float { x }
pub fn bools(x: bool) -> bool { x }
pub fn texts(x: str) -> str { x }
pub fn raw(x: bytes) -> bytes { x }
pub fn spans(x: duration) -> duration { x }
pub fn times(x: time.Time) -> time.Time { x }
pub fn maybe(x: int?) -> int? { x }
pub fn nested(x: int??) -> int?? { x }
pub fn lists(x: [[int]]) -> [[int]] { x }
pub fn levels(x: Level) -> Level { x }
pub fn shapes(x: Shape) -> Shape { x }
pub fn trees(x: Tree) -> Tree { x }
pub fn things(x: any) -> any { x }
`

type leaf struct {
	Name string
	Size int32
}

type tree struct {
	Leaf   leaf
	Kids   []tree
	ByName map[string]leaf
	Tags   map[uint8]struct{}
	Note   *string
	At     struct {
		N  int
		OK bool
	}
}

func echo[T any](t *testing.T, in *runnel.Instance, name string, values ...T) {
	t.Helper()
	f, err := runnel.Bind1[T, T](in, name)
	require.NoError(t, err, name)
	for _, v := range values {
		got, err := f(t.Context(), v)
		require.NoError(t, err, "%s(%v)", name, v)
		require.Equal(t, v, got, name)
	}
}

func started(t testing.TB, src string) *runnel.Instance {
	t.Helper()
	return runneltest.Runner{Name: "echoes.rnl", Modules: []*runnel.Module{stdtime.Module}}.Start(t, src)
}

func ptr[T any](x T) *T { return &x }

func TestValuesCrossTheBorderUnchanged(t *testing.T) {
	in := started(t, echoes)
	echo(t, in, "ints", 0, -1, math.MaxInt, math.MinInt)
	echo[int8](t, in, "ints", math.MinInt8, math.MaxInt8)
	echo[uint64](t, in, "ints", 0, math.MaxInt64)
	echo(t, in, "floats", 0.0, -1.5, math.Inf(1), math.MaxFloat64)
	echo[float32](t, in, "floats", 1.5, math.MaxFloat32)
	echo(t, in, "bools", true, false)
	echo(t, in, "texts", "", "häß\x00lich", "日本")
	echo(t, in, "raw", []byte{0, 255, 7})
	echo(t, in, "spans", time.Nanosecond, -time.Hour)
	echo(t, in, "times", time.Date(2026, 2, 28, 1, 2, 3, 4, time.UTC))
	echo(t, in, "maybe", nil, ptr(0), ptr(-3))
	echo(t, in, "nested", nil, ptr[*int](nil), ptr(ptr(4)))
	echo(t, in, "lists", [][]int{}, [][]int{{}, {1, 2}})
	echo(t, in, "levels", "Low", "High")
	echo(t, in, "levels", 0, 2)
	echo(t, in, "shapes", runnel.Variant{Name: "Dot"}, runnel.Variant{Name: "Pair", Values: []any{1, "x"}})
	small := tree{Kids: []tree{}, ByName: map[string]leaf{}, Tags: map[uint8]struct{}{}}
	large := tree{
		Leaf: leaf{"oak", 7}, Kids: []tree{small, small}, ByName: map[string]leaf{"a": {"b", 1}},
		Tags: map[uint8]struct{}{1: {}, 255: {}}, Note: ptr("high"),
	}
	large.At.N, large.At.OK = 5, true
	echo(t, in, "trees", small, large)
	echo[any](t, in, "things", nil, 1, 2.5, true, "s", []byte("b"), time.Second, []any{1, nil, []any{}}, map[string]any{"a": map[string]any{}})
}

func TestValuesThatDoNotFitAreErrors(t *testing.T) {
	in := started(t, echoes)
	narrow, err := runnel.Bind1[int, int8](in, "ints")
	require.NoError(t, err)
	_, err = narrow(t.Context(), 128)
	require.ErrorContains(t, err, "128 does not fit Go's int8")
	wide, err := runnel.Bind1[uint64, int](in, "ints")
	require.NoError(t, err)
	_, err = wide(t.Context(), math.MaxUint64)
	require.ErrorContains(t, err, "does not fit an int")
	level, err := runnel.Bind1[string, int](in, "levels")
	require.NoError(t, err)
	_, err = level(t.Context(), "Highest")
	require.ErrorContains(t, err, `Level has no variant "Highest"`)
	self := []any{nil}
	self[0] = self
	_, err = in.Call(t.Context(), "things", self)
	require.ErrorContains(t, err, "nested more than 1000 deep")
	_, err = runnel.Bind1[leaf, leaf](in, "trees")
	require.ErrorContains(t, err, "fields")
}

// A value that was taken from a channel and does not fit is told of; those behind it
// follow.
func TestValuesOfChannelsThatDoNotFitAreErrors(t *testing.T) {
	in := started(t, "pub fn fill(c: chan<int>) { for n in [1, 300, 2] { c.send(n) } }")
	ch, err := runnel.NewChan[int8](in, 3)
	require.NoError(t, err)
	fill, err := runnel.Bind1[*runnel.Chan[int8], struct{}](in, "fill")
	require.NoError(t, err)
	ways := map[string]func() (n int8, ok bool, err error){
		"Recv":    func() (int8, bool, error) { return ch.Recv(t.Context()) },
		"TryRecv": ch.TryRecv,
		"All": func() (n int8, ok bool, err error) {
			for n, err = range ch.All(t.Context()) {
				return n, true, err
			}
			return 0, false, nil
		},
	}
	for name, take := range ways {
		_, err = fill(t.Context(), ch)
		require.NoError(t, err)
		for _, want := range []int8{1, 0, 2} {
			n, ok, err := take()
			require.True(t, ok, name)
			if want == 0 {
				require.ErrorContains(t, err, "300 does not fit Go's int8", name)
				continue
			}
			require.NoError(t, err, name)
			require.Equal(t, want, n, name)
		}
	}
	_, ok, err := ch.TryRecv()
	require.NoError(t, err)
	require.False(t, ok)
}

// A type that does not fit leaves nothing behind that seems to.
func TestAFailedBindIsForgotten(t *testing.T) {
	in := started(t, `
pub struct Node { kids: [Node], name: str }
pub fn one(n: Node) -> int { n.kids.len() }
pub fn many(ns: [Node]) -> int { ns.len() }
`)
	type node struct {
		Kids []node
		Name int
	}
	_, err := runnel.Bind1[node, int](in, "one")
	require.ErrorContains(t, err, "field name")
	_, err = runnel.Bind1[[]node, int](in, "many")
	require.ErrorContains(t, err, "field name")
}

// What JSON can say can be held by an any.
func FuzzBorder(f *testing.F) {
	for _, s := range []string{`null`, `[1, "a", {"b": [true, null, 1.5]}]`, `{"": {}}`, `"\u0000"`} {
		f.Add(s)
	}
	in := started(f, echoes)
	f.Fuzz(func(t *testing.T, text string) {
		var x any
		if json.Unmarshal([]byte(text), &x) != nil {
			return
		}
		got, err := in.Call(t.Context(), "things", x)
		if err == nil && !reflect.DeepEqual(x, got) {
			t.Errorf("%v became %v", x, got)
		}
	})
}
