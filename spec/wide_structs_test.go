package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each field of a wide struct is the one that arithmetic, comparisons and assignments get,
// wherever it lies: offsets in instructions have limits.
func TestEachFieldOfAWideStructIsItself(t *testing.T) {
	const fields = 400
	for typ, zero := range map[string]string{"int": "1000", "float": "1000.0"} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			b.WriteString("struct Wide {\n")
			for i := range fields {
				fmt.Fprintf(&b, "  f%d: %s = %s\n", i, typ, number(typ, i))
			}
			b.WriteString("}\nlet w = Wide()\nlet a = " + zero + "\nfn same(what: str, got: " + typ + ", want: " + typ + ") { if got != want { print(what, got, want) } }\n")
			for part := 0; part < fields; part += 100 {
				fmt.Fprintf(&b, "fn part%d(a: %s, w: Wide) {\n", part, typ)
				for i := part; i < part+100; i++ {
					n := number(typ, i)
					for _, op := range []string{"+", "-", "*"} {
						fmt.Fprintf(&b, "  same(\"a %s f%d\", a %s w.f%d, %s %s %s)\n", op, i, op, i, zero, op, n)
						fmt.Fprintf(&b, "  same(\"f%d %s a\", w.f%d %s a, %s %s %s)\n", i, op, i, op, n, op, zero)
					}
					fmt.Fprintf(&b, "  if w.f%d > a || !(w.f%d < a) || w.f%d != %s { print(\"f%d is compared wrongly\") }\n", i, i, i, n, i)
					fmt.Fprintf(&b, "  w.f%d += a\n  same(\"f%d set\", w.f%d - a, %s)\n", i, i, i, n)
				}
				fmt.Fprintf(&b, "}\npart%d(a, w)\n", part)
			}
			b.WriteString("print(\"done\")\n")
			out, err := runLarge(b.String())
			require.NoError(t, err)
			require.Equal(t, "done\n", out)
		})
	}
}

func number(typ string, i int) string {
	if typ == "float" {
		return fmt.Sprintf("%d.5", i)
	}
	return fmt.Sprint(i)
}
