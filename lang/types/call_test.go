package types_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArguments(t *testing.T) {
	expects(t, `
fn f(a: int, b: str = "x", c: float = 1) -> int { if b == "" { a } else { int(c) } }
struct P { x: int, y: int = 0 }
enum E { A(n: int, s: str), B(int) }
print(f(1), f(1, "a"), f(1, c: 2), f(c: 2, a: 1), f(a: 1, b: "x", c: 1.5))
print(f()) //~ E0304
print(f("a")) //~ E0301
print(f(1, 2)) //~ E0301
print(f(1, "a", 1, 2)) //~ E0305
print(f(1, a: 2)) //~ E0307
print(f(1, d: 2)) //~ E0306
print(P(1), P(y: 2, x: 1), P(x: 1))
print(P(y: 2)) //~ E0304
print(P(z: 2)) //~ E0306
print(E.A(1, "x"), E.B(2), E.A(s: "x", n: 1))
print(E.A(1)) //~ E0304
print(E.C(1)) //~ E0211
let g = |n: int| n + 1
print(g(1), g(n: 1)) //~ E0306
print(g("a")) //~ E0301
print(5(1)) //~ E0303
print(f(1, none)) //~ E0301
print(unknown(1, f)) //~ E0201
print([1].map()) //~ E0304
print([1].map(|x, y| x)) //~ E0301
`)
}

func TestBareVariantsAreFoundWhereTheTypeIsKnown(t *testing.T) {
	expects(t, `
enum Shape { Circle(r: float), Empty }
fn take(s: Shape, o: Shape?) -> bool { s == Empty || Circle(1.0) == s || o == Circle(2) }
fn give(b: bool) -> Shape { if b { return Empty }
  Circle(1) }
let list: [Shape] = [Circle(1), Empty]
let m: map<str, Shape> = {"a": Empty}
let o: Shape? = Empty
let tup: (int, Shape) = (1, Circle(2))
let f: fn(float) -> Shape = Circle
print(take(Empty, Circle(2.0)), give(true), list, m, o, tup, f(1))
print(Empty) //~ E0201
let x = Circle(2) //~ E0201
print(Shape.Circl(1), x) //~ E0211
print(list.contains(Empty))
var s: Shape = Empty
s = Circle(2)
print(s)
`)
}

func TestGenericCallsAreSolved(t *testing.T) {
	expects(t, `
interface Show { fn show() -> str }
struct Cat { name: str
  fn show() -> str { self.name }
}
fn id<T>(x: T) -> T { x }
fn each_of<T: Show>(xs: [T]) -> [str] { xs.map(|x| x.show()) }
fn show_all(xs: [Show]) -> int { xs.len() }
fn pick<T>(a: T, b: T) -> T { if true { a } else { b } }
fn wrap<T>(x: T) -> T? { x }
fn empty<T>() -> [T] { [] }
fn convert<A, B>(x: A, f: fn(A) -> B) -> B { f(x) }
print(each_of([Cat("a")]))
print(each_of([1])) //~ E0309
print(show_all([Cat("a")]))
let cats = [Cat("b")]
print(show_all(cats)) //~ E0301
print(pick(1, 2.5), pick(Cat("a"), Cat("b")))
print(pick(1, "a")) //~ E0301
print(empty()) //~ E0308
print(empty<int>())
let e: [str] = empty()
let w: int? = wrap(1)
let ww = wrap(wrap(1))
print(e, w, ww)
print(id<str>(5)) //~ E0301
print(id<int, int>(5)) //~ E0311
print(convert(5, |n| "${n + 1}").len())
let f: fn(int) -> int = id
print(f(1), id(id)(3))
let cn = convert(none, |n| n) //~ E0308
print(pick(none, 5), pick(5, none)) //~ E0301
let s: Show = pick(Cat("a"), Cat("b"))
print(s.show())
`)
}

func TestMembers(t *testing.T) {
	expects(t, `
struct P { x: int, let id: int = 0, f: fn(int) -> int
  fn move_by(n: int) { self.x += n }
  fn twice() -> int { move_by(2) //~ E0201
    x * 2 } //~ E0201
}
let p = P(1, f: |n| n)
p.x = 2
p.id = 3 //~ E0315
p.y = 3 //~ E0210
p.move_by(1)
let m = p.move_by
m(2)
print(p.f(3), p.g(3)) //~ E0210
let o: P? = p
print(o.x) //~ E0312
print(o?.x, o!.x, p?.x) //~ E0312
o?.move_by(1)
o?.x = 5 //~ E0316
print((1, "a").1, (1, 2).2) //~ E0210
print([1].lenght()) //~ E0210
print("a".size()) //~ E0210
print(p.twice) //~ W0610
`)
}

func TestAssignments(t *testing.T) {
	expects(t, `
let a = 1
var b = 1
const c = 1
fn f(n: int) {
  n = 2 //~ E0315
  a = 2 //~ E0315
  b = 2
  c = 3 //~ E0315
  b = "x" //~ E0301
  b += 1.5 //~ E0302
  d = 1 //~ E0201
  f = 1 //~ E0316
  f(1) = 2 //~ E0316
  for i in 0..3 { i = 4 } //~ E0315
  let xs = [1]
  xs[0] = 5
  xs[0] += 5
  xs["a"] = 5 //~ E0301
  let m = {"a": 1.0}
  m["b"] = 2
  m["b"] += 2
  let t = (1, 2)
  t.0 = 3 //~ E0315
  "abc"[0] = 1 //~ E0313
  var d = 5s
  d *= 2
  d += 1 //~ E0302
  var o: int? = none
  o = 5
  var s = "a"
  s += "b"
  s -= "b" //~ E0302
  print(xs, m, o, d, s)
}
f(1)
print(b)
`)
}

func TestOperators(t *testing.T) {
	expects(t, `
struct P { x: int }
let n = 5
let f = 1.5
let d = 3s
print(n + f) //~ E0302
print(n + 1, f + 1, 1 + f, -f, ~n, n ** 2, f ** 2, f % 1)
print(d + d, d - 1s, d * 2, 2 * d, d / 2, d / 1s, d % 2s, -d)
print(d + 1) //~ E0302
print(d * d) //~ E0302
print(1 << 3 | 2 & n ^ 1, n >> 1)
print(f << 1) //~ E0302
print("a" < "b", n < 3, d >= 1s, f > 2, b"a" < b"b")
print(P(1) < P(2)) //~ E0302
print((1, "a") < (2, "b"), false < true)
print([1] < [2]) //~ E0302
print(P(1) == P(2), [1] == [2], (1, "a") != (2, "b"))
print(n == "a") //~ E0302
print(n == 1.5) //~ E0302
print(f == 1, none)
let nn = none //~ E0308
print(n == none) //~ E0312
print([1] + ["a"].copy()) //~ E0301
print(n ?? 1) //~ E0312
let o: int? = 1
print(o ?? "a") //~ E0301
print(o == 1, 1 == o, o ?? o ?? 3)
print(o + 1) //~ E0302
print(-"a") //~ E0302
let a: any = 1
print(a == 1)
`)
}

func TestMismatchesExplainThemselves(t *testing.T) {
	for src, help := range map[string]string{
		"let o: int? = 1\nlet n: int = o\nprint(n)":                            "it may be none: use `x ?? default`, `if let v = x { }`, or `x!` to throw when it is none",
		"let s: str = 5\nprint(s)":                                             "turn it into text with `str(x)` or in a string: \"${x}\"",
		"let n = 5\nlet f: float = n\nprint(f)":                                "only integer literals become float by themselves; convert with `float(x)`",
		"fn f() -> int { 1 }\nlet n: int = f\nprint(n)":                        "call the function to get its result",
		"let t = spawn { 1 }\nlet n: int = t\nprint(n)":                        "wait for the task's value with `await`",
		"let d: duration = 5\nprint(d)":                                        "write a unit (`500ms`, `2s`) or multiply: `n * 1s`",
		"print(\"a\".length())":                                                "it is called `len` here",
		"println(1)":                                                           "it is written `print` here",
		"enum E { A, B }\nlet x = A\nprint(x)":                                 "it is a variant of `E`",
		"struct P { x: int\n fn f() -> int { x } }\nprint(P(1).f())":           "`x` is a field of this type",
		"let xs: [any] = [1]\nlet ys = [1]\nlet zs: [any] = ys\nprint(xs, zs)": "write the type where the value is made, so that it is built as `[any]`",
		"for i in 10 { print(i) }":                                             "count with a range: `for i in 0..n`",
		"var x = 1\nspawn { print(x) }\nx = 2":                                 "pass a `let` copy to the task, guard it with `mutex(...)` and `lock`, send it over a `chan`, or use `sync.atomic`",
	} {
		c := check(t, src, nil)
		require.Len(t, c.diags, 1, "%s\n%v", src, c.lines())
		offered := c.diags[0].Help
		for _, fix := range c.diags[0].Fixes {
			offered = append(offered, fix.Title)
		}
		require.Contains(t, offered, help, src)
	}
}
