package spec

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/time"
)

// form is a way in which an operand comes to stand beside its operator. In its texts
// $ is the operand's name, x or y; E its value, T its type.
type form struct{ name, global, local, use string }

// The first one is what the others are compared with.
var forms = []form{
	{"written", "", "", "(E)"},
	{"constant", "const c$ = E", "", "c$"},
	{"global let", "let gl$: T = E", "", "gl$"},
	{"global var", "var gv$: T = E\nfn touch$() { gv$ = (E) }", "", "gv$"},
	{"let", "", "let l$: T = E", "l$"},
	{"var", "", "var v$: T = E\n  if !yes() { v$ = (E) }", "v$"},
	{"parameter", "", "", "p$"},
	{"captured let", "", "let k$: T = E", "(|| k$)()"},
	{"captured var", "", "var w$: T = E\n  let set$ = || { w$ = (E) }\n  set$()", "w$"},
	{"field", "struct F$ { f: T }", "let o$ = F$(E)", "o$.f"},
	{"tuple element", "", "let t$: (int, T) = (1, E)", "t$.1"},
	{"list element", "", "let a$: [T] = [E]", "a$[0]"},
	{"map element", "", `let m$: map<str, T> = {"k": E}`, `m$["k"]`},
	{"call", "fn r$() -> T { return E }", "", "r$()"},
	{"generic call", "fn same$<A>(v: A) -> A { v }", "let s$: T = E", "same$(s$)"},
	{"match", "", "let b$: T = E", "(match b$ { n => n })"},
	{"if", "", "let i$: T = E\n  let ie$: T = E", "(if yes() { i$ } else { ie$ })"},
	{"awaited", "fn later$() -> T { return E }", "", "(await spawn later$())"},
	{"cast", "fn tx$(v: T) -> T { v }", "let any$: any = tx$(E)", "(any$ as T)"},
	{"unwrapped", "", "let q$: [T] = [E]", "q$.first()!"},
}

// place is where an operation stands. O is the operation, R its type and W the text
// it shows; show writes a value as one line.
type place struct{ name, global, local, stmt string }

var places = []place{
	{"argument", "", "", "show(O)"},
	{"let", "", "", "let r1 = O\n  show(r1)"},
	{"typed let", "", "", "let r2: R = O\n  show(r2)"},
	{"var assigned", "", "var r3: R = O", "r3 = O\n  show(r3)"},
	{"assigned to itself", "", "var r4: R = O", "r4 = pick(r4, O)\n  show(r4)"},
	{"interpolation", "", "", "show2(\"${[O]}\", [O])"},
	{"return", "", "let out = || -> R { return O }", "show(out())"},
	{"closure", "", "let body = || O", "show(body())"},
	{"match value", "", "", "match O { v => show(v) }"},
	{"match guard", "", "", "match 1 { n if n == 1 && [O].len() == 1 => show(O), _ => print(\"guard\") }"},
	{"list", "", "", "show([O, O][1])"},
	{"map", "", "", "show({1: O}[1])"},
	{"tuple", "", "", "show((O, 1).0)"},
	{"field of a new struct", "struct Made { f: R }", "", "show(Made(O).f)"},
	{"any", "", "", "let w1: any = O\n  show(w1 as R)"},
	{"optional", "", "", "let w2: [R] = [O]\n  show(w2.last()!)"},
	{"spawned block", "", "", "show(await spawn { O })"},
	{"argument of a spawned call", "fn given(v: R) -> R { v }", "", "show(await spawn given(O))"},
	{"scope", "", "", "show(scope { O })"},
	{"try", "", "", "show(try { O } catch _ { O })"},
	{"if branch", "", "", "show(if yes() { O } else { O })"},
	{"in a register that is used", "", "", "let u1 = O\n  let u2 = O\n  show(pick(u1, u2))"},
	{"deferred", "", "", "(|| { defer show(O) })()"},
}

// conditions are the places of a bool.
var conditions = []place{
	{"if", "", "", "if O { show(true) } else { show(false) }"},
	{"not", "", "", "if !(O) { show(false) } else { show(true) }"},
	{"and", "", "", "if yes() && O { show(true) } else { show(false) }"},
	{"or", "", "", "if !yes() || O { show(true) } else { show(false) }"},
	{"while", "", "var c1 = false", "while O { c1 = true\n break }\n  show(c1)"},
	{"negated value", "", "", "show(!!(O))"},
	{"guard", "", "", "match 1 { _ if O => show(true), _ => show(false) }"},
}

// targets are the places that a compound assignment changes: S declares one with
// the left operand X, A is `op= Y`.
var targets = []place{
	{"var", "", "var d1: R = X", "d1 A\n  show(d1)"},
	{"global", "var d2: R = zero()", "d2 = X", "d2 A\n  show(d2)"},
	{"field", "struct D3 { f: R }", "let d3 = D3(X)", "d3.f A\n  show(d3.f)"},
	{"inner field", "struct D4 { f: D5 }\nstruct D5 { n: int, f: R }", "let d4 = D4(D5(1, X))", "d4.f.f A\n  show(d4.f.f)"},
	{"list element", "", "let d6: [R] = [X]", "d6[0] A\n  show(d6[0])"},
	{"list element at a call", "", "let d7: [R] = [X, X]", "d7[one()] A\n  show(d7[1])"},
	{"map element", "", `let d8: map<str, R> = {"k": X}`, "d8[\"k\"] A\n  show(d8[\"k\"])"},
	{"captured", "", "var d9: R = X\n  let add9 = || { d9 A }", "add9()\n  show(d9)"},
	{"captured twice", "", "var d10: R = X\n  let add10 = || { (|| { d10 A })() }", "add10()\n  show(d10)"},
	{"in a spawned block", "", "", "await spawn {\n  var d11: R = X\n  d11 A\n  show(d11) }"},
	{"locked", "", "let d12: mutex<R> = mutex(X)", "lock d12 as v { v A }\n  show(lock d12 as v { v })"},
	{"self's field", "struct D13 { f: R\n  fn change(y: Q) { self.f A13 }\n}", "let d13 = D13(X)", "d13.change(Y)\n  show(d13.f)"},
	{"field of a list's element", "struct D14 { f: R }", "let d14 = [D14(X)]", "d14[0].f A\n  show(d14[0].f)"},
}

var allOperators = flag.Bool("operators", false, "try operators with operands of all forms in all places, and not with some in turn")

// turns picks which of n are tried: all, or one in a few that differ from call to call.
type turns int

func (t *turns) taken(oneIn int) bool {
	*t++
	return *allOperators || int(*t)%oneIn == 0
}

// TestOperatorsMeanTheSameEverywhere applies each operator to each pair of kinds that
// it takes, with the operands in every form and the operation in every place. All
// show what Go says, or what the operation on written values shows.
func TestOperatorsMeanTheSameEverywhere(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(time.Module))
	for _, op := range binaryOps {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			var all []operation
			for _, a := range operands {
				for _, b := range operands {
					if r, ok := meaning(op, a, b); ok {
						for _, swapped := range []bool{false, true} {
							all = append(all, operation{op: op, a: a, b: b, typ: r, swapped: swapped})
						}
					}
				}
			}
			for _, o := range longtest.Sample(all, 8) {
				o.test(t, rt)
			}
		})
	}
}

// operation is an operator with two values.
type operation struct {
	op      string
	a, b    operand
	typ     string // of the result
	swapped bool   // the smaller value stands on the right
}

// values are the operands' texts, and what they are in Go where that is known.
func (o operation) values() (x, y string, gx, gy any) {
	x, y, gx, gy = o.a.X, o.b.Y, o.a.x, o.b.y
	if o.swapped {
		x, y, gx, gy = o.a.Y, o.b.X, o.a.y, o.b.x
	}
	return x, y, gx, gy
}

func (o operation) String() string {
	x, y, _, _ := o.values()
	return fmt.Sprintf("%s (%s) %s %s (%s)", x, o.a.Name, o.op, y, o.b.Name)
}

func (o operation) test(t *testing.T, rt *runnel.Runtime) {
	_, _, gx, gy := o.values()
	want, known := "", false
	if gx != nil && gy != nil {
		want, known = value(o.op, gx, gy)
		if known && want == "" {
			return // it fails: runtime_errors has that
		}
	}
	src, lines := o.program()
	var out bytes.Buffer
	own := runnel.WithHost(runnel.Host{Stdout: &out})
	p, err := rt.Compile("operators.rnl", src)
	if err != nil {
		t.Errorf("%v: %.400v", o, err)
		return
	}
	if err := p.With(own, runnel.WithLimits(runnel.Limits{Memory: 64 << 20, Steps: 10_000_000})).NewInstance().Run(context.Background()); err != nil {
		t.Errorf("%v: %v", o, err)
		return
	}
	got := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(got) != len(lines) {
		t.Errorf("%v: %d lines where %d are expected", o, len(got), len(lines))
		return
	}
	if !known {
		want = got[0]
	}
	for i := range got {
		if got[i] != want {
			t.Errorf("%v, %s: %s where %s is expected", o, lines[i], got[i], want)
			return
		}
	}
}

// program returns the source, and what each line that it prints is about.
func (o operation) program() (src string, lines []string) {
	x, y, _, _ := o.values()
	left := strings.NewReplacer("$", "x", "E", x, "T", o.a.Type)
	right := strings.NewReplacer("$", "y", "E", y, "T", o.b.Type)
	var top, body strings.Builder
	top.WriteString(operandDecls)
	shown := "print(v)"
	if o.typ == "duration" {
		shown = "print(int(v))"
	}
	fmt.Fprintf(&top, "fn show(v: %[1]s) { %[2]s }\nfn show2(text: str, v: [%[1]s]) { if text == str(v) { show(v[0]) } else { print(text) } }\n", o.typ, shown)
	fmt.Fprintf(&top, "fn pick<A>(first: A, second: A) -> A { if yes() { second } else { first } }\nfn yes() -> bool { [0].len() == 1 }\nfn one() -> int { if yes() { 1 } else { 0 } }\n")
	fmt.Fprintf(&top, "fn zero() -> %s { let v: [%s] = [(%s) %s (%s)]\n v[0] }\n", o.typ, o.typ, x, o.op, y)
	for _, f := range forms {
		for _, side := range []struct {
			r *strings.Replacer
			k operand
		}{{left, o.a}, {right, o.b}} {
			if f.fits(side.k) {
				fmt.Fprintf(&top, "%s\n", side.r.Replace(f.global))
				fmt.Fprintf(&body, "  %s\n", side.r.Replace(f.local))
			}
		}
	}
	line := func(about, stmt string) {
		lines = append(lines, about)
		fmt.Fprintf(&body, "  %s\n", stmt)
	}
	turn := turns(len(o.String()))
	for _, f := range forms {
		for _, g := range forms {
			if f.fits(o.a) && g.fits(o.b) && (lines == nil || turn.taken(4)) {
				line(f.name+" and "+g.name, fmt.Sprintf("show(%s %s %s)", left.Replace(f.use), o.op, right.Replace(g.use)))
			}
		}
	}
	all := places
	if o.typ == "bool" {
		all = append(all[:len(all):len(all)], conditions...)
	}
	for _, p := range all {
		fmt.Fprintf(&top, "%s\n", strings.NewReplacer("R", o.typ).Replace(p.global))
		for _, with := range [][2]string{{"lx", "ly"}, {"vx", "(" + y + ")"}, {"(" + x + ")", "vy"}, {"wx", "wy"}, {"px", "oy.f"}} {
			if p.inTask() && variable(with[0], with[1]) || !turn.taken(3) {
				continue
			}
			r := strings.NewReplacer("O", "("+with[0]+" "+o.op+" "+with[1]+")", "R", o.typ)
			line(fmt.Sprintf("%s, %s and %s", p.name, with[0], with[1]), inBlock(r, p))
		}
	}
	if o.typ == o.a.Type && assigns(o.op) {
		for _, p := range targets {
			r := strings.NewReplacer("R", o.typ, "Q", o.b.Type, "A13", o.op+"= y")
			fmt.Fprintf(&top, "%s\n", r.Replace(p.global))
			for _, value := range []string{"(" + y + ")", "ly", "vy", "wy", "py", "oy.f", "ay[0]", "(|| ky)()", "ry()"} {
				if p.inTask() && variable(value) || !turn.taken(4) {
					continue
				}
				r := strings.NewReplacer("A", o.op+"= "+value, "X", "pick(lx, lx)", "Y", value, "R", o.typ)
				line(fmt.Sprintf("%s %s= %s", p.name, o.op, value), inBlock(r, p))
			}
		}
	}
	fmt.Fprintf(&top, "fn all(px: %s, py: %s) {\n%s}\nall(%s, %s)\n", o.a.Type, o.b.Type, body.String(), x, y)
	return top.String(), lines
}

// inTask: a task cannot use the variables around it.
func (p place) inTask() bool { return strings.Contains(p.stmt, "spawn {") }

func variable(uses ...string) bool {
	return slices.ContainsFunc(uses, func(s string) bool { return s[0] == 'v' || s[0] == 'w' })
}

// inBlock is a place with its declarations, apart from others.
func inBlock(r *strings.Replacer, p place) string {
	return "if yes() {\n  " + r.Replace(p.local) + "\n  " + r.Replace(p.stmt) + "\n  }"
}

// fits reports whether values of a kind come in a form.
func (f form) fits(k operand) bool {
	switch f.name {
	case "constant":
		return k.constant
	case "cast": // what is none, any or an interface is no type that a value has
		return !strings.HasSuffix(k.Type, "?") && k.Type != "any"
	case "unwrapped":
		return !strings.HasSuffix(k.Type, "?")
	}
	return true
}

// assigns reports whether there is `op=`.
func assigns(op string) bool {
	switch op {
	case "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^":
		return true
	}
	return false
}
