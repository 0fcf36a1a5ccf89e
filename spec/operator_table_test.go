package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/time"
)

// The checker takes an operator with operands of two kinds where the language's
// text does, for every pair of kinds; what it refuses is a diagnostic of the line.
func TestOperatorsTakeTheKindsTheyAreFor(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(time.Module))
	for _, op := range binaryOps {
		expected, refused, text := map[int]bool{}, map[int]string{}, map[int]string{}
		n := 0
		for _, a := range operands { // a check tells of a thousand mistakes only
			var src strings.Builder
			src.WriteString(operandDecls)
			first := strings.Count(operandDecls, "\n") + 1 - n
			for _, b := range operands {
				_, ok := meaning(op, a, b)
				expected[n], text[n] = ok, fmt.Sprintf("`%s` %s `%s`", a.Type, op, b.Type)
				fmt.Fprintf(&src, "fn f%d(x: %s, y: %s) { print((x %s y)) }\n", n, a.Type, b.Type, op)
				n++
			}
			c := rt.Check("table.rnl", src.String())
			for _, d := range c.Diags {
				line, _ := c.Files.File(d.Span.Start).Pos(d.Span.Start)
				if d.Code[0] == 'E' {
					refused[line-first] = string(d.Code)
				}
			}
		}
		for n, ok := range expected {
			switch code, bad := refused[n]; {
			case ok == bad:
				t.Errorf("%s: expected to be taken: %v, refused: %v %s", text[n], ok, bad, code)
			case bad && code >= "E08":
				t.Errorf("%s: %s", text[n], code)
			}
		}
	}
}
