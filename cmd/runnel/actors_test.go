package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const calc = `import actor

enum Msg { Divide(by: int, reply: actor.Reply<int>), Add(n: int) }

struct Calc {
  n: int = 100
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Divide(by, reply) => { reply.send(quotient(self.n, by)) }
      Add(n) => { self.n += quotient(100, n) }
    }
  }
}
fn quotient(a: int, b: int) -> int { a / b }
`

// What is said of a failure names the actor, the message and where it was started,
// and nothing of how the library came there.
func TestFailuresOfActors(t *testing.T) {
	const head = `error: DivisionError: division by zero
  --> a.rnl:14:38
   |
14 | fn quotient(a: int, b: int) -> int { a / b }
   |                                      ^
trace, innermost call first:
`
	for name, c := range map[string]struct{ src, stdout, trace string }{
		"that nobody hears of": {`let calc = actor.start(Calc(), name: "calc")
calc.tell(Add(0))
while calc.is_alive() { yield_now() }
print("goes on")
`, "goes on\n", `  quotient           a.rnl:14:38
  Calc.receive       a.rnl:10:29
  in actor calc#1 (handling Add)
  started in script  a.rnl:15:12
`},
		"that who asked does not catch are told once": {`fn main() { print(actor.start(Calc()).ask(|r| Divide(0, r))) }
`, "", `  quotient         a.rnl:14:38
  Calc.receive     a.rnl:9:41
  in actor actor#1 (handling Divide)
  started in main  a.rnl:15:19
  awaited in main  a.rnl:15:19
  script           a.rnl
actor#1 has failed with the same error
`},
		"that a supervisor does not hear": {`let calc = actor.spec(|| Calc(), name: "calc", restart: false)
fn begin() { actor.supervise([calc]) }
begin()
calc.ref().tell(Add(0))
while calc.ref().is_alive() { yield_now() }
sleep(1ms)
`, "", `  quotient          a.rnl:14:38
  Calc.receive      a.rnl:10:29
  in actor calc#1 (handling Add)
  started in begin  a.rnl:16:14
`},
		"after a measured one": {`let calc = actor.start(Calc(), metrics: true)
calc.tell(Add(0))
while calc.is_alive() { yield_now() }
`, "", `  quotient           a.rnl:14:38
  Calc.receive       a.rnl:10:29
  in actor actor#1 (handling Add)
  started in script  a.rnl:15:12
`},
	} {
		assert.Equal(t, outcome{c.stdout, head + c.trace, 1}, invoke(t, map[string]string{"a.rnl": calc + c.src}, "", "run", "--seed", "1", "a.rnl"), name)
	}
}

func TestASupervisorThatGivesUpTellsOfTheLastCrash(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": calc + `let calc = actor.spec(|| Calc(), name: "calc")
let boss = actor.supervise([calc], max_restarts: 0)
calc.ref().tell(Add(0))
while boss.is_alive() { yield_now() }
sleep(1ms)
`}, "", "run", "--seed", "1", "a.rnl")
	assert.Equal(t, outcome{"", `error: TooManyRestarts: more than 0 restarts within 5s, the last of calc#1: division by zero
  --> a.rnl:14:38
   |
14 | fn quotient(a: int, b: int) -> int { a / b }
   |                                      ^
trace, innermost call first:
  quotient           a.rnl:14:38
  Calc.receive       a.rnl:10:29
  in actor calc#1 (handling Add)
  started in script  a.rnl:16:12
  in actor supervisor#2
  started in script  a.rnl:16:12
`, 1}, got)
}

func TestErrorsInOtherPhasesOfAnActor(t *testing.T) {
	for where, method := range map[string]string{
		"on_start": `fn on_start(ctx: actor.Context<int>) { throw error("broken") }`,
		"on_idle":  `fn on_idle(ctx: actor.Context<int>) -> bool { throw error("broken") }`,
		"on_stop":  `fn on_stop(ctx: actor.Context<int>, killed: bool) { throw error("broken") }`,
	} {
		got := invoke(t, map[string]string{"a.rnl": `import actor
struct Broken {
  fn receive(n: int, ctx: actor.Context<int>) {}
  ` + method + `
}
let a = actor.start(Broken())
sleep(1ms)
a.stop()
while a.is_alive() { yield_now() }
sleep(1ms)
`}, "", "run", "--seed", "1", "a.rnl")
		assert.Regexp(t, `  Broken.`+where+` +a.rnl:4:\d+
  in actor actor#1
  started in script +a.rnl:6:9
$`, got.stderr)
	}
}

func TestDeadlocksNameActorsMessagesAndPlaces(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": `import actor
enum Msg { Get(reply: actor.Reply<int>), Full, Other(to: actor.AnyRef) }
struct Slow { let gate: chan<bool>
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Get(_) => { self.gate.recv() }
      Full => for _ in 0..3 { ctx.me().tell(Full) }
      Other(to) => to.wait()
    }
  }
}
let gate = chan<bool>()
let slow = actor.start(Slow(gate), name: "slow")
let idle = actor.start(Slow(gate))
let waits = actor.start(Slow(gate), name: "waits")
let teller = spawn idle.tell(Other(waits))
waits.tell(Other(slow))
fn main() {
  idle.wait()
  print(slow.ask(Msg.Get))
}
`}, "", "run", "--seed", "1", "a.rnl")
	assert.Regexp(t, `(?s)error: Deadlock: .*
.*task \d+ \(script\) awaits actor#2 at a.rnl:19:3
 +slow#1 waits for messages
 +actor#2 \(handling Other\) awaits waits#3 at a.rnl:8:20
 +waits#3 \(handling Other\) awaits slow#1 at a.rnl:8:20
`, got.stderr)
	got = invoke(t, map[string]string{"a.rnl": `import actor
enum Msg { Go(to: actor.Ref<Msg>, reply: actor.Reply<int>) }
struct Asks {
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg { Go(to, reply) => { reply.send(to.ask(|r| Go(ctx.me(), r))) } }
  }
}
let (a, b) = (actor.start(Asks(), name: "a"), actor.start(Asks(), name: "b"))
print(a.ask(|r| Go(b, r)))
`}, "", "a.rnl")
	assert.Regexp(t, `(?s)^error: Deadlock: tasks wait for each other: a#1 waits for b#2 waits for a#1
 --> a.rnl:5:47
.*  = note:   a#1 \(handling Go\) waits for an answer of b#2 at a.rnl:5:47
 +b#2 \(handling Go\) waits for an answer of a#1 at a.rnl:5:47
.*  in actor b#2 \(handling Go\)
.*
[ab]#[12] has failed with the same error
[ab]#[12] has failed with the same error
$`, got.stderr)
}

func TestActorsThatATestLeaves(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": `import actor
struct Slow { fn receive(n: int, ctx: actor.Context<int>) { sleep(1h) } }
test "leaves an actor" {
  let slow = actor.start(Slow(), name: "slow")
  slow.tell(1)
  while slow.queued() > 0 { yield_now() }
}
`}, "", "test", "a.rnl")
	assert.Contains(t, got.stdout, `error: a task that was spawned here is still alive at the end of the test
 --> a.rnl:4:14
  |
4 |   let slow = actor.start(Slow(), name: "slow")
  |              ^^^^^
  |
  = note: slow#1 (handling int)
`)
}

func TestRacesOfActors(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": `import actor
struct Box { n: int = 0 }
struct Adder { fn receive(b: Box, ctx: actor.Context<Box>) { b.n += 1 } }
let box = Box()
let adder = actor.start(Adder(), name: "adder")
adder.tell(box)
box.n += 1
sleep(1ms)
adder.stop()
adder.join()
`}, "", "run", "--race", "a.rnl")
	assert.Contains(t, got.stderr, "write in adder#1")
	assert.Contains(t, got.stderr, "adder#1 was spawned at a.rnl:5:13")
}

func TestTasksOfASessionThatAreActors(t *testing.T) {
	s, _ := begin(t, 100, 30)
	for _, st := range []step{
		{keys: `import actor`},
		{keys: `struct Slow { fn receive(n: int, ctx: actor.Context<int>) { sleep(1h) } }`},
		{keys: `let (slow, idle) = (actor.start(Slow(), name: "slow"), actor.start(Slow()))`},
		{keys: `slow.tell(1); while slow.queued() > 0 { yield_now() }; sleep(5ms)`},
		{keys: `:tasks`, shows: "waits for messages\n>"},
		{keys: `:actors`, shows: "slow#1 Slow: busy  Slow()\nactor#2 Slow: idle  Slow()\n>"},
	} {
		st.take(t, s)
	}
	text := s.Text()
	assert.Regexp(t, `(?m)^\d+ +slow#1 \(handling int\) +sleeps +entry \d+:1:\d+$`, text)
	assert.Regexp(t, `(?m)^\d+ +actor#2 +waits for messages$`, text)
	assert.NotContains(t, text, "live")
}

func TestAFailureIsToldThoughManyWereAwaitedLate(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": `for _ in 0..1100 {
  let t = spawn { throw error("caught") }
  while !t.done() { yield_now() }
  try { await t } catch e {}
}
spawn { throw error("lost") }
sleep(1ms)
`}, "", "run", "--seed", "1", "a.rnl")
	assert.Contains(t, got.stderr, "error: lost\n")
	assert.Equal(t, 1, got.exit)
}

func TestDeadLettersAreCounted(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": calc + `let calc = actor.start(Calc())
for n in 0..3 { calc.tell(Add(n)) }
calc.join()
try { calc.tell(Add(1)) } catch e: actor.Stopped {}
`}, "", "run", "--stats", "a.rnl")
	assert.Regexp(t, `(?m)^ *dead letters +3$`, got.stderr)
}

// A trace shows an actor by its name, the messages that it handles, and who has told,
// answered and awaited whom; each arrow has two ends.
func TestTracesOfActors(t *testing.T) {
	const src = `import actor
enum Msg { Add(n: int), Get(reply: actor.Reply<int>), Nap }
struct Counter { n: int = 0
  fn on_start(ctx: actor.Context<Msg>) { sleep(1ms) }
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Add(n) => { self.n += n }
      Get(reply) => { reply.send(self.n) }
      Nap => { sleep(1ms); ctx.receive_where(|m| match m { Add(_) => true, _ => false }) }
    }
  }
}
fn main() {
  let counter = actor.start(Counter(), name: "counter")
  for n in 1..=2 { counter.tell(Add(n)) }
  sleep(10ms)
  print(counter.ask(Msg.Get))
  counter.tell(Nap)
  sleep(10ms)
  counter.tell(Add(3))
  let t = spawn counter.ask(Msg.Get)
  await t
  await t
  counter.stop()
  counter.join()
}
`
	for _, flags := range [][]string{{"--seed", "1"}, {"--seed", "2"}, nil} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.rnl"), []byte(src), 0o644))
		require.Equal(t, outcome{"3\n", "", 0}, in(t, dir, "", slices.Concat([]string{"run", "--trace", "t.json"}, flags, []string{"a.rnl"})...))
		data, err := os.ReadFile(filepath.Join(dir, "t.json"))
		require.NoError(t, err)
		var records []struct {
			Ph, Name, Cat string
			Ts            float64
			ID            uint64
			ID2           struct{ Local string }
			Args          struct{ At string }
		}
		require.NoError(t, json.Unmarshal(data, &records))
		var messages []string
		ends, heads, track := map[uint64]string{}, map[string]int{}, ""
		for _, r := range records {
			switch {
			case r.Ph == "b" && r.Name == "counter#1":
				assert.Equal(t, "a.rnl:14", r.Args.At)
				track = r.ID2.Local
			case r.Ph == "b" && r.ID2.Local == track && unicode.IsUpper(rune(r.Name[0])):
				messages = append(messages, r.Name)
			case r.Cat == "arrow":
				ends[r.ID] += r.Ph
				if r.Ph == "f" {
					heads[r.Name]++
				}
			}
		}
		assert.Equal(t, []string{"Add", "Add", "Get", "Nap", "Get"}, messages, "what a handler receives is part of its message")
		for id, both := range ends {
			assert.Equal(t, "sf", both, id)
		}
		assert.Equal(t, 3, heads["await"], "the same task twice, and the actor")
		assert.GreaterOrEqual(t, heads["send"], 2, "an answer, and what is told to an idle actor")
		assert.NotContains(t, string(data), `"live"`)
	}
}
