package spec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm/host"
)

// construct is something that a program may have many of: as many as fits run, and far
// more are refused where they stand, with what to do, or run too.
type construct struct {
	name   string
	fits   int
	source func(n int) string // prints n
}

// each joins the lines of 0 to n-1.
func each(n int, sep string, line func(i int) string) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = line(i)
	}
	return strings.Join(lines, sep)
}

// format returns a line that names its number once.
func format(f string) func(i int) string {
	return func(i int) string { return strings.ReplaceAll(f, "#", fmt.Sprint(i)) }
}

// between puts many lines between a head and a tail, which may name how many: N and N-1.
func between(head, line, sep, tail string) func(n int) string {
	return func(n int) string {
		fill := strings.NewReplacer("N-1", fmt.Sprint(n-1), "N", fmt.Sprint(n))
		return fill.Replace(head) + each(n, sep, format(line)) + fill.Replace(tail)
	}
}

var constructs = []construct{
	{"functions", 30_000, between("", "fn f#(x: int) -> int { x + # }\n", "", "print(fN-1(1))\n")},
	{"sum", 9_900, between("fn f(x: int) -> int {\n", "x", " + ", "\n}\nprint(f(1))\n")},
	{"sum on lines", 9_900, between("fn f(x: int) -> int {\n", "x", " +\n", "\n}\nprint(f(1))\n")},
	{"constant sum", 9_900, between("print(", "1", " + ", ")\n")},
	{"product", 9_900, between("fn f(x: int) -> int {\n", "x", " * ", "\n}\nprint(f(1) * N)\n")},
	{"text", 3_900, between("fn f(x: str) -> int {\n(", "x", " + ", ").len()\n}\nprint(f(\"a\"))\n")},
	{"lists joined", 4_000, between("let xs = [1]\nlet all = ", "xs", " + ", "\nprint(all.len())\n")},
	{"and", 9_900, between("fn f(x: int) -> bool {\n", "x != #", " && ", "\n}\nif f(-1) { print(N) }\n")},
	{"or", 9_900, between("fn f(x: int) -> bool {\n", "x == #", " || ", "\n}\nif f(N-1) { print(N) }\n")},
	{"else if", 9_900, between("fn f(x: int) -> int {\n", "if x == # { # + 1 }", " else ", " else { -1 }\n}\nprint(f(N-1))\n")},
	{"calls in a row", 900, between("print([1]", ".map(|y| y + 1)", "", "[0] - 1)\n")},
	{"members in a row", 900, between("struct A { next: A? = none }\nlet a: A? = A()\nif a", "?.next", "", " == none { print(N) }\n")},
	{"variants", 12_000, between("enum E { ", "V#", ", ", " }\nlet e: E = VN-1\nif e == VN-1 { print(N) }\n")},
	{"variants with fields", 256, between("enum E { ", "V#(a: int)", ", ", " }\nlet e: E = VN-1(N)\nmatch e {\n  VN-1(a) => print(a),\n  _ => {},\n}\n")},
	{"fields", 499, between("struct S {\n", "  f#: int = # + 1\n", "", "}\nprint(S().fN-1)\n")},
	{"fields of a variant", 499, between("enum E { A(", "a#: int = 1", ", ", "), B }\nlet e: E = A()\nif e != B { print(N) }\n")},
	{"tuple", 499, between("let t = (", "# + 1", ", ", ")\nprint(t.N-1)\n")},
	{"captures", 498, between("fn id(x: int) -> int { x }\nfn f(n: int) -> fn() -> int {\n", "  let a# = id(n)\n", "", "  || { a0 + [aN-1, N].last()! - n }\n}\nprint(f(0)())\n")},
	{"arms of select", 60, between("let c = chan<int>(1)\nc.send(N)\nselect {\n", "  let v = c.recv() => print(v ?? #),\n", "", "}\n")},
	{"arms of match", 12_000, between("fn f(x: int) -> int {\n  match x {\n", "    # => # + 1,\n", "", "    _ => 0,\n  }\n}\nprint(f(N-1))\n")},
	{"arms of texts", 12_000, between("fn f(x: str) -> int {\n  match x {\n", "    \"k#\" => # + 1,\n", "", "    _ => 0,\n  }\n}\nprint(f(\"kN-1\"))\n")},
	{"alternatives", 12_000, between("match N-1 {\n  ", "#", " | ", " => print(N),\n  _ => {},\n}\n")},
	{"parameters", 4_000, between("fn f(", "a#: int = # + 1", ", ", ") -> int { aN-1 }\nprint(f())\n")},
	{"variables", 4_000, between("fn f(x: int) -> int {\n", "  let a# = x + #\n", "", "  aN-1\n}\nprint(f(1))\n")},
	{"globals", 12_000, between("", "let a# = # + 1\n", "", "print(aN-1)\n")},
	{"constants", 12_000, between("", "const a# = # + 1\n", "", "print(aN-1)\n")},
	{"elements", 12_000, between("let xs = [", "#", ", ", "]\nprint(xs.len())\n")},
	{"entries", 12_000, between("let xs = {", "\"k#\": #", ", ", "}\nprint(xs.len())\n")},
	{"arguments", 3_900, between("fn f(x: int) -> int { x }\nlet xs = [", "f(#)", ", ", "]\nprint(xs.len())\n")},
	{"parts of a text", 2_000, between("let x = 1\nlet s = \"", "${x}", "", "\"\nprint(s.len())\n")},
	{"methods", 12_000, between("struct S {\n  a: int\n", "  fn m#() -> int { self.a + # }\n", "", "}\nprint(S(1).mN-1())\n")},
	{"interface", 4_000, between("interface I {\n", "  fn m#() -> int\n", "", "}\nprint(N)\n")},
	{"structs", 12_000, between("", "struct S# { a: int }\n", "", "print(SN-1(N).a)\n")},
	{"instances", 11_000, between("fn id<T>(x: T) -> T { x }\n", "struct S# { a: int }\nlet x# = id(S#(# + 1))\n", "", "print(xN-1.a)\n")},
	{"lambdas", 12_000, between("let fs = [", "|x: int| x + #", ", ", "]\nprint(fs[N-1](1))\n")},
	{"tasks", 11_000, between("scope {\n", "  spawn { # }\n", "", "}\nprint(N)\n")},
	{"statements", 12_000, between("var t = 0\n", "t += 1\n", "", "print(t)\n")},
	{"tries", 11_000, between("", "let a# = try { # } catch _ { 0 }\n", "", "print(aN-1 + 1)\n")},
	{"aliases", 11_000, func(n int) string {
		return each(n, "", func(i int) string { return fmt.Sprintf("type A%d = A%d\n", n-i, n-i-1) }) + fmt.Sprintf("type A0 = int\nlet a: A%d = %d\nprint(a)\n", n, n)
	}},
	{"constants of constants", 11_000, func(n int) string {
		return each(n, "", func(i int) string { return fmt.Sprintf("const a%d = a%d + 1\n", n-i, n-i-1) }) + fmt.Sprintf("const a0 = 0\nprint(a%d)\n", n)
	}},
	{"parentheses", 900, func(n int) string {
		return "print(" + strings.Repeat("(", n) + fmt.Sprint(n) + strings.Repeat(")", n) + ")\n"
	}},
	{"blocks", 300, func(n int) string {
		return strings.Repeat("if true {\n", n) + fmt.Sprintf("print(%d)\n", n) + strings.Repeat("}\n", n)
	}},
}

// Programs that are generated have many of one thing. As many as fits run; at the limit
// they are refused in words, with a place and a way out, and never by a defect.
func TestManyOfEachConstruct(t *testing.T) {
	for _, c := range longtest.Sample(constructs, 10) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{8, c.fits} {
				if got, err := runLarge(c.source(n)); err != nil || got != fmt.Sprintln(n) {
					t.Fatalf("%d: %.60q, %v", n, got, short(err))
				}
			}
			for _, n := range []int{c.fits + 1, c.fits + 2, min(10*c.fits+100, 15_000)} {
				src := c.source(n)
				got, err := runLarge(src)
				if err == nil && got == fmt.Sprintln(n) {
					continue
				}
				if why := refusal(err); why != "" {
					t.Fatalf("%d: %s: %v", n, why, short(err))
				}
			}
		})
	}
}

// Compiling takes no more than in proportion.
func TestManyOfEachConstructCompileInLinearTime(t *testing.T) {
	rt := runnel.MustNew()
	for _, c := range longtest.Sample(constructs, 10) {
		most := min(c.fits/2, 4_000)
		if most < 400 {
			continue
		}
		if slow := linear.Grows(most/4, most, func(n int) { _, _ = rt.Compile("large.rnl", c.source(n)) }); slow != "" {
			t.Errorf("%s: %s", c.name, slow)
		}
	}
}

func runLarge(src string) (string, error) {
	var out bytes.Buffer
	rt := runnel.MustNew(runnel.WithHost(host.Host{Stdout: &out}))
	p, err := rt.Compile("large.rnl", src)
	if err == nil {
		err = p.NewInstance().Run(context.Background())
	}
	return out.String(), err
}

// refusal tells what an error of a program that is too large lacks.
func refusal(err error) string {
	var failed *runnel.CompileError
	if !errors.As(err, &failed) {
		return "it is not the compiler that refuses it"
	}
	if len(failed.Diags) > 1 {
		return "one mistake has more than one error"
	}
	d := failed.Diags[0]
	switch d.Code {
	case diag.TooNested, diag.TooDeep, diag.ProgramTooLarge, diag.TypeTooLarge:
	default:
		return "it is refused for another reason"
	}
	if !d.Span.IsValid() || len(d.Help) == 0 {
		return "it says no place or no way out"
	}
	return ""
}

// short cuts the text of an error.
func short(err error) string { return fmt.Sprintf("%.400s", fmt.Sprint(err)) }
