package docs

import (
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

	rt := runnel.MustNew(runnel.WithModules(json.Module))
	defer rt.Close()
	for word, doc := range keywords() {
		var code strings.Builder
		for line := range strings.Lines(doc) {
			if strings.HasPrefix(line, "    ") {
				code.WriteString(line[4:])
			} else if strings.TrimSpace(line) == "" {
				code.WriteString("\n")
			}
		}
		require.Contains(t, code.String(), word, "an example")
		prog, err := rt.Compile(word, code.String())
		if !assert.NoError(t, err, word) {
			continue
		}
		in := prog.NewInstance()
		assert.NoError(t, in.Run(t.Context()), word)
		in.Close()
	}
}
