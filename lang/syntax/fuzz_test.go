package syntax

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// seed adds the broken programs of testdata and a few whole ones.
func seed(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.rnl")
	require.NoError(f, err)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(src))
	}
	for _, c := range expressions {
		f.Add("let v = " + c[0])
	}
	for _, c := range statements {
		f.Add(c[0])
	}
}

// FuzzLex: tokens follow one another, nothing but space lies between them, and
// none is empty.
func FuzzLex(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string) {
		s := newScanner("f", src, 1)
		off := s.off
		for {
			tok, err := s.Next()
			require.NoError(t, err)
			start := tok.Pos.Offset - 1
			for ; off < start; off++ {
				require.Contains(t, " \t\r\n", src[off:off+1])
			}
			if tok.Type == lexer.EOF {
				require.Equal(t, len(src), off)
				return
			}
			if token.Kind(tok.Type) != token.Unterminated {
				require.NotEmpty(t, tok.Value)
			}
			require.Equal(t, src[start:start+len(tok.Value)], tok.Value)
			off = start + len(tok.Value)
		}
	})
}

// FuzzParse: any text gives a sound tree, the same each time, and diagnostics
// that can be shown.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		var fs diag.FileSet
		src1 := fs.Add("a", src)
		file, diags := Parse(src1)
		checkTree(t, file)
		again, diags2 := Parse(src1)
		require.Equal(t, diags, diags2)
		require.Equal(t, dumpFile(file), dumpFile(again))
		for _, d := range diags {
			require.NotEqual(t, diag.CompilerDefect, d.Code, d.Message)
			require.GreaterOrEqual(t, d.Span.Start, src1.Base)
			require.LessOrEqual(t, d.Span.Start, d.Span.End)
			require.LessOrEqual(t, d.Span.End, src1.Base+uint32(len(src)))
		}
		require.NoError(t, diag.Render(discard{}, &fs, diags, diag.Options{Color: true, Width: 60}))
		require.NoError(t, diag.RenderJSON(discard{}, &fs, diags))
	})
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
