package types_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What the formatter would part, so that no file of the repository can hold it.
func TestWhatMeansAnotherThingElsewhereIsToldOf(t *testing.T) {
	for src, want := range map[string][]string{
		"let n = 2\nprint(5 -- n)":              {"2:9 W0610"},
		"let x = 1 -- another\nprint(x)":        {"1:11 E0119"},
		"let n = 2\nprint(5 - -n)":              nil,
		"var x = 1\nx =- 1\nprint(x)":           {"2:3 W0610"},
		"var x = 1\nx = -1\nprint(x)":           nil,
		"let n = 4\nlet h = n//2\nprint(h)":     {"2:10 W0610"},
		"let n = 4\nlet h = n // two\nprint(h)": nil,
		"let n = 4\nlet h = n   // 2\nprint(h)": nil,
		"print(2 ^ 3, 6 ^ 3, 0x2 ^ 3)":          {"1:9 W0610"},
	} {
		assert.ElementsMatch(t, want, codesOf(check(t, src, nil)), src)
	}
}
