package actor_test

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/cases"
)

// The cases of the deterministic systems of module actor are run with several workers
// and under many schedules.

func TestActorSystemsUnderManySchedules(t *testing.T) {
	cases.Each(t, "../../spec/tests/actor_system")
}

// burst queues n actions at once, which the same actor then handles.
const burst = `
import actor
struct Root { let n: int, handled: int = 0
  fn handle(msg: int, ctx: actor.SystemContext<int>) -> [actor.Action<int>]? {
    if msg < 0 { return (0..self.n).map(|i| actor.Action.Send(ctx.me(), i)) }
    assert(msg == self.handled)
    self.handled += 1
    if self.handled == self.n { [Send(ctx.output(), msg)] } else { none }
  }
}
pub fn run(n: int) -> int {
  let s = actor.system<int>(actor.sync_type("Root", |_, _| Root(n)))
  s.dispatch(-1)
  s.outputs().next()!
}
`

// origin: RK flaw 6
func TestABurstIsLinear(t *testing.T) {
	prog := cases.Script().Compile(t, burst)
	steps := func(n int) int64 {
		inst, err := prog.Start(t.Context())
		require.NoError(t, err)
		defer inst.Close()
		run, err := runnel.Bind1[int, int](inst, "run")
		require.NoError(t, err)
		last, err := run(t.Context(), n)
		require.NoError(t, err)
		require.Equal(t, n-1, last)
		return inst.Usage().Steps
	}
	few, many := steps(20_000), steps(200_000)
	require.Less(t, many, 11*few, "ten times the actions took %d steps, %d before", many, few)
}

var timing = flag.Bool("timing", false, "hold times against their bounds: for a machine that does nothing else")

// TestAMessageOfASystemTakesLessThan400ns queues a million and handles them on one worker.
func TestAMessageOfASystemTakesLessThan400ns(t *testing.T) {
	if !*timing {
		t.Skip("needs -timing, and a machine that does nothing else")
	}
	prog := cases.Script(runnel.WithWorkers(1)).Compile(t, burst)
	inst, err := prog.Start(t.Context())
	require.NoError(t, err)
	defer inst.Close()
	run, err := runnel.Bind1[int, int](inst, "run")
	require.NoError(t, err)
	for _, n := range []int{100_000, 1_000_000} {
		start := time.Now()
		_, err := run(t.Context(), n)
		require.NoError(t, err)
		require.Less(t, time.Since(start)/time.Duration(n), 400*time.Nanosecond, "%d messages", n)
	}
}
