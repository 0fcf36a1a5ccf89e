package stdlib_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/vmtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// codecDecls are what the types below name.
const codecDecls = `
import csv
import json
import yaml
import toml
import sql
import args
import template
import re
import hash
import time
enum Color { Red, Green }
enum Shape { Dot, Circle(r: float), Pair(int, str) }
struct Leaf { n: int, s: str }
struct Numbers { b: bool, f: float, d: duration, c: Color }
struct Loose { x: any, o: str?, a: int }
struct Node { n: int, next: Node? }
struct Tree { kids: [Tree], names: map<str, Tree> }
struct Nested { leaf: Leaf, more: [Leaf], last: Shape }
struct Holder<T> { a: T }
struct Two<T> { a: T, b: T? }
interface Named { fn name() -> str }
`

// leaves are types of every kind there is.
var leaves = []string{
	"int", "float", "bool", "str", "bytes", "duration", "()", "any", "buffer", "Color", "Shape", "Leaf", "Numbers", "Loose",
	"Node", "Tree", "Nested", "Named", "re.Regex", "hash.Hasher", "time.Time", "Error", "Iterator<int>",
	"fn()", "fn(int) -> str", "chan<int>", "task<int>", "mutex<str>", "(int, str)", "(bool, Leaf?)", "range",
}

var keys = []string{"int", "float", "bool", "str", "bytes", "duration", "Color", "Shape", "(int, str)"}

// codecTypes are the leaves and what holds them.
func codecTypes() []string {
	list := append([]string{"int??", "[int??]", "map<str, int??>", "Leaf??", "any?", "[any]", "[[int]]", "[[any]]", "map<str, map<str, [int]>>"}, leaves...)
	for _, leaf := range leaves {
		list = append(list, leaf+"?", "["+leaf+"]", "map<str, "+leaf+">", "Holder<"+leaf+">", "Two<"+leaf+">", "("+leaf+", int)")
	}
	for _, key := range keys {
		list = append(list, "set<"+key+">", "map<"+key+", str>", "map<"+key+", [int]>", "Holder<map<"+key+", int?>>", "[set<"+key+">]")
	}
	return list
}

// codecTexts are what is decoded, as JSON.
var codecTexts = []string{
	`1`, `-9223372036854775808`, `1e3`, `true`, `"abc"`, `"YWJj"`, `"1m30s"`, `"Red"`, `"Dot"`, `null`, `[]`, `{}`, `[1, 2]`, `["1", "Red", "é"]`,
	`[1, "a"]`, `[true, {"n": 1, "s": "x"}]`, `[null, 1, null]`, `[[1], [2, 3]]`, `[{"n": 1, "s": "a"}, {"s": "b", "n": 2}]`, `{"Circle": {"r": 1.5}}`, `{"Pair": [1, "x"]}`, `{"Pair": 1}`, `{"Red": 1}`,
	`{"n": 1, "s": "x"}`, `{"n": 1, "next": {"n": 2, "next": null}}`, `{"kids": [{"kids": [], "names": {}}], "names": {"x": {"kids": [], "names": {}}}}`,
	`{"a": 1}`, `{"a": "x", "b": "y"}`, `{"a": [1], "b": null}`, `{"a": {"1": 1}, "b": {}}`, `{"a": {"n": 1, "s": "x"}}`, `{"1": "x", "2": "y"}`, `{"true": "x", "Red": "y"}`,
	`{"b": true, "f": 1.5, "d": "3s", "c": "Green"}`, `{"x": [1, {"y": null}], "a": 2}`, `{"leaf": {"n": 1, "s": ""}, "more": [], "last": "Dot"}`, `[[1, "a"], [2, "b"]]`, `{"a": [[1, 2], "x"]}`,
	`{"ns": 1, "offset": 2}`, `{"text": "x"}`, `{"pattern": "x"}`, `{"start": 1, "end": 2}`, `{"Pair": [1, "x"], "Dot": 1}`, `{"a": {"Circle": {"r": 2.0}}}`,
}

var csvTexts = []string{
	"a\n1\n", "a\nx\n", "a,b\n1,2\n", "a,b\nRed,\n", "n,s\n1,x\n", "a\n1m\n", "a\ntrue\n", "b,f,d,c\ntrue,1.5,3s,Green\n", "x,o,a\n1,,3\n", "n,next\n1,\n", "1\nx\n", "Red\nRed\n", "a\n\"\"\n",
}

// codecProgram decodes everything as a type and keeps what it gets.
func codecProgram(typ string) string {
	var b strings.Builder
	b.WriteString(codecDecls)
	fmt.Fprintf(&b, "let kept: [%s] = []\nlet texts: [any] = []\nlet errors: [str] = []\nvar tried = 0\nlet rows: [any] = []\n", typ)
	fmt.Fprintf(&b, "fn keep(f: fn() -> %s) { tried += 1\n try { kept.push(f()) } catch e { errors.push(e.message()) } }\n", typ)
	fmt.Fprintf(&b, "fn all(f: fn() -> [%s]) { tried += 1\n try { for x in f() { kept.push(x) } } catch e { errors.push(e.message()) } }\n", typ)
	fmt.Fprintf(&b, "let db = sql.open(\"sqlite::memory:\", connections: 1)\n")
	fmt.Fprintf(&b, "fn decode(s: str) {\n")
	fmt.Fprintf(&b, " keep(|| json.decode<%s>(s))\n all(|| json.items<%[1]s>([s[0..s.len()/2], s[s.len()/2..]].iter()).to_list())\n", typ)
	fmt.Fprintf(&b, " keep(|| yaml.decode<%s>(s))\n all(|| yaml.decode_all<%[1]s>(s + \"\\n---\\n\" + s))\n", typ)
	fmt.Fprintf(&b, " all(|| csv.decode<%s>(\"a,b\\n\" + s + \",1\\n\"))\n", typ)
	fmt.Fprintf(&b, " all(|| db.query_as<%s>(\"select ? as a\", [s]))\n all(|| db.query_as<%[1]s>(\"select ? as a, 1 as n\", [s]))\n}\n", typ)
	for _, s := range codecTexts {
		fmt.Fprintf(&b, "decode(%s)\n", literal(s))
	}
	for _, s := range []string{"a = 1", "a = \"x\"\nb = [1, 2]", "n = 1\ns = \"x\"", "[a]\nn = 1\ns = \"y\"", "a = 1979-05-27T07:32:00Z", "[[a]]\nn=1\ns=\"z\"", "kids = []\nnames = {}", "b=true\nf=inf\nd=3\nc=\"Red\"", "Circle = {r = 1}"} {
		fmt.Fprintf(&b, "keep(|| toml.decode<%s>(%s))\n", typ, literal(s))
	}
	for _, s := range csvTexts {
		fmt.Fprintf(&b, "all(|| csv.decode<%s>(%s))\n", typ, literal(s))
	}
	for _, s := range []string{"1", "1.5", "'x'", "null", "x'00ff'", "'Red'", "1 as n, 'x' as s", "1 as a, null as b", "'1' as a, 2 as b", "1 as b, 2 as f, 3 as d, 4 as c", "'2020-01-01' as x"} {
		fmt.Fprintf(&b, "all(|| db.query_as<%s>(%s))\n", typ, literal("select "+s))
	}
	b.WriteString(`for x in kept {
  let a: any = x
  tried += 1
  try { texts.push(json.parse(json.encode(x))) } catch e { errors.push(e.message()) }
  try { texts.push(yaml.parse(yaml.encode(x))) } catch e { errors.push(e.message()) }
  try { texts.push(toml.parse(toml.encode(x))) } catch e { errors.push(e.message()) }
  try { texts.push(template.parse("{{ x }}{{ x.a }}{{ x.0 }}{% for k, v in x %}{{ k }}{{ v }}{% end %}").render({"x": a})) } catch e { errors.push(e.message()) }
  try { texts.push(csv.encode([x])) } catch e { errors.push(e.message()) }
  try { rows.push(args.parse(x, "tool", argv: ["--a", "1"])) } catch e { errors.push(e.message()) }
  try { db.exec("select ?", [a]) } catch e { errors.push(e.message()) }
}
print(tried, kept.len(), errors.len())
for e in errors { if e.contains("internal error") { print(e) } }
`)
	return b.String()
}

func literal(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "$", `\$`).Replace(s) + `"`
}

// What a codec makes of a text is a value of the type that was asked for, or an
// error: whatever the type, nothing is stored under another one.
func TestCodecsGiveValuesOfTheTypeAskedFor(t *testing.T) {
	total := 0
	for _, typ := range longtest.Sample(codecTypes(), 6) {
		t.Run(typ, func(t *testing.T) {
			var out strings.Builder
			rt, err := runnel.New(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: &out, Grants: all.Grants()}),
				runnel.WithLimits(runnel.Limits{Memory: 512 << 20, Steps: 1e8}))
			require.NoError(t, err)
			prog, err := rt.Compile("codecs.rnl", codecProgram(typ))
			require.NoError(t, err)
			in := prog.NewInstance()
			defer in.Close()
			require.NoError(t, in.Run(t.Context()))
			require.NoError(t, vmtest.CheckGlobals(in.VM()))
			var tried, kept, failed int
			_, err = fmt.Sscan(out.String(), &tried, &kept, &failed)
			require.NoError(t, err)
			require.NotZero(t, kept+failed)
			total += kept
			if strings.HasPrefix(typ, "str") {
				require.NotZero(t, kept)
			}
			require.NotContains(t, out.String(), "internal error")
		})
	}
	require.Greater(t, total, 100)
}
