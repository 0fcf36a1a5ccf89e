package runnel_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

func TestProcesses(t *testing.T) {
	rt := runnel.MustNew()
	defer rt.Close()
	prog, err := rt.Compile("echo.rnl", `
import host
pub fn echo(times: int) -> int {
  for i in 0..times { if let m = host.receive() { host.emit(m) } }
  times
}
pub fn forever() { loop { sleep(1h) } }
`)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()

	a, err := rt.Spawn(ctx, prog, "echo", 2)
	require.NoError(t, err)
	b, err := rt.Spawn(ctx, prog, "forever")
	require.NoError(t, err)
	require.Equal(t, []runnel.PID{a, b}, rt.Processes())
	require.NoError(t, rt.Send(ctx, a, "one"))
	require.NoError(t, rt.Send(ctx, a, []any{2, nil}))
	var got []any
	for m := range rt.Outputs(ctx, a) {
		if got = append(got, m); len(got) == 2 {
			break
		}
	}
	require.Equal(t, []any{"one", []any{2, nil}}, got)
	v, err := rt.Wait(ctx, a)
	require.NoError(t, err)
	require.Equal(t, 2, v)

	short, stop := context.WithTimeout(ctx, 10*time.Millisecond)
	defer stop()
	_, err = rt.Wait(short, b)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, rt.Kill(b))
	_, err = rt.Wait(ctx, b)
	require.ErrorIs(t, err, context.Canceled)

	require.Empty(t, rt.Processes())
	require.ErrorIs(t, rt.Send(ctx, a, 1), runnel.ErrNoProcess)
	_, err = rt.Spawn(ctx, prog, "nosuch")
	require.ErrorContains(t, err, "no public function nosuch (it has echo, forever)")
}
