package actor_test

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

// A host does not wait either for a mailbox that drops messages.
func TestAMailboxThatDropsIsToldByAHost(t *testing.T) {
	inst := withModule(t, actor.Module, `
import actor
struct Slow { let gate: chan<bool>, sum: int = 0
  fn receive(n: int, ctx: actor.Context<int>) { self.gate.recv(); self.sum = 10 * self.sum + n }
}
let gate = chan<bool>()
pub fn begin(newest: bool) -> actor.Ref<int> {
  let a = actor.start(Slow(gate), mailbox: 2, overflow: if newest { DropNewest } else { DropOldest })
  a.tell(0)
  while a.queued() > 0 { yield_now() }
  a
}
pub fn open() { gate.close() }
pub fn sum(a: actor.Ref<int>) -> int {
  a.stop()
  match a.join() { Completed(last, _) => (last as Slow).sum, _ => -1 }
}
pub fn lost() -> [int] { actor.dead_letters().recent().map(|d| d.message as int) }
`)
	begin, err := runnel.Bind1[bool, *actor.Ref](inst, "begin")
	require.NoError(t, err)
	sum, err := runnel.Bind1[*actor.Ref, int](inst, "sum")
	require.NoError(t, err)
	lost, err := runnel.Bind0[[]int](inst, "lost")
	require.NoError(t, err)
	oldest, err := begin(t.Context(), false)
	require.NoError(t, err)
	newest, err := begin(t.Context(), true)
	require.NoError(t, err)
	for n := range 5 {
		require.NoError(t, oldest.Tell(t.Context(), n+1))
		require.NoError(t, newest.Tell(t.Context(), n+1))
	}
	sent, err := newest.TryTell(6)
	require.NoError(t, err)
	require.False(t, sent)
	_, err = inst.Call(t.Context(), "open")
	require.NoError(t, err)
	n, err := sum(t.Context(), oldest)
	require.NoError(t, err)
	require.Equal(t, 45, n)
	n, err = sum(t.Context(), newest)
	require.NoError(t, err)
	require.Equal(t, 12, n)
	dropped, err := lost(t.Context())
	require.NoError(t, err)
	require.ElementsMatch(t, []int{1, 2, 3, 3, 4, 5}, dropped)
	require.ErrorIs(t, oldest.Tell(t.Context(), 1), actor.ErrStopped)
}
