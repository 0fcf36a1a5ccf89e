package runnel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// A script and its host that call each other without end come to a limit: each
// call inside of another takes of one stack of Go, which ends the process.
func TestCallsInsideOfCallsAreBounded(t *testing.T) {
	var inst *runnel.Instance
	deepest := 0
	m := runnel.NewModule("game", "Calls back.")
	runnel.Func(m, "again", func(ctx context.Context, n int) (int, error) {
		deepest = max(deepest, n)
		f, err := runnel.Bind1[int, int](inst, "f")
		if err != nil {
			return 0, err
		}
		return f(ctx, n+1)
	})
	rt, err := runnel.New(runnel.WithModules(m))
	require.NoError(t, err)
	p, err := rt.Compile("main.rnl", "import game\npub fn f(n: int) -> int { game.again(n) }")
	require.NoError(t, err)
	inst, err = p.Start(t.Context())
	require.NoError(t, err)
	defer inst.Close()
	f, err := runnel.Bind1[int, int](inst, "f")
	require.NoError(t, err)
	_, err = f(t.Context(), 0)
	require.ErrorIs(t, err, vm.ErrTooDeep)
	require.Greater(t, deepest, 1000)
	deepest = 0 // all are home again
	_, err = f(t.Context(), 0)
	require.ErrorIs(t, err, vm.ErrTooDeep)
	require.Greater(t, deepest, 1000)
}
