package runnel_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

func TestATraceOfOneInstance(t *testing.T) {
	rt, err := runnel.New()
	require.NoError(t, err)
	defer rt.Close()
	prog, err := rt.Compile("tasks.rnl", `pub fn work() -> int { await spawn sum(10) }
fn sum(n: int) -> int { var s = 0; for i in 0..n { s += i }; s }`)
	require.NoError(t, err)
	var out bytes.Buffer
	trace := runnel.NewTrace(&out)
	in, err := prog.With(runnel.WithObserver(trace)).Start(t.Context())
	require.NoError(t, err)
	v, err := in.Call(t.Context(), "work")
	require.NoError(t, err)
	require.Equal(t, 45, v)
	in.Close()
	require.NoError(t, trace.Close())
	var events []map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &events))
	require.Contains(t, out.String(), "sum")
	require.Equal(t, int64(1), in.Stats().Spawned)
	require.Zero(t, in.Usage().Tasks)
}
