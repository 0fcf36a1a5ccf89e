// Package leaktest finds goroutines that a test has left behind.
package leaktest

import (
	"os"
	"os/signal"
	"runtime"
	"sync"
	"testing"
	"time"
)

var watched sync.Map // names of tests

// Check fails the test if goroutines it started are still there at its end; those of tests
// before it may come and go for a while. Only its first call in a test counts.
func Check(t testing.TB) {
	if _, again := watched.LoadOrStore(t.Name(), true); again {
		return
	}
	before := Count()
	t.Cleanup(func() {
		watched.Delete(t.Name())
		if left := Left(before); left > 0 {
			stacks := make([]byte, 1<<16)
			t.Errorf("goroutines left: %d, before %d\n%s", left, before, stacks[:runtime.Stack(stacks, true)])
		}
	})
}

// Count counts goroutines, with the one that Go starts for signals and keeps.
func Count() int {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
	return runtime.NumGoroutine()
}

// Left waits until there are no more goroutines than before, for a minute at most, and gives
// how many are too many.
func Left(before int) int {
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		n := runtime.NumGoroutine() - before
		if n <= 0 || time.Now().After(end) {
			return max(n, 0)
		}
	}
}
