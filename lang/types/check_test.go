package types_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// preludeDir holds the sources of the real prelude: the checker is tested
// with what programs see.
const preludeDir = "../../stdlib/prelude"

var prelude = sync.OnceValue(func() []types.Source {
	paths, _ := filepath.Glob(preludeDir + "/*.rnl")
	var out []types.Source
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			panic(err)
		}
		name := "prelude/" + filepath.Base(p)
		out = append(out, types.Source{Key: name, Name: name, Text: string(text), Std: true})
	}
	return out
})

// modules is a Loader over sources in memory: "./geo" or "math" to its text.
type modules map[string]string

func (m modules) Load(from *types.Module, path string, isFile bool) (types.Source, error) {
	text, ok := m[path]
	if !ok {
		return types.Source{}, fmt.Errorf("no such module")
	}
	return types.Source{Key: strings.TrimPrefix(path, "./") + ".rnl", Name: path + ".rnl", Text: text, Std: !isFile}, nil
}

func (m modules) Names() []string {
	var out []string
	for n := range m {
		if !strings.HasPrefix(n, ".") {
			out = append(out, n)
		}
	}
	return out
}

type checked struct {
	prog  *types.Program
	files *diag.FileSet
	diags []diag.Diagnostic
}

func check(t testing.TB, src string, mods modules) checked {
	t.Helper()
	fs := &diag.FileSet{}
	f, diags := syntax.Parse(fs.Add("main.rnl", src))
	prog, more := types.Check(fs, f, types.Options{Prelude: prelude(), Loader: mods, Broken: len(diags) > 0})
	return checked{prog, fs, append(diags, more...)}
}

// lines prints diagnostics as `line:col code message`.
func (c checked) lines() []string {
	out := []string{}
	for _, d := range c.diags {
		f := c.files.File(d.Span.Start)
		if f == nil {
			out = append(out, "? "+string(d.Code)+" "+d.Message)
			continue
		}
		line, col := f.Pos(d.Span.Start)
		name := ""
		if f.Name != "main.rnl" {
			name = f.Name + ":"
		}
		out = append(out, fmt.Sprintf("%s%d:%d %s %s", name, line, col, d.Code, d.Message))
	}
	return out
}

// accepts requires that a program has no diagnostics, and a complete Info.
func accepts(t *testing.T, src string) checked {
	t.Helper()
	c := check(t, src, nil)
	require.Empty(t, c.lines(), "in program:\n%s", src)
	requireComplete(t, c)
	return c
}

// expects checks a program whose lines name their diagnostics: `... //~ E0301`.
func expects(t *testing.T, src string) {
	t.Helper()
	var want, got []string
	for i, line := range strings.Split(src, "\n") {
		if _, codes, ok := strings.Cut(line, "//~"); ok {
			for _, code := range strings.Fields(codes) {
				want = append(want, fmt.Sprintf("%d %s", i+1, code))
			}
		}
	}
	c := check(t, src, nil)
	for _, d := range c.diags {
		f := c.files.File(d.Span.Start)
		require.NotNil(t, f)
		line, _ := f.Pos(d.Span.Start)
		got = append(got, fmt.Sprintf("%d %s", line, d.Code))
	}
	sort.Strings(want)
	sort.Strings(got)
	require.Equal(t, want, got, "program:\n%s\ngot:\n%s", src, strings.Join(c.lines(), "\n"))
}
