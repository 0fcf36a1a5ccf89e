package printer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each case is what is written, and behind ---- what comes out.
var styles = map[string]string{
	"spaces": `
let a:map < str,[ int ] > = { "a" : [ 1,2 ] }
let b = - a [ "a" ] ! [ 0 ] . pow( 2 )+3*-4
let t = a . 0 ( 1 ) [ 2 ]
let f = | x , y:int | x>=y&&! ( x<y )||x >>1==0
let r = a [ 1 .. ] ?? [ 0 .. 3 ]
fn g< T : Named >( x : T ? ,y : int=1 )->( int,str ) { }
print ( "${ a :>8} and ${b+1}" )
----
let a: map<str, [int]> = {"a": [1, 2]}
let b = -a["a"]![0].pow(2) + 3 * -4
let t = a.0(1)[2]
let f = |x, y: int| x >= y && !(x < y) || x >> 1 == 0
let r = a[1..] ?? [0..3]
fn g<T: Named>(x: T?, y: int = 1) -> (int, str) {}
print("${a:>8} and ${b + 1}")
`,
	"the lines of a text block are indented with its row": `
if ok {
let s = """
      a ${ x+1 }
        b

      \t
      ${y}
      """
      f("""
c
""",   1)
}
----
if ok {
  let s = """
    a ${x + 1}
      b

    \t
    ${y}
    """
  f("""
    c
    """, 1)
}
`,
	"what has lines of its own ends with a comma, what has not ends without": `
f(1, 2,)
f(
1, 2)
f(1,
[
3
], {
"a": 1, // one

"b": 2 })
----
f(1, 2)
f(
  1, 2,
)
f(
  1,
  [
    3,
  ], {
    "a": 1, // one

    "b": 2,
  },
)
`,
	"blocks are left on one line, or have lines of their own": `
if a { b } else { c }
if a { b
}
else { c }
struct P { x: int, y: int
fn f() {

self.x;
self.y }

}
----
if a { b } else { c }
if a {
  b
} else { c }
struct P {
  x: int, y: int
  fn f() {
    self.x
    self.y
  }
}
`,
	"a line may go on": `
let x = a +
b
let y = xs
.map(|x| {
x
})
.len()
if (a
&& b) { c }
----
let x = a +
  b
let y = xs
  .map(|x| {
    x
  })
  .len()
if (a
  && b) { c }
`,
	"comments keep their places, and their columns where they are aligned": `
let a=1    // one
let bcd=2  // two

let e = 3 // three
// four
fn f() { // five
  // six
}
/* seven */ let g = h( /* eight */ 1 )
----
let a = 1    // one
let bcd = 2  // two

let e = 3 // three
// four
fn f() { // five
  // six
}
/* seven */ let g = h(/* eight */ 1)
`,
	"modules are sorted where imports stand one below the other, files keep their order": `
import "./b"
import "./a" as z  // the first file
import time
import fs

import csv
----
import fs
import time
import "./b"
import "./a" as z  // the first file

import csv
`,
	"a line does not break anywhere": `
let
a: int =
1
f(1 // one
, /* two */ 2
)
f(1 /* one */, 2)
(a
. b
+
c +
d
as
int)
----
let a: int =
  1
f(
  1, // one
  /* two */ 2,
)
f(1 /* one */, 2)
(a
  .b
  + c +
  d as int)
`,
	"a comment below another keeps its column": `
f(1)   // expect: 1
       // expect: 2
if a { // three
  // four
}
----
f(1)   // expect: 1
       // expect: 2
if a { // three
  // four
}
`,
	"commas stand between members and arms within a line only": `
enum E { A, B(n: int,), }
enum F {
A, B,
C, /// c
D
}
match e { A => 1, B(n) => { n } C => 3, }
match e {
A => 1,
B(n) => { n }, C => 3;
}
for a,
b in m {}
f(for a, b in m {},
  1)
----
enum E { A, B(n: int) }
enum F {
  A, B
  C /// c
  D
}
match e { A => 1, B(n) => { n }, C => 3 }
match e {
  A => 1
  B(n) => { n }, C => 3
}
for a, b in m {}
f(
  for a, b in m {},
  1,
)
`,
	"a semicolon stays where it matters": `
fn f() { a(); b(); }
fn g() {
a();
b();
}
----
fn f() { a(); b(); }
fn g() {
  a()
  b();
}
`,
}

func TestStyle(t *testing.T) {
	for name, c := range styles {
		src, want, _ := strings.Cut(c[1:], "----\n")
		t.Run(name, func(t *testing.T) {
			got, ok := check(t, src)
			assert.True(t, ok)
			assert.Equal(t, want, got)
		})
	}
}

// What does not fit is broken at its outermost blocks, then at the calls of a
// chain, then at its longest list.
func TestLongLinesAreBroken(t *testing.T) {
	long := strings.Repeat("long", 15)
	for src, want := range map[string]string{
		"fn f() { " + long + "(1); " + long + "(2) }":    "fn f() {\n  " + long + "(1)\n  " + long + "(2)\n}\n",
		"if a { " + long + " } else { " + long + " }":    "if a {\n  " + long + "\n} else {\n  " + long + "\n}\n",
		"f(" + long + ", g(1, 2), " + long + ")":         "f(\n  " + long + ",\n  g(1, 2),\n  " + long + ",\n)\n",
		"f(g(" + long + ", " + long + "))":               "f(g(\n  " + long + ",\n  " + long + ",\n))\n",
		"f(" + long + ", |x| { " + long + " })":          "f(" + long + ", |x| {\n  " + long + "\n})\n",
		"x.f(" + long + ").g(" + long + ").h()":          "x.f(" + long + ")\n  .g(" + long + ")\n  .h()\n",
		"f(\"" + long + long + " ${g(1, 2)}\")":          "f(\"" + long + long + " ${g(1, 2)}\")\n",
		"f(1, 2)   // " + long + long:                    "f(1, 2)   // " + long + long + "\n",
		"f(|| { " + long + " }, || { " + long + "(1) })": "f(\n  || { " + long + " },\n  || { " + long + "(1) },\n)\n",
		"[" + long + ", 2, " + long + ", 3]":             "[\n  " + long + ", 2,\n  " + long + ", 3,\n]\n",
		"f(" + long + "); g(1); h(" + long + "); i()":    "f(" + long + "); g(1)\nh(" + long + "); i()\n",
		"f(a<b, c>(" + long + "), |x, y| " + long + ")":  "f(\n  a<b, c>(" + long + "),\n  |x, y| " + long + ",\n)\n",
		"enum E { " + "A" + long + ", B" + long + " }":   "enum E {\n  A" + long + "\n  B" + long + "\n}\n",
	} {
		got, ok := check(t, src)
		assert.True(t, ok)
		assert.Equal(t, want, got)
	}
}

func TestProgramsWithErrorsAreLeftAlone(t *testing.T) {
	text, diags := Format(source("let a = \nlet b=1"))
	assert.Empty(t, text)
	assert.Len(t, diags, 1)
}
