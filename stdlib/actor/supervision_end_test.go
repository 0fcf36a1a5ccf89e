package actor_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// A supervisor and its children that are ended at any moment of their beginning have
// been killed, and have not failed.
func TestWhatHasNotBegunHasNotFailed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, workers := range []int{1, 2} {
		rt := runnel.MustNew(runnel.WithModules(actor.Module), runnel.WithWorkers(workers))
		defer rt.Close()
		prog, err := rt.Compile("begins.rnl", `import actor
struct Worker { fn receive(n: int, ctx: actor.Context<int>) {} }
fn main() {
  for _ in 0..3 { actor.supervise([actor.spec(|| Worker()), actor.branch([actor.spec(|| Worker())])]) }
  actor.pool(2, || Worker())
  sleep(1h)
}
`)
		require.NoError(t, err)
		for range 300 {
			in := prog.NewInstance()
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(1500))*time.Microsecond)
			_ = in.Run(ctx)
			cancel()
			in.Close() // what has been killed meanwhile is not started again
			for _, e := range in.Unhandled() {
				require.Failf(t, "a failure", "%s %v of %s: %v", e.Kind, e, e.Actor, e.Trace)
			}
		}
	}
}
