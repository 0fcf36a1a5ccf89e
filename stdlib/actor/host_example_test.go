package actor_test

import (
	"context"
	"fmt"
	"log"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func start(script string, modules ...*runnel.Module) *runnel.Instance {
	rt, err := runnel.New(runnel.WithModules(append(modules, actor.Module)...))
	check(err)
	prog, err := rt.Compile("script.rnl", script)
	check(err)
	inst, err := prog.Start(context.Background())
	check(err)
	return inst
}

// Messages of the bank, as its script declares them.
type (
	Deposit struct{ Amount int }
	Balance struct{ Reply *actor.Reply[int] }
)

// A host tells and asks an actor of a script, and waits for its end.
func ExampleAsk() {
	ctx, inst := context.Background(), start(`
		import actor
		enum Msg { Deposit(amount: int), Balance(reply: actor.Reply<int>) }
		struct Bank { n: int = 0
		  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
		    match msg {
		      Deposit(amount) => { self.n += amount }
		      Balance(reply) => { reply.send(self.n) }
		    }
		  }
		}
		pub fn open() -> actor.Ref<Msg> { actor.start(Bank(), name: "bank") }
	`)
	defer inst.Close()
	open, err := runnel.Bind0[*actor.Ref](inst, "open")
	check(err)
	bank, err := open(ctx)
	check(err)
	defer bank.Release()

	check(bank.Tell(ctx, Deposit{Amount: 5}))
	check(bank.Tell(ctx, Deposit{Amount: 2}))
	n, err := actor.Ask(ctx, bank, func(r *actor.Reply[int]) any { return Balance{r} })
	check(err)
	fmt.Println(n)
	check(bank.Stop())
	exit, err := bank.Join(ctx)
	check(err)
	fmt.Println(exit.Name, exit.Killed, exit.Err)
	fmt.Println(bank.Tell(ctx, Deposit{Amount: 1}))
	// Output:
	// 7
	// bank false <nil>
	// actor: bank#1: the actor has ended
}

// Messages of the board.
type (
	Follow struct{ Who actor.RefTo[string] }
	Post   struct{ Text string }
	Posts  struct{ Reply *actor.Reply[int] }
)

// board is a state machine: it is stepped with messages, and never waits.
type board struct {
	followers []actor.RefTo[string]
	posts     int
}

func (b *board) Init(context.Context, string, any) error { return nil }
func (b *board) Close()                                  {}

func (b *board) Step(events []process.Event, _ *process.StepOutput) error {
	for _, e := range events {
		switch m := e.Data.(type) {
		case Follow:
			b.followers = append(b.followers, m.Who)
		case Post:
			b.posts++
			for _, f := range b.followers {
				if _, err := f.TryTell(m.Text); err != nil {
					return err
				}
			}
		case Posts:
			_ = m.Reply.Send(b.posts) // an error: who asks has gone
		}
	}
	return nil
}

// An actor written in Go is for scripts as any other.
func ExampleOffer() {
	town := runnel.NewModule("town", "")
	actor.Offer(town, actor.Native{
		Name:     "board",
		New:      func() process.Process { return &board{} },
		Messages: []any{Follow{}, Post{}, Posts{}},
	})
	inst := start(`
		import actor
		import town
		struct Reader { let heard: chan<str>
		  fn receive(text: str, ctx: actor.Context<str>) { self.heard.send(text) }
		}
		pub fn main_square() -> str {
		  let heard = chan<str>(10)
		  let board = town.board(name: "main square")
		  board.tell(Follow(actor.start(Reader(heard))))
		  board.tell(Post("market on Friday"))
		  "${heard.recv()!}, ${board.ask(town.Board.Posts)}"
		}
	`, town)
	defer inst.Close()
	fmt.Println(inst.Call(context.Background(), "main_square"))
	// Output: market on Friday, 1 <nil>
}

// A host dispatches to a deterministic system and takes what comes out of it.
func Example_system() {
	ctx, inst := context.Background(), start(`
		import actor
		enum Msg { Inc, Count(n: int) }
		struct Counter { n: int = 0
		  fn handle(msg: Msg, ctx: actor.SystemContext<Msg>) -> [actor.Action<Msg>]? {
		    self.n += 1
		    [Send(ctx.output(), Count(self.n))]
		  }
		}
		let sys = actor.system<Msg>(actor.sync_type("Counter", |_, _| Counter()))
		pub fn dispatch(msg: Msg) { sys.dispatch(msg) }
		pub fn next() -> Msg? { sys.outputs().next() }
		pub fn stop() { sys.stop() }
	`)
	defer inst.Close()
	dispatch, err := runnel.Bind1[runnel.Variant, runnel.None](inst, "dispatch")
	check(err)
	next, err := runnel.Bind0[*runnel.Variant](inst, "next")
	check(err)
	for range 2 {
		_, err = dispatch(ctx, runnel.Variant{Name: "Inc"})
		check(err)
	}
	_, err = inst.Call(ctx, "stop")
	check(err)
	for {
		msg, err := next(ctx)
		check(err)
		if msg == nil { // it has ended, and all is taken
			return
		}
		fmt.Println(msg.Name, msg.Values)
	}
	// Output:
	// Count [1]
	// Count [2]
}
