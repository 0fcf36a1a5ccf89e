package runnel_test

import (
	"context"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// What earlier entries have left running takes values of types that came later.
func TestEntriesFromManySides(t *testing.T) {
	before := runtime.NumGoroutine()
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: io.Discard}), runnel.WithWorkers(4),
		runnel.WithLimits(runnel.Limits{Memory: 256 << 20}))
	s, err := rt.NewSession()
	require.NoError(t, err)
	eval := func(src string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		res, err := s.Eval(ctx, "entry", src)
		if err != nil {
			return "", err
		}
		return res.Text, nil
	}
	_, err = eval(`import actor
import reactive
import sync
import time
interface Job { fn run() -> int }
struct Keeper { seen: [any]
  fn receive(m: any, ctx: actor.Context<any>) { self.seen.push(m) }
}
let keeper = actor.start(Keeper([]))
let jobs = chan<Job>(4)
let sums = sync.atomic(0)
let workers = (0..4).map(|_| spawn {
  for j in jobs {
    defer sums.add(1)
    try { sums.add(j.run() - 1) } catch e { sums.add(-1000000) }
  }
})
let cell = reactive.cell<any>(0)
let told = chan<str>(1000)
reactive.effect(|| { told.send("${cell.get()}") })
let churn = spawn { loop { let l = (0..100).map(|i| "${i}"); if l.len() == 7 { break }; yield_now() } }
let sleeper = spawn { loop { sleep(1ms) } }
fn apply<T>(f: fn(T) -> T, x: T) -> T { f(x) }`)
	require.NoError(t, err)
	const sides, each = 4, 12
	var wg sync.WaitGroup
	for side := range sides {
		wg.Go(func() {
			for i := range each {
				n := strconv.Itoa(side*each + i)
				got, err := eval(strings.ReplaceAll(`struct S# { n: int, l: [str]
  fn run() -> int { let l = self.l.map(|x| x.len()); defer l.push(1); l.sum() + self.n }
}
enum E# { A(S#), B(any) }
jobs.send(S#(1, ["a"]))
keeper.tell(E#.A(S#(2, [])))
reactive.batch(|| cell.set(S#(3, ["b"])))
let here# = apply(|e: E#| E#.B(e), E#.B(4))
try { "${[0][S#(9, []).n]}" } catch e { "${here#} ${e.message()}" }`, "#", n))
				if err != nil || !strings.HasPrefix(got, `"B(B(4)) index 9`) {
					t.Errorf("%s: %q %v", n, got, err)
					return
				}
				s.Usage()
				s.Tasks()
				_, _ = s.TypeOf("S" + n + "(1, [])")
				s.Complete("S", 1)
				_, _ = eval("let bad = [0][7]")
			}
		})
	}
	wg.Wait()
	got, err := eval("jobs.close()\nawait_all(workers)\nsums.load()")
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(2*sides*each), got)
	s.Close()
	rt.Close()
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, time.Minute, time.Millisecond)
}

func TestManyEntries(t *testing.T) {
	s := newSession(t, runnel.WithWorkers(2))
	s.enter("interface Area { fn area() -> int }\ninterface Far { fn far() -> int }\nfn of(x: any) -> int { if x is Area { x.area() } else if x is Far { 0 } else { -1 } }")
	const entries = 500
	var took []time.Duration // of processors
	for i := range entries {
		n := strconv.Itoa(i)
		from := linear.Used()
		got := s.enter("struct S" + n + " { n: int\n fn area() -> int { self.n } }\nlet v" + n + " = [S" + n + "(" + n + ")].map(|x| [of(x)])\nv" + n + "[0][0]")
		require.Equal(t, n+": int", got)
		took = append(took, linear.Used()-from)
	}
	slices.Sort(took[entries-100:])
	require.Less(t, took[entries-50], 50*time.Millisecond)
}

// What only programs of before have refer to is given back.
func TestASessionKeepsNoOldPrograms(t *testing.T) {
	s := newSession(t, runnel.WithWorkers(2))
	s.enter("let stopped = chan<bool>()\nlet waits = spawn { stopped.recv() }\nlet works = spawn { loop { sleep(1ms) } }")
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	grown := func(entries int) uint64 {
		before := heap()
		for range entries {
			require.Equal(t, "2: int", s.enter("[1].map(|x| x + 1)[0]"))
		}
		return max(heap(), before) - before
	}
	grown(300)
	require.Less(t, grown(200)/200, uint64(60_000), "bytes for an entry")
}
