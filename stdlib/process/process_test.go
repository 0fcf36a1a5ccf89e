package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/process"
	"github.com/runnel-lang/runnel/vm/host"
)

// run returns what a script prints and the error that it ends with.
func run(t *testing.T, src string, grant process.Runner, limits runnel.Limits) (string, error) {
	t.Helper()
	var host runnel.Host
	if grant != nil {
		host.Grants = []any{grant}
	}
	o := runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{process.Module}, Host: host, Limits: limits}.Run(t, "import process\n"+src)
	return o.Printed, o.Err
}

func TestWhatMayBeRun(t *testing.T) {
	t.Setenv("SECRET", "xyz")
	t.Setenv("PASSED", "abc")
	echo, err := filepath.EvalSymlinks("/bin/echo")
	if err != nil {
		t.Skip("no /bin/echo")
	}
	for _, c := range []struct {
		allow     process.Runner
		src, want string
	}{
		{nil, `process.run("echo")`, "does not grant this program access to processes"},
		{process.Allow{}, `process.run("echo")`, `the host does not grant it: the command "echo"`},
		{process.Allow{Commands: []string{"echo"}}, `process.run("echo", ["hi"])`, `stdout: "hi\n"`},
		{process.Allow{Commands: []string{"echo"}}, `process.run("` + echo + `")`, "does not grant it"},
		{process.Allow{Commands: []string{"echo"}}, `process.run("./echo")`, "does not grant it"},
		{process.Allow{Commands: []string{"/bin/echo"}}, `process.run("echo", ["hi"])`, `stdout: "hi\n"`},
		{process.Allow{Commands: []string{"/bin/echo"}}, `process.run("/bin/echo", ["hi"])`, `stdout: "hi\n"`},
		{process.Allow{Commands: []string{"/bin/echo"}}, `process.run("/tmp/../bin/echo", ["hi"])`, "does not grant it"},
		{process.Allow{Commands: []string{"/bin/echo"}}, `process.run("sh", ["-c", "echo"])`, "does not grant it"},
		{process.Allow{Commands: []string{"sh"}}, `process.run("sh", ["-c", "echo $SECRET$PASSED"])`, `stdout: "\n"`},
		{process.Allow{Commands: []string{"sh"}, Env: []string{"PASSED"}}, `process.run("sh", ["-c", "echo $SECRET$PASSED"])`, `stdout: "abc\n"`},
		{process.Allow{Commands: []string{"sh"}, Env: []string{"PASSED"}}, `process.run("sh", ["-c", "echo $PASSED"], env: {"PASSED": "new"})`, `stdout: "new\n"`},
		{process.Allow{Commands: []string{"sh"}}, `process.run("sh", env: {"PATH": "/evil"})`, "does not grant it: the setting of PATH"},
		{process.Allow{Commands: []string{"sh"}}, `process.run("sh", env: {"LD_PRELOAD": "x"})`, "does not grant it: the setting of LD_PRELOAD"},
		{process.Allow{Commands: []string{"echo"}, Check: refuse}, `process.run("echo", ["-n", "x"])`, "does not grant it"},
		{process.System{}, `process.run("sh", ["-c", "echo $SECRET$MORE"], env: {"MORE": "1"})`, `stdout: "xyz1\n"`},
	} {
		got, err := run(t, "print("+c.src+")", c.allow, runnel.Limits{})
		if err != nil {
			got = err.Error()
		}
		require.Contains(t, got, c.want, c.src)
	}
}

func refuse(s process.Spec) error {
	if len(s.Args) > 1 {
		return host.ErrNotGranted
	}
	return nil
}

// alive reports whether a process runs whose command line holds a text.
func alive(t *testing.T, text string) bool {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	if len(lines) == 0 {
		t.Skip("no /proc")
	}
	for _, line := range lines {
		if data, err := os.ReadFile(line); err == nil && strings.Contains(string(data), text) {
			return true
		}
	}
	return false
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !is(); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), what)
	}
}

// However a run ends early, the program ends with what it has started.
func TestAProgramEndsWithWhoRunsIt(t *testing.T) {
	for seconds, src := range map[string]string{
		"7001.5": `try { timeout(50ms, || process.run("sh", ["-c", "sleep 7001.5 & sleep 7001.5"])) } catch e: Timeout { print("late") }
assert(!process.run("sh", ["-c", "true"]).stdout.contains("x"))`,
		"7002.5": `let t = spawn { process.run("sh", ["-c", "sleep 7002.5 & echo; sleep 7002.5"]) }
sleep(50ms)
t.cancel()
try { await t } catch e: TaskCancelled { print("late") }`,
		"7003.5": `process.start("sh", ["-c", "sleep 7003.5 & sleep 7003.5"])
print("late")`,
		"7004.5": `let p = process.start("sh", ["-c", "sleep 7004.5 & sleep 7004.5"])
p.kill()
print(if p.wait() == 137 { "late" } else { "?" })`,
	} {
		got, err := run(t, src, process.System{}, runnel.Limits{})
		require.NoError(t, err)
		require.Equal(t, "late\n", got)
		eventually(t, seconds, func() bool { return !alive(t, seconds) })
	}
}

// What a program writes is held only as far as memory is granted.
func TestEndlessOutputMeetsTheMemoryLimit(t *testing.T) {
	for _, src := range []string{`process.run("yes", ["7005.5"])`, `process.run("sh", ["-c", "yes 7005.5 >&2"])`,
		`process.start("yes", ["7005.5"]).stdout.read_all()`, `process.run("sh", ["-c", "yes 7005.5 | tr -d '\\n'"])`} {
		_, err := run(t, src, process.System{}, runnel.Limits{Memory: 16 << 20})
		require.ErrorContains(t, err, "memory", src)
		eventually(t, src, func() bool { return !alive(t, "7005.5") })
	}
}

// A program goes on though the script forgets its handle.
func TestAForgottenProgramGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "done")
	_, err := run(t, `process.start("sh", ["-c", "sleep 0.1; echo > `+file+`"])
for i in 0..20 { process.run("true"); sleep(10ms) }`, collecting{}, runnel.Limits{})
	require.NoError(t, err)
	_, err = os.Stat(file)
	require.NoError(t, err)
}

// collecting collects garbage each time that a command is run.
type collecting struct{ process.System }

func (c collecting) Prepare(s process.Spec) (*exec.Cmd, error) {
	runtime.GC()
	return c.System.Prepare(s)
}

func TestNothingIsLeftOpen(t *testing.T) {
	run(t, `process.run("true")`, process.System{}, runnel.Limits{}) // what the first use keeps open
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	for _, src := range []string{
		`for i in 0..10 { process.run("true") }`, `let ps = (0..10).map(|_| process.start("cat"))`,
		`for i in 0..10 { try { process.run("no-such-program") } catch e: IoError { } }`,
		`let p = process.start("cat"); spawn { p.stdout.read() }; spawn { p.wait() }; yield_now(); throw error("x")`,
		`let ps = (0..100).map(|_| process.start("cat"))`,
	} {
		run(t, src, process.System{}, runnel.Limits{Memory: 1 << 20})
	}
	eventually(t, "goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
	eventually(t, "files", func() bool { return openFiles(t) <= files })
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	return len(entries)
}
