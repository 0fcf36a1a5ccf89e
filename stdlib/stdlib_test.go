package stdlib_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
)

func parse(t *testing.T, module *vm.Module) *syntax.File {
	t.Helper()
	var files diag.FileSet
	file := files.Add(module.Name+".rnl", module.Source)
	parsed, found := syntax.Parse(file)
	for _, d := range found {
		line, col := file.Pos(d.Span.Start)
		t.Errorf("%s:%d:%d: %s", file.Name, line, col, d.Message)
	}
	return parsed
}

func TestModulesAreInOrder(t *testing.T) {
	var names []string
	for _, m := range all.Modules() {
		names = append(names, m.Name)
	}
	require.IsIncreasing(t, names)
	dirs, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, d := range dirs {
		if _, err := os.Stat(d.Name() + "/" + d.Name() + ".rnl"); err == nil {
			require.Contains(t, names, d.Name(), "not listed in package all")
		}
	}
	require.NoError(t, vm.Modules{}.Add(all.Modules()...))
}

func TestEveryNativeFunctionIsThere(t *testing.T) {
	for _, module := range all.Modules() {
		for _, item := range parse(t, module).Items {
			switch d := item.(type) {
			case *syntax.FnDecl:
				if d.Native {
					require.True(t, module.Has(d.Name.Text), "%s.%s", module.Name, d.Name.Text)
				}
			case *syntax.StructDecl:
				for _, m := range d.Methods {
					if m.Native {
						require.True(t, module.Has(d.Name.Text+"."+m.Name.Text), "%s.%s.%s", module.Name, d.Name.Text, m.Name.Text)
					}
				}
			}
		}
	}
}

func TestWhatIsPublicIsDocumented(t *testing.T) {
	for _, module := range all.Modules() {
		file := parse(t, module)
		require.NotEmpty(t, file.Doc, module.Name)
		check := func(pub bool, name, doc string) {
			if pub {
				require.NotEmpty(t, strings.TrimSpace(doc), "%s.%s", module.Name, name)
			}
		}
		for _, item := range file.Items {
			switch d := item.(type) {
			case *syntax.FnDecl:
				check(d.Pub, d.Name.Text, d.Doc)
			case *syntax.StructDecl:
				check(d.Pub, d.Name.Text, d.Doc)
				for _, m := range d.Methods {
					check(d.Pub, d.Name.Text+"."+m.Name.Text, m.Doc)
				}
			case *syntax.EnumDecl:
				check(d.Pub, d.Name.Text, d.Doc)
			case *syntax.InterfaceDecl:
				check(d.Pub, d.Name.Text, d.Doc)
			case *syntax.LetStmt:
				check(d.Pub, module.Name, d.Doc)
			}
		}
	}
}
