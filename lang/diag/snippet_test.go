package diag

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// sample is a program that is shown in tests: its labels are put at texts.
const sample = `fn pick(n: int) -> str {
  let name: str = match n {
    1 => 1
    2 => 2
    3 => 3
    4 => 4
    5 => 5
    _ => 6
  }
  return name + if n > 1 {
    2
  } else { 3 }
}
print(pick("a",
  2))
`

func TestSnippets(t *testing.T) {
	var fs FileSet
	f := fs.Add("a.rnl", sample)
	span := func(from, to string) Span {
		start, end := at(f, from, 0), at(f, to, 0)
		return Span{start.Start, end.End}
	}
	op := strings.Index(sample, "n > 1") + 2
	for _, c := range []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"a long span that begins within a line, and a label on it", Diagnostic{Code: "E0301", Message: "no",
			Span: span("match n", "_ => 6\n  }"), Text: "this is `int`", Labels: []Label{{at(f, "str", 1), "declared with this type"}}}, `
error[E0301]: no
 --> a.rnl:2:19
  |
2 |     let name: str = match n {
  |  _____________---___^
  | |             |
  | |             declared with this type
3 | |     1 => 1
4 | |     2 => 2
... |
8 | |     _ => 6
9 | |   }
  | |___^ this is ` + "`int`" + `
`},
		{"a span that begins with its line, a label before and one after it", Diagnostic{Severity: Warning, Code: "W0604", Message: "no",
			Span: span("return", "3 }"), Labels: []Label{{at(f, "str", 0), "wanted"}, {at(f, "print", 0), "called"}}}, `
warning[W0604]: no
  --> a.rnl:10:3
   |
 1 |   fn pick(n: int) -> str {
   |                      --- wanted
...
10 | /   return name + if n > 1 {
11 | |     2
12 | |   } else { 3 }
   | |______________^
13 |   }
14 |   print(pick("a",
   |   ----- called
`},
		{"labels where a span closes and within it", Diagnostic{Code: "E0301", Message: "no", Text: "a branch",
			Span: span("if n > 1", "3 }"), Labels: []Label{{at(f, "3", 2), "here"}, {at(f, "2", 2), "and here"}, {at(f, "name", 1), "added"}}}, `
error[E0301]: no
  --> a.rnl:10:17
   |
10 |     return name + if n > 1 {
   |  __________----___^
   | |          |
   | |          added
11 | |     2
   | |     - and here
12 | |   } else { 3 }
   | |____________-_^ a branch
   |              |
   |              here
`},
		{"a label of several lines", Diagnostic{Code: "E0305", Message: "no", Span: at(f, "2", 3), Text: "one too many",
			Labels: []Label{{span("(\"a\"", "2))"), "in this call"}}}, `
error[E0305]: no
  --> a.rnl:15:3
   |
14 | print(pick("a",
   |           ----- in this call (to line 15)
15 |   2))
   |   ^ one too many
`},
		{"labels that lie in one another and at one place", Diagnostic{Code: "E0302", Message: "no", Span: f.Span(op, op+1), Text: "this operator",
			Labels: []Label{{span("n > 1", "n > 1"), "all of it"}, {f.Span(op-2, op-1), "an int"}, {at(f, "1 {", 0), ""}}}, `
error[E0302]: no
  --> a.rnl:10:22
   |
10 |   return name + if n > 1 {
   |                    --^----
   |                    | |
   |                    | this operator
   |                    an int
   |                    all of it
`},
		{"fixes: several lines, a new line, and the last line gone", Diagnostic{Code: "E0119", Message: "no", Span: at(f, "2", 3), Fixes: []Fix{
			{"write it on one line", []Edit{{span("{\n    2", "{\n    2"), "{ 2"}, {span("\n  } else", " } else"), " } else"}}},
			{"add one", []Edit{{at(f, "print", 0), "// call it\nprint"}}},
			{"remove it", []Edit{{Span{at(f, "print", 0).Start, f.Base + uint32(len(f.Src))}, ""}}},
			{"far too much", []Edit{{f.Span(0, len(f.Src)), ""}}},
		}}, `
error[E0119]: no
  --> a.rnl:15:3
   |
15 |   2))
   |   ^
   |
   = help: write it on one line:
10 -   return name + if n > 1 {
11 -     2
12 -   } else { 3 }
10 +   return name + if n > 1 { 2 } else { 3 }
   = help: add one:
14 - print(pick("a",
14 + // call it
15 + print(pick("a",
   = help: remove it:
14 - print(pick("a",
15 -   2))
   = help: far too much
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, strings.TrimPrefix(c.want, "\n"), render(t, &fs, Options{}, c.d))
		})
	}
}

func TestSnippetsOfOddText(t *testing.T) {
	for _, c := range []struct{ name, src, mark, want string }{
		{"windows line ends", "let a = 1\r\nlet b = x\r\n", "x", `
2 | let b = x
  |         ^
`},
		{"a mark over the line's end", "let b = x\r\n", "x\r\n", `
1 | let b = x
  |         ^
`},
		{"tabs before, in and after", "\tlet\tb\t= x", "b\t=", `
1 |     let b   = x
  |         ^^^^^
`},
		{"combining letters take no cell", "let e\u0301te\u0301 = x", "x", "\n1 | let e\u0301te\u0301 = x\n  |           ^\n"},
		{"emoji take two, also those made of several", "f(👋🏽, 🇫🇷, 👩‍👧, x)", "x", "\n1 | f(👋🏽, 🇫🇷, 👩‍👧, x)\n  |               ^\n"},
		{"what nobody sees is shown", "let\u200ba = \u202e1\u2028x", "x", "\n1 | let\ufffda = \ufffd1\ufffdx\n  |            ^\n"},
		{"a carriage return within a line", "a\rb x", "x", "\n1 | a\ufffdb x\n  |     ^\n"},
		{"the end of a file without an end of line", "f(1", "", "\n1 | f(1\n  |    ^\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fs FileSet
			f := fs.Add("a", c.src)
			s := f.Span(len(c.src), len(c.src))
			if c.mark != "" {
				s = at(f, c.mark, 0)
			}
			lines := strings.SplitAfter(render(t, &fs, Options{}, Diagnostic{Message: "m", Span: s}), "\n")
			assert.Equal(t, c.want, "\n"+strings.Join(lines[3:], ""))
		})
	}
}

func TestLabelsOutsideOfAClippedLine(t *testing.T) {
	var fs FileSet
	f := fs.Add("x", "first "+strings.Repeat("日", 50)+" HERE "+strings.Repeat("b", 100)+" last")
	assert.Equal(t, `error: m
 --> x:1:58
  |
1 | …日日日日日日日日日日日 HERE bbbbbb…
  | -                       ^^^^       - after
  | |                       |
  | |                       this
  | before
`, render(t, &fs, Options{Width: 40}, Diagnostic{Message: "m", Span: at(f, "HERE", 0), Text: "this",
		Labels: []Label{{at(f, "first", 0), "before"}, {at(f, "last", 0), "after"}}}))
}

// A program may be one long line with many mistakes in it.
func TestManyFindingsOnALongLineAreQuick(t *testing.T) {
	var fs FileSet
	f := fs.Add("x", strings.Repeat("a+日 ", 200_000))
	var diags []Diagnostic
	for i := range 1000 {
		diags = append(diags, Diagnostic{Message: "m", Span: f.Span(i*1000, i*1000+1), Fixes: []Fix{{"t", []Edit{{f.Span(i*1000, i*1000+1), "b"}}}}})
	}
	begin := time.Now()
	out := render(t, &fs, Options{Width: 80}, diags...)
	assert.Less(t, time.Since(begin), 20*time.Second)
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len(line), 4*80)
	}
}
