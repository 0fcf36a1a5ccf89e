package runnel_test

import (
	"bytes"
	"context"
	"strconv"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// session runs entries and says what each gives.
type session struct {
	*runnel.Session
	t   *testing.T
	out bytes.Buffer
}

func newSession(t *testing.T, opts ...runnel.Option) *session {
	t.Helper()
	s := &session{t: t}
	rt := runnel.MustNew(append([]runnel.Option{runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: &s.out})}, opts...)...)
	live, err := rt.NewSession()
	require.NoError(t, err)
	t.Cleanup(live.Close)
	s.Session = live
	return s
}

// enter returns what an entry has printed, its value and type, or its error.
func (s *session) enter(src string) string {
	s.t.Helper()
	s.out.Reset()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute)
	defer cancel()
	res, err := s.Eval(ctx, "entry", src)
	text := s.out.String()
	switch {
	case err != nil:
		text += err.Error()
	case res.Type != "":
		text += res.Text + ": " + res.Type
	}
	return text
}

func TestEntriesTakeApartAndAssignSeveral(t *testing.T) {
	s := newSession(t)
	for _, step := range []struct{ src, want string }{
		{`let pairs = [("a", 1), ("b", 2)]`, ""},
		{"for (k, v) in pairs { print(k, v) }", "a 1\nb 2\n"},
		{"pairs.map(|(_, v)| v) + [3]", "[1, 2, 3]: [int]"},
		{"var (low, .., high) = (1, 5, 9)", ""},
		{"(low, high) = (high, low)", ""},
		{"(low, high)", "(9, 1): (int, int)"},
		{"fn f(n: int) -> int {\n  fn go(k: int, by: int = low) -> int { if k == 0 { by } else { go(k - 1, by: by + 1) } }\n  go(n)\n}", ""},
		{"f(3)", "12: int"},
		{"let low = 100", ""},
		{"f(3)", "12: int"},
	} {
		require.Equal(t, step.want, s.enter(step.src), step.src)
	}
}

func TestAnEntryShowsValuesOfTheLibrary(t *testing.T) {
	s := newSession(t)
	for _, step := range []struct{ src, want string }{
		{"import big", ""},
		{"big.of(2) ** 70", "1180591620717411303424: Int"},
		{"import decimal", ""},
		{"({\"tea\": decimal.parse(\"2.50\")})", "{\"tea\": 2.5}: map<str, Decimal>"},
		{"import time", ""},
		{"(time.date(2024, 3, 5), 0..3)", "(2024-03-05T00:00:00Z, 0..3): (Time, range)"},
		{"big.of(2) ** 100_000", "<an integer of about 100008 bits>: Int"},
	} {
		require.Equal(t, step.want, s.enter(step.src), step.src)
	}
}

func TestEntriesShowByMethodsOfLaterOnes(t *testing.T) {
	s := newSession(t)
	for _, step := range []struct{ src, want string }{
		{"fn told(x: any) -> str { \"<${x}>\" }\nlet all: [any] = []", ""},
		{"told(all)", `"<[]>": str`},
		{"struct M { n: int, fn to_str() -> str { \"m${self.n}\" } }", ""},
		{"all.push(M(1)); all.push([M(2)])", ""},
		{"told(all)", `"<[m1, [m2]]>": str`},
		{"print(all, M(3))", "[m1, [m2]] m3\n"},
		{"M(3)", "M(n: 3): M"},
		{"struct M { n: int }", ""},
		{"print(all, M(3))", "[m1, [m2]] M(n: 3)\n"},
	} {
		require.Equal(t, step.want, s.enter(step.src), step.src)
	}
}

func TestEntriesSeeThoseBeforeThem(t *testing.T) {
	s := newSession(t)
	for _, step := range []struct{ src, want string }{
		{"1 + 2", "3: int"},
		{"_ * 2", "6: int"},
		{"let x = 40", ""},
		{"fn add(n: int) -> int { x + n }", ""},
		{"add(2)", "42: int"},
		{`let x = "new"`, ""},
		{"x", `"new": str`},
		{"add(2)", "42: int"},
		{"var n = 0", ""},
		{"n += 5; n", "5: int"},
		{"struct P { a: int\n b: str }", ""},
		{`let p = P(1, "b")`, ""},
		{"p", `P(a: 1, b: "b"): P`},
		{"struct P { c: float }", ""},
		{"[P(1.5)]", "[P(c: 1.5)]: [P]"},
		{"p.b", `"b": str`},
		{"import json", ""},
		{"json.encode([1, 2])", `"[1,2]": str`},
		{"fn id<T>(v: T) -> T { v }", ""},
		{`(id(1), id("s"))`, `(1, "s"): (int, str)`},
		{"id(1.5)", "1.5: float"},
		{"interface Shape { fn area() -> float }", ""},
		{"struct Sq { s: float\n fn area() -> float { self.s * self.s } }", ""},
		{"fn total(list: [Shape]) -> float { var t = 0.0; for s in list { t += s.area() }; t }", ""},
		{"total([Sq(2.0)])", "4.0: float"},
		{"struct Ci { fn area() -> float { 3.0 } }", ""},
		{"total([Sq(2.0), Ci()])", "7.0: float"},
		{"let f = add", ""},
		{"f(1)", "41: int"},
		{"if x == x { 3 } else { 4 }", "3: int"},
		{"if x == x { print(1) }", "1\n"},
		{"print(2)", "2\n"},
		{"const k = 7", ""},
		{"k * 2", "14: int"},
		{"fn main() { print(9) }", ""},
		{"main()", "9\n"},
	} {
		require.Equal(t, step.want, s.enter(step.src), step.src)
	}
}

func TestAnEntryThatFailsHarmsNoOther(t *testing.T) {
	s := newSession(t)
	s.enter("let x = 1\nfn twice(n: int) -> int { n * 2 }")
	require.Contains(t, s.enter(`let x = "a" + 1`), "E0")
	require.Contains(t, s.enter("let y = "), "E01")
	require.Contains(t, s.enter("import nothing_of_that_name"), "there is no module")
	require.Equal(t, "1: int", s.enter("x"))
	require.Contains(t, s.enter("fn boom() -> int { throw error(\"bad\") }\nlet z = 5\nlet x = boom()"), "bad")
	require.Equal(t, "5: int", s.enter("z"))
	require.Equal(t, "1: int", s.enter("x"), "a variable that got no value hides nothing")
	require.Contains(t, s.enter("boom()"), "bad")
	require.Equal(t, "6: int", s.enter("twice(3)"))
	require.Contains(t, s.enter("fn deep<T>(v: T, n: int) -> int { deep([v], n - 1) }\ndeep(1, 3)"), "E0803")
	require.Contains(t, s.enter("deep(1, 3)"), "there is no")
	require.Equal(t, "6: int", s.enter("twice(3)"))
	require.Equal(t, `["a", "b"]: [str]`, s.enter(`"a b".split(" ")`))
}

func TestTasksGoOnBetweenEntries(t *testing.T) {
	for _, workers := range []int{1, 4} {
		s := newSession(t, runnel.WithWorkers(workers))
		s.enter(`let jobs = chan<any>(1)
let texts = chan<str>(1)
let worker = spawn { for j in jobs { texts.send("got ${j}") } }`)
		for i := range 50 {
			n := strconv.Itoa(i)
			got := s.enter("struct S" + n + " { n: int }\njobs.send(S" + n + "(" + n + "))\ntexts.recv()")
			require.Equal(t, `"got S`+n+`(n: `+n+`)": str?`, got)
		}
		require.Len(t, s.Tasks(), 1)
		require.Equal(t, "waits to receive", s.Tasks()[0].State)
		require.Equal(t, "", s.enter("jobs.close()\nawait worker"))
		require.Empty(t, s.Tasks())
	}
}

// Code that runs while the program grows is the code that has been running.
func TestTheProgramGrowsUnderRunningTasks(t *testing.T) {
	s := newSession(t, runnel.WithWorkers(4))
	require.Equal(t, "", s.enter(`import sync
let stop = sync.atomic(0)
interface Weighed { fn weight() -> int }
fn weigh(list: [Weighed]) -> int { var n = 0; for x in list { n += x.weight() }; n }
fn spin(k: int) -> int {
  let l = [k, 2, 3]
  var n = 0
  while stop.load() == 0 { n += l.map(|x| x + 1).sum() % 7; if n > 1000 { n = 0 } }
  k
}
let spinning = [spawn spin(0), spawn spin(1), spawn spin(2), spawn spin(3)]`))
	for i := range 30 {
		n := strconv.Itoa(i)
		require.Equal(t, n+": int", s.enter("struct W"+n+" { fn weight() -> int { "+n+" } }\nweigh([W"+n+"()])"))
	}
	require.Equal(t, "[0, 1, 2, 3]: [int]", s.enter("stop.store(1)\nawait_all(spinning)"))
}

func TestTheEndOfAContextEndsTheEntryAlone(t *testing.T) {
	s := newSession(t, runnel.WithWorkers(2))
	s.enter("let ticks = chan<int>(100)\nlet ticker = spawn { var n = 0; loop { sleep(1ms); n += 1; if n < 50 { ticks.send(n) } } }")
	for _, src := range []string{"loop { }", "sleep(1h)", "chan<int>().recv()", "await ticker"} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := s.Eval(ctx, "entry", src)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded, src)
	}
	require.Contains(t, s.enter("ticks.recv()"), ": int?")
	require.Len(t, s.Tasks(), 1)
}

func TestAFileThatIsMendedCanBeImported(t *testing.T) {
	files := fstest.MapFS{"geo.rnl": {Data: []byte("pub fn area() -> int { 3 +")}}
	s := newSession(t, runnel.WithSources(runnel.FSSources(files)))
	require.Contains(t, s.enter("import \"./geo\""), "geo.rnl:1")
	files["geo.rnl"] = &fstest.MapFile{Data: []byte("import json\npub let base = json.encode([1])\npub fn area() -> int { 3 }")}
	require.Equal(t, `(3, "[1]"): (int, str)`, s.enter("import \"./geo\"\n(geo.area(), geo.base)"))
	require.Equal(t, "3: int", s.enter("geo.area()"))
}

func TestTypesOfExpressionsAreToldWithoutRunningThem(t *testing.T) {
	s := newSession(t)
	s.enter("let x = [1]")
	typ, err := s.TypeOf("x.map(|v| { print(v); \"${v}\" })")
	require.NoError(t, err)
	require.Equal(t, "[str]", typ)
	require.Empty(t, s.out.String())
	_, err = s.TypeOf("y")
	require.ErrorContains(t, err, "there is no `y`")
	require.Equal(t, "[1]: [int]", s.enter("x"))
}

func TestSessionsOfAClosedRuntime(t *testing.T) {
	rt := runnel.MustNew()
	s, err := rt.NewSession()
	require.NoError(t, err)
	rt.Close()
	_, err = s.Eval(t.Context(), "entry", "1")
	require.Error(t, err)
	_, err = rt.NewSession()
	require.ErrorIs(t, err, runnel.ErrClosed)
}

func TestASessionIsSavedAsAScript(t *testing.T) {
	s := newSession(t)
	for _, src := range []string{
		"import json", "let x = 1", "x", "_ + 1", "let y = _", "let x = x + y", "broken(", "throw error(\"no\")",
		"fn f() -> int { x }", "fn g() -> int { f() }", "fn f() -> int { 7 }", "// says more\nprint(f(), g())", "var n = 0; n += 1", "var n = 5",
	} {
		_, _ = s.Eval(t.Context(), "entry", src)
	}
	script := s.Source()
	require.Equal(t, `import json
let x_1 = 1
let result_2 = x_1
let result_1 = result_2 + 1
let y = result_1
let x = x_1 + y
fn f_1() -> int { x }
fn g() -> int { f_1() }
fn f() -> int { 7 }
// says more
print(f(), g())
var n_1 = 0
n_1 += 1
var n = 5
`, script)
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...))
	_, err := rt.Compile("saved.rnl", script)
	require.NoError(t, err)
}

func TestBytecodeOfASession(t *testing.T) {
	s := newSession(t)
	s.enter("fn twice(n: int) -> int { [n].map(|x| x * 2)[0] }\nstruct P { fn area() -> int { 3 } }\nfn id<T>(v: T) -> T { v }")
	of := func(src string) string {
		var b bytes.Buffer
		if err := s.Disassemble(&b, src); err != nil {
			return err.Error()
		}
		return b.String()
	}
	require.Contains(t, of("twice"), "fn twice(int) -> int")
	require.Contains(t, of("twice"), "fn in twice")
	require.NotContains(t, of("twice"), "fn list.map")
	require.Contains(t, of("P.area"), "is not compiled before")
	require.Contains(t, of("P().area() + 1"), "fn script")
	require.Contains(t, of("P.area"), "fn P.area(P) -> int")
	require.Contains(t, of("nothing"), "there is no `nothing`")
	require.Equal(t, "4: int", s.enter("twice(2)"))
}

func TestCompletionKnowsEarlierEntries(t *testing.T) {
	s := newSession(t)
	s.enter("import json\nlet prices = [1.5]\nstruct Box { width: int }\nlet box = Box(1)")
	for src, want := range map[string]string{"pri": "prices", "box.": "width", "json.enc": "encode", "prices.ma": "map"} {
		var labels []string
		for _, c := range s.Complete(src, len(src)) {
			labels = append(labels, c.Label)
		}
		require.Contains(t, labels, want, src)
	}
}

func TestModulesAreInitialisedForTheFirstEntryThatImportsThem(t *testing.T) {
	files := fstest.MapFS{"geo.rnl": {Data: []byte("fn begin() -> [int] { print(\"geo\"); [7] }\npub let list = begin()")}}
	for name, before := range map[string]func(s *session){
		"nothing":     func(*session) {},
		"type":        func(s *session) { _, err := s.TypeOf("import \"./geo\"\ngeo.list"); require.NoError(t, err) },
		"disassemble": func(s *session) { require.NoError(t, s.Disassemble(&bytes.Buffer{}, "import \"./geo\"\ngeo.list")) },
		"not compiled": func(s *session) {
			require.Contains(t, s.enter("import \"./geo\"\nfn deep<T>(v: T, n: int) -> int { deep([v], n - 1) }\ndeep(1, 3)"), "E0803")
		},
		"cancelled": func(s *session) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := s.Eval(ctx, "entry", "import \"./geo\"")
			require.ErrorIs(t, err, context.Canceled)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, runnel.WithSources(runnel.FSSources(files)))
			before(s)
			require.Equal(t, "1: int", s.enter("1"))
			require.Equal(t, "geo\n[7]: [int]", s.enter("import \"./geo\"\ngeo.list"))
			require.Equal(t, "[7]: [int]", s.enter("import \"./geo\"\ngeo.list"))
		})
	}
}

func TestCompletionLeavesTheSessionAsItIs(t *testing.T) {
	s := newSession(t)
	s.enter("fn id<T>(v: T) -> T { v }\nstruct P { list: [int] = id([1, 2].map(|x| id(x))) }")
	s.Complete("let p = P()\np.", 14)
	require.Equal(t, "P(list: [1, 2]): P", s.enter("P()"))
}

func TestASavedSessionDoesWhatItsEntriesDid(t *testing.T) {
	s := newSession(t)
	for _, src := range []string{
		"let log = [0]", "fn add(n: int) -> int { log.push(n); n }", "add(1) + 1", "if true { add(2) } else { 0 }", "[add(3)]", "log[0]", "_ + 1",
		"spawn add(4)", "await _", "fn main() { add(5) }", "main()", "print(log)",
	} {
		require.NotContains(t, s.enter(src), "error", src)
	}
	require.Equal(t, `let log = [0]
fn add(n: int) -> int { log.push(n); n }
let _ = add(1) + 1
let _ = if true { add(2) } else { 0 }
let _ = [add(3)]
let result_1 = spawn add(4)
await result_1
fn main_1() { add(5) }
main_1()
print(log)
`, s.Source())
}
