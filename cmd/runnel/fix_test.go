package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckFix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rnl")
	const wrong, right = "let myCount = 1\nprint(1)\nprintln(myCount)\n", "let my_count = 1\nprint(1)\nprint(my_count)\n"
	require.NoError(t, os.WriteFile(path, []byte(wrong), 0o750))
	text := func() string {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(data)
	}

	got := in(t, filepath.Dir(path), "", "check", "--fix", "--diff", "a.rnl")
	assert.Equal(t, "--- a.rnl\n+++ a.rnl\n@@ -1,3 +1,3 @@\n-let myCount = 1\n+let my_count = 1\n print(1)\n-println(myCount)\n+print(my_count)\n", got.stdout)
	assert.Equal(t, 2, got.exit)
	assert.Equal(t, wrong, text(), "it is only shown")

	assert.Equal(t, outcome{"", "mended a.rnl: 2 lines\n", 0}, in(t, filepath.Dir(path), "", "check", "--fix", "a.rnl"))
	assert.Equal(t, outcome{"", "", 0}, in(t, filepath.Dir(path), "", "check", "--fix", "a.rnl"), "nothing is left to mend")
	assert.Equal(t, right, text())
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.EqualValues(t, 0o750, info.Mode().Perm())
	assert.Equal(t, outcome{"", "", 0}, in(t, filepath.Dir(path), "", "check", "--fix", "--diff", "a.rnl"))
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, files, 1, "nothing is left behind")
}

func TestCheckFixReportsWhatIsLeft(t *testing.T) {
	files := map[string]string{"a.rnl": "println(1)\nprint(zzzz)\n"}
	got := invoke(t, files, "", "check", "--fix", "a.rnl")
	assert.Equal(t, 2, got.exit)
	assert.Contains(t, got.stderr, "there is no `zzzz` here")
	assert.NotContains(t, got.stderr, "println")
	assert.Contains(t, invoke(t, files, "", "check", "--diff", "a.rnl").stdout, "-println(1)\n+print(1)\n")
	assert.Contains(t, invoke(t, nil, "println(1)", "check", "--fix", "-").stderr, "cannot fix standard input")
}
