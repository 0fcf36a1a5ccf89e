package runnel_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

func TestCompiledProgramsRun(t *testing.T) {
	var out bytes.Buffer
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: &out}))
	p, err := rt.Compile("a.rnl", `print("hello")`)
	require.NoError(t, err)
	data := p.Encode()
	require.True(t, runnel.IsCompiled(data))
	require.False(t, runnel.IsCompiled([]byte(`print("hello")`)))

	q, err := rt.Decode(data)
	require.NoError(t, err)
	require.NoError(t, q.NewInstance().Run(context.Background()))
	require.Equal(t, "hello\n", out.String())

	// The same code, but the native gets a number where it takes a text.
	p.Code.Natives[0].Params[0]--
	_, err = rt.Decode(p.Encode())
	require.ErrorContains(t, err, "not valid")
	_, err = rt.Decode(data[:20])
	require.ErrorContains(t, err, "damaged")
}
