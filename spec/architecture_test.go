package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The files that the architecture's stories and the guide to vm name exist.
func TestTheArchitectureNamesFilesThatExist(t *testing.T) {
	known := map[string]bool{}
	require.NoError(t, filepath.WalkDir("..", func(path string, _ os.DirEntry, err error) error {
		known[filepath.Base(path)] = true
		return err
	}))
	for _, doc := range []string{"../doc/architecture.md", "../vm/doc.go"} {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		names := regexp.MustCompile(`[\w*/]+\.(go|rnl|txt|md)\b`).FindAllString(string(text), -1)
		require.NotEmpty(t, names)
		for _, name := range names {
			switch found, err := filepath.Glob("../" + name); {
			case err != nil:
				t.Error(err)
			case strings.Contains(name, "/"):
				if found == nil {
					found, _ = filepath.Glob("../vm/" + name)
				}
				require.NotEmpty(t, found, "%s names %s", doc, name)
			case !strings.Contains(name, "*"):
				require.True(t, known[name], "%s names %s", doc, name)
			}
		}
	}
}

// What the glossary says a word is in the code, it is.
func TestTermsOfTheGlossaryAreInTheCode(t *testing.T) {
	text, err := os.ReadFile("../doc/architecture.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| (\\w[\\w ]*) \\| .* \\| `(\\w+)\\.([\\w.]+)` \\|$").FindAllStringSubmatch(string(text), -1)
	_, table, _ := strings.Cut(string(text), "|---|---|---|\n")
	require.Len(t, rows, strings.Count(table, "\n"), "rows of the glossary")
	declared := map[string]map[string]bool{}
	last := ""
	for _, row := range rows {
		word, folder, name := row[1], row[2], row[3]
		require.Less(t, last, word, "the words are in order")
		last = word
		if declared[folder] == nil {
			declared[folder] = declarations(t, folderOf(folder))
		}
		require.True(t, declared[folder][name], "%s: %s has no %s", word, folder, name)
	}
}

// folderOf a package: those of the glossary are at the top level or below it.
func folderOf(pkg string) string {
	if below, _ := filepath.Glob("../*/" + pkg + "/*.go"); len(below) > 0 {
		return filepath.Dir(below[0])
	}
	return "../" + pkg
}

// declarations of a package: types, and functions as Type.Method.
func declarations(t *testing.T, folder string) map[string]bool {
	files, err := filepath.Glob(folder + "/*.go")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if typ, ok := spec.(*ast.TypeSpec); ok {
						found[typ.Name.Name] = true
					}
				}
			case *ast.FuncDecl:
				found[receiver(d)+d.Name.Name] = true
			}
		}
	}
	return found
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	return typ.(*ast.Ident).Name + "."
}
