package stdlib

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/vm"
)

func parse(t *testing.T, module string) *syntax.File {
	t.Helper()
	text, ok := Source(module)
	require.True(t, ok)
	var files diag.FileSet
	file := files.Add(module+".rnl", text)
	parsed, found := syntax.Parse(file)
	for _, d := range found {
		line, col := file.Pos(d.Span.Start)
		t.Errorf("%s:%d:%d: %s", file.Name, line, col, d.Message)
	}
	return parsed
}

func TestModulesAreListed(t *testing.T) {
	for _, name := range []string{"fs", "io", "json", "math", "rand", "re", "sys", "time"} {
		require.Contains(t, Names(), name)
	}
	require.NotContains(t, Names(), "prelude")
	for _, name := range []string{"", "nosuch", "../math", "prelude/core", "math/math"} {
		_, ok := Source(name)
		require.False(t, ok, name)
	}
}

func TestEveryNativeFunctionIsThere(t *testing.T) {
	for _, module := range Names() {
		for _, item := range parse(t, module).Items {
			switch d := item.(type) {
			case *syntax.FnDecl:
				if d.Native {
					require.True(t, vm.HasNative(module+"."+d.Name.Text), "%s.%s", module, d.Name.Text)
				}
			case *syntax.StructDecl:
				for _, m := range d.Methods {
					if m.Native {
						name := module + "." + d.Name.Text + "." + m.Name.Text
						require.True(t, vm.HasNative(name), name)
					}
				}
			}
		}
	}
}

func TestWhatIsPublicIsDocumented(t *testing.T) {
	for _, module := range Names() {
		file := parse(t, module)
		require.NotEmpty(t, file.Doc, module)
		check := func(pub bool, name, doc string) {
			if pub {
				require.NotEmpty(t, strings.TrimSpace(doc), "%s.%s", module, name)
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
				check(d.Pub, module, d.Doc)
			}
		}
	}
}
