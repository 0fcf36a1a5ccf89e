package csv_test

import (
	gocsv "encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/texttest"
	"github.com/runnel-lang/runnel/stdlib/csv"
)

func TestRowsArePaidFor(t *testing.T) {
	for _, c := range []struct{ script, text string }{
		{`import fs; import csv; print(csv.parse(fs.read("text")).len())`, strings.Repeat("a,b\n", 100_000)},
		{`import fs; import csv; print(csv.parse(fs.read("text")).len())`, "\"" + strings.Repeat("a\n", 500_000) + "\""},
		{`import fs; import csv; print(csv.records(fs.read("text")).len())`, strings.Repeat("a,b\n", 100_000)},
		{`import fs; import csv; print(csv.encode([["\""].repeat(100_000)].repeat(10)).len())`, ""},
	} {
		_, err := texttest.Runner(t, csv.Module, c.script, runnel.Limits{Memory: 3 << 20})(c.text)
		require.ErrorContains(t, err, "memory limit", c.script)
		_, err = texttest.Runner(t, csv.Module, c.script, runnel.Limits{Steps: 20_000})(c.text)
		require.ErrorContains(t, err, "steps is reached", c.script)
	}
}

// A long table takes the memory of a row.
func TestRowsAreReadOneByOne(t *testing.T) {
	script := `
import csv
struct P { x: int, y: str }
struct Lines { n: int = 0
  fn next() -> str? {
    self.n += 1
    if self.n == 1 { return "x,y" }
    if self.n > 50_000 { return none }
    "${self.n},\"some text, that is not so short\""
  }
}
var sum = 0
for p in csv.reader(Lines()).decode<P>() { sum += p.x }
print(sum)
`
	out, err := texttest.Runner(t, csv.Module, script+"import fs", runnel.Limits{Memory: 1 << 20})("")
	require.NoError(t, err)
	require.Equal(t, "1250024999\n", out)
}

// Two tasks that use one reader get its rows or an error, and no more.
func TestTwoTasksAtOneReader(t *testing.T) {
	script := `
import fs
import csv
let r = csv.reader(["a,\"b", "c\"", "1,2"].repeat(300).iter())
let tasks = (0..4).map(|_| spawn {
  var n = 0
  loop {
    try { if r.next() == none { break } else { n += 1 } } catch e { n += 1 }
    if n > 1000 { break }
  }
})
for t in tasks { await t }
`
	for range 20 {
		_, err := texttest.Runner(t, csv.Module, script, runnel.Limits{})("")
		require.NoError(t, err)
	}
}

// Reading line by line gives what Go's reader gives of the whole text.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{"", "a,b\n1,2", "\"a\"\"b\",c\r\n", "\"a\nb\"\n\n,", "a\"b", "\"a\"b", "\"a", "#c\na", "a;b\t'c'", "\r", "\r\r", "\"\r\n\"", "\"\r\r\n\"", ",\n,,"} {
		f.Add(text)
	}
	run := texttest.Runner(f, csv.Module, `
import fs
import csv
let text = fs.read("text")
let rows = csv.parse(text)
assert(csv.reader(text.lines().iter()).to_list() == rows)
// Line ends in cells become \n.
fn comes_back(rows: [[str]], separator: str, quote: str) -> bool {
  if rows.any(|row| row.any(|cell| cell.contains("\r\n"))) { return true }
  csv.parse(csv.encode(rows, separator: separator, quote: quote), separator: separator, quote: quote) == rows
}
assert(comes_back(rows, ",", "\""), "${rows}")
for separator in [",", ";"] {
  for quote in ["\"", "'"] {
    let other = try { csv.parse(text, separator: separator, quote: quote, comment: "#") } catch e: ValueError { [] }
    assert(comes_back(other, separator, quote), "${other}")
  }
}
for row in rows { print(row.len()) }
`, runnel.Limits{Memory: 64 << 20})
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\ufeff") { // at the start of a text it is no part of a cell
			return
		}
		out, err := run(text)
		if err != nil {
			require.True(t, texttest.IsBadInput(err), "%v", err)
		}
		if !utf8.ValidString(text) {
			return
		}
		r := gocsv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = -1
		rows, goErr := r.ReadAll()
		require.Equal(t, goErr == nil, err == nil, "%q: %v, %v", text, err, goErr)
		if err == nil {
			require.Equal(t, len(rows), strings.Count(out, "\n"), "%q", text)
		}
	})
}
