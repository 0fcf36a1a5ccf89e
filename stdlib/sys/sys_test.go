//go:build unix

package sys_test

import (
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/sys"
)

// lines calls a function for each line that a script prints.
type lines func(string)

func (f lines) Write(p []byte) (int, error) {
	f(strings.TrimSpace(string(p)))
	return len(p), nil
}

func run(t *testing.T, src string, line lines, grants ...any) (string, error) {
	t.Helper()
	r := runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{sys.Module}, Host: runnel.Host{Grants: grants}}
	if line != nil {
		r.Host.Stdout = line
	}
	o := r.Run(t, "import sys\n"+src)
	return o.Printed, o.Err
}

func TestNothingIsKnownWithoutAGrant(t *testing.T) {
	for _, src := range []string{`sys.environ()`, `sys.cwd()`, `sys.pid()`, `sys.hostname()`, `sys.user()`, `sys.signals(["int"])`} {
		_, err := run(t, src, nil)
		require.ErrorContains(t, err, "does not grant this program access to", src)
	}
	_, err := run(t, `assert(sys.cpus() > 0)`, nil)
	require.NoError(t, err)
}

type machine struct{ sys.System }

func (machine) Environ() []string         { return []string{"A=1", "B=x=y", "=C:=C:\\", "odd"} }
func (machine) Dir() (string, error)      { return "/here", nil }
func (machine) PID() int                  { return 7 }
func (machine) Hostname() (string, error) { return "", os.ErrPermission }
func (machine) User() (string, error)     { return "ada", nil }

func TestTheHostSaysWhatIsKnown(t *testing.T) {
	got, err := run(t, `
print(sys.environ(), sys.cwd(), sys.pid(), sys.user())
try { sys.hostname() } catch e: IoError { print(e.kind) }`, nil, machine{})
	require.NoError(t, err)
	require.Equal(t, "{\"A\": \"1\", \"B\": \"x=y\"} /here 7 ada\nPermission\n", got)
}

func TestSignalsReachAScript(t *testing.T) {
	kill := func(line string) {
		switch line {
		case "ready":
			require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGUSR1))
		case "usr1", "again":
			require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
		}
	}
	signal.Reset(syscall.SIGUSR1, syscall.SIGHUP)
	got, err := run(t, `
let s = sys.signals(["usr1", "hup"])
print("ready")
for name in s {
  print(name)
  if name == "hup" { break }
}
print(try { timeout(5ms, || s.next()) } catch e: Timeout { "late" })
print("again")
sleep(20ms)
print(s.next())
let t = spawn { s.next() }
yield_now()
s.close()
s.close()
print(await t, s.next())
`, kill, sys.System{})
	require.NoError(t, err)
	require.Equal(t, "ready\nusr1\nhup\nlate\nagain\nhup\nnone none\n", got)
}

func TestSignalsHaveNames(t *testing.T) {
	for src, want := range map[string]string{`[]`: "no signal is named", `["int", "kill"]`: `no signal "kill"`} {
		_, err := run(t, `sys.signals(`+src+`)`, nil, sys.System{})
		require.ErrorContains(t, err, want)
	}
}

// granting counts who listens.
type granting struct{ listeners *int }

func (g granting) Notify(chan<- os.Signal, ...os.Signal) func() {
	*g.listeners++
	return func() { *g.listeners-- }
}

func TestSignalsAreGivenBackWithTheInstance(t *testing.T) {
	n := 0
	_, err := run(t, `let s = sys.signals(["int"])
spawn { s.next() }
yield_now()`, nil, granting{&n})
	require.NoError(t, err)
	require.Zero(t, n)
}
