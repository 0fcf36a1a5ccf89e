package actor_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/cases"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/runneltest"
)

// The time of these programs is that of a seed: it passes while they sleep, and
// exactly as long as they do.
const timed = `import actor
import time

enum Msg { Fail, Hang(d: duration), Ping(reply: actor.Reply<()>) }

struct Service {
  let starts: mutex<[duration]>
  let fails: int
  fn on_start(ctx: actor.Context<Msg>) {
    let n = lock self.starts as s {
      s.push(time.mono())
      s.len()
    }
    if n <= self.fails { throw error("not yet") }
  }
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Fail => throw error("broken")
      Hang(d) => sleep(d)
      Ping(reply) => { reply.send(()) }
    }
  }
}

let starts = mutex<[duration]>([])
fn service(fails: int = 0) -> actor.Spec<Msg> { actor.spec(|| Service(starts, fails)) }
fn gaps() -> [duration] {
  let s = starts.get()
  (1..s.len()).map(|i| s[i] - s[i - 1])
}
fn took(f: fn()) -> duration {
  let begun = time.mono()
  f()
  time.mono() - begun
}
`

func TestTimesOfSupervisors(t *testing.T) {
	for name, src := range map[string]string{
		"as many restarts as allowed within the time": `
let s = service()
let supervisor = actor.supervise([s], max_restarts: 3, within: 5s)
for d in [0s, 1s, 1s, 3001ms, 1s, 1s, 3001ms] {
  sleep(d)
  s.ref().tell(Fail)
}
s.ref().ask(Msg.Ping)
print(supervisor.children()[0].restarts)   // expect: 7
`,
		"one more at the last moment": `
let s = service()
let supervisor = actor.supervise([s], max_restarts: 3, within: 5s)
for d in [0s, 1s, 1s, 3s] {
  sleep(d)
  s.ref().tell(Fail)
}
print(supervisor.join().error!.message())   // expect: more than 3 restarts within 5s, the last of actor#1: broken
`,
		"none is allowed": `
let s = service()
let supervisor = actor.supervise([s], max_restarts: 0)
s.ref().tell(Fail)
print(supervisor.join().error!.message())   // expect: more than 0 restarts within 5s, the last of actor#1: broken
`,
		"waits get longer": `
let s = service(fails: 6)
actor.supervise([s], max_restarts: 10, within: 1h, backoff: actor.Backoff(initial: 1s, max: 10s))
s.ref().ask(Msg.Ping)
print(gaps())   // expect: [1s, 2s, 4s, 8s, 10s, 10s]
`,
		"a stable life makes the next wait a first one": `
let s = service(fails: 2)
actor.supervise([s], max_restarts: 10, within: 1h, backoff: actor.Backoff(initial: 1s, stable: 5s))
s.ref().ask(Msg.Ping)
for d in [4999ms, 5s, 0s] {
  sleep(d)
  s.ref().tell(Fail)
  s.ref().ask(Msg.Ping)
}
print(gaps())   // expect: [1s, 2s, 8.999s, 6s, 2s]
`,
		"waits vary as the seed says": `
fn varied(seed: int) -> [duration] {
  starts.set([])
  let s = service(fails: 5)
  let supervisor = actor.supervise([s], max_restarts: 10, within: 1h, backoff: actor.Backoff(initial: 1s, max: 4s, jitter: 0.5, seed: seed))
  s.ref().ask(Msg.Ping)
  supervisor.stop()
  supervisor.join()
  gaps()
}
let a = varied(1)
print(a == varied(1), a == varied(2))                                                                     // expect: true false
print([1s, 2s, 4s, 4s, 4s].enumerate().all(|x| a[x.0] >= x.1 / 2 && a[x.0] <= x.1 / 2 * 3 && a[x.0] != x.1))   // expect: true
`,
		"all wait for the one that crashed": `
let s = [service(), service()]
actor.supervise(s.map(|x| x), strategy: OneForAll, backoff: actor.Backoff(initial: 3s))
for x in s { x.ref().ask(Msg.Ping) }
s[1].ref().tell(Fail)
sleep(1s)
print(took(|| s[0].ref().ask(Msg.Ping)), took(|| s[1].ref().ask(Msg.Ping)))   // expect: 2s 0s
`,
		"one that waits keeps nobody from being stopped": `
let s = [service(), service()]
let supervisor = actor.supervise(s.map(|x| x), max_restarts: 10, backoff: actor.Backoff(initial: 1h, max: 1h))
for x in s {
  x.ref().tell(Fail)
  x.ref().tell(Fail)
}
sleep(1s)
print(supervisor.children().map(|c| c.alive))                              // expect: [false, false]
print(took(|| { supervisor.remove(s[0]) }), s[0].ref().is_alive())         // expect: 0s false
print(took(|| { supervisor.stop(); supervisor.join() }), starts.get().len())   // expect: 0s 4
print(actor.dead_letters().count())                                        // expect: 0
`,
		"a stop waits for what is queued, five seconds for each": `
let s = [service(), service(), service()]
let supervisor = actor.supervise(s.map(|x| x))
for x in s { x.ref().ask(Msg.Ping) }
s[0].ref().tell(Hang(4s))
s[1].ref().tell(Hang(1h))
for _ in 0..3 { s[2].ref().tell(Hang(1s)) }
let ends = s.map(|x| spawn { took(|| { x.ref().join() }) })
print(took(|| { supervisor.stop(); supervisor.join() }))   // expect: 8s
print(await_all(ends))                                     // expect: [8s, 8s, 3s]
match s[1].ref().join() {
  Completed(_, killed) => print(killed)                    // expect: true
  Failed(error: e) => print(e.message())
}
`,
		"a branch takes the time that its children take": `
let s = [service(), service()]
let supervisor = actor.supervise([actor.branch(s.map(|x| x))])
for x in s { x.ref().tell(Hang(1h)) }
sleep(1s)
print(took(|| { supervisor.stop(); supervisor.join() }))   // expect: 10s
`,
		"a kill takes no time": `
let s = [service(), service()]
let supervisor = actor.supervise([actor.branch(s.map(|x| x))])
for x in s { x.ref().tell(Hang(1h)) }
sleep(1s)
print(took(|| { supervisor.kill(); supervisor.join() }))   // expect: 0s
`,
		"an ask waits for the next life": `
let s = service(fails: 1)
actor.supervise([s], backoff: actor.Backoff(initial: 2s))
print(try { s.ref().ask(Msg.Ping, within: 1s); "answered" } catch e: Timeout { "late" })   // expect: late
print(took(|| s.ref().ask(Msg.Ping, within: 2s)))                                          // expect: 1s
`,
	} {
		t.Run(name, func(t *testing.T) {
			src := timed + src
			p, want := cases.Script().Compile(t, src), runneltest.Expected(src)
			for name, schedule := range runneltest.Schedules(200) {
				want.Check(t, name, p.Run(t, schedule))
			}
		})
	}
}

// Nobody awaits this supervisor.
func TestTheFailureOfASupervisorIsToldToTheHost(t *testing.T) {
	src := timed + `
let supervisor = actor.supervise([service(fails: 10)])
while supervisor.is_alive() { sleep(1ms) }
// unhandled: more than 3 restarts within 5s, the last of actor#1: not yet
`
	cases.Check(t, src, runneltest.Expected(src))
}

// Services that crash again and again while numbered messages are sent to them:
// in a handler, at a kill in one and between two, in on_start. Some are alone
// below a branch that bears little and is itself started again.
const crashing = `import actor
import rand
import time

enum Msg { Work(n: int), Crash(n: int), Hang(n: int), Ask(n: int, reply: actor.Reply<int>), Last(n: int, reply: actor.Reply<int>) }

// What is known of a service from outside.
struct Book {
  let entered: [int]                 // how often each message was
  let restart: mutex<bool>           // whether the next start fails
  let crashed: mutex<[duration]>
  let started: mutex<[duration]>
  sent: int = 0

  fn number() -> int {
    self.sent += 1
    self.sent - 1
  }
  fn crash() { lock self.crashed as c { c.push(time.mono()) } }
  fn start() { lock self.started as s { s.push(time.mono()) } }

  // How long it took after each crash until the next start.
  fn waits() -> [duration] {
    let (crashed, started) = (self.crashed.get(), self.started.get())
    assert(started.len() == crashed.len() + 1, "${crashed.len()} crashes, ${started.len()} starts")
    crashed.enumerate().map(|c| started[c.0 + 1] - c.1)
  }
}

fn book(messages: [int]) -> Book { Book(messages, mutex(false), mutex<[duration]>([]), mutex<[duration]>([])) }

struct Service {
  let book: Book
  fn on_start(ctx: actor.Context<Msg>) {
    self.book.start()
    if lock self.book.restart as r { let fails = r; r = false; fails } {
      self.book.crash()
      throw error("no start")
    }
  }
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Work(n) => self.enter(n)
      Crash(n) => self.fail(n)
      Hang(n) => {
        self.enter(n)
        sleep(1h)
      }
      Ask(n, reply) => {
        self.enter(n)
        reply.send(n)
      }
      Last(n, reply) => self.fail(n)
    }
  }
  fn enter(n: int) { self.book.entered[n] += 1 }
  fn fail(n: int) {
    self.enter(n)
    self.book.crash()
    throw error("crash ${n}")
  }
}

// One crash a step, in a different way each time; what is sent around it is
// handled all the same. It gives the number of wrong answers.
fn drive(to: actor.Ref<Msg>, book: Book, steps: int, pause: duration, seed: int) -> int {
  let random = rand.new(seed)
  var wrong = 0
  for step in 0..steps {
    sleep(1ns * int(random.exponential(float(pause / 1ns))))
    to.tell(Work(book.number()))
    match step % 4 {
      0 | 1 => to.tell(Crash(book.number()))
      2 => {
        let n = book.number()
        let said = try { "${to.ask(|r| Msg.Last(n, r))}" } catch e { e.message() }
        if said != "crash ${n}" { wrong += 1 }
      }
      _ => {
        if to.ask(|r| Msg.Ask(book.number(), r)) != book.sent - 1 { wrong += 1 }
        if step % 8 == 3 {
          book.restart.set(true)
        } else {
          let hanging = book.number()
          to.tell(Hang(hanging))
          while book.entered[hanging] == 0 { sleep(1ms) }
          to.tell(Work(book.number()))
        }
        book.crash()
        to.kill()
      }
    }
    to.tell(Work(book.number()))
    let n = book.number()
    if to.ask(|r| Msg.Ask(n, r)) != n { wrong += 1 }
  }
  wrong
}

// How often a supervisor gives up that bears so many crashes, as far as the time
// of a crash is the one that it sees.
fn given_up(crashes: [duration], max_restarts: int, within: duration) -> int {
  var n = 0
  let recent: [duration] = []
  for at in crashes {
    recent.retain(|t| at - t <= within)
    recent.push(at)
    if recent.len() > max_restarts {
      n += 1
      recent.clear()
    }
  }
  n
}

pub fn run(services: int, steps: int, pause_ms: int, seed: int, exact: bool) -> str {
  let (lost, begun) = (actor.dead_letters().count(), time.mono())
  let pause = 1ms * pause_ms
  let books = (0..services).map(|_| book([0].repeat(5 * steps)))
  let siblings = (0..services).map(|_| book([]))
  let specs = books.map(|b| actor.spec(|| Service(b), restart: true))
  let children: [actor.Child] = []
  for i, s in specs {
    match i % 4 {
      0 => children.push(s)
      1 => children.push(actor.branch([s], max_restarts: 2, within: 4 * pause))
      2 => children.push(actor.branch([s, actor.spec(|| Service(siblings[i]))], strategy: OneForAll, max_restarts: 10 * steps, within: 1h))
      _ => children.push(actor.branch([s], max_restarts: 10 * steps, within: 1h, backoff: actor.Backoff(initial: 2ms, factor: 1.5, max: 10ms, jitter: 0.2, stable: pause, seed: i)))
    }
  }
  let supervisor = actor.supervise(children, max_restarts: 10 * services * steps, within: 1h)
  supervisor.children()   // all are started
  let drivers = (0..services).map(|i| { let (to, book) = (specs[i].ref(), books[i]); spawn drive(to, book, steps, pause, seed + i) })
  let wrong = await_all(drivers).sum()
  let took = time.mono() - begun
  let crashes = books.map(|b| b.crashed.get().len()).sum()
  for i, child in supervisor.children() {
    let want = match i % 4 {
      0 => books[i].crashed.get().len()
      1 => given_up(books[i].crashed.get(), 2, 4 * pause)
      _ => 0
    }
    assert(child.restarts == want || !exact && i % 4 == 1, "child ${i} was started again ${child.restarts} times, not ${want}")
  }
  supervisor.stop()
  assert(supervisor.join().error == none)
  for i, b in books {
    for n, times in b.entered[..b.sent] { assert(times == 1, "message ${n} was handled ${times} times") }
    let waits = b.waits()
    let (least, most) = if i % 4 == 3 { (1600us, 12ms) } else { (0s, 1ms) }
    assert(!exact || waits.all(|w| w >= least && w <= most), "service ${i} was started again after ${waits.min()} to ${waits.max()}")
    // A sibling is started again each step: not when the start of the one before it fails.
    let together = siblings[i].started.get().len()
    assert(together == if i % 4 == 2 { steps + 1 } else { 0 }, "the sibling of ${i} was started ${together} times")
  }
  assert(actor.list().is_empty(), "${actor.list()}")
  "${crashes} crashes in ${took.round(if exact { 10m } else { 1h })}, ${wrong} wrong answers, ${actor.dead_letters().count() - lost} messages lost"
}
`

// A hundred thousand crashes in an hour, far fewer with -short, twice: the
// second time leaves nothing behind that the first has not.
func TestSupervisionUnderInjectedFailure(t *testing.T) {
	in := startCrashing(t, cases.Script().Compile(t, crashing), runnel.WithSeed(1))
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	used, goroutines := in.Usage(), leaktest.Count()
	var after int64
	steps, want := 4444, "100000 crashes in 1h, 0 wrong answers, 0 messages lost"
	if !longtest.Asked() {
		steps, want = 88, "1980 crashes in 0s, 0 wrong answers, 0 messages lost"
	}
	for hour := range 2 {
		text, err := in.Call(t.Context(), "run", 20, steps, 810, hour, true)
		require.NoError(t, err)
		require.Equal(t, want, text)
		require.Equal(t, used.Tasks, in.Usage().Tasks)
		require.InDelta(t, used.Memory, in.Usage().Memory, 1000)
		require.Zero(t, leaktest.Left(goroutines), "goroutines are left")
		if hour > 0 {
			require.Less(t, heap()-after, int64(200_000))
		}
		after = heap()
	}
}

func TestSupervisionUnderInjectedFailureInParallel(t *testing.T) {
	in := startCrashing(t, cases.Script().Compile(t, crashing), runnel.WithWorkers(4))
	text, err := in.Call(t.Context(), "run", 8, 100, 1, 7, false)
	require.NoError(t, err)
	require.Equal(t, "904 crashes in 0s, 0 wrong answers, 0 messages lost", text)
}

func TestSupervisionUnderInjectedFailureUnderSchedules(t *testing.T) {
	prog := cases.Script().Compile(t, crashing)
	seed := 0
	for name, schedule := range runneltest.Schedules(cases.Schedules()) {
		in := startCrashing(t, prog, schedule)
		text, err := in.Call(t.Context(), "run", 4, 16, 50, seed, true)
		require.NoError(t, err, name)
		require.Equal(t, "72 crashes in 0s, 0 wrong answers, 0 messages lost", text, name)
		in.Close()
		seed++
	}
}

func startCrashing(t *testing.T, prog *runneltest.Program, how runnel.Option) *runnel.Instance {
	in := prog.With(how).NewInstance()
	t.Cleanup(in.Close)
	require.NoError(t, in.Run(t.Context()))
	return in
}

// Supervisors above each other are told, crashed, killed, stopped, added to and
// removed from by several tasks at once.
const chaos = `import actor
import rand

enum Msg { Work(n: int), Crash(n: int), Slow(n: int), Ask(n: int, reply: actor.Reply<int>) }

const most = 100

struct Service {
  let entered: [int]
  fn on_start(ctx: actor.Context<Msg>) { if self.entered.sum() % 7 == 3 { throw error("no start") } }
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Work(n) => self.entered[n] += 1
      Crash(n) => {
        self.entered[n] += 1
        throw error("crash")
      }
      Slow(n) => {
        self.entered[n] += 1
        sleep(1ms)
      }
      Ask(n, reply) => {
        self.entered[n] += 1
        reply.send(n)
      }
    }
  }
}

struct Line {
  let entered: [int] = [0].repeat(most)
  sent: int = 0

  fn number() -> int {
    self.sent += 1
    self.sent - 1
  }
}

fn send(line: Line, to: actor.Ref<Msg>, random: rand.Rng) {
  for _ in 0..random.int(5, 20) {
    let n = line.number()
    try {
      match random.int(0, 8) {
        0 => to.tell(Crash(n))
        1 => to.tell(Slow(n))
        2 => { to.ask(|r| Msg.Ask(n, r)) }
        _ => to.tell(Work(n))
      }
    } catch e {}
  }
}

fn trouble(kind: int, top: actor.Supervisor, low: actor.Supervisor, s: actor.Spec<Msg>, last: actor.Spec<Msg>) {
  try {
    match kind {
      0 => s.ref().kill()
      1 => s.ref().stop()
      2 => { low.remove(s) }
      3 => low.kill()
      _ => top.add(last)
    }
  } catch e {}     // when another was faster
}

pub fn run(seed: int) {
  let random = rand.new(seed)
  let lines = (0..4).map(|_| Line())
  let specs = lines.map(|l| actor.spec(|| Service(l.entered), mailbox: 3))
  let strategies: [actor.Strategy] = [OneForOne, OneForAll, RestForOne]
  let backoff = if random.bool() { actor.Backoff(initial: 1ms, max: 2ms) } else { none }
  let low = actor.branch([specs[0], specs[1]], strategy: random.pick(strategies), max_restarts: random.int(0, 5), within: 1h, backoff: backoff)
  let top = actor.supervise([low, specs[2]], strategy: random.pick(strategies), max_restarts: random.int(0, 5), within: 1h)
  let senders = (0..4).map(|i| spawn send(lines[i], specs[i].ref(), rand.new(seed + i)))
  await_all((0..random.int(0, 5)).map(|_| spawn trouble(random.int(0, 5), top, low, random.pick(specs), specs[3])))
  let how = random.int(0, 3)
  if how > 0 { top.stop() }
  if how == 2 { yield_now() }
  if how != 1 { top.kill() }
  top.join()
  let ran = if specs[3].place().life > 0 { specs } else { specs[..3] }
  assert(ran.all(|s| !s.ref().is_alive()) && !low.is_alive())
  if ran.len() == 3 { senders[3].cancel() }    // nobody takes what it sends
  await_all(senders[..ran.len()])
  let dead = actor.dead_letters().recent().filter(|l| l.message is Msg)
  for i, s in ran {
    let line = lines[i]
    let lost = dead.count(|l| l.to == s.name())
    assert(line.entered.all(|n| n <= 1), "a message was handled twice")
    assert(line.entered.sum() + lost == line.sent, "${line.sent} sent, ${line.entered.sum()} handled, ${lost} lost")
  }
}
`

func TestTroubleAmongSupervisors(t *testing.T) {
	troubles := 500
	if testing.Short() {
		troubles = 50
	}
	prog := cases.Script().Compile(t, chaos)
	seed := 0
	for _, schedule := range runneltest.Schedules(2 * troubles) {
		troubled(t, prog.With(schedule), seed/2)
		seed++
	}
	for seed := range troubles {
		troubled(t, prog.With(runnel.WithWorkers(4)), seed)
	}
}

func troubled(t *testing.T, prog *runnel.Program, seed int) {
	in := prog.NewInstance()
	defer in.Close()
	require.NoError(t, in.Run(t.Context()))
	_, err := in.Call(t.Context(), "run", seed)
	require.NoError(t, err, "seed %d", seed)
	require.Empty(t, in.Unhandled(), "seed %d", seed)
	require.Empty(t, in.Leaked(), "seed %d", seed)
}
