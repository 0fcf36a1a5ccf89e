package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// TestLimitsOfTheCompiler covers the codes that only programs too large to be
// written by hand meet.
func TestLimitsOfTheCompiler(t *testing.T) {
	lines := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	cases := []struct{ name, code, src string }{
		{"a chain of imports", "E0701", "import \"./m0\"\nprint(m0.x)\n"},
		{"a function with too many variables", "E0802",
			"fn f(a: int) -> int {\n  let x0 = a\n" + lines(6000, func(i int) string { return fmt.Sprintf("  let x%d = x%d + 1\n", i+1, i) }) + "  x6000\n}\nprint(f(1))\n"},
		{"too many functions", "E0802", "let fs = [" + strings.Repeat("|x: int| x, ", 100_001) + "]\nprint(fs.len())\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSources(importChain{}))
			_, err := rt.Compile("large.rnl", c.src)
			var failed *runnel.CompileError
			if !errors.As(err, &failed) {
				t.Fatalf("got %v, expected %s", err, c.code)
			}
			if got := string(failed.Diags[0].Code); got != c.code {
				t.Errorf("expected %s, got:\n%s", c.code, err)
			}
		})
	}
}

// What the language promises of chains (16.4).
func TestChainsCompile(t *testing.T) {
	const decl = "struct S { x: int\n  fn f(a: int, b: str = \"\") -> S { self }\n}\n"
	for name, src := range map[string]string{
		"operators": "print(1" + strings.Repeat(" + 1", 9900) + ")",
		"else if":   "let n = 1\nif n == 0 { print(n) }" + strings.Repeat(" else if n == 2 { print(n) }", 9900),
		"calls":     decl + "print(S(1)" + strings.Repeat(".f(1)", 1000) + ")",
		"lambdas":   "print([1]" + strings.Repeat(".map(|x| x + 1)", 1000) + ")",
		"copies":    decl + "print(S(1)" + strings.Repeat(".copy(x: 2)", 1000) + ")",
		"optionals": decl + "let s: S? = none\nprint(s" + strings.Repeat("?.f(1)", 1000) + ")",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("chain.rnl", src)
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// importChain holds a file m<i>.rnl for every number, which imports the next.
type importChain struct{}

func (importChain) Read(path string) (string, error) {
	var i int
	if _, err := fmt.Sscanf(path, "m%d.rnl", &i); err != nil {
		return "", fs.ErrNotExist
	}
	return fmt.Sprintf("import \"./m%d\"\npub let x = m%d.x\n", i+1, i+1), nil
}
