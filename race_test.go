package runnel_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// raceRun runs a program while looking for races; the instance still lives.
func raceRun(t *testing.T, seed uint64, src string) (in *runnel.Instance, out string) {
	t.Helper()
	var b bytes.Buffer
	host := host.Host{Stdout: &b, Stderr: &b}
	p, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host), runnel.WithRace(), runnel.WithSeed(seed)).Compile("a.rnl", src)
	require.NoError(t, err)
	in = p.NewInstance()
	t.Cleanup(in.Close)
	require.NoError(t, in.Run(context.Background()))
	return in, b.String()
}

func TestARunThatLooksForRacesForgetsGarbage(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	in, out := raceRun(t, 1, `
struct P { n: int = 0, xs: [int] = [] }
let m = mutex(P())
let c = chan<P>(2)
let own = P()
fn churn(n: int, c: chan<P>) {
  for i in 0..n {
    let p = P(n: i)
    p.n += 1
    p.xs.push(i)
    if i % 1000 == 0 {
      lock m as v { v.n += p.n; v.xs.push(i) }
      c.send(p)
    }
  }
}
let ts = [spawn churn(100000, c), spawn churn(100000, c)]
var sum = 0
for i in 0..200 { let p = c.recv()!; p.n += 1; own.n += p.n; sum += p.xs[0] }
for t in ts { await t }
lock m as v { print(v.n, v.xs.len(), own.n, sum) }
`)
	require.Equal(t, "9900200 200 9900400 9900000\n", out)
	require.Empty(t, in.Races())
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20, int64(40), "MiB; to remember all objects takes 65")
	runtime.KeepAlive(in)
}

func TestRacesAreReplayedFromTheirSeed(t *testing.T) {
	const src = `
struct Counter { hits: int = 0, names: [str] = [] }
let c = Counter()
let ts: [task<()>] = []
for i in 0..5 {
  ts.push(spawn {
    c.hits += i
    if c.hits % 2 == 0 { c.names.push("${i}") }
  })
}
for t in ts { await t }
print(c)
`
	outputs := map[string]bool{}
	for seed := range uint64(20) {
		in, out := raceRun(t, seed, src)
		first := fmt.Sprint(in.Races()) + out
		require.NotEmpty(t, in.Races())
		for range 3 {
			in, out := raceRun(t, seed, src)
			require.Equal(t, first, fmt.Sprint(in.Races())+out)
		}
		outputs[out] = true
	}
	require.Greater(t, len(outputs), 1, "seeds make a difference")
}

// A host's calls come one after the other, and know what tasks left behind.
func TestCallsOfAHostAreOrdered(t *testing.T) {
	var b bytes.Buffer
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host.Host{Stdout: &b, Stderr: &b}), runnel.WithRace(), runnel.WithTests())
	p, err := rt.Compile("a.rnl", `
struct C { n: int = 0 }
let c = C()
c.n = 1
struct Bad { c: C; fn message() -> str { "bad ${self.c.n}" } }
test "a" { c.n += 1 }
test "b" { c.n += 1; spawn { let bad = C(n: 2); throw Bad(bad) }; sleep(1s) }
`)
	require.NoError(t, err)
	in := p.NewInstance()
	defer in.Close()
	require.NoError(t, in.Run(context.Background()))
	require.NoError(t, in.RunTest(context.Background(), 0))
	require.NoError(t, in.RunTest(context.Background(), 1))
	errs := in.Unhandled()
	require.Len(t, errs, 1)
	require.Contains(t, errs[0].Error(), "bad 2")
	require.Empty(t, in.Races())
}
