package stdlib_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib"
)

// equation is the example of a doc comment that is true as it stands.
var equation = regexp.MustCompile("(?m)^ *///.*: `(.*)`\\.?$")

// notEquation marks examples that use a variable or only show a call.
var notEquation = regexp.MustCompile(`^([a-z_]+\.|let |throw |chan<|[a-z_]+\([^=]*$)|print\(`)

func TestPreludeExamplesHold(t *testing.T) {
	var src strings.Builder
	n := 0
	for _, file := range stdlib.Prelude() {
		for _, m := range equation.FindAllStringSubmatch(file.Text, -1) {
			if notEquation.MatchString(m[1]) {
				continue
			}
			src.WriteString("assert(" + m[1] + ")\n")
			n++
		}
	}
	require.Greater(t, n, 150)
	_, err := run(t, src.String(), runnel.Host{}, runnel.Limits{})
	require.NoError(t, err)
}
