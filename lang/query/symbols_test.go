package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/query"
)

func outline(list []query.Outline, src string) string {
	var parts []string
	for _, o := range list {
		text := o.Kind + " " + o.Name
		if len(o.Children) > 0 {
			text += " {" + outline(o.Children, src) + "}"
		}
		if o.Kind != "test" && src[o.Place.Start:o.Place.End] != o.Name {
			text += " in the wrong place"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func TestSymbols(t *testing.T) {
	src := program + "let (a, _) = (1, 2)\nconst K = 1\ntest \"t\" {}\nfn broken( {\n"
	got := outline(query.Open("main.rnl", src, options(nil)).Symbols(), src)
	require.True(t, strings.HasPrefix(got, "struct Point {field x, field y, fn far}, enum Shape {variant Dot, variant Line}, "+
		"type Points, fn both, let a, const K, test t"), got)
}
