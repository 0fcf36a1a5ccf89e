package types_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whatever is nested, repeated or doubled, checking it ends soon with a result
// or an error.
func TestDeepAndLargeProgramsEnd(t *testing.T) {
	rep := strings.Repeat
	var aliases, tuples, fns, imports strings.Builder
	aliases.WriteString("type A0 = int\n")
	tuples.WriteString("let a0 = (1, 1)\n")
	for i := 1; i < 20000; i++ {
		fmt.Fprintf(&aliases, "type A%d = A%d\n", 20000-i, 20000-i-1)
		if i < 300 {
			fmt.Fprintf(&tuples, "let a%d = (a%d, a%d)\n", i, i-1, i-1)
		}
		if i < 3000 {
			fmt.Fprintf(&fns, "fn f%d() { f%d() }\n", i, i-1)
		}
		if i < 3000 {
			fmt.Fprintf(&imports, "const c%d = c%d + 1\n", i, i+1)
		}
	}
	for name, src := range map[string]string{
		"parentheses":   "print(" + rep("(", 100000) + "1" + rep(")", 100000) + ")",
		"lists":         "print(" + rep("[", 5000) + "1" + rep("]", 5000) + ")",
		"binary chain":  "print(1" + rep(" + 1", 20000) + ")",
		"text chain":    "print(\"aaaaaaaa\"" + rep(" + \"aaaaaaaa\"", 5000) + ")",
		"and chain":     "print(true" + rep(" && true", 20000) + ")",
		"coalesce":      "let a: int? = 1\nprint(a" + rep(" ?? a", 20000) + " ?? 1)",
		"method chain":  "print([1]" + rep(".copy()", 20000) + ")",
		"index chain":   "print([1]" + rep("[0]", 20000) + ")",
		"unary chain":   "print(" + rep("-", 20000) + "1)",
		"not chain":     "print(" + rep("!", 20000) + "true)",
		"else chain":    "let a = 1\nif a == 0 { }" + rep(" else if a == 1 { print(a) }", 5000),
		"blocks":        rep("{\n", 5000) + rep("}\n", 5000),
		"lambdas":       "let f = " + rep("|x: int| ", 2000) + "1\nprint(f)",
		"types":         "fn f(x: " + rep("[", 5000) + "int" + rep("]", 5000) + ") { print(x) }\nf([])",
		"optionals":     "fn f(x: int" + rep("?", 5000) + ") { print(x) }\nf(1)",
		"patterns":      "match 1 { " + rep("(", 5000) + "a" + rep(")", 5000) + " => {} }",
		"alternatives":  "match 1 { 1" + rep(" | 1", 5000) + " => {}, _ => {} }",
		"arms":          "match 1 { " + rep("1 => {}\n", 3000) + " _ => {} }",
		"interpolation": "print(" + rep("\"${", 2000) + "1" + rep("}\"", 2000) + ")",
		"aliases":       aliases.String() + "fn f(x: A19999) { print(x) }\nf(1)",
		"tuples":        tuples.String(),
		"calls":         "fn f0() { }\n" + fns.String() + "spawn f2999()\n",
		"constants":     imports.String() + "const c3000 = 1\n",
		"nested calls":  "fn id<T>(x: T) -> T { x }\nprint(" + rep("id(", 2000) + "1" + rep(")", 2000) + ")",
		"doubling":      "fn two<T>(x: T) -> (T, T) { (x, x) }\nprint(" + rep("two(", 200) + "1" + rep(")", 200) + ")",
		"hard match":    "fn f(" + "a: (bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool)) { match a {\n" + hardMatch(12) + "} }\nf((true, true, true, true, true, true, true, true, true, true, true, true))",
		"self enum":     "enum E { A(e: E), B }\nlet m: map<E, int> = {}\nprint(m)",
		"self struct":   "struct S<T> { s: S<[T]>?, x: T }\nfn f(s: S<int>) -> int { s.x }\nprint(f(S(none, 1)))",
		"self bound":    "interface I<T> { fn f(x: T) }\nfn g<T: I<T>>(x: T) { x.f(x) }\nstruct P { x: int\n fn f(x: P) { print(x) } }\ng(P(1))",
		"self lambda":   "let f = |x| x(x)\nprint(f)",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			c := check(t, src, nil)
			c.lines()
			require.Less(t, time.Since(start), time.Minute) // without a limit: hours
		})
	}
}

// hardMatch is a match whose rows each look at two of n columns.
func hardMatch(n int) string {
	var b strings.Builder
	for i := range n {
		cols := make([]string, n)
		for j := range cols {
			cols[j] = "_"
		}
		cols[i], cols[(i+1)%n] = "true", "false"
		b.WriteString("(" + strings.Join(cols, ", ") + ") => {}\n")
	}
	return b.String()
}
