package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/stdlib/time"
)

// operations are places for an expression of any type, marked N: each is tried with
// one that never has a value.
const operations = `N
print(N)
print(N.x)
print(N.m(1))
print(N?.x)
print(N?.m(1, N))
print(N!)
print(N[0])
print(N[N..1])
print([1][N])
print({1: 2}[N])
print(-N, !N, ~N)
print(N + 1, 1 + N, "a" + N, b"a" + N)
print(N ?? 1, N == 1, 1 == N, none == N, N < N)
print(N is int)
print(N as int)
print(N(1))
print(N(N)(1))
for x in N { print(x) }
for x, y in N { print(x, y) }
for x in 0..N { print(x) }
match N { 1 => print(1), _ => {} }
match N { x => print(x) }
throw N
return N
defer N
print(spawn N(1))
print(await spawn N(1))
print(await spawn N.m(1))
print(await spawn { N })
print(await N)
lock N as v { print(v) }
let (a, b) = N; print(a, b)
let a = [N]; print(a)
let a = (N, 1); print(a)
let (a, b) = (1, N); print(a, b)
let a = {1: N}; print(a)
print(P(N), Light.Green(N))
print("${N} ${N:>5}")
if N { print(1) }
while N { print(1) }
let a = if true { N } else { 1 }; print(a)
let a: int = N; print(a)
let a: any = N; print(a)
let a: int? = N; print(a)
var a = 1; a = N; print(a)
var a = 1; a += N; print(a)
let a = [1]; a[N] = 1
let a = [1]; a[0] = N
let a = [1]; a[0] += N
let a = [1]; a[N] += N
N.x = 1
N[0] = 1
N.x += 1
let p = P(1); p.x = N
let p = P(1); p.x += N
let f = |x: int| N; print(f(1))
print([1].map(|x| N))
scope { N }
timeout N { print(1) }
try { N } catch e { print(N) }
select { N => print(1) }`

// spawned are calls of everything that can be called.
const spawned = `never()
time.now()
"a".len()
[1].map(|x| x)
P(1)
P(1).m()
Light.Green(1)
chan<int>(1)
mutex(1)
map<int, int>()
set([1])
buffer()
bytes("a")
str(1)
str([1, 2])
int(0)
int(2.7)
int(5s)
int(true)
float("1")
float(3)
type_of(1)
same([1], [1])
assert(true)
print(1)
eprint()
(|x| x)(1)
sleep(0s)
min(1, 2)
"1".parse<int>()
error("a")
time?.now()
Light?.Green(1)`

// Whatever is done with what never has a value, and whatever is spawned, compiles or
// is a mistake of the program, and never one of the compiler.
func TestNoProgramIsAMistakeOfTheCompiler(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(time.Module))
	try := func(stmt string) {
		src := "import time\nenum Light { Red, Green(n: int) }\nstruct P { x: int\n  fn m() -> int { 1 }\n}\n" +
			"fn never() -> never { throw error(\"x\") }\nfn f() {\n  " + stmt + "\n}\nf()\n"
		checked := rt.Check("never.rnl", src)
		if checked.Failed() {
			return
		}
		if _, err := rt.Compile("never.rnl", src); err != nil {
			for _, d := range err.(*runnel.CompileError).Diags {
				if d.Code == diag.CompilerDefect {
					t.Errorf("%s: %s", stmt, d.Message)
				}
			}
		}
	}
	for _, stmt := range longtest.Sample(strings.Split(operations, "\n"), 3) {
		for _, n := range []string{"(loop {})", "never()", "(|| never())()", "(if true { never() } else { never() })", "(match 1 { _ => never() })"} {
			try(strings.ReplaceAll(stmt, "N", n))
		}
	}
	for _, call := range longtest.Sample(strings.Split(spawned, "\n"), 3) {
		for _, form := range []string{"spawn %s", "print(await spawn %s)", "let t = spawn %s\n  print(await t)", "scope { spawn %s }", "spawn detached %s", "print(%s)", "let g = || %s\n  print(g())"} {
			try(fmt.Sprintf(form, call))
		}
	}
}
