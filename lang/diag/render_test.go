package diag

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// at is the span of the n-th occurrence (from 0) of text in the file.
func at(f *File, text string, n int) Span {
	off := 0
	for ; ; n-- {
		i := strings.Index(f.Src[off:], text)
		if i < 0 {
			panic("no " + text)
		}
		off += i
		if n == 0 {
			return f.Span(off, off+len(text))
		}
		off += len(text)
	}
}

func render(t *testing.T, fs *FileSet, opts Options, d ...Diagnostic) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, Render(&b, fs, d, opts))
	return b.String()
}

func TestRender(t *testing.T) {
	var fs FileSet
	f := fs.Add("main.rnl", "let a = 1\nlet bb = a + \"x\"\n\nfn f() {\n\treturn a +\t\"日本\" + b\n}\n")
	g := fs.Add("geo.rnl", "pub let a = 2\n")

	for _, c := range []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"no place", Diagnostic{Code: "E0206", Message: "no such file", Span: NoSpan, Help: []string{"look"}}, `
error[E0206]: no such file
 = help: look
`},
		{"plain", Diagnostic{Code: "E0301", Span: at(f, "\"x\"", 0), Message: "no", Text: "a str"}, `
error[E0301]: no
 --> main.rnl:2:14
  |
2 | let bb = a + "x"
  |              ^^^ a str
`},
		{"a warning with notes", Diagnostic{Severity: Warning, Code: "W0601", Span: at(f, "bb", 0), Message: "unused",
			Notes: []string{"one\ntwo"}, Help: []string{"three"}}, `
warning[W0601]: unused
 --> main.rnl:2:5
  |
2 | let bb = a + "x"
  |     ^^
  |
  = note: one
          two
  = help: three
`},
		{"labels on one line", Diagnostic{Code: "E0302", Span: at(f, "+", 0), Message: "no", Text: "here",
			Labels: []Label{{at(f, "a", 1), "an int"}, {at(f, "\"x\"", 0), "a str"}}}, `
error[E0302]: no
 --> main.rnl:2:12
  |
2 | let bb = a + "x"
  |          - ^ --- a str
  |          | |
  |          | here
  |          an int
`},
		{"labels on several lines and files", Diagnostic{Code: "E0203", Span: at(f, "bb", 0), Message: "twice", Text: "again",
			Labels: []Label{{at(g, "a", 0), "there"}, {at(f, "a", 0), "before"}, {at(f, "f", 0), "far"}}}, `
error[E0203]: twice
 --> main.rnl:2:5
  |
1 | let a = 1
  |     - before
2 | let bb = a + "x"
  |     ^^ again
3 |
4 | fn f() {
  | - far
 ::: geo.rnl:1:9
  |
1 | pub let a = 2
  |         - there
`},
		{"tabs and wide characters", Diagnostic{Code: "E0201", Span: at(f, "b", 2), Message: "no", Labels: []Label{{at(f, "日本", 0), "x"}}}, `
error[E0201]: no
 --> main.rnl:5:20
  |
5 |     return a +  "日本" + b
  |                  ----    ^
  |                  |
  |                  x
`},
		{"more than one line", Diagnostic{Code: "E0201", Span: f.Span(21, 40), Message: "no", Text: "all"}, `
error[E0201]: no
 --> main.rnl:2:12
  |
2 |   let bb = a + "x"
  |  ____________^
3 | |
4 | | fn f() {
5 | |     return a +  "日本" + b
  | |______^ all
`},
		{"the end of the file", Diagnostic{Code: "E0103", Span: f.Span(len(f.Src), len(f.Src)), Message: "no"}, `
error[E0103]: no
 --> main.rnl:7:1
  |
7 |
  | ^
`},
		{"a fix", Diagnostic{Code: "E0119", Span: at(f, "let", 1), Message: "no", Fixes: []Fix{
			{"use `var`", []Edit{{at(f, "let", 1), "var"}, {at(f, "bb", 0), "b2"}}},
			{"rewrite it", []Edit{{at(f, "let", 1), "a\nb"}}}, {"drop it", []Edit{{at(f, "let ", 1), ""}}}}}, `
error[E0119]: no
 --> main.rnl:2:1
  |
2 | let bb = a + "x"
  | ^^^
  |
  = help: use ` + "`var`" + `:
2 | var b2 = a + "x"
  | ~~~ ~~
  = help: rewrite it:
2 - let bb = a + "x"
2 + a
3 + b bb = a + "x"
  = help: drop it:
2 - let bb = a + "x"
2 + bb = a + "x"
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, strings.TrimPrefix(c.want, "\n"), render(t, &fs, Options{}, c.d))
		})
	}
}

func TestRenderWideGutter(t *testing.T) {
	var fs FileSet
	f := fs.Add("x", strings.Repeat("\n", 98)+"a\nb\n")
	d := Diagnostic{Code: "E0201", Span: at(f, "b", 0), Message: "no", Labels: []Label{{at(f, "a", 0), ""}}}
	assert.Equal(t, `error[E0201]: no
   --> x:100:1
    |
 99 | a
    | -
100 | b
    | ^

error[E0201]: no
   --> x:100:1
    |
 99 | a
    | -
100 | b
    | ^
`, render(t, &fs, Options{}, d, d))
}

func TestRenderClipsLongLines(t *testing.T) {
	var fs FileSet
	f := fs.Add("x", strings.Repeat("a", 100)+"HERE"+strings.Repeat("b", 100)+"\n")
	line := func(s Span) string {
		return strings.Split(render(t, &fs, Options{Width: 44}, Diagnostic{Span: s, Message: "m"}), "\n")[3]
	}
	assert.Equal(t, "1 | …aaaaaaaaaaaaaaaaaaaaaaaaaaHEREbbbbbbbb…", line(at(f, "HERE", 0)))
	assert.Equal(t, "1 | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…", line(f.Span(0, 1)))
	assert.Equal(t, "1 | …bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", line(f.Span(204, 204)))
	assert.Equal(t, "1 | …aaaaaHEREbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…", line(f.Span(95, 140)))
}

func TestRenderMakesControlCharactersVisible(t *testing.T) {
	var fs FileSet
	f := fs.Add("x\x1b[2J", "a\x1b[31m\u202e\xff b\n")
	out := render(t, &fs, Options{}, Diagnostic{Span: at(f, " b", 0), Message: "m\x07", Text: "t\u202e"})
	assert.NotContains(t, out, "\x1b")
	assert.NotContains(t, out, "\x07")
	assert.NotContains(t, out, "\u202e")
	assert.Contains(t, out, "1 | a\ufffd[31m\ufffd\ufffd b\n  |         ^^ t\ufffd\n")
}

func TestRenderColor(t *testing.T) {
	var fs FileSet
	f := fs.Add("x", "a")
	out := render(t, &fs, Options{Color: true}, Diagnostic{Code: "E0201", Span: at(f, "a", 0), Message: "m", Help: []string{"h"}})
	assert.Contains(t, out, "\x1b[1;31merror[E0201]\x1b[0m\x1b[1m: m\x1b[0m\n")
	assert.Contains(t, out, "\x1b[1;36mhelp\x1b[0m: h\n")
}

func TestRenderJSON(t *testing.T) {
	var fs FileSet
	f := fs.Add("x", "ä b\n<c>")
	var b strings.Builder
	require.NoError(t, RenderJSON(&b, &fs, []Diagnostic{{
		Code: "E0201", Span: at(f, "b", 0), Message: "no <b>", Labels: []Label{{at(f, "c", 0), "l"}},
		Fixes: []Fix{{"t", []Edit{{at(f, "b", 0), "d"}}}},
	}, {Severity: Warning, Code: "W0601", Message: "w"}}))
	assert.JSONEq(t, `[
	  {"code": "E0201", "severity": "error", "message": "no <b>",
	   "span": {"file": "x", "start": {"offset": 3, "line": 1, "column": 3}, "end": {"offset": 4, "line": 1, "column": 4}},
	   "labels": [{"span": {"file": "x", "start": {"offset": 6, "line": 2, "column": 2}, "end": {"offset": 7, "line": 2, "column": 3}}, "text": "l"}],
	   "fixes": [{"title": "t", "edits": [{"span": {"file": "x", "start": {"offset": 3, "line": 1, "column": 3}, "end": {"offset": 4, "line": 1, "column": 4}}, "new": "d"}]}]},
	  {"code": "W0601", "severity": "warning", "message": "w"}]`, b.String())
	b.Reset()
	require.NoError(t, RenderJSON(&b, &fs, nil))
	assert.Equal(t, "[]\n", b.String())
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestRenderGivesTheWritersError(t *testing.T) {
	assert.EqualError(t, Render(broken{}, &FileSet{}, []Diagnostic{{Message: "m"}}, Options{}), "full")
}

// Of a long line only what is near a change is looked at.
func TestAFixOnALongLine(t *testing.T) {
	var fs FileSet
	f := fs.Add("a.rnl", strings.Repeat("é", 100_001)+" old "+strings.Repeat("é", 100_001))
	at := strings.Index(f.Src, "old")
	var b strings.Builder
	require.NoError(t, Render(&b, &fs, []Diagnostic{{Severity: Error, Message: "m", Span: f.Span(at, at+3),
		Fixes: []Fix{{Title: "write `new`", Edits: []Edit{{Span: f.Span(at, at+3), New: "new"}}}}}}, Options{Width: 60}))
	require.Contains(t, b.String(), "é new é")
	require.Equal(t, 4, strings.Count(b.String(), "…"), b.String())
	require.Less(t, b.Len(), 1000)
}
