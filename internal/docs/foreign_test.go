package docs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/runnel-lang/runnel/internal/docs"
)

func TestNamesOfOtherLanguagesLeadToOurs(t *testing.T) {
	lib := load(t)
	for name, want := range map[string]string{
		"println": "print", "push_back": "push", "strip": "trim", "startswith": "starts_with", "printf": "${x}", "REPL": "runnel repl",
	} {
		var b strings.Builder
		assert.NoError(t, lib.Describe(&b, name, docs.Style{Width: 80}), name)
		assert.Contains(t, b.String(), want, name)
	}
}
