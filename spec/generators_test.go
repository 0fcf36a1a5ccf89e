package spec

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
)

var (
	yieldRounds = flag.Int("yields", 0, "how often each statement that yields is put within each other; 0: into some")
	yieldSeed   = flag.Uint64("yieldseed", 1, "of the first of these programs")
)

// yieldLocal is a local of a kind: its declaration, a change, and its text.
type yieldLocal struct{ decl, change, show string }

// yieldLocals are of every kind; # is a number of its own for each.
var yieldLocals = []yieldLocal{
	{"var v# = n", "v# += 3", "v#"},
	{"let v# = n * 7", "", "v#"},
	{"var v# = 1.5", "v# *= 1.25", "v#"},
	{"var v# = n % 2 == 0", "v# = !v#", "v#"},
	{"var v# = \"s${n}\"", "v# = v# + \"t\"", "v#"},
	{"var v# = b\"ab\"", "v# = v# + b\"c\"", "v#"},
	{"var v# = 3s", "v# = v# + 1ms", "v#"},
	{"var v#: int? = 4", "v# = if v# == none { n } else { none }", "v#"},
	{"var v#: bool? = true", "v# = if let q = v# { if q { false } else { none } } else { true }", "v#"},
	{"var v#: float? = none", "v# = (v# ?? 0.5) + 1.0", "v#"},
	{"var v#: str? = none", "v# = if v# == none { \"some${n}\" } else { none }", "v#"},
	{"var v#: int?? = none", "v# = if v# == none { inner(n) } else { none }", "v# == none"},
	{"var v#: any = 1", "v# = if v# is int { \"text\" } else { if v# is str { 2.5 } else { n } }", "v#"},
	{"var v#: any? = none", "v# = if v# == none { [n] } else { none }", "v#"},
	{"let v# = Pt(n, \"p\")", "v#.x += 1", "v#"},
	{"var v#: Pt? = none", "v# = if let q = v# { none } else { Pt(n, \"o\") }", "v#"},
	{"var v# = (n, \"a\", 2.5)", "v# = (v#.0 + 1, v#.1 + \"b\", v#.2)", "v#"},
	{"var v# = [n]", "v#.push(v#.len())", "v#"},
	{"let v# = {\"k\": n}", "v#[\"k${v#.len()}\"] = v#.len()", "v#"},
	{"let v# = set([n])", "v#.add(v#.len())", "v#"},
	{"var v# = Sh.Dot", "v# = match v# { Dot => Sh.Line(n), Line(a) => Sh.Text(\"t${a}\"), Text(_) => Sh.Dot }", "v#"},
	{"var v# = Co.Red", "v# = if v# == Co.Red { Co.Blue } else { Co.Red }", "v#"},
	{"var v# = |x: int| x + n", "v# = |x: int| x * 2", "v#(5)"},
	{"var c# = 1\n let v# = || { c# += n\n c# }", "c# += 1", "v#()"},
	{"var v# = 0..n", "v# = 1..n + 4", "v#"},
	{"var v#: Named = Pt(n, \"i\")", "v# = if v# is Pt { Co.Red } else { Pt(1, \"j\") }", "v#.name()"},
	{"let v# = ints(n + 3)", "", "v#.next()"},
	{"let v#: Iterator<int> = [n, 2, 3, 4, 5, 6].iter()", "", "v#.next()"},
	{"let (v#, w#) = (n, \"w\")", "", "\"${v#} ${w#}\""},
	{"let v# = mutex(n)", "lock v# as q { q += 1 }", "(lock v# as q { q })"},
	{"let v# = chan<int>(40)", "v#.send(n)", "v#.len()"},
	{"let v# = spawn { n + 1 }", "", "await v#"},
	{"fn v#(x: int) -> int { x + 2 }", "", "v#(3)"},
	{"fn v#(x: int) -> int { if x < 1 { n } else { v#(x - 1) + 1 } }", "", "v#(3)"},
}

// yieldWrappers are statements that hold others, with what they bind, which is shown
// where the yields are.
var yieldWrappers = []struct{ code, binds string }{
	{"{ BODY }", ""},
	{"if n >= 0 { BODY }", ""},
	{"if n < 0 { fail() } else if n == -1 { fail() } else { BODY }", ""},
	{"if let q# = maybe(n) { BODY }", "q#"},
	{"if let q# = text(n) { BODY } else { yield \"no text\"\n }", "q#"},
	{"if let (q#, 1) = (n, 1) { BODY }", "q#"},
	{"var i# = 0\n while i# < 2 { i# += 1\n BODY }", "i#"},
	{"var i# = 0\n while let q# = below(i#, 2) { i# += 1\n BODY }", "q#"},
	{"var i# = 0\n loop { i# += 1\n if i# > 2 { break }\n BODY }", "i#"},
	{"'l#: loop { loop { BODY\n break 'l# } }", ""},
	{"for i# in 0..2 { BODY }", "i#"},
	{"for i# in 0..=n { if i# == 1 { continue }\n BODY }", "i#"},
	{"let r# = (0..6).step_by(3)\n for i# in r# { BODY }", "i#"},
	{"for q# in [n, 5] { BODY }", "q#"},
	{"for i#, q# in [\"a\", \"b\"] { BODY }", "\"${i#} ${q#}\""},
	{"for q# in [true, false] { BODY }", "q#"},
	{"let l#: [int?] = [1, none]\n for q# in l# { BODY }", "q#"},
	{"let l#: [any] = [1, \"x\", none]\n for i#, q# in l# { BODY }", "q#"},
	{"let l#: [str?] = [none, \"y\"]\n for q# in l# { BODY }", "q#"},
	{"for (q#, w#) in [(1, \"a\"), (2, \"b\")] { BODY }", "\"${q#} ${w#}\""},
	{"for q#, w# in ({\"a\": 1, \"b\": 2}) { BODY }", "\"${q#} ${w#}\""},
	{"for q# in set([1.5, 2.5]) { BODY }", "q#"},
	{"for q# in \"xé\" { BODY }", "q#"},
	{"for i#, q# in \"éx\" { BODY }", "\"${i#} ${q#}\""},
	{"for q# in b\"ab\" { BODY }", "q#"},
	{"for q# in ints(2) { BODY }", "q#"},
	{"for q# in [1, 2].iter().map(|x| \"m${x}\") { BODY }", "q#"},
	{"let h# = chan<int>(2)\n h#.send(1)\n h#.send(2)\n h#.close()\n for q# in h# { BODY }", "q#"},
	{"match n { 0 => { BODY }, 1 => { BODY }, _ => { BODY } }", ""},
	{"match shape(n) { Dot => { BODY }, Line(q#) => { BODY\n yield str(q#)\n }, Text(q#) => { BODY\n yield q#\n } }", ""},
	{"match color(n) { Red => { BODY }, Green => { BODY }, Blue => { BODY }, Grey => { BODY } }", ""},
	{"match boxed(n) { q#: int => { BODY\n yield str(q# + 1)\n }, q#: str => { BODY\n yield q#\n }, _ => { BODY } }", ""},
	{"match \"k${n}\" { \"k1\" => { BODY }, q# if q#.len() > 1 => { BODY\n yield q#\n }, _ => fail() }", ""},
	{"match (n, maybe(n)) { (q#, none) => { BODY\n yield str(q#)\n }, (q#, w#) => { BODY\n yield str((q#, w#))\n } }", ""},
	{"try { BODY } catch e { yield e.message()\n }", ""},
	{"try { BODY\n throw error(\"e${n}\") } catch e { yield e.message()\n BODY }", ""},
	{"try { fail() } catch e: ValueError { yield e.message()\n } catch e { BODY\n yield e.message()\n }", ""},
	{"try { try { BODY\n fail() } catch e: ValueError { yield \"value\"\n } } catch e { yield e.message()\n }", ""},
	{"for q# in 0..3 { try { if q# == 1 { continue }\n BODY\n if q# == 2 { break } } catch e { yield e.message()\n } }", "q#"},
	{"let k# = if n >= 0 { BODY\n n + 1 } else { 2 }\n yield str(k#)", ""},
	{"let k# = match shape(n) { Dot => { BODY\n 1.5 }, _ => { BODY\n 2.5 } }\n yield str(k#)", ""},
	{"let k#: int? = try { BODY\n maybe(n) } catch e { none }\n yield str(k#)", ""},
	{"var k#: any = 1\n k# = try { BODY\n fail()\n 2 } catch e { e.message() }\n yield str(k#)", ""},
	{"let k# = three(n, if n >= 0 { BODY\n \"mid\" } else { \"\" }, maybe(n))\n yield k#", ""},
	{"let k# = (boxed(n), [n, if n < 100 { BODY\n n } else { 0 }, 7])\n yield str(k#)", ""},
	{"let k# = n + (if n < 100 { BODY\n 1 } else { 0 }) * 3\n yield str(k#)", ""},
	{"let k# = Pt(if n < 100 { BODY\n 1 } else { 0 }, if n < 50 { BODY\n \"y\" } else { \"z\" })\n yield str(k#)", ""},
	{"let k# = (maybe(n) ?? 0) + (maybe(n + 1) ?? if n < 50 { BODY\n n } else { 1 })\n yield str(k#)", ""},
	{"if n >= 0 && (if n < 50 { BODY\n true } else { false }) { yield \"both\"\n }", ""},
}

// yielded is a yield, which goes to the end of its line.
var yielded = regexp.MustCompile(`yield (.*)`)

const yieldPrelude = `
interface Named { fn name() -> str }
struct Pt: Named { x: int, s: str
  fn name() -> str { "pt${self.x}${self.s}" } }
enum Sh { Dot, Line(a: int), Text(s: str) }
enum Co: Named { Red, Green, Blue, Grey
  fn name() -> str { "co" } }
fn maybe(n: int) -> int? { if n % 2 == 0 { n } else { none } }
fn inner(n: int) -> int?? { maybe(n) }
fn text(n: int) -> str? { if n % 2 == 1 { "t${n}" } else { none } }
fn below(i: int, n: int) -> int? { if i < n { i * 10 } else { none } }
fn shape(n: int) -> Sh { if n == 0 { Sh.Dot } else if n == 1 { Sh.Line(n) } else { Sh.Text("sh${n}") } }
fn color(n: int) -> Co { if n == 0 { Co.Red } else if n == 1 { Co.Blue } else { Co.Grey } }
fn boxed(n: int) -> any { if n == 0 { 5 } else if n == 1 { "bx" } else { none } }
fn fail() { throw error("failed") }
fn three(a: int, b: str, c: int?) -> str { "${a} ${b} ${c}" }
fn ints(n: int) -> Iterator<int> { for i in 0..n { yield i } }
// clobber leaves other values where the registers of a generator were.
fn clobber(k: int, s: str, f: float, x: any) -> any {
  let a = [k, k + 1]
  let b = (s, f, x)
  let c: any = if k % 2 == 0 { true } else { s }
  let d: str? = s + "clobbered"
  let e = {"a": a}
  if k > 0 { return clobber(k - 1, d ?? "", f + 1.0, (a, b, c, e)) }
  c
}
`

// yieldCase is a function that yields, and one that pushes the same.
func yieldCase(r *rand.Rand, name string, outer, inner int) string {
	count := 0
	number := func(s string) string {
		count++
		return strings.ReplaceAll(s, "#", fmt.Sprint(count))
	}
	type shown struct{ show, change string }
	var visible []shown
	locals := func(most int) string {
		var b strings.Builder
		for range 1 + r.IntN(most) {
			l := yieldLocals[r.IntN(len(yieldLocals))]
			parts := strings.Split(number(l.decl+"\x00"+l.change+"\x00"+l.show), "\x00")
			b.WriteString(parts[0] + "\n")
			visible = append(visible, shown{parts[2], parts[1]})
		}
		return b.String()
	}
	point := func() string {
		var b strings.Builder
		for range 1 + r.IntN(2) {
			b.WriteString("yield \"at\"\n")
			for _, v := range visible {
				if r.IntN(3) == 0 {
					b.WriteString(v.change + "\n")
				}
			}
			for _, v := range visible {
				b.WriteString("yield str(" + v.show + ")\n")
			}
		}
		return b.String()
	}
	wrap := func(i int, body func() string) string {
		w := yieldWrappers[i]
		parts := strings.Split(number(w.code+"\x00"+w.binds), "\x00")
		n := len(visible)
		if parts[1] != "" {
			visible = append(visible, shown{parts[1], ""})
		}
		var b strings.Builder
		for k, piece := range strings.Split(parts[0], "BODY") {
			if k > 0 {
				before := len(visible)
				b.WriteString(" " + body())
				visible = visible[:before]
			}
			b.WriteString(piece)
		}
		visible = visible[:n]
		return b.String() + "\n"
	}
	body := locals(5) + point() + wrap(outer, func() string {
		return locals(2) + wrap(inner, func() string { return locals(2) + point() }) + point()
	}) + point()
	gen := "fn g" + name + "(n: int) -> Iterator<str> {\n" + body + "}\n"
	list := "fn l" + name + "(n: int, out: [str]) {\n" + yielded.ReplaceAllString(body, "out.push($1)") + "}\n"
	return gen + list + fmt.Sprintf(`for n in 0..3 {
  let want: [str] = []
  l%[1]s(n, want)
  let got: [str] = []
  for x in g%[1]s(n) {
    clobber(3, "zz", 0.5, got)
    got.push(x)
  }
  if got != want { print("%[1]s with ${n}:\n  ${want}\n  ${got}") }
}
`, name)
}

// A generator gives what a function with the same body pushes: each statement within
// each other, with locals of every kind, whatever runs between two elements.
func TestYieldWithinEveryStatement(t *testing.T) {
	const some = 6
	for round := range max(1, *yieldRounds) {
		seed := *yieldSeed + uint64(round)
		r := rand.New(rand.NewPCG(seed, 0))
		for o := range yieldWrappers {
			t.Run(fmt.Sprint(seed, "/", o), func(t *testing.T) {
				var src strings.Builder
				src.WriteString(yieldPrelude)
				for _, i := range r.Perm(len(yieldWrappers)) {
					if *yieldRounds == 0 && (i+o)%some != 0 {
						continue
					}
					src.WriteString(yieldCase(r, fmt.Sprintf("%d_%d", o, i), o, i))
				}
				runYields(t, runnel.MustNew(), src.String())
			})
		}
	}
}

func runYields(t *testing.T, rt *runnel.Runtime, src string) {
	t.Helper()
	p, err := rt.Compile("yields.rnl", src)
	if err != nil {
		t.Fatalf("%.1500v", err)
	}
	q, err := rt.Decode(p.Encode())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := q.With(runnel.WithHost(runnel.Host{Stdout: &out})).NewInstance().Run(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if out.Len() > 0 {
		t.Fatalf("%s\n%s", out.String(), src)
	}
}
