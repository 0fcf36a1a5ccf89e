package actor_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// Place and Box go in messages: the one is copied, the other a handle.
type (
	Place struct{ X, Y float64 }
	Box   struct{ weight int }
)

// What the clerk is told.
type (
	Fill struct {
		Place  Place
		Places []Place
		Maybe  *int
		Counts map[string]int
		Names  map[string]struct{}
		Double func(context.Context, int) (int, error)
		Out    *runnel.Chan[int]
		Box    *Box
		Wait   time.Duration
		Bytes  []byte
		Any    any
		Reply  *actor.Reply[[]Place]
	}
	Subscribe struct{ Who actor.RefTo[string] }
	Publish   struct{ Text string }
)

// clerk sends what is published to all who have subscribed.
type clerk struct {
	ctx  context.Context
	fill func(context.Context, Fill)
	all  []actor.RefTo[string]
}

func (k *clerk) Init(ctx context.Context, _ string, _ any) error {
	k.ctx = ctx
	return nil
}

func (k *clerk) Step(events []process.Event, _ *process.StepOutput) error {
	for _, e := range events {
		switch m := e.Data.(type) {
		case Fill:
			go k.fill(k.ctx, m)
		case Subscribe:
			k.all = append(k.all, m.Who)
		case Publish:
			for _, who := range k.all {
				if _, err := who.TryTell(m.Text); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (k *clerk) Close() {
	for _, who := range k.all {
		who.Release()
	}
}

func withClerk(t *testing.T, fill func(context.Context, Fill), src string, opts ...runnel.Option) *runnel.Instance {
	t.Helper()
	m := runnel.NewModule("office", "")
	runnel.Type[*Box](m)
	runnel.Func(m, "box", func(weight int) *Box { return &Box{weight} })
	actor.Offer(m, actor.Native{
		Name:     "clerk",
		New:      func() process.Process { return &clerk{fill: fill} },
		Messages: []any{Fill{}, Subscribe{}, Publish{}},
	})
	return withActors(t, "import actor\nimport office\n"+src, append(opts, runnel.WithModules(m))...)
}

func TestMessagesOfAllKindsToAnActorInGo(t *testing.T) {
	got := make(chan Fill, 1)
	inst := withClerk(t, func(ctx context.Context, m Fill) {
		n, err := m.Double(ctx, 21)
		if err == nil {
			err = m.Out.Send(ctx, n)
		}
		if err != nil {
			_ = m.Reply.Fail(err)
			return
		}
		got <- m
		_ = m.Reply.Send(append(m.Places, m.Place))
	}, `
pub fn fill(maybe: int?) -> str {
  let clerk = office.clerk()
  let out = chan<int>(1)
  let names = set<str>()
  names.add("ada")
  let places = clerk.ask(|r| Fill(
    office.Place(1.0, 2.0), [office.Place(3.0, 4.0)], maybe, {"a": 1}, names, |n| 2 * n, out, office.box(7), 5ms, b"abc", [1, 2], r,
  ))
  "${out.recv()!} ${places}"
}
`)
	for _, maybe := range []any{nil, 5} {
		answer, err := inst.Call(t.Context(), "fill", maybe)
		require.NoError(t, err)
		require.Equal(t, "42 [Place(x: 3.0, y: 4.0), Place(x: 1.0, y: 2.0)]", answer)
		m := <-got
		require.Equal(t, Place{1, 2}, m.Place)
		require.Equal(t, []Place{{3, 4}}, m.Places)
		require.Equal(t, maybe == nil, m.Maybe == nil)
		require.Equal(t, map[string]int{"a": 1}, m.Counts)
		require.Equal(t, map[string]struct{}{"ada": {}}, m.Names)
		require.Equal(t, 7, m.Box.weight)
		require.Equal(t, 5*time.Millisecond, m.Wait)
		require.Equal(t, []byte("abc"), m.Bytes)
		require.Equal(t, []any{1, 2}, m.Any)
	}
}

// An actor in Go is given the addresses of actors of the script.
func TestAddressesToAnActorInGo(t *testing.T) {
	src := `
struct Listener { let name: str, let heard: chan<str>
  fn receive(text: str, ctx: actor.Context<str>) { self.heard.send("${self.name} ${text}") }
}
pub fn publish() -> [str] {
  let heard = chan<str>(10)
  let clerk = office.clerk()
  for name in ["a", "b"] { clerk.tell(Subscribe(actor.start(Listener(name, heard)))) }
  clerk.tell(Publish("news"))
  let all = [heard.recv()!, heard.recv()!]
  clerk.stop()
  clerk.join()
  while actor.list().len() > 0 { sleep(1ms) }     // nobody holds the listeners any more
  all.sort()
  all
}
`
	for _, opt := range []runnel.Option{runnel.WithWorkers(1), runnel.WithWorkers(4), runnel.WithSeed(3)} {
		inst := withClerk(t, nil, src, opt)
		heard, err := inst.Call(t.Context(), "publish")
		require.NoError(t, err)
		require.Equal(t, []any{"a news", "b news"}, heard)
	}
	m := runnel.NewModule("office", "")
	actor.Offer(m, actor.Native{Name: "clerk", New: func() process.Process { return &clerk{} }, Messages: []any{Subscribe{}}})
	_, err := runnel.MustNew(runnel.WithModules(m)).Compile("wrong.rnl", `
import actor
import office
struct Other { fn receive(n: int, ctx: actor.Context<int>) {} }
office.clerk().tell(Subscribe(actor.start(Other())))
`)
	require.ErrorContains(t, err, "must be `Actor<str>`, but this is `Other`")
}

// Order and its parts are messages of an actor of the script.
type (
	Line  struct{ Name string }
	Order struct {
		Lines []Line
		Notes map[string][]int
		Tip   *float64
		Kind  string
		Paid  runnel.Variant
		After time.Duration
		Raw   []byte
		Any   any
		Box   *Box
		To    *actor.Ref
		Reply *actor.Reply[string]
	}
)

func TestMessagesOfAllKindsFromGo(t *testing.T) {
	inst := withClerk(t, nil, `
struct Line { name: str }
enum Kind { Small, Large }
enum Paid { Cash(amount: int), Later }
enum Msg {
  Order(lines: [Line], notes: map<str, [int]>, tip: float?, kind: Kind, paid: Paid, after: duration, raw: bytes, any: any,
    box: office.Box, to: actor.Ref<str>, reply: actor.Reply<str>),
  Call(f: fn(int) -> int),
}
struct Shop { fn receive(msg: Msg, ctx: actor.Context<Msg>) {
  match msg {
    Order(lines, notes, tip, kind, paid, after, raw, any, _, to, reply) => {
      to.tell("ordered")
      reply.send("${lines} ${notes} ${tip} ${kind} ${paid} ${after} ${raw} ${any}")
    }
    Call(_) => {}
  }
} }
struct Bell { let heard: chan<str>
  fn receive(text: str, ctx: actor.Context<str>) { self.heard.send(text) }
}
let heard = chan<str>(10)
pub fn shop() -> actor.Ref<Msg> { actor.start(Shop()) }
pub fn bell() -> actor.Ref<str> { actor.start(Bell(heard)) }
pub fn next_heard() -> str { heard.recv()! }
`)
	ref := func(name string) *actor.Ref {
		f, err := runnel.Bind0[*actor.Ref](inst, name)
		require.NoError(t, err)
		r, err := f(t.Context())
		require.NoError(t, err)
		return r
	}
	shop, bell, tip := ref("shop"), ref("bell"), 1.5
	order := Order{
		Lines: []Line{{"tea"}}, Notes: map[string][]int{"a": {1, 2}}, Tip: &tip, Kind: "Large", Paid: variant("Cash", 3),
		After: time.Second, Raw: []byte("xy"), Any: "what", Box: &Box{1}, To: bell,
	}
	text, err := actor.Ask(t.Context(), shop, func(r *actor.Reply[string]) any { order.Reply = r; return order })
	require.NoError(t, err)
	require.Equal(t, `[Line(name: "tea")] {"a": [1, 2]} 1.5 Large Cash(amount: 3) 1s b"xy" what`, text)
	heard, err := inst.Call(t.Context(), "next_heard")
	require.NoError(t, err)
	require.Equal(t, "ordered", heard)

	order.Kind = "Huge"
	_, err = actor.Ask(t.Context(), shop, func(r *actor.Reply[string]) any { order.Reply = r; return order })
	require.ErrorContains(t, err, `Kind has no variant "Huge"`)
	order.Kind, order.To = "Small", shop
	_, err = actor.Ask(t.Context(), shop, func(r *actor.Reply[string]) any { order.Reply = r; return order })
	require.ErrorContains(t, err, "takes other messages than a Ref<str>")
	order.To = nil
	_, err = actor.Ask(t.Context(), shop, func(r *actor.Reply[string]) any { order.Reply = r; return order })
	require.ErrorContains(t, err, "a nil address was given")
	err = shop.Tell(t.Context(), variant("Call", func(n int) int { return n }))
	require.ErrorContains(t, err, "a Go function cannot be given to a script as a value: offer it in a module")
	require.True(t, shop.Alive())
}
