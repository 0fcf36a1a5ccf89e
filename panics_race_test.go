package runnel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

// Natives panic on one worker while the memory is looked at from another: what a
// native was building is let go of by nobody but a worker at home. The race detector
// tells.
func TestNativesPanicWhileTheMemoryIsCounted(t *testing.T) {
	h := runnel.NewModule("h", "Panics.")
	runnel.Func(h, "func", func(x any) (any, error) { panic("func") })
	runnel.Func(h, "back", func(f func(any) (any, error), x any) (any, error) {
		_, err := f(x)
		panic(err)
	})
	runnel.Blocking(h, "blocking", func(x any) (any, error) { panic("blocking") })
	in := begin(t, `
import h
fn data() -> any { var xs: [any] = []
  for i in 0..20 { xs.push("text ${i}") }
  xs }
pub fn panics(n: int) -> int { var seen = 0
  for i in 0..n {
    try { h.func(data()) } catch e { seen += 1 }
    try { h.blocking(data()) } catch e { seen += 1 }
    try { h.back(|x: any| h.func(x), data()) } catch e { seen += 1 }
  }
  seen }
pub fn fills(n: int) -> int { var kept: [[int]] = []
  for i in 0..n { kept.push([i].repeat(1000))
    if kept.len() > 100 { kept.clear() } }
  n }
`, runnel.WithModules(h), runnel.WithWorkers(4), runnel.WithLimits(runnel.Limits{Memory: 4 << 20}))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for until := time.Now().Add(300 * time.Millisecond); time.Now().Before(until); {
			in.Usage()
			_, err := in.Call(t.Context(), "fills", 100)
			assert.NoError(t, err)
		}
	}()
	for over := false; !over; {
		got, err := in.Call(t.Context(), "panics", 20)
		require.NoError(t, err)
		require.Equal(t, 60, got)
		select {
		case <-done:
			over = true
		default:
		}
	}
}
