package runnel_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/vm"
)

// ---- cancelling ----

func TestACallEndsWithItsContextWhereverItWaits(t *testing.T) {
	m := runnel.NewModule("app", "")
	runnel.Blocking(m, "wait", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	runnel.Func(m, "listen", func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) })
	waits := map[string]string{
		"sleep":   `sleep(1h)`,
		"recv":    `chan<int>().recv()`,
		"send":    `chan<int>().send(1)`,
		"for_in":  `for _ in chan<int>() {}`,
		"choose":  `select { chan<int>().recv() => (), after 1h => () }`,
		"await":   `await spawn { sleep(1h) }`,
		"every":   `await_all([spawn { sleep(1h) }])`,
		"scope":   `scope { spawn { sleep(1h) } }`,
		"lock":    `let m = mutex(0); spawn { lock m as _n { sleep(1h) } }; yield_now(); lock m as _n {}`,
		"timeout": `timeout(1h, || sleep(1h))`,
		"race":    `race([|| sleep(1h)])`,
		"native":  `app.wait()`,
		"listen":  `app.listen()`,
		"host":    `host.receive()`,
		"emit":    `loop { host.emit(1) }`,
		"loop":    `var n = 0; loop { n += 1 }`,
		"yield":   `loop { yield_now() }`,
		"recurse": `deep(0)`,
		"sort":    `[3, 1, 2].sort_by(|x| { sleep(1h); x })`,
		"defer":   `defer sleep(1ms); sleep(1h)`,
	}
	src := "import app\nimport host\nfn deep(n: int) -> int { if n > 1000 { return 0 }; loop { deep(n + 1) } }\nvar begun = 0\nvar cleaned = 0\npub fn missed() -> int { begun - cleaned }\n"
	for name, body := range waits {
		src += "pub fn do_" + name + "() { defer { cleaned += 1 }; begun += 1; " + body + " }\n"
	}
	for _, workers := range []int{1, 4} {
		inst := begin(t, src, runnel.WithModules(m), runnel.WithWorkers(workers))
		held, err := runnel.NewChan[int](inst, 0) // so that who waits may be woken: there is no deadlock
		require.NoError(t, err)
		for name := range waits {
			for _, before := range []bool{false, true} {
				ctx, cancel := context.WithCancelCause(t.Context())
				stop := func() { cancel(errEmpty) }
				if before {
					stop()
				} else {
					time.AfterFunc(5*time.Millisecond, stop)
				}
				began := time.Now()
				_, err := inst.Call(ctx, "do_"+name)
				require.ErrorIs(t, err, errEmpty, name)
				assert.Less(t, time.Since(began), vm.Grace, name)
				cancel(nil)
			}
		}
		held.Release()
		missed, err := inst.Call(t.Context(), "missed") // where the machine is busy, a call may end before it begins
		require.NoError(t, err)
		assert.LessOrEqual(t, missed, 0, "defers have run")
	}
}

// ---- closing ----

func TestWhatIsClosedSaysSo(t *testing.T) {
	rt := runnel.MustNew()
	prog, err := rt.Compile("script.rnl", "import host\npub fn one() -> int { 1 }\npub let x = 1\npub fn numbers() -> chan<int> { chan<int>() }")
	require.NoError(t, err)
	inst, err := prog.Start(t.Context())
	require.NoError(t, err)
	one, err := runnel.Bind0[int](inst, "one")
	require.NoError(t, err)
	numbers, err := runnel.Bind0[*runnel.Chan[int]](inst, "numbers")
	require.NoError(t, err)
	ch, err := numbers(t.Context())
	require.NoError(t, err)
	inst.Close()
	inst.Close()
	check := func(inst *runnel.Instance) {
		t.Helper()
		_, err := inst.Call(t.Context(), "one")
		assert.ErrorIs(t, err, runnel.ErrClosed, "Call")
		assert.ErrorIs(t, inst.Send(t.Context(), 1), runnel.ErrClosed, "Send")
		for range inst.Outputs(t.Context()) {
			assert.Fail(t, "there is no output")
		}
		task, err := inst.Spawn(t.Context(), "one")
		if err == nil {
			_, err = task.Wait(t.Context())
		}
		assert.ErrorIs(t, err, runnel.ErrClosed, "Spawn")
		assert.ErrorIs(t, inst.Run(t.Context()), runnel.ErrClosed, "Run")
	}
	check(inst)
	_, err = one(t.Context())
	assert.ErrorIs(t, err, runnel.ErrClosed, "bound")
	assert.ErrorIs(t, ch.Send(t.Context(), 1), runnel.ErrClosed, "Chan.Send")
	_, _, err = ch.Recv(t.Context())
	assert.ErrorIs(t, err, runnel.ErrClosed, "Chan.Recv")

	inst, err = prog.Start(t.Context())
	require.NoError(t, err)
	rt.Close()
	rt.Close()
	check(inst)
	inst.Close()
	_, err = prog.Start(t.Context())
	assert.ErrorIs(t, err, runnel.ErrClosed)
	check(prog.NewInstance())
	_, err = rt.Compile("script.rnl", "print(1)")
	assert.ErrorIs(t, err, runnel.ErrClosed)
}

func TestClosingEndsCallsThatAreUnderWay(t *testing.T) {
	for _, whole := range []bool{false, true} {
		for _, workers := range []int{1, 4} {
			rt := runnel.MustNew(runnel.WithWorkers(workers))
			prog, err := rt.Compile("script.rnl", `
				pub fn rest() { sleep(1h) }
				pub fn receive(c: chan<int>) { c.recv() }
				pub fn spin() { loop { yield_now() } }
			`)
			require.NoError(t, err)
			inst, err := prog.Start(t.Context())
			require.NoError(t, err)
			ch, err := runnel.NewChan[int](inst, 0)
			require.NoError(t, err)
			var wg sync.WaitGroup
			call := func(name string, args ...any) {
				wg.Go(func() {
					_, err := inst.Call(t.Context(), name, args...)
					assert.Error(t, err, name)
				})
			}
			for range 4 {
				call("rest")
				call("receive", ch)
				call("spin")
				wg.Go(func() { _, _, err := ch.Recv(t.Context()); assert.Error(t, err) })
			}
			time.Sleep(5 * time.Millisecond)
			for range 3 { // at the same time
				wg.Go(func() {
					if whole {
						rt.Close()
					} else {
						inst.Close()
					}
				})
			}
			wg.Wait()
			rt.Close()
		}
	}
}

// ---- many at once, and back and forth ----

func TestSixteenGoroutinesCallOneInstance(t *testing.T) {
	for _, workers := range []int{1, 4} {
		inst := begin(t, `
			let total = mutex(0)
			struct Item { name: str, size: int }
			pub fn add(n: int) -> int { lock total as t { t += n; t } }
			pub fn wait(n: int) -> int { sleep(10us); n }
			pub fn names(items: [Item]) -> str { items.map(|i| "${i.name}${i.size}").join(",") }
			pub fn sum() -> int { total.get() }
			pub fn fan(n: int) -> int { await_all([0, 1, 2].map(|k| spawn add(0 * k + n - n))).len() }
		`, runnel.WithWorkers(workers))
		type item struct {
			Name string
			Size int
		}
		add, err := runnel.Bind1[int, int](inst, "add")
		require.NoError(t, err)
		wait, err := runnel.Bind1[int, int](inst, "wait")
		require.NoError(t, err)
		names, err := runnel.Bind1[[]item, string](inst, "names")
		require.NoError(t, err)
		var wg sync.WaitGroup
		for g := range 16 {
			wg.Go(func() {
				for i := range 50 {
					_, err := add(t.Context(), 1)
					assert.NoError(t, err)
					n, err := wait(t.Context(), i)
					assert.NoError(t, err)
					assert.Equal(t, i, n)
					s, err := names(t.Context(), []item{{"a", g}, {"b", i}})
					assert.NoError(t, err)
					assert.Equal(t, fmt.Sprintf("a%d,b%d", g, i), s)
					three, err := inst.Call(t.Context(), "fan", i)
					assert.NoError(t, err)
					assert.Equal(t, 3, three)
				}
			})
		}
		wg.Wait()
		sum, err := inst.Call(t.Context(), "sum")
		require.NoError(t, err)
		assert.Equal(t, 16*50, sum)
	}
}

// calledBack offers a function that calls the script again, on the same goroutine.
func calledBack(inst **runnel.Instance, blocking bool) *runnel.Module {
	m := runnel.NewModule("app", "")
	back := func(ctx context.Context, n int) (int, error) {
		v, err := (*inst).Call(ctx, "down", n)
		if err != nil {
			return 0, err
		}
		return v.(int), nil
	}
	if blocking {
		runnel.Blocking(m, "back", back)
	} else {
		runnel.Func(m, "back", back)
	}
	return m
}

const goesBack = `
	import app
	let log = mutex([0])
	pub fn down(n: int) -> int {
		lock log as l { l.push(n) }
		if n == 0 { return 100 }
		app.back(n - 1) + 1
	}
	pub fn fail(n: int) -> int { try { app.back(n) } catch e: HostError { -1 } }
	pub fn sleepy(n: int) -> int { sleep(100us); let v = down(n); sleep(100us); v }
`

func TestANativeCallsTheScriptThatCallsIt(t *testing.T) {
	for _, blocking := range []bool{false, true} {
		for _, workers := range []int{1, 4} {
			var inst *runnel.Instance
			inst = begin(t, goesBack, runnel.WithModules(calledBack(&inst, blocking)), runnel.WithWorkers(workers))
			for _, depth := range []int{1, 3, 20} {
				got, err := inst.Call(t.Context(), "down", depth)
				require.NoError(t, err)
				assert.Equal(t, 100+depth, got)
			}
			var wg sync.WaitGroup
			for range 16 {
				wg.Go(func() {
					for range 20 {
						got, err := inst.Call(t.Context(), "sleepy", 3)
						assert.NoError(t, err)
						assert.Equal(t, 103, got)
					}
				})
			}
			wg.Wait()
		}
	}
}

func TestUnderASeedANativeDoesNotCallTheScript(t *testing.T) {
	var inst *runnel.Instance
	inst = begin(t, goesBack, runnel.WithModules(calledBack(&inst, false)), runnel.WithSeed(1))
	_, err := inst.Call(t.Context(), "down", 3)
	require.ErrorIs(t, err, vm.ErrReentered)
	got, err := inst.Call(t.Context(), "down", 0)
	require.NoError(t, err)
	assert.Equal(t, 100, got)
}

func TestAFunctionOfTheScriptIsCalledByTheHostLater(t *testing.T) {
	m := runnel.NewModule("app", "")
	var handlers []func(context.Context, int) (int, error)
	runnel.Func(m, "on", func(f func(context.Context, int) (int, error)) { handlers = append(handlers, f) })
	runnel.Func(m, "now", func(ctx context.Context, f func(context.Context, int) (int, error)) (int, error) { return f(ctx, 1) })
	for _, workers := range []int{1, 4} {
		handlers = nil
		inst := begin(t, `
			import app
			let sum = mutex(0)
			app.on(|n| { sum.update(|s| s + n); n * 2 })
			app.on(|n| { sleep(10us); if n == 13 { throw error("unlucky") }; n * 3 })
			pub fn total() -> int { sum.get() }
			pub fn three_deep() -> int { app.now(|a| app.now(|b| app.now(|c| a + b + c))) }
		`, runnel.WithModules(m), runnel.WithWorkers(workers))
		require.Len(t, handlers, 2)
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				a, err := handlers[0](t.Context(), 4)
				assert.NoError(t, err)
				assert.Equal(t, 8, a)
				b, err := handlers[1](t.Context(), 4)
				assert.NoError(t, err)
				assert.Equal(t, 12, b)
			})
		}
		wg.Wait()
		_, err := handlers[1](t.Context(), 13)
		assert.ErrorContains(t, err, "unlucky")
		total, err := inst.Call(t.Context(), "total")
		require.NoError(t, err)
		assert.Equal(t, 64, total)
		three, err := inst.Call(t.Context(), "three_deep")
		require.NoError(t, err)
		assert.Equal(t, 3, three)
		inst.Close()
		_, err = handlers[0](t.Context(), 1)
		assert.ErrorIs(t, err, runnel.ErrClosed)
	}
}

// Callbacks of callbacks wait, spawn, receive and fail, on the caller's goroutine
// and on those of the pool.
func TestCallbacksWithinCallbacks(t *testing.T) {
	m := runnel.NewModule("app", "")
	apply := func(ctx context.Context, f func(context.Context, int) (int, error)) (int, error) { return f(ctx, 1) }
	runnel.Func(m, "now", apply)
	runnel.Blocking(m, "later", apply)
	for _, workers := range []int{1, 4} {
		inst := begin(t, `
			import app
			let numbers = chan<int>()
			spawn detached { loop { numbers.send(1) } }
			pub fn sum() -> int {
				app.now(|x| app.later(|y| {
					sleep(100us)
					app.now(|z| { numbers.recv()!; await spawn { x + y + z } })
				}))
			}
			pub fn fails() -> int { app.now(|_| app.later(|_| [1][7])) }
			pub fn given_up() -> int { scope { let t = spawn app.later(|_| { sleep(1h); 1 }); sleep(1ms); t.cancel(); 7 } }
			pub fn late() -> int { try { timeout(2ms, || app.later(|_| { sleep(1h); 1 })) } catch e: Timeout { 7 } }
		`, runnel.WithModules(m), runnel.WithWorkers(workers))
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				for range 20 {
					got, err := inst.Call(t.Context(), "sum")
					assert.NoError(t, err)
					assert.Equal(t, 3, got)
				}
			})
		}
		wg.Wait()
		_, err := inst.Call(t.Context(), "fails")
		assert.ErrorContains(t, err, "index 7 is out of range")
		for _, name := range []string{"given_up", "late"} {
			got, err := inst.Call(t.Context(), name)
			require.NoError(t, err, name)
			assert.Equal(t, 7, got, name)
		}
	}
}

// ---- channels ----

func TestAChannelOfTheHostIsClosedWhileTheScriptWaits(t *testing.T) {
	inst := begin(t, `
		pub fn count(c: chan<int>) -> int { var n = 0; for _ in c { n += 1 }; n }
		pub fn push(c: chan<int>) -> str { try { c.send(1); "sent" } catch e: Closed { "closed" } }
		pub fn either(c: chan<int>) -> str { select { let v = c.recv() => if v == none { "none" } else { "some" }, after 1h => "late" } }
	`)
	for name, want := range map[string]any{"count": 0, "push": "closed", "either": "none"} {
		ch, err := runnel.NewChan[int](inst, 0)
		require.NoError(t, err)
		task, err := inst.Spawn(t.Context(), name, ch)
		require.NoError(t, err)
		time.Sleep(2 * time.Millisecond)
		require.NoError(t, ch.Close())
		got, err := task.Wait(t.Context())
		require.NoError(t, err, name)
		assert.Equal(t, want, got, name)
		assert.ErrorIs(t, ch.Close(), vm.ErrClosedChannel, "twice")
		assert.ErrorIs(t, ch.Send(t.Context(), 1), vm.ErrClosedChannel)
		_, ok, err := ch.Recv(t.Context())
		assert.NoError(t, err)
		assert.False(t, ok)
	}
	other := begin(t, `pub fn count(c: chan<int>) -> int { c.len() }`)
	ch, err := runnel.NewChan[int](other, 0)
	require.NoError(t, err)
	_, err = inst.Call(t.Context(), "count", ch)
	assert.ErrorContains(t, err, "the channel belongs to another instance")
	_, err = inst.Call(t.Context(), "count", (*runnel.Chan[int])(nil))
	assert.ErrorContains(t, err, "nil channel")
	_, err = inst.Call(t.Context(), "count", &runnel.Chan[int]{})
	assert.ErrorContains(t, err, "nil channel")
}

// ---- nothing is left behind ----

func TestNothingRunsAfterAHostsClose(t *testing.T) {
	var asked atomic.Int64
	m := runnel.NewModule("app", "")
	runnel.Blocking(m, "wait", func(ctx context.Context) error { asked.Add(1); <-ctx.Done(); return ctx.Err() })
	before := runtime.NumGoroutine()
	for range 5 {
		rt := runnel.MustNew(runnel.WithModules(m), runnel.WithWorkers(4))
		prog, err := rt.Compile("script.rnl", `
			import app
			import host
			for _ in 0..10 { spawn { sleep(1h) } }
			spawn { app.wait() }
			spawn { host.receive() }
			pub fn wait() { app.wait() }
			pub fn one() -> int { 1 }
			pub fn numbers() -> chan<int> { chan<int>() }
		`)
		require.NoError(t, err)
		inst, err := prog.Start(t.Context())
		require.NoError(t, err)
		_, err = inst.Spawn(t.Context(), "wait")
		require.NoError(t, err)
		_, err = runnel.NewChan[int](inst, 1)
		require.NoError(t, err)
		_, err = inst.Call(t.Context(), "one")
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err = inst.Call(ctx, "wait")
		require.Error(t, err)
		cancel()
		rt.Close()
	}
	assert.Positive(t, asked.Load())
	assert.Zero(t, leaktest.Left(before), "goroutines left")
}
