package spec

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// The programs that README shows compile without a warning.
func TestReadme(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...))
	for _, b := range blocksOf(t, "../README.md", 5) {
		c := rt.Check(b.section, b.src)
		require.Empty(t, c.Diags, "line %d of README.md", b.line)
	}
}

// README lists each module of the library.
func TestReadmeListsTheModules(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(text), "\n## Modules\n")
	list, _, _ = strings.Cut(list, "\n## ")
	for _, m := range all.Modules() {
		require.Contains(t, list, "`"+m.Name+"`")
	}
}
