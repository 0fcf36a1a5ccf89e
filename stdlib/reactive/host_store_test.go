package reactive_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/reactive"
)

const library = `
import reactive
pub let docs = reactive.store()
let title = reactive.address("lib", "of:1", path: ["title"])
docs.set(title, "On lists")
pub fn rename(to: str) { docs.set(title, to) }
pub fn same_as(other: reactive.Store) -> bool { same(docs, other) }
pub fn fill() { docs.transact(|tx| {
  tx.write(reactive.address("lib", "of:1", path: ["pages"]), 12)
  tx.write(title, "On maps")
}) }
`

func TestStoresAreReadWrittenAndHeard(t *testing.T) {
	inst := withReactive(t, library)
	ctx := t.Context()
	docs, err := runnel.Get[*reactive.Store](inst, "docs")
	require.NoError(t, err)
	first, title := reactive.At("lib", "of:1"), reactive.At("lib", "of:1", "title")
	at := func(want any, at reactive.Address) {
		t.Helper()
		x, err := docs.Get(ctx, at)
		require.NoError(t, err)
		require.Equal(t, want, x)
	}
	at("On lists", title)
	at(nil, reactive.At("lib", "of:2"))

	var titles, pages, whole record[any]
	stop, err := docs.Subscribe(ctx, title, titles.add)
	require.NoError(t, err)
	_, err = docs.Subscribe(ctx, reactive.At("lib", "of:1", "pages"), pages.add)
	require.NoError(t, err)
	_, err = docs.Subscribe(ctx, first, whole.add)
	require.NoError(t, err)
	idle := func() { t.Helper(); require.NoError(t, reactive.Idle(ctx, inst)) }
	idle()
	_, err = inst.Call(ctx, "rename", "On sets")
	require.NoError(t, err)
	idle()
	_, err = inst.Call(ctx, "fill")
	require.NoError(t, err)
	idle()
	require.NoError(t, docs.Set(ctx, title, "On maps"), "no change")
	require.NoError(t, docs.Set(ctx, first, map[string]any{"title": "On maps", "tags": []any{"a", 2.5, true}}))
	idle()
	at([]any{"a", 2.5, true}, reactive.At("lib", "of:1", "tags"))
	require.ErrorContains(t, docs.Set(ctx, title.At("x"), 1), `has no part "x"`)
	stop()
	require.NoError(t, docs.Remove(ctx, first))
	idle()
	at(nil, title)
	require.Equal(t, []any{"On lists", "On sets", "On maps"}, titles.all())
	require.Equal(t, []any{nil, 12, nil}, pages.all())
	require.Equal(t, []any{
		map[string]any{"title": "On lists"},
		map[string]any{"title": "On sets"},
		map[string]any{"title": "On maps", "pages": 12},
		map[string]any{"title": "On maps", "tags": []any{"a", 2.5, true}},
		nil,
	}, whole.all(), "a transaction is heard as a whole")

	same, err := inst.Call(ctx, "same_as", docs)
	require.NoError(t, err)
	require.Equal(t, true, same)
	require.ErrorContains(t, docs.Set(ctx, title, make(chan int)), "chan int cannot be held by an any")
	_, err = runnel.Get[*reactive.Cell[int]](inst, "docs")
	require.ErrorContains(t, err, "*reactive.Cell is not a Go type for Store")
	_, err = runnel.Get[*reactive.Store](withReactive(t, shop), "price")
	require.ErrorContains(t, err, "*reactive.Store is not a Go type for Cell<float>")
}

func BenchmarkCellsFromGo(b *testing.B) {
	rt := runnel.MustNew(runnel.WithModules(reactive.Module))
	defer rt.Close()
	prog, err := rt.Compile("shop.rnl", shop)
	require.NoError(b, err)
	inst, err := prog.Start(b.Context())
	require.NoError(b, err)
	ctx := context.Background()
	small, err := runnel.Get[*reactive.Cell[int]](inst, "small")
	require.NoError(b, err)
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			small.Get(ctx)
		}
	})
	set := func(b *testing.B) {
		n := 0
		for b.Loop() {
			n++
			small.Set(ctx, n)
		}
	}
	b.Run("set", set)
	var last atomic.Int64
	_, err = small.Subscribe(ctx, func(n int) { last.Store(int64(n)) })
	require.NoError(b, err)
	b.Run("set with a subscriber", set)
	require.NoError(b, reactive.Idle(ctx, inst))
	require.NotZero(b, last.Load())
}
