package vm_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// BenchmarkLook measures a look at actors that wait.
func BenchmarkLook(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rt := runnel.MustNew(runnel.WithModules(actor.Module))
			prog, err := rt.Compile("look.rnl", fmt.Sprintf(`import actor
struct Idle { fn receive(n: int, ctx: actor.Context<int>) {} }
let live = (0..%d).map(|_| actor.start(Idle()))
sleep(1h)
`, n))
			require.NoError(b, err)
			in := prog.NewInstance()
			ctx, cancel := context.WithCancel(b.Context())
			var run sync.WaitGroup
			run.Go(func() { in.Run(ctx) })
			for visited := int64(0); visited < int64(n)*8; { // all wait
				time.Sleep(100 * time.Millisecond)
				_, visited = in.VM().Look()
			}
			for b.Loop() {
				in.VM().Look()
			}
			cancel()
			run.Wait()
		})
	}
}
