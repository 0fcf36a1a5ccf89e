package runnel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// An address that a host has had is the key that it was; in Go the number is.
func TestAnAddressThatGoesThroughAHostIsTheSameKey(t *testing.T) {
	inst := withModule(t, actor.Module, `
import actor
struct Idle { fn receive(n: int, ctx: actor.Context<int>) {} }
let actors = (0..50).map(|_| actor.start(Idle()))
let places = actors.map(|a| (a, a.id())).to_map()
pub fn all() -> map<actor.Ref<int>, int> { places }
pub fn one(i: int) -> actor.Ref<int> { actors[i] }
pub fn place(a: actor.Ref<int>) -> int { places[a] }
pub fn same(of: map<actor.Ref<int>, int>) -> bool { of == places && of.keys().all(|a| places.has(a)) }
`)
	all, err := runnel.Bind0[map[*actor.Ref]int](inst, "all")
	require.NoError(t, err)
	one, err := runnel.Bind1[int, *actor.Ref](inst, "one")
	require.NoError(t, err)
	place, err := runnel.Bind1[*actor.Ref, int](inst, "place")
	require.NoError(t, err)
	same, err := runnel.Bind1[map[*actor.Ref]int, bool](inst, "same")
	require.NoError(t, err)

	refs, err := all(t.Context())
	require.NoError(t, err)
	require.Len(t, refs, 50)
	ok, err := same(t.Context(), refs)
	require.NoError(t, err)
	require.True(t, ok)
	byID := map[int64]*actor.Ref{}
	for r := range refs {
		byID[r.ID()] = r
	}
	for i := range 50 {
		r, err := one(t.Context(), i)
		require.NoError(t, err)
		require.Contains(t, byID, r.ID())
		found, err := actor.FindID(inst, r.ID())
		require.NoError(t, err)
		for _, r := range []*actor.Ref{r, byID[r.ID()], found} {
			n, err := place(t.Context(), r)
			require.NoError(t, err)
			require.EqualValues(t, r.ID(), n)
		}
	}
}
