package fs_test

import (
	"errors"
	stdfs "io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/fs"
	rtime "github.com/runnel-lang/runnel/stdlib/time"
	"github.com/runnel-lang/runnel/vm/host"
)

// run returns what a script prints and the error that it ends with.
func run(t *testing.T, files host.FileSystem, limits runnel.Limits, src string) (string, error) {
	t.Helper()
	o := runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{fs.Module}, Host: runnel.Host{FS: files}, Limits: limits}.Run(t, "import fs\n"+src)
	return o.Printed, o.Err
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	return len(entries)
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !is(); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), what)
	}
}

func TestNothingIsLeftOpen(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("one\ntwo\n"), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	run(t, host.RootFS{Root: root}, runnel.Limits{}, `fs.list("/")`)
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	for _, src := range []string{
		`let files = (0..20).map(|_| fs.open("a"))`, `let ls = (0..20).map(|_| fs.lines("a"))`, `fs.open("a").read_line(); throw error("x")`,
		`for i in 0..20 { fs.open("a", "r+").write("x") }`, `for i in 0..20 { fs.list("/") }`, `loop { fs.open("a") }`,
	} {
		run(t, host.RootFS{Root: root}, runnel.Limits{Memory: 2 << 20, Steps: 1e4}, src)
	}
	eventually(t, "files", func() bool { return openFiles(t) <= files })
	eventually(t, "goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
}

// endless is a directory that never ends.
type endless struct {
	host.SystemFS
	read int
}

func (e *endless) OpenFile(string, int, stdfs.FileMode) (host.File, error) { return endlessDir{e}, nil }

type endlessDir struct{ e *endless }

func (d endlessDir) ReadDir(n int) ([]stdfs.DirEntry, error) {
	entries := make([]stdfs.DirEntry, n)
	for i := range entries {
		d.e.read++
		entries[i] = entry(strconv.Itoa(d.e.read))
	}
	return entries, nil
}
func (endlessDir) Read([]byte) (int, error)      { return 0, errors.ErrUnsupported }
func (endlessDir) Write([]byte) (int, error)     { return 0, errors.ErrUnsupported }
func (endlessDir) Close() error                  { return nil }
func (endlessDir) Stat() (stdfs.FileInfo, error) { return nil, errors.ErrUnsupported }

type entry string

func (e entry) Name() string                { return string(e) }
func (entry) IsDir() bool                   { return false }
func (entry) Type() stdfs.FileMode          { return 0 }
func (entry) Info() (stdfs.FileInfo, error) { return nil, errors.ErrUnsupported }

// A directory is read only as far as memory is granted.
// A read waits for no slice of a task that computes: beside four of them on two workers each
// took 8 ms.
func TestReadsDoNotWaitForTasksThatCompute(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("one\n"), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	const src = `
let done = [false]
fn spin() { while !done[0] {} }
for _ in 0..4 { spawn spin() }
sleep(20ms)
let took: [duration] = []
for _ in 0..60 {
  let t = time.mono()
  fs.read("a")
  took.push(time.mono() - t)
}
done[0] = true
print(took.sort()[30] < 3ms)`
	quick := func() bool {
		granted := runnel.SystemHost(nil)
		granted.FS = host.RootFS{Root: root}
		r := runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{fs.Module, rtime.Module}, Host: granted, Options: []runnel.Option{runnel.WithWorkers(2)}}
		o := r.Run(t, "import fs\nimport time\n"+src)
		require.NoError(t, o.Err)
		return o.Printed == "true\n"
	}
	for range 3 { // others use the machine too
		if quick() {
			return
		}
	}
	t.Fatal("reads wait for tasks that compute")
}

func TestALargeDirectoryMeetsTheMemoryLimit(t *testing.T) {
	for _, src := range []string{`fs.list()`, `fs.walk()`, `fs.glob("**")`, `fs.entries()`} {
		files := &endless{}
		_, err := run(t, files, runnel.Limits{Memory: 4 << 20}, src)
		require.ErrorContains(t, err, "memory", src)
		require.Less(t, files.read, 100_000)
	}
}

func TestALargeDirectoryIsListed(t *testing.T) {
	m := fstest.MapFS{}
	for i := range 3000 {
		m["d/"+strconv.Itoa(i)] = &fstest.MapFile{}
	}
	got, err := run(t, host.ReadOnlyFS{FS: m}, runnel.Limits{}, `let l = fs.list("d"); print(l.len(), l[0], l[2999], l == l.copy().sort())`)
	require.NoError(t, err)
	require.Equal(t, "3000 0 999 true\n", got)
}

func TestWritingIsRefusedInWhatIsReadOnly(t *testing.T) {
	files := host.ReadOnlyFS{FS: fstest.MapFS{"a": {Data: []byte("0123456789")}}}
	for _, src := range []string{`fs.open("a", "w")`, `fs.open("a", "r+")`, `fs.write_atomic("a", "")`, `fs.make_link("a", "b")`, `fs.open("a").write("x")`} {
		_, err := run(t, files, runnel.Limits{}, `try { `+src+` } catch e: IoError { assert(e.kind == IoKind.Permission, e.message()) ; throw e }`)
		require.ErrorContains(t, err, "permission denied", src)
	}
	got, err := run(t, files, runnel.Limits{}, `let f = fs.open("a"); f.seek(7); print(f.read(), f.seek(-3, 2), f.read(1), f.size())`)
	require.NoError(t, err)
	require.Equal(t, "b\"789\" 7 b\"7\" 10\n", got)
}

// noted tells what is done to reach the disk, in its order.
type noted struct {
	host.SystemFS
	done *[]string
}

func (n noted) OpenFile(name string, flag int, perm stdfs.FileMode) (host.File, error) {
	f, err := n.SystemFS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	kind := "file"
	if info, err := f.Stat(); err == nil && info.IsDir() {
		kind = "directory"
	}
	return notedFile{f.(*os.File), kind, n.done}, nil
}

func (n noted) Rename(from, to string) error {
	*n.done = append(*n.done, "rename")
	return n.SystemFS.Rename(from, to)
}

type notedFile struct {
	*os.File
	kind string
	done *[]string
}

func (f notedFile) Sync() error {
	*f.done = append(*f.done, "sync "+f.kind)
	return f.File.Sync()
}

// A file that was replaced is there after the power has failed: its content before its name, and then its name.
func TestAReplacedFileHasReachedTheDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no directory can be synced there")
	}
	var done []string
	src := "let dir = " + strconv.Quote(t.TempDir()) + `
		fs.write_atomic("${dir}/a", "one")
		fs.sync_dir(dir)
		try { fs.sync_dir("${dir}/none") } catch e: IoError { print(e.kind) }`
	out, err := run(t, noted{done: &done}, runnel.Limits{}, src)
	require.NoError(t, err)
	require.Equal(t, "NotFound\n", out)
	require.Equal(t, []string{"sync file", "rename", "sync directory", "sync directory"}, done)
}
