package runnel_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// changing are source files that change while a session uses them.
type changing map[string]string

func (c changing) Read(path string) (string, error) { return c[path], nil }

// reloads is a session whose files change.
func reloads(t *testing.T, files changing) (s *runnel.Session, eval func(src string) *runnel.Result, failures chan string) {
	t.Helper()
	failures = make(chan string, 100)
	rt := runnel.MustNew(runnel.WithSources(files), runnel.WithModules(all.Modules()...), runnel.WithUnhandled(func(e *runnel.Error) { failures <- e.Message }))
	s, err := rt.NewSession()
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s, func(src string) *runnel.Result {
		t.Helper()
		res, err := s.Eval(t.Context(), "entry", src)
		require.NoError(t, err)
		return res
	}, failures
}

func TestAnImportAgainTakesTheFileAsItIs(t *testing.T) {
	files := changing{"m.rnl": "let n = [1]\npub fn v() -> int { n[0] += 1; n[0] }"}
	_, eval, _ := reloads(t, files)
	assert.Empty(t, eval(`import "./m"`).Reloaded)
	assert.Equal(t, "2", eval("m.v()").Text)
	assert.Empty(t, eval(`import "./m"`).Reloaded, "the file is as it was: so is the module")
	assert.Equal(t, "3", eval("m.v()").Text)
	eval("fn old() -> int { m.v() }")
	eval(`let stop = chan<int>()
let task = spawn { let _ = stop.recv(); m.v() }`)
	files["m.rnl"] = "let n = [100]\npub fn v() -> int { n[0] += 10; n[0] }"
	assert.Equal(t, []string{"m.rnl"}, eval(`import "./m"`).Reloaded)
	assert.Equal(t, "110", eval("m.v()").Text)
	assert.Equal(t, "4", eval("old()").Text, "what was made with the old one goes on with it")
	assert.Equal(t, "5", eval("stop.send(1); await task").Text)
	assert.Equal(t, "120", eval("m.v()").Text)
}

// A file is loaded anew as well when one that it imports has changed, and both once.
func TestAnImportAgainFollowsImports(t *testing.T) {
	files := changing{
		"a.rnl": "import \"./c\"\npub fn v() -> int { c.v() }", "b.rnl": "import \"./c\"\npub fn v() -> int { c.v() }",
		"c.rnl": "let n = [0]\npub fn v() -> int { n[0] += 1; n[0] }", "d.rnl": "pub fn v() -> int { 0 }",
	}
	s, eval, _ := reloads(t, files)
	eval("import \"./a\"\nimport \"./b\" as other\nimport \"./d\"\nimport math")
	assert.Equal(t, "(1, 2)", eval("(a.v(), other.v())").Text)
	files["c.rnl"] = "let n = [10]\npub fn v() -> int { n[0] += 1; n[0] }"
	res, err := s.Reload(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"a.rnl", "b.rnl", "c.rnl"}, res.Reloaded)
	assert.Equal(t, "(11, 12)", eval("(a.v(), other.v())").Text, "both have the same c")
	res, err = s.Reload(t.Context())
	require.NoError(t, err)
	assert.Empty(t, res.Reloaded)
}

// A file that is wrong changes nothing, and can be mended.
func TestAnImportAgainOfWhatIsWrong(t *testing.T) {
	files := changing{"m.rnl": "pub fn v() -> int { 1 }"}
	s, eval, _ := reloads(t, files)
	eval(`import "./m"`)
	for _, wrong := range []string{"pub fn v() -> int { true }", "pub fn v( {", "let x: int = 1 / 0"} {
		files["m.rnl"] = wrong
		_, err := s.Reload(t.Context())
		require.Error(t, err)
		_, err = s.Eval(t.Context(), "entry", "import \"./m\"\nm.w()")
		require.Error(t, err)
	}
	files["m.rnl"] = "pub fn v() -> int { 2 }"
	res, err := s.Reload(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"m.rnl"}, res.Reloaded)
	assert.Equal(t, "2", eval("m.v()").Text)
}

// A session tells of a task that has failed while its handle is there: it keeps all.
func TestASessionTellsOfFailuresSoon(t *testing.T) {
	_, eval, failures := reloads(t, nil)
	hears := func(want string) {
		t.Helper()
		select {
		case got := <-failures:
			assert.Equal(t, want, got)
		case <-time.After(time.Minute):
			t.Fatal("nothing is told of " + want)
		}
	}
	eval(`spawn { throw error("lost") }`)
	hears("lost")
	eval(`let kept = spawn { throw error("kept") }`)
	hears("kept")
	eval(`let heard = spawn { throw error("heard") }
try { await heard } catch e { print(e.message()) }`)
	eval(`scope { try { scope { spawn { throw error("scoped") } } } catch e {} }`)
	eval(`spawn { throw error("last") }`)
	hears("last")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	select {
	case got := <-failures:
		t.Errorf("told of %q again, or of what was heard", got)
	case <-ctx.Done():
	}
}

// Completing is bounded as compiling is.
func TestCompletingIsBounded(t *testing.T) {
	complete := func(limit time.Duration) int {
		s, err := runnel.MustNew(runnel.WithCompileLimits(runnel.CompileLimits{Time: limit})).NewSession()
		require.NoError(t, err)
		defer s.Close()
		return len(s.Complete("let xs = [1]\nxs.", 16))
	}
	assert.NotZero(t, complete(time.Minute))
	assert.Zero(t, complete(time.Nanosecond))
}

// Types of a file as it was and as it is are two, whatever they have in common: values,
// methods, defaults, actors and generic types of one never meet those of the other.
func TestTypesOfAFileLoadedAnewAreNew(t *testing.T) {
	const same = `
import actor
pub enum Msg { Who(reply: actor.Reply<str>) }
pub struct Server { fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Who(reply) => reply.send(name()) } } }
pub struct Same { n: int; fn who() -> str { name() }; fn to_str() -> str { name() } }
pub interface Named { fn who() -> str }
pub fn of(n: Named) -> str { n.who() }
pub fn boxed() -> any { Same(1) }
pub fn is_same(x: any) -> bool { x is Same }
pub fn many() -> [Same] { [Same(2), Same(1)] }
pub struct Box<T> { value: T; fn who() -> str { name() } }
`
	files := changing{"m.rnl": same + `pub struct Point { x: int }
pub enum Kind { A, B(n: int) }
pub fn name() -> str { "old" }`}
	s, eval, _ := reloads(t, files)
	eval("import \"./m\"\nimport actor")
	eval("let p = m.Point(1)\nlet kept = m.boxed()\nlet k: any = m.Kind.B(1)\nlet same = m.Same(1)\nlet box = m.Box(m.Same(3))\nlet server = actor.start(m.Server())")
	eval("fn old_is(x: any) -> bool { m.is_same(x) }")
	eval("fn old_who(x: m.Same) -> str { x.who() }")
	assert.Equal(t, `"old"`, eval("server.ask(m.Msg.Who, within: 60s)").Text)
	files["m.rnl"] = same + `pub struct Point { x: int, y: str = "y", z: float = 0.5 }
pub enum Kind { A, B(s: str), C(xs: [str]) }
pub fn name() -> str { "new" }`
	require.NotEmpty(t, eval(`import "./m"`).Reloaded)
	for src, want := range map[string]string{
		"m.Point(1)":             `Point(x: 1, y: "y", z: 0.5)`,
		"p":                      "Point(x: 1)",
		"p.x":                    "1",
		"m.Kind.C([\"a\"])":      `C(xs: ["a"])`,
		"m.Kind.B(\"b\")":        `B(s: "b")`,
		"k":                      "B(n: 1)",
		"m.Same(1).who()":        `"new"`,
		"same.who()":             `"old"`,
		"m.of(m.Same(1))":        `"new"`,
		"m.of(same)":             `"old"`,
		"m.Box(m.Same(1)).who()": `"new"`,
		"box.who()":              `"old"`,
		"old_who(same)":          `"old"`,
		"\"${m.Same(1)} ${same} ${kept} ${m.boxed()}\"":                            `"new old old new"`,
		"(m.is_same(kept), m.is_same(m.boxed()), old_is(kept), old_is(m.boxed()))": "(false, true, true, false)",
		"let s2 = actor.start(m.Server())\ns2.ask(m.Msg.Who, within: 60s)":         `"new"`,
		"m.many().map(|x| x.who())":                                                `["new", "new"]`,
		"json.decode<m.Point>(\"{\\\"x\\\": 4}\")":                                 `Point(x: 4, y: "y", z: 0.5)`,
		"m.Same(1) == m.Same(1)":                                                   "true",
	} {
		eval("import json")
		assert.Equal(t, want, eval(src).Text, src)
	}
	const twice = "`%s` as it was before and as it is now are two types: make again what was made before"
	for src, name := range map[string]string{
		"same == m.Same(1)":                  "Same",
		"old_who(m.Same(1))":                 "Same",
		"let xs: [m.Point] = [p]":            "Point",
		"[m.Point(1), p]":                    "Point",
		"let b: m.Box<m.Same> = box":         "Same",
		"server.ask(m.Msg.Who, within: 60s)": "Msg",
		"var q = p\nq = m.Point(1)":          "Point",
		"fn f(x: m.Point) {}\nf(p)":          "Point",
		"if true { p } else { m.Point(1) }":  "Point",
	} {
		_, err := s.Eval(t.Context(), "entry", src)
		if assert.Error(t, err, src) {
			var ce *runnel.CompileError
			require.ErrorAs(t, err, &ce, src)
			assert.Contains(t, fmt.Sprintf("%+v", ce.Diags), fmt.Sprintf(twice, name), src)
		}
	}
}
