package types_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatchesMustBeExhaustive(t *testing.T) {
	expects(t, `
enum Color { Red, Green, Blue(n: int, ok: bool) }
enum Pair<T> { Both(a: T, b: T), One(a: T) }
fn a(c: Color) -> int { match c { Red => 1, Green => 2 } } //~ E0401
fn b(c: Color) -> int { match c { Red | Green => 2, Blue(n, true) => n, Blue(_, false) => 0 } }
fn c(c: Color) -> int { match c { Red | Green => 2, Blue(n, true) => n } } //~ E0401
fn d(c: Color, o: bool) -> int { match (c, o) { (Red, true) => 1, (_, false) => 2, (Green, _) => 3 } } //~ E0401
fn e(b: bool) -> int { match b { true => 1, false => 2 } }
fn f(o: bool?) -> int { match o { none => 1, true => 2 } } //~ E0401
fn g(o: bool?) -> int { match o { none => 1, true => 2, false => 3 } }
fn h(o: int?) -> int { match o { v if v > 1 => 1, none => 2, v => v } }
fn i(n: int) -> int { match n { 0..10 => 1, 10..=20 => 2 } } //~ E0401
fn j(n: int) -> int { match n { 0..10 => 1, 5 => 2, _ => 3 } } //~ W0605
fn k(s: str) -> int { match s { "a" | "b" => 1, "a" => 2, _ => 3 } } //~ W0605
fn l(p: Pair<bool>) -> int { match p { Both(true, _) => 1, Both(_, true) => 2, One(_) => 3 } } //~ E0401
fn m(x: any) -> int { match x { n: int => n, s: str => s.len() } } //~ E0401
fn n(x: any) -> int { match x { n: int => n, m: int => m, _ => 0 } } //~ W0605
fn o(c: Color) -> int { match c { Red => 1, _ if true => 2 } } //~ E0401
fn p(c: Color) -> int { match c { Red => 1, Green => 2, Blue => 3, _ => 4 } } //~ W0605
fn q(o: int??) -> int { match o { none => 0, v => v ?? 1 } }
fn r(t: (int?, int?)) -> int { match t { (none, _) => 0, (a, none) => a, (a, b) => a + b } }
fn s(u: ()) -> int { match u { () => 1 } }
print(a(Red), b(Green), c(Blue(1, true)), d(Red, true), e(true), f(true), g(none), h(1), i(1), j(1), k("a"), l(One(true)))
print(m(1), n(1), o(Red), p(Red), q(1), r((1, 2)), s(()))
`)
}

func TestMissingPatternsAreNamed(t *testing.T) {
	c := check(t, `
enum Shape { Circle(r: float), Rect(w: float, h: float), Empty }
fn f(s: Shape, o: bool?) -> int {
  match (s, o) {
    (Circle, _) => 1
    (Rect, none) => 2
    (Rect, true) => 3
    (Empty, _) => 4
  }
}
print(f(Empty, none))
`, nil)
	require.Equal(t, []string{"4:3 E0401 this `match` does not cover `(Rect(_, _), false)`"}, c.lines())
}

func TestPatternsMustFit(t *testing.T) {
	expects(t, `
enum Shape { Circle(r: float), Rect(w: float, h: float), Empty }
struct P { x: int, y: int }
fn f(s: Shape, p: P, n: int, o: int?) {
  match s { Circl(r) => print(r), _ => {} } //~ E0211
  match s { Rect(w) => print(w), _ => {} } //~ E0403
  match s { Rect(h: x) => print(x), Rect(hh: x) => print(x), Circle(r) => print(r), Empty => {} } //~ E0403
  match p { P(x: 0, y) => print(y), P(y: 1) => {}, P => {} }
  match p { Q(x) => print(x) } //~ E0402
  match n { "a" => {}, none => {}, _ => {} } //~ E0402 E0402
  match n { (a, b) => print(a, b) } //~ E0402
  match n { 1.5 => {}, _ => {} } //~ E0402
  match n { x: str => print(x), _ => {} } //~ E0402
  match o { (a, b) => print(a, b), _ => {} } //~ E0402
  match n { 5..5 => {}, _ => {} } //~ E0402
  let (a, b) = (1, 2, 3) //~ E0402
  print(a, b)
  let P(x, y) = p
  print(x, y)
  let Circle(r) = s //~ E0404
  print(r)
  match (n, n) { (a, a) => print(a) } //~ E0203
  match s { Circle(q) | Rect(q, _) => print(q), Empty => {} }
  match s { Circle(q) | Empty => print(q), _ => {} } //~ E0405
  match s { Empty | Circle(q) => print(q), _ => {} } //~ E0405
}
f(Empty, P(1, 2), 1, none)
`)
}

func TestErrorsAndInterfacesAreMatchedByType(t *testing.T) {
	accepts(t, `
struct NotFound { path: str
  fn message() -> str { self.path }
}
enum Net { Down(code: int), Slow
  fn message() -> str { "net" }
}
fn f(e: Error) -> str {
  match e {
    NotFound(path) => path
    Net.Down(code) => "${code}"
    n: Net => n.message()
    _ => e.message()
  }
}
print(f(NotFound("x")), f(Net.Slow))
`)
}

func TestABindingBesideNoneIsTheValue(t *testing.T) {
	accepts(t, `
enum Msg { Set(x: int?), Clear }
fn f(m: Msg) -> int {
  match m {
    Set(none) => 0
    Set(x) => x + 1
    Clear => 2
  }
}
fn g(m: Msg) -> int {
  match m {
    Set(x) => x ?? 0
    Clear => 2
  }
}
print(f(Set(1)), g(Clear))
`)
}
