//go:build linux

package docs_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/vmtest"
	"github.com/runnel-lang/runnel/vm/host"
)

func nothing() {}

// The examples that a fault may concern.
var (
	opens       = regexp.MustCompile(`import (fs|http|net|process|sql|testing|sys|log)\b`)
	writes      = regexp.MustCompile(`import (fs|sql|testing)\b|download|save`)
	connects    = regexp.MustCompile(`import (http|net)\b`)
	prints      = regexp.MustCompile(`\bprint\(|import (io|log)\b`)
	reads       = regexp.MustCompile(`import io\b`)
	asksTheTime = regexp.MustCompile(`import (actor|reactive|time|http|net|log|sql|uuid)\b|sleep|timeout|after`)
)

// faults are what may happen to a program.
var faults = []fault{
	{"no fault", func(*campaign, *setting) func() { return nothing }, false, nil},
	{"the n-th charge fails", func(c *campaign, set *setting) func() {
		n := c.some(14)
		set.begin = func(in *runnel.Instance, _ func()) { vmtest.FailCharge(in.VM(), n) }
		return nothing
	}, false, nil},
	{"the n-th step is the last", func(c *campaign, set *setting) func() {
		set.limits.Steps = c.some(16)
		return nothing
	}, false, nil},
	{"the n-th step of a call is the last", func(c *campaign, set *setting) func() {
		set.limits.CallSteps = c.some(16)
		return nothing
	}, false, nil},
	{"little memory", func(c *campaign, set *setting) func() {
		set.limits.Memory = c.some(22)
		return nothing
	}, false, nil},
	{"a small stack", func(c *campaign, set *setting) func() {
		set.limits.Stack = int(c.some(12))
		return nothing
	}, false, nil},
	{"few tasks", func(c *campaign, set *setting) func() {
		set.limits.Tasks = c.some(5)
		return nothing
	}, false, nil},
	{"a context that ends", func(c *campaign, set *setting) func() {
		after := time.Duration(c.some(22))
		set.begin = func(_ *runnel.Instance, stop func()) { time.AfterFunc(after, stop) }
		return nothing
	}, true, nil},
	{"an instance that is closed", func(c *campaign, set *setting) func() {
		after := time.Duration(c.some(22))
		closed := make(chan struct{})
		set.begin = func(in *runnel.Instance, _ func()) {
			time.AfterFunc(after, func() {
				in.Close()
				close(closed)
			})
		}
		return func() { <-closed }
	}, false, nil},
	{"EMFILE", (*campaign).fewFiles, true, opens},
	{"EFBIG", (*campaign).smallFiles, false, writes},
	{"ENOSPC", (*campaign).fullDisk, false, writes},
	{"EINTR", (*campaign).interrupted, false, opens},
	{"a closed output", func(c *campaign, set *setting) func() {
		set.host.Stdout = host.NewOutput(&breaking{left: c.some(10) - 1, err: syscall.EPIPE})
		set.host.Stderr = &breaking{left: c.some(10) - 1, err: syscall.EPIPE}
		return nothing
	}, false, prints},
	{"an input that breaks", func(c *campaign, set *setting) func() {
		set.host.Stdin = io.MultiReader(io.LimitReader(set.host.Stdin, c.some(5)), &breaking{err: syscall.EIO})
		return nothing
	}, false, reads},
	{"connections that break", (*campaign).brokenConnections, true, connects},
	{"a clock that jumps", (*campaign).jumpingClock, false, asksTheTime},
}

// breaking fails after so many bytes.
type breaking struct {
	mu   sync.Mutex
	left int64
	err  error
}

func (b *breaking) take(n int) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left -= int64(n); b.left < 0 {
		return 0, b.err
	}
	return n, nil
}

func (b *breaking) Write(p []byte) (int, error) { return b.take(len(p)) }

func (b *breaking) Read([]byte) (int, error) { return 0, b.err }

// limited sets a limit of the process, its soft one, for some time.
func (c *campaign) limited(what int, n uint64) func() {
	var was syscall.Rlimit
	require.NoError(c.t, syscall.Getrlimit(what, &was))
	require.NoError(c.t, syscall.Setrlimit(what, &syscall.Rlimit{Cur: min(n, was.Max), Max: was.Max}))
	return func() { require.NoError(c.t, syscall.Setrlimit(what, &was)) }
}

// fewFiles leaves a few descriptors.
func (c *campaign) fewFiles(*setting) func() {
	return c.limited(syscall.RLIMIT_NOFILE, uint64(openFiles(c.t)+c.IntN(8)))
}

// smallFiles bounds how long files may be.
func (c *campaign) smallFiles(*setting) func() {
	return c.limited(syscall.RLIMIT_FSIZE, uint64(c.some(12)-1))
}

// smallDisk is a file system of a few pages, "" where it cannot be mounted.
func smallDisk(t *testing.T) string {
	dir := t.TempDir()
	if err := syscall.Mount("small", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Logf("no small file system, so no ENOSPC: %v", err)
		return ""
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// fullDisk has the example work on a disk on which a few pages are left.
func (c *campaign) fullDisk(set *setting) func() {
	if c.small == "" {
		return nothing
	}
	here, err := os.Getwd()
	require.NoError(c.t, err)
	dir, err := os.MkdirTemp(c.small, "run-*")
	require.NoError(c.t, err)
	require.NoError(c.t, os.CopyFS(dir, os.DirFS(c.dir)))
	root, err := os.OpenRoot(dir)
	require.NoError(c.t, err)
	set.host.FS = host.RootFS{Root: root}
	ballast := filepath.Join(c.small, "ballast")
	c.fill(ballast, int64(c.IntN(5))*4096)
	require.NoError(c.t, os.Chdir(dir))
	return func() {
		require.NoError(c.t, os.Chdir(here))
		root.Close()
		left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
		require.NoError(c.t, err)
		require.Empty(c.t, left, "half written files are left")
		require.NoError(c.t, os.Remove(ballast))
		require.NoError(c.t, os.RemoveAll(dir))
	}
}

// fill writes a file until so many bytes are left on its disk.
func (c *campaign) fill(name string, left int64) {
	var stat syscall.Statfs_t
	require.NoError(c.t, syscall.Statfs(c.small, &stat))
	size := max(0, int64(stat.Bavail)*stat.Bsize-left)
	require.NoError(c.t, os.WriteFile(name, make([]byte, size), 0o600))
}

// interrupted sends the process signals all the time.
func (c *campaign) interrupted(*setting) func() {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Microsecond):
				_ = syscall.Kill(os.Getpid(), syscall.SIGURG)
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// brokenConnections break after some bytes.
func (c *campaign) brokenConnections(set *setting) func() {
	reads, writes := c.some(12)-1, c.some(12)-1
	err := []error{syscall.ECONNRESET, syscall.EPIPE, syscall.ETIMEDOUT, io.EOF, io.ErrUnexpectedEOF}[c.IntN(5)]
	set.net.wrap = func(conn net.Conn) net.Conn {
		return &brokenConn{conn, breaking{left: reads, err: err}, breaking{left: writes, err: err}}
	}
	return nothing
}

type brokenConn struct {
	net.Conn
	in, out breaking
}

func (b *brokenConn) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if err != nil {
		return n, err
	}
	return b.in.take(n)
}

func (b *brokenConn) Write(p []byte) (int, error) {
	if n, err := b.out.take(len(p)); err != nil {
		return n, err
	}
	return b.Conn.Write(p)
}

// jumpingClock has the clocks of the host go forwards and backwards by hours.
func (c *campaign) jumpingClock(set *setting) func() {
	var jumps atomic.Int64
	every := 1 + c.some(3)
	jump := []time.Duration{-time.Hour, time.Hour, -1000 * time.Hour, 50 * 365 * 24 * time.Hour}[c.IntN(4)]
	off := func() time.Duration { return time.Duration(jumps.Add(1)/every%2) * jump }
	now, mono := set.host.Now, set.host.Mono
	set.host.Now = func() time.Time { return now().Add(off()) }
	set.host.Mono = func() time.Duration { return mono() + off() }
	return nothing
}
