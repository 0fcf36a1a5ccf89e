package types_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeclarations(t *testing.T) {
	expects(t, `
fn f(a: int, a: str) { print(a) } //~ E0203
fn f() { } //~ E0203
struct P { x: int, x: str //~ E0203
  fn x() { } //~ E0203
  fn m() { }
  fn m() { } //~ E0203
}
struct q { a: int } //~ E0209
enum E { a, B, B } //~ E0209 E0203
fn Bad() { } //~ E0209
fn camelCase() { } //~ E0209
let Upper = 1 //~ E0209
struct A { b: Nope, c: map<int>, d: int<str> } //~ E0202 E0311 E0311
type Loop = [Loop] //~ E0216
type Pair<T> = (T, T)
let p: Pair<int> = (1, 2)
let r: Pair = (1, 2) //~ E0311
fn g<T: P>(x: T) { print(x) } //~ E0309
fn h(a: int = 1, b: int) { print(a, b) }
fn i(a: int = "x") { print(a) } //~ E0301
struct D { a: int = "x", b: [int] = [], c: int? = none } //~ E0301
const a = b + 1
const b = 2 * 3
const c = d //~ E0216
const d = c
const e = f2()
fn f2() -> int { a }
test "x" { assert(a == 1) }
import later //~ E0206
print(early) //~ E0213
let early = 1
let later_fn = || later_value //~ E0213
let later_value = [1]
print(later_fn)
fn use() -> int { later_value.len() }
extend int { fn x() { } } //~ E0212
fn inner() { struct Deep { x: int } } //~ E0217
fn q2(x: P) -> Loop { x } 
`)
}

func TestInterfaces(t *testing.T) {
	expects(t, `
interface Show { fn show() -> str
  fn twice() -> str { self.show() + self.show() }
}
interface Named { fn name(prefix: str) -> str }
interface Bad { fn generic<T>(x: T) } //~ E0322
struct A: Show { x: int
  fn show() -> str { "${self.x}" }
}
struct B: Show { x: int } //~ E0310
struct C: Show, Named { x: int //~ E0310
  fn show() -> str { "c" }
  fn name(prefix: int) -> str { "${prefix}" }
}
struct D: Show { x: int //~ E0310
  fn show() -> str { "c" }
  fn twice(n: int) -> str { "${n}" }
}
struct E: Show { x: int
  fn show() -> str { "c" }
  fn twise() -> str { "" } //~ W0606
}
struct F: A { x: int } //~ E0310
fn f(s: Show) -> str { s.twice() }
print(f(A(1)), A(1).twice(), f(E(1)))
print(f(5)) //~ E0301
print(f(B(1))) //~ E0301
let x: Show = A(1)
print(x.x) //~ E0210
print(x is A, (x as A).x, x is int) //~ E0321
struct G { x: int
  fn show() -> str { "g" }
}
print(f(G(1)), G(1).twice()) //~ E0210
fn bad(b: Bad) { print(b) }
bad(5) //~ E0301
`)
}

func TestGenericInterfacesAreSolvedFromTheMethods(t *testing.T) {
	accepts(t, `
interface Source<T> { fn next() -> T?
  fn all() -> [T] {
    let out: [T] = []
    while let x = self.next() { out.push(x) }
    out
  }
}
struct Count { n: int
  fn next() -> int? {
    if self.n == 0 { return none }
    self.n -= 1
    self.n
  }
}
struct Repeat<T> { x: T
  fn next() -> T? { self.x }
}
fn take<T>(s: Source<T>) -> [T] { s.all() }
fn bounded<T, S: Source<T>>(s: S) -> T? { s.next() }
print(take(Count(3)).len() + take(Count(1))[0])
print(take(Repeat("a")).join(","))
print((bounded(Count(1)) ?? 0) + 1)
for x in Count(3) { print(x + 1) }
for s in Repeat("x") { print(s.len()) ; break }
let xs: Source<int> = Count(1)
for x in xs { print(x + 1) }
`)
}

func TestMapKeysAreHashable(t *testing.T) {
	expects(t, `
struct P { x: int }
enum K { A, B(n: int) }
enum L { C(p: P) }
let a: map<K, int> = {K.A: 1}
let b: map<(int, str), int> = {}
let c: map<[int], int> = {} //~ E0309
let d = {P(1): 2} //~ E0309
let e = set([P(1)]) //~ E0309
let f: set<L> = set() //~ E0309
fn g<T>(x: T) -> set<T> { set([x]) } //~ E0309
fn h<T: Hashable>(x: T) -> set<T> { set([x]) }
print(a, b, c, d, e, f, g(1), h(1))
print(h(P(1))) //~ E0309
`)
}

func TestUnusedNamesAreWarnedOf(t *testing.T) {
	expects(t, `
fn used() -> int { 1 }
fn unused() { unused() } //~ W0603
pub fn exported() { }
fn _kept() { }
fn main() { }
fn f(param: int) -> int {
  let a = 1 //~ W0601
  let _b = 2
  var c = 3 //~ W0607
  var d = 4 //~ W0601
  d = 5
  const e = 1 //~ W0601
  for i in 0..3 { used() }
  match param { n => {} } //~ W0601
  let (x, y) = (1, 2) //~ W0601
  c + x
}
print(f(1))
let top = 1 //~ W0601
pub let out = 2
`)
}

func TestConstantsAreFolded(t *testing.T) {
	c := accepts(t, `
const a = 2 ** 10 - 1
const b = a << 2 | 1
const c = "v${a}:${true}" + "x"
const d = 1.5 * 2
const e: float = 3
const f = 2s * 3 + 500ms
const g = a > 3 && !false
const h = -7 / 2 + -7 % 3
print(a, b, c, d, e, f, g, h)
`)
	got := map[string]any{}
	for _, k := range c.prog.Main.Consts {
		got[k.Name] = k.Value
	}
	require.Equal(t, map[string]any{
		"a": int64(1023), "b": int64(4093), "c": "v1023:truex", "d": 3.0, "e": 3.0,
		"f": int64(6_500_000_000), "g": true, "h": int64(-4),
	}, got)
}

func TestFormatSpecs(t *testing.T) {
	expects(t, `
let n = 1
let f = 1.5
print("${n:5} ${n:>6} ${n:05d} ${n:_x} ${n:#x} ${f:8.2f} ${f:e} ${"a":*^10} ${n:,} ${"a":.2}")
print("${"a":?} ${true:>5} ${[1]:5}")
print("${n:q}") //~ E0324
print("${f:x}") //~ E0324
print("${"a":f}") //~ E0324
print("${n:.2}") //~ E0324
print("${n:5.}") //~ E0324
`)
}
