//go:build unix

package runnel_test

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// delays reads the durations in nanoseconds that a program printed, a line each.
func delays(t *testing.T, out string) []time.Duration {
	t.Helper()
	var all []time.Duration
	for line := range strings.Lines(out) {
		var ns int64
		_, err := fmt.Sscan(line, &ns)
		require.NoError(t, err, line)
		all = append(all, time.Duration(ns))
	}
	slices.Sort(all)
	return all
}

// within asserts that all but few of the sorted delays are below a bound; on a
// machine that does other things too, half of them.
func within(t *testing.T, limit time.Duration, all []time.Duration, perThousand int) {
	t.Helper()
	at := func(k int) time.Duration { return all[min(len(all)-1, len(all)*k/1000)] }
	t.Logf("%d samples: median %v, 99 %% %v, 99.9 %% %v, all %v", len(all), at(500), at(990), at(999), all[len(all)-1])
	if !*timing {
		perThousand = 500
	}
	bound(t, limit, at(perThousand), fmt.Sprint(float64(perThousand)/10, " % are below"))
}

// samples of a test of delays: many when they are to be trusted.
func samples() int {
	switch {
	case *timing:
		return 3000
	case testing.Short():
		return 50
	}
	return 200
}

// starving keeps each worker busy with what takes no turns by itself.
var starving = map[string]string{
	"loops":     "spawn { var n = 0; loop { n += 1 } }",
	"recursion": "spawn { loop { let _ = fib(25) } }",
	"sorts":     "spawn { let xs = (0..1_000_000).to_list(); loop { xs.reverse(); xs.sort() } }",
	"compares":  "spawn { let xs = (0..1_000_000).to_list(); let ys = xs.copy(); loop { let _ = xs == ys } }",
	"prints":    "spawn { let xs = (0..1_000_000).to_list(); loop { let _ = \"${xs}\" } }",
	"encodes":   "spawn { let xs = (0..1_000_000).to_list(); loop { let _ = json.encode(xs) } }",
	"replaces":  "spawn { let s = \"abc\".repeat(1_000_000); loop { let _ = s.replace(\"b\", \"dd\") } }",
	"spawns":    "spawn { loop { await spawn fib(3) } }",
	"ping-pong": "spawn { let a = chan<int>(); spawn { for x in a { let _ = x } }; loop { a.send(1) } }",
}

func TestBusyTasksDoNotKeepOthersFromRunning(t *testing.T) {
	for name, busy := range longtest.SampleOf(starving, 3) {
		t.Run(name, func(t *testing.T) {
			src := fmt.Sprintf(`import json
import time
fn fib(n: int) -> int { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
let delays = mutex([0s])
let woken = chan<duration>()
let listener = spawn { for sent in woken { let d = time.mono() - sent; lock delays as ds { ds.push(d) } } }
for _ in 0..2 { %s }
sleep(50ms)
for _ in 0..%d {
  let spawned = time.mono()
  spawn { let d = time.mono() - spawned; lock delays as ds { ds.push(d) } }
  sleep(1ms)
  woken.send(time.mono())
}

for d in lock delays as ds { ds.copy() } { print(int(d)) }`, busy, samples())
			all := delays(t, finished(t, src, runnel.WithWorkers(2)))
			within(t, 20*time.Millisecond, all, 999)
		})
	}
}

// processorTime used by this process.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestIdleProgramsUseNoProcessor(t *testing.T) {
	idle := time.Second
	if *timing {
		idle = 5 * time.Second
	}
	for _, workers := range []int{1, 2, 8} {
		in, _ := starting(t, fmt.Sprintf(`let ch = chan<int>()
let m = mutex(0)
for _ in 0..1000 { spawn { ch.recv() } }
for _ in 0..1000 { spawn { sleep(1h) } }
await_all((0..100).map(|i| spawn { yield_now(); i }))
sleep(%dms)`, idle.Milliseconds()+200), runnel.WithWorkers(workers))
		done := make(chan error)
		go func() { done <- in.Run(t.Context()) }()
		time.Sleep(100 * time.Millisecond)
		runtime.GC()
		before := processorTime(t)
		time.Sleep(idle)
		bound(t, 5*time.Millisecond, processorTime(t)-before, fmt.Sprint("processor time idle with ", workers, " workers"))
		require.NoError(t, <-done)
		in.Close()
	}
}

// What comes from outside, here a line of input, wakes the task that waits for it.
func TestWakingFromOutside(t *testing.T) {
	fromScript, scriptOut := io.Pipe()
	scriptIn, toScript := io.Pipe()
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(2), runnel.WithHost(runnel.Host{Stdin: scriptIn, Stdout: scriptOut}))
	prog, err := rt.Compile("echo.rnl", `import io
for _ in 0..100 { spawn { sleep(1h) } }
while let line = io.read_line() { print(line) }`)
	require.NoError(t, err)
	in := prog.NewInstance()
	done := make(chan error)
	go func() { done <- in.Run(t.Context()) }()
	answers := bufio.NewScanner(fromScript)
	var all []time.Duration
	for i := range samples() {
		time.Sleep(time.Millisecond)
		begun := time.Now()
		_, err := fmt.Fprintln(toScript, i)
		require.NoError(t, err)
		require.True(t, answers.Scan())
		all = append(all, time.Since(begun))
		assert.Equal(t, fmt.Sprint(i), answers.Text())
	}
	toScript.Close()
	require.NoError(t, <-done)
	in.Close()
	slices.Sort(all)
	within(t, time.Millisecond, all, 990)
}
