package spec

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib/sync"
)

// laterLets are lets that leave a part of their type open, E: with the type that says it,
// what decides it, and what may be asked before and after.
var laterLets = []struct {
	open, typed string
	decide      []string
	ask         []string
}{
	{"let v = []", "let v: [E] = []", []string{"v.push(X)", "v.insert(0, X)", "v.push(X)\nv[0] = X", "v.extend([X])", "takes_list(v, X)", "let w = v\nw.push(X)", "let w: [E] = v\nw.push(X)", "same_list(v, [X])", "[X].each(|x| { v.push(x) })", "pushes(|x| { v.push(x) }, X)", "let give = |x| { v.push(x) }\ngive(X)", "var w = v\nw = [X]", "let (w, z) = (v, 1)\nw.push(X)\nprint(z)", "match v { w => { w.push(X) } }", "fn give(x: E) { v.push(x) }\ngive(X)"},
		[]string{"print(v.len())", "print(v.is_empty(), \"${v}\")", "let w# = v\nprint(w#.len())", "let f# = || v.len()\nprint(f#())", "for x in v { print(x) }", "print(v == v)", "print([v].len())", "print(await spawn { v.len() })", "print(v.map(|x| (x, 1)).len())", "print(v.first() == none)", "defer { print(v.len()) }"}},
	{"let v = {}", "let v: map<str, E> = {}", []string{"v[\"k\"] = X", "v.get_or_insert(\"k\", || X)", "takes_map(v, X)", "let w = v\nw[\"a\"] = X", "if !v.has(\"k\") { v[\"k\"] = X }"},
		[]string{"print(v.len())", "for k, x in v { print(k, x) }", "print(v.get(\"z\") == none)", "print(v.keys())", "let f# = || v.is_empty()\nprint(f#())"}},
	{"let v = {}", "let v: map<E, [E]> = {}", []string{"if !v.has(X) { v[X] = [] }\nv[X].push(X)", "v[X] = []\nv[X] = [X]", "v.get_or_insert(X, || []).push(X)"},
		[]string{"print(v.len())", "for k, x in v { print(k, x) }"}},
	{"let v = set()", "let v = set<E>()", []string{"v.add(X)", "let w = v\nw.add(X)"}, []string{"print(v.len())", "for x in v { print(x) }"}},
	{"var v = none", "var v: E? = none", []string{"v = X", "if v == none { v = X }", "takes_none(v, X)\nv = X", "for x in [X] { match v { none => { v = x }, y => { v = y } } }"},
		[]string{"print(v == none)", "let f# = || v == none\nprint(f#())"}},
	{"let v = Stack()", "let v = Stack<E>()", []string{"v.push(X)", "v.items = [X]", "v.items.push(X)", "takes_stack(v, X)", "v.top = X"},
		[]string{"print(v.items.len())", "print(v.top == none)", "let w# = v\nprint(w#.items.len())", "let m# = v.size\nprint(m#())"}},
	{"let v = chan(9)", "let v = chan<E>(9)", []string{"v.send(X)", "select { v.send(X) => {} }", "spawn { v.send(X) }\nprint(v.recv())", "let w = v\nw.send(X)"}, []string{"print(v.len())"}},
	{"let v = [[]]", "let v: [[E]] = [[]]", []string{"v[0].push(X)", "v.push([X])"}, []string{"print(v.len())"}},
	{"let v = ([], 1)", "let v: ([E], int) = ([], 1)", []string{"v.0.push(X)"}, []string{"print(v.1)"}},
	{"let v = mutex([])", "let v = mutex<[E]>([])", []string{"lock v as x { x.push(X) }"}, nil},
}

var laterValues = []struct {
	t, x string
	key  bool
}{
	{"int", "7", true}, {"float", "1.5", true}, {"str", `"s"`, true}, {"bool", "true", true}, {"(int, str)", `(1, "a")`, true},
	{"Pt", "Pt(1, 2)", true}, {"Color", "Color.Red", true}, {"[int]", "[1, 2]", false}, {"Fn", "|n: int| n + 1", false},
	{"map<str, [int]>", `{"a": [1]}`, false}, {"duration", "3s", true}, {"Shape", "shape()", false},
}

var laterPlaces = []string{
	"{ BODY }", "if n > 0 { BODY }", "for _ in 0..2 { BODY }", "var i = 0\nwhile i < 2 { i += 1\nBODY }", "match n { 1 => { BODY }, _ => {} }",
	"let f = || { BODY }\nf()", "fn f() { BODY }\nf()", "await spawn { BODY }", "scope { spawn { BODY } }", "try { BODY\nthrow error(\"e\") } catch e { print(e.message()) }",
	"[1, 2].each(|_| { BODY })", "let k = if n > 0 { BODY\n1 } else { 2 }\nprint(k)", "for x in gen() { print(x) }", "Pt(1, 2).run()",
	"let m = mutex(1)\nlock m as q { BODY\nq += 1 }", "defer { BODY }", "select { after 1ms => { BODY } }",
	"let total = [1, 2].map(|q| { BODY\nq * 2 })\nprint(total)",
}

const laterPrelude = `struct Pt { let x: int, let y: int
  fn run() { METHOD } }
struct Stack<T> { items: [T] = [], top: T? = none
  fn push(x: T) { self.items.push(x) }
  fn size() -> int { self.items.len() } }
enum Color { Red, Green }
type Fn = fn(int) -> int
interface Shape { fn area() -> int }
struct Square: Shape { fn area() -> int { 4 } }
fn shape() -> Shape { Square() }
fn pushes<T>(f: fn(T), x: T) { f(x) }
fn takes_list(xs: [E], x: E) { xs.push(x) }
fn takes_map(m: map<str, E>, x: E) { m["t"] = x }
fn takes_none(o: E?, x: E) { print(o == none) }
fn takes_stack(s: Stack<E>, x: E) { s.push(x) }
fn same_list(a: [E], b: [E]) { print(a.len(), b.len()) }
fn gen() -> Iterator<int> { GEN
yield 1 }
fn run(n: int) { PLACE }
`

// laterProgram is a program with a let and what decides it in a place; show, when it can
// be printed the same in each run.
func laterProgram(place, let, body, e, x string) string {
	body = let + "\n" + body
	method, gen := "", ""
	switch {
	case strings.Contains(place, "gen()"):
		gen = body
	case strings.Contains(place, ".run()"):
		method = body
	}
	src := strings.NewReplacer("METHOD", method, "GEN", gen, "PLACE", strings.ReplaceAll(place, "BODY", body)).Replace(laterPrelude)
	src = regexp.MustCompile(`\bE\b`).ReplaceAllLiteralString(src, e)
	return regexp.MustCompile(`\bX\b`).ReplaceAllLiteralString(src, "("+x+")")
}

// What a later statement decides is the same program as with the type written: the same
// code, and the same output.
func TestATypeThatIsDecidedLaterIsThatWhichIsWritten(t *testing.T) {
	n, run, bad := 0, 0, 0
	for i, l := range laterLets {
		for j, v := range laterValues {
			if !v.key && (strings.Contains(l.typed, "set<") || strings.Contains(l.typed, "map<E")) {
				continue
			}
			for k, decide := range l.decide {
				for p, place := range laterPlaces {
					if n++; !longtest.Asked() && (i+j+k+p)%29 != 0 {
						continue
					}
					before, after := "", ""
					if len(l.ask) > 0 {
						before = strings.ReplaceAll(l.ask[(n+k)%len(l.ask)], "#", "1")
						after = strings.ReplaceAll(l.ask[(n+p)%len(l.ask)], "#", "2")
					}
					body := strings.Join([]string{before, decide, after}, "\n")
					word := []string{"let v", "const v"}[n%2]
					open := laterProgram(place, strings.Replace(l.open, "let v", word, 1), body, v.t, v.x)
					typed := laterProgram(place, l.typed, body, v.t, v.x)
					want, wantCode := laterRun(t, typed)
					run++
					if wantCode == "" { // a generator cannot defer, for instance
						bad++
						continue
					}
					got, code := laterRun(t, open)
					require.Equal(t, want, got, "%s\n\n%s", open, typed)
					require.Equal(t, wantCode, code, open)
				}
			}
		}
	}
	require.Less(t, bad*10, run)
}

// shownSource is a line of a disassembly that shows the source.
var shownSource = regexp.MustCompile(`(?m)^ *// \d+: .*$`)

// laterRun returns what a program prints, and its code without positions.
func laterRun(t *testing.T, src string) (out, code string) {
	t.Helper()
	var o, c bytes.Buffer
	rt := runnel.MustNew(runnel.WithModules(sync.Module), runnel.WithHost(runnel.Host{Stdout: &o, Stderr: &o}))
	s, err := rt.NewSession()
	require.NoError(t, err)
	defer s.Close()
	if _, err := s.Eval(t.Context(), "later.rnl", src); err != nil {
		return fmt.Sprint(err), ""
	}
	_, err = s.Eval(t.Context(), "call.rnl", "run(1)")
	fmt.Fprint(&o, err)
	for _, f := range []string{"run", "gen", "Pt.run"} {
		if err := s.Disassemble(&c, f); err != nil {
			require.ErrorContains(t, err, "is not compiled")
		}
	}
	return o.String(), shownSource.ReplaceAllString(c.String(), "")
}
