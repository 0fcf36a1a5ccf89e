package syntax

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
)

// linePieces are what lines of text blocks are made of: as it is written in a block, and
// in a string of one line.
var linePieces = [][2]string{
	{"a", "a"}, {"  ", "  "}, {"\t", `\t`}, {`"`, `\"`}, {`""`, `\"\"`}, {`\"""`, `\"\"\"`}, {`\\`, `\\`}, {`\n`, `\n`},
	{"${x}", "${x}"}, {`${"${x}"}`, `${"${x}"}`}, {"${x:>5}", "${x:>5}"}, {`${f("a", [1])}`, `${f("a", [1])}`}, {`\${`, `\${`},
	{"$", "$"}, {"}", "}"}, {"'", "'"}, {"`", "`"}, {"//", "//"}, {"é", "é"}, {`\u{e9}`, `\u{e9}`}, {"", ""},
}

var escape = regexp.MustCompile(`\\.`)

// A text block is the string of one line that has the same text, whatever it holds and
// however far it is indented.
func TestTextBlocksAreStrings(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		indent := []string{"", "  ", "\t", "    \t "}[r.IntN(4)]
		var block, line strings.Builder
		for i := range r.IntN(5) {
			if i > 0 {
				line.WriteString(`\n`)
			}
			var written, plain string
			for range r.IntN(5) {
				p := linePieces[r.IntN(len(linePieces))]
				written, plain = written+p[0], plain+p[1]
			}
			if strings.Contains(escape.ReplaceAllString(written, ""), blockQuotes) {
				written, plain = "", ""
			}
			if strings.Trim(written, " \t") != "" || r.IntN(2) == 0 {
				block.WriteString(indent + written)
				line.WriteString(plain)
			}
			block.WriteString([]string{"\n", "\r\n"}[r.IntN(2)])
		}
		src := "let s = \"\"\"" + []string{"", " ", "\r"}[r.IntN(3)] + "\n" + block.String() + indent + `"""` + "\nlet t = \"" + line.String() + `"`
		var fs diag.FileSet
		file, diags := Parse(fs.Add("a.rnl", src))
		require.Empty(t, diags, "seed %d:\n%s", seed, src)
		require.Len(t, file.Items, 2, src)
		have, want := file.Items[0].(*LetStmt).Value, file.Items[1].(*LetStmt).Value
		assert.Equal(t, shape(want), shape(have), "seed %d:\n%s", seed, src)
	}
}

// shape shows a string without its place.
func shape(e Expr) string {
	if s, ok := e.(*StrLit); ok {
		return fmt.Sprintf("%q", s.Value)
	}
	var b strings.Builder
	for _, part := range e.(*InterpLit).Parts {
		if part.X == nil {
			fmt.Fprintf(&b, "%q ", part.Text)
			continue
		}
		switch x := part.X.(type) {
		case *InterpLit:
			fmt.Fprintf(&b, "(%s:%s) ", shape(x), part.Spec)
		default:
			fmt.Fprintf(&b, "(%T:%s) ", x, part.Spec)
		}
	}
	return b.String()
}

func TestABackslashAtTheEndOfALineJoinsIt(t *testing.T) {
	for src, want := range map[string]string{
		"\"\"\"\n a\\\n b\n \"\"\"":     "ab",
		"\"\"\"\n a\\\\\n b\n \"\"\"":   "a\\\nb",
		"\"\"\"\n a\\\\\\\n b\n \"\"\"": "a\\b",
		"\"\"\"\n a \\\r\n b\n \"\"\"":  "a b",
		"\"\"\"\n a\\\n \"\"\"":         "a",
		"\"\"\"\n \\\n\n \"\"\"":        "",
	} {
		var fs diag.FileSet
		file, diags := Parse(fs.Add("a.rnl", "let s = "+src))
		require.Empty(t, diags, src)
		assert.Equal(t, want, file.Items[0].(*LetStmt).Value.(*StrLit).Value, src)
	}
}

func TestATextBlockThatBreaksOffIsIncomplete(t *testing.T) {
	for src, want := range map[string]bool{
		"let s = \"\"\"":                     true,
		"let s = \"\"\"\n a ${x}":            true,
		"f(\"\"\"\n a\n b":                   true,
		"let s = \"\"\"\n a ${x":             false,
		"let s = \"\"\"\n a\n \"\"\"":        false,
		"let s = \"\"\"\n ${1} a\n \"\"\"\n": false,
	} {
		assert.Equal(t, want, Incomplete(src), src)
	}
}
