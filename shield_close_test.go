package runnel_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// slowWaves are functions whose waves and transactions do not end by themselves.
const slowWaves = `
import reactive
let c = reactive.cell(1)
let docs = reactive.store()
pub fn effect_sleeps() { let _ = reactive.effect(|| sleep(1h)) }
pub fn effect_sleeps_in_a_wave() { let _ = reactive.effect(|| { if c.get() == 2 { sleep(1h) } }); c.set(2) }
pub fn effect_loops() { let _ = reactive.effect(|| { loop {} }) }
pub fn effect_defers() { let _ = reactive.effect(|| { defer sleep(1ms); loop { sleep(1ms) } }) }
pub fn effect_receives() { let _ = reactive.effect(|| { let c = chan<int>(); c.recv() }) }
pub fn computed_sleeps() { print(reactive.computed(|| { sleep(1h); 1 }).get()) }
pub fn batch_sleeps() { reactive.batch(|| sleep(1h)) }
pub fn transaction_sleeps() { docs.transact(|tx| sleep(1h)) }
`

// No cancel cuts a wave short, but an instance that is closed ends in the middle of it.
func TestCloseDoesNotWaitForAWave(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...))
	p, err := rt.Compile("waves.rnl", slowWaves)
	require.NoError(t, err)
	for _, f := range p.Functions() {
		in, err := p.Start(t.Context())
		require.NoError(t, err)
		done := make(chan struct{})
		go func() { defer close(done); _, _ = in.Call(context.Background(), f.Name) }()
		time.Sleep(10 * time.Millisecond)
		soon(t, f.Name, in.Close)
		<-done
	}
}

// The end of a call's context does not: others have been told only a part of it.
func TestTheEndOfACallLeavesItsWaveWhole(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...))
	p, err := rt.Compile("wave.rnl", `
import reactive
let c = reactive.cell(1)
let whole = mutex(0)
pub fn waves() -> int { whole.get() }
let slow = reactive.effect(|| { if c.get() == 2 { sleep(60ms); whole.update(|n| n + 1) } })
let last = reactive.effect(|| { if c.get() == 2 { whole.update(|n| n + 1) } })
pub fn act() { c.set(2) }
`)
	require.NoError(t, err)
	in, err := p.Start(t.Context())
	require.NoError(t, err)
	defer in.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = in.Call(ctx, "act")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.True(t, becomes(func() bool {
		n, err := in.Call(t.Context(), "waves")
		require.NoError(t, err)
		return n == 2
	}))
}
