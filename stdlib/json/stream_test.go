package json_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/texttest"
	"github.com/runnel-lang/runnel/stdlib/json"
)

// pieces cuts a text, of which a script knows how, for the readers.
const pieces = `
import fs
import json
let text = fs.read("text")
let raw = text.bytes()
struct Pieces { text: str, size: int, at: int = 0
  fn next() -> str? {
    if self.at >= self.text.len() { return none }
    var end = min(self.at + self.size, self.text.len())
    while !raw.slice(self.at, end).is_utf8() { end += 1 }
    let start = self.at
    self.at = end
    self.text.slice(start, end)
  }
}
`

// rebuilt writes what the events of a text tell, which must be what the text holds.
const rebuilt = pieces + `
fn copy(r: json.Reader, out: json.Writer) {
  while let event = r.event() {
    match event {
      ObjectStart => out.object(|| copy(r, out))
      ArrayStart => out.array(|| copy(r, out))
      Key(name) => out.key(name)
      Value(v) => out.value(v)
      _ => return
    }
  }
}
for size in [1, 3, 7, 1000] {
  let parts: [str] = []
  let problem = try { copy(json.reader(Pieces(text, size)), json.writer(|s| parts.push(s))); "" } catch e: ValueError { e.message() }
  let whole = try { let values: [any] = []; let r = json.reader(Pieces(text, size)); while let v = r.value<any>() { values.push(v) }; "${values.map(|v| json.encode(v)).join("\n")}" } catch e: ValueError { "refused" }
  let parsed = try { json.encode(json.parse(text)) } catch e: ValueError { "refused" }
  if parsed != "refused" { assert(problem == "" && whole == parsed, "${size}: ${problem}, ${whole:?}, ${parsed:?}") }
  assert((problem == "") == (whole != "refused"), "${size}: ${problem}, ${whole:?}")
  if problem == "" && parsed != "refused" { assert(json.encode(json.parse(parts.join(""))) == parsed, "${parts}") }
  print(problem == "")
}
`

func FuzzStream(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, {"b": null}], "c\n": "dé😀"}`, `[1, 2.5e3, -0, "x", true, false, null]`, `[]`, `{}`, `1 2 [3]`, `"a\"]"`, `[1,]`, `{"a" 1}`, `[1}`, `{"a":1,}`,
		`]`, `[[[[]]]]`, `{"a":{"a":{}}}`, ` `, `tru e`, `"\ud800"`, `[1 2]`, `{"a":1 "b":2}`, `,1`, `1,`, `[`, `{"a`, `"`, `[nul`, `{}{}`, `1"a"`,
	} {
		f.Add(text)
	}
	run := texttest.Runner(f, json.Module, rebuilt, runnel.Limits{Memory: 64 << 20})
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 2000 {
			return
		}
		out, err := run(text)
		var e *runnel.Error
		require.False(t, errors.As(err, &e), "%q: %v", text, err)
		require.Contains(t, []string{strings.Repeat("true\n", 4), strings.Repeat("false\n", 4)}, out, "%q", text)
	})
}

// However a case of the suites is cut, it is read or refused as it is as a whole.
func TestCasesInPieces(t *testing.T) {
	run := texttest.Runner(t, json.Module, pieces+`
fn says(size: int) -> str {
  let r = json.reader(Pieces(text, size))
  try {
    if r.value<any>() == none && !json.is_valid(text) { return "n" }
    if r.event() == none { "y" } else { "n" }
  } catch e: ValueError { "n" }
}
print([1, 2, 5, 1_000_000].map(|size| says(size)).join(""))
`, runnel.Limits{})
	for _, file := range []string{"JSONTestSuite.txt", "more.txt"} {
		for name, text := range readCases(t, file) {
			if name[0] == 'i' || !utf8.ValidString(text) || len(text) > 5000 {
				continue
			}
			out, err := run(text)
			require.NoError(t, err, name)
			require.Equal(t, strings.Repeat(name[:1], 4)+"\n", out, name)
		}
	}
}

// A long array takes the memory of an element.
func TestItemsAreReadOneByOne(t *testing.T) {
	out, err := texttest.Runner(t, json.Module, `
import json
struct P { x: int, s: str }
struct Lines { n: int = 0
  fn next() -> str? {
    self.n += 1
    if self.n > 50_000 { return if self.n == 50_001 { "]" } else { none } }
    (if self.n == 1 { "[" } else { "," }) + json.encode(P(self.n, "some text, that is not so short"))
  }
}
var sum = 0
for p in json.items<P>(Lines()) { sum += p.x }
var bytes = 0
let out = json.writer(|text| bytes += text.len())
out.array(|| { for i in 0..50_000 { out.value(P(i, "some text, that is not so short")) } })
print(sum, bytes)
`, runnel.Limits{Memory: 1 << 20})("")
	require.NoError(t, err)
	require.Equal(t, "1250025000 2488891\n", out)
}

func TestWhatIsHeldIsPaidFor(t *testing.T) {
	script := pieces + `for x in json.items<str>(Pieces(text, 1000)) { print(x.len()) }`
	text := `["` + strings.Repeat("x", 3<<20) + `"]`
	_, err := texttest.Runner(t, json.Module, script, runnel.Limits{Memory: 8 << 20})(text)
	require.ErrorContains(t, err, "memory limit")
	_, err = texttest.Runner(t, json.Module, script, runnel.Limits{Steps: 20_000})(text)
	require.ErrorContains(t, err, "steps is reached")
}

// Two tasks that use one reader get its values or an error, and no more.
func TestTwoTasksAtOneReader(t *testing.T) {
	run := texttest.Runner(t, json.Module, `
import json
let r = json.reader(["[{\"a\": 1}, ", "[2, \"x", "\"]]"].repeat(300).iter())
let tasks = (0..4).map(|i| spawn {
  for n in 0..1000 {
    try { if i % 2 == 0 { r.event() } else { r.value<any>() } } catch e {}
  }
})
for t in tasks { await t }
`, runnel.Limits{})
	for range 20 {
		_, err := run("")
		require.NoError(t, err)
	}
}
