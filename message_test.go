package runnel_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// badMessages are bodies of `fn message() -> str` that give none, and what is told
// of them without limits and with.
var badMessages = map[string]string{
	"throws":           `throw E(self.inner)`,
	"throws another":   `throw F(self)`,
	"throws plainly":   `throw error("no text")`,
	"loops":            `loop {}; "x"`,
	"sleeps":           `sleep(1h); "x"`,
	"recurses":         `self.message() + "x"`,
	"asks the other":   `F(self).message()`,
	"allocates":        `let xs: [str] = []; loop { xs.push("x".repeat(100_000)) }; "x"`,
	"makes garbage":    `var n = 0; loop { n += "x".repeat(1_000_000).len() }; "x"`,
	"doubles":          `var s = "x"; loop { s = s + s }; s`,
	"spawns":           `await spawn { throw E(none) }; "x"`,
	"spawns for ever":  `loop { spawn { sleep(1h) } }; "x"`,
	"waits in a scope": `scope { spawn { sleep(1h) } }; "x"`,
	"never receives":   `let c = chan<str>(); c.recv() ?? "x"`,
	"defers":           `defer { loop {} }; throw E(none)`,
	"defers a sleep":   `defer { sleep(1h) }; sleep(1h); "x"`,
	"catches for ever": `loop { try { throw E(none) } catch e { sleep(1ms) } }; "x"`,
	"calls the host":   `back.fail(); "x"`,
	"asks the host":    `back.call_with_context(); "x"`,
	"looks inside":     `self.inner!.message()`,
	"divides":          `"${1 / [0][0]}"`,
	"cancels":          `throw Cancelled("no")`,
}

// positions are where an error may end what runs. fail() throws it.
var positions = map[string]string{
	"at the root":         `pub fn run() { fail() }`,
	"in a task":           `pub fn run() { spawn { fail() }; sleep(1ms) }`,
	"in an awaited task":  `pub fn run() { await spawn { fail() } }`,
	"in a scope":          `pub fn run() { scope { spawn { fail() } } }`,
	"in a detached task":  `pub fn run() { spawn detached fail(); sleep(1ms) }`,
	"in a defer":          `pub fn run() { defer { fail() }; throw error("first") }`,
	"thrown again":        `pub fn run() { try { fail() } catch e { throw e } }`,
	"printed":             `pub fn run() { try { fail() } catch e { print(e); print("${e} ${e:?}"); print([e], {"e": e}) }; fail() }`,
	"in an actor":         `pub fn run() { let a = actor.start(A()); a.tell("x"); sleep(1ms) }`,
	"in an asked actor":   `pub fn run() { let b = actor.start(B()); b.ask(Get, within: 5ms) }`,
	"in a change":         `pub fn run() { let c = reactive.cell(1); reactive.effect(|| if c.get() > 1 { fail() }); c.set(2) }`,
	"in a native":         `pub fn run() { back.fail() }`,
	"in a function given": `pub fn run() { [3, 1].sort_by(|x| { fail(); x }) }`,
	"in many tasks":       `pub fn run() { for i in 0..50 { spawn { fail() } }; sleep(1ms) }`,
}

const badMessageScript = `import actor
import back
import reactive
struct E {
  inner: Error?
  fn message() -> str { %s }
}
struct F {
  inner: Error?
  fn message() -> str { self.inner!.message() }
}
enum M { Get(reply: actor.Reply<int>) }
struct B { fn receive(m: M, ctx: actor.Context<M>) { fail() } }
struct A { fn receive(m: str, ctx: actor.Context<str>) { fail() } }
pub fn fail() { throw E(E(none)) }
%s
`

var allMessages = flag.Bool("messages", false, "try each message that fails in each position")

func TestAMessageThatFailsEndsItsCallAndIsToldOnce(t *testing.T) {
	t.Parallel()
	limits := map[string]runnel.Limits{
		"no limits": {},
		"limits":    {Memory: 8 << 20, CallSteps: 200_000, Steps: 100_000_000, Time: 500 * time.Millisecond, Stack: 20_000, Tasks: 1000},
	}
	atOnce := make(chan bool, 16) // most of them wait
	var running sync.WaitGroup
	for how, limit := range limits {
		for bad, body := range badMessages {
			for where, run := range positions {
				if !*allMessages && bad != "throws" && where != "in a task" && rand.IntN(20) > 0 || !*allMessages && rand.IntN(3) > 0 {
					continue
				}
				atOnce <- true
				running.Go(func() {
					defer func() { <-atOnce }()
					messageFails(t, how+", "+bad+" "+where, limit, fmt.Sprintf(badMessageScript, body, run))
				})
			}
		}
	}
	running.Wait()
}

// messageFails runs a script and looks at the time that it takes and what it tells.
func messageFails(t *testing.T, name string, limit runnel.Limits, src string) {
	back := runnel.NewModule("back", "Calls the script again.")
	var in *runnel.Instance
	runnel.Func(back, "fail", func() error { _, err := in.Call(context.Background(), "fail"); return err })
	runnel.Func(back, "call_with_context", func(ctx context.Context) error { _, err := in.Call(ctx, "fail"); return err })
	told := make(chan *runnel.Error, 1000)
	rt := runnel.MustNew(runnel.WithModules(append(all.Modules(), back)...), runnel.WithLimits(limit),
		runnel.WithUnhandled(func(e *runnel.Error) { told <- e }))
	p, err := rt.Compile("bad.rnl", src)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	in, err = p.Start(t.Context())
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	begun := time.Now()
	_, err = in.Call(t.Context(), "run")
	list := in.Unhandled()
	in.Close()
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("%s: it took %v", name, took)
	}
	var e *runnel.Error
	if errors.As(err, &e) {
		list = append(list, e)
	} else if err != nil {
		t.Errorf("%s: %T: %v", name, err, err)
	}
	for _, e := range list {
		if e.Kind == "E" && !strings.HasPrefix(e.Message, "(its message() failed: ") && !strings.HasPrefix(e.Message, "(its message() was not asked: ") {
			t.Errorf("%s: told as %q", name, e.Message)
		}
		if n := strings.Count(e.Message, "message() failed"); n > 1 {
			t.Errorf("%s: told %d times: %q", name, n, e.Message)
		}
	}
}
