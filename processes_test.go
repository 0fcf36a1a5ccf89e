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
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
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

type account struct{ sum int }

func (a *account) Add(n int) int { a.sum += n; return a.sum }

type Point struct{ X, Y int }

func TestMessagesHoldTypesOfTheHost(t *testing.T) {
	bank := runnel.NewModule("bank", "")
	runnel.Type[*account](bank, runnel.Name("Account"))
	runnel.Type[Point](bank)
	rt := runnel.MustNew(runnel.WithModules(bank))
	defer rt.Close()
	prog, err := rt.Compile("messages.rnl", `
import bank
import host
pub fn next() -> str {
  match host.receive()! {
    a: bank.Account => "account ${a.add(2)}",
    p: bank.Point => "point ${p.x}",
    x => "other ${x}",
  }
}
`)
	require.NoError(t, err)
	in, err := prog.Start(t.Context())
	require.NoError(t, err)
	for _, c := range []struct {
		message any
		want    string
	}{{&account{3}, "account 5"}, {Point{5, 6}, "point 5"}, {7, "other 7"}} {
		require.NoError(t, in.Send(t.Context(), c.message))
		got, err := in.Call(t.Context(), "next")
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	require.ErrorContains(t, in.Send(t.Context(), struct{ X int }{1}), "cannot be held by an any")
}
