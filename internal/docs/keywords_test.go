package docs

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/syntax/token"
	"github.com/runnel-lang/runnel/stdlib/json"
)

// Each reserved word, and no other, is told of, with an example that runs.
func TestReservedWordsAreTold(t *testing.T) {
	var words []string
	for word := range keywords() {
		words = append(words, word)
	}
	slices.Sort(words)
	assert.Equal(t, slices.Sorted(slices.Values(token.Keywords())), words)

	for word, doc := range keywords() {
		runExamples(t, word, doc)
	}
}

// Each operator of the precedence table is told of, with an example that runs.
func TestOperatorsAreTold(t *testing.T) {
	spec, err := os.ReadFile("../../spec/language.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(spec), "**8.1 Precedence**")
	table, _, _ = strings.Cut(table, "Unlike in C")
	n := 0
	for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(table, -1) {
		op := strings.ReplaceAll(quoted[1], `\|`, "|")
		if !strings.ContainsAny(op, "abcdefghijklmnopqrstuvwxyz") {
			assert.Contains(t, operators(), op)
			n++
		}
	}
	assert.Greater(t, n, 20)
	for op, doc := range operators() {
		runExamples(t, op, doc)
	}
}

func TestTopicsAreTold(t *testing.T) {
	for topic, doc := range topics() {
		runExamples(t, topic, doc)
	}
}

func runExamples(t *testing.T, word, doc string) {
	rt := runnel.MustNew(runnel.WithModules(json.Module))
	defer rt.Close()
	var code strings.Builder
	for line := range strings.Lines(doc) {
		if strings.HasPrefix(line, "    ") {
			code.WriteString(line[4:])
		} else if strings.TrimSpace(line) == "" {
			code.WriteString("\n")
		}
	}
	require.NotEmpty(t, strings.TrimSpace(code.String()), "an example of %s", word)
	prog, err := rt.Compile("example", code.String())
	if !assert.NoError(t, err, word) {
		return
	}
	in := prog.NewInstance()
	defer in.Close()
	assert.NoError(t, in.Run(t.Context()), word)
}
