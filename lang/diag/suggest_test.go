package diag

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSuggest(t *testing.T) {
	names := []string{"print", "length", "len", "push", "pop", "user_name", "sort_by", "x"}
	for name, want := range map[string]string{
		"prnit":    "print",
		"pirnt":    "print",
		"lenght":   "length",
		"userName": "user_name",
		"UserName": "user_name",
		"sortby":   "sort_by",
		"puhs":     "push",
		"le":       "",
		"X":        "x",
		"y":        "",
		"banana":   "",
		"print":    "",
		"":         "",
	} {
		assert.Equal(t, want, Suggest(name, names), name)
	}
	long := strings.Repeat("a", 100000)
	assert.Equal(t, "", Suggest(long, []string{strings.Repeat("b", 100000)}))
}
