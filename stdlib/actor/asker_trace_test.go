package actor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

const askedActor = `import actor
enum Msg { Ask(r: actor.Reply<int>), Keep(r: actor.Reply<int>), Fail, Stop, Wait, Deep, Sleep, Circle(me: actor.Ref<Msg>, r: actor.Reply<int>) }
struct Asked { kept: actor.Reply<int>? = none
  fn receive(m: Msg, ctx: actor.Context<Msg>) {
    match m {
      Ask(r) => {
        throw error("broken") // thrown
      }
      Keep(r) => { self.kept = r }
      Fail => throw error("broken") // failed
      Stop => ctx.stop()
      Wait => sleep(1ms)
      Deep => { deep(0); () }
      Sleep => sleep(1h)
      Circle(me, r) => { r.send(me.ask(|r| Msg.Circle(me, r))) } // circle
    }
  }
}
struct Refuses {
  fn receive(m: Msg, ctx: actor.Context<Msg>) {
    match m {
      Keep(r) => {
        r.fail(error("no")) // refused
      }
      _ => {}
    }
  }
}
struct Stillborn {
  fn on_start(ctx: actor.Context<Msg>) { throw error("cannot start") } // stillborn
  fn receive(m: Msg, ctx: actor.Context<Msg>) {}
}
fn deep(n: int) -> int { 1 + deep(n + 1) }
fn asker(w: %s) -> int {
  %s // asked
}
fn start() -> actor.Ref<Msg> { actor.start(Asked()) }
fn main() {
  %s
  asker(w)
}
`

// Who asks sees in the trace of an error where the question was put, and first of all
// where the error was thrown, if somebody's code has thrown it.
func TestErrorsOfQuestionsNameTheAsker(t *testing.T) {
	for _, c := range []struct{ name, address, ask, setup, thrown, text string }{
		{"by the handler", "actor.Ref<Msg>", "w.ask(Msg.Ask)", "let w = start()", "// thrown", "broken"},
		{"by the handler, within a time", "actor.Ref<Msg>", "w.ask(Msg.Ask, within: 1m)", "let w = start()", "// thrown", "broken"},
		{"by the handler of a router's member", "actor.Router<Msg>", "w.ask(Msg.Ask)", "let w = actor.round_robin([start()])", "// thrown", "broken"},
		{"by the handler of a pool's worker", "actor.Pool<Msg>", "w.ask(Msg.Ask)", "let w = actor.pool(1, || Asked())", "// thrown", "broken"},
		{"as the answer", "actor.Ref<Msg>", "w.ask(Msg.Keep)", "let w = actor.start(Refuses())", "// refused", "no"},
		{"by another message, while the place is kept", "actor.Ref<Msg>", "let a = w.ask_task(Msg.Keep); w.tell(Fail); await a", "let w = start()", "// failed", "broken"},
		{"by one before it", "actor.Ref<Msg>", "w.tell(Wait); w.tell(Fail); w.ask(Msg.Keep)", "let w = start()", "// failed", "broken"},
		{"by the last life of a child", "actor.Ref<Msg>", "w.ask(Msg.Keep)", "let s = actor.spec(|| Stillborn()); actor.supervise([s], max_restarts: 0); let w = s.ref()", "// stillborn", "cannot start"},
		{"of a kill", "actor.Ref<Msg>", "let a = w.ask_task(Msg.Keep); w.tell(Sleep); yield_now(); w.kill(); await a", "let w = start()", "", "has ended"},
		{"of a stop", "actor.Ref<Msg>", "let a = w.ask_task(Msg.Keep); w.stop(); await a", "let w = start()", "", "has ended"},
		{"of a limit", "actor.Ref<Msg>", "let a = w.ask_task(Msg.Keep); w.tell(Deep); await a", "let w = start()", "", "exceeded a limit"},
		{"of one that was not there any more", "actor.Ref<Msg>", "w.ask(Msg.Keep)", "let w = start(); w.stop(); w.join()", "", "has ended"},
		{"of a question that was dropped", "actor.Ref<Msg>", "w.ask(|r| Msg.Stop)", "let w = actor.start(Refuses())", "", "was dropped"},
		{"of a lapse of time", "actor.Ref<Msg>", "w.ask(Msg.Keep, within: 1ms)", "let w = start()", "", "did not answer within"},
		{"of a circle", "actor.Ref<Msg>", "w.ask(|r| Msg.Circle(w, r))", "let w = start()", "// circle", "wait for each other"},
	} {
		src := fmt.Sprintf(askedActor, c.address, c.ask, c.setup)
		lineOf := func(mark string) int {
			return 1 + strings.Count(src[:strings.Index(src, mark)], "\n")
		}
		for _, opt := range []runnel.Option{runnel.WithWorkers(1), runnel.WithWorkers(2)} {
			prog, err := runnel.MustNew(runnel.WithModules(actor.Module), opt).Compile("asks.rnl", src)
			require.NoError(t, err, c.name)
			var failed *runnel.Error
			require.ErrorAs(t, prog.NewInstance().Run(t.Context()), &failed, c.name)
			require.Contains(t, failed.Message, c.text, c.name)
			first, asked := 0, false
			for _, f := range failed.Trace {
				if f.File == "asks.rnl" && first == 0 {
					first = f.Line
				}
				asked = asked || f.Line == lineOf("// asked") && f.File == "asks.rnl"
			}
			require.Truef(t, asked, "%s: %v", c.name, failed.Trace)
			want := "// asked"
			if c.thrown != "" {
				want = c.thrown
			}
			require.Equalf(t, lineOf(want), first, "%s: %v", c.name, failed.Trace)
		}
	}
}

// An error that is thrown on from question to question for ever does not grow for ever.
func TestATraceOfManyQuestionsIsBounded(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(actor.Module)).Compile("long.rnl", `import actor
enum Msg { Ask(n: int, r: actor.Reply<int>) }
struct Member { let next: actor.Ref<Msg>? = none
  fn receive(m: Msg, ctx: actor.Context<Msg>) {
    match m { Ask(n, r) => { if let next = self.next { next.ask(|r| Msg.Ask(n, r)) } else { throw error("at the end") } } }
  }
}
var last: actor.Ref<Msg>? = none
for _ in 0..500 { last = actor.start(Member(last)) }
last!.ask(|r| Msg.Ask(0, r))
`)
	require.NoError(t, err)
	var failed *runnel.Error
	require.True(t, errors.As(prog.NewInstance().Run(t.Context()), &failed))
	require.Equal(t, "at the end", failed.Message)
	require.Equal(t, 5, failed.Trace[0].Line)
	require.Equal(t, 10, failed.Trace[len(failed.Trace)-1].Line)
	require.LessOrEqual(t, len(failed.Trace), 200)
}
