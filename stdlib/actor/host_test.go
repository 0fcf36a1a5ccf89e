package actor_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// counterScript is an actor that counts, and the ways in which its host comes by it.
const counterScript = `
import actor
enum Msg {
  Add(by: int), Get(reply: actor.Reply<int>), Double(n: float, reply: actor.Reply<float>),
  Fail(text: str), Wait, Drop(reply: actor.Reply<int>),
}
struct Counter { n: int = 0
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Add(by) => { self.n += by }
      Get(reply) => { reply.send(self.n) }
      Double(x, reply) => { reply.send(2.0 * x) }
      Fail(text) => throw error(text)
      Wait => sleep(1h)
      Drop(_) => {}
    }
  }
}
pub fn begin(room: int) -> actor.Ref<Msg> { actor.start(Counter(), name: "counter", mailbox: room) }
pub fn through(c: actor.Ref<Msg>) -> int { c.ask(Msg.Get) }
pub fn alive() -> bool { actor.find<Msg>("counter").is_some() }

enum Plain { On, Off }
struct Lamp { on: bool = false
  fn receive(msg: Plain, ctx: actor.Context<Plain>) { self.on = msg == Plain.On }
}
pub fn lamp() -> actor.Ref<Plain> { actor.start(Lamp()) }
`

// withActors starts a script; at the end of the test nothing of it may be left.
func withActors(t *testing.T, src string, opts ...runnel.Option) *runnel.Instance {
	t.Helper()
	return withModule(t, actor.Module, src, opts...)
}

func withModule(t *testing.T, module *runnel.Module, src string, opts ...runnel.Option) *runnel.Instance {
	t.Helper()
	leaktest.Check(t)
	return runneltest.Runner{Modules: []*runnel.Module{module}, Options: opts}.Start(t, src)
}

func startCounter(t *testing.T, inst *runnel.Instance, room int) *actor.Ref {
	t.Helper()
	begin, err := runnel.Bind1[int, *actor.Ref](inst, "begin")
	require.NoError(t, err)
	ref, err := begin(t.Context(), room)
	require.NoError(t, err)
	return ref
}

// Add and Get are messages of the counter as structs of Go.
type (
	Add struct{ By int }
	Get struct{ Reply *actor.Reply[int] }
)

func get(r *actor.Reply[int]) any { return Get{r} }

func variant(name string, values ...any) runnel.Variant {
	return runnel.Variant{Name: name, Values: values}
}

func TestActorsAreToldAndAsked(t *testing.T) {
	inst := withActors(t, counterScript)
	ctx := t.Context()
	c := startCounter(t, inst, 10)
	require.Equal(t, "counter#1", c.Name())
	require.True(t, c.Alive())

	require.NoError(t, c.Tell(ctx, variant("Add", 5)))
	require.NoError(t, c.Tell(ctx, Add{By: 2}))
	n, err := actor.Ask(ctx, c, func(r *actor.Reply[int]) any { return variant("Get", r) })
	require.NoError(t, err)
	require.Equal(t, 7, n)
	n, err = actor.Ask(ctx, c, get)
	require.NoError(t, err)
	require.Equal(t, 7, n)
	x, err := actor.Ask(ctx, c, func(r *actor.Reply[float64]) any { return variant("Double", 1.25, r) })
	require.NoError(t, err)
	require.Equal(t, 2.5, x)

	byName, err := actor.Find(inst, "counter")
	require.NoError(t, err)
	byID, err := actor.FindID(inst, c.ID())
	require.NoError(t, err)
	require.Equal(t, c.ID(), byName.ID())
	n, err = actor.Ask(ctx, byID, get)
	require.NoError(t, err)
	require.Equal(t, 7, n)
	through, err := runnel.Bind1[*actor.Ref, int](inst, "through")
	require.NoError(t, err)
	n, err = through(ctx, byName)
	require.NoError(t, err)
	require.Equal(t, 7, n)

	lamp, err := inst.Call(ctx, "lamp")
	require.NoError(t, err)
	require.NoError(t, lamp.(*actor.Ref).Tell(ctx, "On"))
	require.ErrorContains(t, lamp.(*actor.Ref).Tell(ctx, "Dim"), `actor#2 takes messages of type Plain: Plain has no variant "Dim"`)
	_, err = inst.Call(ctx, "through", lamp)
	require.ErrorContains(t, err, "actor#2 takes other messages than a Ref<Msg>")
	_, err = actor.Find(inst, "nobody")
	require.ErrorIs(t, err, actor.ErrNotFound)
}

func TestMessagesOfTheWrongType(t *testing.T) {
	inst := withActors(t, counterScript)
	c := startCounter(t, inst, 10)
	for _, row := range []struct {
		message any
		text    string
	}{
		{5, "int is not a Go type for Msg"},
		{nil, "nil is none"},
		{variant("Sub", 1), `Msg has no variant "Sub"`},
		{variant("Add", "five"), "string is not a Go type for int"},
		{variant("Add"), "Msg.Add has 1 values, 0 given"},
		{struct{ By int }{1}, "is not a Go type for Msg"},
		{Sub{1}, "Msg has no variant Sub"},
	} {
		err := c.Tell(t.Context(), row.message)
		require.ErrorContains(t, err, row.text)
		require.ErrorContains(t, err, "actor: counter#1 takes messages of type Msg")
		_, err = c.TryTell(row.message)
		require.ErrorContains(t, err, row.text)
	}
	_, err := actor.Ask(t.Context(), c, func(r *actor.Reply[string]) any { return variant("Get", r) })
	require.ErrorContains(t, err, "string is not a Go type for int")
	_, err = actor.Ask(t.Context(), c, func(*actor.Reply[int]) any { return variant("Add", 1) })
	require.ErrorContains(t, err, "the message for counter#1 has no place for the answer")
	n, err := actor.Ask(t.Context(), c, get)
	require.NoError(t, err)
	require.Zero(t, n, "none of them has arrived")
}

// Sub is no message of the counter.
type Sub struct{ By int }

func TestHowActorsEndForTheirHost(t *testing.T) {
	inst := withActors(t, counterScript)
	ctx := t.Context()
	end := func(how func(*actor.Ref)) (actor.Exit, *actor.Ref) {
		c := startCounter(t, inst, 10)
		exits, done := make(chan actor.Exit, 1), c.Done()
		require.NoError(t, c.Watch(func(x actor.Exit) { exits <- x }))
		how(c)
		exit, err := c.Join(ctx)
		require.NoError(t, err)
		<-done
		require.Equal(t, exit, <-exits)
		require.False(t, c.Alive())
		require.Equal(t, c.ID(), exit.ID)
		require.ErrorIs(t, c.Tell(ctx, Add{1}), actor.ErrStopped)
		sent, err := c.TryTell(Add{1})
		require.NoError(t, err)
		require.False(t, sent)
		_, err = actor.Ask(ctx, c, get)
		require.ErrorIs(t, err, actor.ErrStopped)
		return exit, c
	}
	exit, _ := end(func(c *actor.Ref) { require.NoError(t, c.Stop()) })
	require.NoError(t, exit.Err)
	require.False(t, exit.Killed)
	exit, _ = end(func(c *actor.Ref) {
		require.NoError(t, c.Tell(ctx, variant("Wait")))
		require.NoError(t, c.Kill())
	})
	require.NoError(t, exit.Err)
	require.True(t, exit.Killed)
	exit, _ = end(func(c *actor.Ref) {
		_, err := actor.Ask(ctx, c, func(r *actor.Reply[int]) any { return variant("Drop", r) })
		require.ErrorIs(t, err, actor.ErrStopped, "nobody can answer any more")
		require.NoError(t, c.Tell(ctx, variant("Fail", "asked to")))
	})
	require.ErrorContains(t, exit.Err, "asked to")
	var e *runnel.Error
	require.ErrorAs(t, exit.Err, &e)
	require.Equal(t, "asked to", e.Message)
	require.Empty(t, inst.Unhandled())
}

func TestWaitingForActorsEndsWithTheContext(t *testing.T) {
	inst := withActors(t, counterScript)
	c := startCounter(t, inst, 1)
	require.NoError(t, c.Tell(t.Context(), variant("Wait")))
	require.Eventually(t, func() bool { ok, err := c.TryTell(Add{1}); return ok && err == nil }, time.Minute, time.Millisecond)
	sent, err := c.TryTell(Add{1})
	require.NoError(t, err)
	require.False(t, sent, "there is no room")

	short, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	require.ErrorIs(t, c.Tell(short, Add{1}), context.DeadlineExceeded)
	_, err = c.Join(short)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	c.Kill()
	_, err = c.Join(t.Context())
	require.NoError(t, err)

	c = startCounter(t, inst, 5)
	require.NoError(t, c.Tell(t.Context(), variant("Wait")))
	short, stop = context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	_, err = actor.Ask(short, c, get)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestManyGoroutinesAskOneActor(t *testing.T) {
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			inst := withActors(t, counterScript, runnel.WithWorkers(workers))
			c := startCounter(t, inst, 4)
			var all sync.WaitGroup
			for range 16 {
				all.Go(func() {
					for range 100 {
						if !assert.NoError(t, c.Tell(t.Context(), Add{1})) {
							return
						}
						n, err := actor.Ask(t.Context(), c, get)
						assert.NoError(t, err)
						assert.Positive(t, n)
					}
				})
			}
			all.Wait()
			n, err := actor.Ask(t.Context(), c, get)
			require.NoError(t, err)
			require.Equal(t, 1600, n)
		})
	}
}

func TestCloseEndsQuestions(t *testing.T) {
	inst := withActors(t, counterScript, runnel.WithWorkers(2))
	c := startCounter(t, inst, 4)
	require.NoError(t, c.Tell(t.Context(), variant("Wait")))
	errs := make(chan error)
	for range 16 {
		go func() {
			_, err := actor.Ask(t.Context(), c, get)
			errs <- err
		}()
	}
	time.Sleep(5 * time.Millisecond)
	inst.Close()
	for range 16 {
		err := <-errs
		require.Error(t, err)
		require.True(t, errors.Is(err, runnel.ErrClosed) || errors.Is(err, actor.ErrStopped), "%v", err)
	}
	require.ErrorIs(t, c.Tell(t.Context(), Add{1}), runnel.ErrClosed)
	<-c.Done()
}

func TestAnActorLivesWhileItsHostHoldsIt(t *testing.T) {
	inst := withActors(t, counterScript)
	c := startCounter(t, inst, 4)
	alive, err := runnel.Bind0[bool](inst, "alive")
	require.NoError(t, err)
	time.Sleep(50 * time.Millisecond)
	yes, err := alive(t.Context())
	require.NoError(t, err)
	require.True(t, yes)
	c.Release()
	require.Eventually(t, func() bool {
		yes, err := alive(t.Context())
		return err == nil && !yes
	}, time.Minute, 10*time.Millisecond)
}

func TestDeadLettersInGo(t *testing.T) {
	inst := withActors(t, counterScript)
	lost, err := actor.DeadLetters(inst, 10)
	require.NoError(t, err)
	c := startCounter(t, inst, 1)
	require.NoError(t, c.Tell(t.Context(), variant("Wait")))
	require.Eventually(t, func() bool { ok, err := c.TryTell(Add{1}); return ok && err == nil }, time.Minute, time.Millisecond)
	short, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	require.ErrorIs(t, c.Tell(short, Add{2}), context.DeadlineExceeded)
	require.NoError(t, c.Kill())
	_, err = c.Join(t.Context())
	require.NoError(t, err)
	require.ErrorIs(t, c.Tell(t.Context(), Add{3}), actor.ErrStopped)
	for _, want := range []actor.DeadLetter{
		{To: "counter#1", Message: variant("Add", 2), Reason: "Timeout"},
		{To: "counter#1", Message: variant("Add", 1), Reason: "Discarded"},
		{To: "counter#1", Message: variant("Add", 3), Reason: "Stopped"},
	} {
		letter, ok, err := lost.Recv(t.Context())
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, letter)
	}
	_, ok, err := lost.TryRecv()
	require.NoError(t, err)
	require.False(t, ok)
}

// A function of the host that a script calls talks to actors of that script.
func TestNativesTalkToActors(t *testing.T) {
	m := runnel.NewModule("house", "")
	runnel.Func(m, "count", func(ctx context.Context, name string) (int, error) {
		c, err := actor.Find(runnel.InstanceOf(ctx), name)
		if err != nil {
			return 0, err
		}
		defer c.Release()
		if err := c.Tell(ctx, Add{By: 1}); err != nil {
			return 0, err
		}
		return actor.Ask(ctx, c, get)
	})
	src := counterScript + `
import house
pub fn twice() -> int {
  let c = begin(10)
  house.count("counter") + house.count("counter")
}
`
	for _, workers := range []int{1, 2} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			inst := withActors(t, src, runnel.WithModules(m), runnel.WithWorkers(workers))
			n, err := inst.Call(t.Context(), "twice")
			require.NoError(t, err)
			require.Equal(t, 3, n)
		})
	}
	t.Run("seed", func(t *testing.T) {
		inst := withActors(t, src, runnel.WithModules(m), runnel.WithSeed(1))
		_, err := inst.Call(t.Context(), "twice")
		require.ErrorContains(t, err, "a native function called the script again in a deterministic run")
	})
}

// A host's own questions are as its calls are in a run with a seed.
func TestActorsOfASeededRunFromGo(t *testing.T) {
	inst := withActors(t, counterScript, runnel.WithSeed(3))
	c := startCounter(t, inst, 10)
	require.NoError(t, c.Tell(t.Context(), Add{4}))
	n, err := actor.Ask(t.Context(), c, get)
	require.NoError(t, err)
	require.Equal(t, 4, n)
	require.NoError(t, c.Stop())
	exit, err := c.Join(t.Context())
	require.NoError(t, err)
	require.Equal(t, actor.Exit{ID: 1, Name: "counter"}, exit)
}

// Whatever the seed, what many actors take in a seeded run grows with their number.
func TestManyActorsOfASeededRun(t *testing.T) {
	src := counterScript + `
pub fn sum(n: int) -> int {
  let all = (0..n).map(|i| actor.start(Counter(i)))
  all.map(|a| a.ask(Msg.Get)).sum()
}
`
	for _, seed := range []uint64{1, 2} {
		inst := withActors(t, src, runnel.WithSeed(seed))
		sum, err := runnel.Bind1[int, int](inst, "sum")
		require.NoError(t, err)
		require.Empty(t, linear.Grows(2500, 20_000, func(n int) {
			got, err := sum(t.Context(), n)
			require.NoError(t, err)
			require.Equal(t, n*(n-1)/2, got)
		}), "seed %d", seed)
	}
}

// An actor that is given a channel sends its host what it makes.
func TestOutputsOfAnActor(t *testing.T) {
	inst := withActors(t, `
import actor
struct Squares: actor.Actor<int> { let out: chan<int>
  fn receive(n: int, ctx: actor.Context<int>) { self.out.send(n * n) }
  fn on_stop(ctx: actor.Context<int>, killed: bool) { self.out.close() }
}
pub fn squares(out: chan<int>) -> actor.Ref<int> { actor.start(Squares(out)) }
`)
	out, err := runnel.NewChan[int](inst, 2)
	require.NoError(t, err)
	squares, err := runnel.Bind1[*runnel.Chan[int], *actor.Ref](inst, "squares")
	require.NoError(t, err)
	ref, err := squares(t.Context(), out)
	require.NoError(t, err)
	go func() {
		for n := range 10 {
			assert.NoError(t, ref.Tell(t.Context(), n))
		}
		assert.NoError(t, ref.Stop())
	}()
	var got []int
	for n, err := range out.All(t.Context()) {
		require.NoError(t, err)
		got = append(got, n)
	}
	require.Equal(t, []int{0, 1, 4, 9, 16, 25, 36, 49, 64, 81}, got)
}
