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
		var src strings.Builder
		src.WriteString(operandDecls)
		line := strings.Count(operandDecls, "\n") + 1
		expected := map[int]bool{}
		text := map[int]string{}
		for _, a := range operands {
			for _, b := range operands {
				_, ok := meaning(op, a, b)
				expected[line], text[line] = ok, fmt.Sprintf("`%s` %s `%s`", a.Type, op, b.Type)
				fmt.Fprintf(&src, "fn f%d(x: %s, y: %s) { print((x %s y)) }\n", line, a.Type, b.Type, op)
				line++
			}
		}
		c := rt.Check("table.rnl", src.String())
		refused := map[int]string{}
		for _, d := range c.Diags {
			n, _ := c.Files.File(d.Span.Start).Pos(d.Span.Start)
			if d.Code[0] == 'E' {
				refused[n] = string(d.Code)
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
