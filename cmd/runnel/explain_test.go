package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
)

func TestExplain(t *testing.T) {
	got := invoke(t, nil, "", "explain", "E0304")
	assert.Equal(t, outcome{`E0304: an argument is missing

Each parameter without a default needs an argument; each field without a default needs a value when
a struct is made. Add it, or give the parameter or field a default: ` + "`size: int = 1`" + `.

Wrong:

    struct P { x: int, y: int }
    print(P(1))

Right:

    struct P { x: int, y: int }
    print(P(1, 2))
`, "", 0}, got)
	for _, other := range []string{"e0304", "304", "W0304", "0304"} {
		assert.Equal(t, got, invoke(t, nil, "", "explain", other))
	}
	assert.Contains(t, invoke(t, nil, "", "explain", "--color", "always", "E0304").stdout, "\x1b[1;34mstruct\x1b[0m \x1b[36mP\x1b[0m")
}

func TestExplainOfUnknownCodes(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"E03O4", "there is no code `E03O4`: did you mean E0304, an argument is missing?"},
		{"E9999", "there is no code `E9999`: `runnel explain` lists them"},
		{"", "there is no code ``"},
	} {
		got := invoke(t, nil, "", "explain", c.code)
		assert.Equal(t, 2, got.exit)
		assert.Contains(t, got.stderr, c.want)
	}
}

func TestExplainFitsTheTerminal(t *testing.T) {
	dir := t.TempDir()
	for _, info := range diag.Codes() {
		for _, line := range wrapped(info.Explain, 50) {
			assert.LessOrEqual(t, len(line), 50, info.Code)
		}
	}
	text := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(onTerminal(t, dir, "", binary+" explain E0304"), "")
	require.Contains(t, text, "Each parameter without a default needs an\nargument;")
}

// Each code is listed and explained, with the examples that other tests compile.
func TestExplainKnowsEachCode(t *testing.T) {
	list := invoke(t, nil, "", "explain").stdout
	var args []string
	examples := 0
	for _, info := range diag.Codes() {
		if info.Example != "" {
			examples++
		}
		assert.Contains(t, list, "  "+string(info.Code)+"  "+info.Title+"\n")
		args = append(args, string(info.Code))
	}
	all := invoke(t, nil, "", append([]string{"explain"}, args...)...).stdout
	for _, info := range diag.Codes() {
		assert.Contains(t, all, string(info.Code)+": "+info.Title+"\n\n")
	}
	assert.Equal(t, examples, strings.Count(all, "\nWrong:\n"))
	assert.Equal(t, examples, strings.Count(all, "\nRight:\n"))
}
