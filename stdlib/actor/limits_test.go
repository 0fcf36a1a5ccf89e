package actor_test

import (
	"testing"
)

// What is known to go wrong with rsActor, by the numbers of its list, must not
// with ours; and nothing hangs or gets lost however actors end.

// Neither timers nor what on_idle waits for starves while messages keep coming.
//
// origin: RS flaw 1
func TestMessagesDoNotKeepIdlingFromItsEnd(t *testing.T) {
	prints(t, counter+`
enum M { Noise, Begin, Tick, Ticked(reply: actor.Reply<bool>) }
struct Busy { ticked: bool = false, idled: bool = false
  fn receive(m: M, ctx: actor.Context<M>) {
    match m {
      Noise => {}
      Begin => { ctx.after(10ms, Tick) }
      Tick => { self.ticked = true }
      Ticked(reply) => { reply.send(self.ticked && self.idled) }
    }
  }
  fn on_idle(ctx: actor.Context<M>) -> bool { sleep(10ms); self.idled = true; false }
}
let a = actor.start(Busy())
a.tell(Begin)
let noise = spawn { loop { a.tell(Noise); sleep(1ms) } }
while !a.ask(M.Ticked) { sleep(2ms) }
noise.cancel()
print("idled and ticked")
a.stop()
print(told(a.join()))
`, "idled and ticked", "completed, killed false")
}

// A kill reaches an actor wherever it waits or loops. An on_stop that runs has its
// five seconds: spec/tests/actor/a_kill_gives_an_on_stop_that_runs_five_seconds.
//
// origin: RS flaw 2
func TestKillReachesWhatWaitsOrLoops(t *testing.T) {
	prints(t, counter+`
struct Stuck { let where: str, let how: str, let there: chan<bool>, stops: int = 0
  fn stick(where: str) {
    if where != self.where { return }
    self.there.send(true)
    match self.how {
      "sleep" => sleep(1h)
      "loop" => { var n = 0; loop { n += 1 } }
      "recv" => { chan<int>().recv() }
      "tries" => { loop { try { sleep(1h) } catch e { print("never") } } }
      _ => { let m = mutex(0); lock m as _ { sleep(1h) } }
    }
  }
  fn on_start(ctx: actor.Context<Msg>) { self.stick("on_start") }
  fn receive(m: Msg, ctx: actor.Context<Msg>) { self.stick("receive") }
  fn on_idle(ctx: actor.Context<Msg>) -> bool { self.stick("on_idle"); false }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) { self.stops += 1 }
}
let there = chan<bool>()
for where in ["on_start", "on_idle", "receive"] {
  let ends = ["sleep", "loop", "recv", "tries", "lock"].map(|how| {
    let a = actor.start(Stuck(where, how, there))
    match where {
      "receive" => a.tell(Fail)
      _ => {}
    }
    there.recv()
    a.kill()
    match a.join() { Completed(actor: s, killed: k) => (k, (s as Stuck).stops), Failed(error: e) => throw e }
  })
  print(where, ends.all(|e| e == ends[0]), ends[0])
}
`, "on_start true (true, 0)", "on_idle true (true, 1)", "receive true (true, 1)")
}

// origin: RS flaw 3
func TestKillOvertakesAStop(t *testing.T) {
	prints(t, counter+`
let c = actor.start(Counter())
for _ in 0..10 { c.tell(Nap(1h)) }
c.stop()
let start = time.mono()
c.kill()
print(told(c.join()), time.since(start) < 1h, actor.dead_letters().count() >= 9)
`, "completed, killed true true true")
}

// A failure keeps the state, calls on_stop, and is told to watchers and links.
//
// origin: RS flaw 4
func TestAFailureIsAnOutcome(t *testing.T) {
	prints(t, counter+`
enum M { Work(n: int), Gone(exit: actor.Exit), Seen(reply: actor.Reply<[str]>) }
struct Worker { n: int = 0
  fn receive(m: M, ctx: actor.Context<M>) {
    match m { Work(n) => { self.n += n; if n == 3 { throw error("three") } }, _ => {} }
  }
  fn on_stop(ctx: actor.Context<M>, killed: bool) { print("on_stop with ${self.n}") }
}
struct Boss { let worker: actor.Ref<M>, let seen: [str] = [], later: actor.Reply<[str]>? = none
  fn on_start(ctx: actor.Context<M>) {
    ctx.trap_exits(|e| M.Gone(e))
    ctx.link(self.worker)
    ctx.watch(self.worker, |e| M.Gone(e))
  }
  fn receive(m: M, ctx: actor.Context<M>) {
    match m {
      Gone(e) => { self.seen.push("${e.name} ${e.error.map(|e| e.message())} ${e.killed}") }
      Seen(reply) => { self.later = reply }
      _ => {}
    }
    if self.seen.len() == 2 { if let r = self.later { r.send(self.seen) } }
  }
}
let w = actor.start(Worker(), name: "worker")
let tied = actor.start(Counter())
actor.link(tied, w)
let boss = actor.start(Boss(w))
let seen = boss.ask_task(M.Seen)
sleep(1ms)
for i in 1..=5 { w.try_tell(Work(i)) }
match w.join() { Failed(error: e, actor: s, phase: p) => print(e.message(), p, (s! as Worker).n), _ => print("never") }
print(await seen, boss.is_alive())
print(told(tied.join()))
boss.stop()
print(told(boss.join()))
`, "on_stop with 6", "three Receive 6", `["worker three false", "worker three false"] true`, "completed, killed true", "completed, killed false")
}

// origin: RS flaw 5
func TestSelectiveReceive(t *testing.T) {
	prints(t, counter+`
enum M { Begin, Data(n: int), Go, Log(reply: actor.Reply<[str]>) }
struct Picky { let log: [str] = []
  fn receive(m: M, ctx: actor.Context<M>) {
    match m {
      Begin => {
        self.log.push("begin")
        ctx.receive_where(|m| m == M.Go)
        self.log.push("go")
        let seven = ctx.receive_where(|m| match m { Data(n) => n == 7, _ => false })
        self.log.push("${seven}")
      }
      Data(n) => self.log.push("${n}")
      Go => self.log.push("late go")
      Log(reply) => { reply.send(self.log) }
    }
  }
}
let a = actor.start(Picky(), mailbox: 3)
for m in [M.Begin, Data(1), Data(7), Data(2), Go, Data(3), Go] { a.tell(m) }
print(a.ask(M.Log))
a.tell(Begin)
a.tell(Data(4))
a.stop()
match a.join() {
  Failed(error: e, actor: s) => print(e.message(), (s! as Picky).log.len(), actor.dead_letters().recent().map(|l| l.message))
  _ => print("never")
}
`, `["begin", "go", "Data(n: 7)", "1", "2", "3", "late go"]`, "actor#1 takes no more messages 8 [Data(n: 4)]")
}

// origin: RS flaw 5
func TestTimers(t *testing.T) {
	prints(t, counter+`
struct Clock { let log: [str] = [], ticks: int = 0, every: actor.Timer? = none, done: chan<bool>
  fn on_start(ctx: actor.Context<str>) {
    ctx.after(40ms, "forty")
    ctx.after(20ms, "twenty")
    ctx.after(30ms, "never").cancel()
    self.every = ctx.every(100ms, "tick")
  }
  fn receive(s: str, ctx: actor.Context<str>) {
    self.log.push(s)
    if s == "tick" {
      self.ticks += 1
      if self.ticks == 3 { self.every!.cancel(); ctx.after(150ms, "end") }
    }
    if s == "end" { ctx.stop() }
  }
}
let a = actor.start(Clock(done: chan<bool>()))
match a.join() { Completed(actor: c) => print((c as Clock).log), Failed(error: e) => throw e }
`, `["twenty", "forty", "tick", "tick", "tick", "end"]`)
}

// origin: RS flaw 5
func TestNames(t *testing.T) {
	prints(t, counter+`
let c = actor.start(Counter(), name: "c")
print(same(actor.find<Msg>("c")!, c), actor.find<str>("c").is_none(), actor.find<Msg>("d").is_none())
print(same(actor.find_id<Msg>(c.id())!, c), error_of(|| actor.start(Counter(), name: "c")))
c.stop()
c.join()
print(actor.find<Msg>("c").is_none(), actor.find_id<Msg>(c.id()).is_none())
let again = actor.start(Counter(5), name: "c")
print(again.id() > c.id(), actor.find<Msg>("c")!.ask(Msg.Get))
again.stop()
again.join()
`, "true true true", "true ValueError: actor: there is a c already", "true true", "true 5")
}

// origin: RS flaw 5
func TestKillBreaksTellingOneselfWithAFullMailbox(t *testing.T) {
	prints(t, counter+`
struct Self { let begun: chan<bool>
  fn receive(n: int, ctx: actor.Context<int>) {
    ctx.me().tell(1)
    self.begun.send(true)
    ctx.me().tell(2)
  }
}
let begun = chan<bool>()
let a = actor.start(Self(begun), mailbox: 1)
a.tell(0)
let keep = spawn { sleep(1h) }
begun.recv()
a.kill()
print(told(a.join()), actor.dead_letters().recent().map(|l| l.message))
`, "completed, killed true [1]")
}

// An answer that is awaited later makes no cycle.
//
// origin: RS flaw 6
func TestQuestionsThatNobodyWaitsForAreNoCycle(t *testing.T) {
	prints(t, counter+`
enum Q { Begin(of: actor.Ref<Q>, reply: actor.Reply<int>), Give(reply: actor.Reply<int>), Through(to: actor.Ref<Q>, reply: actor.Reply<int>) }
struct Member { let value: int, stored: task<int>? = none
  fn receive(q: Q, ctx: actor.Context<Q>) {
    match q {
      Begin(of, reply) => {
        let me = ctx.me()
        let answer = of.ask_task(|r| Q.Through(me, r))
        self.stored = answer
        spawn { reply.send(await answer) }
      }
      Through(to, reply) => { reply.send(self.value + to.ask(Q.Give)) }
      Give(reply) => { reply.send(self.value) }
    }
  }
}
let a = actor.start(Member(1))
let b = actor.start(Member(20))
print(a.ask(|r| Q.Begin(b, r)), a.is_alive(), b.is_alive())
for m in [a, b] { m.stop(); m.join() }
`, "21 true true")
}

// What was accepted and not handled is a dead letter, however the actor ends.
//
// origin: RS flaw 7
func TestNothingAcceptedVanishes(t *testing.T) {
	prints(t, counter+`
fn lost(end: fn(actor.Ref<Msg>)) -> int {
  let before = actor.dead_letters().count()
  let c = actor.start(Counter())
  let gate = chan<bool>(1)
  c.tell(Wait(gate))
  while c.queued() > 0 { sleep(1ms) }
  for _ in 0..10 { c.tell(Add(1)) }
  end(c)
  gate.send(true)
  c.join()
  assert(actor.dead_letters().recent().all(|l| l.reason == actor.Reason.Discarded))
  actor.dead_letters().count() - before
}
print(lost(|c| c.stop()), lost(|c| c.kill()), lost(|c| c.tell_first(Fail)), lost(|c| { c.stop(); c.kill() }))
`, "0 10 10 10")
	prints(t, counter+`
struct Last {
  fn receive(m: Msg, ctx: actor.Context<Msg>) {}
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) { print("on_stop at the program's end") }
}
let a = actor.start(Last())
a.tell(Add(1))
while a.queued() > 0 { sleep(1ms) }
`, "on_stop at the program's end")
}

// origin: RS flaw 8
func TestTheDefaultMailboxIsSetAsOftenAsOneLikes(t *testing.T) {
	prints(t, counter+`
let gate = chan<bool>()
for size in [1, 5, 2] {
  actor.set_default_mailbox(size)
  let c = actor.start(Counter())
  c.tell(Wait(gate))
  while c.queued() > 0 { sleep(1ms) }
  var n = 0
  while c.try_tell(Add(1)) { n += 1 }
  print(n)
  c.kill()
  c.join()
}
`, "1", "5", "2")
}

// hammered has four tasks send to an actor in every way, and ends it after some
// turns. Whoever sends counts what was accepted and what was refused; the actor
// counts what it has begun with.
const hammered = counter + `
enum H { Note, Ask(reply: actor.Reply<int>), Break, Kill }
struct Target { begun: int = 0, answered: int = 0, let patience: int
  fn on_start(ctx: actor.Context<H>) { for _ in 0..self.patience { yield_now() } }
  fn receive(m: H, ctx: actor.Context<H>) {
    self.begun += 1
    for _ in 0..self.patience { yield_now() }
    match m {
      Note => {}
      Ask(reply) => { if reply.send(self.begun) { self.answered += 1 } }
      Break => throw error("broken")
      Kill => ctx.me().kill()
    }
  }
  fn on_stop(ctx: actor.Context<H>, killed: bool) { for _ in 0..self.patience { yield_now() } }
}
struct Count { accepted: int = 0, refused: int = 0, answers: int = 0 }
fn send_all(a: actor.Ref<H>, n: int) -> Count {
  let c = Count()
  for i in 0..n {
    try {
      match i % 5 {
        0 => a.tell(Note)
        1 => a.tell_first(Note)
        2 => a.tell(Note, within: 1h)
        3 => { if !a.try_tell(Note) { c.refused += 1; c.accepted -= 1 } }
        _ => {
          let question = a.ask_task(H.Ask)
          try { await question; c.answers += 1 } catch e {}
        }
      }
      c.accepted += 1
    } catch e: actor.Stopped { c.refused += 1 }
  }
  c
}
fn sent(f: fn() -> ()) -> int { try { f(); 1 } catch e: actor.Stopped { 0 } }
fn hammer(patience: int, turns: int, end: fn(actor.Ref<H>) -> int) {
  let lost = actor.dead_letters().listen(1000)
  let a = actor.start(Target(patience: patience), mailbox: 2)
  let senders = (0..4).map(|_| spawn send_all(a, 10))
  for _ in 0..turns { yield_now() }
  var (accepted, refused, answers) = (end(a), 0, 0)
  let t = match a.join() {
    Completed(actor: t) => t as Target
    Failed(actor: t) => t! as Target
  }
  for c in await_all(senders) {
    accepted += c.accepted
    refused += c.refused
    answers += c.answers
  }
  lost.close()
  var discarded = 0
  for l in lost { if l.reason == actor.Reason.Discarded { discarded += 1 } }
  assert(accepted == t.begun + discarded)
  assert(accepted + refused == 40 || accepted + refused == 41)
  assert(answers == t.answered)
}
`

// Every message is begun with, a dead letter, or refused, and nobody waits for
// ever. The message that ends the actor is one more.
func TestNoMessageIsLostHoweverAnActorEnds(t *testing.T) {
	for name, end := range map[string]string{
		"stop":            `|a| { a.stop(); 0 }`,
		"kill":            `|a| { a.kill(); 0 }`,
		"stop, then kill": `|a| { a.stop(); yield_now(); a.kill(); 0 }`,
		"kill twice":      `|a| { a.kill(); yield_now(); a.kill(); 0 }`,
		"kill, then stop": `|a| { a.kill(); a.stop(); 0 }`,
		"failure":         `|a| sent(|| a.tell(Break))`,
		"failure first":   `|a| sent(|| a.tell_first(Break))`,
		"suicide":         `|a| sent(|| a.tell(H.Kill))`,
		"four at once":    `|a| scope { spawn a.stop(); spawn a.kill(); spawn a.kill(); await spawn sent(|| a.tell(Break)) }`,
	} {
		t.Run(name, func(t *testing.T) {
			prints(t, hammered+`
for patience in 0..2 { for turns in [0, 1, 5, 20] { hammer(patience, turns, `+end+`) } }
print("ok")
`, "ok")
		})
	}
}

// A kill comes at every moment of an actor that asks and is asked.
func TestAKillAtEveryMomentOfAnActor(t *testing.T) {
	prints(t, counter+`
enum Q { Through(to: actor.Ref<Msg>, reply: actor.Reply<int>) }
struct Middle {
  fn on_start(ctx: actor.Context<Q>) { yield_now() }
  fn receive(q: Q, ctx: actor.Context<Q>) {
    match q { Through(to, reply) => { yield_now(); reply.send(to.ask(Msg.Get) + 1) } }
  }
  fn on_stop(ctx: actor.Context<Q>, killed: bool) { yield_now() }
}
enum Victim { Asker, Middle, Asked }
for victim in [Victim.Asker, Middle, Asked] {
  for moment in 0..8 {
    let asked = actor.start(Counter(1))
    let middle = actor.start(Middle())
    let asker = spawn { middle.ask(|r| Q.Through(asked, r)) }
    for _ in 0..moment { yield_now() }
    match victim { Asker => asker.cancel(), Middle => middle.kill(), Asked => asked.kill() }
    let answer = try { await asker } catch e { -1 }
    assert(answer == 2 || answer == -1)
    // Who was not killed goes on, but for one whose question has failed.
    match victim {
      Asker => assert(asked.is_alive() && middle.is_alive())
      Middle => assert(asked.is_alive())
      Asked => assert(!asked.is_alive() || answer == 2)
    }
    asked.kill()
    asked.join()
    middle.kill()
    middle.join()
  }
}
print("ok")
`, "ok")
}

func TestSendersAtTheFullMailboxOfAnActorThatFails(t *testing.T) {
	prints(t, counter+`
let c = actor.start(Counter(), name: "c", mailbox: 1)
let gate = chan<bool>()
c.tell(Wait(gate))
while c.queued() > 0 { sleep(1ms) }
c.tell(Fail)
let senders = (0..4).map(|i| spawn error_of(|| if i < 2 { c.tell(Add(1)) } else { c.ask(Msg.Get); () }))
sleep(1ms)
print(senders.any(|s| s.done()), c.queued())
gate.send(true)
print(told(c.join()))
let texts = await_all(senders)
print(texts.filter(|s| s == "Stopped: c#1 has ended").len() >= 2, texts.all(|s| s == "Stopped: c#1 has ended" || s == "asked to" || s == "no error"))
`, "false 1", "failed in Receive: asked to, killed false, state true", "true true")
}

// An on_stop of a killed actor has five seconds; then the actor has failed there.
func TestAnActorWhoseOnStopDoesNotEnd(t *testing.T) {
	printsExplored(t, counter+`
struct Clinging {
  fn receive(m: Msg, ctx: actor.Context<Msg>) { throw error("first") }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) { sleep(1h) }
}
let a = actor.start(Clinging())
let (outcome, d) = time.measure(|| { a.kill(); told(a.join()) })
print(outcome, d >= 5s && d < 6s)
let b = actor.start(Clinging())
b.tell(Fail)
print(told(b.join()))
`, "failed in OnStop: the time is over, killed true, state true true", "failed in Receive: first, killed false, state true, then the time is over")
}

func TestTenThousandActorsStartedAndKilledAtOnce(t *testing.T) {
	const script = counter + `
let before = actor.dead_letters().count()
let all = (0..many).map(|_| actor.start(Counter()))
for c in all { c.tell(Add(1)) }
scope {
  for part in all.chunks(many / 4) {
    spawn { for c in part { c.kill() } }
    spawn { for c in part { c.try_tell(Add(1)) } }
  }
}
print(all.all(|c| match c.join() { Completed(killed: k) => k, _ => false }), all.any(|c| c.is_alive()))
print(all.all(|c| c.weak().upgrade().is_none() && actor.find_id<Msg>(c.id()).is_none()))
`
	printsFreely(t, "const many = 10_000\n"+script, "true false", "true")
	printsExplored(t, "const many = 20\n"+script, "true false", "true")
}

// Actors that link, watch, ask, stop and kill each other as the dice fall all
// end, whoever waits is told, and only errors that were thrown are seen.
func TestActorsThatDoEverythingToEachOther(t *testing.T) {
	const script = `
import actor
import sync
enum M { Note, Ask(of: actor.Ref<M>, reply: actor.Reply<int>), Get(reply: actor.Reply<int>), Link(to: actor.Ref<M>), Watch(of: actor.Ref<M>), Gone, Break, Later, Stop }
struct Peer { seen: int = 0, gone: int = 0
  fn on_start(ctx: actor.Context<M>) { yield_now() }
  fn receive(m: M, ctx: actor.Context<M>) {
    self.seen += 1
    match m {
      Note => {}
      Get(reply) => { yield_now(); reply.send(self.seen) }
      Ask(of, reply) => { reply.send(of.ask(M.Get)) }
      Link(to) => ctx.link(to)
      Watch(of) => { ctx.watch(of, |e| Gone); () }
      Gone => { self.gone += 1 }
      Break => throw error("broken")
      Later => { ctx.after(1ms, Note); () }
      Stop => ctx.stop()
    }
  }
  fn on_stop(ctx: actor.Context<M>, killed: bool) { yield_now() }
}
struct Dice { seed: int
  fn roll(n: int) -> int { self.seed = (self.seed * 1103515245 + 12345) % 2147483648; self.seed / 65536 % n } }
fn act(d: Dice, all: [actor.Ref<M>], told: sync.AtomicInt) {
  for _ in 0..12 {
    let (a, b) = (all[d.roll(all.len())], all[d.roll(all.len())])
    try {
      match d.roll(12) {
        0 => a.kill()
        1 => a.stop()
        2 => a.tell(Break)
        3 => a.tell(Link(b))
        4 => a.tell(Watch(b))
        5 => { a.ask(|r| M.Ask(b, r)); () }
        6 => { a.ask(M.Get, within: 1h); () }
        7 => a.tell(Later)
        8 => a.tell_first(Note)
        9 => { actor.watch(a, |e| { told.add(1); () }); () }
        10 => { a.try_tell(Stop); () }
        _ => a.tell(Note, within: 1h)
      }
    } catch e: actor.Stopped {} catch e: Timeout {} catch e: Deadlock {} catch e { assert(e.message() == "broken", e.message()) }
  }
}
for round in 0..rounds {
  let told = sync.atomic(0)
  let all = (0..5).map(|_| actor.start(Peer(), mailbox: 2))
  for a in all { actor.watch(a, |e| { told.add(1); () }) }
  let acts = (0..4).map(|i| spawn act(Dice(round * 977 + i * 31 + 7), all, told))
  for t in acts { await t }
  for a in all { a.stop() }
  for a in all { a.join() }
  assert(told.load() >= 5)
  assert(all.all(|a| !a.is_alive() && a.queued() == 0 && a.weak().upgrade().is_none()))
}
print("ok")
`
	printsFreely(t, "const rounds = 100\n"+script, "ok")
	printsExplored(t, "const rounds = 3\n"+script, "ok")
}

func TestWhoTellsAnActorAndIsCancelledHasToldOrNot(t *testing.T) {
	prints(t, `
import actor
enum M { Get(reply: actor.Reply<int>), Note, Wait(g: chan<bool>) }
struct C { n: int = 0
 fn receive(m: M, ctx: actor.Context<M>) { match m { Get(r) => { self.n += 1; r.send(1) }, Note => { self.n += 1 }, Wait(g) => { g.recv() } } } }
for moment in 0..6 {
  let c = actor.start(C(), mailbox: 1)
  let g = chan<bool>(1)
  c.tell(Wait(g))
  let sent = mutex(0)
  let ts = (0..4).map(|i| spawn { 
    for _ in 0..3 {
      match i { 0 => c.tell(Note), 1 => c.tell(Note, within: 1s), 2 => { c.ask(M.Get); () }, _ => { c.ask_task(M.Get); () } }
      lock sent as s { s += 1 }
    } })
  for _ in 0..moment { yield_now() }
  for t in ts { t.cancel() }
  g.send(true)
  for t in ts { try { await t } catch e {} }
  c.stop()
  match c.join() { Completed(actor: a, killed: k) => { let d = (a as C).n - sent.get(); assert(d >= 0 && d <= 4 && !k, "${d} ${k}") }, Failed(error: e) => throw e }
}
print("ok")
`, "ok")
}

func TestTheStartOfAnActorThatIsCancelledLeavesItsNameFree(t *testing.T) {
	prints(t, `
import actor
struct C { fn receive(n: int, ctx: actor.Context<int>) {} }
for moment in 0..6 {
  let others = (0..4).map(|_| spawn { for _ in 0..3 { let a = actor.start(C()); a.kill(); a.join() } })
  let t = spawn { for _ in 0..3 { actor.start(C(), name: "c"); yield_now(); actor.find<int>("c")!.kill(); actor.find<int>("c")?.join() } }
  for _ in 0..moment { yield_now() }
  t.cancel()
  try { await t } catch e {}
  for o in others { await o }
  var free = false
  for _ in 0..1000 {   // who was killed may still be ending
    if let c = actor.find<int>("c") { c.kill(); c.join() }
    free = try { actor.start(C(), name: "c").kill(); true } catch e { false }
    if free { break }
    sleep(5ms)
  }
  if !free { print(moment) }
}
print("ok")
`, "ok")
}
