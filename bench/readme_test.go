package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

func readmeText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	return string(text)
}

// A figure is a number with a unit, or one with decimals.
var figure = regexp.MustCompile(`\d[\d,.]*\s?(ns|µs|us|ms|s|[kKMG]i?B|B|bytes?|percent|times|requests)\b|\d\s?[×%]|× ?\d|\dx\b|\d+\.\d+`)

// notFigures are what looks like a figure in README, and what it is.
var notFigures = map[string]string{
	"1.26": "Go's version",
	"5.4":  "Lua's version",
	"0.1":  "our version",
}

func TestReadmeHasNoFigureThatIsNotMeasured(t *testing.T) {
	text := readmeText(t)
	for _, s := range sections {
		from, to, err := findRegion(text, s.name)
		require.NoError(t, err)
		text = text[:from] + text[to:]
	}
	for _, code := range []string{"(?s)\n```.*?\n```", "(?m)^ {4}.*$", "`[^`\n]*`", `\]\([^)]*\)`} {
		text = regexp.MustCompile(code).ReplaceAllString(text, "")
	}
	used := map[string]bool{}
	for _, found := range figure.FindAllString(text, -1) {
		assert.Contains(t, notFigures, found, "it stands outside of what -readme writes")
		used[found] = true
	}
	for exempt, why := range notFigures {
		assert.True(t, used[exempt], "%s (%s) is not in README any more", exempt, why)
	}
}

func TestFiguresAreSeen(t *testing.T) {
	for _, text := range []string{"510 bytes", "3.9 KB each", "8.5MB", "2.04 times", "about 40 ms", "1,437 bytes", "12%", "3 × Go", "× 3", "3x", "0.37"} {
		assert.True(t, figure.MatchString(text), text)
	}
	for _, text := range []string{"64 bits", "10,000 connections", "two cores", "5,000 lines", "30 minutes"} {
		assert.False(t, figure.MatchString(text), text)
	}
}

func TestReadmeIsNotWrittenInAHurry(t *testing.T) {
	assert.NotContains(t, readmeText(t), "small sizes (-quick)")
}

func TestEveryClaimHasAFigureInReadme(t *testing.T) {
	readme := readmeText(t)
	for _, c := range allClaims() {
		v, err := c.claimed(readme)
		assert.NoError(t, err, c)
		assert.Positive(t, v, c)
		assert.Contains(t, claimRows, c.section)
	}
}

// What README says in words follows from its tables.
func TestTheWordsOfReadmeHoldInItsTables(t *testing.T) {
	readme := readmeText(t)
	value := func(section, row, column string) float64 {
		table, err := readTable(readme, section)
		require.NoError(t, err)
		v, err := table.value(row, column, 0)
		require.NoError(t, err)
		return v
	}
	mean := func(row string) float64 { return value("cpu", row, "geometric mean") }
	idle := value("actors", "Runnel", "idle")
	for _, w := range []struct {
		says  string
		holds bool
	}{
		{"several times faster than other languages embedded in Go",
			min(mean("Tengo"), mean("gopher-lua"), mean("goja")) > 3*mean("Runnel")},
		{"and faster than C Lua", mean("Runnel") < 1},
		{"numeric loops take several times as long as in Go", value("cpu", "Runnel", "nbody") > 2*value("cpu", "native Go", "nbody")},
		{"An idle actor takes about one and a half kilobytes", 1000 < idle && idle < 2000},
	} {
		assert.True(t, strings.Contains(strings.Join(strings.Fields(readme), " "), w.says), "README does not say that %s", w.says)
		assert.True(t, w.holds, w.says)
	}
}

func TestTheLongScriptIsWhatReadmeSays(t *testing.T) {
	script := longScript(5000)
	assert.InDelta(t, 5000, strings.Count(script, "\n"), 50)
	_, err := runnel.MustNew().Compile("long.rnl", script)
	assert.NoError(t, err)
}
