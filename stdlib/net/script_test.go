package net_test

import (
	"bytes"
	"errors"
	stdnet "net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/net"
)

// script may use net as far as it is granted.
func script(opts ...runnel.Option) runneltest.Runner {
	return granting(net.System{}, opts...)
}

// granting is script with a network of its own, or nil.
func granting(n net.Network, opts ...runnel.Option) runneltest.Runner {
	r := runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{net.Module}, Options: opts}
	if n != nil {
		r.Host.Grants = []any{n}
	}
	return r
}

// run returns what a script prints and the error that it ends with.
func run(t *testing.T, src string, opts ...runnel.Option) (string, error) {
	t.Helper()
	o := script(opts...).Run(t, src)
	return o.Printed, o.Err
}

// messageOf runs a script that fails with an IoError, and gives its message.
func messageOf(t *testing.T, script runneltest.Runner, src string) string {
	t.Helper()
	err := script.Run(t, src).Err
	var e *runnel.Error
	require.ErrorAs(t, err, &e, src)
	require.Equal(t, "IoError", e.Kind, src)
	return e.Message
}

// TestScripts runs the scripts of testdata, whose clock must be the real one.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.rnl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, workers := range []int{1, 4} {
			got, err := run(t, string(src), runnel.WithWorkers(workers))
			require.NoError(t, err, file)
			require.Equal(t, runneltest.Expected(string(src)).Printed, got, file)
		}
	}
}

func TestNothingIsReachedWithoutAGrant(t *testing.T) {
	for _, src := range []string{
		`net.connect("127.0.0.1:1")`, `net.connect_tls("127.0.0.1:1")`, `net.connect_unix("/x")`, `net.listen(":0")`,
		`net.listen_unix("/x")`, `net.udp()`, `net.lookup("localhost")`,
	} {
		require.Contains(t, messageOf(t, granting(nil), "import net\n"+src), "does not grant this program access to the network", src)
	}
}

func TestRefusalsNameTheAddress(t *testing.T) {
	none := granting(net.Allow{DialTo: []string{"api.example.com:443"}, ListenOn: []string{"127.0.0.1:9"}})
	for src, want := range map[string]string{
		`net.connect("10.0.0.1:80")`:            `cannot connect to "10.0.0.1:80": the host does not grant it: connections to 10.0.0.1:80`,
		`net.connect_tls("api.example.org:80")`: `connections to api.example.org:80`,
		`net.connect_unix("/run/x")`:            `the socket /run/x`,
		`net.listen("127.0.0.1:0")`:             `listening on 127.0.0.1:0`,
		`net.listen_unix("/run/x")`:             `the socket /run/x`,
		`net.udp(":0")`:                         `listening on :0`,
		`net.lookup("secret.example.org")`:      `the lookup of secret.example.org`,
	} {
		require.Contains(t, messageOf(t, none, "import net\n"+src), want)
		none.Compile(t, `import net
try { `+src+` } catch e: IoError { assert(e.kind == IoKind.NotGranted, e.message()) }`).Prints(t, "")
	}
}

func TestPacketsAreRefusedToStrangers(t *testing.T) {
	stranger, err := stdnet.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	defer stranger.Close()
	only := granting(net.Allow{ListenOn: []string{"127.0.0.1:*"}})
	src := `import net
net.udp("127.0.0.1:0").send("` + stranger.LocalAddr().String() + `", b"x")`
	require.Contains(t, messageOf(t, only, src), "packets to "+stranger.LocalAddr().String())
}

// settled waits until as few goroutines run as before.
func settled(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	return len(entries)
}

// Whatever a script leaves open is closed with its instance, however it ends.
func TestNothingIsLeftOpen(t *testing.T) {
	_, err := run(t, `import net; net.listen("127.0.0.1:0").close()`) // what the first use keeps open
	require.NoError(t, err)
	files, goroutines := openFiles(t), runtime.NumGoroutine()
	for _, end := range []string{``, `throw error("ends")`, `loop {}`} {
		src := `import net
let listener = net.listen("127.0.0.1:0")
let conns = (0..20).map(|_| net.connect(listener.address()))
let others = (0..10).map(|_| listener.accept())
let socket = net.udp("127.0.0.1:0")
for c in conns { spawn { c.read() } }
spawn { socket.recv() }
` + end
		run(t, src, runnel.WithLimits(runnel.Limits{Steps: 1e6}))
	}
	settled(t, goroutines)
	require.Eventually(t, func() bool { return openFiles(t) <= files }, time.Minute, time.Millisecond)
}

// Ten thousand reads that wait take no thread each, and end when they are cancelled.
func TestManyReadsWait(t *testing.T) {
	goroutines, threads := runtime.NumGoroutine(), len(threadsOf(t))
	got := script(runnel.WithWorkers(2)).Run(t, `import net
let listener = net.listen("127.0.0.1:0")
let sockets = (0..400).map(|_| net.connect(listener.address()))
let others = (0..400).map(|_| listener.accept())
let got = chan<bool>(400)
let reads = others.flat_map(|c| (0..25).map(|_| spawn { if c.read_line() == "go" { got.send(true) } }))
for s in sockets { s.write("go\n") }
for _ in 0..400 { got.recv() }
print(reads.len())
for r in reads { r.cancel() }
`)
	require.Equal(t, "10000\n", got.String())
	require.Less(t, len(threadsOf(t))-threads, 50)
	settled(t, goroutines)
}

func threadsOf(t *testing.T) []os.DirEntry {
	t.Helper()
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Skip("no /proc")
	}
	return threads
}

// What a connection sends without end is held only as far as memory is granted.
func TestAnEndlessStreamMeetsTheMemoryLimit(t *testing.T) {
	l, err := stdnet.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				block := bytes.Repeat([]byte("x"), 1<<20)
				for {
					if _, err := conn.Write(block); err != nil {
						return
					}
				}
			}()
		}
	}()
	for _, read := range []string{"read_all()", "read_bytes()", "read_line()", "read_exact(1 << 40)"} {
		src := `import net
net.connect("` + l.Addr().String() + `").` + read
		_, err := run(t, src, runnel.WithLimits(runnel.Limits{Memory: 8 << 20}))
		var e *runnel.Error
		require.True(t, errors.As(err, &e), read)
		require.Contains(t, e.Message, "memory", read)
	}
}
