package actor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// Who is alive and who stops by itself, RS-11 and RS-14: an actor lives as long
// as somebody can send to it.

// An address may be wherever a value can be.
func TestAnActorThatCanBeReachedIsNotStopped(t *testing.T) {
	prints(t, `
import actor
import sync
enum Msg { Add(by: int), Get(reply: actor.Reply<int>), Wait(gate: chan<bool>), Carry(ref: actor.Ref<Msg>) }
struct Counter { n: int = 0, kept: actor.Ref<Msg>? = none
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Add(by) => { self.n += by }
      Get(reply) => { match self.kept { none => reply.send(self.n), k => reply.send(k.ask(Msg.Get) + 100) } }
      Wait(gate) => { gate.recv() }
      Carry(ref) => { self.kept = ref }
    }
  }
}
struct Holds { let ref: actor.Ref<Msg>
  fn message() -> str { "holds" } }
fn new() -> actor.Ref<Msg> { let c = actor.start(Counter()); c.tell(Add(7)); c }
let hidden = task_local<actor.Ref<Msg>?>(none)
fn places() -> [(str, fn() -> actor.Ref<Msg>)] {
  let out: [(str, fn() -> actor.Ref<Msg>)] = []
  let c1 = chan<actor.Ref<Msg>>()
  spawn { c1.send(new()) }
  out.push(("send", || c1.recv()!))
  let c2 = chan<actor.Ref<Msg>>()
  let c2b = chan<int>()
  spawn { let r = new(); select { c2.send(r) => {}, let x = c2b.recv() => {} } }
  out.push(("select", || c2.recv()!))
  let c3 = chan<actor.Ref<Msg>>(3)
  c3.send(new())
  out.push(("buffer", || c3.recv()!))
  let m = mutex<actor.Ref<Msg>?>(new())
  out.push(("mutex", || m.get()!))
  let go = chan<bool>()
  let t5 = spawn { hidden.with(new(), || { go.recv(); hidden.get()! }) }
  out.push(("task local", || { go.send(true); await t5 }))
  let go6 = chan<bool>()
  let c6 = chan<actor.Ref<Msg>>(1)
  spawn { let r = new(); defer { c6.send(r) }; go6.recv() }
  out.push(("defer", || { go6.send(true); c6.recv()! }))
  let t7 = spawn new()
  out.push(("result", || await t7))
  let holder = actor.start(Counter())
  holder.tell(Carry(new()))
  out.push(("state", || match (holder.ask(Msg.Get)) { 107 => holder, _ => throw error("not 107") }))
  let gate = chan<bool>()
  let busy = actor.start(Counter())
  busy.tell(Wait(gate))
  busy.tell(Carry(new()))
  out.push(("message", || { gate.send(true); assert(busy.ask(Msg.Get) == 107); busy }))
  let t8: task<int> = spawn { throw Holds(new()) }
  out.push(("error", || try { await t8; throw error("no") } catch e: Holds { e.ref }))
  let a9 = actor.start(Counter())
  a9.tell(Carry(new()))
  a9.stop()
  let e9 = a9.ending()
  out.push(("outcome", || match await e9 { Completed(actor: a) => (a as Counter).kept!, _ => throw error("no") }))
  let go10 = chan<bool>()
  let t10: task<int> = spawn { try { throw Holds(new()) } catch e { go10.recv(); throw e } }
  out.push(("catch", || { go10.send(true); try { await t10; throw error("no") } catch e: Holds { e.ref } }))
  let m13: map<str, any> = {"x": new()}
  out.push(("any", || m13["x"] as actor.Ref<Msg>))
  let go14 = chan<bool>()
  let t14 = spawn { [new()].map(|r| { go14.recv(); r }) }
  out.push(("callback", || { go14.send(true); (await t14)[0] }))
  let it = [new()].iter().map(|r| r)
  out.push(("iterator", || it.next()!))
  let go15 = chan<bool>()
  let t15 = spawn { timeout(1h, || { let r = new(); go15.recv(); r }) }
  out.push(("timeout", || { go15.send(true); await t15 }))
  let go16 = chan<bool>()
  let t16 = spawn { scope { let r = new(); spawn { go16.recv() }; r } }
  out.push(("scope", || { go16.send(true); await t16 }))
  let l = mutex(0)
  let go17 = chan<bool>()
  spawn { lock l as _ { go17.recv() } }
  yield_now()
  let t17 = spawn { let r = new(); lock l as _ { r } }
  out.push(("lock", || { go17.send(true); await t17 }))
  let t18 = spawn { let r = new(); sleep(30ms); r }
  out.push(("sleep", || await t18))
  let lz = sync.once(|| new())
  out.push(("lazy", || lz.get()))
  out
}
let ps = places()
sleep(15ms)
sleep(15ms)
for p in ps {
  let (name, get) = p
  let n = try { "${get().ask(Msg.Get)}" } catch e { e.message() }
  if n != "7" && n != "107" { print(name, n) }
}
print(ps.len())
`, "20")
}

// A host reaches what globals and functions that it was given hold.
func TestAnActorThatAHostCanReachIsNotStopped(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("script.rnl", counter+`
let global = actor.start(Counter(1))
pub fn of_global() -> int { global.ask(Msg.Get) }
pub fn make() -> fn() -> int {
  let c = actor.start(Counter(2))
  || c.ask(Msg.Get)
}
`)
	require.NoError(t, err)
	in, err := prog.Start(t.Context())
	require.NoError(t, err)
	defer in.Close()
	made, err := runnel.Bind0[func() (int, error)](in, "make")
	require.NoError(t, err)
	ofMade, err := made(t.Context())
	require.NoError(t, err)
	for range 3 {
		time.Sleep(30 * time.Millisecond) // some looks for who cannot be reached
		n, err := in.Call(t.Context(), "of_global")
		require.NoError(t, err)
		require.Equal(t, 1, n)
		n, err = ofMade()
		require.NoError(t, err)
		require.Equal(t, 2, n)
	}
}

// Whom nobody can reach stops after its messages, also one of several that know
// each other, and whatever else it waits for.
func TestAnActorThatCannotBeReachedStops(t *testing.T) {
	prints(t, `
import actor
enum Msg { Add(by: int), Get(reply: actor.Reply<int>), Carry(ref: actor.Ref<Msg>), Tick, Ask(of: actor.Ref<Msg>), Later(d: duration), Pick }
struct Counter { n: int = 0, kept: [actor.Ref<Msg>] = []
  fn on_start(ctx: actor.Context<Msg>) { if self.n == -1 { ctx.every(1ms, Msg.Tick) } }
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Add(by) => { self.n += by }
      Get(reply) => { reply.send(self.n) }
      Carry(ref) => { self.kept.push(ref) }
      Ask(of) => { self.n += of.ask(Msg.Get) }
      Later(d) => { ctx.after(d, Add(1000)) }
      Pick => { ctx.receive_where(|m| m == Msg.Tick) }
      Tick => {}
    }
  }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) { self.kept.clear() }
}
fn new(n: int = 0) -> actor.Ref<Msg> { actor.start(Counter(n)) }
fn told(o: actor.Outcome<Msg>) -> str {
  match o {
    Completed(actor: c, killed: k) => "${(c as Counter).n} ${k}"
    Failed(phase: p) => "failed in ${p}"
  }
}
fn alone() -> [task<actor.Outcome<Msg>>] { [new(1).ending()] }
fn queued() -> [task<actor.Outcome<Msg>>] { let a = new(1); for i in 0..5 { a.tell(Add(i)) }; [a.ending()] }
fn self_held() -> [task<actor.Outcome<Msg>>] { let a = new(2); a.tell(Carry(a)); [a.ending()] }
fn ring() -> [task<actor.Outcome<Msg>>] { let (a, b, c) = (new(3), new(4), new(5)); a.tell(Carry(b)); b.tell(Carry(c)); c.tell(Carry(a)); [a.ending(), b.ending(), c.ending()] }
fn chain() -> [task<actor.Outcome<Msg>>] { let (a, b, c) = (new(3), new(4), new(5)); a.tell(Carry(b)); b.tell(Carry(c)); [a.ending(), b.ending(), c.ending()] }
fn ticking() -> [task<actor.Outcome<Msg>>] { [new(-1).ending()] }
fn watching() -> [task<actor.Outcome<Msg>>] { let (a, b) = (new(6), new(7)); actor.watch(a, |e| { b.try_tell(Tick); () }); [a.ending(), b.ending()] }
fn linked() -> [task<actor.Outcome<Msg>>] { let (a, b) = (new(8), new(9)); actor.link(a, b); [a.ending(), b.ending()] }
fn named() -> [task<actor.Outcome<Msg>>] { [actor.start(Counter(10), name: "named").ending()] }
fn timer() -> [task<actor.Outcome<Msg>>] { let a = new(11); a.tell(Later(20ms)); [a.ending()] }
fn asks_each_other() -> [task<actor.Outcome<Msg>>] { let (a, b) = (new(12), new(13)); a.tell(Ask(b)); [a.ending(), b.ending()] }
fn picky() -> [task<actor.Outcome<Msg>>] { let a = new(14); a.tell(Pick); [a.ending()] }
for f in [alone, queued, self_held, ring, chain, ticking, watching, linked, named, timer, asks_each_other, picky] {
  print(f().map(|t| told(await t)))
}
print(actor.dead_letters().count())
`,
		`["1 false"]`, `["11 false"]`, `["2 false"]`, `["3 false", "4 false", "5 false"]`, `["3 false", "4 false", "5 false"]`, `["-1 false"]`,
		`["6 false", "7 false"]`, `["8 false", "9 false"]`, `["10 false"]`, `["1011 false"]`, `["25 false", "13 false"]`, `["failed in Receive"]`, "0")
}
