package runnel_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/lang/diag"
)

// busy takes the compiler seconds.
var busy = strings.Repeat("print([[1, 2], [3]].map(|xs| xs.map(|x| (x, str(x))).filter(|p| p.0 > 1)).len())\n", 20_000)

func requireCode(t *testing.T, err error, code diag.Code) {
	t.Helper()
	var failed *runnel.CompileError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, code, failed.Diags[0].Code, "%v", err)
}

func TestCompilingStopsWhenItsContextEnds(t *testing.T) {
	rt := runnel.MustNew()
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(20*time.Millisecond, func() { cancel(errors.New("the user has gone")) })
	begin := linear.Used()
	_, err := rt.CompileContext(ctx, "busy.rnl", busy)
	requireCode(t, err, diag.CompileStopped)
	require.ErrorContains(t, err, "the user has gone")
	require.Less(t, linear.Used()-begin, 2*time.Second)
	_, err = rt.CompileContext(context.Background(), "a.rnl", "print(1)")
	require.NoError(t, err)
}

func TestCompilingHasLimits(t *testing.T) {
	rt := runnel.MustNew(runnel.WithCompileLimits(runnel.CompileLimits{Time: 20 * time.Millisecond, Source: len(busy)}))
	_, err := rt.Compile("busy.rnl", busy)
	requireCode(t, err, diag.CompileStopped)
	require.ErrorContains(t, err, "it took longer than 20ms")
	require.True(t, rt.Check("busy.rnl", busy).Failed())
	_, err = rt.Compile("long.rnl", busy+"//")
	requireCode(t, err, diag.ProgramTooLarge)
}

// What a check has given can be asked after its time.
func TestACheckedProgramOutlivesItsLimit(t *testing.T) {
	c := runnel.MustNew().Check("a.rnl", "print([1].map(|x| x))")
	require.False(t, c.Failed())
	require.Empty(t, c.Program().CheckLibrary())
}

func TestFilesOfAProgramAreBoundedTogether(t *testing.T) {
	rt := runnel.MustNew(runnel.WithCompileLimits(runnel.CompileLimits{Source: 100}), runnel.WithSources(long{}))
	_, err := rt.Compile("a.rnl", "import \"./b\"\n")
	require.ErrorContains(t, err, "larger together than 100 bytes")
}

type long struct{}

func (long) Read(string) (string, error) { return strings.Repeat("// long\n", 20), nil }
