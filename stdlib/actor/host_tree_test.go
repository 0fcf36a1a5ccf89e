package actor_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/vm"
)

const shopScript = `import actor
enum Msg { Reserve(item: str), Crash, Long, Done(reply: actor.Reply<bool>) }
struct Stock { let items: map<str, int> = {"apple": 3}
  fn receive(m: Msg, ctx: actor.Context<Msg>) {
    match m {
      Reserve(i) => { self.items[i] = (self.items.get(i) ?? 0) - 1 }
      Crash => throw error("no apples")
      Long => sleep(1h)
      Done(reply) => { reply.send(true) }
    }
  }
}
let stock = actor.spec(|| Stock(), name: "stock")
let other = actor.spec(|| Stock(), name: "other")
let down = actor.spec(|| Stock(), name: "down", backoff: actor.Backoff(initial: 1h, max: 1h))
let shop = actor.supervise([other, actor.branch([stock, down], name: "store")], name: "shop")
let free = actor.start(Stock(), name: "free")
shop.children()
stock.ref().tell(Crash)
stock.ref().tell(Reserve("apple"))
stock.ref().ask(Msg.Done)
down.ref().tell(Crash)
free.tell(Long)
free.tell(Reserve("pear"))
while !actor.inspect(free).doing.starts_with("sleeps") || actor.inspect(down.ref()).info.state != actor.State.Down { yield_now() }
`

// A host sees who supervises whom, how all stand, and what they hold.
func TestTheTreeOfActors(t *testing.T) {
	in := withActors(t, shopScript)
	roots, err := actor.Tree(in)
	require.NoError(t, err)
	var lines []string
	var list func(depth int, nodes []*actor.Node)
	list = func(depth int, nodes []*actor.Node) {
		for _, n := range nodes {
			lines = append(lines, fmt.Sprint(strings.Repeat(" ", depth), n.Name, " ", n.Type, " ", n.Queued, " ", n.Restarts, " ", n.Err))
			list(depth+1, n.Children)
		}
	}
	list(0, roots)
	assert.Equal(t, []string{"shop Supervisor 0 0 ", " other Stock 0 0 ", " store Supervisor 0 0 ", "  stock Stock 0 1 no apples", "  down  0 0 no apples", "free Stock 1 0 "}, lines)
	assert.Equal(t, "Down", roots[0].Children[1].Children[1].State)
	assert.Equal(t, roots[0].Children[1].ID, roots[0].Children[1].Children[0].Supervisor)

	free, err := actor.Find(in, "free")
	require.NoError(t, err)
	look, err := free.Inspect(1000)
	require.NoError(t, err)
	assert.Equal(t, actor.Inspection{
		Info:  actor.Info{ID: free.ID(), Name: "free", Type: "Stock", State: "Busy", Queued: 1},
		Value: `Stock(items: {"apple": 3})`, Handling: "Long", Doing: look.Doing,
	}, look)
	assert.Contains(t, look.Doing, "sleeps at ")
	look, err = free.Inspect(8)
	require.NoError(t, err)
	assert.Equal(t, "Stock(it...", look.Value)

	text, err := actor.TreeText(in, 40)
	require.NoError(t, err)
	assert.Contains(t, text, "shop#5 Supervisor: idle")
	assert.Contains(t, text, "\n    stock#1 Stock: idle, 1 restart, after no apples  Stock(items: {\"apple\": 2})\n")
	assert.Contains(t, text, "\nfree#6 Stock: busy, 1 queued  Stock(items: {\"apple\": 3})")

	require.NoError(t, free.Kill())
	_, err = free.Join(t.Context())
	require.NoError(t, err)
	look, err = free.Inspect(1000)
	require.NoError(t, err)
	assert.Equal(t, actor.Inspection{Info: actor.Info{ID: free.ID(), Name: "free", State: "Stopping"}}, look)
	in.Close()
	_, err = actor.Tree(in)
	require.ErrorIs(t, err, runnel.ErrClosed)

	bare := withModule(t, actor.Module, "let x = 1")
	_, err = actor.Tree(bare)
	require.ErrorIs(t, err, actor.ErrNoActors)
}

// Actors are looked at while they change what they hold, crash, start and end.
func TestTheTreeOfActorsThatRun(t *testing.T) {
	in := withActors(t, `import actor
enum Msg { Put(n: int), Crash }
struct Keeper { let all: map<int, [str]> = map<int, [str]>(), let more: [any] = []
  fn receive(m: Msg, ctx: actor.Context<Msg>) {
    match m {
      Put(n) => {
        self.all[n % 50] = ["${n}"].repeat(n % 7)
        self.more.push(self.all)
        if self.more.len() > 20 { self.more.clear() }
        if n % 97 == 0 { self.all.clear() }
      }
      Crash => throw error("again")
    }
  }
}
let specs = (0..10).map(|_| actor.spec(|| Keeper()))
let sup = actor.supervise(specs.map(|s| s), max_restarts: 1 << 40)
pub fn work(from: int) {
  for n in from..from + 2000 {
    specs[n % 10].ref().tell(Put(n))
    if n % 199 == 0 { specs[n % 10].ref().tell(Crash) }
    if n % 50 == 0 { actor.start(Keeper()).tell(Put(n)) }
  }
}
pub fn stop() { sup.stop(); sup.join() }
`, runnel.WithWorkers(2), runnel.WithUnhandled(func(e *vm.Error) { t.Error(e) }))
	require.Eventually(t, func() bool { // a supervisor begins in its own time
		text, err := actor.TreeText(in, 0)
		return err == nil && strings.Contains(text, "supervisor#")
	}, time.Minute, time.Millisecond)
	var over atomic.Bool
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for k := 0; k < 20 || !over.Load() && k < 1000; k++ {
				roots, err := actor.Tree(in)
				if !assert.NoError(t, err) || !assert.NotEmpty(t, roots) {
					return
				}
				text, err := actor.TreeText(in, 500*i)
				if !assert.NoError(t, err) || !assert.Contains(t, text, "supervisor#") {
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	for n := range 10 {
		_, err := in.Call(t.Context(), "work", n*2000)
		require.NoError(t, err)
	}
	over.Store(true)
	wg.Wait()
	_, err := in.Call(t.Context(), "stop")
	require.NoError(t, err)
}
