package runnel_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	gonet "net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	gotime "time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/stdlib/reactive"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// mistake is what code of a host does wrong in the tests below: it panics, or ends
// the goroutine that it is called on.
type mistake func()

// wrongHost is a host whose code makes its mistake wherever it is called.
type wrongHost struct{ mistake }

func (h wrongHost) Write([]byte) (int, error)                     { h.mistake(); return 0, nil }
func (h wrongHost) Read([]byte) (int, error)                      { h.mistake(); return 0, io.EOF }
func (h wrongHost) Event(runnel.Event)                            { h.mistake() }
func (h wrongHost) Choose(int) int                                { h.mistake(); return 0 }
func (h wrongHost) Open(string) (fs.File, error)                  { h.mistake(); return nil, fs.ErrNotExist }
func (h wrongHost) FillRandom([]byte)                             { h.mistake() }
func (h wrongHost) Environ() []string                             { h.mistake(); return nil }
func (h wrongHost) PID() int                                      { h.mistake(); return 0 }
func (h wrongHost) Dir() (string, error)                          { h.mistake(); return "", nil }
func (h wrongHost) Hostname() (string, error)                     { h.mistake(); return "", nil }
func (h wrongHost) User() (string, error)                         { h.mistake(); return "", nil }
func (h wrongHost) LoadLocation(string) (*gotime.Location, error) { h.mistake(); return nil, nil }
func (h wrongHost) Notify(chan<- os.Signal, ...os.Signal) func()  { h.mistake(); return func() {} }
func (h wrongHost) Dial(context.Context, string, string) (gonet.Conn, error) {
	h.mistake()
	return nil, io.EOF
}
func (h wrongHost) Listen(context.Context, string, string) (gonet.Listener, error) {
	h.mistake()
	return nil, io.EOF
}
func (h wrongHost) ListenPacket(context.Context, string, string) (gonet.PacketConn, error) {
	h.mistake()
	return nil, io.EOF
}
func (h wrongHost) Lookup(context.Context, string) ([]string, error) { h.mistake(); return nil, nil }

// wrongSources are wrong on every file.
type wrongSources struct{ mistake }

func (s wrongSources) Read(string) (string, error) { s.mistake(); return "", nil }

// wrongFile is a file whose methods are wrong from the one on that is named.
type wrongFile struct {
	fs.File
	wrong map[string]mistake
}

func (f wrongFile) did(name string) {
	if m := f.wrong[name]; m != nil {
		m()
	}
}
func (f wrongFile) Read(p []byte) (int, error) { f.did("read"); return f.File.Read(p) }
func (f wrongFile) Stat() (fs.FileInfo, error) { f.did("stat"); return f.File.Stat() }
func (f wrongFile) Close() error               { f.did("close"); return f.File.Close() }

// wrongFiles has one file.
type wrongFiles map[string]mistake

func (w wrongFiles) Open(name string) (fs.File, error) {
	f, err := fstest.MapFS{"a.txt": {Data: []byte("text")}}.Open(name)
	if err != nil {
		return nil, err
	}
	return wrongFile{f, w}, nil
}

// wrongConn is a connection whose methods are wrong.
type wrongConn struct {
	gonet.Conn
	wrong map[string]mistake
}

func (c wrongConn) did(name string) {
	if m := c.wrong[name]; m != nil {
		m()
	}
}
func (c wrongConn) Read(p []byte) (int, error)  { c.did("read"); return c.Conn.Read(p) }
func (c wrongConn) Write(p []byte) (int, error) { c.did("write"); return c.Conn.Write(p) }
func (c wrongConn) Close() error                { defer c.Conn.Close(); c.did("close"); return nil }
func (c wrongConn) SetReadDeadline(t gotime.Time) error {
	c.did("deadline")
	return c.Conn.SetReadDeadline(t)
}

// wrongNet gives connections to nobody.
type wrongNet map[string]mistake

func (w wrongNet) Dial(context.Context, string, string) (gonet.Conn, error) {
	near, _ := gonet.Pipe()
	return wrongConn{near, w}, nil
}
func (w wrongNet) Listen(context.Context, string, string) (gonet.Listener, error) {
	ln, err := gonet.Listen("tcp", "127.0.0.1:0")
	return wrongListener{ln, w}, err
}
func (w wrongNet) ListenPacket(context.Context, string, string) (gonet.PacketConn, error) {
	return nil, io.EOF
}
func (w wrongNet) Lookup(context.Context, string) ([]string, error) { return nil, io.EOF }

type wrongListener struct {
	gonet.Listener
	wrong map[string]mistake
}

func (l wrongListener) Accept() (gonet.Conn, error) {
	if m := l.wrong["accept"]; m != nil {
		m()
	}
	return l.Listener.Accept()
}
func (l wrongListener) Close() error {
	defer l.Listener.Close()
	if m := l.wrong["close"]; m != nil {
		m()
	}
	return nil
}

// wrongCode is a place where code of a host is called.
type wrongCode struct {
	name    string
	host    func(m mistake) runnel.Host
	options func(m mistake) []runnel.Option
	src     string                                             // has `pub fn act()`
	act     func(t *testing.T, in *runnel.Instance, m mistake) // called instead of it, if any
	// told says that the mistake is no part of a call: Unhandled tells of a panic.
	told bool
	// quiet says that nobody is told: there is nothing that waits for what it does.
	quiet bool
	// stays says that its goroutine, on which tasks are chosen and counted, has to stay.
	stays bool
}

func hostWith(set func(h *runnel.Host, m mistake)) func(m mistake) runnel.Host {
	return func(m mistake) runnel.Host {
		var h runnel.Host
		set(&h, m)
		return h
	}
}

func granting(grant func(m mistake) any) func(m mistake) runnel.Host {
	return hostWith(func(h *runnel.Host, m mistake) { h.Grants = []any{grant(m)} })
}

func wrongFS(method string) func(m mistake) runnel.Host {
	return hostWith(func(h *runnel.Host, m mistake) { h.FS = runnel.ReadFiles(wrongFiles{method: m}) })
}

func wrongNetwork(method string) func(m mistake) runnel.Host {
	return granting(func(m mistake) any { return wrongNet{method: m} })
}

func option(o func(m mistake) runnel.Option) func(m mistake) []runnel.Option {
	return func(m mistake) []runnel.Option { return []runnel.Option{o(m)} }
}

const actorScript = `import actor
struct A { fn receive(n: int, ctx: actor.Context<int>) { if n == 9 { throw error("nine") } } }
pub fn start() -> actor.Ref<int> { actor.start(A()) }
pub fn act() { actor.start(A()).tell(9) }
`

const cellScript = "import reactive\npub let c = reactive.cell(1)\npub fn act() { c.set(2) }\n"

func anyHost(m mistake) any { return wrongHost{m} }

// collected has what nobody refers to any more cleaned up.
func collected() {
	for range 3 {
		runtime.GC()
		gotime.Sleep(5 * gotime.Millisecond)
	}
}

var wrongCodes = []wrongCode{
	{name: "Watch", src: actorScript, told: true, act: func(t *testing.T, in *runnel.Instance, m mistake) {
		start, err := runnel.Bind0[*actor.Ref](in, "start")
		require.NoError(t, err)
		ref, err := start(t.Context())
		require.NoError(t, err)
		require.NoError(t, ref.Watch(func(actor.Exit) { m() }))
		require.NoError(t, ref.Kill())
	}},
	{name: "WithUnhandled", src: "pub fn act() { spawn { throw error(\"lost\") }; sleep(1ms) }", told: true,
		options: option(func(m mistake) runnel.Option { return runnel.WithUnhandled(func(*runnel.Error) { m() }) }),
		act: func(t *testing.T, in *runnel.Instance, _ mistake) {
			_, err := in.Call(t.Context(), "act")
			require.NoError(t, err)
			collected()
		}},
	{name: "WithObserver", stays: true, src: "pub fn act() { await spawn { sleep(1ms) } }", told: true,
		options: option(func(m mistake) runnel.Option { return runnel.WithObserver(wrongHost{m}) })},
	{name: "WithChooser", stays: true, src: "pub fn act() { for _ in 0..3 { spawn { yield_now() } }; sleep(1ms) }", told: true,
		options: option(func(m mistake) runnel.Option {
			return runnel.WithChooser(func() reactor.Chooser { return wrongHost{m} })
		})},
	{name: "Subscribe", src: cellScript, told: true, act: func(t *testing.T, in *runnel.Instance, m mistake) {
		c, err := runnel.Get[*reactive.Cell[int]](in, "c")
		require.NoError(t, err)
		_, err = c.Subscribe(t.Context(), func(int) { m() })
		require.NoError(t, err)
		require.NoError(t, c.Set(t.Context(), 2))
	}},
	{name: "OnError", src: "import reactive\npub let c = reactive.cell(1)\nreactive.effect(|| { if c.get() == 2 { throw error(\"two\") } })\npub fn act() { c.set(2) }", told: true,
		act: func(t *testing.T, in *runnel.Instance, m mistake) {
			_, err := reactive.OnError(in, func(reactive.Failure) { m() })
			require.NoError(t, err)
			_, err = in.Call(t.Context(), "act")
			require.NoError(t, err)
		}},
	{name: "Stdout", src: `pub fn act() { print("x") }`, host: hostWith(func(h *runnel.Host, m mistake) { h.Stdout = wrongHost{m} })},
	{name: "Stderr", src: "import io\npub fn act() { io.eprint(\"x\") }", host: hostWith(func(h *runnel.Host, m mistake) { h.Stderr = wrongHost{m} })},
	{name: "io.write", src: "import io\npub fn act() { io.write(\"x\") }", host: hostWith(func(h *runnel.Host, m mistake) { h.Stdout = wrongHost{m} })},
	{name: "NewOutput", src: "import io\npub fn act() { print(\"x\"); io.flush() }", host: hostWith(func(h *runnel.Host, m mistake) { h.Stdout = host.NewOutput(wrongHost{m}) })},
	{name: "NewUnbufferedOutput", src: "pub fn act() { print(\"x\") }", host: hostWith(func(h *runnel.Host, m mistake) { h.Stdout = host.NewUnbufferedOutput(wrongHost{m}) })},
	{name: "NewOutput later", src: "pub fn act() { print(\"x\"); sleep(50ms) }", quiet: true, host: hostWith(func(h *runnel.Host, m mistake) { h.Stdout = host.NewOutput(wrongHost{m}) })},
	{name: "Stdin", src: "import io\npub fn act() { io.stdin.read_line() }", host: hostWith(func(h *runnel.Host, m mistake) { h.Stdin = wrongHost{m} })},
	{name: "Env", src: "import sys\npub fn act() { sys.env(\"x\") }", host: hostWith(func(h *runnel.Host, m mistake) { h.Env = func(string) (string, bool) { m(); return "", false } })},
	{name: "Now", src: "import time\npub fn act() { time.now() }", host: hostWith(func(h *runnel.Host, m mistake) { h.Now = func() gotime.Time { m(); return gotime.Time{} } })},
	{name: "Mono", src: "import time\npub fn act() { time.mono() }", host: hostWith(func(h *runnel.Host, m mistake) { h.Mono = func() gotime.Duration { m(); return 0 } })},
	{name: "Exit", src: "import sys\npub fn act() { sys.exit(1) }", host: hostWith(func(h *runnel.Host, m mistake) { h.Exit = func(int) { m() } })},
	{name: "Zones", src: "import time\npub fn act() { time.zone(\"Europe/Oslo\") }", host: granting(anyHost)},
	{name: "Signals", src: "import sys\npub fn act() { sys.signals([\"int\"]) }", host: granting(anyHost)},
	{name: "Machine", src: "import sys\npub fn act() { sys.environ() }", host: granting(anyHost)},
	{name: "Machine.PID", src: "import sys\npub fn act() { sys.pid() }", host: granting(anyHost)},
	{name: "Machine.User", src: "import sys\npub fn act() { sys.user() }", host: granting(anyHost)},
	{name: "Random", src: "import crypto\npub fn act() { crypto.random_bytes(8) }", host: granting(anyHost)},
	{name: "Network.Dial", src: "import net\npub fn act() { net.connect(\"a:1\") }", host: granting(anyHost)},
	{name: "Network.Listen", src: "import net\npub fn act() { net.listen(\"a:1\") }", host: granting(anyHost)},
	{name: "Network.Lookup", src: "import net\npub fn act() { net.lookup(\"a\") }", host: granting(anyHost)},
	{name: "Conn.Read", src: "import net\npub fn act() { net.connect(\"a:1\").read(1) }", host: wrongNetwork("read")},
	{name: "Conn.Write", src: "import net\npub fn act() { net.connect(\"a:1\").write(\"x\") }", host: wrongNetwork("write")},
	{name: "Conn.Close", src: "import net\npub fn act() { net.connect(\"a:1\").close() }", host: wrongNetwork("close")},
	{name: "Conn.Close forgotten", src: "import net\npub fn act() { net.connect(\"a:1\") }", host: wrongNetwork("close"), quiet: true},
	{name: "Conn.SetReadDeadline", src: "import net\npub fn act() { timeout(5ms, || net.connect(\"a:1\").read(1)) }", host: wrongNetwork("deadline"), quiet: true},
	{name: "Listener.Accept", src: "import net\npub fn act() { net.listen(\"a:1\").accept() }", host: wrongNetwork("accept")},
	{name: "Listener.Close", src: "import net\npub fn act() { net.listen(\"a:1\").close() }", host: wrongNetwork("close")},
	{name: "http client", src: "import http\npub fn act() { http.get(\"http://a:1/\") }", host: wrongNetwork("read")},
	{name: "http client writes", src: "import http\npub fn act() { http.get(\"http://a:1/\") }", host: wrongNetwork("write")},
	{name: "http client closes", src: "import http\npub fn act() { try { timeout(20ms, || http.get(\"http://a:1/\")) } catch e {} }", host: wrongNetwork("close"), quiet: true},
	{name: "http server", src: "import http\npub fn act() { let s = http.listen(\"a:1\", |q: http.Request| http.text(\"x\")); sleep(5ms); s.stop() }", host: wrongNetwork("accept"), quiet: true},
	{name: "FS.OpenFile", src: "import fs\npub fn act() { fs.read(\"a.txt\") }", host: hostWith(func(h *runnel.Host, m mistake) { h.FS = runnel.ReadFiles(wrongHost{m}) })},
	{name: "FS.Stat", src: "import fs\npub fn act() { fs.stat(\"a.txt\") }", host: hostWith(func(h *runnel.Host, m mistake) { h.FS = runnel.ReadFiles(wrongHost{m}) })},
	{name: "File.Read", src: "import fs\npub fn act() { fs.read(\"a.txt\") }", host: wrongFS("read")},
	{name: "File.Close", src: "import fs\npub fn act() { fs.open(\"a.txt\").close() }", host: wrongFS("close")},
	{name: "File.Close forgotten", src: "import fs\npub fn act() { fs.open(\"a.txt\") }", host: wrongFS("close"), quiet: true},
}

// What code of a host does wrong harms neither the process nor the instance,
// wherever it is called: who asked for it is told, or the instance tells.
func TestMistakesOfAHostHarmNothingElse(t *testing.T) {
	for _, code := range wrongCodes {
		t.Run(code.name, func(t *testing.T) { code.run(t, "panic", func() { panic("a mistake of the host") }) })
		if code.stays {
			continue
		}
		t.Run(code.name+" exits", func(t *testing.T) { code.run(t, "exit", runtime.Goexit) })
	}
}

func (code wrongCode) run(t *testing.T, how string, wrong func()) {
	before := runtime.NumGoroutine()
	var mu sync.Mutex
	armed := false // not while it starts
	m := func() {
		mu.Lock()
		now := armed
		mu.Unlock()
		if now {
			wrong()
		}
	}
	arm := func(now bool) {
		mu.Lock()
		defer mu.Unlock()
		armed = now
	}
	opts := []runnel.Option{runnel.WithModules(all.Modules()...)}
	if code.host != nil {
		opts = append(opts, runnel.WithHost(code.host(m)))
	}
	if code.options != nil {
		opts = append(opts, code.options(m)...)
	}
	p, err := runnel.MustNew(opts...).Compile("script.rnl", code.src+"\npub fn fine() -> int { 7 }\n")
	require.NoError(t, err)
	in, err := p.Start(context.Background())
	require.NoError(t, err)
	arm(true)
	returned := false
	inParallel(t, func() {
		if code.act != nil {
			code.act(t, in, m)
		} else {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if how == "exit" { // others may wait for what does not come any more
				ctx, cancel = context.WithTimeout(ctx, 200*gotime.Millisecond)
				defer cancel()
			}
			_, err = in.Call(ctx, "act")
		}
		returned = true
	})
	switch {
	case how == "exit" || code.quiet:
	case !code.told:
		require.True(t, returned)
		require.ErrorContains(t, err, "a mistake of the host")
		var panicked *host.Panic
		require.ErrorAs(t, err, &panicked)
		assert.Regexp(t, `^\w+\.rnl:\d+:\d+: `, err.Error())
	default:
		require.NoError(t, err)
		assert.Eventually(t, func() bool {
			for _, e := range in.Unhandled() {
				var panicked *host.Panic
				if errors.As(e, &panicked) && strings.Contains(e.Error(), "a mistake of the host") {
					return true
				}
			}
			return false
		}, gotime.Minute, gotime.Millisecond)
	}
	collected()
	for range 3 {
		inParallel(t, func() {
			got, err := in.Call(context.Background(), "fine")
			assert.NoError(t, err)
			assert.Equal(t, 7, got)
		})
	}
	began := gotime.Now()
	inParallel(t, in.Close)
	assert.Less(t, gotime.Since(began), vm.Grace)
	require.Zero(t, leaktest.Left(before), "goroutines left")
}

// The seed is asked for when the script begins.
func TestASeedThatPanics(t *testing.T) {
	host := runnel.Host{RandSeed: func() uint64 { panic("a mistake of the host") }}
	p, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host)).Compile("script.rnl", "import rand\nprint(rand.float())")
	require.NoError(t, err)
	_, err = p.Start(t.Context())
	require.ErrorContains(t, err, "HostError: panic: a mistake of the host")
}

// Sources are asked while a program is compiled.
func TestSourcesThatPanic(t *testing.T) {
	rt := runnel.MustNew(runnel.WithSources(wrongSources{func() { panic("a mistake of the host") }}))
	_, err := rt.Compile("script.rnl", "import \"./other\"\n")
	require.ErrorContains(t, err, "cannot read other.rnl: panic: a mistake of the host")
	s, err := rt.NewSession()
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Eval(t.Context(), "e", "import \"./other\"\n")
	require.ErrorContains(t, err, "a mistake of the host")
	res, err := s.Eval(t.Context(), "e", "1 + 1")
	require.NoError(t, err)
	assert.Equal(t, "2", res.Text)
}

// A chooser that chooses what there is not has chosen the first.
func TestAChooserThatChoosesWhatIsNotThere(t *testing.T) {
	for _, choice := range []int{-1, 1 << 40} {
		in := begin(t, "pub fn act() -> int { let ts = [1, 2, 3].map(|x| spawn { yield_now(); x }); ts.map(|t| await t).sum() }",
			runnel.WithChooser(func() reactor.Chooser { return chooses(choice) }))
		got, err := in.Call(t.Context(), "act")
		require.NoError(t, err)
		assert.Equal(t, 6, got)
		assert.Eventually(t, func() bool { return len(in.Unhandled()) == 1 }, gotime.Minute, gotime.Millisecond)
	}
}

type chooses int

func (c chooses) Choose(int) int { return int(c) }

// A task whose goroutine a native ends has not succeeded.
func TestASpawnedCallWhoseGoroutineIsEnded(t *testing.T) {
	in := begin(t, exitingScript, runnel.WithModules(exiting()))
	for _, name := range []string{"exit", "slow"} {
		task, err := in.Spawn(t.Context(), name)
		require.NoError(t, err)
		_, err = task.Wait(t.Context())
		require.ErrorContains(t, err, "runtime.Goexit")
	}
}
