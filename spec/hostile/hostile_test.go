package hostile_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/all"
	scriptnet "github.com/runnel-lang/runnel/stdlib/net"
)

// hostile is a script of spec/hostile: what it attacks, what it is granted and
// how it must end stand in its first lines.
type hostile struct {
	attack   string
	host     string // "root", "readonly", "silent input", "": nothing
	limits   runnel.Limits
	workers  int
	work     time.Duration // that it makes for processors, at most
	generate string        // the name of the function that makes the source
	stdout   []string
	parts    []string // of the output
	fails    bool     // it ends with an error,
	err      string   // which begins so
	diag     bool
	source   string
}

var headLine = regexp.MustCompile(`^// (attack|host|limit|workers|work|generate|expect part|expect error|expect diagnostic|expect)\b:? ?(.*)$`)

// readHostile reads a script. Where it does not say so its limits are wide.
func readHostile(t *testing.T, file string) hostile {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	h := hostile{source: string(text), work: 10 * time.Second, limits: runnel.Limits{Memory: 64 << 20, Stack: 100_000, Time: 2 * time.Minute}}
	for line := range strings.Lines(h.source) {
		m := headLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			break
		}
		switch value := m[2]; m[1] {
		case "attack":
			h.attack = value
		case "host":
			h.host = value
		case "limit":
			h.limit(t, value)
		case "workers":
			h.workers, err = strconv.Atoi(value)
		case "work":
			h.work, err = time.ParseDuration(value)
		case "generate":
			h.generate = value
		case "expect part":
			h.parts = append(h.parts, value)
		case "expect error":
			h.err, h.fails = value, true
		case "expect diagnostic":
			h.diag = true
		case "expect":
			h.stdout = append(h.stdout, value)
		}
		require.NoError(t, err, line)
	}
	require.NotEmpty(t, h.attack, file)
	return h
}

func (h *hostile) limit(t *testing.T, text string) {
	t.Helper()
	what, value, _ := strings.Cut(text, " ")
	var err error
	switch what {
	case "memory":
		h.limits.Memory, err = strconv.ParseInt(strings.TrimSuffix(value, "MiB"), 10, 64)
		h.limits.Memory <<= 20
	case "steps":
		h.limits.Steps, err = strconv.ParseInt(value, 10, 64)
	case "tasks":
		h.limits.Tasks, err = strconv.ParseInt(value, 10, 64)
	case "time":
		h.limits.Time, err = time.ParseDuration(value)
	default:
		t.Fatalf("no limit of %s", what)
	}
	require.NoError(t, err)
}

// ground is where a hostile script runs: a folder that it is granted, and what
// lies beside it.
type ground struct {
	root, outside string
	before        map[string]string // what lies outside
	granted       string            // the address of a server that may be asked
	canary        string            // of one that may not
	caught        atomic.Int64      // connections to it
}

const secret = "SECRET-OUTSIDE"

func newGround(t *testing.T) *ground {
	t.Helper()
	top := t.TempDir()
	g := &ground{root: filepath.Join(top, "root"), outside: filepath.Join(top, "outside")}
	must := func(err error) { t.Helper(); require.NoError(t, err) }
	must(os.MkdirAll(filepath.Join(g.root, "folder"), 0o700))
	must(os.MkdirAll(filepath.Join(g.outside, "deep"), 0o700))
	must(os.WriteFile(filepath.Join(g.outside, "secret"), []byte(secret), 0o600))
	must(os.WriteFile(filepath.Join(g.outside, "deep", "secret"), []byte(secret), 0o600))
	must(os.WriteFile(filepath.Join(g.root, "file"), []byte(strings.Repeat("a line of the file\n", 20)), 0o600))
	must(os.WriteFile(filepath.Join(g.root, "large"), bytes.Repeat([]byte("0123456789abcdef"), 2<<20), 0o600))
	for name, target := range map[string]string{
		"secret_link": "../outside/secret", "out": g.outside, "up": "..", "two": "secret_link", "loop": "loop", "folder/link": "../../outside", "folder/up": "../..",
	} {
		must(os.Symlink(target, filepath.Join(g.root, name)))
	}
	g.before = contents(t, g.outside)
	g.serve(t)
	return g
}

// serve starts the server that scripts may ask, which sends them to the one
// that they may not.
func (g *ground) serve(t *testing.T) {
	t.Helper()
	canary, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { canary.Close() })
	g.canary = canary.Addr().String()
	go func() {
		for {
			c, err := canary.Accept()
			if err != nil {
				return
			}
			g.caught.Add(1)
			c.Close()
		}
	}()
	mux := http.NewServeMux()
	redirect := func(path, to string, code int) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, code) })
	}
	redirect("/redirect", "http://"+g.canary+"/", http.StatusFound)
	redirect("/redirect307", "//"+g.canary+"/", http.StatusTemporaryRedirect)
	redirect("/twice", "/redirect", http.StatusSeeOther)
	redirect("/scheme", "file:///etc/passwd", http.StatusFound)
	endless := func(w io.Writer) {
		piece := bytes.Repeat([]byte("x"), 1<<16)
		for range 4000 {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) { endless(w) })
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		endless(z)
		z.Close()
	})
	mux.HandleFunc("/headers", func(w http.ResponseWriter, r *http.Request) {
		for i := range 100_000 {
			w.Header().Set(fmt.Sprint("X-", i), "a value that is not short at all")
		}
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	g.granted = server.Listener.Addr().String()
}

// contents of all files below a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = "folder"
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}))
	return all
}

func (h *hostile) hostOf(t *testing.T, g *ground, out io.Writer) runnel.Host {
	t.Helper()
	host := runnel.Host{Stdout: out, Stderr: out}
	switch h.host {
	case "root":
		root, err := os.OpenRoot(g.root)
		require.NoError(t, err)
		t.Cleanup(func() { root.Close() })
		host.FS = runnel.Directory(root)
	case "readonly":
		root, err := os.OpenRoot(g.root)
		require.NoError(t, err)
		t.Cleanup(func() { root.Close() })
		host.FS = runnel.ReadFiles(root.FS())
	case "network":
		host.Grants = []any{scriptnet.Allow{DialTo: []string{g.granted}}}
	case "silent input":
		r, w, err := os.Pipe()
		require.NoError(t, err)
		t.Cleanup(func() { w.Close(); r.Close() })
		host.Stdin = r
	case "":
	default:
		t.Fatalf("no host %q", h.host)
	}
	return host
}

// bounded keeps the first part of what a script prints.
type bounded struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.buf.Len() < 1<<20 {
		b.buf.Write(p)
	}
	return len(p), nil
}

// outcome of a hostile script.
type outcome struct {
	out  string
	err  error
	peak uint64
	took time.Duration
}

// atMost is the time for an attack, on a machine that is busy too.
const atMost = 3 * time.Minute

func (h *hostile) run(t *testing.T, name string, g *ground) outcome {
	t.Helper()
	var out bounded
	src := strings.NewReplacer("$OUTSIDE", g.outside, "$CANARY", g.canary, "$GRANTED", g.granted).Replace(h.source)
	if h.generate != "" {
		src = generators[h.generate]()
	}
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(h.hostOf(t, g, &out)), runnel.WithLimits(h.limits), runnel.WithWorkers(h.workers))
	var o outcome
	done := make(chan struct{})
	go func() {
		defer close(done)
		before := linear.Used()
		o.peak = heapPeak(func() {
			prog, err := rt.Compile(name+".rnl", src)
			if err != nil {
				o.err = err
				return
			}
			ctx, cancel := context.WithTimeout(context.Background(), atMost)
			defer cancel()
			in := prog.NewInstance()
			o.err = in.Run(ctx)
			in.Unhandled()
			in.Close()
		})
		o.took = linear.Used() - before
	}()
	select {
	case <-done:
	case <-time.After(atMost + time.Minute):
		stacks := make([]byte, 1<<20)
		t.Fatalf("it does not end\n%s", stacks[:runtime.Stack(stacks, true)])
	}
	o.out = out.buf.String()
	return o
}

// beyond is what a script may take beyond its memory limit: what Go's collector
// leaves lying, the compiler, what a text under construction is copied to.
func (h *hostile) beyond() uint64 {
	if h.generate != "" {
		return 1 << 30 // the compiler has no limit of memory but those of sizes, and Go collects late on a busy machine
	}
	return uint64(3*h.limits.Memory) + 64<<20
}

// Whatever a script tries, it ends with the error that its first lines tell:
// the process, its files and its goroutines are as before. All attacks take more than a minute:
// without -run or RUNNEL_LONG a twelfth of them is tried.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of attacks")
	}
	files, err := filepath.Glob("*.rnl")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 100)
	g := newGround(t)
	for _, file := range longtest.Sample(files, 20) {
		name := strings.TrimSuffix(filepath.Base(file), ".rnl")
		t.Run(name, func(t *testing.T) {
			h := readHostile(t, file)
			goroutines := runtime.NumGoroutine()
			o := h.run(t, name, g)
			h.compare(t, o)
			if o.peak > h.beyond() {
				t.Errorf("it took %d MiB at most, of %d", o.peak>>20, h.limits.Memory>>20)
			}
			if o.took > h.work {
				t.Errorf("it took %v", o.took)
			}
			if left := leaktest.Left(goroutines); left > 0 {
				t.Errorf("%d goroutines are left", left)
			}
			require.Equal(t, g.before, contents(t, g.outside), "what lies outside")
			require.NotContains(t, o.out, secret)
			require.Zero(t, g.caught.Load(), "connections to a host that is not granted")
		})
	}
}

// compare says where an outcome is not the one expected.
func (h *hostile) compare(t *testing.T, o outcome) {
	t.Helper()
	var broken *runnel.CompileError
	if errors.As(o.err, &broken) {
		if !h.diag && h.generate == "" {
			t.Fatal(broken)
		}
		return
	}
	if h.generate != "" {
		return // it compiled: that it ended is enough
	}
	text := ""
	var e *runnel.Error
	if errors.As(o.err, &e) {
		text = e.Kind + ": " + e.Message
	} else if o.err != nil {
		text = o.err.Error()
	}
	if h.fails != (text != "") || !strings.HasPrefix(text, h.err) {
		t.Errorf("it ended with %.300q, not %q", text, h.err)
	}
	if len(text) > 10_000 {
		t.Errorf("its message has %d bytes", len(text))
	}
	got := strings.Split(strings.TrimSuffix(o.out, "\n"), "\n")
	for _, part := range h.parts {
		if !slices.Contains(got, part) {
			t.Errorf("it did not print %q: %.500q", part, o.out)
		}
	}
	if len(h.stdout) > 0 && !slices.Equal(got, h.stdout) {
		t.Errorf("it printed %.500q", o.out)
	}
}

// Sources too large to be files.
var generators = map[string]func() string{
	"parentheses": nested("let x = ", "(", "1", ")", 1_000_000),
	"blocks":      nested("", "{", "", "}", 100_000),
	"lists":       nested("let x = ", "[", "1", "]", 100_000),
	"types":       nested("let x: ", "[", "int", "]", 100_000),
	"unary":       nested("let x = ", "-", "1", "", 100_000),
	"comment":     nested("", "/*", "", "*/", 1_000_000),
	"strings":     nested("let x = ", `"${`, "1", `}"`, 10_000),
	"closures":    nested("let x = ", "|| { let a = 1; ", "1", "}", 1000),
	"operators":   func() string { return "let x = 1" + strings.Repeat(" + 1", 100_000) + "\nprint(x)\n" },
	"dots":        func() string { return "let x = \"a\"" + strings.Repeat(".upper()", 100_000) + "\nprint(x)\n" },
	"elses": func() string {
		return "let n = 5\nif n == 0 { print(0) }" + strings.Repeat(" else if n == 1 { print(1) }", 20_000) + "\n"
	},
	"literal":   func() string { return "let x = [" + strings.Repeat("1,", 1_000_000) + "1]\nprint(x.len())\n" },
	"text":      func() string { return "let x = \"" + strings.Repeat("x", 30<<20) + "\"\nprint(x.len())\n" },
	"names":     func() string { n := strings.Repeat("x", 1_000_000); return "let " + n + " = 1\nprint(" + n + ")\n" },
	"errors":    func() string { return strings.Repeat("let x: int = \"a\"\nprint(unknown)\n", 50_000) },
	"binary":    func() string { return strings.Repeat("\x00\xff\xfe\x80", 1_000_000) },
	"arguments": func() string { return "fn f(x: int) -> int { x }\nprint(f(" + strings.Repeat("1,", 100_000) + "1))\n" },
	"match":     counted("let n = 7\nprint(match n {\n", "  %d => %[1]d\n", "  _ => -1\n})\n", 50_000),
	"functions": counted("", "fn f%d(x: int) -> int { x + 1 }\n", "print(f7(1))\n", 50_000),
	"locals":    counted("fn f() -> int {\n", "  let v%d = %[1]d\n", "  v7\n}\nprint(f())\n", 100_000),
	"constants": counted("const c0 = \"xxxxxxxxxxxxxxxx\"\n", "const c%d = c%[2]d + c%[2]d\n", "print(c60.len())\n", 60),
	"instances": counted("fn f0<T>(x: T) -> int { 1 }\n", "fn f%d<T>(x: T) -> int { f%[2]d([x]) + f%[2]d((x, x)) }\n", "print(f25(1))\n", 25),
	"instances_endless": func() string {
		return "fn f<T>(x: T, n: int) -> int { if n == 0 { 0 } else { f((x, x), n - 1) } }\nprint(f(1, 3))\n"
	},
	"tuples":     counted("type T0 = (int, int)\n", "type T%d = (T%[2]d, T%[2]d)\n", "fn f(x: T40) -> T40 { x }\nprint(f)\n", 40),
	"interfaces": counted("", "interface I%d { fn m%[1]d() -> int }\nstruct S%[1]d { fn m%[1]d() -> int { 1 } }\n", "let xs: [I7] = [S7()]\nprint(xs[0].m7())\n", 5000),
	"exhaustive": func() string {
		var b strings.Builder
		b.WriteString("enum E { A, B, C, D }\nfn f(")
		const n = 12
		for i := range n {
			fmt.Fprintf(&b, "x%d: E, ", i)
		}
		b.WriteString(") -> int {\n  match (")
		for i := range n {
			fmt.Fprintf(&b, "x%d, ", i)
		}
		b.WriteString(") {\n")
		for i := range n {
			b.WriteString("    (" + strings.Repeat("_, ", i) + "A" + strings.Repeat(", _", n-1-i) + ") => 1\n")
			b.WriteString("    (" + strings.Repeat("B | C, ", i) + "D" + strings.Repeat(", _", n-1-i) + ") => 2\n")
		}
		b.WriteString("  }\n}\n")
		return b.String()
	},
	"cycle": func() string {
		return "struct A { b: B }\nstruct B { a: A }\nstruct C<T> { c: C<[T]>? }\ntype X = [X]\ninterface I { fn i() -> I }\nenum E { F(e: E) }\nlet c = C<int>(none)\nprint(c)\n"
	},
}

func nested(before, open, middle, end string, n int) func() string {
	return func() string { return before + strings.Repeat(open, n) + middle + strings.Repeat(end, n) + "\n" }
}

// counted repeats a line with its number, from 1 on, and the number before it.
func counted(before, line, after string, n int) func() string {
	return func() string {
		var b strings.Builder
		b.WriteString(before)
		for i := 1; i <= n; i++ {
			if strings.Contains(line, "[2]") {
				fmt.Fprintf(&b, line, i, i-1)
			} else {
				fmt.Fprintf(&b, line, i)
			}
		}
		return b.String() + after
	}
}
