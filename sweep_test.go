package runnel_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/vmtest"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// swept are programs of which each step, each register and each task is made to fail.
var swept = map[string]string{
	"tasks": `let ts = [spawn { 0 }]
for i in 1..9 { ts.push(spawn { defer { ran() }; sleep(1us); i * i }) }
var n = 0
for t in ts { n += await t }
scope { for i in 0..4 { spawn { defer { scope { spawn { ran() } } }; yield_now() } } }
assert(n == 204)`,
	"channels": `let c = chan<str>(2)
let d = chan<int>()
spawn { defer { c.close() }; for i in 0..8 { c.send("${i}") } }
spawn { for s in c { select { d.send(s.len()) => {}, after 1s => {} } }; d.close() }
var n = 0
for x in d { n += x }
assert(n == 8)`,
	"mutexes": `let m = mutex([0])
scope { for i in 0..5 { spawn { lock m as x { defer { ran() }; x.push(i); yield_now() } } } }
lock m as x { assert(x.len() == 6) }`,
	"errors": `fn f(n: int) -> int { defer { ran() }; if n == 0 { throw error("deep") }; f(n - 1) }
for i in 0..5 { try { f(i) } catch e { assert(e.message() == "deep") } }
try { timeout(1ms, || { defer { ran() }; sleep(1h) }) } catch e: Timeout { ran() }`,
	"actors": `import actor
enum M { Add(n: int), Get(reply: actor.Reply<int>) }
struct Sum {
  n: int = 0
  fn receive(m: M, ctx: actor.Context<M>) { match m { Add(n) => { self.n += n }, Get(r) => { r.send(self.n) } } }
}
let a = actor.start(Sum())
for i in 0..6 { a.tell(Add(i)) }
assert(a.ask(Get, within: 10s) == 15)
a.stop()`,
	"cells": `import reactive
let a = reactive.cell(1)
let b = reactive.computed(|| a.get() * 2)
var seen = 0
reactive.effect(|| { seen = b.get(); ran() })
reactive.batch(|| { a.set(2); a.set(3) })
assert(seen == 6)`,
}

// TestEachStepRegisterAndTaskMayBeTheLast gives programs every limit from none up to
// what they need: each ends well, or with that limit's error or one of the script that
// misses what a task which has failed would have done, and leaves nothing behind.
func TestEachStepRegisterAndTaskMayBeTheLast(t *testing.T) {
	before := runtime.NumGoroutine()
	kinds := map[string]func(n int) runnel.Limits{
		"steps":   func(n int) runnel.Limits { return runnel.Limits{Steps: int64(n)} },
		"stack":   func(n int) runnel.Limits { return runnel.Limits{Stack: n} },
		"tasks":   func(n int) runnel.Limits { return runnel.Limits{Tasks: int64(n)} },
		"a call":  func(n int) runnel.Limits { return runnel.Limits{CallSteps: int64(n)} },
		"memory":  func(n int) runnel.Limits { return runnel.Limits{Memory: int64(n) * 256} },
		"charges": nil, // the n-th fails
		"the lot": func(n int) runnel.Limits {
			return runnel.Limits{Steps: int64(n), Tasks: int64(n/50 + 1), Stack: n/2 + 16}
		},
	}
	for name, src := range swept {
		for kind, limits := range kinds {
			for _, workers := range []int{1, 3} {
				if limits == nil && workers > 1 {
					continue // the charges of several are not counted exactly
				}
				sweep(t, fmt.Sprint(name, ", ", kind, ", ", workers, " workers"), src, workers, limits)
			}
		}
	}
	for begun := time.Now(); runtime.NumGoroutine() > before && time.Since(begun) < time.Minute; {
		time.Sleep(5 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

func sweep(t *testing.T, name, src string, workers int, limits func(n int) runnel.Limits) {
	var ran atomic.Int64
	m := vm.NewModule("sweep", "/// Counts.\n\n/// Counts.\npub native fn ran()\n\n/// Begins.\npub native fn begin()\n")
	m.Native("ran", func(*vm.Call) { ran.Add(1) })
	charge := int64(0)
	m.Signatures = map[string]bytecode.Signature{"begin": "() unit", "ran": "() unit"}
	m.Native("begin", func(c *vm.Call) { vmtest.FailCharge(c.Instance(), charge) })
	rt := runnel.MustNew(runnel.WithModules(append(all.Modules(), m)...), runnel.WithWorkers(workers))
	defer rt.Close()
	p, err := rt.Compile("sweep.rnl", "import sweep\nfn ran() { sweep.ran() }\nsweep.begin()\n"+src+"\n")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	fine := 0
	for n := 1; fine < 3 && n < 100_000; n += 1 + n/sweepDensity() {
		begun := time.Now()
		q := p
		if limits == nil {
			charge = int64(n)
		} else {
			q = p.With(runnel.WithLimits(limits(n)))
		}
		in := q.NewInstance()
		err := in.Run(t.Context())
		in.Close()
		var e *runnel.Error
		switch {
		case err == nil:
			fine++
		case !errors.As(err, &e) || e.Kind == "RaceError" || e.Kind == "InternalError" || strings.Contains(e.Message, "internal"):
			t.Errorf("%s, %d: %v", name, n, err)
		}
		if took := time.Since(begun); took > 3*time.Second {
			t.Errorf("%s, %d: it took %v", name, n, took)
		}
	}
	if fine < 3 {
		t.Errorf("%s: it never has enough", name)
	}
}

// sweepDensity is how many values of a limit are tried in each power of e, about.
func sweepDensity() int {
	if testing.Short() {
		return 20
	}
	return 400
}
