package mutate

import (
	"context"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/stdlib/reactive"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What a host does with the actors and reactive values of a program, of which it
// finds the functions by their names.

// hosted is a program that offers its host all of that.
const hosted = `
import actor
import bell
import reactive

enum Msg { Add(by: int), Get(reply: actor.Reply<int>), Fail(text: str), Ask(text: str, whom: actor.Ref<Msg>) }
struct Counter { n: int = 0
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Add(by) => { self.n += by }
      Get(reply) => { reply.send(self.n) }
      Fail(text) => throw error(text)
      Ask(_, whom) => whom.tell(Msg.Add(1))
    }
  }
}
pub fn begin() -> actor.Ref<Msg> { actor.start(Counter(), name: "counter") }
pub fn ringer() -> actor.Ref<bell.Ringer> { bell.ringer(name: "ringer") }

pub let price = reactive.cell(2.5, name: "price")
pub let count = reactive.cell(4)
pub let name = reactive.cell("x")
pub let total = reactive.computed(|| price.get() * float(count.get()))
pub fn broken() { reactive.effect(|| if count.get() == 13 { throw error("unlucky") }, name: "guard") }

pub let docs = reactive.store()
let title = reactive.address("lib", "of:1", path: ["title"])
docs.set(title, "On lists")
`

// Ring and Ask are the messages of an actor in Go.
type (
	Ring struct{ Times int }
	Ask  struct{ Reply *actor.Reply[int] }
)

// ringer counts.
type ringer struct{ n int }

func (*ringer) Init(context.Context, string, any) error { return nil }

func (r *ringer) Step(events []process.Event, _ *process.StepOutput) error {
	for _, e := range events {
		switch m := e.Data.(type) {
		case Ring:
			r.n += m.Times
		case Ask:
			_ = m.Reply.Send(r.n) // nobody waits for it, if that fails
		}
	}
	return nil
}

func (*ringer) Close() {}

// hosting makes a Runtime with an actor in Go.
func hosting(opts ...runnel.Option) (*runnel.Runtime, error) {
	bell := runnel.NewModule("bell", "")
	actor.Offer(bell, actor.Native{
		Name: "ringer", New: func() process.Process { return &ringer{} }, Messages: []any{Ring{}, Ask{}},
	})
	modules := append([]*vm.Module{bell}, all.Modules()...)
	return runnel.New(append(opts, runnel.WithModules(modules...))...)
}

// Hosted compiles the program that Host is for.
func Hosted() ([]byte, error) {
	rt, err := hosting()
	if err != nil {
		return nil, err
	}
	p, err := rt.Compile("hosted.rnl", hosted)
	if err != nil {
		return nil, err
	}
	return p.Encode(), nil
}

// Host runs a program if the verifier accepts it, and does all with it that hosts
// do. No error matters; what matters is that the process is there afterwards. A
// program that is as it was compiled has no error.
func Host(p *bytecode.Program) (outcome string, err error) {
	most := limits
	most.Time, most.Steps, most.Memory = patience, 1_000_000, 32<<20
	rt, err := hosting(runnel.WithLimits(most), runnel.WithWorkers(2))
	if err != nil {
		return "", err
	}
	prog, err := rt.Decode(bytecode.Encode(p))
	if err != nil {
		return Refused, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	in, err := prog.Start(ctx)
	if err != nil {
		return Ran, err
	}
	defer in.Close()
	h := &host{in, ctx, nil}
	h.actors()
	h.ringer()
	h.reactive()
	h.store()
	return Ran, h.err
}

type host struct {
	in  *runnel.Instance
	ctx context.Context
	err error // the first
}

// try notes an error and reports whether there is none.
func (h *host) try(err error) bool {
	if h.err == nil {
		h.err = err
	}
	return err == nil
}

// bound calls a function that gives an address.
func (h *host) bound(name string) (r *actor.Ref) {
	f, err := runnel.Bind0[*actor.Ref](h.in, name)
	if h.try(err) {
		r, err = f(h.ctx)
		h.try(err)
	}
	return r
}

func (h *host) actors() {
	lost, err := actor.DeadLetters(h.in, 10)
	h.try(err)
	begun := h.bound("begin")
	named, err := actor.Find(h.in, "counter")
	h.try(err)
	numbered, err := actor.FindID(h.in, 1)
	h.try(err)
	for _, r := range []*actor.Ref{begun, named, numbered} {
		if r == nil {
			continue
		}
		h.try(r.Tell(h.ctx, runnel.Variant{Name: "Add", Values: []any{2}}))
		_, err = r.TryTell(runnel.Variant{Name: "Add", Values: []any{2}})
		h.try(err)
		h.try(r.Tell(h.ctx, runnel.Variant{Name: "Ask", Values: []any{"x", r}}))
		_, err = actor.Ask(h.ctx, r, func(reply *actor.Reply[int]) any {
			return runnel.Variant{Name: "Get", Values: []any{reply}}
		})
		h.try(err)
		h.try(r.Watch(func(actor.Exit) {}))
	}
	for _, r := range []*actor.Ref{begun, named} {
		if r != nil {
			_ = r.Tell(h.ctx, runnel.Variant{Name: "Fail", Values: []any{"told"}})
			_, err = r.Join(h.ctx)
			h.try(err)
			_ = r.Tell(h.ctx, runnel.Variant{Name: "Add", Values: []any{1}}) // a dead letter
			h.try(r.Kill())
			h.try(r.Stop())
			select {
			case <-r.Done():
			case <-h.ctx.Done():
			}
			r.Alive()
			r.Release()
		}
	}
	if lost != nil && h.err == nil {
		_, _, err = lost.Recv(h.ctx)
		h.try(err)
	}
}

func (h *host) ringer() {
	r := h.bound("ringer")
	if r == nil {
		return
	}
	h.try(r.Tell(h.ctx, Ring{3}))
	_, err := actor.Ask(h.ctx, r, func(reply *actor.Reply[int]) any { return Ask{reply} })
	h.try(err)
	h.try(r.Stop())
	_, err = r.Join(h.ctx)
	h.try(err)
}

func (h *host) reactive() {
	stop, err := reactive.OnError(h.in, func(reactive.Failure) {})
	if h.try(err) {
		defer stop()
	}
	price, count := cell(h, "price", 3.5), cell(h, "count", 13)
	cell(h, "name", "y")
	total, err := runnel.Get[*reactive.Value[float64]](h.in, "total")
	if h.try(err) {
		read(h, total)
	}
	if price != nil && count != nil {
		h.try(reactive.Batch(h.ctx, price.To(1), count.To(2)))
	}
	_, err = h.in.Call(h.ctx, "broken")
	h.try(err)
	if count != nil {
		h.try(count.Set(h.ctx, 13))
	}
	h.try(reactive.Idle(h.ctx, h.in))
}

func cell[T any](h *host, name string, x T) *reactive.Cell[T] {
	c, err := runnel.Get[*reactive.Cell[T]](h.in, name)
	if !h.try(err) {
		return nil
	}
	read(h, &c.Value)
	h.try(c.Set(h.ctx, x))
	_, err = c.Update(h.ctx, func(x T) T { return x })
	h.try(err)
	return c
}

func read[T any](h *host, v *reactive.Value[T]) {
	_, err := v.Get(h.ctx)
	h.try(err)
	_ = v.Name()
	stop, err := v.Subscribe(h.ctx, func(T) { panic("a subscriber of a host") })
	if h.try(err) {
		defer stop()
	}
	_, err = v.Values(h.ctx)
	h.try(err)
}

func (h *host) store() {
	docs, err := runnel.Get[*reactive.Store](h.in, "docs")
	if !h.try(err) {
		return
	}
	title := reactive.At("lib", "of:1", "title")
	stop, err := docs.Subscribe(h.ctx, title, func(any) {})
	if h.try(err) {
		defer stop()
	}
	h.try(docs.Set(h.ctx, title, "On maps"))
	_, err = docs.Get(h.ctx, title)
	h.try(err)
	h.try(docs.Remove(h.ctx, title))
	time.Sleep(time.Millisecond) // those who are told run beside
}
