package runnel_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/vm"
)

// exiting offers functions that end the goroutine they run on, as FailNow of a test
// does.
func exiting() *runnel.Module {
	m := runnel.NewModule("app", "")
	runnel.Func(m, "exit", func() { runtime.Goexit() })
	runnel.Func1(m, "exit_typed", func(n int) (int, error) { runtime.Goexit(); return n, nil })
	runnel.Func(m, "exit_slow", func(a, b, c, d int) int { runtime.Goexit(); return a })
	runnel.Blocking(m, "exit_later", func() { runtime.Goexit() })
	runnel.Func(m, "call", func(ctx context.Context, f func(context.Context) error) error { return f(ctx) })
	runnel.Blocking(m, "call_later", func(ctx context.Context, f func(context.Context) error) error { return f(ctx) })
	runnel.Func(m, "nothing", func() {})
	return m
}

const exitingScript = `
	import app
	fn told(f: fn()) -> str { try { f(); "nothing" } catch e { e.message() } }
	pub fn fine() -> int { app.nothing(); 7 }
	pub fn exit() { app.exit() }
	pub fn typed() { app.exit_typed(1) }
	pub fn slow() { app.exit_slow(1, 2, 3, 4) }
	pub fn nested() { app.call(|| app.exit()) }
	pub fn nested_twice() { app.call(|| app.call(|| app.exit())) }
	pub fn nested_deferred() { defer app.exit()
		app.call(|| app.exit()) }
	pub fn deferred() { defer app.exit()
		app.nothing() }
	pub fn after_sleep() { sleep(1ms); app.exit() }
	pub fn awaited() { await spawn { app.exit() } }
	pub fn in_scope() { scope { spawn { app.exit() }
		sleep(1h) } }
	pub fn many() { for i in 0..20 { spawn { app.exit() } }
		sleep(20ms) }
	pub fn later() -> str { told(|| app.exit_later()) }
	pub fn later_in_scope() -> str { told(|| { scope { spawn { app.exit_later() }; sleep(1h) } }) }
	pub fn called_later() { app.call_later(|| app.exit()) }
`

// A native that ends its goroutine takes nothing with it: the task has failed, and all
// workers go on.
func TestANativeThatEndsItsGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 3} {
		var mu sync.Mutex
		var unhandled []error
		inst := begin(t, exitingScript, runnel.WithModules(exiting()), runnel.WithWorkers(workers), runnel.WithUnhandled(func(e *runnel.Error) {
			mu.Lock()
			defer mu.Unlock()
			unhandled = append(unhandled, e)
		}))
		call := func(name string) (got any, err error, returned bool) {
			inParallel(t, func() {
				got, err = inst.Call(t.Context(), name)
				returned = true
			})
			return got, err, returned
		}
		for range 5 {
			for _, name := range []string{"exit", "typed", "slow", "nested", "nested_twice", "nested_deferred", "deferred", "after_sleep", "awaited", "in_scope", "many", "called_later"} {
				if _, err, returned := call(name); returned && name != "many" {
					require.ErrorContains(t, err, "has called runtime.Goexit", name)
				}
				for range workers + 1 {
					got, err, returned := call("fine")
					if returned {
						require.NoError(t, err, "after %s", name)
						require.Equal(t, 7, got, "after %s", name)
					}
				}
			}
			for _, name := range []string{"later", "later_in_scope"} {
				got, err, returned := call(name)
				for !returned { // it has lent itself to what was left
					got, err, returned = call(name)
				}
				require.NoError(t, err, name)
				assert.Contains(t, got, "has called runtime.Goexit", name)
			}
		}
		closed := time.Now()
		inParallel(t, inst.Close)
		assert.Less(t, time.Since(closed), vm.Grace)
		mu.Lock()
		for _, err := range unhandled {
			assert.ErrorContains(t, err, "has called runtime.Goexit")
		}
		mu.Unlock()
	}
	require.Zero(t, leaktest.Left(before), "goroutines left")
}

// inParallel calls f on a goroutine of its own, which may end there, and waits for it.
func inParallel(t *testing.T, f func()) {
	t.Helper()
	var done sync.WaitGroup
	done.Go(f)
	ended := make(chan struct{})
	go func() { done.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		buf := make([]byte, 1<<20)
		t.Fatalf("it hangs\n%s", buf[:runtime.Stack(buf, true)])
	}
}

// Whoever closes an instance may run what its tasks defer.
func TestACloseWhoseGoroutineIsEnded(t *testing.T) {
	before := runtime.NumGoroutine()
	inst := begin(t, `import app
		pub fn leaves() { for i in 0..10 { spawn { defer app.exit()
			sleep(1h) } } }`, runnel.WithModules(exiting()))
	_, err := inst.Call(t.Context(), "leaves")
	require.NoError(t, err)
	inParallel(t, inst.Close)
	_, err = inst.Call(t.Context(), "leaves")
	require.ErrorIs(t, err, runnel.ErrClosed)
	require.Zero(t, leaktest.Left(before), "goroutines left")
}

func TestARunWhoseGoroutineIsEnded(t *testing.T) {
	before := runtime.NumGoroutine()
	rt := runnel.MustNew(runnel.WithModules(exiting()))
	p, err := rt.Compile("s.rnl", "import app\nspawn { sleep(1h) }\napp.exit()\n")
	require.NoError(t, err)
	in := p.NewInstance()
	inParallel(t, func() { _ = in.Run(context.Background()) })
	in.Close()
	s, err := rt.NewSession()
	require.NoError(t, err)
	inParallel(t, func() { _, _ = s.Eval(t.Context(), "e", "import app\napp.exit()") })
	res, err := s.Eval(t.Context(), "e", "1 + 1")
	require.NoError(t, err)
	require.Equal(t, "2", res.Text)
	s.Close()
	rt.Close()
	require.Zero(t, leaktest.Left(before), "goroutines left")
}
