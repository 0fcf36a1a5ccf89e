package spec

import (
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
