package whole

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.rnlc"), filepath.Join(dir, "link")
	require.NoError(t, Write(file, []byte("first")))
	require.NoError(t, os.Chmod(file, 0o750))
	require.NoError(t, os.Symlink("a.rnlc", link))
	require.NoError(t, Write(link, []byte("second")))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "second", string(text))
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o750), info.Mode())
	require.NoError(t, Write("/dev/null", []byte("gone")))
	require.Error(t, Write(filepath.Join(dir, "no", "such"), nil))
	require.Len(t, files(t, dir), 2)
}

func TestAFullDiskLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("a small file system cannot be mounted here: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	file := filepath.Join(dir, "a.rnlc")
	require.NoError(t, Write(file, []byte("first")))
	require.ErrorIs(t, Write(file, make([]byte, 1<<20)), syscall.ENOSPC)
	require.ErrorIs(t, Write(filepath.Join(dir, "b"), make([]byte, 1<<20)), syscall.ENOSPC)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "first", string(text))
	require.Equal(t, []string{"a.rnlc"}, files(t, dir))
}
