package runnel_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/reactive"
)

// Hosts that use values while what an instance holds is traced see them as they are.
func TestHostsUseValuesWhileTheyAreTraced(t *testing.T) {
	inst := begin(t, `
		import actor
		import host
		import reactive
		struct Point { x: int, y: int }
		enum Msg { Add(n: int), Get(reply: actor.Reply<int>) }
		struct Sum { n: int = 0
			fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Add(n) => { self.n += n }, Get(r) => { r.send(self.n) } } } }
		let text = "a text that stays"
		let point = Point(1, 2)
		let list = [point]
		let sum = actor.start(Sum())
		let chars = chan<str>(100)
		let failing: fn() = || throw error("fails")
		let error_kept = ValueError("kept")
		pub fn name() -> str { text }
		pub fn points() -> [Point] { list }
		pub fn same(p: Point, n: str) -> str { n }
		pub fn gives() -> any { text }
		pub fn counter() -> fn(int) -> int { add }
		pub fn chars_of() -> chan<str> { chars }
		pub fn taken() -> int { var n = 0
			while chars.len() > 0 { chars.recv(); n += 1 }
			n }
		pub fn throws() { throw error_kept }
		pub fn actor_of() -> actor.Ref<Msg> { sum }
		pub let cell = reactive.cell("a")
		pub let doubled = reactive.computed(|| cell.get() + cell.get())
		fn add(n: int) -> int { n + 1 }
	`, runnel.WithModules(actor.Module, reactive.Module), runnel.WithWorkers(2))
	ctx := t.Context()
	type Point struct{ X, Y int }
	name, err := runnel.Bind0[string](inst, "name")
	require.NoError(t, err)
	points, err := runnel.Bind0[[]Point](inst, "points")
	require.NoError(t, err)
	same, err := runnel.Bind2[Point, string, string](inst, "same")
	require.NoError(t, err)
	counter, err := runnel.Bind0[func(int) (int, error)](inst, "counter")
	require.NoError(t, err)
	actorOf, err := runnel.Bind0[*actor.Ref](inst, "actor_of")
	require.NoError(t, err)
	ref, err := actorOf(ctx)
	require.NoError(t, err)
	charsOf, err := runnel.Bind0[*runnel.Chan[string]](inst, "chars_of")
	require.NoError(t, err)
	chars, err := charsOf(ctx)
	require.NoError(t, err)
	add, err := counter(ctx)
	require.NoError(t, err)

	uses := map[string]func() bool{
		"text":    func() bool { got, err := name(ctx); return err == nil && got == "a text that stays" },
		"structs": func() bool { got, err := points(ctx); return err == nil && len(got) == 1 && got[0] == Point{1, 2} },
		"arguments": func() bool {
			got, err := same(ctx, Point{3, 4}, "n")
			return err == nil && got == "n"
		},
		"any":       func() bool { got, err := inst.Call(ctx, "gives"); return err == nil && got == "a text that stays" },
		"functions": func() bool { got, err := add(1); return err == nil && got == 2 },
		"channels": func() bool {
			sent := chars.Send(ctx, "x")
			got, ok, err := chars.Recv(ctx)
			return sent == nil && ok && err == nil && got == "x"
		},
		"errors": func() bool {
			_, err := inst.Call(ctx, "throws")
			e, ok := err.(*runnel.Error)
			return ok && e.Kind == "ValueError" && e.Message == "kept"
		},
		"actors": func() bool {
			sent := ref.Tell(ctx, runnel.Variant{Name: "Add", Values: []any{1}})
			n, err := actor.Ask(ctx, ref, func(r *actor.Reply[int]) any { return runnel.Variant{Name: "Get", Values: []any{r}} })
			return sent == nil && err == nil && n > 0
		},
		"cells": func() bool {
			cell, err := runnel.Get[*reactive.Cell[string]](inst, "cell")
			if err != nil || cell.Set(ctx, "b") != nil {
				return false
			}
			defer cell.Release()
			doubled, err := runnel.Get[*reactive.Value[string]](inst, "doubled")
			if err != nil {
				return false
			}
			defer doubled.Release()
			got, err := doubled.Get(ctx)
			return err == nil && got == "bb"
		},
		"globals": func() bool {
			f, err := runnel.Bind0[*runnel.Chan[string]](inst, "chars_of")
			if err != nil {
				return false
			}
			c, err := f(ctx)
			if err != nil {
				return false
			}
			c.Release()
			return true
		},
	}
	var over atomic.Bool
	var all sync.WaitGroup
	all.Go(func() {
		for !over.Load() {
			inst.Usage() // traces
		}
	})
	for what, use := range uses {
		all.Go(func() {
			for n := 0; !over.Load(); n++ {
				if !assert.True(t, use(), "%s, %d", what, n) {
					return
				}
			}
		})
	}
	time.Sleep(2 * time.Second)
	over.Store(true)
	all.Wait()
}
