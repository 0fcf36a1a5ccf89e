package vm_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/sync"
	"github.com/runnel-lang/runnel/vm/host"
)

const orderHead = `import actor
import sync
enum Msg { Know(other: actor.Ref<Msg>), Bye }
let stopped = sync.atomic(0)
struct Node { let id: int, let others: [actor.Ref<Msg>] = []
  fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Know(other) => self.others.push(other), Bye => {} } }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) {
    for o in self.others { if !o.try_tell(Bye) { print(self.id, o.id() - 1) } }
    stopped.add(1)
  }
}
fn make(all: [actor.Ref<Msg>]) {
%s}
fn main() {
  make((0..%d).map(|id| actor.start(Node(id))))
  while stopped.load() < %d { sleep(1ms) }
  %s
}
`

// orderProgram makes a program that drops random actors that know each other, and of each
// pair of them whether the first reaches the second.
func orderProgram(seed uint64, last string) (src string, reaches [][]bool) {
	rnd := rand.New(rand.NewPCG(seed, 2))
	n := 1 + rnd.IntN(30)
	reaches = make([][]bool, n)
	for i := range reaches {
		reaches[i] = make([]bool, n)
	}
	var edges strings.Builder
	for range rnd.IntN(2 * n) {
		a, b := rnd.IntN(n), rnd.IntN(n)
		fmt.Fprintf(&edges, "  all[%d].tell(Know(all[%d]))\n", a, b)
		reaches[a][b] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reaches[i][j] = reaches[i][j] || reaches[i][k] && reaches[k][j]
			}
		}
	}
	return fmt.Sprintf(orderHead, edges.String(), n, n, last), reaches
}

// Of those that nobody can reach each stops before those that it holds, unless these
// hold it too: then all of them do at once.
func TestWhoHoldsAnotherStopsBefore(t *testing.T) {
	for seed := range *livenessSeeds * 4 {
		src, reaches := orderProgram(seed, "")
		for _, opt := range []runnel.Option{runnel.WithWorkers(2), runnel.WithSeed(seed)} {
			var out bytes.Buffer
			rt := runnel.MustNew(runnel.WithModules(actor.Module, sync.Module), runnel.WithHost(runnel.Host{Stdout: host.NewUnbufferedOutput(&out)}), opt)
			prog, err := rt.Compile("order.rnl", src)
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			require.NoErrorf(t, prog.NewInstance().Run(ctx), "seed %d", seed)
			cancel()
			for line := range strings.Lines(out.String()) {
				var a, b int
				_, err := fmt.Sscan(line, &a, &b)
				require.NoError(t, err, line)
				require.Truef(t, reaches[b][a], "seed %d: %d had stopped before %d, which it does not hold\n%s", seed, b, a, src)
			}
		}
	}
}
