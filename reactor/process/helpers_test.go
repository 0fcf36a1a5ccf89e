package process

import (
	"testing"
	"time"

	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/stretchr/testify/require"
)

// scheduler runs until the end of the test, which must leave nothing behind.
func scheduler(t testing.TB, opts reactor.Options) *reactor.Sched {
	leaktest.Check(t)
	s := reactor.New(opts)
	t.Cleanup(s.Close)
	return s
}

// fn is a process of the scheduler that is a function called each time it runs.
type fn struct {
	reactor.Proc
	class reactor.Class
}

func newFn(run func(w *reactor.Worker, f *fn)) *fn {
	f := &fn{}
	f.class.Run = func(w *reactor.Worker, _ *reactor.Proc) { run(w, f) }
	f.InitProc(&f.class)
	return f
}

// soon waits for a condition that comes about without further doing.
func soon(t *testing.T, cond func() bool) {
	t.Helper()
	require.Eventually(t, cond, time.Minute, time.Millisecond)
}

// repetitions of a test that provokes races.
func repetitions() int {
	if testing.Short() {
		return 20_000
	}
	return longtest.Of(100_000, 1_000_000)
}
