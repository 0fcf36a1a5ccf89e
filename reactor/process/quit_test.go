package process

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A process, or what it uses, that ends the goroutine it runs on has failed, and all
// others go on.
func TestAProcessThatEndsItsGoroutine(t *testing.T) {
	step := func(name string) *machine {
		return stepping(func(_ []Event, out *StepOutput) error {
			switch name {
			case "step":
				runtime.Goexit()
			case "handler":
				out.Command(1, "exit", nil)
				out.Next = Yield
			case "upgrade":
				m := idle()
				m.init = func(context.Context, string, any) error { runtime.Goexit(); return nil }
				out.Upgrade(m, "", nil)
			case "spawn":
				m := idle()
				m.init = func(context.Context, string, any) error { runtime.Goexit(); return nil }
				_, _ = out.Spawn(m, SpawnOptions{})
			default:
				out.Done(nil)
			}
			return nil
		})
	}
	ended := map[ID]error{}
	opts := NodeOptions{OnComplete: func(pid ID, _ any, err error) { ended[pid] = err }}
	onNodes(t, opts, func(t *testing.T, n *Node) {
		n.Handle("exit", func(context.Context, Command, Reply) { runtime.Goexit() })
		for range 5 {
			for _, name := range []string{"step", "handler", "upgrade", "spawn", "close", "init"} {
				m := Process(step(name))
				switch name {
				case "close":
					m = closesOddly{m.(*machine)}
				case "init":
					m.(*machine).init = func(context.Context, string, any) error { runtime.Goexit(); return nil }
				}
				aside(t, func() { _, _ = n.Call(m, SpawnOptions{}) })
				if n.sched.Deterministic() { // nobody runs what is left but a host
					aside(t, func() { _, _ = n.Call(step("fine"), SpawnOptions{}) })
				}
				require.Eventually(t, func() bool { return n.Len() == 0 }, time.Minute, time.Millisecond, name)
				if name != "close" && name != "init" {
					require.EqualValues(t, 1, m.(*machine).closed.Load(), name)
				}
				for range 3 {
					_, err := n.Call(step("fine"), SpawnOptions{})
					require.NoError(t, err, name)
				}
				running, queued := n.sched.Active()
				require.Zero(t, running, name)
				require.Zero(t, queued, name)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		n.Close(ctx)
		require.NoError(t, ctx.Err())
	})
	failed := 0
	for _, err := range ended {
		if err != nil {
			require.ErrorIs(t, err, ErrExited)
			failed++
		}
	}
	require.NotZero(t, failed)
}

// closesOddly ends its goroutine when it is closed.
type closesOddly struct{ *machine }

func (closesOddly) Close() { runtime.Goexit() }

// aside calls a function on a goroutine of its own, which may end there.
func aside(t *testing.T, f func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f()
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("it hangs")
	}
}
