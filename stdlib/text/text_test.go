package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/text"
)

// run runs a program within limits and gives the error that ends it.
func run(t *testing.T, src string, limits runnel.Limits) error {
	t.Helper()
	return runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{text.Module}, Limits: limits}.Run(t, "import text\n"+src).Err
}

// What a text is mapped to is paid for before.
func TestTextsKeepToTheMemoryLimit(t *testing.T) {
	for _, src := range []string{
		`let s = "é".repeat(400_000); print(text.graphemes(s).len())`,
		`let s = "ﷺ".repeat(500_000); print(text.normalize(s, Nfkd).len())`,
		`let s = "<".repeat(2_000_000); print(text.escape_html(s).len())`,
		`let s = "ß".repeat(1_000_000); print(text.fold(s).len())`,
		`let s = "é".repeat(1_000_000); print(text.strip_marks(s).len())`,
		`print(text.pad("a", 1 << 40))`,
	} {
		require.ErrorContains(t, run(t, src, runnel.Limits{Memory: 4 << 20}), "memory limit", src)
	}
}

func TestTextsKeepToTheStepLimit(t *testing.T) {
	for _, src := range []string{
		`let _ = text.width("é".repeat(1_000_000))`,
		`let _ = text.truncate("é".repeat(1_000_000), 7)`,
		`let _ = text.levenshtein("a".repeat(10_000), "b".repeat(10_000))`,
		`let _ = text.diff((0..900).map(|i| "a${i}").join("\n"), (0..900).map(|i| "b${i}").join("\n"))`,
	} {
		require.ErrorContains(t, run(t, src, runnel.Limits{Steps: 50_000}), "step", src)
	}
}

// Nothing grows by more than what is paid for before.
func TestHowMuchTextsGrow(t *testing.T) {
	for r := range rune(0x20000) {
		s := string(r)
		require.LessOrEqual(t, len(norm.NFKD.String(s)), text.MaxGrowth*len(s), "%U", r)
		require.LessOrEqual(t, len(cases.Fold().String(s)), text.MaxGrowth*len(s), "%U", r)
	}
	require.Equal(t, text.MaxGrowth*len("ﷺ"), len(norm.NFKD.String("ﷺ")))
}
