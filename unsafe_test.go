package runnel_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// unsafePlaces are the packages, and the single files of others, that may import
// unsafe, each with what it relies on.
var unsafePlaces = map[string]string{
	"vm": "a pointer word is nil or the address of an object that begins with a Header, whose type says " +
		"where its words lie; what comes from outside is held against that type first",
	"vm/bind": "a codec is made for a Go type and a Runnel type once, and gets only addresses of that Go type; " +
		"a Place is such an address",
	"vm/internal/fasttrack":    "addresses of objects are compared and kept, never read through; a clock's node is inner or a leaf by its level",
	"reactor/release_amd64.go": "a store on amd64 is a release, so a word that only its owner writes needs no locked instruction",
}

// TestUnsafeStaysInItsPlaces shows that modules of the library, the command, examples
// and tools get by with the handles that package vm gives them.
func TestUnsafeStaysInItsPlaces(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		file = filepath.ToSlash(file)
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range tree.Imports {
			if spec.Path.Value != `"unsafe"` {
				continue
			}
			place := file
			if unsafePlaces[place] == "" {
				place = path.Dir(file)
			}
			require.NotEmpty(t, unsafePlaces[place], "%s imports unsafe", file)
			used[place] = true
		}
		return nil
	})
	require.NoError(t, err)
	for place := range unsafePlaces {
		require.True(t, used[place], "%s does not import unsafe any more", place)
	}
}
