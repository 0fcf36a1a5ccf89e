package spec

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
)

// farJumps are programs whose jumps lead across LONG, statements of more words than
// the distance of a short jump can count.
var farJumps = map[string]string{
	"if":        "if yes() { LONG } else { n = 0 }\nif !yes() { LONG } else { n += 1 }",
	"and":       "if yes() && n == 0 && one() < 2 { LONG } else { n = -1 }",
	"float":     "if float(n) < 1.5 && float(n) != 0.5 { LONG } else { n = -1 }",
	"while":     "var i = 0\nwhile i < 3 { LONG\n i += 1 }",
	"loop":      "var i = 0\nloop { if i == 2 { break }\n LONG\n i += 1 }",
	"range":     "for i in 0..one() + 2 { LONG }\nfor i in 0..=2 { LONG }",
	"range val": "let r = 0..2\nfor i in r { LONG }",
	"ints":      "for x in [1, 2] { LONG\n n += x }",
	"strs":      "for x in [\"a\", \"b\"] { LONG\n n += x.len() }",
	"any":       "let xs: [any] = [1, \"b\", none]\nfor i, x in xs { LONG\n n += i + str(x).len() }",
	"optionals": "let xs: [str?] = [\"a\", none]\nfor x in xs { LONG\n n += (x ?? \"cd\").len() }",
	"bools":     "for i, x in [true, false] { LONG\n if x { n += i } }",
	"map":       "for k, v in ({\"a\": [1], \"b\": [2]}) { LONG\n n += k.len() + v[0] }\nfor k in ({\"a\": 1}) { LONG\n n += k.len() }",
	"set":       "for k in set([\"a\", \"b\"]) { LONG\n n += k.len() }",
	"str":       "for i, c in \"aé\" { LONG\n n += i + c.len() }",
	"bytes":     "for c in b\"ab\" { LONG\n n += c }",
	"chan":      "let c = chan<str>(2)\nc.send(\"a\")\nc.send(\"bc\")\nc.close()\nfor x in c { LONG\n n += x.len() }",
	"iterator":  "for x in [1, 2].iter() { LONG\n n += x }",
	"match":     "match one() { 0 => { LONG }, 1 => { LONG\n n += 1 }, _ => { LONG } }",
	"text":      "match \"b\" { \"a\" => { LONG }, \"b\" => { LONG\n n += 1 }, _ => { LONG } }",
	"enum":      "match pick(n) { Dot => { LONG }, Line(a) => { LONG\n n += a }, Text(s) => { LONG\n n += s.len() } }",
	"type":      "let v: any = \"x\"\nmatch v { i: int => { LONG\n n += i }, s: str => { LONG\n n += s.len() }, _ => { LONG } }",
	"optional":  "let o: str? = \"x\"\nif let s = o { LONG\n n += s.len() } else { LONG }\nif o == none { LONG } else { n += o.len() }",
	"try":       "for x in [\"a\", \"b\"] { try { LONG\n if x == \"a\" { continue }\n throw error(x) } catch e { LONG\n n += e.message().len()\n break } }",
	"defer":     "for x in [\"a\"] { if x == \"b\" { return }\n LONG\n n += x.len() }\ndefer print(\"deferred\")",
	"select":    "let c = chan<str>(1)\nc.send(\"a\")\nselect { let x = c.recv() => { LONG\n n += 1 }, after 1h => { LONG } }",
	"generator": "let g = || -> Iterator<int> { for i in 0..3 { if i == 1 { continue }\n LONG\n try { yield i\n LONG\n yield i + 10 } catch e { } } }\nfor x in g() { n += x }",
	"lock":      "let m = mutex(\"a\")\nfor x in [\"q\"] { lock m as v { LONG\n if v == \"b\" { break }\n v += x }\n LONG }\nlock m as v { n += v.len() }",
}

// Code whose jumps do not fit into one instruction does the same, and passes as a
// compiled file.
func TestJumpsReachAsFarAsTheyMust(t *testing.T) {
	rt := runnel.MustNew()
	for name, body := range farJumps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			short, long := runFar(t, rt, body, 1), runFar(t, rt, body, 1500)
			if short != long {
				t.Errorf("%s where the short program gives %s", long, short)
			}
		})
	}
}

func runFar(t *testing.T, rt *runnel.Runtime, body string, times int) string {
	t.Helper()
	long := strings.Repeat("waste = waste * 3 + one()\n", times)
	src := "enum Shape { Dot, Line(a: int), Text(s: str) }\nfn pick(n: int) -> Shape { if n == 0 { Text(\"abc\") } else { Dot } }\n" +
		"fn one() -> int { 1 }\nfn yes() -> bool { one() == 1 }\nfn f() {\nvar n = 0\nvar waste = 0\n" + strings.ReplaceAll(body, "LONG", long) + "\nprint(n)\n}\nf()\n"
	p, err := rt.Compile("far.rnl", src)
	if err != nil {
		t.Fatalf("%d times: %.500v", times, err)
	}
	q, err := rt.Decode(p.Encode())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := q.With(runnel.WithHost(runnel.Host{Stdout: &out})).NewInstance().Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(out.String(), "\n", " ")
}
