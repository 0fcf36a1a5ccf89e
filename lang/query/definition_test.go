package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/query"
)

// In each program @ stands before the name that is declared, and $0 where it is
// asked for.
func TestDefinition(t *testing.T) {
	for _, src := range []string{
		"let @n = 1\nprint($0n)",
		"let n = 1\nfn f(@n: int) -> int { n$0 }\nprint(f(n))",
		"let n = 1\nlet f = |@n: int| $0n + 1\nprint(f(n))",
		"let n = 1\nif true { let @n = 2\nprint($0n) }\nprint(n)",
		"for @i in 0..3 { print(i$0) }",
		"for _, @x in [1] { print($0x) }",
		"let (a, @b) = (1, 2)\nprint(a, $0b)",
		"for (@k, v) in [(1, 2)] { print($0k, v) }",
		"for i, (k, @v) in [(1, 2)] { print(i, k, $0v) }",
		"let f = |(a, @b): (int, int), c: int| a + $0b + c\nprint(f((1, 2), 3))",
		"struct P { x: int, @y: int }\nfor P($0y: k) in [P(1, 2)] { print(k) }",
		"struct @P { x: int, y: int }\nprint([P(1, 2)].map(|$0P(x, ..)| x))",
		"fn f() {\n  fn @g(n: int) -> int { if n == 0 { 0 } else { $0g(n - 1) } }\n  print(g(2))\n}\nf()",
		"fn f() {\n  fn @g() {}\n  $0g()\n}\nf()",
		"fn f() {\n  fn g(@by: int = 1) -> int { by }\n  print(g($0by: 2))\n}\nf()",
		"var @a = 1\nvar b = 2\n($0a, b) = (b, a)\nprint(a, b)",
		"const @k = 1\nprint($0k)",
		"fn @f() {}\n$0f()",
		"fn @f() {}\nlet g = $0f\ng()",
		"struct @P { x: int = 0 }\nlet p: $0P = P()\nprint(p)",
		"struct @P { x: int = 0 }\nprint($0P())",
		"struct P { @x: int = 0 }\nprint(P($0x: 1))",
		"struct P { @x: int = 0 }\nlet p = P()\np.$0x = 2",
		"struct P { x: int = 0\n fn @f() {} }\nP().$0f()",
		"struct P { x: int = 0\n fn @f() {}\n fn g() { self.$0f() } }\nP().g()",
		"enum E { @A, B }\nlet e: E = $0A\nprint(e)",
		"enum E { @A, B }\nprint(E.$0A)",
		"enum E { A, @B(n: int) }\nlet e: E = A\nmatch e { A => print(1), $0B(n) => print(n) }",
		"enum E { A, B(@n: int) }\nlet e: E = A\nmatch e { A => print(1), B($0n: k) => print(k) }",
		"enum E { A, B(n: int) }\nlet e: E = A\nmatch e { A => print(1), B(@k) => print($0k) }",
		"enum @E { A, B }\nprint($0E.A)",
		"type @T = [int]\nlet x: $0T = []\nprint(x)",
		"fn f<@T>(x: $0T) -> T { x }\nprint(f(1))",
		"fn f<@T>(x: T) -> [T] { let y: [$0T] = [x]\ny }\nprint(f(1))",
		"interface I { fn @f() }\nfn g(i: I) { i.$0f() }\nstruct S { fn f() {} }\ng(S())",
		"interface @I { fn f() }\nstruct S: $0I { fn f() {} }\nprint(S())",
		"fn f(@by: int = 1) -> int { by }\nprint(f($0by: 2))",
		"'@a: loop { break '$0a }",
		"try { print(1) } catch @e { print($0e) }",
		"let m = mutex(1)\nlock m as @v { v = v$0 + 1 }",
		"let o: int? = none\nif let @v = o { print($0v) }",
		"print(\"${$0f(1)}\")\nfn @f(n: int) -> int { n }",
		"test \"t\" { let @a = 1\nassert($0a == 1) }",
		"let c = chan<int>(1)\nselect { let @v = c.recv() => print($0v), _ => print(0) }",
		"fn broken( {\nlet @n = 1\nprint($0n)",
	} {
		want, at := strings.Index(strings.Replace(src, "$0", "", 1), "@"), strings.Index(strings.Replace(src, "@", "", 1), "$0")
		text := strings.NewReplacer("$0", "", "@", "").Replace(src)
		got, ok := query.Open("main.rnl", text, options(nil)).Definition(at)
		if assert.True(t, ok, src) {
			assert.Equal(t, query.Place{File: "main.rnl", Start: want, End: want + len(word(text, want))}, got, src)
		}
	}
}

func TestDefinitionsInOtherFiles(t *testing.T) {
	for src, want := range map[string]string{
		"import geo\nprint(geo.|>add(1, 2))":     "geo.rnl add",
		"import geo\nprint(geo.Box().|>w)":       "geo.rnl w",
		"import \"./own\"\nprint(own.m|>ine())":  "own.rnl mine",
		"print([1].|>len())":                     "prelude/list.rnl len",
		"let e: |>Error = error(\"\")\nprint(e)": "prelude/core.rnl Error",
	} {
		f, at := open(t, src, library)
		got, ok := f.Definition(at)
		require.True(t, ok, src)
		text := library["./"+strings.TrimSuffix(got.File, ".rnl")] + library[strings.TrimSuffix(got.File, ".rnl")]
		for _, s := range prelude() {
			if s.Name == got.File {
				text = s.Text
			}
		}
		assert.Equal(t, want, got.File+" "+text[got.Start:got.End], src)
	}
}
