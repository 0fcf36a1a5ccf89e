package query_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// session checks entries one after the other, each with the names of those
// before it.
func session(t *testing.T, entries ...string) query.Options {
	t.Helper()
	o := query.Options{Loader: library, Prelude: prelude(), Outer: map[string]types.Object{}, Files: &diag.FileSet{}}
	for _, src := range entries {
		file, diags := syntax.Parse(o.Files.Add("entry", src))
		require.Empty(t, diags)
		p, diags := types.Check(o.Files, file, types.Options{Loader: o.Loader, Prelude: o.Prelude, Outer: o.Outer})
		for _, d := range diags {
			require.Equal(t, diag.Warning, d.Severity, "%s: %s", src, d.Message)
		}
		outer := maps.Clone(o.Outer)
		maps.Copy(outer, p.Main.Scope())
		o.Outer = outer
	}
	return o
}

func TestALineContinuesASession(t *testing.T) {
	o := session(t, shapes, "let near = origin.far(1)", "import geo", "let near = both(origin, origin)", "let sum = geo.add(1, near.len())")
	files := len(o.Files.Files())
	for line, want := range map[string][]string{
		"ori":            {"origin"},
		"near[0].":       {"far", "name", "x", "y"},
		"geo.a":          {"add"},
		"let n: int = s": {"sum"},
		"Shape.":         {"Circle", "Dot", "Line"},
		"let p: Sp":      {"Spot"},
		"origin.far(":    {"sum", "by:", "unit:"},
	} {
		var got []string
		for _, c := range query.Open("line", line, o).Complete(len(line)) {
			got = append(got, c.Label)
		}
		require.GreaterOrEqual(t, len(got), len(want), line)
		require.Equal(t, want, got[:len(want)], line)
	}
	f := query.Open("line", "origin.far(sum)", o)
	h, ok := f.Hover(8)
	require.True(t, ok)
	require.Equal(t, "fn far(by: int, unit: str = ...) -> int", h.Code)
	def, ok := f.Definition(1)
	require.True(t, ok)
	require.Equal(t, "entry", def.File)
	require.Equal(t, "origin", shapes[def.Start:def.End])
	require.Len(t, o.Files.Files(), files, "questions leave the session as it is")
}
