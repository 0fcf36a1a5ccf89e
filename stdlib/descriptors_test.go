//go:build unix

package stdlib_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/net"
	"github.com/runnel-lang/runnel/stdlib/process"
	"github.com/runnel-lang/runnel/stdlib/sql/sqlite"
	"github.com/runnel-lang/runnel/stdlib/sys"
	"github.com/runnel-lang/runnel/vm/host"
)

var forgotten = flag.Int("forgotten", 200, "how often each resource is opened and forgotten under a limit of 128 descriptors")

// descriptorLimit is what the tests below run under, in a process of their own.
const descriptorLimit = 128

// child runs a test again in a process that may have few files open.
func child(t *testing.T) (isChild bool) {
	t.Helper()
	const mark = "RUNNEL_TEST_FEW_FILES"
	if os.Getenv(mark) != "" {
		limit := syscall.Rlimit{Cur: descriptorLimit, Max: descriptorLimit}
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", fmt.Sprintf("-forgotten=%d", *forgotten))
	cmd.Env = append(os.Environ(), mark+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return false
}

func granted() runnel.Host {
	return runnel.Host{FS: host.SystemFS{}, Now: time.Now, Mono: func() time.Duration { return time.Since(started) },
		Grants: []any{net.System{}, process.System{}, sqlite.Source{Everywhere: true}, sys.System{}}}
}

var started = time.Now()

// The ways to open something and to let go of it. dir is a directory with a file
// a, a named pipe, a large file and a database.
var openings = map[string]string{
	"file":                `fs.open(dir + "/a")`,
	"file, half read":     `fs.open(dir + "/a").read_line()`,
	"file, written":       `fs.open(dir + "/b", "w").write("x")`,
	"file, failed":        `try { fs.open(dir + "/a", "x") } catch e: IoError { }`,
	"lines":               `fs.lines(dir + "/a").next()`,
	"read":                `fs.read(dir + "/a")`,
	"read of a directory": `try { fs.read(dir) } catch e: IoError { }`,
	"no text":             `try { fs.read(dir + "/db") } catch e: IoError { }`,
	"copy, failed":        `try { fs.copy(dir + "/a", dir) } catch e: IoError { }`,
	"write_atomic":        `fs.write_atomic(dir + "/c", "x")`,
	"write, failed":       `try { fs.write_atomic(dir, "x") } catch e: IoError { }`,
	"list":                `fs.list(dir)`,
	"temporary":           `fs.remove_all(fs.temp_dir())`,
	"pipe, cancelled":     `try { timeout(1ms, || fs.read(dir + "/pipe")) } catch e: Timeout { }`,
	"pipe, written":       `try { timeout(1ms, || fs.write(dir + "/pipe", "x")) } catch e: Timeout { }`,
	"pipe, copied":        `try { timeout(1ms, || fs.copy(dir + "/pipe", dir + "/d")) } catch e: Timeout { }`,
	"process":             `process.start("true").wait()`,
	"process, left":       `process.start("true")`,
	"process, missing":    `try { process.start("no-such-program") } catch e: IoError { }`,
	"process, killed":     `let p = process.start("cat"); p.stdin.write("x"); p.kill(); p.wait()`,
	"process, cancelled":  `try { timeout(2ms, || process.run("cat")) } catch e: Timeout { }`,
	"connection":          `net.connect(echo.address())`,
	"connection, used":    `let c = net.connect(echo.address()); c.write("x\n"); c.read_line()`,
	"connection, refused": `try { net.connect("127.0.0.1:1") } catch e: IoError { }`,
	"listener":            `net.listen("127.0.0.1:0")`,
	"accept, cancelled":   `let l = net.listen("127.0.0.1:0"); try { timeout(1ms, || l.accept()) } catch e: Timeout { }`,
	"listener, in use":    `try { net.listen(echo.address()) } catch e: IoError { }`,
	"packets":             `net.udp("127.0.0.1:0")`,
	"reply":               `http.get(url + "small").text()`,
	"reply, unread":       `http.get(url + "large")`,
	"reply, half read":    `http.get(url + "large").read()`,
	"reply, cancelled":    `try { timeout(1ms, || http.get(url + "late")) } catch e: Timeout { }`,
	"reply, refused":      `try { http.get("http://127.0.0.1:1/") } catch e: IoError { }`,
	"client":              `http.Client().get(url + "small").text()`,
	"upload":              `let _ = http.post(url + "small", "x".repeat(100_000)).status`,
	"websocket":           `http.connect_websocket("ws" + url.slice(4, url.len()) + "ws").send("x")`,
	"server, stopped":     `http.listen("127.0.0.1:0", |_| http.text("x")).stop(within: 4ms)`,
	"rows":                `db.rows<int>("SELECT a FROM t").next()`,
	"statement":           `db.prepare("SELECT a FROM t").first<int>([])`,
	"statement, failed":   `try { db.exec("SELECT nothing") } catch e: sql.SqlError { }`,
	"transaction, failed": `try { db.transaction(|tx| { tx.exec("INSERT INTO t VALUES (1)"); throw error("x") }) } catch e { }`,
	"database":            `sql.open("sqlite:" + dir + "/db").first<int>("SELECT a FROM t")`,
	"database, missing":   `try { sql.open("sqlite:" + dir + "/none/db") } catch e: IoError { }`,
	"signals":             `sys.signals(["usr2"])`,
}

const prelude = `import fs; import http; import net; import process; import sql; import sys; import time
const dir = %q
let echo = net.listen("127.0.0.1:0")
spawn { for c in echo { spawn { while let l = c.read_line() { c.write(l + "\n") }; c.close() } } }
let server = http.listen("127.0.0.1:0", |req| match req.path() {
  "/large" => http.text("x".repeat(200_000))
  "/late" => { sleep(20ms); http.text("late") }
  "/ws" => http.websocket(|ws| { for _ in ws { break } })
  _ => http.text("small")
})
let url = "http://${server.address()}/"
let db = sql.open("sqlite:" + dir + "/db")
`

func openDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("one\ntwo\n"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	_, err := run(t, fmt.Sprintf(`import sql
let db = sql.open("sqlite:%s/db"); db.exec("CREATE TABLE t (a)"); db.transaction(|tx| { for i in 0..100 { tx.exec("INSERT INTO t VALUES (?)", [i]) } })`, dir), granted(), runnel.Limits{})
	require.NoError(t, err)
	return dir
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	return len(entries)
}

// Whatever scripts forget, break off or fail to open: a process with few
// descriptors never runs out of them, and has them back at the end.
func TestForgottenResourcesAreClosed(t *testing.T) {
	if !child(t) {
		return
	}
	dir := openDir(t)
	before := descriptors(t)
	for name, open := range openings {
		t.Run(name, func(t *testing.T) {
			begun := time.Now()
			out, err := run(t, fmt.Sprintf(prelude, dir)+fmt.Sprintf("for i in 0..%d {\n%s\n}\nprint(\"ok\")", *forgotten, open), granted(), runnel.Limits{})
			require.NoError(t, err)
			require.Equal(t, "ok\n", out)
			require.Eventually(t, func() bool { return descriptors(t) <= before+4 }, time.Minute, time.Millisecond, "%d", descriptors(t))
			t.Log(time.Since(begun))
		})
	}
}

// Where a program does hold all descriptors, opening one more is an error, which
// it survives, and goes on with what it closes.
func TestTooManyFilesAreAnError(t *testing.T) {
	if !child(t) {
		return
	}
	dir := openDir(t)
	for _, name := range []string{"file", "lines", "read", "write_atomic", "list", "process", "connection", "listener", "packets",
		"server, stopped", "database"} {
		t.Run(name, func(t *testing.T) {
			open := openings[name]
			src := fmt.Sprintf(prelude, dir) + fmt.Sprintf(`
let held: [fs.File] = []
try { loop { held.push(fs.open(dir + "/a")) } } catch e: IoError { assert(e.message().contains("too many open files"), e.message()) }
try { %s; print("opened") } catch e: IoError { print(e.message()) } catch e: sql.SqlError { print(e.message()) }
for f in held { f.close() }
held.clear()
try { timeout(5s, || { %s }); print("ok") } catch e { print(e) }
`, open, open)
			out, err := run(t, src, granted(), runnel.Limits{})
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			require.Len(t, lines, 2, out)
			require.Regexp(t, "too many open files|unable to open database file|cannot", lines[0])
			require.Equal(t, "ok", lines[1])
		})
	}
}
