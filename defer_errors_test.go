package runnel_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// What a deferred statement throws hides nothing from the host: it sees the first error
// with its trace.
func TestAnErrorOfADeferTellsOfTheFirst(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...))
	p, err := rt.Compile("defers.rnl", `
struct Own { fn message() -> str { "own" } }
pub fn deadlock() { defer { throw error("cleaning") }; chan<int>().recv() }
pub fn own() { defer { throw error("cleaning") }; throw Own() }
pub fn awaited() { await spawn { own() } }
pub fn twice() { defer { throw error("again") }; own() }
pub fn same() { let e = Own(); defer { throw e }; throw e }
pub fn kept() { defer { try { own() } catch e { } }; throw error("cleaning") }
pub fn caught() { try { own() } catch e { }; throw error("cleaning") }
pub fn fine() { try { throw Own() } catch e { }; defer { throw error("cleaning") } }
pub fn cancelled() { let t = spawn { defer { throw error("cleaning") }; sleep(1h) }; yield_now(); t.cancel(); await t }
`)
	require.NoError(t, err)
	in, err := p.Start(t.Context())
	require.NoError(t, err)
	defer in.Close()
	for name, first := range map[string]string{
		"deadlock": "Deadlock", "own": "Own", "awaited": "Own", "twice": "Own",
		"same": "", "kept": "", "caught": "", "fine": "", "cancelled": "",
	} {
		_, err := in.Call(t.Context(), name)
		var e *runnel.Error
		require.True(t, errors.As(err, &e), "%s: %v", name, err)
		if first == "" {
			require.Nil(t, e.First, "%s: %v", name, err)
			continue
		}
		require.NotNil(t, e.First, "%s: %v", name, err)
		require.Equal(t, first, e.First.Kind, name)
		require.NotEmpty(t, e.First.Message, name)
		require.NotEmpty(t, e.First.Trace, name)
		require.Nil(t, e.First.First, name)
		require.Contains(t, err.Error(), "(in the place of ", name)
	}
}
