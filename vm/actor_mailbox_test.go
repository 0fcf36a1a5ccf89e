package vm_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// A sequential actor reports when it takes a message, and handles it until it
// may continue. So senders know at each moment which messages wait, and in
// which order.
const oneByOne = `import actor
import rand
let taken = chan<int>()
let gate = chan<int>()
struct Sink { fn receive(m: int, ctx: actor.Context<int>) {
  taken.send(m)
  gate.recv()
} }
struct Model { let room: int, let queue: [int] = [], hand: int? = none, late: int? = none, sender: task<()>? = none }

fn take(m: Model) {
  if m.queue.len() == 0 {
    m.hand = none
    return
  }
  let want = m.queue.remove(0)
  let got = timeout(30s, || taken.recv())
  m.hand = want
  if got != want { throw error("took ${got}, not ${want}") }
  if m.late.is_some() && m.queue.len() < m.room - (if m.room < 256 { 0 } else { 8 }) {
    timeout(30s, || await m.sender!)    // there is room for it now
    m.queue.push(m.late!)
    m.late = none
  }
}

fn sent(m: Model) { if m.hand.is_none() { take(m) } }

fn turn(a: actor.Ref<int>, m: Model, rng: rand.Rng, x: int, crowded: bool) {
  match rng.int(0, 9) {
    0 | 1 => {
      a.tell_first(x)
      m.queue.insert(0, x)
      sent(m)
    }
    2 if m.queue.len() >= m.room && m.late.is_none() => {
      m.sender = spawn a.tell(x)
      m.late = x
    }
    2 | 3 | 4 | 5 | 6 => {
      for y in 0..(if crowded { 40 } else { 1 }) {
        if m.late.is_some() { break }   // it is before
        let room = m.queue.len() < m.room
        if a.try_tell(x * 100 + y) != room { throw error("room for it: ${room}, with ${m.queue.len()}") }
        if room {
          m.queue.push(x * 100 + y)
          sent(m)
        }
      }
    }
    _ => if m.hand.is_some() {
      gate.send(0)
      take(m)
    }
  }
  let early = if m.late.is_some() { 1 } else { 0 }   // it may have been let in before it has to be
  let queued = a.queued()
  if queued < m.queue.len() || queued > m.queue.len() + early { throw error("${a.queued()} are queued, not ${m.queue.len()}") }
}

fn play(seed: int, room: int, turns: int) {
  let rng = rand.new(seed)
  let m = Model(room)
  let a = actor.start(Sink(), mailbox: room)
  for x in 1..turns { turn(a, m, rng, x, room > 100) }
  while m.hand.is_some() {
    gate.send(0)
    take(m)
  }
  a.stop()
  a.join()
}
for room in [1, 2, 3, 8, 63, 64, 65, 300, 1000] { play(SEED * 100 + room, room, TURNS) }
`

// Eight send at once in all ways there are, while the actor handles, receives
// selectively, crashes, is stopped or killed.
const eightSend = `import actor
import rand
struct Seen { let all: [int] = [], let plain: [int] = [] }
let seen = mutex(Seen())
fn note(m: int, plain: bool) {
  lock seen as s {
    s.all.push(m)
    if plain { s.plain.push(m) }
  }
}
struct Sink { let crashes: bool
  fn receive(m: int, ctx: actor.Context<int>) {
    note(m, m % 100000 < 50000)
    if m % 97 == 0 { sleep(100us) }
    if m % 101 == 0 { note(ctx.receive_where(|x| x % 7 == 0 || x == -1), false) }
    if self.crashes && m % 499 == 0 { throw error("crash") }
  }
}
fn sender(a: actor.Ref<int>, id: int, n: int) -> int {
  let rng = rand.new(id)
  var refused = 0
  for i in 0..n {
    let m = id * 100000 + i
    try {
      match rng.int(0, 19) {
        0 => a.tell_first(m + 50000)
        1 | 2 => if !a.try_tell(m) { refused += 1 }
        3 => a.tell(m, within: 50us)
        4 => {
          a.tell(m)
          yield_now()
        }
        _ => a.tell(m)
      }
    } catch e: Timeout { } catch e: actor.Stopped { }
  }
  refused
}

fn play(room: int, how: str, n: int) {
  lock seen as s {
    s.all.clear()
    s.plain.clear()
  }
  let before = actor.dead_letters().count()
  let lost = actor.dead_letters().listen(100_000)
  let (a, boss): (actor.Ref<int>, actor.Supervisor?) = if how == "crashes" {
    let spec = actor.spec(|| Sink(true), mailbox: room)
    let boss = actor.supervise([spec], max_restarts: 1_000_000)
    (spec.ref(), boss)
  } else { (actor.start(Sink(false), mailbox: room), none) }
  let senders = (1..=8).map(|id| spawn sender(a, id, n))
  if how == "killed" || how == "stopped in the middle" {
    while lock seen as s { s.all.len() } < n { sleep(100us) }
    if how == "killed" { a.kill() } else { a.stop() }
  }
  let refused = await_all(senders).sum()
  if let b = boss {
    a.tell(-1)
    while a.queued() > 0 { sleep(1ms) }
    b.stop()
    b.join()
  } else {
    try { a.tell(-1) } catch e: actor.Stopped { }   // for a receive_where that waits
    a.stop()
    match a.join() { Completed(killed: k) => {}, Failed(error: e) => { if !e.message().contains("no more messages") { throw e } } }
  }
  lost.close()
  let letters: [int] = []
  for l in lost { match l.message { m: int => letters.push(m), _ => {} } }
  let (all, plain) = lock seen as s { (s.all.copy(), s.plain.copy()) }
  let dead = actor.dead_letters().count() - before
  let total = 8 * n + 1
  if letters.len() != dead { print(how, room, "letters", letters.len(), "of", dead) }
  let missing = total - all.len() - dead - refused
  if missing != 0 && !(how == "killed" && missing == 1) {   // a kill may come before the one in hand is noted
    print(how, room, "handled", all.len(), "dead", dead, "refused", refused, "of", total)
  }
  let both = all.copy()
  both.extend(letters)
  if set(both).len() != both.len() { print(how, room, "a message twice") }
  let last = map<int, int>()
  for m in plain {
    let id = m / 100000
    if m > 0 && (last.get(id) ?? -1) >= m { print(how, room, "order of", id, "is wrong:", m, "after", last[id]) }
    last[id] = m
  }
}
for room in [1, 4, 255, 256, 1000, 100_000] {
  for how in ["to its end", "stopped in the middle", "killed", "crashes"] { play(room, how, COUNT) }
}
`

// runsSilently runs a script, under several numbers of workers and under a seed.
func runsSilently(t *testing.T, src string, seed uint64) {
	t.Helper()
	var wg sync.WaitGroup
	turns := make(chan bool, 2)
	for name, opt := range map[string]runnel.Option{
		"1 worker": runnel.WithWorkers(1), "2 workers": runnel.WithWorkers(2), "4 workers": runnel.WithWorkers(4), "seeded": runnel.WithSeed(seed),
	} {
		turns <- true
		wg.Go(func() {
			defer func() { <-turns }()
			var out bytes.Buffer
			rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: &out, Stderr: &out}), opt)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			prog, err := rt.Compile("mail.rnl", src)
			if err == nil {
				err = prog.NewInstance().Run(ctx)
			}
			if err != nil || out.Len() > 0 {
				t.Errorf("seed %d, %s: %v\n%s", seed, name, err, out.String())
			}
		})
	}
	wg.Wait()
}

// A mailbox delivers urgent messages first, the last of them first, and the
// rest in order; waiting senders are admitted as soon as there is room.
func TestMailboxesKeepTheirOrder(t *testing.T) {
	turns := 400
	if testing.Short() {
		turns = 60
	}
	for seed := range uint64(5) {
		runsSilently(t, replaced(oneByOne, "SEED", seed, "TURNS", turns), seed)
	}
}

// No message is lost, none is handled twice, and those of one sender stay in order.
func TestMailboxesLoseNothing(t *testing.T) {
	count := 1000
	if testing.Short() {
		count = 300
	}
	for seed := range uint64(2) {
		runsSilently(t, replaced(eightSend, "COUNT", count), seed)
	}
	require.False(t, t.Failed())
}

// replaced puts values in the place of names.
func replaced(src string, pairs ...any) string {
	texts := make([]string, len(pairs))
	for i, p := range pairs {
		texts[i] = fmt.Sprint(p)
	}
	return strings.NewReplacer(texts...).Replace(src)
}
