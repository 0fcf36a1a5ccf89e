package printer

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// asWritten tells of a program of the repository that it is not in the style on
// purpose: a mistake is what it is about, or its layout.
func asWritten(path, src string) bool {
	for _, folder := range []string{"spec/broken/", "spec/tests/lexical/", "lang/syntax/testdata/"} {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return strings.Contains(src, "// expect diagnostic")
}

func TestTheRepositoryIsFormatted(t *testing.T) {
	for path, src := range programs(t) {
		path = filepath.ToSlash(strings.TrimPrefix(path, "../../"))
		if filepath.Ext(path) != ".rnl" || asWritten(path, src) {
			continue
		}
		text, diags := Format(source(src))
		assert.Empty(t, diags, path)
		assert.Truef(t, text == src, "%s is formatted otherwise: runnel fmt %[1]s", path)
	}
}
