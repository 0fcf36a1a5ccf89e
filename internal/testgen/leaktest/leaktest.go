// Package leaktest finds goroutines that a test has left behind.
package leaktest

import (
	"runtime"
	"testing"
	"time"
)

// Check fails the test if goroutines it started are still there a second after its end.
func Check(t testing.TB) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for range 200 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		stacks := make([]byte, 1<<16)
		t.Errorf("goroutines left: %d, before %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
	})
}
