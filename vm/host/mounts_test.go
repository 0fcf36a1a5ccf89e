package host

import (
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func mounts(t *testing.T) (Mounts, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	assets := fstest.MapFS{"a.txt": {Data: []byte("asset")}, "data/b.txt": {Data: []byte("b")}, "data/out/hidden.txt": {}}
	return Mounts{"/": ReadOnlyFS{assets}, "/data/out": RootFS{root}, "/srv/deep/tmp": RootFS{root}}, dir
}

func names(t *testing.T, m FileSystem, dir string) string {
	t.Helper()
	entries, err := m.ReadDir(dir)
	require.NoError(t, err)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func content(m FileSystem, name string) string {
	f, err := m.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	data, _ := io.ReadAll(f)
	return string(data)
}

func TestMountsAreOneFileSystem(t *testing.T) {
	m, dir := mounts(t)
	require.NoError(t, os.WriteFile(dir+"/x.txt", []byte("x"), 0o600))
	for name, want := range map[string]string{
		"a.txt": "asset", "/a.txt": "asset", "data/../a.txt": "asset", "/data/b.txt": "b", "/data/out/x.txt": "x",
		"data/out/../b.txt": "b", "../../data/out/x.txt": "x", "/srv/deep/tmp/x.txt": "x",
		"/data/out/hidden.txt": "no such file", "/data/output": "not exist", "/srv/other": "not exist",
		"/data/out/../../../../etc/passwd": "not exist", "/data/out/none": "no such file",
	} {
		require.Contains(t, content(m, name), want, name)
	}
	require.Equal(t, "a.txt data srv", names(t, m, "/"))
	require.Equal(t, "b.txt out", names(t, m, "data"))
	require.Equal(t, "deep", names(t, m, "/srv"))
	require.Equal(t, "x.txt", names(t, m, "/srv/deep/tmp"))
	for _, name := range []string{"/", "/srv", "/srv/deep", "/data", "/data/out"} {
		info, err := m.Stat(name)
		require.NoError(t, err, name)
		require.True(t, info.IsDir(), name)
	}
	f, err := m.OpenFile("/srv", os.O_RDONLY, 0)
	require.NoError(t, err)
	entries, err := f.(fs.ReadDirFile).ReadDir(10)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	_, err = f.(fs.ReadDirFile).ReadDir(10)
	require.ErrorIs(t, err, io.EOF)
	_, err = f.Read(nil)
	require.ErrorContains(t, err, "is a directory")
	_, err = m.Stat("/none")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = m.ReadDir("/none")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestMountsAreWrittenToWhereTheyMayBe(t *testing.T) {
	m, dir := mounts(t)
	_, err := m.OpenFile("/new", os.O_WRONLY|os.O_CREATE, 0o600)
	require.ErrorIs(t, err, fs.ErrPermission)
	require.ErrorIs(t, m.MkdirAll("/srv/new", 0o700), fs.ErrPermission)
	require.ErrorIs(t, m.Remove("/a.txt"), fs.ErrPermission)
	require.NoError(t, m.MkdirAll("/data/out/d/e", 0o700))
	f, err := m.OpenFile("/data/out/d/f", os.O_WRONLY|os.O_CREATE, 0o600)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, m.Rename("/data/out/d/f", "/data/out/g"))
	require.ErrorContains(t, m.Rename("/data/out/g", "/srv/deep/tmp/g"), "different file systems")
	require.NoError(t, m.Symlink("g", "/data/out/l"))
	target, err := m.ReadLink("/data/out/l")
	require.NoError(t, err)
	require.Equal(t, "g", target)
	info, err := m.Lstat("/data/out/l")
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink)
	require.NoError(t, m.RemoveAll("/data/out/d"))
	require.NoError(t, m.Remove("/data/out/l"))
	_, err = m.MkdirTemp("x*")
	require.ErrorIs(t, err, fs.ErrPermission) // / is not to be written to

	m["/tmp"] = m["/data/out"]
	name, err := m.MkdirTemp("x*")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(name, "/tmp/x"), name)
	_, err = os.Stat(dir + strings.TrimPrefix(name, "/tmp"))
	require.NoError(t, err)
	delete(m, "/")
	require.Equal(t, "data srv tmp", names(t, m, "/"))
	_, err = m.OpenFile("/x", os.O_WRONLY|os.O_CREATE, 0)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestNoLinkLeadsOutOfARoot(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer root.Close()
	r := RootFS{root}
	require.NoError(t, r.MkdirAll("a/b", 0o700))
	for _, target := range []string{"/etc/passwd", "../x", "b/../../../x"} {
		require.ErrorIs(t, r.Symlink(target, "l"), fs.ErrPermission, target)
	}
	require.ErrorIs(t, r.Symlink("../../x", "a/b/l"), fs.ErrPermission)
	require.NoError(t, r.Symlink("x", "/a/b/l"))
	info, err := r.Lstat("a/b/l")
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink)
	require.NoError(t, os.Symlink("/etc/hostname", root.Name()+"/out"))
	_, err = r.Stat("out")
	require.Error(t, err)
}
