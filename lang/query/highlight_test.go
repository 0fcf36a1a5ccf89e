package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/query"
)

// painted writes the kind of each token before it: `keyword:let variable:x`.
func painted(text string, tokens []query.Token) string {
	var parts []string
	for _, t := range tokens {
		if t.Kind != query.Punctuation {
			parts = append(parts, string(t.Kind)+":"+text[t.Start:t.End])
		}
	}
	return strings.Join(parts, " ")
}

func TestHighlight(t *testing.T) {
	for src, want := range map[string]string{
		"let x: int = y.len()":         `keyword:let variable:x type:int operator:= variable:y function:len`,
		"fn f(a: Point) -> map<K, V>":  `keyword:fn function:f variable:a type:Point operator:-> type:map operator:< type:K type:V operator:>`,
		`"a ${x.y:>3} b" // c`:         `string:"a  variable:x member:y string::>3 string: b" comment:// c`,
		"/// Doc.\nbreak 'out":         `doc:/// Doc. keyword:break label:'out`,
		"type A = B\nlet type = 1":     `keyword:type type:A operator:= type:B keyword:let variable:type operator:= number:1`,
		"test \"t\" {}\nx.test":        `keyword:test string:"t" variable:x member:test`,
		"spawn detached f(true, 2ms)":  `keyword:spawn keyword:detached function:f constant:true number:2ms`,
		"let s = \"open":               `keyword:let variable:s operator:= invalid:"open`,
		"x.map(|y| y.":                 `variable:x function:map operator:| variable:y operator:| variable:y`,
		"print(\"${name":               `function:print string:" variable:name`,
		"select { after 1s => f() }":   `keyword:select keyword:after number:1s operator:=> function:f`,
		"Color.Red is Color\n€ `raw\n": "type:Color type:Red keyword:is type:Color invalid:€ invalid:`raw\n",
	} {
		require.Equal(t, want, painted(src, query.Highlight(src)), src)
	}
}

func TestNamesAreHighlightedByWhatTheyStandFor(t *testing.T) {
	const src = `import geo
const size = 1
fn f<T>(int: T) -> T { int }
enum E { A }
let e: E = A
print(geo.add(size, geo.Box(w: 1).w), f(e))`
	got := painted(src, query.Open("main.rnl", src, options(library)).Highlight())
	require.Equal(t, `keyword:import module:geo keyword:const constant:size operator:= number:1 `+
		`keyword:fn function:f operator:< type:T operator:> variable:int type:T operator:-> type:T variable:int `+
		`keyword:enum type:E variant:A keyword:let variable:e type:E operator:= variant:A `+
		`function:print module:geo function:add constant:size module:geo type:Box member:w number:1 member:w function:f variable:e`, got)
}

// What is no token is white space, whatever the text.
func checkTokens(t *testing.T, text string) {
	t.Helper()
	end := 0
	for _, tok := range query.Highlight(text) {
		require.True(t, tok.Start >= end && tok.End > tok.Start && tok.End <= len(text), "%q: %v", text, tok)
		require.Empty(t, strings.Trim(text[end:tok.Start], " \t\r\n\ufeff"), "%q", text)
		end = tok.End
	}
	require.Empty(t, strings.Trim(text[end:], " \t\r\n\ufeff"), "%q", text)
}

func FuzzHighlight(f *testing.F) {
	for _, src := range []string{program, "\"a ${", "b\"x", "'a: loop {}", "\"${\"}\"", "\"\"\"\n a ${b\nc\n\"\"\" d", "\"\"\"\n${a}", "/* /*", "x.1.", "\ufeff#!x\n\"${a:b}${c}\""} {
		f.Add(src)
	}
	f.Fuzz(checkTokens)
}
