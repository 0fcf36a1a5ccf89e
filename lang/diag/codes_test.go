package diag

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCodes(t *testing.T) {
	seen := map[Code]bool{}
	last := ""
	for _, c := range Codes() {
		assert.Regexp(t, regexp.MustCompile(`^[EW]0[1-8]\d\d$`), string(c.Code))
		assert.False(t, seen[c.Code], c.Code)
		assert.Less(t, last, number(c.Code))
		seen[c.Code], last = true, number(c.Code)
		assert.NotEmpty(t, c.Title, c.Code)
		assert.False(t, strings.HasSuffix(c.Title, "."), c.Code)
		assert.True(t, strings.HasSuffix(strings.TrimSpace(c.Explain), "."), c.Code)
	}
	info, ok := Explain(UnexpectedToken)
	assert.True(t, ok)
	assert.Equal(t, UnexpectedToken, info.Code)
	_, ok = Explain("E9999")
	assert.False(t, ok)
}
