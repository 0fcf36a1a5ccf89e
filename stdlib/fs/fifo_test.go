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
	"github.com/runnel-lang/runnel/vm/host"
)

// A named pipe whose other end nobody opens is waited for until the task is cancelled.
func TestANamedPipeThatNobodyOpens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	for _, use := range []string{`fs.read(pipe)`, `fs.lines(pipe)`, `fs.write(pipe, "x")`, `fs.open(pipe)`, `fs.open(pipe, "w")`, `fs.copy(pipe, pipe + "2")`} {
		got, err := run(t, host.SystemFS{}, runnel.Limits{}, `const pipe = "`+path+`"
print(try { timeout(20ms, || { `+use+`; "opened" }) } catch e: Timeout { "late" })`)
		require.NoError(t, err)
		require.Equal(t, "late\n", got)
	}
	eventually(t, "goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
	eventually(t, "files", func() bool { return openFiles(t) <= files })
}

// More tasks than the pool has threads wait for named pipes, and keep no other
// from its file.
func TestNamedPipesHoldNoThread(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "out"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o600))
	got, err := run(t, host.SystemFS{}, runnel.Limits{}, `const dir = "`+dir+`"
let reads = (0..150).map(|_| spawn { fs.read(dir + "/pipe") })
let writes = (0..150).map(|_| spawn { fs.write(dir + "/out", "x") })
sleep(20ms)
print(timeout(5s, || fs.read(dir + "/a")))
for r in reads { r.cancel() }
for w in writes { w.cancel() }`)
	require.NoError(t, err)
	require.Equal(t, "text\n", got)
}

// What a pipe brings is whole, however it comes: before it is opened, at once, in
// pieces, or not at all.
func TestWhatANamedPipeBrings(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	got, err := run(t, host.SystemFS{}, runnel.Limits{}, `const pipe = "`+dir+`/pipe"
for pause in [0ms, 1ms, 5ms, 30ms] {
  for pieces in [[], ["x"], ["one", "two"], ["y".repeat(100_000), "z"]] {
    for how in 0..3 {
      let w = spawn {
        sleep(pause)
        let f = fs.open(pipe, "w")
        for p in pieces { f.write(p); sleep(pause) }
        f.close()
      }
      let got = match how {
        0 => fs.read(pipe)
        1 => { let f = fs.open(pipe); let all = f.read_all(); f.close(); all }
        _ => { fs.copy(pipe, "`+dir+`/copy"); fs.read("`+dir+`/copy") }
      }
      await w
      assert(got == pieces.join(""), "${pause} ${how} ${got.len()}")
    }
  }
}`)
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestAPipeOfAFileSystemThatOnlyReadsIsRefused(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	_, err := run(t, host.ReadOnlyFS{FS: os.DirFS(dir)}, runnel.Limits{}, `fs.read("pipe")`)
	require.ErrorContains(t, err, "permission denied")
}

func TestANamedPipeConnectsTasks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	got, err := run(t, host.SystemFS{}, runnel.Limits{}, `const pipe = "`+path+`"
let w = spawn { let f = fs.open(pipe, "w"); f.write("one\n"); sleep(10ms); f.write("two"); f.close() }
let r = fs.open(pipe)
print(r.read_line(), try { timeout(2ms, || r.read_line()) } catch e: Timeout { "late" }, r.read_line(), r.read_line())
await w`)
	require.NoError(t, err)
	require.Equal(t, "one late two none\n", got)
	require.NoError(t, os.Remove(path))
}
