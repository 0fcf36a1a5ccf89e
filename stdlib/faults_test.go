//go:build unix

package stdlib_test

import (
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
)

// What the world does to a program, and what the program sees of it: an error of
// a kind, which it survives. dir is a directory with a file a, a named pipe and a
// database db; attempt prints the kind of the error.
var faults = []struct{ name, src, want string }{
	{"a full disk: write", `attempt(|| fs.write("/dev/full", "x"))`, "Other no space left on device"},
	{"a full disk: append", `attempt(|| fs.append("/dev/full", "x"))`, "Other no space left on device"},
	{"a full disk: an open file", `let f = fs.open("/dev/full", "w"); attempt(|| f.write("x".repeat(100_000))); attempt(|| f.write("x")); f.close()`,
		"Other no space left on device\nOther no space left on device"},
	{"a full disk: copy", `attempt(|| fs.copy(dir + "/a", "/dev/full"))`, "Other no space left on device"},
	{"a file that disappears", `let f = fs.open(dir + "/a"); let l = fs.lines(dir + "/a"); fs.remove(dir + "/a"); print(f.read_line(), l.next()); attempt(|| { fs.read(dir + "/a"); () })`,
		"one one\nNotFound no such file or directory"},
	{"a directory that disappears", `fs.make_dir(dir + "/x/y"); fs.remove_all(dir + "/x"); attempt(|| { fs.list(dir + "/x/y"); () }); attempt(|| fs.write_atomic(dir + "/x/f", ""))`,
		"NotFound no such file or directory\nNotFound no such file or directory"},
	{"a file that shrinks", `let f = fs.open(dir + "/a"); fs.write(dir + "/a", ""); print(f.read_line())`, "none"},
	{"a file where a directory is", `attempt(|| fs.write(dir, "x")); attempt(|| { fs.read(dir); () })`, "Other is a directory\nOther is a directory"},
	{"links in a circle", `fs.make_link("l2", dir + "/l1"); fs.make_link("l1", dir + "/l2"); attempt(|| { fs.read(dir + "/l1"); () })`, "Other too many levels of symbolic links"},
	{"a long name", `attempt(|| fs.write(dir + "/" + "x".repeat(300), ""))`, "Other file name too long"},
	{"a NUL in a name", `attempt(|| fs.write(dir + "/a\u{0}b", ""))`, "Other invalid argument"},
	{"a program that does not read", `let p = process.start("true"); p.wait(); attempt(|| p.stdin.write("x".repeat(1_000_000)))`, "Closed broken pipe"},
	{"a program that is killed", `let p = process.start("cat"); p.stdin.write("x"); p.kill(); print(p.wait(), p.stdout.read_all().len() <= 1)`, "137 true"},
	{"a program that is no program", `attempt(|| { process.start(dir + "/a"); () })`, "Permission permission denied"},
	{"a half-closed connection", `let l = net.listen("127.0.0.1:0")
spawn { let c = l.accept(); print(c.read_all()); c.write("answer"); c.close() }
let c = net.connect(l.address()); c.write("question"); c.close_write(); print(c.read_all()); attempt(|| c.write("more"))`, "question\nanswer\nClosed broken pipe"},
	{"a connection that is closed at once", `let l = net.listen("127.0.0.1:0")
spawn { let c = l.accept(); c.close() }
let c = net.connect(l.address()); print(c.read()); c.close(); attempt(|| { c.read(); () })`, "none\nClosed the connection"},
	{"nobody listens", `attempt(|| { net.connect("127.0.0.1:1"); () })`, "Refused connection refused"},
	{"an address in use", `let l = net.listen("127.0.0.1:0"); attempt(|| { net.listen(l.address()); () })`, "Exists address already in use"},
	{"a server that closes", `let l = net.listen("127.0.0.1:0")
spawn { let c = l.accept(); c.read(); c.close() }
attempt(|| { http.get("http://${l.address()}/"); () })`, "EOF"},
	{"a server that does not answer", `let l = net.listen("127.0.0.1:0"); attempt(|| { http.Client(timeout: 20ms).get("http://${l.address()}/"); () })`, "TimedOut the server has taken too long"},
	{"no database", `fs.write(dir + "/db", "no database at all, but a text that is long enough for a header of one hundred bytes; and more, and more, and more"); attempt(|| { sql.open("sqlite:" + dir + "/db").query("SELECT * FROM t"); () })`,
		"SQLITE_NOTADB"},
	{"a database that is cut off", `let all = fs.read_bytes(dir + "/db"); fs.write_bytes(dir + "/db", all[0..4196]); attempt(|| { sql.open("sqlite:" + dir + "/db").query("SELECT * FROM t"); () })`,
		"SQLITE_CORRUPT"},
	{"a locked database", `let (x, y) = (sql.open("sqlite:" + dir + "/db", connections: 1), sql.open("sqlite:" + dir + "/db", connections: 1))
y.exec("PRAGMA busy_timeout=1"); x.transaction(|tx| { tx.exec("INSERT INTO t VALUES (1)"); attempt(|| { y.exec("INSERT INTO t VALUES (2)"); () }) }); print(y.exec("INSERT INTO t VALUES (2)").rows)`,
		"SQLITE_BUSY\n1"},
}

const attempting = `import fs; import http; import net; import process; import sql; import sys; import time
const dir = %q
fn attempt(f: fn()) {
  try { f(); print("done") } catch e: IoError { print(e.kind, e.message()) } catch e: sql.SqlError { print(e.code) }
}
`

func survive(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			dir := openDir(t)
			out, err := run(t, fmt.Sprintf(attempting, dir)+c.src, granted(), runnel.Limits{})
			require.NoError(t, err)
			lines, want := strings.Split(strings.TrimSpace(out), "\n"), strings.Split(c.want, "\n")
			require.Len(t, lines, len(want), out)
			for i := range want {
				for _, word := range strings.SplitN(want[i], " ", 2) { // the kind, and the cause
					require.Contains(t, lines[i], word)
				}
			}
		})
	}
}

func TestFaultsOfTheWorld(t *testing.T) { survive(t) }

// The same while the process gets signals all the time, which interrupt system
// calls.
func TestFaultsUnderAStormOfSignals(t *testing.T) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Microsecond):
				syscall.Kill(os.Getpid(), syscall.SIGURG)
			}
		}
	}()
	defer func() { close(stop); <-stopped }()
	survive(t)
}

// A file that may not become larger is an error, not a signal that ends the process.
func TestAFileThatIsTooLarge(t *testing.T) {
	const mark = "RUNNEL_TEST_SMALL_FILES"
	if os.Getenv(mark) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), mark+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}))
	dir := t.TempDir()
	out, err := run(t, fmt.Sprintf(attempting, dir)+`attempt(|| fs.write(dir + "/x", "x".repeat(10_000))); attempt(|| fs.write_atomic(dir + "/x", "y".repeat(10_000))); print(fs.read(dir + "/x").len(), fs.list(dir).len())`, granted(), runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(out, "Other cannot write"), out)
	require.Contains(t, out, "4096 1\n")
	_, err = os.Stat(filepath.Join(dir, "x"))
	require.NoError(t, err)
}
