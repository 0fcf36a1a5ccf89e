package types_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// offers is the help of a program's first diagnostic and the titles of its fixes.
func offers(t *testing.T, src string) []string {
	t.Helper()
	c := check(t, src, nil)
	require.NotEmpty(t, c.diags, src)
	out := c.diags[0].Help
	for _, f := range c.diags[0].Fixes {
		out = append(out, f.Title)
	}
	return out
}

func TestNamesOfOtherLanguagesAreUnderstood(t *testing.T) {
	for src, want := range map[string]string{
		"console.log(1)":                                                                   "write `print(1)`",
		"let x: int? = Some(1)\nprint(x)":                                                  "a value is an optional by itself: leave `Some(...)` away",
		"let xs = [1]\nprint(xs.lenght())":                                                 "did you mean `len`?",
		"let xs = [1]\nxs.push_back(2)":                                                    "it is called `push` here",
		"let xs = [1]\nprint(len(xs))":                                                     "it is a method",
		"print(5.toString())":                                                              "turn a value into text with `str(x)`",
		"let p = {x: 1}\nprint(p)":                                                         "write the key as text",
		"fn f(o: Option<int>) { print(o) }":                                                "it is written `int?` here",
		"fn f(m: HashMap<str, int>) { print(m) }":                                          "it is written `map<str, int>` here",
		"enum E { A, B }\nfn f(e: E) {}\nf(C)":                                             "it has `A` and `B`",
		"struct P { x: int, y: int }\nP(1, 2).zz":                                          "its fields are `x` and `y`",
		"struct P { x: int\n fn far() -> int { 1 } }\nP(1).zz":                             "its method is `far`",
		"struct P { x: int\n fn far() -> int { 1 } }\nP(1).far.abs()":                      "it is a member of what the function gives: call it, `f().abs`",
		"struct P { x: int\n fn far() -> int { 1 } }\nprint(P(1).far == 1)":                "call it",
		"struct P { x: int\n fn far() -> int { 1 } }\nprint(2 - P(1).far)":                 "call it",
		"let m = {\"a\": 1}\nprint(m.get(\"a\", 0))":                                       "it gives none where there is nothing; a default stands behind `??`: `m.get(key) ?? x`",
		"struct T { n: int\n fn since(o: T) -> int { self.n - o.n } }\nprint(T(2) - T(1))": "the time between them is `a.since(b)`",
		"fn f(e: Error) -> any { e as any }\nprint(f(error(\"\")))":                        "it becomes `any` by itself where one is expected: leave `as any` away",
		"fn f(x: int, g: fn() -> int) { print(x, g) }\nf(1, 2)":                            "make it a function",
		"fn f(xs: [int]) { print(xs) }\nf(2)":                                              "put it into a list",
		"fn f(d: duration?) { print(d) }\nf(2)":                                            "write a unit (`500ms`, `2s`) or multiply: `n * 1s`",
		"enum E { A, B(n: int) }\nfn f(e: E) { print(e) }\nf(B)":                           "`B` has fields: write `B(n)`",
		"enum E { A }\nenum F { B }\nfn f(e: E) { print(e) }\nf(B)":                        "it has `A`",
		"let m = {\"a\": 1}\nprint(m.get(\"a\") ?? 0 < 2)":                                 "`??` binds less than `<`: put the default in parentheses",
		"let m = {\"a\": 1}\nprint(2 < m.get(\"a\") ?? 0)":                                 "`??` binds less than `<`: put the default in parentheses",
		"fn f(e: error) { print(e) }":                                                      "it is called `Error` here",
	} {
		require.Contains(t, offers(t, src), want, src)
	}
}

func TestAValueThatWasMeantAsTheResult(t *testing.T) {
	got := offers(t, "fn f(n: int) -> str {\n  if n < 0 { \"a\" }\n  \"b\"\n}\nprint(f(1))")
	require.Contains(t, got, "write `return`")
}

func TestNoMessageNamesAnInvalidType(t *testing.T) {
	for src, want := range map[string][]string{
		"fn f(x: [Foo]) { x.lenlen(); print(x < x) }":    {"1:10 E0202"},
		"let t = (zork, 1)\nprint(t.lenlen, t < t)":      {"1:10 E0201"},
		"fn f() -> [Foo] { 1 }":                          {"1:12 E0202"},
		"let m: map<str, Foo> = {}\nm.get(\"a\").zork()": {"1:17 E0202"},
	} {
		c := check(t, src, nil)
		require.Equal(t, want, codesOf(c), src)
		for _, d := range c.diags {
			require.NotContains(t, fmt.Sprint(d), "<invalid>", src)
		}
	}
}

func TestConsequencesOfSyntaxErrorsAreLeftOut(t *testing.T) {
	for src, want := range map[string][]string{
		"let a, b = f()\nprint(a, b)":                     {"1:5 E0119"},
		"enum S { A(r: int) }\nlet s = S::A(1)\nprint(s)": {"2:10 E0119"},
		"fn f(x: int) -> void { }\nf(1)":                  {"1:17 E0119"},
		"fn add(a, b) { a + b }\nprint(add(1, 2) == 3)":   {"1:9 E0117", "1:12 E0117", "1:13 E0117"},
		"fn g(a: int {\n}\nelsewhere(1)\nprint(g(1))":     {"1:13 E0102", "3:1 E0201"},
	} {
		require.Equal(t, want, codesOf(check(t, src, nil)), src)
	}
}

func TestMatchesOfManyArmsAreLinear(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	b.WriteString("let n = 5\nprint(match n {\n")
	for i := range n {
		fmt.Fprintf(&b, "  %d => \"a\"\n", i)
	}
	b.WriteString("  7 | 8 => \"b\"\n")
	c := check(t, b.String()+"  _ => \"c\"\n  1 => \"d\"\n})\n", nil)
	require.Equal(t, []string{fmt.Sprintf("%d:3 W0605", n+3), fmt.Sprintf("%d:3 W0605", n+5)}, codesOf(c))
	c = check(t, b.String()+"})\n", nil)
	require.Equal(t, []string{"2:7 E0401", fmt.Sprintf("%d:3 W0605", n+3)}, codesOf(c))
}

func TestLongChainsOfConstants(t *testing.T) {
	const n = 5000
	lines := []string{"const c0 = 0"}
	for i := 1; i < n; i++ {
		lines = append(lines, fmt.Sprintf("const c%d = c%d + 1", i, i-1))
	}
	last := fmt.Sprintf("\nprint(c%d)", n-1)
	accepts(t, strings.Join(lines, "\n")+last)
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	accepts(t, strings.Join(lines, "\n")+last)
	lines[len(lines)-1] = fmt.Sprintf("const c0 = c%d", n-1)
	c := check(t, strings.Join(lines, "\n")+last, nil)
	require.Len(t, c.diags, 1)
	require.Equal(t, "E0216", string(c.diags[0].Code))
}
