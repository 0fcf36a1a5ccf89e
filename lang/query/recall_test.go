package query_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/query"
)

// What programs name is offered where they name it, once its first letter is
// typed. Patterns of a let and some arms of select are known to be missing.
func TestNamesOfProgramsAreOffered(t *testing.T) {
	paths, err := filepath.Glob("../../spec/tests/*/*.rnl")
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(11, 13))
	asked, missed := 0, []string(nil)
	for asked < longtest.Of(80, 400) {
		path := paths[rng.IntN(len(paths))]
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		src := string(data)
		name, at, ok := someName(src, rng)
		if !ok {
			continue
		}
		asked++
		offered := false
		for _, c := range query.Open("main.rnl", src, options(nil)).Complete(at + 1) {
			offered = offered || strings.TrimSuffix(c.Label, ":") == name
		}
		if !offered {
			missed = append(missed, filepath.Base(path)+": "+name)
		}
	}
	require.LessOrEqual(t, len(missed), asked/50, missed)
}

// someName chooses a use of a name in a program without errors.
func someName(src string, rng *rand.Rand) (name string, at int, ok bool) {
	f := query.Open("main.rnl", src, options(nil))
	toks := query.Highlight(src)
	if _, diags := f.Diagnostics(); len(diags) > 0 || len(toks) == 0 {
		return "", 0, false
	}
	k := toks[rng.IntN(len(toks))]
	switch k.Kind {
	case query.Variable, query.Function, query.Type, query.Member:
		def, known := f.Definition(k.Start)
		declared := def.File == "main.rnl" && def.Start == k.Start
		return src[k.Start:k.End], k.Start, known && !declared
	}
	return "", 0, false
}
