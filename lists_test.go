package runnel_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/docs"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/printer"
	"github.com/runnel-lang/runnel/lang/query"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// A list of the grammar: what stands before it, an element with a number for $, and
// what stands behind it. % of the tail is the number of elements less one.
var lists = []struct{ name, head, elem, tail string }{
	{"statements", "", "print($)\n", ""},
	{"statements of one line", "", "print($); ", ""},
	{"expressions", "let x = 1\n", "print(x + $ * 2)\n", ""},
	{"globals", "", "let a$ = $\n", "print(a%)"},
	{"variables", "", "var a$ = $\na$ += 1\n", "print(a%)"},
	{"locals", "fn f() -> int {\n", "let a$ = $\n", "a% }\nprint(f())"},
	{"locals used", "fn f() -> int {\nvar s = 0\n", "let a$ = $\ns += a$\n", "s }\nprint(f())"},
	{"shadowing locals", "fn f() -> int {\nlet a = 0\n", "{ let a = a + $; print(a) }\n", "a }\nprint(f())"},
	{"constants", "", "const c$ = $\n", "print(c%)"},
	{"constants of constants", "const c0 = 1\n", "const d$ = c0 + $\n", "print(d%)"},
	{"public constants", "", "pub const c$ = \"text $\"\n", ""},
	{"functions", "", "fn f$() -> int { $ }\n", "print(f%())"},
	{"functions called", "", "fn f$() -> int { $ }\nprint(f$())\n", ""},
	{"public functions", "", "/// Doc $.\npub fn f$(x: int) -> int { x + $ }\n", ""},
	{"functions that call", "fn f() { }\n", "fn g$() { f() }\n", "g%()"},
	{"functions in functions", "", "fn f$(x: int) -> int { let g = |y| y + x; g($) }\n", "print(f%(1))"},
	{"generic functions", "", "fn f$<T>(x: T) -> T { x }\n", "print(f%(1))"},
	{"instances of one", "fn f<T>(x: T) -> T { x }\n", "struct S$ { x: int }\nprint(f(S$(1)).x)\n", ""},
	{"types", "", "struct S$ { x: int }\n", "print(S%(1))"},
	{"types used", "", "struct S$ { x: int }\nprint(S$(1))\n", ""},
	{"enums", "", "enum E$ { A$, B$ }\n", "print(E%.A%)"},
	{"aliases", "", "type T$ = int\n", "let x: T% = 1\nprint(x)"},
	{"interfaces", "", "interface I$ { fn m$() }\n", ""},
	{"interfaces met", "struct S { fn m() -> int { 1 } }\n", "interface I$ { fn m() -> int }\nlet i$: I$ = S()\nprint(i$.m())\n", ""},
	{"fields", "struct S {\n", "f$: int = $\n", "}\nprint(S().f%)"},
	{"fields of a line", "struct S { ", "f$: int = $, ", "}\nprint(S().f%)"},
	{"fields without defaults", "struct S {\n", "f$: int\n", "}\nfn f(s: S) -> int { s.f% }"},
	{"text fields", "struct S {\n", "f$: str = \"\"\n", "}\nprint(S().f%)"},
	{"fields read", "struct S {\n", "f$: int = $\n", "fn sum() -> int { self.f0 }\n}\nlet s = S()\nprint(s)"},
	{"methods", "struct S {\n", "fn m$() -> int { $ }\n", "}\nprint(S().m%())"},
	{"methods of an interface", "interface I {\n", "fn m$() -> int\n", "}"},
	{"interfaces of a struct", "interface I { fn m() }\nstruct S: I", ", I", " { fn m() { } }\nS().m()"},
	{"variants", "enum E {\n", "V$\n", "}\nprint(E.V%)"},
	{"variants with fields", "enum E {\n", "V$(x: int)\n", "}\nprint(E.V%(1))"},
	{"fields of a variant", "enum E { V(", "f$: int, ", "), W }\nprint(E.W)"},
	{"arms", "fn f(x: int) -> int { match x {\n", "$ => $\n", "_ => 0 } }\nprint(f(3))"},
	{"arms of texts", "fn f(x: str) -> int { match x {\n", "\"k$\" => $\n", "_ => 0 } }\nprint(f(\"k3\"))"},
	{"arms with guards", "fn f(x: int) -> int { match x {\n", "n if n == $ => $\n", "_ => 0 } }\nprint(f(3))"},
	{"arms of ranges", "fn f(x: int) -> int { match x {\n", "1$0..1$5 => $\n", "_ => 0 } }\nprint(f(3))"},
	{"arms of tuples", "fn f(x: (int, int)) -> int { match x {\n", "($, $) => $\n", "_ => 0 } }\nprint(f((3, 3)))"},
	{"alternatives", "fn f(x: int) -> bool { match x { -1", " | $", " => true, _ => false } }\nprint(f(3))"},
	{"type parameters", "fn f<A", ", T$", ">(x: A) -> A { x }"},
	{"parameters", "fn f(", "p$: int, ", ") -> int { p% }"},
	{"parameters with defaults", "fn f(", "p$: int = $, ", ") -> int { p0 }"},
	{"parameters of a function type", "type F = fn(", "int, ", ")"},
	{"parameters of a lambda", "let f = |", "p$: int, ", "| 1\nprint(f == f)"},
	{"arguments", "fn f(x: int) { print(x) }\n", "f(x: $)\n", ""},
	{"arguments of print", "print(", "$, ", ")"},
	{"elements of a tuple", "let t = (", "$, ", ")\nprint(t)"},
	{"elements of a tuple type", "fn f(x: (", "int, ", ")) { }"},
	{"elements of a tuple pattern", "fn f(x: int) { match (x, x) { (1, 2)", " | ($, 4)", " => (), _ => () } }"},
	{"elements of a list", "let x = [", "$, ", "]\nprint(x[0])"},
	{"lists of lists", "let x = [", "[$], ", "]\nprint(x[0])"},
	{"texts of a list", "let x = [", "\"text $\", ", "]\nprint(x[0])"},
	{"elements by lines", "let x = [\n", "  $,\n", "]\nprint(x[0])"},
	{"structs of a list", "struct P { x: int, y: int }\nlet x = [", "P($, y: 1), ", "]\nprint(x[0])"},
	{"calls of a list", "fn f(x: int) -> int { x }\nlet x = [", "f($), ", "]\nprint(x[0])"},
	{"lambdas of a list", "let x = [", "|y: int| y + $, ", "]\nprint(x[0](1))"},
	{"entries of a map", "let x = {", "\"k$\": $, ", "}\nprint(x)"},
	{"elements of a constant", "const x = (", "$, ", ")\nprint(x)"},
	{"arms that match each variant", "enum E { A(x: int), B(x: str) }\nfn f(e: E) -> int { match e {\n", "A($) => $\nB(\"$\") => $\n", "_ => 0 } }\nprint(f(A(1)))"},
	{"elements of a set", "let x = set([", "$, ", "])\nprint(x.len())"},
	{"parts of a text", "let x = \"", "${$} ", "\"\nprint(x)"},
	{"text of a line", "let x = \"", "text ", "\"\nprint(x)"},
	{"sums by lines", "let x = 1\nprint(0)\n", "print(x +\n $)\n", ""},
	{"ifs", "let x = 1\n", "if x == $ { print($) }\n", ""},
	{"loops", "", "for i in 0..$ { print(i) }\n", ""},
	{"whiles", "fn f(n: int) { var x = n\n", "while x < $ { x += 1 }\n", "}\nf(0)"},
	{"breaks", "fn f(n: int) { loop {\n", "if n == $ { break }\n", "} }\nf(0)"},
	{"returns", "fn f(n: int) -> int {\n", "if n == $ { return $ }\n", "0 }\nprint(f(0))"},
	{"optionals", "fn f(x: int?) -> int {\n", "if let y$ = x { return y$ }\n", "0 }\nprint(f(0))"},
	{"narrowings", "fn f(x: int?) -> int {\nif x == none { return 0 }\n", "print(x + $)\n", "x }\nprint(f(0))"},
	{"tries", "", "try { print($) } catch e { print(e) }\n", ""},
	{"catches", "struct E: Error { fn message() -> str { \"\" } }\ntry { print(1) } ", "catch e: E { print($) } ", "catch e { print(e) }"},
	{"defers", "fn f() {\n", "defer print($)\n", "}\nf()"},
	{"spawns", "", "spawn { print($) }\n", ""},
	{"tasks in a list", "let ts = [", "spawn f($), ", "]\nfn f(x: int) -> int { x }\nprint(ts.len())"},
	{"locks", "let m = mutex(1)\n", "lock m as v { v += $ }\n", ""},
	{"cases of a select", "let c = chan<int>(1)\nselect {\n", "let v = c.recv() => print(v)\n", "_ => print(0) }"},
	{"captured variables", "fn f() {\n", "let a$ = $\nlet g$ = || a$\n", "print(g%()) }\nf()"},
	{"variables captured by one", "fn f() {\n", "let a$ = $\n", "let g = || a0 + a%\nprint(g()) }\nf()"},
	{"blocks", "", "{ let a = $; print(a) }\n", ""},
	{"labels", "", "'a$: loop { break 'a$ }\n", ""},
	{"imports", "", "import \"./m\" as m$\n", "print(m0.x)"},
	{"imports of one module", "", "import json as j$\nprint(j$.encode($))\n", ""},
	{"uses of a module", "import \"./m\" as m\n", "print(m.x + $)\n", ""},
	{"tests", "", "test \"t$\" { assert(true) }\n", ""},
	{"comments", "", "// comment $\n", "print(1)"},
	{"comments behind statements", "", "print($) // comment $\n", ""},
	{"block comments", "", "/* $ */ ", "print(1)"},
	{"doc comments", "", "/// text $\n", "fn f() { }\nf()"},
	{"blank lines", "", "\n\n", "print(1)"},
	{"method calls", "let xs = [1]\n", "print(xs.map(|x| x + $).filter(|x| x > 1).len())\n", ""},
	{"one method more each line", "let s = [1]\n  .copy()\n", "", "print(s)"},
	{"assignments", "var x = 0\n", "x = $\n", "print(x)"},
	{"fields assigned", "struct P { x: int }\nlet p = P(1)\n", "p.x = $\n", "print(p)"},
	{"durations", "", "print($ms)\n", ""},
	{"bytes", "", "print(b\"$\")\n", ""},
	{"long texts", "", "print(\"$ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", $)\n", ""},
	{"enum of each", "", "enum E$ { A, B(x: int) }\nfn f$(e: E$) -> int { match e { A => 0, B(x) => x } }\nprint(f$(E$.B($)))\n", ""},
	{"any tests", "fn f(x: any) -> int {\n", "if x is int { return $ }\n", "0 }\nprint(f(1))"},
	{"fields each read", "struct S {\n", "f$: int = $\nfn m$() -> int { self.f$ }\n", "}\nprint(S())"},
	{"fields each named", "struct S { x: int }\nstruct T {\n", "f$: S = S(x: $)\n", "}\nprint(T())"},
	{"types each matched", "", "enum E$ { A, B }\nfn f$(e: E$) -> int { match e { A => 0, B => 1 } }\n", "print(f0(A))"},
	{"names that are not", "", "print(a$)\n", ""},
	{"types of an any", "fn f(x: any) -> str { match x {\n", "n: int if n == $ => \"$\"\n", "_ => \"\" } }\nprint(f(1))"},
}

var (
	listSize = flag.Int("lists", 0, "TestListsAreLinear prints what takes long of all lists of so many elements")
	listName = flag.String("list", "", "the list that TestListsAreLinear takes")
)

// longList is a program with a list of n elements.
func longList(i, n int) string {
	l := lists[i]
	return l.head + numbered(l.elem, n) + strings.ReplaceAll(l.tail, "%", strconv.Itoa(n-1))
}

// A step is one of what is done with programs.
var listSteps = []struct {
	name string
	do   func(rt *runnel.Runtime, src string)
}{
	{"compile", func(rt *runnel.Runtime, src string) {
		p, err := rt.Compile("a.rnl", src)
		var failed *runnel.CompileError
		if errors.As(err, &failed) {
			_ = err.Error()
			return
		}
		if q, err := rt.Decode(p.Encode()); err == nil {
			q.NewInstance().Close()
		}
	}},
	{"format", func(_ *runnel.Runtime, src string) {
		var fs diag.FileSet
		printer.Format(fs.Add("a.rnl", src))
	}},
	{"doc", func(rt *runnel.Runtime, src string) {
		c := rt.Check("a.rnl", src)
		if !c.Failed() {
			_, _ = docs.Text(rt, nil, c.Program(), "", docs.Style{Width: 80})
		}
	}},
	{"ask", func(_ *runnel.Runtime, src string) {
		f := query.Open("a.rnl", src, query.Options{Prelude: stdlib.Prelude()})
		at := len(src) * 2 / 3
		f.Diagnostics()
		f.Symbols()
		f.Highlight()
		f.Complete(at)
		f.Hover(at)
		f.Signature(at)
		f.Definition(at)
		f.References(at)
		_, _ = f.Rename(at, "other")
	}},
	{"complete", func(_ *runnel.Runtime, src string) {
		query.Open("a.rnl", src, query.Options{Prelude: stdlib.Prelude()}).Complete(len(src) / 2)
	}},
}

// Twice as many elements of any list of the grammar take about twice as long in all
// that is done with programs.
func TestListsAreLinear(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.FSSources(fstest.MapFS{"m.rnl": {Data: []byte("pub let x = 1\n")}})))
	if *listSize > 0 {
		printLists(rt)
		return
	}
	for _, i := range rand.Perm(len(lists))[:longtest.Of(5, len(lists))] {
		for _, step := range listSteps {
			assert.Empty(t, linear.Grows(600, 10_000, func(n int) { step.do(rt, longList(i, n)) }), "%s: %s", lists[i].name, step.name)
		}
	}
}

func printLists(rt *runnel.Runtime) {
	for i, l := range lists {
		if *listName != "" && *listName != l.name {
			continue
		}
		_, err := rt.Compile("a.rnl", longList(i, 20))
		if err != nil {
			fmt.Printf("%s: %.90v\n", l.name, strings.SplitN(err.Error(), "\n", 2)[0])
		}
		for _, step := range listSteps {
			runtime.GC()
			before := linear.Used()
			step.do(rt, longList(i, *listSize))
			once := linear.Used() - before
			step.do(rt, longList(i, 2**listSize))
			if twice := linear.Used() - before - once; twice > 3*once || twice > time.Second {
				fmt.Printf("%-30s %-10s %8.0f ms %8.0f ms  %.1f\n", l.name, step.name, once.Seconds()*1000, twice.Seconds()*1000, float64(twice)/float64(once))
			}
		}
	}
}
