package reactive_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/vmtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

var (
	cutGraphs = flag.Int("cut-graphs", longtest.Of(1, 4), "in how many random graphs a call is cut")
	cutEvery  = flag.Int("cut-every", 29, "at which of its steps and allocations: at each with 1")
)

// cutGraph is a random graph of cells, computeds and effects and a store, which a host
// plays with, and a naive model that works everything out from the cells and the store.
const cutGraph = `
import rand
import reactive

let rng = rand.new(SEED)
type Rule = (int, [int])
let cells = (0..6).map(|i| reactive.cell(i, name: "c${i}", equal: if i == 2 { |a: int, b: int| { a == b } } else { none }))
let rules: [Rule] = []
let computeds: [reactive.Computed<int>] = []

fn read(i: int) -> int { if i < 6 { cells[i].get() } else { computeds[i - 6].get() } }
fn outcome(f: fn() -> int) -> int { try { f() } catch e { -1 } }
fn eval(rule: Rule, by: fn(int) -> int) -> int {
  let (kind, of) = rule
  match kind {
    0 => if by(of[0]) % 2 == 0 { by(of[1]) } else { by(of[2]) }
    1 => {
      let x = by(of[0])
      if x % 5 == 3 { throw error("three") }
      x + 1
    }
    2 => try { by(of[0]) } catch e { by(of[1]) }
    _ => of.fold(0, |sum, i| (sum * 3 + by(i)) % 17)
  }
}
fn naive(i: int) -> int { if i < 6 { cells[i].peek() } else { eval(rules[i - 6], naive) } }
fn any_rule(n: int) -> Rule { (rng.int(0, 6), (0..3).map(|_| rng.int(0, n))) }

struct Seer {
  let rule: Rule
  let acts: int
  alive: bool = true
  seen: int = -2
  open: int = 0           // cleanups to come
  inner: int = 0          // effects of its last run
  effect: reactive.Effect? = none

  fn run() {
    if self.acts & 1 != 0 {
      var opened = false
      reactive.on_cleanup(|| if opened { self.open -= 1 })
      self.open += 1
      opened = true
    }
    let v = outcome(|| eval(self.rule, read))
    if self.acts & 2 != 0 {
      reactive.group(|| {
        reactive.effect(|| {
          var counted = false
          reactive.on_cleanup(|| if counted { self.inner -= 1 })
          self.inner += 1
          counted = true
          read(0)
        })
      })
    }
    if self.acts & 4 != 0 { cells[5].set((v + 20) % 7) }
    if self.acts & 8 != 0 { reactive.batch(|| { cells[4].set((v + 20) % 3); cells[4].set((v + 20) % 5) }) }
    self.seen = v
  }

  fn end() {
    self.alive = false
    self.effect?.dispose()
  }
}

for i in 0..10 {
  let rule = any_rule(6 + i)
  rules.push(rule)
  computeds.push(reactive.computed(|| {
    if i % 3 == 0 { reactive.on_cleanup(|| ()) }
    eval(rule, read)
  }, name: "n${i}", equal: if i % 4 == 1 { |a: int, b: int| { a == b } } else { none }))
}
// Effects that set a cell read only what does not follow from it.
let seers = (0..8).map(|i| Seer(any_rule(if i < 2 { 4 } else { 16 }), if i < 2 { 7 + 8 * i } else { rng.int(0, 4) }))
for s in seers { s.effect = reactive.effect(|| s.run()) }
let spare = (0..3).map(|_| reactive.effect(|| { reactive.on_cleanup(|| ()); read(1) }))

let table = reactive.table<int, int>()
let order = table.all.filter(|x| x % 3 != 0).sort_by(|x| -x)
let groups = table.all.group_by(|x| x % 4)
let most = [0]
for i in 0..9 { table.set(i, i * 5 % 7) }
reactive.effect(|| { most[0] = order.get(0) ?? -1; groups.keys() }, name: "made")
let picked = reactive.linked(|| cells[0].get() + cells[1].get())
let watched = [0, 0]
reactive.watch(|| picked.get() / 2, |new, old| { watched[0] = old; watched[1] = new }, name: "made")
let squares = reactive.family(|i: int| read(i) * read(i), most: 3)

let docs = reactive.store()
let doc = reactive.address("home", "of:1")
let (n, double, square) = (doc.at("n"), doc.at("double"), doc.at("square"))
let s = reactive.scheduler(docs)
s.schedule(reactive.action("double", |tx| tx.write(double, tx.get(n, 0) * 2)))
s.schedule(reactive.action("square", |tx| { let v = tx.get(double, 0); tx.write(square, v * v) }))
let heard = [0]
docs.on_change(|changes| heard[0] = (docs.get(n) ?? 0) as int)
s.idle()

pub fn act(pad: int) {
  for _ in 0..pad {}
  cells[0].set(3)
  cells[1].update(|x| x + 2)
  reactive.batch(|| {
    for i in 0..4 { cells[i].set(7 - i) }
    cells[2].set(2)
    outcome(|| computeds[9].get())
  })
  spare[0].dispose()
  outcome(|| computeds[8].peek())
  docs.transact(|tx| { tx.write(n, tx.get(n, 0) + 1); tx.write(doc.at("m"), 1) })
  reactive.batch(|| { for i in 0..4 { table.set(i * 3, i + 11) } })
  table.remove(2)
  picked.set(40)
  for i in 0..6 { squares.get(i) }
  let made = reactive.group(|| { reactive.effect(|| { reactive.on_cleanup(|| ()); read(2) }, name: "made") }, name: "made")
  cells[2].set(5)
  made.dispose()
}

pub fn act_below(depth: int) { if depth == 0 { act(0) } else { act_below(depth - 1) } }

fn compare(when: str) {
  for i in 0..16 {
    let (got, want) = (outcome(|| read(i)), outcome(|| naive(i)))
    assert(got == want, "${when}: node ${i} gives ${got}, not ${want}")
  }
  for i, s in seers {
    if s.alive {
      let want = outcome(|| eval(s.rule, naive))
      assert(s.seen == want, "${when}: effect ${i} has seen ${s.seen}, not ${want}")
      assert(s.open == s.acts & 1, "${when}: ${s.open} cleanups of effect ${i}")
    } else { assert(s.open == 0, "${when}: an end without its cleanup") }
    assert(s.inner <= 1, "${when}: ${s.inner} inner effects of ${i}\n" + reactive.graph().text())
  }
  let rest = (0..20).to_list().filter_map(|i| table.get(i))
  let right = rest.filter(|x| x % 3 != 0).sort().reverse()
  assert(order.values() == right && most[0] == (right.get(0) ?? -1), "${when}: ${order.values()} and ${most}, not ${right}")
  for g in 0..4 { assert(groups.get(g).sort() == rest.filter(|x| x % 4 == g).sort(), "${when}: group ${g}") }
  assert(watched[1] == picked.get() / 2 || watched == [0, 0], "${when}: ${watched} of ${picked.get()}")
  for i in 0..6 { assert(squares.get(i) == cells[i].peek() ** 2, "${when}: the square of ${i}") }
  assert(reactive.graph().nodes.all(|n| n.state == Fresh), "${when}: " + reactive.graph().text())
}

pub fn check() {
  reactive.batch(|| ())
  reactive.idle()
  compare("at once")
  for k in 0..6 {
    for i in 0..6 { if rng.bool() { cells[i].set(rng.int(0, 9)) } }
    compare("after sets")
    reactive.batch(|| { for i in 0..6 { cells[i].set(rng.int(0, 9) + k) } })
    table.set(k, 30 - k)
    if k > 2 { table.remove(k + 2) }
    if k == 4 { picked.set(3) }
    compare("after a batch")
  }
  let v = docs.transact(|tx| { let v = tx.get(n, 0) + 1; tx.write(n, v); v })
  s.idle()
  assert((docs.get(square) ?? 0) as int == 4 * v * v, "the store has ${docs.get(doc)}")
  assert(heard[0] == v, "a listener has heard of ${heard[0]}")
  seers[3].end()
  compare("after an end")
  for s in seers { s.end() }
  compare("after all ends")
  for e in spare { e.dispose() }
}
// What the call has made it may have got no hold of.
pub fn left() -> int { reactive.graph().nodes.filter(|n| n.kind != "cell" && n.kind != "computed" && n.name != "made").len() }
`

// TestACallThatIsCutLeavesTheGraphWhole cuts a call that changes a graph at
// its steps, at its allocations, and where its stack is full. Later calls find what a naive model says.
func TestACallThatIsCutLeavesTheGraphWhole(t *testing.T) {
	const limit = 300_000 // what check takes is less
	for seed := range *cutGraphs {
		src := strings.ReplaceAll(cutGraph, "SEED", string(rune('1'+seed%9))+strings.Repeat("0", seed/9))
		rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithLimits(runnel.Limits{CallSteps: limit}), runnel.WithWorkers(1))
		p, err := rt.Compile("cut.rnl", src)
		require.NoError(t, err)
		eachCut(t, p, "step", seed, *cutEvery, func(in *runnel.Instance, n int) error {
			_, err := in.Call(t.Context(), "act", limit-n)
			return err
		})
		shallow := p.With(runnel.WithLimits(runnel.Limits{Stack: 4000}))
		eachCut(t, shallow, "register", seed, 1, func(in *runnel.Instance, n int) error {
			_, err := in.Call(t.Context(), "act_below", max(0, 1000-n))
			return err
		})
		eachCut(t, p, "allocation", seed, *cutEvery, func(in *runnel.Instance, n int) error {
			vmtest.FailCharge(in.VM(), int64(n))
			defer vmtest.FailCharge(in.VM(), 0)
			_, err := in.Call(t.Context(), "act", 0)
			return err
		})
		rt.Close()
	}
}

// eachCut cuts act at each n, until it comes to its end.
func eachCut(t *testing.T, p *runnel.Program, what string, seed, every int, act func(in *runnel.Instance, n int) error) {
	t.Helper()
	n := 1
	for whole := 0; whole < 3; n += 1 + (n+seed)%every {
		if !cutCall(t, p, fmt.Sprintf("graph %d, cut at %s %d", seed, what, n), func(in *runnel.Instance) error { return act(in, n) }) {
			whole++
		}
	}
	t.Logf("graph %d: up to %s %d", seed, what, n)
}

// cutCall reports whether the call was cut.
func cutCall(t *testing.T, p *runnel.Program, where string, act func(in *runnel.Instance) error) bool {
	t.Helper()
	in, err := p.Start(t.Context())
	require.NoError(t, err, where)
	defer in.Close()
	cut := act(in)
	if cut != nil {
		var e *runnel.Error
		require.ErrorAs(t, cut, &e, where)
		require.Regexp(t, "limit|stack is full", e.Message, where)
	}
	_, err = in.Call(t.Context(), "check")
	require.NoError(t, err, where)
	left, err := in.Call(t.Context(), "left")
	require.NoError(t, err, where)
	require.Zero(t, left, where)
	return cut != nil
}

// TestACutOfADeepReadLeavesTheGraphWhole cuts runs that are inside of a thousand others,
// in tasks of their own.
func TestACutOfADeepReadLeavesTheGraphWhole(t *testing.T) {
	p, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("deep.rnl", `
import reactive
let n = reactive.cell(0)
var at = reactive.computed(|| n.get() + 1)
for _ in 1..1200 {
  let before = at
  at = reactive.computed(|| [before.get()].sum() + 1)
}
pub fn read() -> int { at.get() }
pub fn set() -> int { n.set(7); at.get() }
`)
	require.NoError(t, err)
	cuts := 0
	for n := int64(1); n < 8000; n += 1 + n/9 {
		in, err := p.Start(t.Context())
		require.NoError(t, err)
		vmtest.FailCharge(in.VM(), n)
		if _, err := in.Call(t.Context(), "read"); err != nil {
			require.ErrorContains(t, err, "limit")
			cuts++
		}
		vmtest.FailCharge(in.VM(), 0)
		for _, f := range []struct {
			name string
			want int
		}{{"read", 1200}, {"set", 1207}} {
			got, err := in.Call(t.Context(), f.name)
			require.NoError(t, err, n)
			require.Equal(t, f.want, got, n)
		}
		in.Close()
	}
	require.Greater(t, cuts, 20)
}
