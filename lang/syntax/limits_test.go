package syntax

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/lang/diag"
)

// bombs nest or repeat something a hundred thousand times.
var bombs = map[string]string{
	"parentheses":    "let x = " + strings.Repeat("(", 100_000),
	"closed":         "let x = " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000),
	"lists":          "let x = " + strings.Repeat("[", 100_000),
	"maps":           "let x = " + strings.Repeat("{1: ", 100_000),
	"blocks":         strings.Repeat("{", 100_000),
	"ifs":            strings.Repeat("if a {", 100_000),
	"else ifs":       "if a {}" + strings.Repeat(" else if a {}", 100_000),
	"lambdas":        "let x = " + strings.Repeat("|x| ", 100_000),
	"calls":          "let x = " + strings.Repeat("f(", 100_000),
	"unary":          "let x = " + strings.Repeat("!", 100_000) + "a",
	"minus":          "let x = " + strings.Repeat("- ", 100_000) + "a",
	"await":          "let x = " + strings.Repeat("await ", 100_000) + "a",
	"spawn":          "let x = " + strings.Repeat("spawn ", 100_000) + "a",
	"return":         strings.Repeat("return ", 100_000),
	"lock":           strings.Repeat("lock ", 100_000),
	"sums":           "let x = a" + strings.Repeat(" + a", 100_000),
	"powers":         "let x = a" + strings.Repeat(" ** a", 100_000),
	"defaults":       "let x = a" + strings.Repeat(" ?? a", 100_000),
	"members":        "let x = a" + strings.Repeat(".b", 100_000),
	"unwraps":        "let x = a" + strings.Repeat("!", 100_000),
	"casts":          "let x = a" + strings.Repeat(" as int", 100_000),
	"types":          "let x: " + strings.Repeat("[", 100_000),
	"generics":       "let x: " + strings.Repeat("set<", 100_000),
	"optionals":      "let x: int" + strings.Repeat("?", 100_000),
	"function types": "let x: " + strings.Repeat("fn() -> ", 100_000),
	"type tuples":    "let x: " + strings.Repeat("(", 100_000),
	"patterns":       "match x { " + strings.Repeat("(", 100_000),
	"variants":       "match x { " + strings.Repeat("A(", 100_000),
	"matches":        strings.Repeat("match x { _ => ", 100_000),
	"tries":          strings.Repeat("try {", 100_000),
	"interpolations": "let x = " + strings.Repeat(`"${`, 100_000),
	"functions":      strings.Repeat("fn f() {", 100_000),
	"structs":        strings.Repeat("struct S { fn f() { ", 100_000),
	"labels":         strings.Repeat("'a: ", 100_000),
	"nested chains":  "let x = " + strings.Repeat("(", 900) + "a" + strings.Repeat(strings.Repeat(" + a", 900)+")", 900),
}

func TestDepthIsLimited(t *testing.T) {
	for name, src := range bombs {
		t.Run(name, func(t *testing.T) {
			var fs diag.FileSet
			start := linear.Used()
			f, diags := Parse(fs.Add("bomb", src))
			assert.Less(t, linear.Used()-start, 5*time.Second)
			require.NotEmpty(t, diags)
			assert.Less(t, len(diags), 3)
			if name != "labels" {
				assert.Equal(t, diag.TooNested, diags[0].Code, diags[0].Message)
			}
			checkTree(t, f)
		})
	}
}

// Long texts that nest nothing, and texts that make a lookahead look far.
func TestTimeIsLinear(t *testing.T) {
	for name, src := range map[string]string{
		"statements":     strings.Repeat("a = b\n", 50_000),
		"list":           "let x = [" + strings.Repeat("1, ", 100_000) + "]",
		"arguments":      "f(" + strings.Repeat("a, ", 100_000) + ")",
		"alternatives":   "match x { " + strings.Repeat("1 | ", 100_000) + "2 => 3 }",
		"interpolated":   `let x = "` + strings.Repeat("${a} ", 100_000) + `"`,
		"type lookahead": "f(" + strings.Repeat("a<", 100_000),
		"type lists":     "f(" + strings.Repeat("a<b,", 50_000),
		"broken lines":   strings.Repeat("let x = )\n", 50_000),
		"broken braces":  strings.Repeat("f( {\n", 50_000),
		"closers":        strings.Repeat(")", 100_000),
		"strange signs":  strings.Repeat("@ ", 100_000),
		"quotes":         strings.Repeat("\"\n", 50_000),
		"comments":       strings.Repeat("/*", 100_000),
		"doc comments":   strings.Repeat("/// x\n", 50_000) + "fn f() {}",
		"spaces":         strings.Repeat(" \n", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			var fs diag.FileSet
			start := linear.Used()
			f, diags := Parse(fs.Add("long", src))
			assert.Less(t, linear.Used()-start, 5*time.Second)
			assert.LessOrEqual(t, len(diags), maxErrors)
			checkTree(t, f)
		})
	}
}

// The tree of what is accepted is never higher than the limit allows, whatever
// it is made of: the passes that follow rely on it.
func TestTreeHeight(t *testing.T) {
	for name, src := range map[string]string{
		"parentheses": "let x = " + strings.Repeat("(", 900) + "a" + strings.Repeat(")", 900),
		"sums":        "let x = a" + strings.Repeat(" + a", 900),
		"mixed":       "let x = " + strings.Repeat("(a + ", 300) + "a" + strings.Repeat(")", 300),
		"members":     "let x = a" + strings.Repeat(".b(c)", 450),
	} {
		f := parseText(t, src)
		assert.Less(t, height(reflect.ValueOf(f.Items[0])), 3*MaxDepth, name)
	}
}

func height(v reflect.Value) int {
	h := 0
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			return height(v.Elem())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return height(v.Elem()) + 1
		}
	case reflect.Slice:
		for i := range v.Len() {
			h = max(h, height(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h = max(h, height(v.Field(i)))
		}
	}
	return h
}

func TestManyErrorsAreCut(t *testing.T) {
	var fs diag.FileSet
	_, diags := Parse(fs.Add("x", strings.Repeat("let = 1\n", 1000)))
	require.Len(t, diags, maxErrors)
	assert.Contains(t, diags[maxErrors-1].Notes, "there may be more errors: they are not shown")
}

// program is about 5,000 lines of ordinary code.
func program() string {
	const part = `
/// A point in the plane.
struct Point%s<T: Number>: Show {
  x: T
  y: T = 0
  let id: int = 0
  fn sum() -> T { self.x + self.y }
}

enum Shape%s { Circle(r: float), Rect(w: float, h: float), Empty
  fn area() -> float {
    match self {
      Circle(r) => 3.14159 * r * r
      Rect(w, h) if w == h => w ** 2.0
      Rect(w, h) => w * h
      Empty => 0.0
    }
  }
}

fn count%s(path: str, limit: int = 10) -> map<str, int> {
  let words = map<str, int>()
  for line in fs.lines(path) {                 // blocking: only this task waits
    for w in line.lower().fields() { words[w] = (words.get(w) ?? 0) + 1 }
    if words.len() > limit && line != "" || limit < 0 { break } else { continue }
  }
  scope {
    let parts = sys.args.map(|p| spawn count(p))
    for t in parts {
      let part = await t
      lock total as all { for w, n in part { all[w] = (all.get(w) ?? 0) + n } }
    }
  }
  select {
    let v = jobs.recv() => print("${v:>6} of ${words.len()}\n")
    after 10ms => none
  }
  words
}
`
	var b strings.Builder
	for i := 0; b.Len() < 190_000; i++ {
		b.WriteString(strings.ReplaceAll(part, "%s", string(rune('A'+i%26))))
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	src := program()
	b.ReportMetric(float64(strings.Count(src, "\n")), "lines")
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		var fs diag.FileSet
		if _, diags := Parse(fs.Add("bench", src)); len(diags) > 0 {
			b.Fatal(diags[0].Message)
		}
	}
}
