package runnel_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
)

var (
	million = flag.Bool("million", false, "run the tests of many tasks with a million of them")
	timing  = flag.Bool("timing", false, "hold times against their bounds: for a machine that does nothing else")
)

// starting compiles a program and makes an instance that prints into the buffer.
func starting(t *testing.T, src string, opts ...runnel.Option) (*runnel.Instance, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	start := time.Now()
	host := runnel.Host{Stdout: runnel.Output(&out), Mono: func() time.Duration { return time.Since(start) }}
	script := runneltest.Runner{Name: "tasks.rnl", Modules: all.Modules(), Host: host, Options: opts}
	return script.Compile(t, src).NewInstance(), &out
}

// finished runs a program to its end and gives what it printed.
func finished(t *testing.T, src string, opts ...runnel.Option) string {
	t.Helper()
	in, out := starting(t, src, opts...)
	defer in.Close()
	require.NoError(t, in.Run(t.Context()))
	return out.String()
}

// waiting leaves tasks that wait in every way.
const waiting = `import sync
let ch = chan<int>()
let m = mutex(0)
let held = chan<int>()
let slow = spawn { sleep(1h) }
spawn { lock m as v { held.send(1); sleep(1h); v += 1 } }
held.recv()
spawn { lock m as v { v += 1 } }
spawn { ch.recv() }
spawn { chan<int>().send(1) }
spawn { await slow }
spawn { select { ch.recv() => {}, after 1h => {} } }
spawn { timeout(1h, || ch.recv()) }
spawn { scope { spawn { sleep(1h) } } }
spawn { sync.semaphore(1).acquire(1); sync.latch(1).wait() }
spawn { var n = 0; loop { n += 1 } }
yield_now()
`

func TestNoGoroutineIsLeftAfterClose(t *testing.T) {
	ends := map[string]string{
		"at its end":     waiting + `print("end")`,
		"with an error":  waiting + `throw error("x")`,
		"when stopped":   waiting + `ch.recv()`,
		"when it loops":  waiting + `loop {}`,
		"in a deadlock":  `chan<int>().recv()`,
		"without tasks":  `print(1)`,
		"of many spawns": `await_all((0..2000).map(|i| spawn { yield_now(); i }))`,
	}
	schedules := map[string]runnel.Option{
		"1 worker": runnel.WithWorkers(1), "2 workers": runnel.WithWorkers(2), "8 workers": runnel.WithWorkers(8), "seed": runnel.WithSeed(3),
	}
	for name, src := range ends {
		for how, option := range schedules {
			if how == "seed" && strings.HasPrefix(src, waiting) {
				continue // one of the tasks computes for ever, and the clock is virtual
			}
			t.Run(name+", "+how, func(t *testing.T) {
				before := runtime.NumGoroutine()
				in, _ := starting(t, src, option)
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				begun := time.Now()
				_ = in.Run(ctx)
				in.Close()
				in.Close()
				assert.Less(t, time.Since(begun), 4*time.Second, "it does not take the whole grace time")
				cancel()
				assert.Zero(t, leaktest.Left(before), "goroutines left")
			})
		}
	}
}

func TestCloseWhileItRuns(t *testing.T) {
	for _, src := range []string{waiting + "ch.recv()", waiting + "loop {}", "sleep(1h)", "loop { await spawn { 1 } }"} {
		before := runtime.NumGoroutine()
		in, _ := starting(t, src, runnel.WithWorkers(2))
		done := make(chan error)
		go func() { done <- in.Run(context.Background()) }()
		time.Sleep(20 * time.Millisecond)
		in.Close()
		assert.Error(t, <-done, src)
		assert.Error(t, in.Run(t.Context()), "after it has been closed")
		assert.Zero(t, leaktest.Left(before), "goroutines left")
	}
}

func TestCloseBeforeItRuns(t *testing.T) {
	before := runtime.NumGoroutine()
	in, _ := starting(t, "print(1)", runnel.WithWorkers(2))
	in.Close()
	assert.Error(t, in.Run(t.Context()))
	assert.Zero(t, leaktest.Left(before))
}

// stamped notes when the line "end" was printed.
type stamped struct {
	lines int
	end   time.Time
}

func (s *stamped) Write(p []byte) (int, error) {
	s.lines += bytes.Count(p, []byte("defer\n"))
	if bytes.Contains(p, []byte("end\n")) {
		s.end = time.Now()
	}
	return len(p), nil
}

// bound asserts that a time is within its bound, which is thirty times wider on a
// machine that does other things too.
func bound(t *testing.T, limit, got time.Duration, what string) {
	t.Helper()
	t.Log(what, got)
	if !*timing {
		limit *= 30
	}
	assert.LessOrEqual(t, got, limit, what)
}

func TestShutdownOfParkedTasks(t *testing.T) {
	for name, wait := range map[string]string{
		"asleep": "sleep(1h)", "receiving": "ch.recv()", "sending": "ch.send(1)", "awaiting": "await slow", "locking": "lock m as v { v += 1 }",
		"selecting": "select { ch.recv() => {}, after 1h => {} }",
	} {
		t.Run(name, func(t *testing.T) {
			var out stamped
			src := fmt.Sprintf(`let ch = chan<int>()
let m = mutex(0)
let held = chan<int>()
let slow = spawn { lock m as v { held.send(1); sleep(1h); v += 1 } }
held.recv()
let begun = chan<int>(1000)
fn parked() {
  defer print("defer")
  begun.send(1)
  %s
}
for _ in 0..100000 { spawn parked() }
for _ in 0..100000 { begun.recv() }
print("end")`, wait)
			prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: runnel.Output(&out)}), runnel.WithWorkers(2)).Compile("parked.rnl", src)
			require.NoError(t, err)
			in := prog.NewInstance()
			require.NoError(t, in.Run(t.Context()))
			in.Close()
			bound(t, time.Second, time.Since(out.end), "shutdown of 100,000 tasks")
			assert.Equal(t, 100000, out.lines)
		})
	}
}

// many is the number of tasks alive at once in the tests of many tasks.
func many(t *testing.T) int {
	switch {
	case *million:
		return 1_000_000
	case testing.Short():
		return 10_000
	}
	return 100_000
}

func TestManyTasksAreAllWoken(t *testing.T) {
	n := many(t)
	sum := n * (n - 1) / 2
	for name, src := range map[string]string{
		"asleep": `let ts = (0..N).map(|i| spawn { sleep(2us * N); i })
print(await_all(ts).sum())`,
		"asleep for different times": `let ts = (0..N).map(|i| spawn { sleep(1us * (i * 7919 % (3 * N))); i })
print(await_all(ts).sum())`,
		"receiving from one channel": `let ch = chan<int>()
let ts = (0..N).map(|_i| spawn { ch.recv()! })
yield_now()
for i in 0..N { ch.send(i) }
print(await_all(ts).sum())`,
		"sending to one channel": `let ch = chan<int>()
for i in 0..N { spawn { ch.send(i) } }
var sum = 0
for _ in 0..N { sum += ch.recv()! }
print(sum)`,
		"awaiting one task": `let gate = chan<int>()
let one = spawn { gate.recv()! }
let ts = (0..N).map(|i| spawn { i * await one })
yield_now()
gate.send(1)
print(await_all(ts).sum())`,
		"awaiting each other": `let gate = chan<int>()
var last = spawn { gate.recv()! }
let ts: [task<int>] = []
for i in 0..N {
  let before = last
  last = spawn { await before + 1 }
  if i == N - 1 { ts.push(last) }
}
gate.send(0)
print(await ts[0] * (N - 1) / 2)`,
		"waiting for one lock": `let m = mutex(0)
let ts = lock m as v {
  let ts = (0..N).map(|i| spawn { lock m as w { w += i } })
  yield_now()
  v = 0
  ts
}
await_all(ts)
print(m.get())`,
		"closed": `let ch = chan<int>()
let ts = (0..N).map(|i| spawn { (ch.recv() ?? 1) * i })
yield_now()
ch.close()
print(await_all(ts).sum())`,
		"in a scope": `let m = mutex(0)
scope { for i in 0..N { spawn { yield_now(); lock m as v { v += i } } } }
print(m.get())`,
	} {
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, %d workers", name, workers), func(t *testing.T) {
				got := finished(t, strings.ReplaceAll(src, "N", fmt.Sprint(n)), runnel.WithWorkers(workers))
				assert.Equal(t, fmt.Sprintln(sum), got)
			})
		}
	}
}

// A task that spends its time in functions of the library sees that it is
// cancelled, whatever their arguments cost.
func TestTasksThatCallNativesAreCancelled(t *testing.T) {
	for _, n := range []int{10, 1000, 9_999, 19_999, 20_001, 300_000} {
		for _, work := range []string{"xs == ys", "xs.contains(-1)", `"${xs}"`, "xs.copy()", "xs.sort()", `text.replace("b", "dd")`, "xs.map(|x| x)"} {
			src := fmt.Sprintf(`let xs = (0..%d).to_list()
let ys = xs.copy()
let text = "abc".repeat(xs.len())
let t = spawn { loop { let _ = %s } }
sleep(1ms)
t.cancel()
try { await t } catch _e: TaskCancelled { print(text.len() / xs.len(), ys.len() - xs.len()) }`, n, work)
			for _, workers := range []int{1, 2} {
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				in, out := starting(t, src, runnel.WithWorkers(workers))
				require.NoError(t, in.Run(ctx), "%s of %d elements, %d workers", work, n, workers)
				assert.Equal(t, "3 0\n", out.String())
				in.Close()
				cancel()
			}
		}
	}
}

func TestSleepTakesNoTimeWithASeed(t *testing.T) {
	src := `import time
let start = time.mono()
let ts = (0..100).map(|i| spawn { sleep(1h * i); i })
sleep(1h)
print(time.mono() - start >= 1h, await_all(ts).sum())
print(try { timeout(10h, || { sleep(20h); 1 }) } catch _e: Timeout { 2 })`
	for seed := range uint64(20) {
		begun := time.Now()
		assert.Equal(t, "true 4950\n2\n", finished(t, src, runnel.WithSeed(seed)))
		assert.Less(t, time.Since(begun), time.Minute)
	}
}

// events collects what an observer hears, as text.
type events struct{ strings.Builder }

func (e *events) Event(ev vm.Event) { fmt.Fprintf(e, "%+v\n", ev) }

// mixed uses most operations, with choices that depend on the schedule.
const mixed = `import sync
let ch = chan<int>(2)
let out = chan<str>(1000)
let m = mutex([0])
let stop = chan<()>()
fn work(id: int) -> int {
  var n = id
  for i in 0..20 {
    select {
      ch.send(i) => { n += 1 }
      let v = ch.recv() => { n += v ?? 0 }
      after 3ms => { n += 100 }
    }
    lock m as xs { xs.push(n) }
    if n % 3 == 0 { yield_now() }
    if n % 7 == 0 { sleep(1ms * (n % 5)) }
  }
  out.send("${id} ends")
  n
}
let counter = sync.atomic(0)
let spinner = spawn { loop { counter.add(1); if counter.load() % 100 == 0 { yield_now() } } }
let ts = (0..8).map(|i| spawn work(i))
print(await_all(ts))
spinner.cancel()
print(race([|| { sleep(5ms); 1 }, || { yield_now(); 2 }, || if stop.recv() == none { 3 } else { 4 }]))
out.close()
for line in out { print(line) }
lock m as xs { print(xs) }
`

func TestOneSeedOneRun(t *testing.T) {
	different := map[string]bool{}
	for seed := range uint64(10) {
		var first, again events
		out := finished(t, mixed, runnel.WithSeed(seed), runnel.WithObserver(&first))
		require.Equal(t, out, finished(t, mixed, runnel.WithSeed(seed), runnel.WithObserver(&again)))
		require.Equal(t, first.String(), again.String())
		different[out] = true
	}
	assert.Greater(t, len(different), 3, "seeds make different runs")
}
