package actor_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/cases"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
)

// The rows from RS-15 on: what actors say to each other and what is seen of them.

// What is sent and asked is checked before anything runs, and the finding names
// the message. Cases of spec/tests/diagnostics_actor say where it stands.
//
// origin: RS-15
func TestWhatIsSentIsCheckedWhenCompiling(t *testing.T) {
	for src, want := range map[string][]string{
		`c.tell("add")`:               {"`tell`", "`Msg`", "`str`"},
		`c.try_tell(5)`:               {"`try_tell`", "`Msg`", "`int`"},
		`let s: str = c.ask(Msg.Get)`: {"`ask`", "Msg", "Reply<int>", "str"},
		`c.ask(Msg.Add)`:              {"`ask`", "Msg", "Reply"},
		`c.tell(Msg.Remove(3))`:       {"`Msg` has no variant `Remove`"},
		`actor.start(5)`:              {"`int` has no `fn receive("},
		`let r: actor.Reply<int>? = none; r!.send("x")`: {"`send`", "`int`", "`str`"},
	} {
		rt := runnel.MustNew(runnel.WithModules(all.Modules()...))
		_, err := rt.Compile("script.rnl", counter+"let c = actor.start(Counter())\n"+src)
		require.Error(t, err, src)
		for _, name := range want {
			require.ErrorContains(t, err, name)
		}
	}
}

// An actor is any type with a receive: a struct, with or without saying so, an
// enum, one with type parameters. A message is of any type too.
//
// origin: RS-16
func TestWaysToWriteAnActor(t *testing.T) {
	prints(t, counter+`
struct Said: actor.Actor<str> { let out: chan<str>
  fn receive(s: str, ctx: actor.Context<str>) { self.out.send("said ${s}") }
}
enum Light { Red, Green
  fn receive(out: chan<str>, ctx: actor.Context<chan<str>>) { match self { Red => out.send("stop"), Green => out.send("go") } }
}
struct Last<T> { value: T? = none
  fn receive(msg: (T?, chan<T?>), ctx: actor.Context<(T?, chan<T?>)>) {
    if msg.0 != none { self.value = msg.0 }
    msg.1.send(self.value)
  }
}
interface Work { fn run() -> str }
struct Hello { fn run() -> str { "hello" } }
struct Runner { let out: chan<str>
  fn receive(w: Work, ctx: actor.Context<Work>) { self.out.send(w.run()) }
}
let out = chan<str>()
let said = actor.start(Said(out))
said.tell("a")
print(out.recv())
let green = actor.start(Light.Green)
green.tell(out)
print(out.recv())
let ints = chan<int?>()
let last = actor.start(Last<int>())
last.tell((7, ints))
print(ints.recv())
let runner = actor.start(Runner(out))
runner.tell(Hello())
print(out.recv())
let everyone: [actor.AnyRef] = [said, green, last, runner]
for a in everyone { a.stop(); a.wait() }
`, `said a`, "go", "7", "hello")
}

// A handler answers with an error and lives on. What a handler throws ends its
// actor and is reported when nobody joins or watches it.
//
// origin: RS-17
func TestErrorsAsAnswers(t *testing.T) {
	prints(t, counter+`
struct NoSuch { let id: int
  fn message() -> str { "no account ${self.id}" }
}
enum Q { Find(id: int, reply: actor.Reply<str>), Try(id: int, reply: actor.Reply<(str?, Error?)>) }
struct Bank {
  fn find(id: int) -> str { if id == 1 { "ada" } else { throw NoSuch(id) } }
  fn receive(q: Q, ctx: actor.Context<Q>) {
    match q {
      Find(id, reply) => { try { reply.send(self.find(id)) } catch e { reply.fail(e) } }
      Try(id, reply) => { try { reply.send((self.find(id), none)) } catch e { reply.send((none, e)) } }
    }
  }
}
let bank = actor.start(Bank())
print(try { bank.ask(|r| Q.Find(2, r)) } catch e: NoSuch { "typed ${e.id}" })
print(bank.ask(|r| Q.Try(3, r)).1!.message(), bank.ask(|r| Q.Find(1, r)), bank.is_alive())
bank.stop()
print(told(bank.join()))
`, "typed 2", "no account 3 ada true", "completed, killed false")
	prints(t, counter+`
let c = actor.start(Counter())
c.tell(Fail)
while c.is_alive() { sleep(1ms) }
sleep(1ms)
print("the others go on")
`, "the others go on", "unhandled: script.rnl:12:15: PlainError: asked to")
}

// origin: RS-18
func TestTimeLimits(t *testing.T) {
	const script = counter + `
let c = actor.start(Counter(), name: "c", mailbox: 1)
let gate = chan<bool>()
c.tell(Wait(gate))
while c.queued() > 0 { sleep(1ms) }
c.tell(Add(1), within: 1h)
fn late(f: fn() -> ()) {
  let (text, d) = time.measure(|| error_of(f))
  print(text, d >= 20ms, d <= most)
}
late(|| c.tell(Add(1), within: 20ms))
late(|| { c.ask(Msg.Get, within: 20ms); () })
gate.send(true)
print(c.ask(Msg.Get, within: 1h))
let slow = actor.start(Counter(), name: "slow")
slow.tell(Wait(gate))
late(|| { slow.ask(Msg.Get, within: 20ms); () })
print(actor.dead_letters().recent().map(|l| "${l.to} ${l.reason}"))
c.kill()
slow.kill()
c.join()
slow.join()
`
	want := []string{
		"Timeout: the mailbox of c#1 was full for 20ms true true",
		"Timeout: c#1 did not answer within 20ms true true", "1",
		"Timeout: slow#2 did not answer within 20ms true true",
		`["c#1 Timeout", "c#1 Timeout", "slow#2 Timeout"]`,
	}
	printsFreely(t, "const most = 2s\n"+script, want...)
	printsExplored(t, "const most = 20ms\n"+script, want...)
}

// Threads without a runtime are goroutines of a host, which call functions.
//
// origin: RS-19
func TestThreadsOfAHostTellAndAsk(t *testing.T) {
	for _, workers := range []int{1, 4} {
		prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(workers)).Compile("script.rnl", counter+`
let c = actor.start(Counter())
pub fn add(n: int) { c.tell(Add(n)) }
pub fn get() -> int { c.ask(Msg.Get, within: 10s) }
pub fn block(ms: int) { c.tell(Nap(1ms * ms)) }
pub fn get_soon() -> str { error_of(|| c.ask(Msg.Get, within: 5ms)) }
struct Front {
  fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Get(reply) => { reply.send(c.ask(Msg.Get) + 1) }, _ => {} } }
}
let front = actor.start(Front())
pub fn get_through() -> int { front.ask(Msg.Get) }
`)
		require.NoError(t, err)
		in, err := prog.Start(t.Context())
		require.NoError(t, err)
		var threads sync.WaitGroup
		for range 8 {
			threads.Go(func() {
				for range 50 {
					_, err := in.Call(t.Context(), "add", 1)
					assert.NoError(t, err)
					_, err = in.Call(t.Context(), "get_through")
					assert.NoError(t, err)
				}
			})
		}
		threads.Wait()
		n, err := in.Call(t.Context(), "get")
		require.NoError(t, err)
		require.Equal(t, 400, n)
		_, err = in.Call(t.Context(), "block", 100)
		require.NoError(t, err)
		text, err := in.Call(t.Context(), "get_soon")
		require.NoError(t, err)
		require.Equal(t, "Timeout: actor#1 did not answer within 5ms", text)
		in.Close()
	}
}

// A mailbox holds 1000 by default, not 32; 0 stands for the default.
//
// origin: RS-20
func TestMailboxesAreBounded(t *testing.T) {
	prints(t, counter+`
let gate = chan<bool>()
fn room(c: actor.Ref<Msg>) -> int {
  c.tell(Wait(gate))
  while c.queued() > 0 { sleep(1ms) }
  var n = 0
  while c.try_tell(Add(1)) { n += 1 }
  c.kill()
  c.join()
  n
}
print(room(actor.start(Counter())), room(actor.start(Counter(), mailbox: 7)))
actor.set_default_mailbox(3)
print(room(actor.start(Counter())))
print(error_of(|| actor.set_default_mailbox(0)), error_of(|| actor.start(Counter(), mailbox: -1)))

let c = actor.start(Counter(), mailbox: 1)
c.tell(Wait(gate))
while c.queued() > 0 { sleep(1ms) }
c.tell(Add(1))
let third = spawn { c.tell(Add(1)); c.queued() <= 1 }
sleep(1ms)
print(third.done(), c.queued())
gate.send(true)
print(await third, c.ask(Msg.Get))
c.stop()
print(told(c.join()))
`, "1000 7", "3",
		"ValueError: actor: a mailbox needs room for a message, not for 0 ValueError: actor: a mailbox needs room for a message, not for -1",
		"false 1", "true 2", "completed, killed false")
}

// origin: RS-21
func TestDeadLetters(t *testing.T) {
	prints(t, counter+`
let lost = actor.dead_letters().listen()
fn next() -> str {
  let l = lost.recv()!
  "${l.to} ${l.message.type_name()} ${l.reason}"
}
let gate = chan<bool>()
let c = actor.start(Counter(), name: "c", mailbox: 1)
c.tell(Wait(gate))
while c.queued() > 0 { sleep(1ms) }
c.tell(Add(1))
error_of(|| c.tell(Add(2), within: 1ms))
print(next())
c.kill()
c.join()
print(next())
print(error_of(|| c.tell(Add(3))))
print(next())
print(c.try_tell(Add(4)), actor.dead_letters().count(), actor.dead_letters().recent().last()!.message)
`, "c#1 Msg Timeout", "c#1 Msg Discarded", "Stopped: c#1 has ended", "c#1 Msg Stopped", "false 3 Add(by: 3)")
}

// origin: RS-21
func TestADroppedReplyIsADeadLetter(t *testing.T) {
	prints(t, dropper+`
let d = actor.start(Dropper(), name: "dropper")
error_of(|| d.ask(Msg.Get))
print(actor.dead_letters().recent().map(|l| "${l.to} ${l.reason}"))
d.stop()
d.join()
`, `["dropper#1 Dropped"]`)
}

// Errors are told apart by their types. Those to be retried are Timeouts.
//
// origin: RS-22
func TestKindsOfErrors(t *testing.T) {
	prints(t, counter+`
fn kind(f: fn() -> ()) -> str {
  try { f(); "none" }
  catch e: Timeout { "retry" }
  catch e: actor.Stopped { "gone" }
  catch e: ValueError { "misuse" }
  catch e { "the actor's: ${e.message()}" }
}
let c = actor.start(Counter(), mailbox: 1)
let gate = chan<bool>()
c.tell(Wait(gate))
while c.queued() > 0 { sleep(1ms) }
print(kind(|| { c.ask(Msg.Get, within: 1ms); () }))
print(kind(|| c.tell(Add(1), within: 1ms)))
c.tell_first(Fail)
gate.send(true)
print(told(c.join()))
print(kind(|| c.tell(Add(1))), kind(|| { c.ask(Msg.Get); () }))
print(kind(|| { actor.start(Counter(), mailbox: -5); () }), kind(|| { c.metrics(); () }))
let a = actor.start(Counter(), name: "twice")
print(kind(|| { actor.start(Counter(), name: "twice"); () }))
a.tell(Wait(gate))
while a.queued() > 0 { sleep(1ms) }
let question = a.ask_task(Msg.Get)
a.tell_first(Fail)
gate.send(true)
print(kind(|| { await question; () }))
a.join()
`, "retry", "retry", "failed in Receive: asked to, killed false, state true", "gone gone", "misuse misuse", "misuse", "the actor's: asked to")
}

// A cycle of questions is an error of the last one in it, before it waits. It is
// looked for always.
//
// origin: RS-23
func TestCyclesOfQuestionsAreReported(t *testing.T) {
	const ring = counter + `
enum Q { Next(to: [actor.Ref<Q>], reply: actor.Reply<str>) }
struct Member {
  fn receive(q: Q, ctx: actor.Context<Q>) {
    match q {
      Next(to, reply) => {
        if to.is_empty() { reply.send("end") } else { reply.send(error_of_ask(to)) }
      }
    }
  }
}
fn error_of_ask(to: [actor.Ref<Q>]) -> str {
  try { to[0].ask(|r| Q.Next(to.skip(1), r)) } catch e { e.message() }
}
let a = actor.start(Member(), name: "a")
let b = actor.start(Member(), name: "b")
let c = actor.start(Member(), name: "c")
fn cycle(members: [actor.Ref<Q>], path: str) {
  let answer = members[0].ask(|r| Q.Next(members.skip(1), r), within: 1s)
  print(answer.contains(path), a.is_alive() && b.is_alive() && c.is_alive())
}
cycle([a, a], "a#1 waits for a#1")
cycle([a, b, a], "a#1 waits for b#2 waits for a#1")
cycle([a, b, c, a], "a#1 waits for b#2 waits for c#3 waits for a#1")
print(a.ask(|r| Q.Next([b, c], r)))
for m in [a, b, c] { m.stop(); m.join() }
`
	prints(t, ring, "true true", "true true", "true true", "end")
}

// origin: RS-23
func TestTellingOneselfWithAFullMailboxIsReported(t *testing.T) {
	prints(t, counter+`
struct Self { told: int = 0
  fn receive(n: int, ctx: actor.Context<int>) {
    for _ in 0..3 { ctx.me().tell(1); self.told += 1 }
  }
}
let a = actor.start(Self(), mailbox: 2)
a.tell(0)
match a.join() {
  Failed(error: e, actor: s) => print(e is Deadlock, (s! as Self).told)
  _ => print("never")
}
`, "true 2")
}

// origin: RS-24
func TestMetrics(t *testing.T) {
	prints(t, counter+`
let c = actor.start(Counter(), metrics: true)
for _ in 0..99 { c.tell(Add(1)) }
c.tell(Nap(5ms))
c.stop()
c.join()
let m = c.metrics()
print(m.messages, m.queued, m.longest >= 5ms, m.busy >= m.longest, m.average() <= m.longest, m.average() * 100 <= m.busy)
print(m.uptime >= m.busy, m.idle!  >= 5ms)
sleep(5ms)
print(c.metrics().uptime == m.uptime)
let idle = actor.start(Counter(), metrics: true)
print(idle.metrics().messages, idle.metrics().idle, idle.metrics().average())
idle.stop()
idle.join()
`, "100 0 true true true true", "true true", "true", "0 none 0s")
}

// origin: RS-24
func TestMetricsOfARunningActor(t *testing.T) {
	prints(t, counter+`
let c = actor.start(Counter(), metrics: true)
for i in 1..=20 {
  c.tell(Add(1))
  assert(c.ask(Msg.Get) == i)
  assert(c.metrics().messages == 2 * i)
}
print(c.metrics().queued, c.metrics().busy <= c.metrics().uptime)
c.stop()
c.join()
`, "0 true")
}

// observer keeps events.
type observer struct {
	mu     sync.Mutex
	events []vm.Event
}

func (o *observer) Event(e vm.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, e)
}

// Actors are tasks: an observer, or a trace, sees when one begins, is handed a
// message while it waits for one, answers, and ends.
//
// origin: RS-25
func TestObserversSeeLivesAndMessages(t *testing.T) {
	const script = counter + `
let c = actor.start(Counter())
for _ in 0..5 { c.ask(Msg.Get) }
c.stop()
c.join()
`
	var seen observer
	p := cases.Script().Compile(t, script)
	p.Prints(t, "", runnel.WithObserver(&seen))
	sent := seen.lifeOfAnActor(t)
	require.GreaterOrEqual(t, sent, 4, "the first may be there before the actor")
	for seed := range uint64(cases.Schedules()) {
		p.Prints(t, "", runnel.WithObserver(&seen), runnel.WithSeed(seed))
		seen.lifeOfAnActor(t)
	}
}

// lifeOfAnActor finds the actor that the main task has asked five times, forgets what
// was seen, and tells how many messages the actor was handed.
func (o *observer) lifeOfAnActor(t *testing.T) (sent int) {
	t.Helper()
	var by, of uint64
	answers, joined, ended := 0, false, ""
	for _, e := range o.events {
		switch {
		case e.Kind == vm.TaskSpawned && e.Other != 0:
			require.Zero(t, of, "one actor")
			by, of = e.Other, e.Task
		case e.Kind == vm.ValueSent && e.Task == by && e.Other == of:
			sent++
		case e.Kind == vm.TaskAwaited && e.Task == by && e.Other == of:
			joined = true
		case e.Kind == vm.TaskAwaited && e.Task == by:
			answers++
		case e.Kind == vm.TaskEnded && e.Task == of:
			ended = e.Why
		}
	}
	o.events = nil
	require.NotZero(t, of)
	require.Equal(t, 5, answers)
	require.True(t, joined)
	require.Equal(t, "done", ended)
	return sent
}

// An AnyRef is an actor whatever its messages are; an interface or a function is
// what several kinds have in common.
//
// origin: RS-26
func TestMixedCollections(t *testing.T) {
	prints(t, counter+`
enum Q { Ping(reply: actor.Reply<str>) }
struct Pinger {
  fn receive(q: Q, ctx: actor.Context<Q>) { match q { Ping(reply) => { reply.send("pong of ${ctx.name()}") } } }
}
let c = actor.start(Counter(7), name: "counter")
let p = actor.start(Pinger(), name: "pinger")
let pings = [|| "${c.ask(Msg.Get)}", || p.ask(Q.Ping)]
for ping in pings { print(ping()) }
let everyone: [actor.AnyRef] = [c, p]
print(everyone.map(|a| "${a.name()} ${a.id()} ${a.is_alive()} ${a.queued()}"))
print(same(everyone[0] as actor.Ref<Msg>, c), everyone[1] is actor.Ref<Q>)
everyone[0].stop()
everyone[1].kill()
for a in everyone { a.wait() }
print(everyone.any(|a| a.is_alive()))
`, "7", "pong of pinger#2", `["counter#1 1 true 0", "pinger#2 2 true 0"]`, "true true", "false")
}

// A Reply goes to whoever will answer: a handler hands it to a task and goes on.
//
// origin: RS-27
func TestAHandlerLeavesTheAnswerToATask(t *testing.T) {
	prints(t, counter+`
enum Q { Job(n: int, reply: actor.Reply<int>), Ping(reply: actor.Reply<str>) }
struct Server { jobs: int = 0
  fn receive(q: Q, ctx: actor.Context<Q>) {
    match q {
      Job(n, reply) => {
        self.jobs += 1
        spawn { sleep(100ms); reply.send(n * n) }
      }
      Ping(reply) => { reply.send("pong after ${self.jobs}") }
    }
  }
}
let s = actor.start(Server())
let (a, b) = (s.ask_task(|r| Q.Job(3, r)), s.ask_task(|r| Q.Job(4, r)))
print(s.ask(Q.Ping), a.done())
print(await a, await b)
s.stop()
s.join()
`, "pong after 2 false", "9 16")
}

// What a handler throws, also an error of the language, ends its actor alone.
//
// origin: RS-28
func TestAFailureIsOneActors(t *testing.T) {
	prints(t, counter+`
struct Odd { n: int = 0
  fn receive(msg: (int, actor.Reply<int>), ctx: actor.Context<(int, actor.Reply<int>)>) {
    self.n += 1
    match msg.0 {
      0 => msg.1.send(1 / (msg.0 * 1))
      1 => msg.1.send([1][5])
      2 => { let x: int? = none; msg.1.send(x!) }
      3 => {
        assert(self.n == 7)
        msg.1.send(1)
      }
      4 => {
        let x: any = "x"
        msg.1.send(x as int)
      }
      _ => throw error("plain")
    }
  }
  fn on_stop(ctx: actor.Context<(int, actor.Reply<int>)>, killed: bool) { print("on_stop", self.n, killed) }
}
let other = actor.start(Counter())
for i in 0..6 {
  let a = actor.start(Odd())
  let e = error_of(|| a.ask<int>(|r| (i, r)))
  match a.join() {
    Failed(error: f, phase: p, actor: s) => print(e == f.message() || e == "ValueError: " + f.message(), p, (s! as Odd).n)
    _ => print("never")
  }
}
other.tell(Add(1))
print(other.ask(Msg.Get))
let gate = chan<bool>()
other.tell(Wait(gate))
while other.queued() > 0 { sleep(1ms) }
let waiting = (0..3).map(|_| other.ask_task(Msg.Get))
other.tell_first(Fail)
gate.send(true)
print(waiting.map(|w| error_of(|| await w)))
print(told(other.join()))

// Also a question that it has put off.
struct Later { let kept: [actor.Reply<int>] = []
  fn receive(msg: Msg, ctx: actor.Context<Msg>) { match msg { Get(reply) => self.kept.push(reply), _ => throw error("out of memory") } }
}
let later = actor.start(Later())
let put_off = (0..2).map(|_| later.ask_task(Msg.Get))
later.tell(Fail)
print(put_off.map(|w| error_of(|| await w)), told(later.join()))
`, "on_stop 1 false", "true Receive 1", "on_stop 1 false", "true Receive 1", "on_stop 1 false", "true Receive 1",
		"on_stop 1 false", "true Receive 1", "on_stop 1 false", "true Receive 1", "on_stop 1 false", "true Receive 1",
		"1", `["asked to", "asked to", "asked to"]`, "failed in Receive: asked to, killed false, state true",
		`["out of memory", "out of memory"] failed in Receive: out of memory, killed false, state true`)
}

// tell_first overtakes; idling can take from a stream; many can wait for the end.
//
// origin: RS-29
func TestOvertakingStreamsAndWaiting(t *testing.T) {
	prints(t, counter+`
struct Log { let gate: chan<bool>, let seen: [str] = []
  fn receive(s: str, ctx: actor.Context<str>) { self.seen.push(s); self.gate.recv() }
}
let gate = chan<bool>()
let a = actor.start(Log(gate), mailbox: 2)
a.tell("first")
while a.queued() > 0 { sleep(1ms) }
a.tell("second")
a.tell("third")
print(a.try_tell("fourth"))
a.tell_first("pause")
let waiters = (0..3).map(|_| spawn { a.wait(); true })
a.stop()
gate.close()
match a.join() { Completed(actor: l) => print((l as Log).seen), Failed(error: e) => throw e }
print(await_all(waiters))

struct Stream { let from: chan<int>, sum: int = 0
  fn receive(reply: actor.Reply<int>, ctx: actor.Context<actor.Reply<int>>) { reply.send(self.sum) }
  fn on_idle(ctx: actor.Context<actor.Reply<int>>) -> bool {
    match self.from.recv() { none => false, n => { self.sum += n; true } }
  }
}
let numbers = chan<int>(10)
for i in 1..=4 { numbers.send(i) }
numbers.close()
let s = actor.start(Stream(numbers))
while s.ask<int>(|r| r) < 10 { yield_now() }
print(s.ask<int>(|r| r))
s.stop()
s.join()
`, "false", `["first", "pause", "second", "third"]`, "[true, true, true]", "10")
}

// Five philosophers dine; the waiter is an actor, too.
//
// origin: RS-30
func TestDiningPhilosophers(t *testing.T) {
	prints(t, counter+`
const seats = 5
const meals = 4
enum Fork { Take(reply: actor.Reply<bool>), Put }
struct Table { taken: bool = false, let queue: [actor.Reply<bool>] = []
  fn receive(m: Fork, ctx: actor.Context<Fork>) {
    match m {
      Take(reply) => { if self.taken { self.queue.push(reply) } else { self.taken = true; reply.send(true) } }
      Put => { if self.queue.is_empty() { self.taken = false } else { self.queue.remove(0).send(true) } }
    }
  }
}
enum Turn { Dine }
struct Philosopher { let low: actor.Ref<Fork>, let high: actor.Ref<Fork>, eaten: int = 0
  fn receive(m: Turn, ctx: actor.Context<Turn>) {
    self.low.ask(Fork.Take)
    self.high.ask(Fork.Take)
    self.eaten += 1
    yield_now()
    self.high.tell(Put)
    self.low.tell(Put)
    if self.eaten < meals { ctx.me().tell(Dine) } else { ctx.stop() }
  }
}
let forks = (0..seats).map(|_| actor.start(Table()))
let philosophers = (0..seats).map(|i| actor.start(Philosopher(forks[min(i, (i + 1) % seats)], forks[max(i, (i + 1) % seats)])))
for p in philosophers { p.tell(Dine) }
print(philosophers.map(|p| match p.join() { Completed(actor: a) => (a as Philosopher).eaten, Failed(error: e) => throw e }))
for f in forks { f.stop(); f.join() }
`, "[4, 4, 4, 4, 4]")
}
