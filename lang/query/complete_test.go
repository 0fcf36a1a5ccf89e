package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/query"
)

const shapes = `
/// A place. It has two coordinates.
struct Point { x: int = 0, y: int = 0
  /// How far it is. Not by air.
  fn far(by: int, unit: str = "m") -> int { self.x + by }
  fn name() -> str { "p" }
}
enum Shape { Dot, Line(from: Point, to: Point), Circle(Point, int) }
type Spot = Point
fn both<T>(a: T, b: T) -> [T] { [a, b] }
fn place(p: Point, color: str) -> Shape { Shape.Dot }
let origin = Point()
`

var library = modules{
	"geo":   "/// Adds. Twice.\npub fn add(a: int, b: int) -> int { a + b }\npub struct Box { w: int = 0 }\nfn hidden() {}\npub let zero = 0\npub const one = 1",
	"./own": "pub fn mine() -> str { \"\" }",
}

// completeAt asks at the $0 of a text.
func completeAt(t testing.TB, src string) []query.Completion {
	t.Helper()
	at := strings.Index(src, "$0")
	require.GreaterOrEqual(t, at, 0, src)
	text := src[:at] + src[at+2:]
	list := query.Open("main.rnl", text, options(library)).Complete(at)
	for _, c := range list {
		require.True(t, 0 <= c.Start && c.Start <= at && at <= c.End && c.End <= len(text), "%s: %v", src, c)
		require.NotEmpty(t, c.Kind, c)
	}
	return list
}

func labels(list []query.Completion) (out []string) {
	for _, c := range list {
		out = append(out, c.Label)
	}
	return out
}

// Each line of the table: a program after shapes, what comes first of its
// completions, and what is not among them.
func TestComplete(t *testing.T) {
	for _, c := range []struct{ src, first, without string }{
		// members
		{"let p = Point()\np.$0", "far name x y", "Point print let"},
		{"let p = Point()\np.f$0", "far", "name x"},
		{"let p = Point()\nprint(p.co$0)", "copy", "name x"},
		{"let p = Point()\nprint(p.copy($0))", "x: y:", ""},
		{"struct P { x: int\n static fn of(x: int) -> P { P(x) }\n fn twice() -> int { 2 } }\nprint(P.$0)", "of", "twice x print"},
		{"enum E { A, B\n static fn first() -> E { A } }\nlet e: E = E.f$0", "first", "B print"},
		{"let p = Point()\nprint(p.$0)", "far name x y", "print"},
		{"let p = Point()\nif p.$0 {\n}", "far name x y", ""},
		{"let p = Point()\nif p.$0", "far name x y", ""},
		{"let p = Point()\nlet n: int = p.$0", "x y far name", ""},
		{"let p = Point()\nlet n: str = p.$0", "name", ""},
		{"let p = Point()\np.$0\nlet q = 1", "far name x y", ""},
		{"print([Point()].map(|q| q.$0", "far name x y", ""},
		{"print([Point()].map(|q| q.$0))", "far name x y", ""},
		{"print([Point()].map(|q| { let k = q.x\n q.$0", "far name x y", ""},
		{"print(\"${origin.$0", "far name x y", ""},
		{"print(\"a ${origin.$0} b\")", "far name x y", ""},
		{"print(\"\"\"\n  a ${origin.$0} b\n  \"\"\")", "far name x y", ""},
		{"print(\"\"\"\n  a ${1}\n  ${origin.$0\n  b\n  \"\"\")", "far name x y", ""},
		{"let t = (1, \"a\")\nt.$0", "0 1", ""},
		{"let o: Point? = none\no?.$0", "far name x y", ""},
		{"let o: Point? = none\nlet n: int? = o?.x$0", "x", ""},
		{"both(Point(), Point())[0].$0", "far name x y", ""},
		{"(place(origin, \"\")).$0", "", "far"},
		{"\"abc\".upp$0", "upper", "len"},
		{"let xs = [1]\nxs.pu$0", "push", ""},
		{"let = = origin.$0", "far name x y", ""},
		{"let xs = [1, ) origin.$0", "far name x y", ""},
		{"fn f(a: Point) -> int {\n  let b = a\n  b.$0\n}\nprint(1)", "x y far name", ""},
		{"fn f(a: Point) -> int {\n  let b = a\n  b.$0", "x y far name", ""},
		{"fn f<T: Error>(e: T) { e.$0 }", "message", ""},
		{"match origin.$0 {", "far name x y", ""},
		{"for i in origin.$0", "far name x y", ""},
		{"spawn origin.$0", "far name x y", ""},
		// variants and modules
		{"let s = Shape.$0", "Circle Dot Line", "Point"},
		{"let s = Shape.L$0", "Line", "Dot"},
		{"import geo\ngeo.$0", "Box add one zero", "hidden print"},
		{"import geo\nlet b: geo.$0", "Box", "add zero"},
		{"import \"./own\"\nown.$0", "mine", ""},
		{"import ge$0", "geo", "print"},
		{"import $0", "geo yaml", ""},
		// names
		{"let alpha = 1\nfn f(almost: int) {\n  let all = 2\n  al$0\n}", "all almost alpha", ""},
		{"fn f(n: int, s: str) -> str {\n  return $0\n}", "s", ""},
		{"fn f(n: int, s: str) -> str {\n  $0\n}", "s", ""},
		{"let aa = 1\nlet ab = \"\"\nlet b: str = a$0", "ab aa", ""},
		{"let aa = 1\nlet ab = \"\"\nprint(place(origin, a$0", "ab", ""},
		{"let aa: Point? = none\nfn f(o: Point?) { if o != none { print(place($0", "o origin color: p:", ""},
		{"origin = orig$0", "origin", ""},
		{"prin$0", "print", ""},
		{"let s: Shape = $0", "Circle Dot Line Shape place", ""},
		{"let b: bool = $0", "false true", ""},
		{"let o: int? = n$0", "none", ""},
		{"let spot = Sp$0", "Spot", ""},
		{"[1].map(bo$0)", "both", ""},
		{"throw $0", "error AssertError", ""},
		{"let c = chan<Point>(1)\nselect {\n  let v = c.rec$0", "recv", ""},
		{"let c = chan<Point>(1)\nselect {\n  let v = c.recv() => v?.$0\n}", "far name x y", ""},
		{"struct S { _hidden: int = 0, shown: int = 0 }\nS().$0", "shown copy _hidden", ""},
		{"fn f(é: int) {}\npr$0", "print", ""},
		// arguments
		{"origin.far($0", "by: unit:", ""},
		{"origin.far($0)", "by: unit:", ""},
		{"origin.far(1, $0)", "unit:", "by:"},
		{"origin.far(unit: \"\", $0)", "by:", "unit:"},
		{"Point(x: 1, $0)", "y:", "x:"},
		{"print(Point(\n  x: 1,\n  $0\n))", "y:", "x:"},
		// types
		{"let a: P$0", "Point", "print place"},
		{"let a: [P$0] = []", "Point", ""},
		{"fn f(a: in$0", "int", "str"},
		{"fn f(a: int, b: $0) {}", "any", "print"},
		{"fn f<T>(a: T) -> $0", "T", ""},
		{"struct S { a: Sh$0 }", "Shape", ""},
		{"struct S {\n  a: Sh$0\n}", "Shape", ""},
		{"print(origin is Po$0", "Point", ""},
		{"let f = |a: Po$0", "Point", ""},
		{"let m = map<str, Po$0>()", "Point", ""},
		{"import geo\nlet a: ge$0", "geo", ""},
		{"type A = map<Po$0", "Point", ""},
		{"fn f<A, B>(a: A) -> (A, B$0) { (a, a) }", "B", ""},
		{"struct S<K, V> { items: map<K, V$0> }", "V", ""},
		{"fn f<T: Err$0", "Error", ""},
		{"type A = map<str, chan<Po$0", "Point", ""},
		{"let a = both<Po$0", "Point", ""},
		{"let aa = 1\nif 2 < a$0", "aa", ""},
		// patterns
		{"let s: Shape = Dot\nmatch s { $0", "Circle Dot Line Shape _", "print"},
		{"let s: Shape = Dot\nmatch s {\n  Dot => 1,\n  $0\n}", "Circle Line Shape _", "Dot"},
		{"let s: Shape = Dot\nmatch s {\n  Dot => 1\n  Line(Point(x: 1), _) => 2\n  $0\n}", "Circle Line Shape _", "Dot"},
		{"let s: Shape = Dot\nmatch s {\n  Dot => 1\n  C$0 => 2\n}", "Circle", "Line"},
		{"let s: Shape = Dot\nmatch s { Dot | $0 => 2 }", "Circle Line", "Dot"},
		{"let s: Shape = Dot\nmatch s { Line($0) => 2 }", "from: to:", ""},
		{"let s: Shape = Dot\nmatch s { Shape.$0 => 2 }", "Circle Dot Line", ""},
		{"let s: Shape? = none\nmatch s { Dot => 1, $0 }", "Circle Line none", "Dot"},
		{"let s: Shape = Dot\nmatch s { Dot => 1, Sha$0.Line(a, b) => 2 }", "Shape", ""},
		{"match origin { p if p.$0", "far name x y", ""},
		{"let b = true\nmatch b { true => 1, $0 }", "false _", "true"},
		{"let s: Shape = Dot\nif let L$0 = s {}", "Line", ""},
		{"let s: Shape = Dot\nlet n = match s { Dot => origin.$0", "far name x y", ""},
		{"let s: Shape = Dot\nlet n: int = match s {\n Dot => 1\n Line(a, _) => a.$0\n}", "x y far name", ""},
		// words
		{"fn f() {\n  for i in 0..3 {\n    brea$0\n  }\n}", "break", ""},
		{"fn f() {\n  brea$0\n}", "", "break"},
		{"str$0", "str struct", ""},
		{"pub f$0", "fn", "for"},
		{"struct S {\n  f$0", "fn", "for"},
		{"for i i$0", "in", "if int"},
		{"if true {} e$0", "else", "enum"},
		{"try {} c$0", "catch", "const"},
		{"let a = origin i$0", "is", "if"},
		{"'outer: for i in 0..3 { break '$0", "outer", "i"},
		// no name can stand here
		{"let or$0", "", "origin"},
		{"fn or$0", "", "origin"},
		{"fn f(or$0", "", "origin"},
		{"[1].map(|or$0", "", "origin"},
		{"// or$0", "", "origin"},
		{"let s = \"or$0\"", "", "origin"},
		{"let s = \"or$0", "", "origin"},
		{"let n = 12$0", "", "origin"},
		{"import geo as ge$0", "", "geo"},
	} {
		got := labels(completeAt(t, shapes+c.src))
		first := strings.Fields(c.first)
		assert.Equal(t, first, append([]string{}, got[:min(len(first), len(got))]...), c.src)
		if len(first) == 0 && c.without == "origin" {
			assert.Empty(t, got, c.src)
		}
		for _, no := range strings.Fields(c.without) {
			assert.NotContains(t, got, no, c.src)
		}
	}
}

func TestCompletionsSayWhatTheyAre(t *testing.T) {
	for src, want := range map[string]query.Completion{
		"origin.fa$0":                       {Label: "far", Kind: "method", Detail: "fn far(by: int, unit: str = ...) -> int", Doc: "How far it is.", Insert: "far("},
		"origin.fa$0(1)":                    {Label: "far", Kind: "method", Detail: "fn far(by: int, unit: str = ...) -> int", Doc: "How far it is.", Insert: "far"},
		"origin.nam$0":                      {Label: "name", Kind: "method", Detail: "fn name() -> str", Insert: "name()"},
		"Poin$0":                            {Label: "Point", Kind: "struct", Detail: "struct Point", Doc: "A place.", Insert: "Point("},
		"let p: Poin$0":                     {Label: "Point", Kind: "struct", Detail: "struct Point", Doc: "A place.", Insert: "Point"},
		"[1].map(|n| n).pus$0":              {Label: "push", Kind: "method", Detail: "fn push(x: int)", Insert: "push("},
		"origin.far(b$0":                    {Label: "by:", Kind: "argument", Detail: "by: int", Insert: "by: "},
		"let s: Shape = Li$0":               {Label: "Line", Kind: "variant", Detail: "Line(from: Point, to: Point)", Insert: "Line("},
		"let s: Shape = Dot\nmatch s {Li$0": {Label: "Line", Kind: "variant", Detail: "Line(from: Point, to: Point)", Insert: "Line(from, to)"},
		"import geo\ngeo.ad$0":              {Label: "add", Kind: "function", Detail: "fn add(a: int, b: int) -> int", Doc: "Adds.", Insert: "add("},
		"let o: Point? = none\no.fa$0":      {Label: "far", Kind: "method", Detail: "fn far(by: int, unit: str = ...) -> int", Doc: "How far it is.", Insert: "?.far("},
		"prin$0":                            {Label: "print", Kind: "function", Detail: "fn print(values...)", Doc: "Writes values to the standard output, with blanks between them and a line end: `print(\"sum\", 1 + 2)`.", Insert: "print("},
		"let m = ma$0":                      {Label: "map", Kind: "function", Detail: "fn map<K, V>() -> map<K, V>", Doc: "Makes an empty map: `map<str, int>().len() == 0`.", Insert: "map<"},
		"let f = |n: int| n\nf$0":           {Label: "f", Kind: "variable", Detail: "let f: fn(int) -> int", Insert: "f("},
	} {
		list := completeAt(t, shapes+src)
		require.NotEmpty(t, list, src)
		got := list[0]
		if want.Label == "push" {
			got.Doc = "" // that of the library
		}
		if !strings.HasPrefix(want.Insert, "?.") {
			at := strings.Index(shapes+src, "$0")
			word := strings.LastIndexAny((shapes + src)[:at], " .({\n") + 1
			require.Equal(t, word, got.Start, src)
		}
		got.Start, got.End = 0, 0
		require.Equal(t, want, got, src)
	}
}
