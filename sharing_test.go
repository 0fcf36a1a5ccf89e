package runnel_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/fs"
	"github.com/runnel-lang/runnel/vm/host"
)

// instanceOf starts a script in a Runtime of its own.
func instanceOf(t testing.TB, src string, opts ...runnel.Option) *runnel.Instance {
	p, err := runnel.MustNew(opts...).Compile("main.rnl", src)
	require.NoError(t, err)
	in, err := p.Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(in.Close)
	return in
}

const ticker = "pub fn tick(n: int) -> int { for _ in 0..n { sleep(1ms) }; n }"

// ticks has an instance sleep so many times, which must not take ages.
func ticks(t testing.TB, in *runnel.Instance, n int) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick, err := runnel.Bind1[int, int](in, "tick")
	require.NoError(t, err)
	got, err := tick(ctx, n)
	require.NoError(t, err)
	require.Equal(t, n, got)
}

// A neighbour whose tasks never rest, whose natives do not return or whose world is
// stopped holds nobody up, though both share one worker.
func TestANeighbourHoldsUpNobody(t *testing.T) {
	for name, src := range map[string]string{
		"loops":   "let all = (0..20).map(|_| spawn { loop { } })",
		"spawns":  "let all = (0..4).map(|_| spawn { loop { await_all((0..100).map(|n| spawn { n })) } })",
		"natives": "import place\nlet all = (0..20).map(|_| spawn { place.stay(); loop { } })\npub fn more() -> int { place.stay() }",
	} {
		t.Run(name, func(t *testing.T) {
			stuck := make(chan bool)
			m := runnel.NewModule("place", "Where tasks get stuck.")
			runnel.Func(m, "stay", func() int { <-stuck; return 1 })
			opts := []runnel.Option{runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: 1})), runnel.WithModules(m), runnel.WithWorkers(3)}
			neighbour := instanceOf(t, src, opts...)
			other := instanceOf(t, ticker, opts...)
			ticks(t, other, 30)
			var called sync.WaitGroup
			if name == "natives" {
				called.Go(func() { neighbour.Call(t.Context(), "more") })
				ticks(t, other, 30)
			}
			neighbour.Stop()
			close(stuck)
			called.Wait()
		})
	}
}

// A neighbour whose host functions are stuck, whose pipes nobody writes to and who reads
// without end does not keep an instance from its files.
func TestIOOfANeighbourHoldsUpNobody(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600))
	stuck := make(chan bool)
	m := runnel.NewModule("place", "Where tasks get stuck.")
	runnel.Blocking(m, "stay", func() { <-stuck })
	opts := []runnel.Option{runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: 2})), runnel.WithModules(m, fs.Module),
		runnel.WithHost(host.System(nil))}
	neighbour := instanceOf(t, `import fs
import place
let stays = (0..2000).map(|_| spawn { place.stay() })
let reads = (0..300).map(|_| spawn { loop { fs.read("`+dir+`/file") } })`, opts...)
	other := instanceOf(t, `import fs
pub fn reads(n: int) -> int { (0..n).map(|_| fs.read("`+dir+`/file").len()).sum() }`, opts...)
	begun := time.Now()
	got, err := other.Call(t.Context(), "reads", 1000)
	require.NoError(t, err)
	require.Equal(t, 4000, got)
	require.Less(t, time.Since(begun), 30*time.Second)
	t.Logf("1,000 reads took %v", time.Since(begun))
	close(stuck)
	neighbour.Stop()
}

// While an instance's memory is counted, which stops its tasks, others go on.
func TestAStoppedWorldHoldsUpNobody(t *testing.T) {
	r := runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: 1}))
	large := instanceOf(t, "let all = (0..200_000).map(|n| [n])\nlet t = spawn { loop { } }", r)
	other := instanceOf(t, ticker, r)
	ends, end := context.WithCancel(t.Context())
	var looks sync.WaitGroup
	for range 2 {
		looks.Go(func() {
			for ends.Err() == nil {
				large.Usage()
			}
		})
	}
	ticks(t, other, longtest.Of(20, 1000))
	end()
	looks.Wait()
}

// Natives of one instance that call another, which calls the first again, all end, however
// many there are beside the workers.
func TestInstancesCallEachOther(t *testing.T) {
	for _, n := range []int{1, 2, 8} {
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprint(n, " on ", workers), func(t *testing.T) {
				var a, b *runnel.Instance
				m := runnel.NewModule("peer", "The other instance.")
				call := func(in **runnel.Instance, name string) func(context.Context, int) (int, error) {
					return func(ctx context.Context, n int) (int, error) {
						f, err := runnel.Bind1[int, int](*in, name)
						if err != nil {
							return 0, err
						}
						return f(ctx, n)
					}
				}
				runnel.Func(m, "first", call(&a, "inner"))
				runnel.Func(m, "second", call(&b, "middle"))
				opts := []runnel.Option{runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: workers})),
					runnel.WithModules(m), runnel.WithWorkers(max(2, n))}
				a = instanceOf(t, `
import peer
pub fn inner(n: int) -> int { sleep(1ms); n + 1 }
pub fn outer(n: int) -> int { await_all((0..n).map(|i| spawn peer.second(i))).sum() }
`, opts...)
				b = instanceOf(t, `
import peer
pub fn middle(n: int) -> int { sleep(1ms); let t = spawn peer.first(n); sleep(1ms); (await t) * 2 }
`, opts...)
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				outer, err := runnel.Bind1[int, int](a, "outer")
				require.NoError(t, err)
				got, err := outer(ctx, n)
				require.NoError(t, err)
				require.Equal(t, n*(n+1), got)
			})
		}
	}
}

// What instances hand on to each other does not carry the time limit of one to another.
func TestTimeLimitsAreAnInstancesOwn(t *testing.T) {
	reactor := runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: 1}))
	const limit = 20 * time.Millisecond
	short := instanceOf(t, "spawn { while true { sleep(1ms) } }\npub fn f() { }", reactor, runnel.WithLimits(runnel.Limits{Time: limit}))
	long := instanceOf(t, "pub fn f() { var n = 0; while n < 1_000_000 { n = n + 1 } }", reactor)
	for range 20 {
		_, err := short.Call(t.Context(), "f")
		require.NoError(t, err)
		time.Sleep(limit + time.Millisecond)
		_, err = long.Call(t.Context(), "f")
		require.NoError(t, err)
	}
}

// Instances that sleep have no goroutine, and are small. What else the process does to its
// heap meanwhile counts too: the least of a few measures is near the truth.
func TestIdleInstances(t *testing.T) {
	p, err := runnel.MustNew().Compile("main.rnl", "let t = spawn { sleep(1h) }")
	require.NoError(t, err)
	least := math.MaxInt
	for range 5 {
		least = min(least, sizeOfIdle(t, p))
	}
	require.LessOrEqual(t, least, maxIdleInstance)
}

// sizeOfIdle is how many bytes of the heap each of many instances takes.
func sizeOfIdle(t *testing.T, p *runnel.Program) int {
	const n = 2000
	var before, after runtime.MemStats
	goroutines := runtime.NumGoroutine()
	for range 3 { // what was there before is gone
		runtime.GC()
	}
	runtime.ReadMemStats(&before)
	list := make([]*runnel.Instance, n)
	for i := range list {
		in, err := p.Start(t.Context())
		require.NoError(t, err)
		list[i] = in
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+3 }, 10*time.Second, time.Millisecond)
	runtime.GC()
	runtime.ReadMemStats(&after)
	for _, in := range list {
		in.Close()
	}
	return int(after.HeapAlloc-before.HeapAlloc) / n
}

// maxIdleInstance is what an instance with one sleeping task takes, in bytes.
const maxIdleInstance = 3600

// An instance has as many shares as its weight says.
func TestWeights(t *testing.T) {
	r := runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: 1}))
	const src = "let t = spawn { loop { } }"
	light, heavy := instanceOf(t, src, r), instanceOf(t, src, r, runnel.WithWeight(8))
	require.Eventually(t, func() bool {
		few, many := light.Usage().Steps, heavy.Usage().Steps
		return few > 0 && many > 3*few
	}, 20*time.Second, 20*time.Millisecond)
	for _, n := range []int{-1, 1001} {
		_, err := runnel.New(runnel.WithWeight(n))
		require.ErrorContains(t, err, "WithWeight is")
	}
}

// What a host computed while nobody else wanted the worker is not held against it.
func TestTimeAloneIsNotOwed(t *testing.T) {
	r := runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: 1}))
	const src = `
pub fn work(n: int) -> int { var x = 0; for i in 0..n { x = (x * 31 + i) % 1_000_003 }; x }
pub fn begin() { spawn { loop { } } }
`
	early, late := instanceOf(t, src, r), instanceOf(t, src, r)
	work, err := runnel.Bind1[int, int](early, "work")
	require.NoError(t, err)
	call := func() {
		_, err := work(t.Context(), 300_000)
		require.NoError(t, err)
	}
	begun := time.Now()
	for time.Since(begun) < time.Second {
		call()
	}
	_, err = late.Call(t.Context(), "begin")
	require.NoError(t, err)
	begun = time.Now()
	call()
	require.Less(t, time.Since(begun), 300*time.Millisecond)
}

// The time that instances had is no more than there was, also when a call takes the worker
// from a native that made it.
func TestTimeOfCallsInsideOfCalls(t *testing.T) {
	var in *runnel.Instance
	m := runnel.NewModule("again", "Calls the script.")
	runnel.Func(m, "again", func(ctx context.Context) (int, error) {
		spin, err := runnel.Bind0[int](in, "spin")
		if err != nil {
			return 0, err
		}
		return spin(ctx)
	})
	rt := runnel.MustNew(runnel.WithModules(m), runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: 1})))
	defer rt.Close()
	p, err := rt.Compile("main.rnl", `
import again
pub fn spin() -> int { for _ in 0..300_000 { }; 1 }
pub fn run() -> int { await spawn again.again() }
`)
	require.NoError(t, err)
	begun := time.Now()
	in, err = p.Start(t.Context())
	require.NoError(t, err)
	time.Sleep(20 * time.Millisecond) // which is not the time of a visit
	for range 50 {
		_, err = in.Call(t.Context(), "run")
		require.NoError(t, err)
	}
	require.Less(t, rt.Metrics().Time, time.Since(begun).Seconds())
}

// While a neighbour is in an instruction that takes long, others go on.
func TestALongInstructionHoldsUpNobody(t *testing.T) {
	for name, src := range map[string]string{
		"map":   "pub fn run() { let m = {0: 0}; for i in 0..6_000_000 { m[i] = i } }",
		"texts": `pub fn run() { let a = "x".repeat(100_000_000); let b = "x".repeat(100_000_000); for _ in 0..50 { if a != b { return } } }`,
	} {
		t.Run(name, func(t *testing.T) {
			r := runnel.WithReactor(runnel.NewReactor(runnel.ReactorOptions{Workers: 1}))
			long, other := instanceOf(t, src, r), instanceOf(t, ticker, r)
			var late, machine []time.Duration
			for range 3 { // the machine may have other work
				late, machine = ticksBeside(t, other, func() { long.Call(t.Context(), "run") })
				if slices.Max(late) < slices.Max(machine)+100*time.Millisecond && median(late) < median(machine)+3*time.Millisecond {
					return
				}
			}
			t.Errorf("at most %v and %v, usually %v and %v", slices.Max(late), slices.Max(machine), median(late), median(machine))
		})
	}
}

// ticksBeside tells how long ticks of an instance take beside something, and the same in Go.
func ticksBeside(t *testing.T, in *runnel.Instance, long func()) (late, machine []time.Duration) {
	tick, err := runnel.Bind1[int, int](in, "tick")
	require.NoError(t, err)
	done := make(chan bool)
	go func() {
		defer close(done)
		long()
	}()
	for {
		begun := time.Now()
		_, err := tick(t.Context(), 1)
		require.NoError(t, err)
		late = append(late, time.Since(begun))
		begun = time.Now()
		time.Sleep(time.Millisecond)
		machine = append(machine, time.Since(begun))
		select {
		case <-done:
			return late, machine
		default:
		}
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
