package types_test

import "testing"

func TestTypesAreNarrowedByTests(t *testing.T) {
	expects(t, `
struct P { x: int? }
fn f(a: int?, b: any, p: P) -> int {
  if a != none && a > 1 { return a }
  if a == none || a > 5 { return 0 }
  print(a + 1)
  if !(b is int) { return 1 }
  print(b + 1)
  print(b is int) //~ E0321
  if p.x != none { print(p.x + 1) } //~ E0302
  var v = a.abs()
  v += 1
  v
}
fn g(a: int?) -> int {
  if a == none { return 0 }
  let h = || a + 1
  h()
}
fn h(a: int?) -> int {
  if a != none { print(a + 1) } else { throw error("x") }
  a + 1
}
fn i(a: int?) -> int {
  while true {
    if a == none { break }
    print(a + 1)
  }
  for x in 0..3 {
    if a == none { continue }
    print(a + x)
  }
  a //~ E0301
}
fn j(a: int?) -> int { if let b = a { a + b } else { 0 } }
fn k(a: int?) -> int { match a { none => 0, _ => a + 1 } }
fn l(a: any) -> int { match a { n: int => a + n, _ => 0 } }
fn m(a: int?) -> int {
  assert(a != none)
  a + 1
}
fn n(var_free: int?) -> bool { var_free != none && var_free > 1 || var_free == none }
print(f(1, 2, P(1)), g(1), h(1), i(1), j(1), k(1), l(1), m(1), n(1))
`)
}

func TestVarsAreNotNarrowed(t *testing.T) {
	expects(t, `
var a: int? = 1
if a != none { print(a + 1) } //~ E0302
a = none
fn f() {
  var b: int? = 1
  if b != none { print(b + 1) } //~ E0302
  b = none
}
f()
`)
}

func TestTopLevelLetsAreNarrowed(t *testing.T) {
	accepts(t, `
let xs = [1, 2]
let a = xs.first()
if a != none { print(a + 1) }
if a == none { throw error("empty") }
print(a + 1)
`)
}

func TestAFunctionMustGiveItsResult(t *testing.T) {
	expects(t, `
fn a() -> int { return 1 }
fn b(x: int) -> int { if x > 1 { return 1 } } //~ E0326
fn c(x: int) -> int { if x > 1 { 1 } else { throw error("x") } }
fn d() -> int { loop { } }
fn e() -> int {
  loop { break } //~ E0326
}
fn f(x: int) -> int {
  match x { 1 => return 2, _ => throw error("x") }
}
fn g() -> int { while true { } } //~ E0326
fn h() -> never { throw error("x") }
fn i() -> int { h() }
fn j() -> never { print(1) } //~ E0301
fn k() -> int {
  for i in 0..3 { return i }
  7
}
fn l() { return 1 } //~ E0301
fn m() -> int { return } //~ E0326
print(a(), b(1), c(1), d(), e(), f(1), g(), i(), k(), m())
h()
j() //~ W0604
l()
`)
}

func TestUnreachableCodeIsReportedOnce(t *testing.T) {
	expects(t, `
fn f() -> int {
  return 1
  print(1) //~ W0604
  print(2)
}
print(f())
loop {
  break
  print(1) //~ W0604
}
`)
}

func TestJumps(t *testing.T) {
	expects(t, `
fn f() {
  'a: for i in 0..3 {
    for j in 0..3 { if i > j { continue 'a } else { break 'b } } //~ E0407
    'a: loop { break } //~ E0203
    let g = || { break } //~ E0406
    g()
    defer { break } //~ E0409
    defer { for k in 0..2 { if k > 0 { break } } }
  }
  continue //~ E0406
}
f()
`)
}

func TestDroppedValues(t *testing.T) {
	expects(t, `
fn f() -> int { 1 }
fn g(a: bool, xs: [int]) {
  f()
  f //~ E0317
  a && f() > 1 //~ E0317
  -f() //~ E0317
  xs //~ E0317
  xs[0] //~ E0317
  [1] //~ E0317
  "a${f()}" //~ E0317
  |x: int| x //~ E0317
  if a { 1 } else { f() } //~ E0317
  match a { true => f(), false => 0 } //~ E0317
  xs.len //~ E0317
  (1, 2) //~ E0317
  f() == 1 //~ E0317
  xs.map(|x| x)
  a || f() > 1 //~ E0317
  { 5 } //~ E0317
  let _ = 5
  xs.each(|x| f())
  xs.each(|x| x) //~ E0317
}
g(true, [])
`)
}

func TestConditionsAreBool(t *testing.T) {
	expects(t, `
let n = 1
let o: int? = 1
if n { } //~ E0301
while o { } //~ E0301
print(!n) //~ E0301
print(n && true) //~ E0301
if let v = n { print(v) } //~ E0312
`)
}

func TestTryAndThrow(t *testing.T) {
	expects(t, `
struct NotFound { path: str
  fn message() -> str { self.path }
}
struct Plain { x: int }
fn f() -> int {
  try {
    if true { throw NotFound("x") }
    1
  } catch e: NotFound {
    print(e.path)
    2
  } catch e: Plain { //~ E0320
    3
  } catch e {
    print(e.message())
    "4" //~ E0301
  } catch e: IoError { //~ W0605
    5
  }
}
print(f())
let a = try { f() } catch _ { 0 }
print(a + 1)
throw Plain(1) //~ E0320
`)
}
