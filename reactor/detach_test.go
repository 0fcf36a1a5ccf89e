package reactor

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A process that takes long gives its worker away; the only worker goes on with
// others meanwhile, and no goroutine is left over each time.
func TestDetachedProcessHoldsUpNobody(t *testing.T) {
	s := withSched(t, Options{Workers: 1})
	before := runtime.NumGoroutine()
	for range 200 {
		gate := NewGate()
		ran := make(chan struct{})
		detached := false
		s.Inject(&newFn(func(w *Worker, f *fn) {
			if detached {
				f.Complete()
				gate.Open()
				return
			}
			detached = true
			w.WakeLast(&newFn(func(_ *Worker, f *fn) {
				f.Complete()
				close(ran)
			}).Proc)
			done := w.Detach()
			<-ran
			done(&f.Proc)
		}).Proc)
		require.True(t, s.RunUntil(gate))
	}
	require.Less(t, runtime.NumGoroutine(), before+10)
}
