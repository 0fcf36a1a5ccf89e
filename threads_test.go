package runnel_test

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/stdlib/crypto"
	"github.com/runnel-lang/runnel/stdlib/fs"
)

// returnsSoon makes a call that does not take long.
func returnsSoon(t *testing.T, in *runnel.Instance, name string) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err := in.Call(ctx, name)
	require.NoError(t, err)
}

func smallFile(t *testing.T) runnel.Option {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(dir+"/file", []byte("text"), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return runnel.WithHost(runnel.Host{FS: runnel.Directory(root), Grants: []any{crypto.SystemRandom{}}})
}

// However many functions of hosts are stuck, files can be read.
func TestStuckFunctionsLeaveThreads(t *testing.T) {
	stuck := make(chan bool)
	m := runnel.NewModule("place", "Where functions get stuck.")
	runnel.Blocking(m, "stay", func() { <-stuck })
	opts := []runnel.Option{runnel.WithModules(m, fs.Module), smallFile(t)}
	var closing sync.WaitGroup
	defer closing.Wait()
	defer close(stuck)
	for range 5 {
		in := instanceOf(t, "import place\npub fn begin() { for _ in 0..1100 { spawn { place.stay() } } }", opts...)
		returnsSoon(t, in, "begin")
		require.Eventually(t, func() bool { return in.Usage().Waiting > 0 }, 20*time.Second, time.Millisecond)
		defer closing.Go(in.Stop)
	}
	returnsSoon(t, instanceOf(t, `import fs
pub fn read() -> str { fs.read("file") }`, opts...), "read")
}

// An instance that has much to compute beside its tasks keeps others neither from that nor
// from their files.
func TestComputingJobsHoldUpNobody(t *testing.T) {
	opts := []runnel.Option{runnel.WithModules(crypto.Module, fs.Module), smallFile(t)}
	const hashes = `
import crypto
pub fn begin() { for _ in 0..5000 { spawn { crypto.hash_password("secret") } } }
pub fn hash() -> str { crypto.hash_password("secret") }
`
	rt := runnel.MustNew(opts...)
	defer rt.Close()
	p, err := rt.Compile("main.rnl", hashes)
	require.NoError(t, err)
	busy, err := p.Start(t.Context())
	require.NoError(t, err)
	returnsSoon(t, busy, "begin")
	require.Eventually(t, func() bool { return rt.Metrics().IORunning > iopool.MaxThreads }, time.Minute, time.Millisecond)
	returnsSoon(t, instanceOf(t, hashes, opts...), "hash")
	returnsSoon(t, instanceOf(t, `import fs
pub fn read() -> str { fs.read("file") }`, opts...), "read")
}
