package syntax

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
)

var update = flag.Bool("update", false, "write the expected messages anew")

// Each file of testdata/errors holds a broken program; beside it stands what a
// user sees.
func TestErrorMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.rnl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".rnl"), func(t *testing.T) {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			var fs diag.FileSet
			file, diags := Parse(fs.Add(filepath.Base(name), string(src)))
			checkTree(t, file)
			var b strings.Builder
			require.NoError(t, diag.Render(&b, &fs, diags, diag.Options{Width: 100}))
			golden := strings.TrimSuffix(name, ".rnl") + ".txt"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), b.String())
		})
	}
}
