//go:build unix

package fs_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// A named pipe whose other end nobody opens is waited for until the task is cancelled.
func TestANamedPipeThatNobodyOpens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	for _, use := range []string{`fs.read(pipe)`, `fs.lines(pipe)`, `fs.write(pipe, "x")`, `fs.open(pipe)`, `fs.open(pipe, "w")`, `fs.copy(pipe, pipe + "2")`} {
		got, err := run(t, vm.SystemFS{}, runnel.Limits{}, `const pipe = "`+path+`"
print(try { timeout(20ms, || { `+use+`; "opened" }) } catch e: Timeout { "late" })`)
		require.NoError(t, err)
		require.Equal(t, "late\n", got)
	}
	eventually(t, "goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
	eventually(t, "files", func() bool { return openFiles(t) <= files })
}

func TestANamedPipeConnectsTasks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	got, err := run(t, vm.SystemFS{}, runnel.Limits{}, `const pipe = "`+path+`"
let w = spawn { let f = fs.open(pipe, "w"); f.write("one\n"); sleep(10ms); f.write("two"); f.close() }
let r = fs.open(pipe)
print(r.read_line(), try { timeout(2ms, || r.read_line()) } catch e: Timeout { "late" }, r.read_line(), r.read_line())
await w`)
	require.NoError(t, err)
	require.Equal(t, "one late two none\n", got)
	require.NoError(t, os.Remove(path))
}
