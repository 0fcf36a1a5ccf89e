package host

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
)

// lockedBuffer is a bytes.Buffer that a timer may write while a test reads.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestOutputPassesOnWhatIsBuffered(t *testing.T) {
	var sink lockedBuffer
	out := NewOutput(&sink)
	io.WriteString(out, "a")
	require.NoError(t, out.Flush())
	require.Equal(t, "a", sink.String())
	io.WriteString(out, "b")
	require.Eventually(t, func() bool { return sink.String() == "ab" }, time.Minute, time.Millisecond,
		"the buffer is passed on without a Flush")
}

func TestUnbufferedOutputPassesOnAtOnce(t *testing.T) {
	var sink lockedBuffer
	out := NewUnbufferedOutput(&sink)
	io.WriteString(out, "a")
	require.Equal(t, "a", sink.String())
}

func TestParallelWritesAreNotMixed(t *testing.T) {
	var sink lockedBuffer
	out := NewOutput(&sink)
	var wg sync.WaitGroup
	for _, word := range []string{"aaaa\n", "bbbb\n", "cccc\n"} {
		wg.Go(func() {
			for range 1000 {
				io.WriteString(out, word)
			}
		})
	}
	wg.Wait()
	require.NoError(t, out.Flush())
	for _, line := range strings.Fields(sink.String()) {
		require.Equal(t, strings.Repeat(line[:1], 4), line)
	}
}

func fileSystems(t *testing.T) map[string]FileSystem {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("s"), 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "in", "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "in", "a.txt"), []byte("text"), 0o600))
	require.NoError(t, os.Symlink("../secret", filepath.Join(dir, "in", "link")))
	root, err := os.OpenRoot(filepath.Join(dir, "in"))
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return map[string]FileSystem{
		"root":     RootFS{root},
		"readOnly": ReadOnlyFS{fstest.MapFS{"a.txt": {Data: []byte("text")}, "sub/x": {}}},
	}
}

func TestAGrantedDirectoryIsReadable(t *testing.T) {
	for name, f := range fileSystems(t) {
		for _, path := range []string{"a.txt", "/a.txt", "./sub/../a.txt"} {
			file, err := f.OpenFile(path, os.O_RDONLY, 0)
			require.NoError(t, err, "%s %s", name, path)
			data, err := io.ReadAll(file)
			require.NoError(t, err)
			require.Equal(t, "text", string(data))
			require.NoError(t, file.Close())
		}
		entries, err := f.ReadDir("/")
		require.NoError(t, err, name)
		require.Equal(t, "a.txt", entries[0].Name())
		_, err = f.Stat("nosuch")
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
}

func TestNothingLeadsOutOfAGrantedDirectory(t *testing.T) {
	for name, f := range fileSystems(t) {
		for _, path := range []string{"../secret", "/../secret", "sub/../../secret", "link", "..", "/etc/passwd"} {
			_, err := f.OpenFile(path, os.O_RDONLY, 0)
			require.Error(t, err, "%s %s", name, path)
		}
		require.Error(t, f.RemoveAll("../secret"))
		require.Error(t, f.Rename("a.txt", "../a.txt"))
	}
}

func TestReadOnlyFilesCannotBeChanged(t *testing.T) {
	f := fileSystems(t)["readOnly"]
	_, err := f.OpenFile("new", os.O_WRONLY|os.O_CREATE, 0o644)
	require.ErrorIs(t, err, fs.ErrPermission)
	require.ErrorIs(t, f.MkdirAll("d", 0o755), fs.ErrPermission)
	require.ErrorIs(t, f.Remove("a.txt"), fs.ErrPermission)
	require.ErrorIs(t, f.RemoveAll("a.txt"), fs.ErrPermission)
	require.ErrorIs(t, f.Rename("a.txt", "b"), fs.ErrPermission)
	_, err = f.MkdirTemp("x-*")
	require.ErrorIs(t, err, fs.ErrPermission)
}

func TestTemporaryDirectoriesDiffer(t *testing.T) {
	f := fileSystems(t)["root"]
	a, err := f.MkdirTemp("x-*")
	require.NoError(t, err)
	b, err := f.MkdirTemp("x-*")
	require.NoError(t, err)
	require.NotEqual(t, a, b)
	require.True(t, strings.HasPrefix(a, "x-"))
}
