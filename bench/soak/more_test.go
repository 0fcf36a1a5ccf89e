package soak

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/reactive"
)

// actorScript has actors, supervisors and reactive values.
const actorScript = `
enum Msg { Add(by: int), Get(reply: actor.Reply<int>), Fail, Burst(how: int), Wait, Drop(reply: actor.Reply<int>) }
struct Counter { n: int = 0
  fn receive(m: Msg, ctx: actor.Context<Msg>) {
    match m {
      Add(by) => { self.n += by }
      Get(reply) => { reply.send(self.n) }
      Fail => throw error("an actor has failed")
      Burst(how) => { panics(how) }
      Wait => sleep(1h)
      Drop(_) => {}
    }
  } }
let everyone = actor.start(Counter())
pub fn everybody() -> actor.Ref<Msg> { everyone }
pub fn starts() -> actor.Ref<Msg> { actor.start(Counter()) }
pub fn told(n: int) -> int {
  let a = actor.start(Counter(), mailbox: 4)
  scope { for i in 0..4 { spawn { for j in 0..n { a.tell(Add(1)) } } } }
  let got = a.ask(Msg.Get, within: 60s)
  a.stop()
  a.join()
  got }
pub fn supervised(n: int) -> int {
  let child = actor.spec(|| Counter())
  let boss = actor.supervise([child], max_restarts: 1000, within: 1h)
  for i in 0..n { child.ref().tell(Add(1))
    child.ref().tell(if i % 2 == 0 { Fail } else { Burst(i) }) }
  child.ref().tell(Add(n))
  let got = child.ref().ask(Msg.Get, within: 60s)
  boss.stop()
  boss.join()
  got }
pub fn killed(n: int) -> int { var ended = 0
  let team = (0..n).map(|_| { let a = actor.start(Counter())
    a.tell(Wait)
    a })
  for a in team { a.kill()
    a.join()
    ended += 1 }
  ended }
pub fn unreachable(n: int) { for i in 0..n { let a = actor.start(Counter())
    let b = actor.start(Counter())
    a.tell(Add(1))
    b.tell(Add(1)) } }
pub fn dropped() -> str { let a = actor.start(Counter())
  let text = try { a.ask(Msg.Drop)
    "answered" } catch e { e.message() }
  a.stop()
  text }

pub let cell = reactive.cell(0)
pub let double = reactive.computed(|| 2 * cell.get())
pub fn watches(n: int) -> int {
  let a = reactive.cell(0)
  let b = reactive.computed(|| a.get() + 1)
  let c = reactive.computed(|| a.get() + b.get())
  var seen = 0
  let e = reactive.effect(|| { seen = c.get() })
  for i in 0..n { a.set(i) }
  reactive.batch(|| { a.set(1000)
    a.set(n) })
  e.dispose()
  a.set(0)
  seen }
pub fn debounced(n: int) -> int {
  let a = reactive.cell(0)
  let seen = mutex(0)
  let e = reactive.effect(|| seen.set(a.get()), debounce: 1ms)
  for i in 1..=n { a.set(i) }
  for i in 0..1000 { if seen.get() == n { break }
    sleep(1ms) }
  e.dispose()
  seen.get() }
pub fn stored(n: int) -> int {
  let docs = reactive.store()
  let (sum, count) = (reactive.address("soak", "1").at("sum"), reactive.address("soak", "1").at("count"))
  docs.set(sum, 0)
  let s = reactive.scheduler(docs)
  s.schedule(reactive.action("count", |tx| { tx.read(sum)
    tx.write(count, tx.get(count, 0) + 1) }))
  scope { for i in 0..4 { spawn { for j in 0..n { docs.transact(|tx| { tx.write(sum, tx.get(sum, 0) + 1) }) } } } }
  s.idle()
  s.dispose()
  docs.get(sum)! as int }
pub fn exits(how: int) -> int {
  match how {
    0 => h.exit(1),
    1 => await spawn h.exit(1),
    2 => h.twice(|n: int| h.exit(n), 1),
    3 => h.exit_later(1),
    _ => { let a = reactive.cell(0)
      reactive.effect(|| { if a.get() > 0 { h.exit(1) } })
      a.set(1)
      0 },
  } }
`

var moreActions = []action{
	{"actors", 8, (*hand).actors},
	{"actors of hosts", 8, (*hand).hostActors},
	{"reactive values", 8, (*hand).reactiveValues},
	{"values of hosts", 8, (*hand).hostValues},
	{"ended goroutines", 5, (*hand).exits},
	{"chained instances", 5, (*hand).chain},
}

func init() { actions = append(actions, moreActions...) }

func (h *hand) actors() {
	h.use(func(sh *shared) {
		n := 1 + h.IntN(20)
		switch h.IntN(5) {
		case 0:
			h.expect(sh, 4*n, "told", n)
		case 1:
			h.expect(sh, n, "supervised", n)
		case 2:
			h.expect(sh, n, "killed", n)
		case 3:
			h.expect(sh, nil, "unreachable", n)
		default:
			got, err := sh.inst.Call(context.Background(), "dropped")
			if text, _ := got.(string); !h.cutShort(sh, err) && (err != nil || text == "answered") {
				h.fail("a dropped question is %v, %v", got, err)
			}
		}
	})
}

// asGet is the question for what an actor has.
func asGet(r *actor.Reply[int]) any { return runnel.Variant{Name: "Get", Values: []any{r}} }

// hostActors tells actors that are shared, and has others end under the hands of the
// host.
func (h *hand) hostActors() {
	h.use(func(sh *shared) {
		name := []string{"everybody", "starts"}[h.IntN(2)]
		f, err := runnel.Bind0[*actor.Ref](sh.inst, name)
		if err != nil {
			h.fail("%s: %v", name, err)
			return
		}
		ref, err := f(context.Background())
		if h.cutShort(sh, err) {
			return
		}
		if err != nil {
			h.fail("%s: %v", name, err)
			return
		}
		defer ref.Release()
		ctx, cancel := h.soon()
		defer cancel()
		n := 1 + h.IntN(10)
		var sent atomic.Int64
		var senders sync.WaitGroup
		for range 2 {
			senders.Go(func() {
				for range n {
					if ref.Tell(context.Background(), runnel.Variant{Name: "Add", Values: []any{1}}) == nil {
						sent.Add(1)
					}
				}
			})
		}
		senders.Wait()
		got, err := actor.Ask(context.Background(), ref, asGet)
		if err == nil && int64(got) < sent.Load() {
			h.fail("an actor has heard %d of %d messages", got, sent.Load())
		}
		if err != nil && !h.ending(sh, err) {
			h.fail("ask: %v", err)
		}
		if name == "starts" {
			_ = ref.Tell(ctx, runnel.Variant{Name: []string{"Fail", "Wait"}[h.IntN(2)]})
			_ = ref.Watch(func(actor.Exit) {})
			_ = ref.Kill()
		}
	})
}

// ending is cutShort for what is left of an instance that ends.
func (h *hand) ending(sh *shared, err error) bool {
	return h.cutShort(sh, err) || errors.Is(err, actor.ErrStopped) && (sh.closed.Load() || h.world.closed.Load())
}

func (h *hand) reactiveValues() {
	h.use(func(sh *shared) {
		n := 1 + h.IntN(20)
		switch h.IntN(3) {
		case 0:
			h.expect(sh, 2*n+1, "watches", n)
		case 1:
			h.expect(sh, n, "debounced", n)
		default:
			h.expect(sh, 4*n, "stored", n)
		}
	})
}

// hostValues sets a cell that all share, while others subscribe to what follows from
// it.
func (h *hand) hostValues() {
	h.use(func(sh *shared) {
		cell, err := runnel.Get[*reactive.Cell[int]](sh.inst, "cell")
		double, err2 := runnel.Get[*reactive.Value[int]](sh.inst, "double")
		if err = errors.Join(err, err2); err != nil {
			if !h.cutShort(sh, err) {
				h.fail("cell: %v", err)
			}
			return
		}
		defer cell.Release()
		defer double.Release()
		ctx, cancel := h.soon()
		defer cancel()
		stop, err := double.Subscribe(ctx, func(x int) {
			if x%2 != 0 {
				h.fail("the double of a number is %d", x)
			}
		})
		if err == nil {
			defer stop()
		}
		for range 1 + h.IntN(10) {
			if _, err = cell.Update(ctx, func(n int) int { return (n + 1) % 1000 }); err != nil {
				break
			}
			if err = reactive.Batch(ctx, cell.To(h.IntN(1000))); err != nil {
				break
			}
		}
		if err != nil && !h.cutShort(sh, err) && !errors.Is(err, context.Canceled) {
			h.fail("cell: %v", err)
		}
		if x, err := double.Get(context.Background()); err == nil && x%2 != 0 || err != nil && !h.cutShort(sh, err) {
			h.fail("double: %d, %v", x, err)
		}
	})
}

// exits has natives end their goroutines, which are not those of the others.
func (h *hand) exits() {
	sh := h.fresh()
	if sh == nil {
		return
	}
	how := h.IntN(5)
	var aside sync.WaitGroup
	aside.Go(func() {
		_, err := sh.inst.Call(context.Background(), "exits", how)
		if !h.cutShort(sh, err) && (err == nil || !strings.Contains(err.Error(), "runtime.Goexit")) {
			h.fail("a native that ends its goroutine (%d): %v", how, err)
		}
	})
	aside.Wait()
	aside.Go(func() { h.expect(sh, 4, "twice", 1) })
	aside.Go(func() { h.expect(sh, 1, "napped", 1) })
	aside.Wait()
	sh.inst.Close()
}

// chain sends numbers through two instances of the Runtime; a channel of one is
// nothing for the other.
func (h *hand) chain() {
	a, b := h.fresh(), h.fresh()
	if a == nil || b == nil {
		return
	}
	defer a.inst.Close()
	defer b.inst.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var chans [4]*runnel.Chan[int]
	for i := range chans {
		var err error
		if chans[i], err = runnel.NewChan[int]([]*shared{a, a, b, b}[i].inst, h.IntN(4)); err != nil {
			if !h.cutShort(a, err) {
				h.fail("NewChan: %v", err)
			}
			return
		}
		defer chans[i].Release()
	}
	if _, err := b.inst.Call(ctx, "doubles", chans[0], chans[3]); !h.cutShort(b, err) && (err == nil || !strings.Contains(err.Error(), "another instance")) {
		h.fail("a channel of another instance: %v", err)
	}
	count, got := h.IntN(50), 0
	var rest sync.WaitGroup
	for i, sh := range []*shared{a, b} {
		rest.Go(func() {
			if _, err := sh.inst.Call(ctx, "doubles", chans[2*i], chans[2*i+1]); err != nil {
				if !h.cutShort(sh, err) && !errors.Is(err, context.Canceled) { // by the other one
					h.fail("doubles: %v", err)
				}
				cancel()
			}
		})
	}
	rest.Go(func() {
		for i := range count {
			_ = chans[0].Send(ctx, i)
		}
		_ = chans[0].Close()
	})
	rest.Go(func() {
		for x := range chans[1].All(ctx) {
			_ = chans[2].Send(ctx, x)
		}
		_ = chans[2].Close()
	})
	for x := range chans[3].All(ctx) {
		if x != 4*got {
			h.fail("four times %d is %d", got, x)
		}
		got++
	}
	rest.Wait()
	if ctx.Err() == nil && !h.world.closed.Load() && got != count {
		h.fail("%d of %d came through two instances", got, count)
	}
}
