package vm_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/progen"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
)

var pointerSeeds = flag.Uint64("pointers", uint64(longtest.Of(25, 200)), "number of random programs of TestNoTaskMissesWhatDoesNotCount")

// mostPauses bounds those of a program in which something is forgotten.
const mostPauses = 3000

// pauses is a module whose function waits while all suspended tasks forget what
// does not count.
func pauses(forgotten *atomic.Int64) *runnel.Module {
	m := vm.NewModule("probe", `/// Lets tasks forget.

/// Waits a moment.
pub native fn pause()
`)
	m.Signatures = map[string]bytecode.Signature{"pause": "() unit"}
	var n atomic.Int64
	m.Blocking("pause", func(c *vm.Call) {
		in := c.Instance()
		if n.Add(1) > mostPauses || forgotten == nil {
			return
		}
		c.Block("pause", func(context.Context) (any, error) {
			forgotten.Add(int64(in.ForgetDead()))
			return nil, nil
		}, func(*vm.Call, any, error) {})
	})
	return m
}

// Places in the programs of progen in which a pause may be.
var (
	pausedBody  = regexp.MustCompile(`\{ (x|f\(x\)|self\.value|Box\(f\(self\.value\)\)|"bad \$|"worse \$|a \* b - a \+ b|if first|if n <= 0|match self \{ Fine|try \{ f\(\))`)
	pausedLine  = regexp.MustCompile(`(?m)^( *)(print\(|out\.push|n \+= by|self\.n -= 1|self\.value = v|let \(a, b\) = t)`)
	pausedInTry = regexp.MustCompile(`catch e \{ `)
)

func paused(src string) string {
	src = pausedBody.ReplaceAllString(src, "{ probe.pause(); $1")
	src = pausedLine.ReplaceAllString(src, "${1}probe.pause()\n$1$2")
	src = pausedInTry.ReplaceAllString(src, "catch e { probe.pause(); ")
	return "import probe\n" + src
}

// runForgetting runs a program. exact has the tracer treat it as the library's
// own, of which counts only what is read again.
func runForgetting(t *testing.T, src string, exact, forget bool) (out, failure string, forgotten int) {
	t.Helper()
	var counter *atomic.Int64
	if forget {
		counter = new(atomic.Int64)
		defer func() { forgotten = int(counter.Load()) }()
	}
	m := pauses(counter)
	prog, err := runnel.MustNew(runnel.WithModules(m), runnel.WithModules(all.Modules()...)).Compile("program.rnl", src)
	require.NoError(t, err)
	for i := range prog.Code.Files {
		prog.Code.Files[i].Std = prog.Code.Files[i].Std || exact
	}
	modules := vm.Modules{}
	require.NoError(t, modules.Add(append(all.Modules(), m)...))
	linked, err := vm.Link(prog.Code, modules)
	require.NoError(t, err)
	var text bytes.Buffer
	// In order: who comes first must not differ between the two runs.
	in := vm.NewInstance(linked, vm.Config{Chooser: reactor.FIFO{}, Host: &host.Host{Stdout: &text}, Limits: vm.Limits{Steps: 300_000, Memory: 64 << 20, Stack: 1 << 16}})
	defer in.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := in.Invoke(ctx, linked.Callee(prog.Code.Entry), nil); err != nil {
		failure = err.Error()
	}
	return text.String(), failure, 0
}

func forgetsNothingItNeeds(t *testing.T, name, src string) (forgotten int) {
	t.Helper()
	want, wantFailure, _ := runForgetting(t, src, false, false)
	for _, exact := range []bool{false, true} {
		got, failure, n := runForgetting(t, src, exact, true)
		forgotten += n
		if strings.Contains(wantFailure, "limit") || strings.Contains(failure, "limit") {
			most := min(len(got), len(want))
			got, failure = got[:most], wantFailure
			want = want[:most]
		}
		if got != want || failure != wantFailure {
			t.Errorf("%s, exact %v: %s, not %s\n%s\n%s", name, exact, failure, wantFailure, firstDifference(got, want), src)
		}
	}
	return forgotten
}

func firstDifference(got, want string) string {
	gots, wants := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(gots), len(wants)) {
		if gots[i] != wants[i] {
			return fmt.Sprintf("line %d: %s, not %s", i+1, gots[i], wants[i])
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(gots), len(wants))
}

// What the tracer takes for dead in the registers of suspended tasks is: without
// it random programs do the same.
func TestNoTaskMissesWhatDoesNotCount(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	forgotten := 0
	turns := make(chan bool, 4)
	for seed := range *pointerSeeds {
		turns <- true
		wg.Go(func() {
			defer func() { <-turns }()
			n := forgetsNothingItNeeds(t, fmt.Sprint("seed ", seed), paused(progen.Program(seed)))
			mu.Lock()
			defer mu.Unlock()
			forgotten += n
		})
	}
	wg.Wait()
	require.Greater(t, forgotten, 1000, "hardly anything was forgotten")
}

// What random programs have not.
var forgetfulPrograms = map[string]string{
	"a handler reads what the receive had not written yet": `
fn f(c: chan<str>, text: str) -> str {
  var x = text + "!"
  try {
    loop { x = c.recv() ?? throws() }
  } catch e { return "${x} ${e.message()}" }
}
fn throws() -> str { throw error("closed") }
fn g(c: chan<str?>, text: str) -> str? {
  var x: str? = text + "!"
  defer probe.pause()
  try {
    x = timeout(5ms, || c.recv())!
    x = c.recv()!
  } catch e { probe.pause(); return x }
  x
}
fn awaits(t: task<str>, text: str) -> str {
  var x = text + "!"
  try { x = await t } catch e { probe.pause(); return x + e.message() }
  x
}
let c = chan<str>()
let t = spawn f(c, "old")
yield_now()
probe.pause()
c.send("new" + "er")
yield_now()
probe.pause()
c.close()
print(await t)
let d = chan<str?>()
let gs = spawn g(d, "kept")
sleep(1ms)
probe.pause()
print(await gs)
let gate = chan<int>()
let late = spawn { gate.recv(); throws() }
let w = spawn awaits(late, "before")
yield_now()
probe.pause()
gate.send(1)
print(await w)
let killed = spawn awaits(spawn { gate.recv(); "x" }, "alive")
yield_now()
probe.pause()
killed.cancel()
yield_now()
gate.send(1)
print(try { await killed } catch e: TaskCancelled { "cancelled" })
`,
	"what waits in many ways": `
struct Box { text: str }
fn deep(n: int, b: Box, c: chan<int>) -> str { if n == 0 { "${c.recv() ?? 0}" } else { deep(n - 1, b, c) + b.text } }
fn several(a: chan<str>, b: chan<str>, text: str) -> str {
  let own = Box(text + "?")
  let got = select {
    let x = a.recv() => x ?? own.text
    b.send(own.text) => own.text + " sent"
    after 1h => "late"
  }
  got + own.text
}
fn locked(m: mutex<[str]>, text: str) -> str {
  let own = text + "."
  lock m as l { l.push(own); probe.pause(); return l.join(",") + own }
}
fn deferred(out: chan<str>, c: chan<int>, text: str) -> int {
  let own = Box(text + "#")
  defer { out.send(own.text) }
  for i, s in ["a", text, own.text] {
    if i == 2 { return c.recv() ?? s.len() }
  }
  0
}
fn collected(c: chan<str>, n: int) -> [str] {
  let m = map<str, [str]>()
  for i in 0..n { m.get_or_insert("k${i % 3}", || []).push("v${i}${c.recv() ?? "none"}") }
  m.keys().map(|k| k + (c.recv() ?? "-") + m[k].join(""))
}
let c = chan<int>()
let texts = chan<str>()
let other = chan<str>()
let out = chan<str>(10)
let m = mutex<[str]>([])
let ts = [spawn deep(20, Box("b" + "ox"), c), spawn several(texts, other, "se" + "v"), spawn several(other, texts, "ral" + "l")]
let ls = (0..3).map(|i| spawn locked(m, "l${i}"))
let ds = (0..3).map(|i| spawn deferred(out, c, "d${i}"))
let many = spawn collected(chan<str>(), 0)
let fed = chan<str>()
let one = spawn collected(fed, 9)
let n = spawn { scope { spawn { c.recv(); probe.pause() } }; "in" + "side" }
for _ in 0..20 { probe.pause(); yield_now() }
for _ in 0..5 { c.send(7); probe.pause() } // whoever gets one: that depends on the schedule
for i in 0..12 { fed.send("s${i}"); probe.pause() }
print(await_all(ts), await_all(ls), await many, await one, await n)
print(await_all(ds).sum() > 0, set([out.recv()!, out.recv()!, out.recv()!]).len())
`,
}

func TestNoWaitMissesWhatDoesNotCount(t *testing.T) {
	for name, src := range forgetfulPrograms {
		require.Positive(t, forgetsNothingItNeeds(t, name, "import probe\n"+src))
	}
}
