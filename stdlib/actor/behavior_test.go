package actor_test

import (
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/cases"
)

// What users of rsActor rely on, with module actor: each test is a row of the
// table of its behaviours, RS-01 to RS-30, and says where our shape differs.

// prints runs a script whose output must be the same with one worker, with
// four, under explored schedules, and where races are looked for.
func prints(t *testing.T, src string, want ...string) {
	t.Helper()
	printsFreely(t, src, want...)
	printsExplored(t, src, want...)
}

// printsFreely leaves the schedule to the workers, in real time.
func printsFreely(t *testing.T, src string, want ...string) {
	t.Helper()
	script := cases.Script().Compile(t, src)
	for _, workers := range []int{1, 4} {
		for range 3 {
			script.Prints(t, eachLine(want), runnel.WithWorkers(workers))
		}
	}
}

// printsExplored chooses the schedule; the clock is virtual.
func printsExplored(t *testing.T, src string, want ...string) {
	t.Helper()
	cases.Script().Compile(t, src).Explore(t, cases.Schedules(), eachLine(want))
}

func eachLine(want []string) string { return strings.Join(want, "\n") + "\n" }

// counter is an actor for scripts; told puts the end of one into words.
const counter = `
import actor
import time
enum Msg { Add(by: int), Get(reply: actor.Reply<int>), Wait(gate: chan<bool>), Nap(d: duration), Fail }
struct Counter { n: int = 0
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Add(by) => { self.n += by }
      Get(reply) => { reply.send(self.n) }
      Wait(gate) => { gate.recv() }
      Nap(d) => { sleep(d) }
      Fail => throw error("asked to")
    }
  }
}
fn told<M>(o: actor.Outcome<M>) -> str {
  match o {
    Completed(killed: k) => "completed, killed ${k}"
    Failed(e, p, k, a, later) => "failed in ${p}: ${e.message()}, killed ${k}, state ${a.is_some()}" + (later.map(|l| ", then ${l.message()}") ?? "")
  }
}
fn error_of<T>(f: fn() -> T) -> str {
  try { f(); "no error" }
  catch e: actor.Stopped { "Stopped: ${e.message()}" }
  catch e: Timeout { "Timeout: ${e.message()}" }
  catch e: ValueError { "ValueError: ${e.message()}" }
  catch e { e.message() }
}
`

// The start gives the address alone; join is a method of it.
//
// origin: RS-01
func TestStartReturnsBeforeOnStartHasFinished(t *testing.T) {
	prints(t, counter+`
struct Slow { let gate: chan<bool>
  fn on_start(ctx: actor.Context<int>) { self.gate.recv() }
  fn receive(n: int, ctx: actor.Context<int>) { print("got ${n}") }
}
let gate = chan<bool>()
let a = actor.start(Slow(gate), name: "slow")
let b = actor.start(Counter())
a.tell(1)
print(a.name(), b.name(), a.id() != b.id(), a.is_alive())
gate.send(true)
a.stop()
b.stop()
print(told(a.join()), "and", told(b.join()))
`, "slow#1 actor#2 true true", "got 1", "completed, killed false and completed, killed false")
	prints(t, counter+`
struct Slow {
  fn on_start(ctx: actor.Context<int>) { sleep(50ms) }
  fn receive(n: int, ctx: actor.Context<int>) {}
}
let (a, d) = time.measure(|| actor.start(Slow()))
print(d < 25ms)
a.kill()
a.join()
`, "true")
}

// origin: RS-02
func TestAFailureOfOnStart(t *testing.T) {
	prints(t, counter+`
struct Broken { let gate: chan<bool>
  fn on_start(ctx: actor.Context<Msg>) { self.gate.recv(); throw error("no disk") }
  fn receive(msg: Msg, ctx: actor.Context<Msg>) { print("never") }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) { print("never") }
}
let gate = chan<bool>(1)
let a = actor.start(Broken(gate), name: "broken")
for i in 0..3 { a.tell(Add(i)) }
let answer = a.ask_task(Msg.Get)
gate.send(true)
print(told(a.join()))
print(error_of(|| await answer))
print(actor.dead_letters().recent().map(|l| "${l.to} ${l.reason}"))
print(error_of(|| a.tell(Add(1))))
`, "failed in OnStart: no disk, killed false, state false", "no disk",
		`["broken#1 Discarded", "broken#1 Discarded", "broken#1 Discarded", "broken#1 Discarded"]`, "Stopped: broken#1 has ended")
}

// origin: RS-03
func TestAFullMailboxDoesNotKeepOffAKill(t *testing.T) {
	prints(t, counter+`
let c = actor.start(Counter(), mailbox: 1)
let gate = chan<bool>()
c.tell(Wait(gate))
c.tell(Nap(1h))
gate.send(true)
while c.try_tell(Add(1)) {}
c.tell_first(Add(1))
c.kill()
print(told(c.join()))
`, "completed, killed true")
}

// origin: RS-04
func TestMessagesComeBeforeIdling(t *testing.T) {
	prints(t, counter+`
struct Eager { let gate: chan<bool>, n: int = 0, before: int = -1
  fn on_start(ctx: actor.Context<Msg>) { self.gate.recv() }
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Add(by) => { self.n += by }
      Get(reply) => { reply.send(self.before) }
      _ => ctx.me().kill()
    }
  }
  fn on_idle(ctx: actor.Context<Msg>) -> bool {
    if self.before < 0 { self.before = self.n; self.gate.send(true) }
    true
  }
}
let gate = chan<bool>()
let a = actor.start(Eager(gate))
for _ in 0..100 { a.tell(Add(1)) }
gate.send(true)
gate.recv()
print(a.ask(Msg.Get))
// A kill comes before messages.
a.tell(Fail)
for _ in 0..100 { a.try_tell(Add(1)) }
match a.join() {
  Completed(actor: e, killed: k) => print(k, (e as Eager).n)
  _ => {}
}
`, "100", "true 100")
}

// Idling ends with false, and with an error the actor; by default there is none.
//
// origin: RS-05
func TestIdling(t *testing.T) {
	prints(t, counter+`
struct Idler { let left: [bool], let idled: chan<int>, times: int = 0
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Get(reply) => { reply.send(self.times) }
      _ => { self.left.push(true); self.left.push(false); ctx.want_idle() }
    }
  }
  fn on_idle(ctx: actor.Context<Msg>) -> bool {
    self.times += 1
    if self.left.is_empty() { throw error("idle hands") }
    let again = self.left.remove(0)
    if !again { self.idled.send(self.times) }
    again
  }
}
let idled = chan<int>()
let a = actor.start(Idler([true, true, false], idled))
print(idled.recv(), a.ask(Msg.Get), a.ask(Msg.Get))
a.tell(Fail)
print(idled.recv(), a.ask(Msg.Get))
a.stop()
print(told(a.join()))
let b = actor.start(Idler([], idled))
match b.join() {
  Failed(error: e, phase: p, actor: s) => print(e.message(), p, (s! as Idler).times)
  _ => {}
}
`, "3 3 3", "5 5", "completed, killed false", "idle hands OnIdle 1")
}

// origin: RS-06
func TestTellIsFirstInFirstOut(t *testing.T) {
	prints(t, counter+`
struct Log { let seen: [int] = []
  fn receive(msg: (int, actor.Reply<[int]>?), ctx: actor.Context<(int, actor.Reply<[int]>?)>) {
    match msg.1 { none => self.seen.push(msg.0), r => { r.send(self.seen) } }
  }
}
let c = actor.start(Counter())
for _ in 0..1000 { c.tell(Add(1)) }
print(c.ask(Msg.Get))
c.stop()
let log = actor.start(Log())
scope { for who in 0..4 { spawn { for i in 0..20 { log.tell((who * 100 + i, none)) } } } }
let seen = log.ask<[int]>(|r| (0, r))
for who in 0..4 { print(seen.filter(|n| n / 100 == who) == (0..20).map(|i| who * 100 + i)) }
log.stop()
print(told(c.join()), told(log.join()))
`, "1000", "true", "true", "true", "true", "completed, killed false completed, killed false")
}

// origin: RS-07
func TestAskGivesATypedAnswer(t *testing.T) {
	prints(t, counter+`
enum Q { Name(reply: actor.Reply<str>), Point(reply: actor.Reply<(int, float?)>), Nobody(reply: actor.Reply<()>) }
struct Person {
  fn receive(q: Q, ctx: actor.Context<Q>) {
    match q {
      Name(r) => print(r.send("ada"), r.send("bob"), r.fail(error("late")))
      Point(r) => { r.send((1, 2.5)) }
      Nobody(r) => { r.send(()) }
    }
  }
}
let p = actor.start(Person())
let name: str = p.ask(Q.Name)
let point = p.ask(|r| Q.Point(r))
p.ask(Q.Nobody)
print(name, point.0, point.1)
let answers = await_all((0..3).map(|_| p.ask_task(Q.Point)))
print(answers.len())
p.stop()
print(told(p.join()))
print(error_of(|| p.ask(Q.Name)))
`, "true false false", "ada 1 2.5", "3", "completed, killed false", "Stopped: actor#1 has ended")
}

const dropper = counter + `
struct Dropper { let kept: [actor.Reply<int>] = []
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {}
}
`

// origin: RS-07
func TestADroppedQuestionIsAnError(t *testing.T) {
	prints(t, dropper+`
let d = actor.start(Dropper(), name: "dropper")
print(error_of(|| d.ask(Msg.Get)))
print(d.is_alive())
d.stop()
d.join()
`, "Stopped: dropper#1 did not answer: the question was dropped", "true")
}

// origin: RS-08
func TestOneMessageAtATime(t *testing.T) {
	prints(t, counter+`
struct Slow { inside: int = 0, let log: [int] = []
  fn receive(n: int, ctx: actor.Context<int>) {
    self.inside += 1
    self.log.push(n)
    sleep(1ms)
    yield_now()
    self.log.push(n)
    assert(self.inside == 1)
    self.inside -= 1
  }
}
let a = actor.start(Slow())
scope { for i in 0..4 { spawn a.tell(i) } }
a.stop()
match a.join() {
  Completed(actor: s, killed: k) => {
    let log = (s as Slow).log
    print(log.len(), log.chunks(2).all(|c| c[0] == c[1]))
  }
  Failed(error: e) => throw e
}
`, "8 true")
}

// origin: RS-09
func TestStopComesAfterWhatIsQueued(t *testing.T) {
	prints(t, counter+`
struct Sum { n: int = 0, stops: int = 0
  fn receive(n: int, ctx: actor.Context<int>) { self.n += n; yield_now() }
  fn on_stop(ctx: actor.Context<int>, killed: bool) { self.stops += 1; print("on_stop ${self.n} ${killed} ${self.stops}") }
}
let a = actor.start(Sum())
for i in 1..=10 { a.tell(i) }
a.stop()
a.stop()
let refused = error_of(|| a.tell(100))
print(told(a.join()))
print(refused, a.try_tell(100), a.is_alive())
a.stop()
`, "on_stop 55 false 1", "completed, killed false", "Stopped: actor#1 has ended false false")
}

// origin: RS-10
func TestKillIsImmediateAndIdempotent(t *testing.T) {
	prints(t, counter+`
struct Slow { let begun: chan<bool>, handled: int = 0, stops: [bool] = []
  fn receive(n: int, ctx: actor.Context<int>) {
    if n == 0 { self.begun.send(true) }
    sleep(10ms)
    self.handled += 1
  }
  fn on_stop(ctx: actor.Context<int>, killed: bool) { self.stops.push(killed) }
}
let begun = chan<bool>()
let a = actor.start(Slow(begun))
for i in 0..100 { a.tell(i) }
begun.recv()
a.kill()
a.kill()
match a.join() {
  Completed(actor: s, killed: k) => print(k, (s as Slow).handled < 5, (s as Slow).stops)
  Failed(error: e) => throw e
}
a.kill()
print(a.queued(), actor.dead_letters().count() > 90)
`, "true true [true]", "0 true")
}

// origin: RS-11
func TestAnActorThatNobodyHoldsStopsAfterItsMessages(t *testing.T) {
	prints(t, counter+`
struct Sum { n: int = 0
  fn receive(n: int, ctx: actor.Context<int>) { self.n += n; yield_now() }
  fn on_stop(ctx: actor.Context<int>, killed: bool) { print("stopped with ${self.n}, killed ${killed}") }
}
fn leave() -> task<actor.Outcome<int>> {
  let a = actor.start(Sum())
  for i in 1..=5 { a.tell(i) }
  a.ending()
}
print(told(await leave()))
`, "stopped with 15, killed false", "completed, killed false")
}

// The later error is kept beside the first one.
//
// origin: RS-12
func TestErrorsOfOnStop(t *testing.T) {
	prints(t, counter+`
struct Bad { let idle: bool = false
  fn receive(msg: Msg, ctx: actor.Context<Msg>) { match msg { Nap(d) => { sleep(d) }, _ => throw error("in receive") } }
  fn on_idle(ctx: actor.Context<Msg>) -> bool { if self.idle { throw error("in on_idle") }; false }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) { throw error("in on_stop") }
}
fn end(how: fn(actor.Ref<Msg>), idle: bool = false) {
  let a = actor.start(Bad(idle))
  how(a)
  print(told(a.join()))
}
end(|a| a.stop())
end(|a| { a.tell(Nap(1h)); a.kill() })
end(|a| a.tell(Fail))
end(|_| {}, idle: true)
`,
		"failed in OnStop: in on_stop, killed false, state true",
		"failed in OnStop: in on_stop, killed true, state true",
		"failed in Receive: in receive, killed false, state true, then in on_stop",
		"failed in OnIdle: in on_idle, killed false, state true, then in on_stop")
}

// origin: RS-13
func TestJoinGivesTheState(t *testing.T) {
	prints(t, counter+`
fn state(o: actor.Outcome<Msg>) -> int {
  match o {
    Completed(actor: a) => (a as Counter).n
    Failed(actor: a) => (a! as Counter).n
  }
}
for end in [Msg.Add(0), Msg.Fail] {
  let c = actor.start(Counter())
  for i in 0..10 { c.tell(Add(i)) }
  c.tell(end)
  c.stop()
  print(state(c.join()), state(c.join()), state(await c.ending()))
}
`, "45 45 45", "45 45 45")
}

// origin: RS-14
func TestWeakAddresses(t *testing.T) {
	prints(t, counter+`
let c = actor.start(Counter(), name: "c")
let w = c.weak()
print(w.is_alive(), w.upgrade()!.name(), w.upgrade()!.ask(Msg.Get))
let gate = chan<bool>()
c.tell(Wait(gate))
c.stop()                // from here on it takes no messages
print(w.is_alive(), w.upgrade().is_none(), actor.find<Msg>("c").is_none())
gate.send(true)
c.join()
print(w.is_alive(), w.upgrade().is_none())
`, "true c#1 0", "false true true", "false true")
}

// origin: RS-14
func TestWeakAddressesKeepNothingAlive(t *testing.T) {
	prints(t, counter+`
struct Holder { ref: actor.Ref<Msg>? = none }
fn leave(holder: Holder) -> (actor.WeakRef<Msg>, task<actor.Outcome<Msg>>) {
  let c = actor.start(Counter())
  holder.ref = c
  (c.weak(), c.ending())
}
let holder = Holder()
let (w, ending) = leave(holder)
sleep(10ms)
print(w.is_alive(), ending.done(), holder.ref!.ask(Msg.Get), w.upgrade()!.ask(Msg.Get))
holder.ref = none
print(told(await ending))
print(w.is_alive(), w.upgrade().is_none())
`, "true false 0 0", "completed, killed false", "false true")
}
