package actor_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// fragile is a process that panics where it is told to.
type fragile struct{ at string }

func (f *fragile) breaks(at string) {
	if f.at == at {
		panic("in " + at)
	}
}

func (f *fragile) Init(context.Context, string, any) error { f.breaks("Init"); return nil }
func (f *fragile) Close()                                  { f.breaks("Close") }

func (f *fragile) Step(events []process.Event, _ *process.StepOutput) error {
	for _, e := range events {
		if e.Kind == process.Message {
			f.breaks("Step")
		}
	}
	return nil
}

func TestPanicsOfActorsInGo(t *testing.T) {
	for _, row := range []struct{ at, want string }{
		{"Init", "panic: in Init: OnStart"},
		{"Step", "panic: in Step: Receive"},
		{"Close", "panic: in Close: OnStop"},
	} {
		t.Run(row.at, func(t *testing.T) {
			m := runnel.NewModule("office", "")
			actor.Offer(m, actor.Native{
				Name: "desk", Messages: []any{Question{}},
				New: func() process.Process { return &fragile{row.at} },
			})
			inst := withActors(t, `
import actor
import office
pub fn run() -> str {
  let desk = office.desk()
  desk.ask_task(|r| Question(1, r))
  while desk.queued() > 0 { sleep(1ms) }
  sleep(1ms)
  desk.stop()
  match desk.join() { Failed(e, phase, _, _, _) => "${e.message()}: ${phase}", Completed(_, _) => "completed" }
}
`, runnel.WithModules(m))
			got, err := inst.Call(t.Context(), "run")
			require.NoError(t, err)
			require.Equal(t, row.want, got)
		})
	}
}

// What a host still does with actors of an instance that is closed gives errors.
func TestActorsOfAClosedInstance(t *testing.T) {
	open := make(chan *actor.Reply[int], 1)
	inst := withDesk(t, func(e process.Event, _ *process.StepOutput) error {
		if q, ok := e.Data.(Question); ok {
			open <- q.Reply
		}
		return nil
	}, counterScript[len("\nimport actor"):]+`
pub fn desk() -> actor.Ref<office.Desk> { office.desk(name: "desk") }
`)
	ctx := t.Context()
	c := startCounter(t, inst, 10)
	deskOf, err := runnel.Bind0[*actor.Ref](inst, "desk")
	require.NoError(t, err)
	desk, err := deskOf(ctx)
	require.NoError(t, err)
	asked := make(chan error)
	go func() {
		_, err := actor.Ask(ctx, desk, func(r *actor.Reply[int]) any { return Question{1, r} })
		asked <- err
	}()
	reply := <-open
	exits := make(chan actor.Exit, 1)
	require.NoError(t, desk.Watch(func(x actor.Exit) { exits <- x }))
	inst.Close()
	require.Error(t, <-asked)
	require.Error(t, reply.Send(1))
	require.Error(t, reply.Fail(errors.New("late")))
	for _, r := range []*actor.Ref{c, desk} {
		message := any(Add{1})
		if r == desk {
			message = Question{1, reply}
		}
		require.ErrorIs(t, r.Tell(ctx, message), runnel.ErrClosed)
		sent, err := r.TryTell(message)
		require.False(t, sent)
		require.NoError(t, err)
		require.ErrorIs(t, r.Stop(), runnel.ErrClosed)
		require.ErrorIs(t, r.Kill(), runnel.ErrClosed)
		_, err = r.Join(ctx)
		require.ErrorIs(t, err, runnel.ErrClosed)
		require.ErrorIs(t, r.Watch(func(actor.Exit) {}), runnel.ErrClosed)
		_, err = actor.Ask(ctx, r, get)
		require.Error(t, err)
		require.NotEmpty(t, r.Name())
		r.Alive()
		<-r.Done()
		r.Release()
		r.Release()
	}
	_, err = actor.Find(inst, "counter")
	require.ErrorIs(t, err, runnel.ErrClosed)
	_, err = actor.DeadLetters(inst, 1)
	require.ErrorIs(t, err, runnel.ErrClosed)
}

// A host that tells more than the instance may hold is told so, and its calls end.
func TestLimitsOfActorsFromGo(t *testing.T) {
	inst := withActors(t, `
import actor
struct Keeper { let kept: [str] = []
  fn receive(text: str, ctx: actor.Context<str>) { self.kept.push(text) }
}
pub fn keeper() -> actor.Ref<str> { actor.start(Keeper(), mailbox: 4) }
`, runnel.WithLimits(runnel.Limits{Memory: 4 << 20, Tasks: 100}))
	keeperOf, err := runnel.Bind0[*actor.Ref](inst, "keeper")
	require.NoError(t, err)
	keeper, err := keeperOf(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var all sync.WaitGroup
	var told atomic.Int64
	for range 16 {
		all.Go(func() {
			for keeper.Tell(ctx, strings.Repeat("x", 10_000)) == nil {
				told.Add(1)
			}
		})
	}
	all.Wait()
	_, err = keeper.Join(ctx)
	require.ErrorContains(t, err, "the memory limit of 4 MiB is reached")
	require.Less(t, told.Load(), int64(5000), "what the host gives counts, if not to the byte")
}
