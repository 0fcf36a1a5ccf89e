package query_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/query"
)

func TestSignature(t *testing.T) {
	for src, want := range map[string]struct{ label, active string }{
		"place(|>":                          {"place(p: Point, color: str) -> Shape", "p: Point"},
		"place(|>)":                         {"place(p: Point, color: str) -> Shape", "p: Point"},
		"place(origin|>":                    {"place(p: Point, color: str) -> Shape", "p: Point"},
		"place(origin, |>":                  {"place(p: Point, color: str) -> Shape", "color: str"},
		"place(origin, |>)\nlet a = 1":      {"place(p: Point, color: str) -> Shape", "color: str"},
		"place(color: \"a|>\"":              {"place(p: Point, color: str) -> Shape", "color: str"},
		"place(origin, \"\", |>":            {"place(p: Point, color: str) -> Shape", ""},
		"place(Point(|>":                    {"Point(x: int = ..., y: int = ...) -> Point", "x: int = ..."},
		"place(Point(), |>":                 {"place(p: Point, color: str) -> Shape", "color: str"},
		"Shape.Line(origin, to: |>":         {"Line(from: Point, to: Point) -> Shape", "to: Point"},
		"let s: Shape = Circle(|>":          {"Circle(Point, int) -> Shape", "Point"},
		"origin.far(1, |>":                  {"far(by: int, unit: str = ...) -> int", "unit: str = ..."},
		"both(1, |>":                        {"both(a: int, b: int) -> [int]", "b: int"},
		"[\"a\"].push(|>":                   {"push(x: str)", "x: str"},
		"let f = |n: int| \"\"\nprint(f(|>": {"f(int) -> str", "int"},
		"print(|>":                          {"print(values...)", ""},
	} {
		f, at := open(t, shapes+src, library)
		got, ok := f.Signature(at)
		if assert.True(t, ok, src) {
			assert.Equal(t, want.label, got.Label, src)
			active := ""
			if got.Active >= 0 {
				active = got.Label[got.Params[got.Active].Start:got.Params[got.Active].End]
			}
			assert.Equal(t, want.active, active, src)
		}
	}
	f, at := open(t, shapes+"origin.far(|>", library)
	got, _ := f.Signature(at)
	require.Equal(t, "How far it is. Not by air.", got.Doc)
}

func TestThereIsNoSignatureOutsideOfCalls(t *testing.T) {
	for _, src := range []string{"|>print(1)", "pri|>nt(1)", "print(1)|>", "print(1) |>\n", "fn f(|>"} {
		f, at := open(t, shapes+src, library)
		got, ok := f.Signature(at)
		assert.False(t, ok, "%s: %v", src, got)
	}
}

func TestPositions(t *testing.T) {
	const text = "aé😀b\n\nx\r\n"
	for _, c := range []struct {
		at, line, utf8, utf16, runes int
	}{
		{0, 0, 0, 0, 0}, {1, 0, 1, 1, 1}, {3, 0, 3, 2, 2}, {7, 0, 7, 4, 3}, {8, 0, 8, 5, 4}, {9, 1, 0, 0, 0}, {10, 2, 0, 0, 0}, {13, 3, 0, 0, 0},
	} {
		for e, column := range map[query.Encoding]int{query.UTF8: c.utf8, query.UTF16: c.utf16, query.Runes: c.runes} {
			line, col := query.Position(text, c.at, e)
			require.Equal(t, [2]int{c.line, column}, [2]int{line, col}, "%d %d", c.at, e)
			require.Equal(t, c.at, query.Offset(text, line, col, e))
		}
	}
	require.Equal(t, 3, query.Offset(text, 0, 3, query.UTF16), "within a character")
	require.Equal(t, 8, query.Offset(text, 0, 99, query.UTF8))
	require.Equal(t, len(text), query.Offset(text, 99, 0, query.UTF8))
}
