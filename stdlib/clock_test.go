package stdlib_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

// waits are programs that wait in each way of the library, while the script calls
// jump, which sets the clocks of the host by hours. None may take longer for that, or
// less long, so each ends well within two seconds.
var waits = map[string]string{
	"sleep":   `jump(); sleep(5ms); jump(); sleep(5ms)`,
	"timeout": `try { timeout(10ms, || { jump(); sleep(1h) }); assert(false) } catch e: Timeout {}`,
	"select":  `let c = chan<int>(); jump(); select { c.recv() => assert(false), after 5ms => {} }`,
	"every": `var last = 0
for n in time.every(10ms).take(5) { assert(n > last && n < 100, "${n}"); last = n; jump() }`,
	"ticks": `let ticks = time.ticks(10ms)
var last = 0
for i in 0..5 { let n = ticks.recv()!; assert(n > last && n < 100, "${n}"); last = n; jump() }
ticks.close()`,
	"debounce": `let (n, seen) = (reactive.cell(0), mutex(0))
reactive.effect(|| seen.set(n.get()), debounce: 10ms)
for i in 1..=3 { jump(); n.set(i); jump(); reactive.idle(); assert(seen.get() == i) }`,
	"throttle": `let (n, runs) = (reactive.cell(0), mutex(0))
reactive.effect(|| { n.get(); runs.update(|x| x + 1) }, throttle: 30ms)
for i in 1..=3 { jump(); for j in 0..5 { n.set(n.get() + 1) }; jump(); reactive.idle() }
assert(runs.get() <= 7, "${runs.get()} runs")`,
	"store": `let docs = reactive.store()
let word = reactive.address("home", "of:1").at("word")
let s = reactive.scheduler(docs)
let runs = mutex(0)
s.schedule(reactive.action("search", |tx| { tx.read(word); runs.update(|x| x + 1) }, debounce: 10ms))
s.idle()
for i in 1..=3 { jump(); docs.set(word, i); jump(); s.idle(); assert(runs.get() == 1 + i) }`,
	"restarts, too many": `let broken = actor.spec(|| Broken())
for i in 0..3 { broken.ref().tell(i) }
let boss = actor.supervise([broken], max_restarts: 2, within: 1h)
match boss.join().error { e: actor.TooManyRestarts => {}, _ => assert(false) }`,
	"restarts, far apart": `let broken = actor.spec(|| Broken())
let boss = actor.supervise([broken], max_restarts: 2, within: 10ms)
for i in 0..6 { broken.ref().tell(i); sleep(20ms); jump() }
assert(boss.is_alive())
boss.stop()`,
	"patience": `let slow = actor.spec(|| Slow())
slow.ref().tell(1)
let boss = actor.supervise([slow])
sleep(5ms)
jump()
boss.stop()
jump()
boss.join()`,
	"ask": `let slow = actor.start(Asked())
try { jump(); slow.ask(Question, within: 10ms); assert(false) } catch e: Timeout {}
slow.kill()`,
	"http": `let server = http.listen("127.0.0.1:0", |req| { jump(); sleep(5ms); jump(); http.text("ok") })
let client = http.Client(timeout: 1s)
for i in 0..3 { assert(client.get("http://${server.address()}/").text() == "ok") }
try { http.Client(timeout: 1ms).get("http://${server.address()}/").text() } catch e: IoError { assert(e.kind == TimedOut) }
server.stop()`,
}

const waiting = `import actor; import clocks; import http; import reactive; import time
fn jump() { clocks.jump() }
struct Broken { fn receive(n: int, ctx: actor.Context<int>) { throw error("broken ${n}") } }
struct Slow { fn receive(n: int, ctx: actor.Context<int>) { sleep(20ms); clocks.jump(); throw error("slow") } }
enum Ask { Question(reply: actor.Reply<int>) }
struct Asked { fn receive(m: Ask, ctx: actor.Context<Ask>) { clocks.jump(); sleep(1h) } }
`

func TestClocksThatJumpChangeNoWait(t *testing.T) {
	jumps := map[string][]time.Duration{
		"forwards":  {0, 5 * time.Hour},
		"backwards": {0, -5 * time.Hour},
		"both":      {0, time.Hour, -1000 * time.Hour, 50 * 365 * 24 * time.Hour, -time.Minute},
		"stands":    nil,
		"no clock":  {},
	}
	for kind, offsets := range jumps {
		for name, src := range waits {
			t.Run(kind+", "+name, func(t *testing.T) {
				t.Parallel()
				host := granted()
				var jumped atomic.Int64
				off := func() time.Duration { return offsets[int(jumped.Load())%len(offsets)] }
				switch {
				case offsets == nil:
					host.Now = func() time.Time { return started }
					host.Mono = func() time.Duration { return time.Hour }
				case len(offsets) == 0:
					host.Now, host.Mono = nil, nil
				default:
					host.Now = func() time.Time { return time.Now().Add(off()) }
					host.Mono = func() time.Duration { return time.Since(started) + off() }
				}
				clocks := runnel.NewModule("clocks", "")
				runnel.Func(clocks, "jump", func() { jumped.Add(1) })
				begun := time.Now()
				_, err := run(t, waiting+src, host, runnel.Limits{Time: 2 * time.Minute}, clocks)
				require.NoError(t, err)
				require.Less(t, time.Since(begun), time.Minute) // a machine may be busy; a jump is an hour
			})
		}
	}
}
