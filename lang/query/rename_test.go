package query_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/query"
)

// changed applies what a rename gives to the main file and the modules.
func changed(t *testing.T, text string, files modules, changes []query.Change) (string, modules) {
	t.Helper()
	out := modules{}
	for path, src := range files {
		out[path] = src
	}
	for _, c := range changes {
		if c.File == "main.rnl" {
			var ok bool
			text, ok = query.Apply(text, c.Edits)
			require.True(t, ok)
			continue
		}
		path := "./" + strings.TrimSuffix(c.File, ".rnl")
		src, ok := query.Apply(out[path], c.Edits)
		require.True(t, ok)
		out[path] = src
	}
	return text, out
}

// What is renamed there and back is as it was.
func TestRename(t *testing.T) {
	files := modules{"./geo": "pub fn one() -> int { 1 }\npub struct Box { w: int = one() }"}
	for _, c := range []struct{ src, name, want string }{
		{"let n = 1\nlet f = |n: int| |>n\nprint(f(n))", "k", "let n = 1\nlet f = |k: int| k\nprint(f(n))"},
		{"struct P { x: int = 0\n fn f() -> int { self.x } }\nlet p = P(x: 1)\nmatch p { P(|>x: y) => print(y, p.x, p.f()) }", "left",
			"struct P { left: int = 0\n fn f() -> int { self.left } }\nlet p = P(left: 1)\nmatch p { P(left: y) => print(y, p.left, p.f()) }"},
		{"struct P { x: int = 0, y: int = 0 }\nlet p = P()\nprint(p.copy(|>x: p.x).y, p.copy(y: 1))", "left", "struct P { left: int = 0, y: int = 0 }\nlet p = P()\nprint(p.copy(left: p.left).y, p.copy(y: 1))"},
		{"struct P { x: int = 0 }\nfn f(p: |>P) -> [P] { [p, P()] }\nprint(f(P()))", "Q", "struct Q { x: int = 0 }\nfn f(p: Q) -> [Q] { [p, Q()] }\nprint(f(Q()))"},
		{"enum E { A, B(int) }\nlet e: E = A\nmatch e { |>A => print(1), E.B(n) => print(n) }\nprint(E.A)", "None", "enum E { None, B(int) }\nlet e: E = None\nmatch e { None => print(1), E.B(n) => print(n) }\nprint(E.None)"},
		{"struct P {\n static fn of() -> P { P() }\n static fn two() -> [P] { [P.|>of(), P()] } }\nlet f = P.of\nprint(P.two(), f(), P.of())", "make",
			"struct P {\n static fn make() -> P { P() }\n static fn two() -> [P] { [P.make(), P()] } }\nlet f = P.make\nprint(P.two(), f(), P.make())"},
		{"fn f(by: int = 1) -> int { |>by }\nprint(f(by: 2))", "step", "fn f(step: int = 1) -> int { step }\nprint(f(step: 2))"},
		{"for (|>k, v) in [(1, 2)] { print(k, v) }", "key", "for (key, v) in [(1, 2)] { print(key, v) }"},
		{"print([(1, 2)].map(|(a, b)| |>a + b))", "x", "print([(1, 2)].map(|(x, b)| x + b))"},
		{"{\n  fn g(n: int = 1) -> int { if n == 0 { 0 } else { |>g(n - 1) } }\n  print(g(), g(n: 2))\n}", "h", "{\n  fn h(n: int = 1) -> int { if n == 0 { 0 } else { h(n - 1) } }\n  print(h(), h(n: 2))\n}"},
		{"{\n  fn g(n: int = 1) -> int { |>n }\n  print(g(n: 2))\n}", "k", "{\n  fn g(k: int = 1) -> int { k }\n  print(g(k: 2))\n}"},
		{"'a: for i in 0..3 { if i == 1 { continue '|>a } }", "outer", "'outer: for i in 0..3 { if i == 1 { continue 'outer } }"},
		{"fn f<T>(x: |>T) -> [T] { [x] }\nprint(f(1))", "U", "fn f<U>(x: U) -> [U] { [x] }\nprint(f(1))"},
		{"import \"./geo\"\nprint(geo.|>one())", "uno", "import \"./geo\"\nprint(geo.uno())"},
		{"type Pair<|>V> = (V, V)\nlet p: Pair<int> = (1, 2)\nprint(p)", "W", "type Pair<W> = (W, W)\nlet p: Pair<int> = (1, 2)\nprint(p)"},
		{"struct R { in: int = 0 }\nprint(R(in: 1).|>in)", "match", "struct R { match: int = 0 }\nprint(R(match: 1).match)"},
		{"import \"./geo\" as g\nprint(|>g.one())", "h", "import \"./geo\" as h\nprint(h.one())"},
	} {
		f, at := open(t, c.src, files)
		changes, err := f.Rename(at, c.name)
		require.NoError(t, err, c.src)
		before := strings.Replace(c.src, "|>", "", 1)
		text, other := changed(t, before, files, changes)
		require.Equal(t, c.want, text, c.src)

		old := word(before, at)
		back, err := query.Open("main.rnl", text, options(other)).Rename(strings.LastIndex(text, c.name), old)
		require.NoError(t, err, c.src)
		text, other = changed(t, text, other, back)
		require.Equal(t, before, text)
		require.Equal(t, files, other)
	}
}

func TestRenameOfAModule(t *testing.T) {
	f, at := open(t, "import geo\nprint(geo.add(1, |>geo.zero))", library)
	changes, err := f.Rename(at, "g")
	require.NoError(t, err)
	text, _ := changed(t, "import geo\nprint(geo.add(1, geo.zero))", nil, changes)
	require.Equal(t, "import geo as g\nprint(g.add(1, g.zero))", text)
}

// word is the name at an offset.
func word(text string, at int) string {
	end := at
	for end < len(text) && strings.IndexByte("_0123456789", text[end]) >= 0 || end < len(text) && unicode.IsLetter(rune(text[end])) {
		end++
	}
	return text[at:end]
}

func TestRenameSaysWhyNot(t *testing.T) {
	for _, c := range []struct{ src, name, want string }{
		{"let |>n = 1\nlet k = 2\nprint(n, k)", "k", "`k` is already declared"},
		{"let |>n = 1\nfn f(k: int) -> int { n + k }\nprint(f(n))", "k", "`k` is another name already"},
		{"let |>n = 1\nprint(n)", "print", "this is not a function"},
		{"let |>n = 1\nprint(n)", "if", "`if` is no name"},
		{"let |>n = 1\nprint(n)", "a b", "`a b` is no name"},
		{"let |>n = 1\nprint(n)", "N", "same case"},
		{"let |>n = 1\nprint(n)", "", "is no name"},
		{"let n = 1\n|>print(n)", "p", "not declared in this program"},
		{"print([1].|>len())", "size", "not declared in this program"},
		{"import \"./geo\"\nprint(|>geo.one())", "h", ""},
		{"let |>n = 1\nprint(n, zz)", "k", "has errors"},
		{"let n = |>1\nprint(n)", "k", "there is no name here"},
		{"interface Named { fn name() -> str }\nstruct S { fn |>name() -> str { \"\" } }\nlet x: Named = S()\nprint(x.name())", "title", "with the name `title`"},
	} {
		f, at := open(t, c.src, modules{"./geo": "pub fn one() -> int { 1 }"})
		_, err := f.Rename(at, c.name)
		if assert.Error(t, err, c.src) {
			assert.Contains(t, err.Error(), c.want, c.src)
		}
	}
}
