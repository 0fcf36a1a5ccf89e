package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var covered = map[string]string{
	"lib.rnl": `pub fn size(n: int) -> str {
  if n > 3 {
    "big & fat"
  } else {
    "small"
  }
}
pub fn never(n: int) -> int {
  let f = |x: int| -> int {
    x + n
  }

  f(1)
}
pub fn first<T>(xs: [T]) -> T {
  xs[0]
}
`,
	"a.rnl": `import "./lib"
fn sum(n: int) -> int {
  var s = 0
  for i in 0..n {
    s += i
  }
  s
}
test "sum" {
  assert(sum(4) == 6)
  assert(lib.first([1]) == 1 && lib.first(["a"]) == "a")
}
test "size" { assert(lib.size(4) == "big & fat") }
`,
	"b.rnl": "import \"./lib\"\ntest \"small\" { assert(lib.size(1) == \"small\") }\n",
}

func TestCoverage(t *testing.T) {
	dir := tree(t, covered)
	got := in(t, dir, "", "test", "--cover", "a.rnl")
	assert.Regexp(t, `(?m)^a.rnl +4/4 +100.0% +1/1 +100.0% *$`, got.stdout)
	assert.Regexp(t, `(?m)^lib.rnl +3/7 +42.9% +1/2 +50.0% +5-13$`, got.stdout)
	assert.Regexp(t, `(?m)^all +7/11 +63.6% +2/3 +66.7%`, got.stdout)
	got = in(t, dir, "", "test", "--cover", "--parallel=2", "a.rnl", "b.rnl")
	assert.Regexp(t, `(?m)^lib.rnl +4/7 +57.1% +2/2 +100.0% +9-13$`, got.stdout, "what several scripts import is counted together")
	assert.NotContains(t, got.stdout, "\nb.rnl", "it has nothing but tests")
	got = in(t, dir, "", "test", "--cover", "--json", "a.rnl")
	assert.Contains(t, got.stdout, `{"event":"coverage","file":"lib.rnl","lines":7,"run":3,"not":["5-13"],"branches":2,"taken":1}`)
	assert.Equal(t, 2, in(t, dir, "", "test", "--cover", "--race", "a.rnl").exit)
	assert.Equal(t, 2, in(t, dir, "", "test", "--cover", "--workers=2", "a.rnl").exit)
}

// A line for each kind of branch, with what is said of it when the test takes some.
const branching = `fn all(n: int, ch: chan<int>) {
  if n > 0 { print(n) }             // ~ the condition is always true
  if n > 1 { print(n) } else { }    // ~ the condition is never true
  if n > 2 { } else if n > 0 { }    // ~ the condition is never true, the condition is always true
  while n > 3 { return }            // ~ the loop is never entered
  for i in 0..n { print(i) }        //
  for x in [n].skip(1) { print(x) } // ~ the loop is never entered
  let a = n > 0 || n < 0            // ~ what follows || is never evaluated
  let b = n > 0 && n < 9            //
  let c = [n].first() ?? 5          // ~ what follows ?? is never evaluated
  let d = [n].get(7) ?? 5           //
  match n { 0 => print(0), _ => print("other") }         // ~ this arm is never taken
  let e = match n { 1 => "a", 2 => "b", _ => "c" }       // ~ this arm is never taken, this arm is never taken
  try { print(10 / n) } catch e { print("caught") }      // ~ nothing is caught here
  try { throw error("x") } catch e: ValueError { } catch e { }        // ~ nothing is caught here
  select { ch.send(1) => print("sent"), after 1h => print("late") }   // ~ this arm is never taken
  if false { print("never") }       // ~ the condition is never true
}
test "all" { all(1, chan<int>(1)) }
`

func TestBranches(t *testing.T) {
	got := invoke(t, map[string]string{"a.rnl": branching}, "", "test", "--cover-source", "a.rnl")
	require.Equal(t, 0, got.exit, got.stderr)
	n := 0
	for line := range strings.Lines(branching) {
		code, want, counted := strings.Cut(strings.TrimSuffix(line, "\n"), "//")
		if !counted {
			continue
		}
		n++
		mark, want, untold := strings.Cut(want, "~ ")
		shown := regexp.MustCompile(`(?m)^(.).*` + regexp.QuoteMeta(code) + `//[^←\n]*(?:← (.*))?$`).FindStringSubmatch(got.stdout)
		require.NotNil(t, shown, "%s%s\n%s", code, mark, got.stdout)
		assert.Equal(t, want, shown[2], code)
		assert.Equal(t, untold, shown[1] == "~", code)
	}
	assert.Equal(t, 16, n)
	assert.Regexp(t, `(?m)^a.rnl +16/16 .* 11/26 `, got.stdout)
}

func TestCoverageAsHTML(t *testing.T) {
	dir := tree(t, covered)
	assert.Equal(t, 0, in(t, dir, "", "test", "--cover-html", "c.html", "a.rnl").exit)
	data, err := os.ReadFile(filepath.Join(dir, "c.html"))
	require.NoError(t, err)
	for _, line := range []string{
		`<tr class="run"><td>5</td><td>4×</td><td>    s += i</td></tr>`,
		`<tr class="not"><td>5</td><td>0×</td><td>    <i class="string">&#34;small&#34;</i></td></tr>`,
		`<tr class="run"><td>3</td><td>1×</td><td>    <i class="string">&#34;big &amp; fat&#34;</i></td></tr>`,
		`<tr class=""><td>7</td><td></td><td>}</td></tr>`,
		`<tr class="run"><td>16</td><td>2×</td><td>  xs[<i class="number">0</i>]</td></tr>`, // two instances of it
		`{<span class="untold">the condition is always true</span></td></tr>`,
		`<a href="#f1">lib.rnl</a>`,
	} {
		assert.Contains(t, string(data), line)
	}
}
