package actor_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

const manyChildren = `
import actor
enum Msg { Fail, Ping(reply: actor.Reply<int>) }
struct Worker {
  fn receive(msg: Msg, _ctx: actor.Context<Msg>) {
    match msg { Fail => throw error("a crash"), Ping(reply) => { reply.send(1) } }
  }
}
var boss: actor.Supervisor? = none
let specs: [actor.Spec<Msg>] = []
pub fn begin() { boss = actor.supervise([], max_restarts: 1 << 40, within: 1h) }
pub fn add(n: int) {
  for _ in 0..n {
    specs.push(actor.spec(|| Worker()))
    boss!.add(specs.last()!)
  }
}
pub fn crash(n: int) {
  for i in 0..n {
    specs[i].ref().tell(Fail)
    specs[i].ref().ask(Msg.Ping)
  }
}
`

// A child more and a start anew cost the same with many children as with few.
func TestManyChildrenCostNoMoreEach(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(actor.Module), runnel.WithSeed(2), runnel.WithLimits(runnel.Limits{Steps: 1 << 40}))
	prog, err := rt.Compile("children.rnl", manyChildren)
	require.NoError(t, err)
	in := prog.NewInstance()
	defer in.Close()
	require.NoError(t, in.Run(t.Context()))
	_, err = in.Call(t.Context(), "begin")
	require.NoError(t, err)
	cost := func(what string, n int) int64 {
		before := in.Usage().Steps
		_, err := in.Call(t.Context(), what, n)
		require.NoError(t, err)
		return in.Usage().Steps - before
	}
	cost("add", 20)
	few, crash := cost("add", 20), cost("crash", 20)
	cost("add", 2000)
	require.Less(t, cost("add", 20), 2*few, fmt.Sprintf("of the first: %d", few))
	require.Less(t, cost("crash", 20), 2*crash, fmt.Sprintf("among few: %d", crash))
}
