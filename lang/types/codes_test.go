package types_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/runnel-lang/runnel/lang/diag"
)

// splitFiles takes an example apart: the program, and the modules it imports.
func splitFiles(example string) (string, modules) {
	parts := strings.Split(example, "// file ")
	mods := modules{}
	for _, p := range parts[1:] {
		name, text, _ := strings.Cut(p, "\n")
		mods[name] = text
	}
	return parts[0], mods
}

func TestEveryExampleGivesExactlyItsCode(t *testing.T) {
	for _, info := range diag.Codes() {
		if info.Example == "" || info.Code[2] == '8' { // tested with the compiler
			continue
		}
		src, mods := splitFiles(info.Example)
		got := map[diag.Code]bool{}
		c := check(t, src, mods)
		for _, d := range c.diags {
			got[d.Code] = true
		}
		assert.Equal(t, map[diag.Code]bool{info.Code: true}, got, "%s: %s", info.Code, strings.Join(c.lines(), "\n"))
	}
}

func TestEveryMendedExampleGivesNothing(t *testing.T) {
	for _, info := range diag.Codes() {
		if info.Mended == "" {
			continue
		}
		src, mods := splitFiles(info.Mended)
		assert.Empty(t, check(t, src, mods).lines(), info.Code)
	}
}

// Programs that give these are too large to be read, or defects.
func TestEveryCodeHasAnExampleAndAMendedOne(t *testing.T) {
	tooLarge := []diag.Code{diag.TooNested, diag.TooDeep, diag.ProgramTooLarge, diag.CompilerDefect, diag.CompileStopped}
	for _, info := range diag.Codes() {
		if !slices.Contains(tooLarge, info.Code) {
			assert.NotEmpty(t, info.Example, info.Code)
			assert.NotEmpty(t, info.Mended, info.Code)
		}
	}
}
