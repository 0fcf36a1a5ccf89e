package runnel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/printer"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// levels is how deep the sources and inputs are; a million gives the same results.
var levels = longtest.Of(20_000, 100_000)

// Sources nested by each construct are refused in words: recursion without a
// bound would end the process.
func TestDeepSourcesAreRefused(t *testing.T) {
	nest := func(open, inner, end string) string {
		return strings.Repeat(open, levels) + inner + strings.Repeat(end, levels)
	}
	chain := func(each string) string { return strings.Repeat(each, levels) }
	rt, err := runnel.New(runnel.WithModules(all.Modules()...))
	require.NoError(t, err)
	for name, src := range map[string]string{
		"parentheses":       "let x = " + nest("(", "1", ")"),
		"minus":             "let x = " + chain("-") + "1",
		"not":               "let x = " + chain("!") + "true",
		"lists":             "let x = " + nest("[", "1", "]"),
		"tuples":            "let x = " + nest("(", "1", ",)"),
		"maps":              "let x = " + nest("{1: ", "1", "}"),
		"blocks":            nest("{ ", "1", " }"),
		"else if":           "let a = 1\n" + chain("if a == 1 { } else ") + "{ }",
		"if":                "let a = 1\n" + nest("if a == 1 { ", "", " }"),
		"conditions":        "let a = " + nest("if ", "true", " { true } else { false }"),
		"list types":        "let x: " + nest("[", "int", "]") + " = []",
		"optionals":         "let x: int" + chain("?") + " = none",
		"function type":     "let x: " + chain("fn() -> ") + "int = none",
		"tuple types":       "let x: " + nest("(", "int", ",)") + " = none",
		"generic types":     "struct A<T> { x: T }\nlet x: " + nest("A<", "int", ">") + " = none",
		"lambdas":           "let x = " + chain("|| ") + "1",
		"blocks of lambdas": "let x = " + nest("|| { ", "1", " }"),
		"interpolation":     "let x = " + nest(`"${`, "1", `}"`),
		"patterns":          "match 1 { " + nest("(", "a", ",)") + " => 1 }",
		"members":           "let a = 1\nlet x = a" + chain(".b"),
		"calls":             "fn f(x: int) -> int { x }\nlet x = " + nest("f(", "1", ")"),
		"calls of calls":    "let a = 1\nlet x = a" + chain("()"),
		"indices":           "let a = [1]\nlet x = a" + chain("[0]"),
		"sums":              "let a = 1\nlet x = " + chain("a + ") + "1",
		"powers":            "let x = " + chain("1 ** ") + "1",
		"defaults":          "let a: int? = 1\nlet x = " + chain("a ?? ") + "1",
		"returns":           "fn f() { " + chain("return ") + " }",
		"awaits":            "let x = " + chain("await ") + "1",
		"loops":             nest("loop { ", "", " }"),
		"matches":           nest("match 1 { _ => ", "1", " }"),
		"tries":             nest("try { ", "1", " } catch e { }"),
		"scopes":            nest("scope { ", "", " }"),
		"selects":           nest("select { _ => ", "1", " }"),
		"functions":         nest("fn f() { ", "", " }"),
		"type tests":        "let a: any = 1\nlet x = a" + chain(" is int"),
	} {
		_, err := rt.Compile("deep.rnl", src)
		require.ErrorContains(t, err, "E0109", name)
		_, diags := printer.Format((&diag.FileSet{}).Add("deep.rnl", src))
		require.NotEmpty(t, diags, name)
	}
	_, err = rt.Compile("deep.rnl", nest("/* ", "", " */")+"\nlet x = 1")
	require.NoError(t, err)
}

// Data nested without end is refused in words by what reads and writes it.
func TestDeepInputsAreRefused(t *testing.T) {
	rt, err := runnel.New(runnel.WithModules(all.Modules()...))
	require.NoError(t, err)
	p, err := rt.Compile("main.rnl", `import json
import re
import toml
import yaml

struct S { a: int = 0 }

pub fn read(format: str, text: str) -> any {
  if format == "json" { return json.decode<any>(text) }
  if format == "json of a struct" { return json.decode<S>(text) }
  if format == "yaml" { return yaml.decode<any>(text) }
  if format == "toml" { return toml.decode<any>(text) }
  re.matches(text, "a")
}

pub fn write(format: str, levels: int) -> str {
  var x: any = 1
  for i in 0..levels {
    let list: [any] = [x]
    x = list
  }
  if format == "json" { return json.encode(x) }
  if format == "yaml" { return yaml.encode(x) }
  toml.encode({"a": x})
}`)
	require.NoError(t, err)
	in, err := p.Start(t.Context())
	require.NoError(t, err)
	defer in.Close()
	read, err := runnel.Bind2[string, string, any](in, "read")
	require.NoError(t, err)
	write, err := runnel.Bind2[string, int, string](in, "write")
	require.NoError(t, err)
	deep := func(open, inner, end string) string {
		return strings.Repeat(open, levels) + inner + strings.Repeat(end, levels)
	}
	for _, c := range [][2]string{
		{"json", deep("[", "", "]")},
		{"json", deep(`{"a":`, "1", "}")},
		{"json of a struct", `{"b":` + deep("[", "", "]") + "}"},
		{"yaml", deep("[", "", "]")},
		{"yaml", deep("{a: ", "1", "}")},
		{"yaml", deep("- ", "1", "")},
		{"toml", "a = " + deep("[", "", "]")},
		{"toml", "a = " + deep("{b = ", "1", "}")},
		{"toml", "[a" + strings.Repeat(".a", levels) + "]"},
		{"re", deep("(", "a", ")")},
		{"re", deep("(?:", "a", ")*")},
	} {
		_, err := read(t.Context(), c[0], c[1])
		require.ErrorContains(t, err, "ValueError", c[0])
	}
	for _, format := range []string{"json", "yaml", "toml"} {
		_, err := write(t.Context(), format, levels)
		require.ErrorContains(t, err, "nested deeper than", format)
	}
}
