package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const fragment = `# A title

<!-- measured: cpu -->
| | fib | loop |
|---|---|---|
| **Runnel** | 0.28 | 0.42 |
| Lua 5.4 | 1 | – |

| | other |
|---|---|
| Runnel | 7 |
<!-- end: cpu -->

Between.

<!-- measured: actors -->
| | tell | idle |
|---|---|---|
| **Runnel** | 49 / 1,041 | 1,437 |
<!-- end: actors -->
`

func TestARegionIsReplacedAndNothingElse(t *testing.T) {
	changed, err := replaceRegion(fragment, "cpu", "new\n\n")
	require.NoError(t, err)
	before, rest, _ := strings.Cut(fragment, "| | fib")
	_, after, _ := strings.Cut(rest, "| Runnel | 7 |\n")
	assert.Equal(t, before+"new\n"+after, changed)

	again, err := replaceRegion(changed, "cpu", "new")
	require.NoError(t, err)
	assert.Equal(t, changed, again)
}

func TestMissingOrDoubledMarksAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                        `there is 0 times the line "<!-- measured: io -->", it has to be there once`,
		"<!-- measured: io -->":   `there is 0 times the line "<!-- measured: io -->", it has to be there once`, // no end of line
		"<!-- measured: io -->\n": `there is 0 times the line "<!-- end: io -->", it has to be there once`,
		"<!-- measured: io -->\n<!-- end: io -->\n<!-- end: io -->\n": `there is 2 times the line "<!-- end: io -->", it has to be there once`,
		"<!-- end: io -->\n<!-- measured: io -->\n":                   `the line "<!-- end: io -->" comes before the line "<!-- measured: io -->"`,
	} {
		_, err := replaceRegion(text, "io", "new")
		assert.EqualError(t, err, want)
	}
}

func TestNothingIsMeasuredWhenARegionIsMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(path, []byte(fragment), 0o644))
	t.Chdir(".") // writeReadme changes to the root
	err := writeReadme(path, []string{"cpu", "io"}, options{rounds: 1, quick: true})
	assert.EqualError(t, err, path+`: there is 0 times the line "<!-- measured: io -->", it has to be there once`)
	assert.EqualError(t, writeReadme(path, []string{"gpu"}, options{}), `README has no section "gpu" that is measured`)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, fragment, string(text))
}

func TestFiguresAreReadFromTheFirstTableOfARegion(t *testing.T) {
	cpu, err := readTable(fragment, "cpu")
	require.NoError(t, err)
	actors, err := readTable(fragment, "actors")
	require.NoError(t, err)
	for _, c := range []struct {
		table       claimTable
		row, column string
		part        int
		want        float64 // 0: an error
	}{
		{cpu, "Runnel", "fib", 0, 0.28},
		{cpu, "Runnel", "loop", 0, 0.42},
		{cpu, "Lua 5.4", "fib", 0, 1},
		{cpu, "Lua 5.4", "loop", 0, 0},
		{cpu, "Runnel", "other", 0, 0},
		{cpu, "Go", "fib", 0, 0},
		{cpu, "Runnel", "fib", 1, 0},
		{actors, "Runnel", "tell", 0, 49},
		{actors, "Runnel", "tell", 1, 1041},
		{actors, "Runnel", "idle", 0, 1437},
	} {
		v, err := c.table.value(c.row, c.column, c.part)
		assert.Equal(t, c.want == 0, err != nil, "%s %s: %v", c.row, c.column, err)
		assert.Equal(t, c.want, v, "%s %s", c.row, c.column)
	}
	_, err = readTable(fragment, "conc")
	assert.Error(t, err)
}
