package stdlib_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
)

func parse(t *testing.T, module *vm.Module) *syntax.File {
	t.Helper()
	var files diag.FileSet
	file := files.Add(module.Name+".rnl", module.Read().Source)
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

func TestThePreludeHasAllItsFiles(t *testing.T) {
	files, err := filepath.Glob("prelude/*.rnl")
	require.NoError(t, err)
	require.Len(t, stdlib.Prelude(), len(files))
	for i, s := range stdlib.Prelude() {
		text, err := os.ReadFile(files[i])
		require.NoError(t, err)
		require.Equal(t, string(text), s.Text)
		require.Equal(t, files[i], filepath.FromSlash(s.Name))
	}
}
