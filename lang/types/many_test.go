package types_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/diag"
)

// mistakes are lines with a number for $, each of which is wrong.
var mistakes = []string{
	"unknown(x$)", "foo$.bar()", "let a$: int = \"\"", "let b$: Missing$ = 1", "let _c$ = [1].lenght$()", "1 + \"\"", "Missing$(1)", "fn f() { }",
	"struct S { }", "import nothing$", "f$ = 1", "let d$ = match 1 { Some$(x) => 1, _ => 2 }", "fn g$(x: Missing$) -> Gone$ { }", "break", "return 1", "await 1",
	"let e$ = [1, \"\", 2.5]", "let h$ = fn_$", "let i$ = \"${missing$}\"", "for x in missing$ { y$(x) }", "let v$ = 1", "var w$ = 1", "fn unused$() { }",
	"print(\"a\".foo$())", "print(`${print}` + $)",
}

// Of many mistakes the first ones are told, with a word on the others.
func TestManyMistakesAreCut(t *testing.T) {
	for _, line := range longtest.Sample(mistakes, 2) {
		c := check(t, numbered(line+"\n", 2500), nil)
		errors := 0
		for _, d := range c.diags {
			if d.Severity == diag.Error {
				errors++
			}
		}
		require.LessOrEqual(t, errors, 1000, line)
		require.LessOrEqual(t, len(c.diags), 2000, line)
		if len(c.diags) >= 1000 {
			require.Contains(t, c.diags[len(c.diags)-1].Notes, "there may be more errors and warnings: they are not shown", line)
		}
	}
}

// Many warnings do not hide an error.
func TestWarningsHideNoErrors(t *testing.T) {
	c := check(t, numbered("{ let a$ = 1 }\n", 2500)+"let x: int = \"\"\nprint(x)\n", nil)
	require.Contains(t, fmt.Sprint(c.lines()), "must be `int`, but this is `str`")
}

// Twice as many mistakes on one line take about twice as long, also to show.
func TestMistakesAreLinear(t *testing.T) {
	for _, line := range longtest.Sample(mistakes, 4) {
		require.Empty(t, linear.Grows(300, 10_000, func(n int) {
			c := check(t, numbered(line+"; ", n), nil)
			var b strings.Builder
			require.NoError(t, diag.Render(&b, c.files, c.diags, diag.Options{}))
		}), line)
	}
}

func numbered(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "$", fmt.Sprint(i)))
	}
	return b.String()
}
