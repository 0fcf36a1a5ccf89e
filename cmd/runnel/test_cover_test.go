package main

import (
	"os"
	"path/filepath"
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
	assert.Regexp(t, `(?m)^a.rnl +4 +4 +100.0% *$`, got.stdout)
	assert.Regexp(t, `(?m)^lib.rnl +7 +3 +42.9% +5-13$`, got.stdout)
	assert.Regexp(t, `(?m)^all +11 +7 +63.6%`, got.stdout)
	got = in(t, dir, "", "test", "--cover", "--parallel=2", "a.rnl", "b.rnl")
	assert.Regexp(t, `(?m)^lib.rnl +7 +4 +57.1% +9-13$`, got.stdout, "what several scripts import is counted together")
	got = in(t, dir, "", "test", "--cover", "--json", "a.rnl")
	assert.Contains(t, got.stdout, `{"event":"coverage","file":"lib.rnl","lines":7,"run":3,"not":["5-13"]}`)
	assert.Equal(t, 2, in(t, dir, "", "test", "--cover", "--race", "a.rnl").exit)
	assert.Equal(t, 2, in(t, dir, "", "test", "--cover", "--workers=2", "a.rnl").exit)
}

func TestCoverageAsHTML(t *testing.T) {
	dir := tree(t, covered)
	assert.Equal(t, 0, in(t, dir, "", "test", "--cover-html", "c.html", "a.rnl").exit)
	data, err := os.ReadFile(filepath.Join(dir, "c.html"))
	require.NoError(t, err)
	for _, line := range []string{
		`<tr class="run"><td>5</td><td>4×</td><td>    s &#43;= i</td></tr>`,
		`<tr class="not"><td>5</td><td>0×</td><td>    &#34;small&#34;</td></tr>`,
		`<tr class="run"><td>3</td><td>1×</td><td>    &#34;big &amp; fat&#34;</td></tr>`,
		`<tr class=""><td>7</td><td></td><td>}</td></tr>`,
		`<tr class="run"><td>16</td><td>2×</td><td>  xs[0]</td></tr>`, // two instances of it
		`<a href="#f1">lib.rnl</a>`,
	} {
		assert.Contains(t, string(data), line)
	}
}
