package runnel_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// crowd counts who is in a function of the host.
type crowd struct{ now, most, ran atomic.Int64 }

func (c *crowd) enter() (leave func()) {
	n := c.now.Add(1)
	c.ran.Add(1)
	for o := c.most.Load(); n > o && !c.most.CompareAndSwap(o, n); o = c.most.Load() {
	}
	return func() { c.now.Add(-1) }
}

const crowded = `
import h
pub fn many(n: int) -> int { var all = 0
  let out = chan<int>(n)
  scope { for i in 0..n { spawn { out.send(h.wait(5)) } } }
  for i in 0..n { all += out.recv()! }
  all }
pub fn stuck(n: int) { for i in 0..n { spawn { h.forever() } } }
pub fn late() -> str { try { timeout(20ms, || h.wait(1)); "done" } catch e: Timeout { "late" } }
`

// So many functions of a host run at a time, however many tasks call them.
func TestBlockingFunctionsAreBounded(t *testing.T) {
	for _, c := range []struct {
		limit, tasks, most int
	}{{4, 50, 4}, {0, 11_000, vm.DefaultBlocking}} {
		in := &crowd{}
		h := runnel.NewModule("h", "Waits.")
		runnel.Blocking(h, "wait", func(ms int) int {
			defer in.enter()()
			time.Sleep(time.Duration(ms) * time.Millisecond)
			return 1
		})
		runnel.Blocking(h, "forever", func(ctx context.Context) {
			defer in.enter()()
			<-ctx.Done()
		})
		inst := begin(t, crowded, runnel.WithModules(h), runnel.WithLimits(runnel.Limits{Blocking: c.limit}))
		got, err := inst.Call(t.Context(), "many", c.tasks)
		require.NoError(t, err)
		assert.Equal(t, c.tasks, got)
		assert.LessOrEqual(t, in.most.Load(), int64(c.most))
		assert.EqualValues(t, c.tasks, in.ran.Load(), fmt.Sprint(c))
	}
}

// Who waits for others is told of, is cancelled at once, and comes in when they have
// gone.
func TestABlockingFunctionThatWaitsForOthers(t *testing.T) {
	in := &crowd{}
	h := runnel.NewModule("h", "Waits.")
	runnel.Blocking(h, "wait", func(ms int) int { return ms })
	free := make(chan struct{})
	runnel.Blocking(h, "forever", func(ctx context.Context) {
		defer in.enter()()
		select {
		case <-ctx.Done():
		case <-free:
		}
	})
	inst := begin(t, crowded, runnel.WithModules(h), runnel.WithLimits(runnel.Limits{Blocking: 2}))
	_, err := inst.Call(t.Context(), "stuck", 5)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return inst.Usage().Waiting == 3 }, time.Minute, time.Millisecond)
	got, err := inst.Call(t.Context(), "late")
	require.NoError(t, err)
	assert.Equal(t, "late", got)
	other := begin(t, crowded, runnel.WithModules(h), runnel.WithLimits(runnel.Limits{Blocking: 2}))
	got, err = other.Call(t.Context(), "late")
	require.NoError(t, err)
	assert.Equal(t, "done", got, "another instance has room of its own")
	close(free)
	got, err = inst.Call(t.Context(), "many", 3)
	require.NoError(t, err)
	assert.Equal(t, 15, got)
	assert.Zero(t, inst.Usage().Waiting)
	inst.Close()
}
