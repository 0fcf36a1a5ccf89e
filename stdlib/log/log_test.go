package log_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/log"
)

// stderr returns what a program logs on a host.
func stderr(t *testing.T, src string, host runnel.Host) string {
	t.Helper()
	var out bytes.Buffer
	host.Stderr = &out
	prog, err := runnel.MustNew(runnel.WithModules(log.Module), runnel.WithHost(host)).Compile("test.rnl", src)
	require.NoError(t, err)
	in := prog.NewInstance()
	defer in.Close()
	require.NoError(t, in.Run(context.Background()))
	return out.String()
}

func TestTheTimeIsTheHosts(t *testing.T) {
	const src = `import log; log.info("started", {"port": 80}); log.debug("dropped")`
	clock := func() time.Time { return time.Date(2024, 3, 5, 12, 0, 0, 7e6, time.FixedZone("", 3600)) }
	require.Equal(t, "2024-03-05T11:00:00.007Z INFO started port=80\n", stderr(t, src, runnel.Host{Now: clock}))
	require.Equal(t, "INFO started port=80\n", stderr(t, src, runnel.Host{}))
}
