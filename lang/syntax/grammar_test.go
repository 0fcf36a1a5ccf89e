package syntax

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// grammarFile is made of the productions written at the parse functions.
const grammarFile = "../../spec/grammar.ebnf"

// grammarParts are the sections of the grammar and the files they come from.
var grammarParts = [][2]string{
	{"Files and statements", "parser.go"}, {"", "parse_stmt.go"},
	{"Declarations", "parse_decl.go"}, {"", "parse_members.go"},
	{"Types", "parse_type.go"},
	{"Expressions", "parse_expr.go"}, {"", "parse_operand.go"},
	{"Control", "parse_control.go"}, {"", "parse_select.go"}, {"", "parse_yield.go"},
	{"Patterns", "parse_pattern.go"},
	{"Literals", "parse_literal.go"}, {"", "parse_interpolated.go"}, {"", "lexer.go"},
}

const grammarHead = `// The grammar of Runnel, collected from the parse functions of lang/syntax by
// go generate. In Wirth's notation: { } repeats, [ ] is optional, "x" is a token.
// Where a newline ends a statement, and where { begins a map and where a block,
// is told in language.md, section 2.
`

func collectGrammar(t *testing.T) string {
	var b strings.Builder
	b.WriteString(grammarHead)
	for _, part := range grammarParts {
		if part[0] != "" {
			b.WriteString("\n// " + part[0] + "\n\n")
		}
		src, err := os.ReadFile(part[1])
		require.NoError(t, err)
		gap := false // one blank line between the productions of two functions
		for _, line := range strings.Split(string(src), "\n") {
			p, ok := strings.CutPrefix(line, "// ebnf: ")
			if !ok {
				gap = true
				continue
			}
			if gap && !strings.HasSuffix(b.String(), "\n\n") {
				b.WriteByte('\n')
			}
			gap = false
			b.WriteString(p + "\n")
		}
	}
	return b.String()
}

func TestGrammarIsCurrent(t *testing.T) {
	text := collectGrammar(t)
	if *update {
		require.NoError(t, os.WriteFile(grammarFile, []byte(text), 0o644))
	}
	have, err := os.ReadFile(grammarFile)
	require.NoError(t, err)
	assert.Equal(t, string(have), text, "go generate ./lang/syntax")
}

// Every name that a production uses is defined once, and every production ends.
func TestGrammarIsClosed(t *testing.T) {
	quoted := regexp.MustCompile(`"""|"[^"]*"`)
	word := regexp.MustCompile(`[A-Za-z]+`)
	defined := map[string]bool{"char": true, "any": true, "newline": true}
	var bodies []string
	for _, line := range strings.Split(collectGrammar(t), "\n") {
		line = quoted.ReplaceAllString(line, "")
		line, _, _ = strings.Cut(line, "//")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, body, ok := strings.Cut(line, "=")
		require.True(t, ok, line)
		require.True(t, strings.HasSuffix(body, " ."), line)
		name = strings.TrimSpace(name)
		require.False(t, defined[name], name)
		defined[name] = true
		bodies = append(bodies, body)
	}
	used := map[string]bool{"SourceFile": true, "comment": true}
	for _, body := range bodies {
		for _, w := range word.FindAllString(body, -1) {
			assert.True(t, defined[w], w+" is not defined")
			used[w] = true
		}
	}
	for name := range defined {
		assert.True(t, used[name], name+" is not used")
	}
}
