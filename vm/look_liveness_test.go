package vm_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	gosync "sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/sync"
	"github.com/runnel-lang/runnel/vm"
)

var livenessSeeds = flag.Uint64("liveness", uint64(longtest.Of(6, 40)), "number of random programs of TestWhoIsReachedLivesAndNobodyElse")

// livenessHead is what the programs have in common: actors that keep addresses in
// places of many kinds, ask each other and answer late.
const livenessHead = `import actor
enum Msg {
  Keep(at: int, who: actor.Ref<Msg>, done: actor.Reply<int>),
  Drop(at: int, done: actor.Reply<int>),
  Ask(whom: actor.Ref<Msg>),
  Question(reply: actor.Reply<int>),
  Answer(done: actor.Reply<int>),
  Noted(who: actor.Ref<Msg>),
}
enum Variant { Nobody, One(name: str, who: actor.Ref<Msg>) }
struct Wrapped { who: actor.Ref<Msg> }
struct Lost { who: actor.Ref<Msg>
  fn message() -> str { "lost" }
}
fn throws(who: actor.Ref<Msg>) { throw Lost(who) }
fn deep(n: int, who: actor.Ref<Msg>, gate: chan<int>) -> int { if n == 0 { gate.recv() ?? 0 } else { deep(n - 1, who, gate) + who.id() } }
let asked = chan<int>(100)
let answered = chan<int>(100)
struct Node {
  field: actor.Ref<Msg>? = none
  list: [actor.Ref<Msg>] = []
  named: map<str, Wrapped> = map<str, Wrapped>()
  calls: [fn() -> int] = []
  mixed: [any] = []
  letters: chan<Msg> = chan<Msg>(4)
  guarded: mutex<actor.Ref<Msg>?> = mutex<actor.Ref<Msg>?>(none)
  result: task<actor.Ref<Msg>>? = none
  broken: task<()>? = none
  error: Error? = none
  timer: actor.Timer? = none
  gate: chan<int> = chan<int>()
  replies: [actor.Reply<int>] = []

  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Keep(at, who, done) => {
        self.keep(at, who, ctx)
        done.send(0)
      }
      Drop(at, done) => {
        self.drop(at)
        done.send(0)
      }
      Ask(whom) => {
        try { whom.ask(Msg.Question) } catch e { }
        answered.send(0)
      }
      Question(reply) => {
        self.replies.push(reply)
        asked.send(0)
      }
      Answer(done) => {
        for r in self.replies { r.send(1) }
        self.replies.clear()
        done.send(0)
      }
      Noted(who) => {}
    }
  }

  fn keep(at: int, who: actor.Ref<Msg>, ctx: actor.Context<Msg>) {
    match at {
      0 => { self.field = who }
      1 => self.list.push(who)
      2 => { self.named["who"] = Wrapped(who) }
      3 => {
        var kept: actor.Ref<Msg>? = none
        self.calls.push(|| {
          kept = kept
          kept!.id()
        })
        kept = who
      }
      4 => { self.mixed.push((1, Variant.One("one", who))) }
      5 => { self.letters.send(Noted(who)) }
      6 => { self.guarded.set(who) }
      7 => {
        let t = spawn { who }
        await t
        self.result = t
      }
      8 => {
        let t = spawn { throws(who) }
        try { await t } catch e { }
        self.broken = t
      }
      9 => { try { throws(who) } catch e { self.error = e } }
      10 => { self.timer = ctx.after(1h, Noted(who)) }
      _ => {
        let gate = chan<int>()
        self.gate = gate
        held(at - 11, who, gate)
      }
    }
  }

  fn drop(at: int) {
    match at {
      0 => { self.field = none }
      1 => self.list.clear()
      2 => self.named.clear()
      3 => self.calls.clear()
      4 => self.mixed.clear()
      5 => { self.letters.recv() }
      6 => { self.guarded.set(none) }
      7 => { self.result = none }
      8 => { self.broken = none }
      9 => {
        self.error = none
        try { throw error("another") } catch e { }   // a task knows what it has caught last
      }
      10 => { self.timer!.cancel() }
      _ => self.gate.close()
    }
  }
}

// A task that waits, and has an address meanwhile, in ways of many kinds.
fn held(how: int, who: actor.Ref<Msg>, gate: chan<int>) {
  match how {
    0 => { spawn detached { gate.recv(); who.id() } }
    1 => { spawn detached { select { gate.recv() => {} }; who.id() } }
    2 => { spawn detached deep(40, who, gate) }
    3 => { spawn detached { await spawn { gate.recv() }; who.id() } }
    4 => { spawn detached { scope { spawn { gate.recv() } }; who.id() } }
    5 => { spawn detached { defer who.id(); gate.recv() } }
    6 => { spawn detached { while !gate.is_closed() { sleep(3ms) }; who.id() } }
    7 => {
      let m = mutex(0)
      spawn detached { lock m as _ { gate.recv() } }
      spawn detached { sleep(1ms); lock m as _ { who.id() } }
    }
    _ => { spawn detached { let c = chan<actor.Ref<Msg>>(); spawn { gate.recv(); c.recv() }; c.send(who) } }
  }
}

let roots = map<int, actor.Ref<Msg>>()
fn ref(i: int) -> actor.Ref<Msg> { roots.get(i) ?? actor.find<Msg>("n${i}")! }
fn begin(i: int) { roots[i] = actor.start(Node(), name: "n${i}") }
fn unroot(i: int) { roots.remove(i) }
fn keep(i: int, at: int, j: int) { ref(i).ask(|r| Msg.Keep(at, ref(j), r)) }
fn drop(i: int, at: int) { ref(i).ask(|r| Msg.Drop(at, r)) }
fn ask(i: int, j: int) {
  ref(i).tell(Ask(ref(j)))
  asked.recv()
}
fn answer(j: int, n: int) {
  ref(j).ask(Msg.Answer)
  for _ in 0..n { answered.recv() }
}
fn alive() -> str { actor.list().map(|a| a.name).join(" ") }
fn expect(names: str) {
  for _ in 0..3000 {   // a busy machine may take long
    if alive() == names { break }
    sleep(10ms)
  }
  sleep(60ms)
  if alive() != names { print("expected [${names}], alive are [${alive()}]") }
}
`

const livenessPlaces = 20

// reachModel knows who can be reached: by whom, and in which place.
type reachModel struct {
	rnd   *rand.Rand
	n     int
	ended map[int]bool
	roots map[int]bool
	keeps map[[2]int]int // actor and place: whom it keeps there
	asks  map[int]int    // who waits for whose answer
	text  strings.Builder
}

// pinned reports whether a place is a task or a timer that goes on by itself.
func pinned(place int) bool { return place >= 10 }

// settle finds who lives. Who asks lives as long as it may be answered.
func (m *reachModel) settle() (alive map[int]bool) {
	for {
		alive = map[int]bool{}
		var visit func(i int)
		visit = func(i int) {
			if alive[i] || m.ended[i] {
				return
			}
			alive[i] = true
			for k, j := range m.keeps {
				if k[0] == i {
					visit(j)
				}
			}
		}
		for i := range m.roots {
			visit(i)
		}
		for i := range m.asks {
			visit(i)
			visit(m.asks[i]) // in the message in hand
		}
		for k, j := range m.keeps {
			if pinned(k[1]) {
				visit(j)
				if k[1] == 10 { // the timer's actor
					visit(k[0])
				}
			}
		}
		ended := false
		for i := range m.n {
			if !alive[i] && !m.ended[i] {
				m.ended[i], ended = true, true
				for k := range m.keeps {
					if k[0] == i && !pinned(k[1]) {
						delete(m.keeps, k)
					}
				}
			}
		}
		if !ended {
			return alive
		}
	}
}

func (m *reachModel) line(format string, args ...any) { fmt.Fprintf(&m.text, format+"\n", args...) }

// free lists those of the living that can be told something.
func (m *reachModel) free(alive map[int]bool) (list []int) {
	for i := range alive {
		if _, asks := m.asks[i]; !asks {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return list
}

// turn adds an operation to the program.
func (m *reachModel) turn() {
	alive := m.settle()
	free := m.free(alive)
	some := func() int { return free[m.rnd.IntN(len(free))] }
	if len(free) == 0 || m.n < 4 {
		m.start()
		return
	}
	switch m.rnd.IntN(12) {
	case 0, 1:
		if m.n < 50 {
			m.start()
		}
	case 2, 3, 4, 5, 6:
		i, j, at := some(), some(), m.rnd.IntN(livenessPlaces)
		if at > 11 { // one gate for all of them
			at = 11 + m.rnd.IntN(livenessPlaces-11)
		}
		for k := range m.keeps {
			if k[0] == i && (k[1] == at || k[1] >= 11 && at >= 11) {
				return
			}
		}
		m.line("keep(%d, %d, %d)", i, at, j)
		m.keeps[[2]int{i, at}] = j
	case 7:
		i := some()
		for at := range livenessPlaces {
			if _, ok := m.keeps[[2]int{i, at}]; ok {
				m.line("drop(%d, %d)", i, at)
				delete(m.keeps, [2]int{i, at})
				return
			}
		}
	case 8, 9:
		roots := make([]int, 0, len(m.roots))
		for i := range m.roots {
			roots = append(roots, i)
		}
		if len(roots) > 1 {
			slices.Sort(roots)
			i := roots[m.rnd.IntN(len(roots))]
			m.line("unroot(%d)", i)
			delete(m.roots, i)
		}
	case 10:
		if i, j := some(), some(); i != j {
			m.line("ask(%d, %d)", i, j)
			m.asks[i] = j
		}
	case 11:
		j, n := some(), 0
		for i, k := range m.asks {
			if k == j {
				delete(m.asks, i)
				n++
			}
		}
		m.line("answer(%d, %d)", j, n)
	}
}

func (m *reachModel) start() {
	m.line("begin(%d)", m.n)
	m.roots[m.n] = true
	m.n++
}

// livenessProgram makes the end of a random program; what it prints is wrong.
func livenessProgram(seed uint64) string {
	m := &reachModel{rnd: rand.New(rand.NewPCG(seed, 1)), ended: map[int]bool{}, roots: map[int]bool{}, keeps: map[[2]int]int{}, asks: map[int]int{}}
	for range 4 {
		for range 10 + m.rnd.IntN(25) {
			m.turn()
		}
		var names []string
		alive := m.settle()
		for i := range m.n {
			if alive[i] {
				names = append(names, fmt.Sprint("n", i))
			}
		}
		m.line("expect(%q)", strings.Join(names, " "))
	}
	m.line("actor.list().map(|a| actor.find<Msg>(a.name)).each(|r| { if let a = r { a.kill() } })")
	return m.text.String()
}

// looksAgree holds looks against those that visit everything, while an instance runs.
func looksAgree(t *testing.T, in *vm.Instance, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(5 * time.Millisecond):
			in.Scout()
			if !assert.True(t, in.LooksAgree(), "what was not visited leads to a mailbox") {
				return
			}
		}
	}
}

// An actor lives exactly as long as somebody can send to it, wherever its address
// is, and whoever waits for whom.
func TestWhoIsReachedLivesAndNobodyElse(t *testing.T) {
	free := func(workers int) runnel.Option { return runnel.WithWorkers(workers) }
	var wg gosync.WaitGroup
	places := make(chan bool, 16) // programs at a time: they sleep mostly
	for seed := range *livenessSeeds {
		src := livenessProgram(seed)
		for name, opt := range map[string]runnel.Option{
			"1 worker": free(1), "2 workers": free(2), "4 workers": free(4), "seeded": runnel.WithSeed(seed),
		} {
			places <- true
			wg.Go(func() {
				defer func() { <-places }()
				var out bytes.Buffer
				rt := runnel.MustNew(runnel.WithModules(actor.Module), runnel.WithHost(runnel.Host{Stdout: &out, Stderr: &out}), opt)
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				prog, err := rt.Compile("live.rnl", livenessHead+src)
				if err == nil {
					in := prog.NewInstance()
					if seed%2 == 0 {
						in.VM().SliceLooks(1)
					}
					done := make(chan struct{})
					wg.Go(func() { looksAgree(t, in.VM(), done) })
					err = in.Run(ctx)
					close(done)
				}
				if err != nil || out.Len() > 0 {
					t.Errorf("seed %d, %s: %v\n%s\n%s", seed, name, err, out.String(), src)
				}
			})
		}
	}
	wg.Wait()
	require.NotZero(t, *livenessSeeds)
}

// While all actors can be reached a look is a scout's, in many short stops.
func TestLooksAtManyActorsAreSliced(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(actor.Module, sync.Module), runnel.WithWorkers(2))
	prog, err := rt.Compile("keep.rnl", `import actor
import sync
let alive = sync.atomic(500)
struct Idle {
  fn receive(n: int, ctx: actor.Context<int>) {}
  fn on_stop(ctx: actor.Context<int>, killed: bool) { alive.add(-1) }
}
let live = (0..500).map(|_| actor.start(Idle()))
pub fn drop() { live.truncate(100) }
pub fn count() -> int { alive.load() } // to list them would hold them meanwhile
`)
	require.NoError(t, err)
	in, err := prog.Start(t.Context())
	require.NoError(t, err)
	defer in.Close()
	in.VM().SliceLooks(1)
	require.Eventually(t, func() bool {
		slices, suspects, missed := in.VM().Scout()
		require.Zero(t, missed)
		return slices > 50 && !suspects
	}, time.Minute, 10*time.Millisecond)
	time.Sleep(100 * time.Millisecond)
	n, err := in.Call(t.Context(), "count")
	require.NoError(t, err)
	require.EqualValues(t, 500, n)
	_, err = in.Call(t.Context(), "drop")
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		n, err := in.Call(t.Context(), "count")
		require.NoError(t, err)
		return fmt.Sprint(n) == "100"
	}, 5*time.Minute, 10*time.Millisecond) // looks take a share of the time only, and a busy machine makes them long
}

// Calls of hosts end beside looks in slices, which have them on their list: neither touches
// what the other does, though ended calls are put aside for those of other instances.
func TestCallsEndBesideLooks(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(actor.Module), runnel.WithWorkers(2))
	defer rt.Close()
	prog, err := rt.Compile("calls.rnl", `import actor
struct Idle { fn receive(n: int, ctx: actor.Context<int>) {} }
let live = (0..500).map(|_| actor.start(Idle()))
fn deep(n: int) -> int { if n == 0 { 0 } else { deep(n - 1) + 1 } }
pub fn short(n: int) -> int { n }
pub fn tall(n: int) -> int { deep(100) + n }
pub fn slow(n: int) -> int { let all = [deep(100), n]; sleep(100us); all[1] }
`)
	require.NoError(t, err)
	var calls gosync.WaitGroup
	var over atomic.Bool
	kinds := map[string][]func(context.Context, int) (int, error){}
	instances := make([]*runnel.Instance, 3)
	for i := range instances {
		in, err := prog.Start(t.Context())
		require.NoError(t, err)
		instances[i] = in
		for _, kind := range []string{"short", "tall", "slow"} {
			call, err := runnel.Bind1[int, int](in, kind)
			require.NoError(t, err)
			kinds[kind] = append(kinds[kind], call)
		}
	}
	for _, each := range kinds {
		for range 10 {
			calls.Go(func() {
				for n := 0; !over.Load(); n++ {
					_, err := each[n%len(each)](t.Context(), n)
					assert.NoError(t, err)
					time.Sleep(rand.N(5 * time.Millisecond)) // in which nothing orders what it did before what a look does
				}
			})
		}
	}
	for range longtest.Of(20, 200) {
		for _, in := range instances {
			in.VM().Scout()
		}
	}
	over.Store(true)
	calls.Wait()
}

// A host's call runs on the host's goroutine; what it drops is found though no worker
// has had a turn, and though no look has got through before.
func TestWhatACallOfAHostDropsStops(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(actor.Module, sync.Module))
	prog, err := rt.Compile("drop.rnl", `import actor
import sync
let alive = sync.atomic(0)
struct Idle {
  fn receive(n: int, ctx: actor.Context<int>) {}
  fn on_stop(ctx: actor.Context<int>, killed: bool) { alive.add(-1) }
}
let live: [actor.Ref<int>] = []
pub fn begin() {
  live.push(actor.start(Idle()))
  alive.add(1)
}
pub fn drop() { live.clear() }
pub fn count() -> int { alive.load() }
`)
	require.NoError(t, err)
	for _, heldUp := range []bool{false, true} {
		in, err := prog.Start(t.Context())
		require.NoError(t, err)
		defer in.Close()
		release := func() {}
		if heldUp {
			release = in.VM().HoldLooks()
		}
		_, err = in.Call(t.Context(), "begin")
		require.NoError(t, err)
		time.Sleep(300 * time.Millisecond) // until looks have found nothing to do
		release()
		_, err = in.Call(t.Context(), "drop")
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			n, err := in.Call(t.Context(), "count")
			require.NoError(t, err)
			return fmt.Sprint(n) == "0"
		}, time.Minute, 10*time.Millisecond, "looks held up: %v", heldUp)
	}
}

// endings are scripts in which actors or questions end because nobody can reach
// them, with what they print.
var endings = []struct{ name, src, want string }{
	{"an actor stops before those that it holds", `import actor
struct Log { fn receive(s: str, ctx: actor.Context<str>) { print("log:", s) } }
struct Work { log: actor.Ref<str>
  fn receive(s: str, ctx: actor.Context<str>) { self.log.tell(s) }
  fn on_stop(ctx: actor.Context<str>, killed: bool) { self.log.tell("bye") }
}
fn begin() { actor.start(Work(actor.start(Work(actor.start(Log()))))).tell("hello") }
begin()
sleep(2s)
print(actor.list().len())
`, "log: hello\nlog: bye\nlog: bye\n0\n"},
	{"a long chain stops as a whole, one after the other", `import actor
enum Msg { Know(other: actor.Ref<Msg>), Bye(n: int) }
let order = chan<int>(1000)
struct Link { let id: int, next: actor.Ref<Msg>? = none, said: int = 0
  fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Know(other) => { self.next = other }, Bye(n) => { self.said = n } } }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) {
    sleep(1us * (self.id * 37 % 50))
    if self.next != none { self.next!.tell(Bye(self.id)) }
    order.send(if self.id == 0 || self.said == self.id - 1 { self.id } else { -1 })
  }
}
fn make() {
  let all = (0..1000).map(|id| actor.start(Link(id)))
  for i in 1..1000 { all[i - 1].tell(Know(all[i])) }
}
make()
var right = 0
for i in 0..1000 { if order.recv() == i { right += 1 } }
print(right)
`, "1000\n"},
	{"what an on_stop makes reachable again stops all the same", `import actor
enum Msg { Know(other: actor.Ref<Msg>), Bye }
var saved: actor.Ref<Msg>? = none
struct Link { let name: str, next: actor.Ref<Msg>? = none
  fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Know(other) => { self.next = other }, Bye => print(self.name, "is told") } }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) {
    print(self.name, killed)
    if self.next != none {
      saved = self.next
      self.next!.tell(Bye)
    }
  }
}
fn make() {
  let (a, b) = (actor.start(Link("a")), actor.start(Link("b")))
  a.tell(Know(b))
}
make()
while saved == none { sleep(10ms) }
saved!.join()
print(saved!.try_tell(Bye))
`, "a false\nb is told\nb false\nfalse\n"},
	{"an error that was heard of late keeps nobody", `import actor
struct Quiet { fn receive(s: str, ctx: actor.Context<str>) { } }
struct Lost { who: actor.Ref<str>
  fn message() -> str { "lost" }
}
fn throws(who: actor.Ref<str>) { throw Lost(who) }
fn fails() {
  let who = actor.start(Quiet())
  let t = spawn detached throws(who)
  sleep(10ms)     // it fails before anybody awaits it
  try { await t } catch e { }
}
fn forget() { try { throw error("another") } catch e { } }
fails()
forget()
sleep(2s)
print(actor.list().len())
`, "0\n"},
	{"all are told who wait for a dropped answer", `import actor
enum Msg { Get(reply: actor.Reply<int>) }
struct Mute { fn receive(m: Msg, ctx: actor.Context<Msg>) { } }
let q = actor.start(Mute()).ask_task(Msg.Get)
let tasks = [spawn { try { "${await_any([q])}" } catch e { type_of(e) } }, spawn { try { "${await q}" } catch e { type_of(e) } }]
print(await_all(tasks))
`, "[\"TaskCancelled\", \"TaskCancelled\"]\n"},
	{"an answer is dropped when no actor is left, while others sleep", `import actor
enum Msg { Get(reply: actor.Reply<int>) }
struct Passes { out: chan<actor.Reply<int>>
  fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Get(r) => self.out.send(r) } }
}
let c = chan<actor.Reply<int>>(1)
let a = actor.start(Passes(c))
spawn detached {
  let held = [c.recv()!]
  a.kill()
  for _ in 0..30 { sleep(10ms) }
  held.clear()
  for _ in 0..500 { sleep(10ms) }
  print("nobody was told")
}
try { a.ask(Msg.Get) } catch e { print(e.message()) }
`, "actor#1 did not answer: the question was dropped\n"},
}

func TestWhatNobodyReachesEndsInOrder(t *testing.T) {
	for _, e := range endings {
		opts := []runnel.Option{runnel.WithWorkers(1), runnel.WithWorkers(2), runnel.WithSeed(1)}
		if strings.HasSuffix(e.name, "while others sleep") {
			opts = opts[:2] // a virtual clock that moves in small steps is not looked at
		}
		for _, opt := range opts {
			var out bytes.Buffer
			rt := runnel.MustNew(runnel.WithModules(actor.Module), runnel.WithHost(runnel.Host{Stdout: &out}), opt)
			prog, err := rt.Compile("ends.rnl", e.src)
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			require.NoError(t, prog.NewInstance().Run(ctx), e.name)
			cancel()
			require.Equal(t, e.want, out.String(), e.name)
		}
	}
}
