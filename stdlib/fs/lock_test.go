//go:build unix

package fs_test

import (
	stdfs "io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm/host"
)

// sharedFS opens what it opens twice, as it is while a child process is being started.
type sharedFS struct {
	host.SystemFS
	t *testing.T
}

func (s sharedFS) OpenFile(path string, flag int, perm stdfs.FileMode) (host.File, error) {
	f, err := s.SystemFS.OpenFile(path, flag, perm)
	if file, ok := f.(*os.File); ok {
		fd, err := unix.Dup(int(file.Fd()))
		require.NoError(s.t, err)
		s.t.Cleanup(func() { unix.Close(fd) })
	}
	return f, err
}

func TestALockEndsWhenItsFileIsClosedThoughAChildHasItOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	out, err := run(t, sharedFS{t: t}, runnel.Limits{}, `
let path = "`+path+`"
let first = fs.open(path, "a")
print(first.try_lock(), fs.open(path, "a").try_lock())
first.close()
print(fs.open(path, "a").try_lock())
`)
	require.NoError(t, err)
	require.Equal(t, "true false\ntrue\n", out)
}
