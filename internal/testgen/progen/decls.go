package progen

import (
	"fmt"
	"strings"
)

// preamble holds the generic declarations that every program has.
const preamble = `import math
interface Sized { fn size() -> int
  fn twice() -> int { self.size() * 2 }
}
struct Box<T> { value: T
  let tag: int = 7
  fn get() -> T { self.value }
  fn set(v: T) -> T {
    let old = self.value
    self.value = v
    old
  }
  static fn of(value: T) -> Box<T> { Box(value) }
  fn map<U>(f: fn(T) -> U) -> Box<U> { Box(f(self.value)) }
  fn size() -> int { 1 }
}
enum Tree<T> { Leaf, Node(left: Tree<T>, value: T, right: Tree<T>)
  fn count() -> int {
    match self {
      Leaf => 0
      Node(l, _, r) => l.count() + 1 + r.count()
    }
  }
  fn list() -> [T] {
    match self {
      Leaf => []
      Node(l, v, r) => {
        let out = l.list()
        out.push(v)
        out.extend(r.list())
        out
      }
    }
  }
}
enum Result<T> { Fine(value: T), Wrong(text: str), Odd(a: int, b: T? = none), Nothing
  fn or(other: T) -> T { match self { Fine(v) => v, Odd(_, b) => b ?? other, _ => other } }
}
struct Bad { code: int
  fn message() -> str { "bad ${self.code}" }
}
struct Worse { parts: [str], inner: any
  fn message() -> str { "worse ${self.parts} ${self.inner}" }
}
struct Countdown { n: int
  fn next() -> int? {
    if self.n <= 0 { return none }
    self.n -= 1
    self.n
  }
}
struct Vec: AddOp<Vec, Vec>, SubOp<Vec, Vec>, MulOp<int, Vec>, NegOp<Vec>, Comparable<Vec> {
  let x: int
  let y: float = 1
  fn add(other: Vec) -> Vec { Vec(self.x + other.x, self.y + other.y) }
  fn sub(other: Vec) -> Vec { self + -other }
  fn mul(k: int) -> Vec { self.copy(x: self.x * k) }
  fn neg() -> Vec { Vec(-self.x, -self.y) }
  fn compare(other: Vec) -> int { if self.x < other.x { -1 } else if self.x > other.x { 1 } else { 0 } }
  fn to_str() -> str { "<${self.x} ${self.y}>" }
}
fn id<T>(x: T) -> T { x }
fn pick<T>(first: bool, a: T, b: T) -> T { if first { a } else { b } }
fn apply<T, U>(f: fn(T) -> U, x: T) -> U { f(x) }
fn swap<A, B>(t: (A, B)) -> (B, A) {
  let (a, b) = t
  (b, a)
}
fn largest<T: Ordered>(xs: [T]) -> T? {
  var best: T? = none
  for x in xs {
    match best {
      none => { best = x }
      b: T => { if x > b { best = x } }
    }
  }
  best
}
fn total<T: Number>(a: T, b: T) -> T { a * b - a + b }
fn attempt<T>(f: fn() -> T, otherwise: T) -> T {
  try { f() } catch e { print("caught", e.message()); otherwise }
}
fn counter(start: int) -> fn(int) -> int {
  var n = start
  |by| {
    n += by
    n
  }
}
fn nest(n: int, f: fn(int) -> int) -> int { if n <= 0 { f(0) } else { f(n) + nest(n - 1, f) } }
`

// decl is a generated struct or enum.
type decl struct {
	name     string
	typ      *typ
	fields   []field   // of a struct
	variants []variant // of an enum
	methods  []*function
	sized    bool // has the method size
	plain    bool // an enum without fields, whose variants have numbers
}

type field struct {
	name     string
	typ      *typ
	fixed    bool // declared with let
	optional bool // has a default
}

type variant struct {
	name   string
	fields []field
}

func (d *decl) hashable() bool {
	for _, v := range d.variants {
		for _, f := range v.fields {
			if !f.typ.hashable() {
				return false
			}
		}
	}
	return true
}

// function is a generated function or method.
type function struct {
	name      string
	params    []field
	result    *typ // nil for none
	recursive bool // the first parameter counts down
}

func (g *gen) declarations() {
	for range 1 + g.n(3) {
		g.structDecl()
	}
	for range 1 + g.n(2) {
		g.enumDecl()
	}
	for range 2 + g.n(4) {
		g.funcDecl()
	}
	for range g.n(4) {
		g.generator()
	}
}

func (g *gen) structDecl() {
	d := &decl{name: g.name("S"), sized: g.chance(2)}
	d.typ = &typ{kind: kStruct, decl: d}
	g.line("struct %s {", d.name)
	var own []variable
	for i := range 1 + g.n(4) {
		f := field{name: g.name("f"), typ: g.randType(2), fixed: g.chance(5), optional: g.chance(4)}
		word, value := "", ""
		if f.fixed {
			word = "let "
		}
		f.optional = f.optional || i > 0 && d.fields[i-1].optional
		if f.optional {
			value = " = " + g.constant(f.typ)
		}
		g.line("  %s%s: %s%s", word, f.name, f.typ, value)
		d.fields = append(d.fields, f)
		own = append(own, variable{name: "self." + f.name, typ: f.typ, mut: !f.fixed, field: true})
	}
	outer := g.vars
	g.vars = own
	g.indent++
	if d.sized {
		g.line("fn size() -> int { %s }", g.expr(tInt, 2))
	}
	if g.chance(3) {
		g.line("fn to_str() -> str { %s }", g.expr(tStr, 2))
	}
	for range g.n(3) {
		g.function1(d, "", false)
	}
	g.indent--
	g.vars = outer
	g.staticFunc(d)
	g.line("}")
	g.decls = append(g.decls, d)
}

// staticFunc writes a function that is called on the type d, for some types.
func (g *gen) staticFunc(d *decl) {
	if !g.chance(2) {
		return
	}
	outer := g.vars
	g.vars = nil
	g.indent++
	g.function1(d, "static ", g.chance(3))
	g.indent--
	g.vars = outer
}

func (g *gen) enumDecl() {
	d := &decl{name: g.name("E")}
	d.typ = &typ{kind: kEnum, decl: d}
	plain := g.chance(3)
	d.plain = plain
	g.line("enum %s {", d.name)
	for i := range 2 + g.n(4) {
		v := variant{name: g.name("V")}
		text := ""
		if plain && i%2 == 0 && g.chance(2) {
			text = fmt.Sprintf(" = %d", i*10)
		}
		if !plain && !g.chance(3) {
			for range 1 + g.n(3) {
				v.fields = append(v.fields, field{name: g.name("f"), typ: g.randType(1)})
			}
			var fs []string
			for _, f := range v.fields {
				fs = append(fs, fmt.Sprintf("%s: %s", f.name, f.typ))
			}
			text = "(" + strings.Join(fs, ", ") + ")"
		}
		g.line("  %s%s", v.name, text)
		d.variants = append(d.variants, v)
	}
	g.staticFunc(d)
	g.line("}")
	g.decls = append(g.decls, d)
}

func (g *gen) funcDecl() { g.function1(nil, "", g.chance(3)) }

// function1 writes a function, or a method of d, with a word before it.
func (g *gen) function1(d *decl, word string, recursive bool) {
	name := g.name("fun")
	f := &function{name: name, recursive: recursive}
	if word != "" {
		f.name, d = d.name+"."+name, nil // from outside it is a function like others
	}
	if recursive {
		f.params = append(f.params, field{name: "n", typ: tInt})
	}
	for range g.n(4) {
		f.params = append(f.params, field{name: g.name("p"), typ: g.randType(2)})
	}
	if !g.chance(6) || recursive {
		f.result = g.randType(2)
	}
	var ps []string
	n := len(g.vars)
	for i := range f.params {
		p := &f.params[i]
		text := fmt.Sprintf("%s: %s", p.name, p.typ)
		if i > 0 && (g.chance(4) || f.params[i-1].optional) {
			p.optional = true
			text += " = " + g.constant(p.typ)
		}
		ps = append(ps, text)
		g.declare(p.name, p.typ, false)
	}
	arrow := ""
	if f.result != nil {
		arrow = " -> " + f.result.String()
	}
	g.line("%sfn %s(%s)%s {", word, name, strings.Join(ps, ", "), arrow)
	g.function(f.result, func() {
		g.scope(func() {
			if recursive {
				g.line("if n <= 0 { return %s }", g.expr(f.result, 2))
				g.self, g.calls = f, 2
			}
			g.statements(1+g.n(5), 2)
			if f.result != nil {
				g.line("%s", g.value(f.result, 3))
			}
			g.self = nil
		})
	})
	g.line("}")
	g.vars = g.vars[:n]
	if d != nil {
		d.methods = append(d.methods, f)
	} else {
		g.funcs = append(g.funcs, f)
	}
}

// script writes the top-level statements.
func (g *gen) script() {
	if g.chance(3) {
		g.line("defer print(\"end\")")
	}
	g.statements(14+g.n(14), 3)
	for _, v := range g.vars {
		g.line("print(%q, %s)", v.name, v.name)
	}
}
