package stdlib_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// slowFS holds files whose bytes come when a test lets them: those of a file
// called "slow..." after release has been closed. Other files are there at once.
type slowFS struct {
	host.ReadOnlyFS
	release chan struct{}
	reading chan struct{} // gets something when a read begins to block

	mu   sync.Mutex
	open int
}

func newSlowFS(files map[string]string) *slowFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return &slowFS{ReadOnlyFS: host.ReadOnlyFS{FS: m}, release: make(chan struct{}), reading: make(chan struct{}, 100)}
}

func (s *slowFS) OpenFile(name string, flag int, perm fs.FileMode) (host.File, error) {
	if name == "panics" {
		panic("the disk is on fire")
	}
	f, err := s.ReadOnlyFS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	s.count(1)
	return &slowFile{File: f, fs: s, slow: strings.HasPrefix(name, "slow")}, nil
}

func (s *slowFS) count(n int) {
	s.mu.Lock()
	s.open += n
	s.mu.Unlock()
}

// closed reports whether all files have been closed.
func (s *slowFS) closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open == 0
}

type slowFile struct {
	host.File
	fs   *slowFS
	slow bool
}

func (f *slowFile) Read(p []byte) (int, error) {
	if f.slow {
		select {
		case f.fs.reading <- struct{}{}:
		default:
		}
		<-f.fs.release
	}
	return f.File.Read(p)
}

func (f *slowFile) Close() error {
	f.fs.count(-1)
	return f.File.Close()
}

// watched is an output that does something when a text has been printed.
type watched struct {
	mu   sync.Mutex
	b    bytes.Buffer
	text string
	do   func()
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := strings.Contains(w.b.String(), w.text)
	w.b.Write(p)
	if !before && strings.Contains(w.b.String(), w.text) {
		w.do()
	}
	return len(p), nil
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// runSlow runs a program whose slow files come when it has printed a text.
func runSlow(t *testing.T, files *slowFS, releaseAt, src string, opts ...runnel.Option) (string, error) {
	t.Helper()
	out := &watched{text: releaseAt, do: func() { close(files.release) }}
	o := runneltest.Runner{Name: "test.rnl", Modules: all.Modules(), Host: runnel.Host{Stdout: out, FS: files}, Options: opts}.Run(t, src)
	return o.Printed, o.Err
}

// runClosed runs an instance and closes it.
func runClosed(t *testing.T, prog *runnel.Program) {
	t.Helper()
	in := prog.NewInstance()
	defer in.Close()
	require.NoError(t, in.Run(context.Background()))
}

// The file comes only when the other task is done, on the one worker there is.
//
// origin: RY-01
func TestABlockedReadLeavesItsWorkerToOtherTasks(t *testing.T) {
	for _, read := range []string{`fs.read("slow")`, `fs.read_bytes("slow").len()`, `fs.lines("slow").next()`} {
		files := newSlowFS(map[string]string{"slow": "text"})
		got, err := runSlow(t, files, "counted", `
import fs
let r = spawn { `+read+` }
yield_now()
var n = 0
for i in 0..100_000 { n += i }
for _ in 0..10 { yield_now() }
print("counted", n)
print(await r)`, runnel.WithWorkers(1))
		require.NoError(t, err)
		require.Contains(t, got, "counted 4999950000\n", read)
		require.Regexp(t, "(?m)^(text|4)$", got, read)
		require.True(t, files.closed() || strings.Contains(read, "lines"))
	}
}

// origin: RY-03
func TestAResultOfBlockingWorkResumesTheTask(t *testing.T) {
	got, err := runSlow(t, newSlowFS(map[string]string{"a": "text of a"}), "-", `
import fs
print("before")
print(fs.read("a"))
print("after")`)
	require.NoError(t, err)
	require.Equal(t, "before\ntext of a\nafter\n", got)
}

// origin: RY-03
func TestAPanicInBlockingWorkIsAnErrorOfItsTask(t *testing.T) {
	got, err := runSlow(t, newSlowFS(map[string]string{"a": "text"}), "-", `
import fs
let bad = spawn fs.read("panics")
let good = spawn fs.read("a")
print(await good)
print(try { await bad } catch e: IoError { e.message() })
print(try { fs.lines("panics"); "" } catch e: IoError { e.message() })
print("alive")`)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(got, "the disk is on fire"), got)
	require.Contains(t, got, "alive\n")
}

func TestACancelledTaskDoesNotWaitForItsRead(t *testing.T) {
	for _, workers := range []int{1, 4} {
		files := newSlowFS(map[string]string{"slow": "text", "slow lines": "text"})
		got, err := runSlow(t, files, "never printed", `
import fs
let lines = fs.lines("slow lines")
let tasks = [spawn fs.read("slow"), spawn { lines.next() ?? "" }, spawn { "${fs.read_bytes("slow").len()}" }]
sleep(5ms)
for t in tasks { t.cancel() }
for t in tasks {
  print(try { await t } catch e: TaskCancelled { "cancelled" })
}`, runnel.WithWorkers(workers))
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("cancelled\n", 3), got)
		close(files.release)
		require.Eventually(t, func() bool { files.mu.Lock(); defer files.mu.Unlock(); return files.open <= 1 }, time.Minute, time.Millisecond,
			"what abandoned work has opened is closed, only the lines stay open")
	}
}

func TestATimeoutEndsTheWaitForARead(t *testing.T) {
	files := newSlowFS(map[string]string{"slow": "text"})
	got, err := runSlow(t, files, "late", `
import fs
print(try { timeout(2ms, || fs.read("slow")) } catch e: Timeout { "late" })
print(timeout(1h, || fs.read("slow")))`)
	require.NoError(t, err)
	require.Equal(t, "late\ntext\n", got)
	require.Eventually(t, files.closed, time.Minute, time.Millisecond)
}

// A cancel that does not reach a task, as its defers run, must not make it do
// its work twice.
func TestWorkIsDoneOnceThoughTheWaitIsBrokenOff(t *testing.T) {
	dir := t.TempDir()
	host := runnel.Host{FS: appendsSlowly{}}
	_, err := run(t, `
import fs
fn work(path: str) {
  defer fs.append(path, "once\n")
  sleep(1h)
}
fn late(path: str) {
  timeout(4ms, || {
    try { timeout(1ms, || work(path)) } catch e: Timeout { }
    sleep(1h)
  })
}
for i in 0..20 { try { late("`+filepath.ToSlash(dir)+`/f") } catch e: Timeout { } }`, host, runnel.Limits{})
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(dir, "f"))
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("once\n", 20), string(data))
}

// appendsSlowly is the process's file system, where opening takes a while.
type appendsSlowly struct{ host.SystemFS }

func (a appendsSlowly) OpenFile(name string, flag int, perm fs.FileMode) (host.File, error) {
	time.Sleep(6 * time.Millisecond)
	return a.SystemFS.OpenFile(name, flag, perm)
}

func TestAnInstanceIsClosedWhileItReads(t *testing.T) {
	files := newSlowFS(map[string]string{"slow": "text"})
	var out bytes.Buffer
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: &out, FS: files})).Compile("test.rnl", `
import fs
defer print("defers run")
let others = [spawn fs.read("slow"), spawn fs.read("slow")]
fs.read("slow")`)
	require.NoError(t, err)
	in := prog.NewInstance()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- in.Run(ctx) }()
	for range 3 {
		<-files.reading
	}
	cancel()
	require.Error(t, <-ended)
	in.Close() // does not wait for the reads
	require.Equal(t, "defers run\n", out.String())
	require.False(t, files.closed())
	close(files.release)
	require.Eventually(t, files.closed, time.Minute, time.Millisecond)
}

func TestAProgramEndsThoughATaskReads(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	got, err := run(t, `
import io
spawn io.read_line()
yield_now()
print("end")`, runnel.Host{Stdin: r}, runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, "end\n", got)
}

// What a cancelled task had asked for is there for the next one.
func TestInputIsNotLostByACancel(t *testing.T) {
	r, w := io.Pipe()
	out := &watched{text: "cancelled", do: func() {
		go func() { io.WriteString(w, "one\ntwo\nthree"); w.Close() }()
	}}
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdin: r, Stdout: out})).Compile("test.rnl", `
import io
for read in [|| io.read_line() ?? "", || io.read_all()] {
  let t = spawn read()
  sleep(1ms)
  t.cancel()
  try { await t } catch e: TaskCancelled { }
}
print("cancelled")
print(io.read_line(), io.read_line(), io.read_line(), io.read_line())`)
	require.NoError(t, err)
	runClosed(t, prog)
	require.Equal(t, "cancelled\none two three none\n", out.String())
}

func TestTasksShareTheLinesOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d\n", i)
	}
	text.WriteString(strings.Repeat("7", 300_000)) // does not fit the buffer
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	for _, workers := range []int{1, 4} {
		prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(workers), runnel.WithHost(all.Host([]string{path})),
			runnel.WithLimits(runnel.Limits{Memory: 8 << 20})).Compile("test.rnl", `
import fs
import sys
fn sum(lines: fs.Lines) -> (int, int) {
  var n = 0
  var sum = 0
  for line in lines {
    n += 1
    if line.len() < 10 { sum += line.parse_int()! } else { assert(line.len() == 300_000) }
  }
  (n, sum)
}
let lines = fs.lines(sys.args[0])
let tasks = (0..8).map(|_| spawn sum(lines))
let parts = await_all(tasks)
assert(parts.map(|p| p.0).sum() == 20_001, "${parts}")
assert(parts.map(|p| p.1).sum() == 199990000, "${parts}")
lines.close()
assert(lines.next() == none)`)
		require.NoError(t, err)
		runClosed(t, prog)
	}
}

func TestLinesAreClosedWhileAnotherTaskReadsThem(t *testing.T) {
	files := newSlowFS(map[string]string{"slow": "one\ntwo\n"})
	got, err := runSlow(t, files, "closed", `
import fs
let lines = fs.lines("slow")
let reader = spawn lines.next()
sleep(2ms)
lines.close()
print("closed")
print(await reader, lines.next())`)
	require.NoError(t, err)
	require.Equal(t, "closed\nnone none\n", got)
	require.Eventually(t, files.closed, time.Minute, time.Millisecond)
}

// endless is an input without an end, and counts what was read of it.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	e.n += len(p)
	return len(p), nil
}

func TestReadingStopsAtTheMemoryLimit(t *testing.T) {
	for _, src := range []string{
		`import io; io.read_all()`, `import io; io.read_bytes()`, `import io; io.read_line()`,
		`import io; scope { for _ in 0..10 { spawn io.read_line() } }`,
	} {
		in := &endless{}
		_, err := run(t, src, runnel.Host{Stdin: in}, runnel.Limits{Memory: 4 << 20})
		require.ErrorContains(t, err, "memory limit", src)
		require.LessOrEqual(t, in.n, 8<<20, src)
	}
	_, err := run(t, `import fs; fs.read_bytes("/dev/zero")`, all.Host(nil), runnel.Limits{Memory: 4 << 20})
	require.ErrorContains(t, err, "memory limit")
}

// A file takes its size, and the files being read take theirs together.
func TestFilesBeingReadCountAsMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("x"), 3<<20), 0o600))
	host := all.Host([]string{path})
	got, err := run(t, `
import fs
import sys
for _ in 0..5 { print(fs.read(sys.args[0]).len()) }`, host, runnel.Limits{Memory: 4 << 20})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("3145728\n", 5), got)

	files := newSlowFS(map[string]string{"slow": strings.Repeat("x", 1<<20)})
	_, err = runSlow(t, files, "never printed", `
import fs
scope { for _ in 0..10 { spawn fs.read("slow") } }`, runnel.WithLimits(runnel.Limits{Memory: 4 << 20}))
	close(files.release)
	require.ErrorContains(t, err, "memory limit")
}

func TestFilesOfManySizesAreReadWhole(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []int{0, 1, 16<<10 - 1, 16 << 10, 16<<10 + 1, 1 << 20, 3<<20 + 17} {
		path := filepath.Join(dir, fmt.Sprint(n))
		require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("y"), n), 0o600))
		for _, files := range []host.FileSystem{host.SystemFS{}, sizeless{}} {
			got, err := run(t, `import fs; import sys; print(fs.read(sys.args[0]) == "y".repeat(`+fmt.Sprint(n)+`), fs.read_bytes(sys.args[0]).len())`,
				runnel.Host{FS: files, Args: []string{path}}, runnel.Limits{})
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf("true %d\n", n), got)
		}
	}
}

// sizeless is the process's file system, where files do not tell their size.
type sizeless struct{ host.SystemFS }

type sizelessFile struct{ host.File }

func (s sizeless) OpenFile(name string, flag int, perm fs.FileMode) (host.File, error) {
	f, err := s.SystemFS.OpenFile(name, flag, perm)
	return sizelessFile{f}, err
}

func (sizelessFile) Stat() (fs.FileInfo, error) { return nil, errors.ErrUnsupported }

// In a deterministic run what tasks do to each other's files is the same for
// one seed, and differs among seeds.
func TestOneSeedGivesOneOrderOfFileOperations(t *testing.T) {
	const src = `
import fs
let dir = fs.temp_dir()
defer fs.remove_all(dir)
let path = dir + "/f"
fs.write(path, "")
fn work(id: int) {
  for i in 0..3 {
    fs.append(path, "${id}")
    let seen = fs.read(path)
    print(id, seen)
    if seen.len() % 2 == 0 { yield_now() }
  }
}
let tasks = (0..5).map(|id| spawn work(id))
await_all(tasks)
print(fs.read(path))`
	seen := map[string]bool{}
	for seed := range uint64(10) {
		var first string
		for range 5 {
			var out bytes.Buffer
			prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSeed(seed), runnel.WithHost(runnel.Host{Stdout: &out, FS: host.SystemFS{}})).Compile("test.rnl", src)
			require.NoError(t, err)
			runClosed(t, prog)
			if first == "" {
				first = out.String()
			}
			require.Equal(t, first, out.String(), "seed %d", seed)
		}
		seen[first] = true
	}
	require.Greater(t, len(seen), 1)
}

func TestMoreTasksReadThanThePoolHasThreads(t *testing.T) {
	got, err := run(t, `
import fs
let tasks = (0..1000).map(|_| spawn { fs.read("a").len() })
print((await_all(tasks)).sum())`, runnel.Host{FS: newSlowFS(map[string]string{"a": "12345"})}, runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, "5000\n", got)
}

// pipeFS has one file, a pipe whose other end the test holds.
type pipeFS struct {
	host.FileSystem
	r      *os.File
	opened *atomic.Bool // if any, set when it has been
}

func (p pipeFS) OpenFile(string, int, fs.FileMode) (host.File, error) {
	if p.opened != nil {
		p.opened.Store(true)
	}
	return p.r, nil
}

// A stream that can be interrupted is: no thread is left behind, and what comes
// later is for the next who reads.
func TestAnAbandonedReadOfAPipeEnds(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	var opened atomic.Bool
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{FS: pipeFS{r: r, opened: &opened}})).Compile("test.rnl", `
import fs
let _ = try { timeout(1ms, || fs.read("pipe")) } catch e: Timeout { "late" }`)
	require.NoError(t, err)
	for !opened.Load() { // else the time was over before the file was opened
		in := prog.NewInstance()
		defer in.Close()
		require.NoError(t, in.Run(context.Background()))
	}
	require.Eventually(t, func() bool { _, err := w.Write([]byte("x")); return err != nil }, time.Minute, time.Millisecond,
		"the reading end is closed")
}

func TestAnInterruptedPipeIsReadOn(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	out := &watched{text: "late", do: func() { w.WriteString("one\ntwo\n"); w.Close() }}
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: out, FS: pipeFS{r: r}})).Compile("test.rnl", `
import fs
let lines = fs.lines("pipe")
for _ in 0..3 {
  print(try { timeout(1ms, || { lines.next() ?? "none" }) } catch e: Timeout { "late" })
}
print(lines.next())`)
	require.NoError(t, err)
	runClosed(t, prog)
	require.Regexp(t, `^late\none\ntwo\nnone\n$`, out.String())
}

// Readers of one stream are cancelled at any moment: a line is taken by one
// task, or still there.
func TestNoLineIsLostWhenReadersAreCancelled(t *testing.T) {
	for _, workers := range []int{1, 4} {
		r, w := io.Pipe()
		go func() {
			for i := range 3000 {
				fmt.Fprintf(w, "%d\n", i)
			}
			w.Close()
		}()
		prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithWorkers(workers), runnel.WithHost(runnel.Host{Stdin: r})).Compile("test.rnl", `
import io
let taken = mutex((0, 0))
fn take() -> bool {
  var more = true
  defer yield_now()
  // What has been taken is noted before anything can cancel it.
  lock taken as t {
    if let line = io.read_line() { t = (t.0 + 1, t.1 + line.parse_int()!) } else { more = false }
  }
  more
}
fn reader() { while take() { } }
for round in 0..300 {
  let tasks = (0..3).map(|_| spawn reader())
  sleep(20us)
  for t in tasks { t.cancel() }
  for t in tasks { try { await t } catch e: TaskCancelled { } }
}
while take() { }
lock taken as t { assert(t == (3000, 4498500), "${t}") }`)
		require.NoError(t, err)
		runClosed(t, prog)
	}
}

// What nobody waits for any more neither delays others, also where the works of
// a run are done in order, nor hides that nothing can go on.
func TestAnAbandonedReadIsForgotten(t *testing.T) {
	for name, opt := range map[string]runnel.Option{"parallel": runnel.WithWorkers(2), "deterministic": runnel.WithSeed(1)} {
		files := newSlowFS(map[string]string{"slow": "text", "a": "text of a"})
		got, err := runSlow(t, files, "never printed", `
import fs
let ts = [spawn fs.read("slow"), spawn fs.read("slow")]
for _ in 0..10 { yield_now() }
for t in ts { t.cancel() }
print(fs.read("a"))
print(chan<int>().recv())`, opt)
		require.Equal(t, "text of a\n", got, name)
		require.ErrorContains(t, err, "nothing can run any more", name)
		close(files.release)
		require.Eventually(t, files.closed, time.Minute, time.Millisecond)
	}
}
