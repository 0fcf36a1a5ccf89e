package runnel_test

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// What crosses to Go and back is paid for, ends with its context, and contains no
// circle.

// bombs are values of few objects that are 2^60 in Go, by the way in which they
// are given to a host.
const bombs = `
import h
import host
struct Node { left: Node?, right: Node? }
enum Tree { Leaf, Fork(l: any, r: any) }
fn anys() -> any { var x: [any] = [1]
  for i in 0..60 { let y: [any] = [x, x]
    x = y }
  x }
fn maps() -> any { var x = map<str, any>()
  for i in 0..60 { let y: map<str, any> = {"a": x, "b": x}
    x = y }
  x }
fn nodes() -> Node { var x = Node(none, none)
  for i in 0..60 { x = Node(x, x) }
  x }
fn forks() -> any { var x: any = Tree.Leaf
  for i in 0..60 { x = Tree.Fork(x, x) }
  x }
pub let bomb = anys()
pub fn give() -> any { anys() }
pub fn give_map() -> any { maps() }
pub fn give_fork() -> any { forks() }
pub fn give_node() -> Node { nodes() }
pub fn give_task() -> any { sleep(1ms); maps() }
pub fn func() { h.take(anys()) }
pub fn blocking() { h.wait(maps()) }
pub fn many() { scope { for i in 0..50 { spawn { h.wait(maps()) } } } }
pub fn emit() { host.emit(anys()); host.emit(1) }
pub fn small() { for i in 0..1000 { host.emit(range_of(i)) } }
pub fn nothing() -> int { 1 }
fn range_of(n: int) -> any { var xs: [any] = []
  for i in 0..2000 { xs.push(i) }
  xs }
`

type bombNode struct{ Left, Right *bombNode }

func bombInstance(t *testing.T, limits runnel.Limits) *runnel.Instance {
	h := runnel.NewModule("h", "Takes things.")
	runnel.Func(h, "take", func(any) {})
	runnel.Blocking(h, "wait", func(ctx context.Context, x any) { <-ctx.Done() })
	return begin(t, bombs, runnel.WithModules(h), runnel.WithLimits(limits))
}

// peak measures by how much the heap is larger at most while f runs.
func peak(f func()) (most uint64) {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // so that what is dead hardly counts
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	measured := make(chan struct{})
	go func() {
		defer close(measured)
		for {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapInuse-min(now.HeapInuse, before.HeapInuse))
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	<-measured
	return most
}

// crossings are all ways for a value of a script to become one of Go.
func crossings(t *testing.T, in *runnel.Instance) map[string]func(ctx context.Context) error {
	ways := map[string]func(ctx context.Context) error{
		"Get": func(context.Context) error { _, err := runnel.Get[any](in, "bomb"); return err },
		"Bind": func(ctx context.Context) error {
			give, err := runnel.Bind0[bombNode](in, "give_node")
			require.NoError(t, err)
			_, err = give(ctx)
			return err
		},
		"BindFunc": func(ctx context.Context) error {
			var give func(context.Context) (any, error)
			require.NoError(t, in.BindFunc("give_map", &give))
			_, err := give(ctx)
			return err
		},
		"Drain": func(ctx context.Context) error {
			_, err := in.Call(ctx, "emit")
			require.NoError(t, err)
			got := in.Drain()
			require.Len(t, got, 2)
			assert.Equal(t, 1, got[1])
			return got[0].(error)
		},
	}
	for _, name := range []string{"give", "give_map", "give_fork", "give_task", "func", "blocking"} {
		ways[name] = func(ctx context.Context) error { _, err := in.Call(ctx, name); return err }
	}
	return ways
}

func TestASharedGraphIsPaidForWhenItBecomesAValueOfGo(t *testing.T) {
	in := bombInstance(t, runnel.Limits{Memory: 8 << 20})
	for name, cross := range crossings(t, in) {
		var err error
		most := peak(func() { err = cross(t.Context()) })
		var e *runnel.Error
		if assert.ErrorAs(t, err, &e, name) {
			assert.Equal(t, vm.ErrMemory, e.Limit, name)
		}
		assert.Less(t, most, uint64(32<<20), name)
		got, err := bombInstance(t, runnel.Limits{Memory: 8 << 20}).Call(t.Context(), "nothing")
		require.NoError(t, err)
		require.Equal(t, 1, got)
	}
}

func TestValuesOfManyTasksOnTheirWayArePaidForTogether(t *testing.T) {
	in := bombInstance(t, runnel.Limits{Memory: 16 << 20})
	most := peak(func() {
		_, err := in.Call(t.Context(), "many")
		assert.ErrorContains(t, err, "memory limit")
	})
	assert.Less(t, most, uint64(64<<20))
}

func TestValuesOnTheirWayEndWithTheContext(t *testing.T) {
	in := bombInstance(t, runnel.Limits{})
	for name, cross := range crossings(t, in) {
		if name == "Get" || name == "Drain" { // have no context
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		begun := time.Now()
		err := cross(ctx)
		cancel()
		assert.ErrorIs(t, err, context.DeadlineExceeded, name)
		assert.Less(t, time.Since(begun), time.Minute, name)
	}
}

func TestValuesOnTheirWayEndWithTheTimeOfACall(t *testing.T) {
	in := bombInstance(t, runnel.Limits{Time: 30 * time.Millisecond})
	for name, cross := range crossings(t, in) {
		begun := time.Now()
		err := cross(t.Context())
		if name != "blocking" { // its context is the task's
			assert.ErrorContains(t, err, "time limit", name)
		}
		assert.Less(t, time.Since(begun), time.Minute, name)
	}
}

func TestDrainTakesNoMoreThanTheInstanceMayHave(t *testing.T) {
	in := bombInstance(t, runnel.Limits{Memory: 8 << 20})
	_, err := in.Call(t.Context(), "small")
	if err != nil { // the messages themselves are too many
		require.ErrorContains(t, err, "memory limit")
	}
	for n, times := 0, 0; ; times++ {
		got := in.Drain()
		if len(got) == 0 {
			assert.Greater(t, n, 50)
			assert.Greater(t, times, 0)
			break
		}
		n += len(got)
	}
}

// A value may be nested so deep, to the level, whatever was converted before.
func TestTheDepthOfValuesIsExact(t *testing.T) {
	h := runnel.NewModule("h", "Takes things.")
	runnel.Func(h, "take", func(any) int { return 1 })
	runnel.Func(h, "twice", func(f func(any) (any, error), x any) (any, error) {
		if _, err := f(x); err != nil {
			return nil, err
		}
		return f(x)
	})
	runnel.Func(h, "fails", func(any) (any, error) { return complex(1, 2), nil })
	in := begin(t, `
import h
fn deep(n: int) -> any { var x: any = 1
  for i in 0..n { let y: [any] = [x]
    x = y }
  x }
let ring: [any] = []
let inner: [any] = [1, ring]
ring.push(inner)
pub fn give(n: int) -> any { deep(n) }
pub fn take(n: int) -> int { h.take(deep(n)) }
pub fn give_ring() -> any { ring }
pub fn take_ring() -> int { var n = 0
  for i in 0..20 { try { n += h.take(ring) } catch e { n += 100 } }
  n }
pub fn half() -> int { var n = 0
  for i in 0..20 { try { h.take([deep(20), chan<int>(1)]) } catch e { n += 1 }
    try { h.fails(1) } catch e { n += 1 } }
  n }
pub fn back(n: int) -> any { h.twice(|x: any| h.twice(|y: any| y, x), deep(n)) }
pub fn same(x: any) -> any { x }
`, runnel.WithModules(h))
	disturb := map[string]func(){
		"nothing": func() {},
		"a ring": func() {
			got, err := in.Call(t.Context(), "take_ring")
			require.NoError(t, err)
			require.Equal(t, 2000, got)
			_, err = in.Call(t.Context(), "give_ring")
			require.ErrorContains(t, err, "contains itself")
		},
		"an error half-way": func() {
			got, err := in.Call(t.Context(), "half")
			require.NoError(t, err)
			require.Equal(t, 40, got)
		},
		"a native that calls back": func() {
			_, err := in.Call(t.Context(), "back", 10)
			require.NoError(t, err)
		},
		"a ring of Go": func() {
			list := []any{1, nil}
			list[1] = list
			object := map[string]any{}
			object["self"] = []any{object}
			type rec []rec
			self := rec{nil}
			self[0] = self
			for _, x := range []any{list, object, self} {
				_, err := in.Call(t.Context(), "same", x)
				require.ErrorContains(t, err, "contains itself")
			}
		},
	}
	for name, f := range disturb {
		f()
		for _, fn := range []string{"give", "take", "back"} {
			_, err := in.Call(t.Context(), fn, 1000)
			require.NoError(t, err, "%s after %s", fn, name)
			_, err = in.Call(t.Context(), fn, 1001)
			require.ErrorContains(t, err, "more than 1000 deep", "%s after %s", fn, name)
		}
	}
}

// What a host gives is paid for before it is made.
func TestValuesOfGoArePaidFor(t *testing.T) {
	in := begin(t, `
pub struct Node { left: Node?, right: Node? }
pub fn text(x: str) -> int { x.len() }
pub fn raw(x: bytes) -> int { x.len() }
pub fn ints(x: [int]) -> int { x.len() }
pub fn thing(x: any) -> int { 1 }
pub fn node(x: Node) -> int { 1 }
pub fn send(c: chan<str>) { c.send("x") }
`, runnel.WithLimits(runnel.Limits{Memory: 8 << 20}))
	long, data, ints := strings.Repeat("ä", 50<<20), make([]byte, 100<<20), make([]int, 12<<20)
	var x any = 1
	node := &bombNode{}
	for range 60 {
		x, node = []any{x, x}, &bombNode{node, node}
	}
	ch, err := runnel.NewChan[string](in, 10)
	require.NoError(t, err)
	text, err := runnel.Bind1[string, int](in, "text")
	require.NoError(t, err)
	ways := map[string]func() error{
		"text": func() error { _, err := text(t.Context(), long); return err },
		"send": func() error { return ch.Send(t.Context(), long) },
	}
	for name, arg := range map[string]any{"raw": data, "ints": ints, "thing": x, "node": *node} {
		ways[name] = func() error { _, err := in.Call(t.Context(), name, arg); return err }
	}
	for name, f := range ways {
		var err error
		most := peak(func() { err = f() })
		assert.ErrorContains(t, err, "memory limit", name)
		assert.Less(t, most, uint64(16<<20), name)
	}
	n, err := text(t.Context(), "ab")
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Less(t, in.Usage().Memory, int64(1<<20), "nothing is left of what was refused")
}

// A value of a hundred megabytes heeds the context, there and back.
func TestALargeValueHeedsTheContext(t *testing.T) {
	in := begin(t, `
let ints: [int] = []
for i in 0..12_000_000 { ints.push(i) }
pub fn give() -> [int] { ints }
pub fn take(x: any) -> int { 1 }
pub fn raw(x: str) -> int { 1 }
`)
	give, err := runnel.Bind0[[]int8](in, "give")
	require.NoError(t, err)
	values, text := make([]int, 6_000_000), strings.Repeat("日", 33<<20)
	for name, f := range map[string]func(ctx context.Context) error{
		"out":  func(ctx context.Context) error { _, err := in.Call(ctx, "give"); return err },
		"in":   func(ctx context.Context) error { _, err := in.Call(ctx, "take", values); return err },
		"text": func(ctx context.Context) error { _, err := in.Call(ctx, "raw", text); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		begun := time.Now()
		err := f(ctx)
		cancel()
		assert.ErrorIs(t, err, context.DeadlineExceeded, name)
		assert.Less(t, time.Since(begun), time.Minute, name)
	}
	_, err = give(t.Context())
	require.ErrorContains(t, err, "128 does not fit")
}

// loud is an error that cannot say what it is.
type loud struct{}

func (loud) Error() string { panic("no text") }

// What a host panics with, or gives as an error, is told in a bounded text.
func TestWhateverAHostPanicsWith(t *testing.T) {
	ring := map[string]any{}
	ring["ring"] = ring
	list := []any{nil}
	list[0] = list
	values := []any{"text", 7, errors.New("an error"), ring, list, &ring, strings.Repeat("x", 64<<20), loud{}, func() {}, struct{ x any }{ring}, make([]int, 1<<20)}
	h := runnel.NewModule("h", "Panics.")
	runnel.Func(h, "func", func(i int) (int, error) { panic(values[i]) })
	runnel.Blocking(h, "blocking", func(i int) (int, error) { panic(values[i]) })
	runnel.Func(h, "gives", func() (int, error) { return 0, loud{} })
	in := begin(t, `
import h
pub fn func(i: int) -> str { try { str(h.func(i)) } catch e { e.message() } }
pub fn blocking(i: int) -> str { try { str(h.blocking(i)) } catch e { e.message() } }
pub fn gives() -> str { try { str(h.gives()) } catch e { e.message() } }
`, runnel.WithModules(h), runnel.WithLimits(runnel.Limits{Memory: 1 << 20}))
	for i := range values {
		for _, name := range []string{"func", "blocking"} {
			got, err := in.Call(t.Context(), name, i)
			require.NoError(t, err, "%T", values[i])
			require.Contains(t, got, "panic: ", "%T", values[i])
			require.Less(t, len(got.(string)), 5000)
		}
	}
	got, err := in.Call(t.Context(), "func", 1)
	require.NoError(t, err)
	require.Equal(t, "panic: 7", got)
	got, err = in.Call(t.Context(), "func", 3)
	require.NoError(t, err)
	require.Equal(t, "panic: (map[string]interface {})", got)
	got, err = in.Call(t.Context(), "gives")
	require.NoError(t, err)
	require.Contains(t, got, "cannot say what it is")
}
