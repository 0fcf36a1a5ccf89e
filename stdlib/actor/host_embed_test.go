package actor_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// stepFunc is a process that has no state of its own.
type stepFunc func(e process.Event, out *process.StepOutput) error

func (stepFunc) Init(context.Context, string, any) error { return nil }
func (stepFunc) Close()                                  {}

func (f stepFunc) Step(events []process.Event, out *process.StepOutput) error {
	for _, e := range events {
		if err := f(e, out); err != nil {
			return err
		}
	}
	return nil
}

// Question is a message of the desk.
type Question struct {
	N     int
	Reply *actor.Reply[int]
}

// withDesk starts a script with an actor of the host, `desk`.
func withDesk(t *testing.T, step stepFunc, src string, opts ...runnel.Option) *runnel.Instance {
	t.Helper()
	m := runnel.NewModule("office", "")
	actor.Offer(m, actor.Native{Name: "desk", Messages: []any{Question{}}, New: func() process.Process { return step }})
	return withActors(t, "import actor\nimport office\n"+src, append(opts, runnel.WithModules(m))...)
}

// collecting runs the collector until the test ends.
func collecting(t *testing.T) {
	done := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				runtime.GC()
			}
		}
	})
	t.Cleanup(func() { close(done); running.Wait() })
}

func TestAQuestionThatAnActorInGoForgetsIsFound(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	inst := withDesk(t, func(process.Event, *process.StepOutput) error { return nil }, `
let desk = office.desk(name: "desk")
pub fn ask() -> str { try { str(desk.ask(|r| Question(1, r))) } catch e { e.message() } }
`)
	collecting(t)
	answer, err := inst.Call(ctx, "ask")
	require.NoError(t, err)
	require.Equal(t, "desk#1 did not answer: the question was dropped", answer)
}

func TestManyQuestionsOfAnActorInGoAreOpen(t *testing.T) {
	const n = 30_000
	var open []Question
	inst := withDesk(t, func(e process.Event, _ *process.StepOutput) error {
		if q, ok := e.Data.(Question); ok {
			open = append(open, q)
		}
		if len(open) == n {
			for _, q := range open {
				if err := q.Reply.Send(q.N); err != nil {
					return err
				}
			}
		}
		return nil
	}, `
pub fn ask(n: int) -> int {
  let desk = office.desk()
  await_all((0..n).map(|i| desk.ask_task(|r| Question(i, r)))).sum()
}
`)
	sum, err := inst.Call(t.Context(), "ask", n)
	require.NoError(t, err)
	require.Equal(t, n*(n-1)/2, sum)
}

func TestAnswersFromOtherGoroutines(t *testing.T) {
	seconds := make(chan error, 10)
	inst := withDesk(t, func(e process.Event, _ *process.StepOutput) error {
		if q, ok := e.Data.(Question); ok {
			go func() {
				time.Sleep(5 * time.Millisecond)
				if q.N < 0 {
					seconds <- q.Reply.Fail(errors.New("less than nothing"))
				} else if err := q.Reply.Send(q.N * q.N); err != nil {
					seconds <- err
				}
				seconds <- q.Reply.Send(0)
			}()
		}
		return nil
	}, `
let desk = office.desk()
fn try_to(f: fn() -> int) -> str { try { str(f()) } catch e { e.message() } }
pub fn squares() -> [str] {
  await_all([3, 4, -1].map(|n| spawn try_to(|| desk.ask(|r| Question(n, r)))))
}
struct Asker { fn receive(n: int, ctx: actor.Context<int>) { desk.ask(|r| Question(n, r)) } }
pub fn is_killed() {
  let a = actor.start(Asker())
  a.tell(5)
  while a.queued() > 0 { yield_now() }
  while desk.queued() > 0 { yield_now() }
  a.kill()
  a.join()
}
pub fn gives_up() -> str { try_to(|| desk.ask(|r| Question(5, r), within: 1ms)) }
`)
	squares, err := inst.Call(t.Context(), "squares")
	require.NoError(t, err)
	require.Equal(t, []any{"9", "16", "less than nothing"}, squares)
	for range 4 {
		if err := <-seconds; err != nil {
			require.ErrorIs(t, err, actor.ErrAnswered)
		}
	}
	for _, who := range []string{"is_killed", "gives_up"} {
		_, err = inst.Call(t.Context(), who)
		require.NoError(t, err)
		require.ErrorIs(t, <-seconds, actor.ErrAnswered, who)
		require.ErrorIs(t, <-seconds, actor.ErrAnswered, who)
	}
}

func TestAnActorInGoNeedsAProcess(t *testing.T) {
	m := runnel.NewModule("office", "")
	actor.Offer(m, actor.Native{Name: "desk", Messages: []any{Question{}}})
	_, err := runnel.New(runnel.WithModules(m))
	require.ErrorContains(t, err, "desk: New is missing")

	m = runnel.NewModule("office", "")
	actor.Offer(m, actor.Native{Name: "desk", Messages: []any{Question{}}, New: func() process.Process { return nil }})
	inst := withActors(t, "import actor\nimport office\npub fn end() -> str { str(office.desk().join()) }", runnel.WithModules(m))
	end, err := inst.Call(t.Context(), "end")
	require.NoError(t, err)
	require.Contains(t, end, "New of desk has made no process")
}

func TestDoneIsOneChannel(t *testing.T) {
	inst := withActors(t, counterScript)
	c := startCounter(t, inst, 10)
	require.Equal(t, c.Done(), c.Done())
	select {
	case <-c.Done():
		t.Fatal("it lives")
	default:
	}
	inst.Close()
	<-c.Done()
}

// An actor in Go is a member of all that has members.
func TestActorsInGoAmongOthers(t *testing.T) {
	var made atomic.Int64
	m := runnel.NewModule("office", "")
	actor.Offer(m, actor.Native{Name: "desk", Messages: []any{Question{}}, New: func() process.Process {
		number := int(made.Add(1))
		return stepFunc(func(e process.Event, _ *process.StepOutput) error {
			if q, ok := e.Data.(Question); ok {
				if q.N == 13 {
					return errors.New("not this one")
				}
				return q.Reply.Send(number)
			}
			return nil
		})
	}})
	for _, row := range []struct{ name, src, want string }{
		{"a router", `
let desks = (0..3).map(|_| office.desk())
let turns = actor.round_robin(desks)
let all = (0..6).map(|n| turns.ask(|r| Question(n, r)))
let least = actor.smallest_mailbox(desks).ask(|r| Question(0, r))
str((all[..3] == all[3..], all.contains(least)))`, "(true, true)"},
		{"a pool", `
let desks = actor.pool(3, || office.desk_actor())
let bad = try { str(desks.ask(|r| Question(13, r))) } catch e { e.message() }
let all = await_all((0..30).map(|n| spawn desks.ask(|r| Question(n + 100, r))))
desks.stop()
desks.join()
str((bad, all.len()))`, `("not this one", 30)`},
		{"a group", `
let desk = office.desk()
actor.group<office.Desk>("desks").join(desk)
let answers = actor.group<office.Desk>("desks").members().map(|d| d.ask(|r| Question(1, r)) > 0)
desk.stop()
desk.join()
str((answers, actor.group<office.Desk>("desks").members().len()))`, "([true], 0)"},
		{"a supervisor that restarts all", `
let parts = (0..3).map(|_| actor.spec(|| office.desk_actor()))
let s = actor.supervise(parts.map(|p| p), strategy: OneForAll)
let before = parts.map(|p| p.ref().ask(|r| Question(1, r)))
try { parts[1].ref().ask(|r| Question(13, r)) } catch e {}
let after = [1, 0, 2].map(|i| parts[i].ref().ask(|r| Question(1, r)))   // what 1 is asked waits for its next life
s.stop()
s.join()
str(before.all(|n| !after.contains(n)))`, "true"},
	} {
		t.Run(row.name, func(t *testing.T) {
			inst := withActors(t, "import actor\nimport office\npub fn run() -> str {"+row.src+"\n}", runnel.WithModules(m))
			got, err := inst.Call(t.Context(), "run")
			require.NoError(t, err)
			require.Equal(t, row.want, got)
		})
	}
}

// Whatever sixteen goroutines do to actors while contexts end and the instance is
// closed, each call ends, with an error that says why.
func TestActorsUnderLoadWhileTheInstanceCloses(t *testing.T) {
	var asked atomic.Int64
	for round := range 10 {
		var steps atomic.Int64
		inst := withDesk(t, func(e process.Event, _ *process.StepOutput) error {
			q, ok := e.Data.(Question)
			switch steps.Add(1); {
			case !ok:
			case q.N%97 == 13:
				panic("thirteen")
			case q.N%5 == 0:
				go func() { _ = q.Reply.Send(q.N) }()
			case q.N%5 == 1: // forgotten
			case q.N%5 == 2:
				_ = q.Reply.Fail(errors.New("no"))
			default:
				_ = q.Reply.Send(q.N)
			}
			return nil
		}, counterScript[len("\nimport actor"):]+`
let desks = actor.spec(|| office.desk_actor(), name: "desk")
let all = actor.supervise([desks], max_restarts: 1000000)
pub fn desk() -> actor.Ref<office.Desk> { desks.ref() }
`, runnel.WithWorkers(1+round%4))
		counter := startCounter(t, inst, 4)
		deskOf, err := runnel.Bind0[*actor.Ref](inst, "desk")
		require.NoError(t, err)
		desk, err := deskOf(t.Context())
		require.NoError(t, err)

		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				dice := rand.New(rand.NewPCG(uint64(round), uint64(i)))
				for {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(dice.IntN(2000))*time.Microsecond)
					n, err := 0, error(nil)
					switch dice.IntN(8) {
					case 0:
						err = counter.Tell(ctx, Add{1})
					case 1:
						_, err = actor.Ask(ctx, counter, get)
					case 2:
						_, err = actor.Ask(ctx, counter, func(r *actor.Reply[int]) any { return variant("Drop", r) })
					case 3:
						_, err = counter.TryTell(Add{1})
					case 4:
						_, err = counter.Join(ctx)
					default:
						n = dice.IntN(1000)
						var got int
						got, err = actor.Ask(ctx, desk, func(r *actor.Reply[int]) any { return Question{n, r} })
						if err == nil {
							asked.Add(1)
							assert.Equal(t, n, got)
						}
					}
					cancel()
					var script *runnel.Error
					switch {
					case errors.Is(err, runnel.ErrClosed):
						return
					case err == nil, errors.Is(err, context.DeadlineExceeded), errors.Is(err, actor.ErrStopped):
					case errors.As(err, &script):
						assert.Contains(t, []string{"no", "panic: thirteen"}, script.Message)
					default:
						assert.NoError(t, err)
						return
					}
				}
			})
		}
		require.Eventually(t, func() bool { return steps.Load() > 0 && asked.Load() > 0 }, time.Minute, time.Millisecond)
		time.Sleep(50 * time.Millisecond)
		inst.Close()
		all.Wait()
	}
	require.Positive(t, asked.Load())
}
