package types_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/types"
)

func codesOf(c checked) []string {
	out := []string{}
	for _, l := range c.lines() {
		place, rest, _ := strings.Cut(l, " ")
		code, _, _ := strings.Cut(rest, " ")
		line, _, _ := strings.Cut(strings.TrimPrefix(place, "./"), " ")
		out = append(out, line+" "+code)
	}
	return out
}

const geo = `
/// A point.
pub struct Point { x: int = 0, y: int = 0
  fn sum() -> int { helper(self.x, self.y) }
}
pub enum Shape { Dot, Line(from: Point, to: Point) }
pub interface Area { fn area() -> int }
pub type Points = [Point]
pub const OriginX = 0
pub let origin = Point()
pub fn line(a: Point, b: Point) -> Shape { Line(a, b) }
fn helper(a: int, b: int) -> int { a + b }
`

func TestModulesAreUsedQualified(t *testing.T) {
	c := check(t, `
import "./geo"
import "./geo" as g
struct Box: geo.Area { w: int
  fn area() -> int { self.w }
}
let p: geo.Point = geo.Point(x: 1)
let ps: geo.Points = [p, g.origin]
let s = geo.line(p, g.Point())
match s {
  Dot => print(1)
  Line(from, to) => print(from.sum() + to.x)
}
let d: geo.Shape = Dot
let e = geo.Shape.Line(p, p)
let mk = geo.line
print(ps, d, e, mk(p, p), Box(1), s == geo.Shape.Dot, geo.origin_x)
fn f(a: geo.Area) -> int { a.area() }
print(f(Box(2)))
match d { geo.Shape.Dot => {}, _ => {} }
`, modules{"./geo": strings.Replace(geo, "OriginX", "origin_x", 1)})
	require.Empty(t, c.lines())
	requireComplete(t, c)
	require.Len(t, c.prog.Modules, 2)
	require.Equal(t, "geo", c.prog.Modules[0].Name)
	require.Same(t, c.prog.Main, c.prog.Modules[1])
}

func TestErrorsOfModules(t *testing.T) {
	c := check(t, `
import "./geo"
import maths
import "./missing"
print(geo.helper(1, 2))
print(geo.lin(1))
print(geo.Pint(1))
let x: geo.Nope = 1
print(x, geo, other.f())
geo.origin = geo.Point()
print(maths.x)
`, modules{"./geo": geo, "math": ""})
	require.Equal(t, []string{
		"3:8 E0206", "4:8 E0206", "5:11 E0205", "6:11 E0204", "7:11 E0204", "8:12 E0204", "9:10 E0215", "9:15 E0201", "10:1 E0315",
		"geo.rnl:9:11 E0209",
	}, codesOf(c))
	require.Equal(t, "did you mean `math`?", c.diags[0].Fixes[0].Title)
}

func TestImportCyclesAreShown(t *testing.T) {
	c := check(t, `
import "./a"
print(a.x)
`, modules{"./a": "import \"./b\"\npub let x = b.y", "./b": "import \"./c\"\npub let y = c.z", "./c": "import \"./a\"\npub let z = a.x"})
	require.Equal(t, []string{"./c.rnl:1:8 E0207 the imports form a cycle: a -> b -> c -> a"}, c.lines())
	require.Len(t, c.diags[0].Labels, 2)
}

func TestAModuleThatImportsTheScriptIsACycle(t *testing.T) {
	c := check(t, `
import "./a"
print(a.x)
pub let y = 1
`, modules{"./a": "import \"./main\"\npub let x = main.y", "./main": ""})
	require.Equal(t, []string{"./a.rnl:1:8 E0207 the imports form a cycle: main -> a -> main"}, c.lines())
}

func TestImportedModulesOnlyDeclare(t *testing.T) {
	c := check(t, `
import "./a"
print(a.x)
`, modules{"./a": `
pub let x = f()
pub var y = 1
print(1)
for i in 0..3 { }
let t = spawn f()
let u = await t
fn f() -> int { 1 }
fn unused() { print(u) }
`})
	require.Equal(t, []string{
		"a.rnl:3:1 E0208", "a.rnl:4:1 E0208", "a.rnl:5:1 E0208", "a.rnl:6:9 E0505", "a.rnl:7:9 E0505",
	}, codesOf(c))
}

func TestLibraryBodiesAreCheckedWhenAskedFor(t *testing.T) {
	c := check(t, `
import lib
print(lib.good())
`, modules{"lib": `
pub fn good() -> int { 1 }
pub fn bad() -> int { "a" }
pub native fn raw(x: int) -> int
`})
	require.Empty(t, c.lines())
	lib := c.prog.Modules[0]
	good, bad := lib.Lookup("good").(*types.FuncDecl), lib.Lookup("bad").(*types.FuncDecl)
	require.Nil(t, lib.Info.TypeOf(good.Syntax.Body))
	require.Equal(t, types.Type(types.Int), c.prog.Body(good).TypeOf(good.Syntax.Body))
	require.Empty(t, c.prog.LateDiagnostics())
	c.prog.Body(bad)
	require.Len(t, c.prog.LateDiagnostics(), 1)
	require.Empty(t, c.prog.LateDiagnostics())
}

func TestOnlyWhatIsUsedOfThePreludeIsLoaded(t *testing.T) {
	c := check(t, "print(1)", nil)
	require.Len(t, c.prog.Prelude.Modules, 1)
	c = check(t, "print([1].len())", nil)
	var names []string
	for _, m := range c.prog.Prelude.Modules {
		names = append(names, m.Name)
	}
	require.Contains(t, names, "list")
	require.NotContains(t, names, "map")
}
