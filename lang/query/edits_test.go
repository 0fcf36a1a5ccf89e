package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
)

func TestEditsThatOverlapChangeNothing(t *testing.T) {
	got, ok := query.Apply("abcdef", []query.Edit{{Start: 4, End: 5, New: "E"}, {Start: 0, End: 1, New: "A"}})
	require.True(t, ok)
	require.Equal(t, "AbcdEf", got)
	for _, edits := range [][]query.Edit{
		{{Start: 0, End: 3}, {Start: 2, End: 4}},
		{{Start: 1, End: 1, New: "x"}, {Start: 1, End: 1, New: "y"}},
		{{Start: 5, End: 7}},
		{{Start: 3, End: 2}},
	} {
		got, ok := query.Apply("abcdef", edits)
		require.False(t, ok, edits)
		require.Equal(t, "abcdef", got)
	}
}

func fixed(t *testing.T, src string) string {
	t.Helper()
	got, err := query.Fix(src, func(text string) (*diag.File, []diag.Diagnostic, error) {
		set, diags := query.Open("main.rnl", text, options(nil)).Diagnostics()
		return set.Files()[0], diags, nil
	})
	require.NoError(t, err)
	return got
}

func TestFixesAreAppliedUntilNoneIsLeft(t *testing.T) {
	require.Equal(t, "let my_count = 1\nprint(my_count)\n", fixed(t, "let myCount = 1\nprint(myCount)\n"))
	require.Equal(t, "print([1].len(), none == [2].first())\n", fixed(t, "println([1].length(), null == [2].first())\n"))
}

func TestAGuessIsMadeWhenItMends(t *testing.T) {
	require.Equal(t, "let xs = [1]\nprint(xs.len())\n", fixed(t, "let xs = [1]\nprint(xs.lenght())\n"))
	const src = "let counts = \"a\"\nlet n: int = count\nprint(counts, n)\n"
	_, diags := diagnosed(src)
	require.Equal(t, "did you mean `counts`?", diags[0].Fixes[0].Title)
	require.Equal(t, src, fixed(t, src), "it is of the wrong type")
}

func TestAFixThatMendsNothingIsNotKept(t *testing.T) {
	for _, src := range []string{"print(1)\n", "let x = zzzz\nprint(x)\n", "fn (\n"} {
		require.Equal(t, src, fixed(t, src))
	}
}
