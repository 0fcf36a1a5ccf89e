package hostile_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// use is a line of a module's hostile.txt, or of operations.txt here: a native, or an operation
// of the language ("op.concat"), and a piece of program that uses it.
type use struct {
	name  string
	names []string // all that the line is about
	setup string
	expr  string // its values are kept
	do    bool   // it is a statement
}

// undeclared natives are called by the compiler alone.
var undeclared = []string{"buffer.new", "core.bytes", "core.fail_assert", "core.fail_comparison", "core.float", "core.int", "core.print", "core.str"}

// hosted natives are reached through actors in Go that a host gives to a script.
var hosted = []string{"actor.Bell.ring", "actor.Process.end", "actor.Process.runs", "actor.step",
	"reactive.Bell.ring", "reactive.Ear.hear", "reactive.Panic.rethrow", "reactive.new_callers"}

// inlined natives are instructions where they are called.
var inlined = map[string]bool{
	"list.slice": true, "str.slice": true, "bytes.slice": true,
	"bytes.len": true, "chan.recv": true, "chan.send": true, "core.sleep": true, "core.yield_now": true, "float.abs": true, "list.len": true, "list.push": true, "list.swap": true, "mutex.held": true,
	"map.get": true, "map.has": true, "map.len": true, "math.sqrt": true, "set.has": true, "set.len": true, "str.byte_at": true, "str.len": true,
}

// uses reads the catalogue.
func uses(t *testing.T) []use {
	t.Helper()
	files, err := filepath.Glob("../../stdlib/*/hostile.txt")
	require.NoError(t, err)
	require.Greater(t, len(files), 20)
	files = append(files, "operations.txt")
	var list []use
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		list = append(list, usesIn(t, file, string(text))...)
	}
	return list
}

// usesIn reads uses, one on a line.
func usesIn(t *testing.T, file, text string) (list []use) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " :: ")
		require.True(t, len(parts) == 2 || len(parts) == 3, "%s: %s", file, line)
		u := use{names: strings.Split(parts[0], ", "), expr: parts[len(parts)-1]}
		u.name = u.names[0]
		if len(parts) == 3 {
			u.setup = strings.ReplaceAll(parts[1], "; let ", "\nlet ")
		}
		u.expr, u.do = strings.CutPrefix(u.expr, "do ")
		list = append(list, u)
	}
	return list
}

// declared lists the natives that the sources of the library declare.
func declared(t *testing.T) []string {
	t.Helper()
	names := slices.Clone(undeclared)
	for _, s := range stdlib.Prelude() {
		names = append(names, declaredIn(t, "core", s.Text)...)
	}
	for _, m := range all.Modules() {
		names = append(names, declaredIn(t, m.Name, m.Read().Source)...)
		for _, part := range m.Read().Parts { // their natives are called as the module's
			names = append(names, declaredIn(t, m.Name, part)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func declaredIn(t *testing.T, module, source string) (names []string) {
	t.Helper()
	var files diag.FileSet
	file, diags := syntax.Parse(files.Add(module+".rnl", source))
	for _, d := range diags {
		require.NotEqual(t, diag.Error, d.Severity, "%s: %s", module, d.Message)
	}
	add := func(owner string, fns ...*syntax.FnDecl) {
		for _, fn := range fns {
			if fn.Native {
				names = append(names, owner+"."+fn.Name.Text)
			}
		}
	}
	for _, item := range file.Items {
		switch d := item.(type) {
		case *syntax.FnDecl:
			add(module, d)
		case *syntax.StructDecl:
			add(module+"."+d.Name.Text, d.Methods...)
		case *syntax.ExtendDecl:
			add(constructor(d.Target), d.Methods...)
		}
	}
	return names
}

// constructor is what the natives of a built-in type are named after.
func constructor(target syntax.TypeExpr) string {
	switch d := target.(type) {
	case *syntax.ListType:
		return "list"
	case *syntax.OptionalType:
		return "optional"
	case *syntax.NamedType:
		return d.Name.Text
	}
	panic(fmt.Sprintf("methods of %T", target))
}

// Whoever adds a native function adds a use of it.
func TestEveryNativeHasAUse(t *testing.T) {
	var used []string
	for _, u := range uses(t) {
		if !strings.HasPrefix(u.name, "op.") {
			used = append(used, u.names...)
		}
	}
	known := declared(t)
	for _, name := range known {
		if !slices.Contains(used, name) && !slices.Contains(hosted, name) {
			t.Errorf("%s has no line in the hostile.txt of its module", name)
		}
	}
	for _, name := range used {
		if !slices.Contains(known, name) {
			t.Errorf("%s is not declared", name)
		}
	}
}

// usesDecls is what uses find declared.
const usesDecls = `
struct Point { x: int, y: int
  fn sum() -> int { self.x + self.y }
}
struct Empty {}
struct Told { n: int
  fn to_str() -> str { "told" }
}
struct Node { next: Node? }
struct Wide { a: int = 1, b: int = 2, c: str = "c", d: int = 4, e: int = 5, f: str = "f", g: int = 7, h: int = 8, i: int = 9, j: int = 10, k: int = 11 }
enum Chain { End, More(next: Chain) }
interface Shape { fn sum() -> int }
fn kept<T>(f: fn() -> T) -> T { f() }
fn caught(f: fn()) -> Error {
  try { f() } catch e { return e }
  throw error("nothing was thrown")
}
fn double(x: int) -> int { 2 * x }
fn fails(n: int) -> int { if n == 0 { throw error("deep") } else { fails(n - 1) + 1 } }
fn deep(n: int, c: chan<int>) -> int { if n == 0 { c.recv() ?? 0 } else { deep(n - 1, c) + 1 } }
fn linked(n: int) -> Node {
  var head = Node(none)
  for i in 0..n { head = Node(head) }
  head
}
fn scoped() {
  try {
    scope {
      spawn { defer sleep(1h); sleep(1h) }
      spawn { yield_now(); throw error(txt + "!") }
    }
  } catch e { print("caught") }
}
let txt = "né x\n".repeat(200)
let raw = txt.bytes()
let words = ["pear", "fig", "apple"]
let ints = (0..500).to_list()
let strs = ints.map(|i| "text ${i}")
let counts = map<str, int>()
for i in ints { counts["text ${i}"] = i }
let numbers = ints.to_set()
let chain = linked(200)
struct Comb { next: Comb?, n: int }
fn combed(n: int) -> Comb {
  var head = Comb(none, 0)
  for i in 0..n { head = Comb(head, i) }
  head
}
let comb = combed(300)
`

// helpers are functions of uses, each with the modules it needs.
var helpers = map[string]string{
	"Settings(": "struct Settings { port: int = 80, verbose: bool = false }\n",
	"Row>":      "struct Row { a: int, b: str }\n",
	"Piece(": `struct Piece { left: int = 3
  fn read(most: int) -> bytes? {
    if self.left == 0 { return none }
    self.left -= 1
    raw
  }
}
`,
	"filed(": `fn filed() -> int {
  let f = fs.open("opened", "w+")
  defer f.close()
  f.try_lock()
  f.write("a line\n")
  f.write_bytes(raw)
  f.seek(0)
  let got = (f.read_line(), f.read_exact(2), f.read(2), f.size())
  let rest = f.read_bytes()
  f.truncate(3)
  f.sync()
  f.seek(0)
  f.read_all().len() + rest.len()
}
`,
	"echo(": `fn echo(l: net.Listener) {
  for c in l {
    spawn detached {
      try { c.write("line\n"); c.write_bytes(b"12345678"); c.close_write(); let _ = c.read_all(); c.close() } catch e { }
    }
  }
}
`,
	"dialogue(": `fn dialogue(addr: str) -> int {
  let c = net.connect(addr)
  defer c.close()
  let got = (c.read_line(), c.read_exact(2), c.read(2), c.read_bytes(), c.local_address(), c.remote_address())
  let l = net.listen("127.0.0.1:0")
  let t = spawn { let d = net.connect(l.address()); d.close() }
  l.accept().close()
  await t
  l.close()
  got.1.len()
}
`,
	"database(": `fn database(db: sql.Db) -> int {
  db.exec("create table if not exists t (a int, b text)")
  db.transaction(|tx| tx.exec("insert into t values (?, ?)", [1, txt]))
  let s = db.prepare("select a, b from t limit 3")
  let rows = s.query()
  s.exec()
  s.close()
  let all = db.query("select a, b from t limit 3")
  let db2 = sql.open("sqlite::memory:")
  db2.close()
  for r in db.rows<map<str, any>>("select a from t limit 2") { break }
  rows.len() + all.len()
}
`,
	"asked(": `fn asked(req: http.Request) -> http.Response {
  let got = (req.method(), req.path(), req.target(), req.host(), req.remote(), req.is_secure(), req.header("X"), req.headers(), req.query("x"), req.query_entries(), req.cookie("c"), req.read(10))
  http.text("${got}").header("X", "y")
}
`,
	"fetched(": `fn fetched(url: str) -> int {
  let r = http.get(url)
  let n = (r.url(), r.header("X"), r.headers(), r.read(3), r.bytes().len())
  r.close()
  n.4
}
`,
	"routed(": `fn routed() -> str {
  let router = http.router()
  router.get("/a/{id}", |req| http.text(req.param("id")).cookie("a", "b"))
  let server = http.listen("127.0.0.1:0", |req| router.serve(req))
  defer server.stop(1s)
  http.get("http://${server.address()}/a/7").text()
}
`,
	"Echo(": `enum Word { Hear(text: str), Count(reply: actor.Reply<int>), Refuse(reply: actor.Reply<int>), Keep(reply: actor.Reply<int>), Fail }
struct Echo {
  n: int = 0
  held: actor.Reply<int>? = none
  fn receive(msg: Word, ctx: actor.Context<Word>) {
    match msg {
      Hear(text) => { self.n += text.len() }
      Count(reply) => reply.send(self.n)
      Refuse(reply) => reply.fail(error("no"))
      Keep(reply) => { self.held = reply }
      Fail => throw error(txt)
    }
  }
}
`,
	"Timed(": `struct Timed { n: int = 0
  fn on_start(ctx: actor.Context<int>) { ctx.every(1ms, 1, key: "tick") }
  fn receive(by: int, ctx: actor.Context<int>) {
    self.n += by
    if self.n == 3 { ctx.stop() }
  }
}
`,
	"talked(": `fn talked(url: str) -> int {
  let ws = http.Client().websocket(url)
  ws.send("a")
  let got = (ws.next(), ws.next(), ws.protocol())
  ws.close()
  ws.close_code()
}
`,
}

// program returns the source of a use; body is what is done with it: $ stands for
// the expression.
func (u use) program(value, statement string) string {
	var b strings.Builder
	code := u.setup + u.expr
	for name, text := range helpers {
		if strings.Contains(u.setup+u.expr, name) {
			code += text
		}
	}
	for _, m := range all.Modules() {
		if regexp.MustCompile(`(^|[^\w.])` + m.Name + `\.`).MatchString(code) {
			fmt.Fprintf(&b, "import %s\n", m.Name)
		}
	}
	b.WriteString("import probe\n" + usesDecls + code[len(u.setup+u.expr):])
	if strings.Contains(code, "moment") {
		b.WriteString("let moment = time.date(2020, 1, 2)\n")
		if !strings.Contains(code, "time.") {
			return "import time\n" + b.String() + u.body(value, statement)
		}
	}
	return b.String() + u.body(value, statement)
}

func (u use) body(value, statement string) string {
	form := value
	if u.do {
		form = statement
	}
	return u.setup + "\n" + strings.ReplaceAll(form, "$", u.expr)
}

// grantedHost grants what uses need, within a folder of the test.
func grantedHost(t *testing.T) runnel.Host {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte(strings.Repeat("a line of text\n", 100)), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return runnel.Host{
		Stdout: discard{}, Stderr: discard{}, Stdin: &lines{},
		Args:     []string{"a", "b"},
		Location: time.UTC,
		Env:      func(name string) (string, bool) { return "value of " + name, true },
		Now:      time.Now,
		Mono:     func() time.Duration { return time.Hour },
		FS:       host.RootFS{Root: root},
		Exit:     func(code int) { panic(fmt.Sprintf("exit with %d", code)) },
		Grants:   all.Grants(),
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// lines is an input of one line at a time that always goes on after its end.
type lines struct{ end bool }

func (l *lines) Read(p []byte) (int, error) {
	if l.end = !l.end; l.end {
		return copy(p, "a line of the input\n"), nil
	}
	return 0, io.EOF
}

// runUse runs a use's program to its end, against a clock.
func runUse(t *testing.T, u use, src string, within time.Duration, opts ...runnel.Option) (*runnel.Instance, error) {
	t.Helper()
	prog, err := runnel.MustNew(append(opts, runnel.WithModules(all.Modules()...))...).Compile(u.name+".rnl", src)
	if err != nil {
		return nil, err
	}
	for _, name := range u.names {
		found := strings.HasPrefix(name, "op.") || inlined[name]
		for _, n := range prog.Code.Natives {
			found = found || n.Name == name
		}
		if !found {
			t.Errorf("%s is not used by: %s", name, u.expr)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	in := prog.NewInstance()
	return in, in.Run(ctx)
}
