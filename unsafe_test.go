package runnel_test

import (
	"go/ast"
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
	"vm/native": "machine code names objects that the program holds by address; it is made from verified bytecode and " +
		"looks before it reads or writes as the interpreter does",
	"vm/internal/fasttrack":    "addresses of objects are compared and kept, never read through; a clock's node is inner or a leaf by its level",
	"reactor/release_amd64.go": "a store on amd64 is a release, so a word that only its owner writes needs no locked instruction",
}

// TestUnsafeStaysInItsPlaces shows that modules of the library, the command, examples
// and tools get by with the handles that package vm gives them.
func TestUnsafeStaysInItsPlaces(t *testing.T) {
	used := map[string]bool{}
	eachSource(t, parser.ImportsOnly, func(file string, tree *ast.File) {
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
	})
	for place := range unsafePlaces {
		require.True(t, used[place], "%s does not import unsafe any more", place)
	}
}

// TestNoExportedNameSpeaksUnsafe shows that nobody needs an address to use a package,
// except for parts of package vm.
func TestNoExportedNameSpeaksUnsafe(t *testing.T) {
	eachSource(t, 0, func(file string, tree *ast.File) {
		if strings.HasPrefix(file, "vm/internal/") || tree.Name.Name == "main" {
			return
		}
		ast.FileExports(tree)
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
			ast.Inspect(d, func(n ast.Node) bool {
				x, ok := n.(*ast.SelectorExpr)
				if ok && x.Sel.Name == "Pointer" {
					from, _ := x.X.(*ast.Ident)
					require.False(t, from != nil && from.Name == "unsafe", "%s: an exported declaration has an unsafe.Pointer", file)
				}
				return !ok
			})
		}
	})
}

// eachSource calls a function for each Go file but tests.
func eachSource(t *testing.T, mode parser.Mode, f func(file string, tree *ast.File)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, mode|parser.SkipObjectResolution)
		if err == nil {
			f(filepath.ToSlash(file), tree)
		}
		return err
	}))
}
