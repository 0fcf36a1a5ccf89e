package query_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/query"
	"github.com/runnel-lang/runnel/lang/types"
)

var prelude = sync.OnceValue(func() (list []types.Source) {
	paths, _ := filepath.Glob("../../stdlib/prelude/*.rnl")
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			panic(err)
		}
		name := "prelude/" + filepath.Base(p)
		list = append(list, types.Source{Key: name, Name: name, Text: string(text), Std: true})
	}
	return list
})

// modules is a Loader of files in memory.
type modules map[string]string

func (m modules) Load(_ *types.Module, path string, isFile bool) (types.Source, error) {
	text, ok := m[path]
	if !ok {
		return types.Source{}, fmt.Errorf("no such module")
	}
	return types.Source{Key: path, Name: strings.TrimPrefix(path, "./") + ".rnl", Text: text, Std: !isFile}, nil
}

func (m modules) Names() (names []string) {
	for path := range m {
		if path[0] != '.' {
			names = append(names, path)
		}
	}
	return append(names, "yaml")
}

func options(m modules) query.Options { return query.Options{Loader: m, Prelude: prelude()} }

// open makes a File of a source with a cursor `|>` in it.
func open(t testing.TB, src string, m modules) (*query.File, int) {
	t.Helper()
	at := strings.Index(src, "|>")
	require.GreaterOrEqual(t, at, 0, src)
	return query.Open("main.rnl", src[:at]+src[at+2:], options(m)), at
}

const program = `
/// A place.
struct Point { x: int = 0, y: int = 0
  /// How far it is.
  fn far(by: int) -> int { self.x + by }
}
enum Shape { Dot, Line(from: Point, to: Point) }
type Points = [Point]
fn both<T>(a: T, b: T) -> [T] { [a, b] }
`

func TestHover(t *testing.T) {
	for src, want := range map[string]string{
		"let n = 1\nprint(|>n)":                                                      "let n: int",
		"let p = Point()\nprint(p.|>x)":                                              "x: int",
		"print(Point().f|>ar(by: 1))":                                                "fn far(by: int) -> int",
		"print(Point().far(|>by: 1))":                                                "let by: int",
		"print(bo|>th(1, 2))":                                                        "fn both<T>(a: T, b: T) -> [T]",
		"let s: |>Shape = Dot\nprint(s)":                                             "enum Shape",
		"print(Shape.|>Line(Point(), Point()))":                                      "Line(from: Point, to: Point)",
		"let ps: Poi|>nts = []\nprint(ps)":                                           "type Points = [Point]",
		"for i, p in [Point()] { print(i, |>p.x) }":                                  "let p: Point",
		"let o: int? = none\nif o != none { print(|>o) }":                            "let o: int",
		"match Shape.Line(Point(), Point()) { Line(a, _) => print(|>a), Dot => {} }": "let a: Point",
		"|>print(1)": "fn print(values...)",
	} {
		f, at := open(t, program+src, nil)
		got, ok := f.Hover(at)
		require.True(t, ok, src)
		require.Equal(t, want, got.Code, src)
	}
}

func TestHoverShowsDocComments(t *testing.T) {
	f, at := open(t, program+"print(|>Point())", nil)
	got, _ := f.Hover(at)
	require.Equal(t, "A place.", got.Doc)
}

func TestReferencesAreTheSameFromEachOfThem(t *testing.T) {
	for src, count := range map[string]int{
		"let n = 1\nlet f = |n: int| n\nprint(f(|>n), n)":             3,
		"let p = Point(x: 1)\nprint(p.|>x)":                           4,
		"'a: for i in 0..3 { if i == 1 { continue 'a }; break '|>a }": 3,
		"import \"./geo\"\nprint(geo.|>one(), geo.one())":             3,
	} {
		f, at := open(t, program+src, modules{"./geo": "pub fn one() -> int { 1 }"})
		places := f.References(at)
		require.Len(t, places, count, src)
		for _, p := range places {
			if p.File == "main.rnl" {
				require.Equal(t, places, f.References(p.Start), src)
			}
		}
		def, ok := f.Definition(at)
		require.True(t, ok, src)
		require.Contains(t, places, def, src)
	}
}

// An analysis that is ended knows nothing of the program, whatever is asked.
func TestAnEndedAnalysisKnowsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for at := range len(program) {
		o := options(modules{})
		o.Context = ctx
		f := query.Open("main.rnl", program, o)
		f.Complete(at) // keywords are known without it
		require.Empty(t, f.References(at))
		_, known := f.Hover(at)
		require.False(t, known)
		_, known = f.Definition(at)
		require.False(t, known)
		_, known = f.Signature(at)
		require.False(t, known)
		_, err := f.Rename(at, "x")
		require.Error(t, err)
		f.Highlight()
		f.Symbols()
		_, diags := f.Diagnostics()
		require.NotEmpty(t, diags)
	}
}
