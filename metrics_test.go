package runnel_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/fs"
	"github.com/runnel-lang/runnel/vm/host"
)

func TestMetricsFollowWhatInstancesDo(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	rt := runnel.MustNew(runnel.WithModules(fs.Module), runnel.WithWorkers(2), runnel.WithHost(runnel.Host{FS: host.RootFS{Root: root}}))
	defer rt.Close()
	require.Equal(t, runnel.Metrics{}, rt.Metrics())
	p, err := rt.Compile("busy.rnl", `
import fs
pub fn wait(n: int) { for _ in 0..n { spawn detached sleep(1h) } }
pub fn read() { for _ in 0..10 { fs.read("a") } ; try { fs.read("none") } catch e { } }
pub fn spin() { loop {} }`)
	require.NoError(t, err)
	in, err := p.Start(t.Context())
	require.NoError(t, err)
	_, err = in.Call(t.Context(), "read")
	require.NoError(t, err)
	m := rt.Metrics()
	assert.Equal(t, 1, m.Instances)
	assert.Equal(t, 2, m.Workers)
	assert.Equal(t, uint64(11), m.IOCompleted)
	assert.Equal(t, uint64(1), m.IOFailed)
	assert.Positive(t, m.LaneRuns, "tasks that finished IO has woken")
	assert.Positive(t, m.Slices)
	assert.Zero(t, m.IOStuck)

	_, err = in.Call(t.Context(), "wait", 5)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _, _ = in.Call(ctx, "spin") }()
	assert.Eventually(t, func() bool { m := rt.Metrics(); return m.Running > 0 && m.Tasks >= 5 }, time.Minute, time.Millisecond)
	cancel()
	<-ended

	var text bytes.Buffer
	n, err := rt.Metrics().WriteTo(&text)
	require.NoError(t, err)
	assert.Equal(t, int64(text.Len()), n)
	assert.Contains(t, text.String(), "# TYPE runnel_io_jobs counter\n# HELP runnel_io_jobs IO jobs that are done.\nrunnel_io_jobs_total 11\n")
	assert.True(t, strings.HasSuffix(text.String(), "\n# EOF\n"))
	in.Close()
	assert.Zero(t, rt.Metrics().Instances)
}
