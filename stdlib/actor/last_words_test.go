package actor_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

var (
	lastActors = flag.Int("last-actors", 40, "how many actors end in each run of TestLastWordsAreWhole")
	lastRuns   = flag.Int("last-runs", longtest.Of(2, 20), "how many runs of it there are for each way to end")
)

// diary is what actors write from a host's functions as they end.
type diary struct {
	pause time.Duration
	mu    sync.Mutex
	taken map[int]int // messages handled by each actor
	begun map[int]bool
	done  map[int]int // the messages that its on_stop has told of
}

func (d *diary) begin(pause time.Duration) {
	d.pause = pause
	d.taken, d.begun, d.done = map[int]int{}, map[int]bool{}, map[int]int{}
}

func (d *diary) module() *runnel.Module {
	m := runnel.NewModule("diary", "")
	runnel.Func(m, "pause", func() time.Duration { return d.pause })
	runnel.Func(m, "take", func(id int) { d.mu.Lock(); defer d.mu.Unlock(); d.taken[id]++ })
	runnel.Func(m, "begin", func(id int) { d.mu.Lock(); defer d.mu.Unlock(); d.begun[id] = true })
	runnel.Func(m, "done", func(id, n int) { d.mu.Lock(); defer d.mu.Unlock(); d.done[id] = n })
	return m
}

const lastWords = `
import actor
import diary
enum Msg { Write(line: int), Know(other: actor.Ref<Msg>), Wait, End }
struct Journal { let id: int, let lines: [int] = [], others: [actor.Ref<Msg>] = []
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Write(line) => {
        diary.take(self.id)
        self.lines.push(line)
      }
      Know(other) => self.others.push(other)
      Wait => sleep(1h)
      End => ctx.stop()
    }
  }
  fn on_stop(ctx: actor.Context<Msg>, killed: bool) {
    diary.begin(self.id)
    sleep(1us * (self.id * 37 % 500))
    let ready = chan<int>()
    scope {
      spawn { ready.send(self.lines.len()) }
      let n = ready.recv()!
      yield_now()
      sleep(100us)
      diary.done(self.id, n)
    }
  }
}
fn work(actors: int, way: str) {
  let all = (0..actors).map(|id| actor.start(Journal(id)))
  for a in all { for n in 0..3 { a.tell(Write(n)) } }
  match way {
    "stopped" => { for a in all { a.stop() } }
    "killed" => for a in all { a.tell(Wait); a.kill() }
    "stopped, then killed" => for a in all { a.stop(); yield_now(); a.kill() }
    "dropped" => for i in 1..actors { all[i].tell(Know(all[i - 1])) }
    "ends itself" => for a in all { a.tell(End) }
    "supervised" => {
      let specs = (0..actors).map(|id| actor.spec(|| Journal(actors + id)))
      let boss = actor.supervise(specs.map(|s| s))
      for s in specs { s.ref().tell(Write(1)) }
      boss.stop()
    }
    _ => {}
  }
  sleep(diary.pause())
}
`

// lastWordsTime is how long a run may take for its actors to have had their five seconds.
const lastWordsTime = 4 * time.Second

// Actors that are ended in whatever way say in their on_stop what they have to say: it
// is cut by nothing but its own time.
func TestLastWordsAreWhole(t *testing.T) {
	for _, way := range []string{"left", "stopped", "killed", "stopped, then killed", "dropped", "ends itself", "supervised"} {
		for _, end := range []string{"the end", "Close", "a cancel", "a deadline"} {
			t.Run(way+" before "+end, func(t *testing.T) {
				t.Parallel()
				d := &diary{}
				for _, workers := range []int{1, 2} {
					rt := runnel.MustNew(runnel.WithModules(actor.Module, d.module()), runnel.WithWorkers(workers))
					last := "sleep(1h)"
					if end == "the end" {
						last = ""
					}
					prog, err := rt.Compile("words.rnl", fmt.Sprintf("%s\nfn main() { work(%d, %q); %s }\n", lastWords, *lastActors, way, last))
					require.NoError(t, err)
					for seed := range *lastRuns {
						lastWordsOf(t, prog, d, end, uint64(seed))
					}
					rt.Close()
				}
			})
		}
	}
}

func lastWordsOf(t *testing.T, prog *runnel.Program, d *diary, end string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	d.begin(time.Duration(r.IntN(3000)) * time.Microsecond)
	in := prog.NewInstance()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	after := time.Duration(r.IntN(5000)) * time.Microsecond
	switch end {
	case "Close":
		defer time.AfterFunc(after, in.Close).Stop()
	case "a cancel":
		defer time.AfterFunc(after, cancel).Stop()
	case "a deadline":
		ctx, cancel = context.WithTimeout(ctx, after)
		defer cancel()
	}
	begun := time.Now()
	_ = in.Run(ctx)
	in.Close()
	took := time.Since(begun)
	if took > lastWordsTime {
		t.Logf("seed %d: the machine had no time for this run, which took %v", seed, took)
		return
	}
	for _, e := range in.Unhandled() {
		require.Failf(t, "a failure", "seed %d, after %v: %s %v %s %v", seed, took, e.Kind, e, e.Actor, e.Trace)
	}
	for id := range d.begun {
		n, done := d.done[id]
		require.Truef(t, done, "seed %d, after %v: the on_stop of actor %d was cut", seed, took, id)
		require.Equalf(t, d.taken[id], n, "seed %d, after %v: what actor %d has written is lost", seed, took, id)
	}
	for id := range d.taken {
		require.Truef(t, d.begun[id], "seed %d, after %v: on_stop of actor %d was not called", seed, took, id)
	}
}
