package whole

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// partly are the calls that may leave a part of a file in the place of an older one.
var partly = []string{"os.WriteFile", "os.Create", "os.Truncate", "os.O_TRUNC"}

// recorded are the places that may: who records for long wants to see what there is.
var recorded = []string{"../../cmd/runnel/watch.go os.Create"}

// The command writes users' files whole, all of them.
func TestTheCommandWritesFilesWhole(t *testing.T) {
	var found []string
	for _, dir := range []string{"../../cmd", "../docs", "../bindgen"} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := sel.X.(*ast.Ident); ok && slices.Contains(partly, of.Name+"."+sel.Sel.Name) {
						found = append(found, filepath.ToSlash(path)+" "+of.Name+"."+sel.Sel.Name)
					}
				}
				return true
			})
			return nil
		}))
	}
	require.Equal(t, recorded, found)
}

func TestWhatCannotBeReadLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	require.NoError(t, Write(file, []byte("first")))
	for _, name := range []string{"a.txt", "b.txt"} {
		require.Error(t, Copy(filepath.Join(dir, name), failing{}))
	}
	require.Equal(t, []string{"a.txt"}, files(t, dir))
}

// failing gives a part and then an error.
type failing struct{}

func (failing) Read(p []byte) (int, error) { return copy(p, "part"), fs.ErrClosed }

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
