package runnel_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// loads move many large texts through what tasks do with each other. What is left of
// them when they have ended is to be nothing, although the instance goes on.
var loads = map[string]string{
	"spawn and await":     `for i in 0..n { let s = await spawn big(i); use(s) }`,
	"spawn many":          `scope { for i in 0..n { spawn { use(big(i)); sleep(1ms) } } }`,
	"detached":            `for i in 0..n { spawn detached use(big(i)) }; sleep(50ms)`,
	"awaited late":        `let ts = [spawn big(0)]; for i in 1..n { ts.push(spawn big(i)) }; for t in ts { use(await t) }`,
	"await_all":           `use(await_all((0..n).map(|i| spawn big(i))).join(""))`,
	"await_any":           `for i in 0..n / 2 { use(await_any([spawn big(i), spawn { sleep(1ms); big(i + 1) }])) }`,
	"a channel":           `let c = chan<str>(); spawn { for i in 0..n { c.send(big(i)) }; c.close() }; for s in c { use(s) }`,
	"a buffer":            `let c = chan<str>(64); spawn { for i in 0..n { c.send(big(i)) }; c.close() }; for s in c { use(s) }`,
	"a full buffer":       `let c = chan<str>(n); for i in 0..n { c.send(big(i)) }`,
	"senders that wait":   `let c = chan<str>(); let ts = [spawn c.send(big(0))]; for i in 1..n { ts.push(spawn c.send(big(i))) }; sleep(5ms); for t in ts { t.cancel() }`,
	"receivers cancelled": `let c = chan<str>(); for i in 0..n { let t = spawn { let s = big(i); c.recv(); use(s) }; sleep(100us); t.cancel() }`,
	"select": `let c = chan<str>(4); let d = chan<str>(4); spawn { for i in 0..n { select { c.send(big(i)) => {}, d.send(big(i)) => {} } }; c.close() }
	                        var on = true
	                        while on { select { let s = c.recv() => { if let x = s { use(x) } else { on = false } }, let s = d.recv() => { use(s ?? "") }, after 1s => {} } }`,
	"select after":       `for i in 0..n { let s = big(i); let c = chan<str>(); select { c.recv() => {}, after 10us => { use(s) } } }`,
	"timeouts":           `for i in 0..n { let s = big(i); timeout(1h, || spawn { use(s) }) }`,
	"timeouts that pass": `for i in 0..20 { try { timeout(1ms, || { let s = big(i); sleep(1h); use(s) }) } catch e: Timeout { } }`,
	"a mutex":            `let m = mutex(""); scope { for i in 0..n { spawn { let s = big(i); lock m as x { x = s } } } }; lock m as x { x = "" }`,
	"lock waiters":       `let m = mutex(0); scope { for i in 0..n { spawn { let s = big(i); lock m as x { x += s.len(); sleep(10us) } } } }`,
	"errors":             `for i in 0..n { try { throw error(big(i)) } catch e { use(e.message()) } }; try { throw error("") } catch e { }`,
	"failed tasks":       `for i in 0..n { let t = spawn { throw error(big(i)) }; try { await t } catch e { use(e.message()) } }; try { throw error("") } catch e { }`,
	"failed scopes":      `for i in 0..n { try { scope { spawn { throw error(big(i)) } } } catch e { use(e.message()) } }; try { throw error("") } catch e { }`,
	"defers":             `for i in 0..n { await spawn { let s = big(i); defer { use(s) }; sleep(10us) } }`,
	"deep calls":         `for i in 0..n { await spawn deep(50, big(i)) }`,
	"task locals":        `for i in 0..n { await spawn { local.with(big(i), || await spawn use(local.get())) } }`,
	"closures":           `let fs = (0..n).map(|i| { let s = big(i); || s.len() }); for f in fs { spawn { use("${f()}") } }`,
	"actors":             `for i in 0..n { let a = actor.start(Keeper()); a.tell(Put(big(i))); use(a.ask(Get, within: 10s)); a.stop() }`,
	"one actor":          `let a = actor.start(Keeper()); for i in 0..n { a.tell(Put(big(i))); use(a.ask(Get, within: 10s)) }; a.tell(Put("")); a.ask(Get, within: 10s)`,
	"messages that wait": `let a = actor.start(Keeper(), mailbox: 1000); for i in 0..n { a.tell(Put(big(i))) }; use(a.ask(Get, within: 10s)); a.kill()`,
	"dropped actors":     `for i in 0..n { let a = actor.start(Keeper()); a.tell(Put(big(i))) }; sleep(500ms)`,
	"cells":              `let c = reactive.cell(""); let size = reactive.computed(|| c.get().len()); reactive.effect(|| use("${size.get()}")); for i in 0..n { c.set(big(i)) }; c.set("")`,
	"callbacks":          `for i in 0..n { let s = big(i); back.call(|| use(s)) }`,
	"natives":            `for i in 0..n { use(back.echo(big(i))) }`,
	"blocking":           `scope { for i in 0..n { spawn { use(back.slow(big(i))) } } }`,
	"blocking cancelled": `for i in 0..n { let t = spawn { use(back.slow(big(i))) }; sleep(10us); t.cancel() }`,
	"printing":           `for i in 0..n { use("${[big(i)]} ${i}") }`,
	"joined":             `for i in 0..n { use(big(i) + big(i + 1)) }`,
	"http":               `let s = http.listen("127.0.0.1:0", |req| http.text(req.text() + big(1))); scope { for k in 0..4 { spawn { for i in 0..n / 4 { use(http.post("http://${s.address()}/", big(i)).text()) } } } }; s.stop()`,
	"processes":          `for i in 0..n / 4 { use(process.run("cat", [], stdin: big(i)).stdout) }`,
	"sql":                `let db = sql.open("sqlite::memory:"); db.exec("CREATE TABLE t (s TEXT)"); for i in 0..n / 4 { db.exec("INSERT INTO t VALUES (?)", [big(i)]); for r in db.query("SELECT s FROM t") { use("${r["s"]}") }; db.exec("DELETE FROM t") }; db.close()`,
}

// parkedLoads leave tasks that wait and have used a text before: it counts until there
// is a need for its memory.
var parkedLoads = map[string]string{
	"parked afterwards": `for i in 0..n { spawn detached { use(big(i)); rest() } }; sleep(20ms)`,
	"parked select":     `for i in 0..n { spawn detached { let c = chan<str>(1); c.send(big(i)); select { let s = c.recv() => { use(s ?? "") } }; sleep(1h) } }; sleep(20ms)`,
	"parked await":      `for i in 0..n { spawn detached { use(await spawn { sleep(1ms); big(i) }); sleep(1h) } }; sleep(20ms)`,
}

const loadScript = `import actor
import back
import http
import process
import reactive
import sql
const n = 60
let local = task_local("")
enum Msg { Put(s: str), Get(reply: actor.Reply<str>) }
struct Keeper {
  s: str = ""
  fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Put(s) => { self.s = s }, Get(r) => { r.send(self.s) } } }
}
fn big(i: int) -> str { "x".repeat(300_000 + i) }
fn use(s: str) { if s.len() < 0 { print(s) } }
fn deep(n: int, s: str) { if n > 0 { deep(n - 1, s) } else { use(s) } }
fn rest() { sleep(1h) }
pub fn load() { BODY }
pub fn forget() { }
`

// liveHeap is what Go's heap holds when all garbage is collected.
func liveHeap() int64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// loaded runs a load and gives what is left of it on Go's heap.
func loaded(t *testing.T, rt *runnel.Runtime, name, body string) int64 {
	p, err := rt.Compile("load.rnl", strings.Replace(loadScript, "BODY", body, 1))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	in, err := p.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	before := liveHeap()
	if _, err := in.Call(t.Context(), "load"); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	time.Sleep(20 * time.Millisecond)
	return liveHeap() - before
}

func loadRuntime(t *testing.T, limits runnel.Limits) *runnel.Runtime {
	back := runnel.NewModule("back", "")
	runnel.Func(back, "call", func(f func() error) error { return f() })
	runnel.Func(back, "echo", func(s string) string { return s })
	runnel.Blocking(back, "slow", func(ctx context.Context, s string) string { time.Sleep(time.Millisecond); return s })
	rt := runnel.MustNew(runnel.WithModules(append(all.Modules(), back)...), runnel.WithHost(all.Host(nil)), runnel.WithWorkers(2), runnel.WithLimits(limits))
	t.Cleanup(rt.Close)
	return rt
}

func TestLoadsLeaveNoMemoryBehind(t *testing.T) {
	rt := loadRuntime(t, runnel.Limits{})
	for name, body := range longtest.SampleOf(loads, 2) {
		if left := loaded(t, rt, name, body); left > 2<<20 {
			t.Errorf("%s: %d KiB are left", name, left>>10)
		}
	}
}

func TestWhatParkedTasksWillNotReadCountsOnlyUntilItIsNeeded(t *testing.T) {
	rt := loadRuntime(t, runnel.Limits{Memory: 20 << 20})
	for name, body := range parkedLoads {
		if left := loaded(t, rt, name, body); left > 30<<20 {
			t.Errorf("%s: %d KiB are left", name, left>>10)
		}
	}
}
