package hostile_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// script may import all modules, and reaches nothing.
var script = runneltest.Runner{Modules: all.Modules()}

// endless programs use up one of their limits. Each is a body; what it needs is
// declared in endlessDecls.
var endless = map[string]struct{ body, limit string }{
	"loop":                {"while true {}", "steps"},
	"loop with a body":    {"var n = 0\nloop { n += 1 }", "steps"},
	"empty range":         {"for i in 0..9223372036854775807 {}", "steps"},
	"iterator":            {"for i in Forever() {}", "steps"},
	"loop in a closure":   {"let f = || { loop {} }\nf()", "steps"},
	"loop in a callback":  {"[1].each(|x| { loop {} })", "steps"},
	"live list":           {"let xs = [1]\nfor x in xs { xs.push(x) }", "memory"},
	"direct recursion":    {"print(down(1))", "stack"},
	"mutual recursion":    {"print(even(1))", "stack"},
	"closure recursion":   {"let xs: [fn(int) -> int] = []\nxs.push(|n| xs[0](n + 1) + 1)\nprint(xs[0](1))", "stack"},
	"interface recursion": {"let v: Deep = Echo()\nprint(v.dive(1))", "stack"},
	"default recursion":   {"let v: Deep = Echo()\nprint(v.again(1))", "stack"},
	"method recursion":    {"print(Echo().dive(1))", "stack"},
	"deferred recursion":  {"later(1)", "stack"},
	"callback recursion":  {"let fs: [fn(int) -> int] = []\nfs.push(|n| [n].map(fs[0]).len())\nprint(fs[0](1))", "stack"},
	"bound recursion":     {"let e = Echo()\nlet f = e.dive\nprint(f(1))", "stack"},
	"sort recursion":      {"print(sorter(1))", "stack"},
	"message recursion":   {"print(Talker().message())", "stack"},
	"generic recursion":   {"print(forever(1))", "stack"},
	"list":                {"let xs: [int] = []\nloop { xs.push(1) }", "memory"},
	"list of lists":       {"let xs: [[int]] = []\nloop { xs.push([1, 2, 3]) }", "memory"},
	"list of bools":       {"let xs: [bool] = []\nloop { xs.push(true) }", "memory"},
	"list of any":         {"let xs: [any] = []\nvar i = 0\nloop {\n  xs.push(i)\n  i += 1\n}", "memory"},
	"doubled list":        {"let xs = [1]\nloop { xs.extend(xs) }", "memory"},
	"map":                 {"let m = map<int, int>()\nvar i = 0\nloop {\n  m[i] = i\n  i += 1\n}", "memory"},
	"map of texts":        {"let m = map<str, str>()\nvar i = 0\nloop {\n  m[str(i)] = str(i)\n  i += 1\n}", "memory"},
	"set":                 {"let m = set<int>()\nvar i = 0\nloop {\n  let _ = m.add(i)\n  i += 1\n}", "memory"},
	"text":                {"var s = \"ab\"\nloop { s += s }", "memory"},
	"text bit by bit":     {"var s = \"a\".repeat(100_000)\nlet all: [str] = []\nloop {\n  s += \"a\"\n  all.push(s)\n}", "memory"},
	"interpolated text":   {"var s = \"ab\"\nloop { s = \"${s} ${s}\" }", "memory"},
	"padded text":         {"let all: [str] = []\nlet n = 7\nloop { all.push(\"${n:>9000}\") }", "memory"},
	"printed text":        {"var xs: [any] = [1]\nloop { xs = [str(xs), str(xs)] }", "memory"},
	"buffer":              {"let b = buffer()\nloop { b.write(\"0123456789\") }", "memory"},
	"closures":            {"let fs: [fn() -> int] = []\nvar i = 0\nloop {\n  let k = i\n  fs.push(|| k)\n  i += 1\n}", "memory"},
	"cells":               {"let fs: [fn()] = []\nloop {\n  var k = 0\n  fs.push(|| k += 1)\n}", "memory"},
	"objects":             {"var head: Link? = none\nloop { head = Link(head) }", "memory"},
	"enums":               {"var head = Chain.End\nloop { head = Chain.More(head) }", "memory"},
	"tuples":              {"let xs: [(int, str)] = []\nloop { xs.push((1, \"a\")) }", "memory"},
	"boxed optionals":     {"let xs: [int??] = []\nlet inner: int? = 1\nloop { xs.push(inner) }", "memory"},
	"captured chain":      {"var f: fn() -> int = || 0\nloop {\n  let g = f\n  f = || g() + 1\n}", "memory"},
	"defers":              {"pile(0)", "memory"},
	"repeated text":       {"print(\"x\".repeat(1 << 40).len())", "memory"},
	"repeated list":       {"print([1].repeat(1 << 40).len())", "memory"},
	"repeated to the end": {"print(\"xyz\".repeat(9223372036854775807).len())", "memory"},
	"padded to the end":   {"print(\"x\".pad_left(1 << 50).len())", "memory"},
	"reserved list":       {"let xs = [1]\nxs.reserve(1 << 50)", "memory"},
	"range to a list":     {"print((0..1 << 40).to_list().len())", "memory"},
	"chunks of chunks":    {"var xs: [any] = [1, 2, 3]\nloop { xs = [xs, xs.copy(), xs.repeat(3)] }", "memory"},
	"nested data":         {"var x: any = 1\nlet keep: [any] = []\nloop {\n  x = [x]\n  keep.push(x)\n}", "memory"},
}

const endlessDecls = `
struct Forever { n: int = 0
  fn next() -> int? {
    self.n += 1
    self.n
  }
}
fn down(n: int) -> int { down(n + 1) + 1 }
fn even(n: int) -> bool { !odd(n + 1) }
fn odd(n: int) -> bool { !even(n + 1) }
interface Deep { fn dive(n: int) -> int
  fn again(n: int) -> int { self.again(n + 1) + 1 }
}
struct Echo { fn dive(n: int) -> int {
    let v: Deep = self
    v.dive(n + 1) + 1
  }
}
fn later(n: int) { defer later(n + 1) }
fn touch(n: int) {}
fn pile(n: int) {
  var i = n
  loop {
    defer touch(i)
    i += 1
  }
}
fn sorter(n: int) -> int { [2, 1].sort_by(|x| sorter(n + x))[0] }
struct Talker { fn message() -> str { "${error(self.message()).message()}!" } }
fn forever<T>(x: T) -> T { pass(forever(x)) }
fn pass<T>(x: T) -> T { x }
struct Link { next: Link? }
enum Chain { End, More(next: Chain) }
`

// ways to meet a limit: as it comes, with a catch around it, and with a defer.
var around = map[string]string{
	"bare":       "$\nprint(\"after\")",
	"in a try":   "try {\n$\n} catch e { print(\"caught\", e.message()) }\nprint(\"after\")",
	"in tries":   "fn work() -> int {\n  try {\n    try {\n$\n    } catch e { print(\"caught\") }\n  } catch e: Error { print(\"caught\") }\n  1\n}\nlet got = try { work() } catch e { 2 }\nprint(\"after\", got)",
	"with defer": "fn work() {\n  defer print(\"deferred\")\n  defer { try { throw error(\"x\") } catch e { print(\"inner\") } }\n$\n}\nwork()\nprint(\"after\")",
}

// Each endless program ends with the error of its limit, which nothing
// catches, and takes little more memory than it may.
func TestEndlessProgramsEnd(t *testing.T) {
	limits := runnel.Limits{Memory: 16 << 20, Steps: int64(longtest.Of(20_000_000, 200_000_000)), Stack: 100_000}
	for name, c := range longtest.SampleOf(endless, 6) {
		t.Run(name, func(t *testing.T) {
			for how, frame := range around {
				limits := limits
				if c.limit == "steps" {
					limits.Steps = 2_000_000
				}
				src := endlessDecls + strings.ReplaceAll(frame, "$", c.body)
				peak := heapPeak(func() {
					o := script.Compile(t, src).Run(t, runnel.WithLimits(limits))
					var e *runnel.Error
					require.ErrorAs(t, o.Err, &e, how)
					assert.NotZero(t, e.Limit, "%s: %v", how, o.Err)
					assert.Contains(t, e.Message, map[string]string{"steps": "steps", "memory": "memory", "stack": "stack"}[c.limit], how)
					want := ""
					if how == "with defer" {
						want = "inner\ndeferred\n"
					}
					assert.Equal(t, want, o.Printed, how)
				})
				// A text under construction is copied as it grows, and the collector is
				// always a little behind.
				assert.Less(t, peak, uint64(4*limits.Memory), how)
			}
		})
	}
}

// heapPeak is how much f let the heap grow at most.
func heapPeak(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, peak := m.HeapAlloc, m.HeapAlloc
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}
		}
	}()
	f()
	close(stop)
	<-done
	return peak - before
}

// A program that runs without limits meets a clean error at whatever point one
// of its budgets ends.
func TestEveryBudgetEndsCleanly(t *testing.T) {
	src := endlessDecls + `
let xs = [5, 3, 9, 1].map(|x| x * 2).filter(|x| x > 2)
let m = {"a": [1], "b": [2, 3]}
for k, v in m { m[k] = v.map(|x| x + 1) }
fn f(n: int) -> str {
  defer { try { throw error("in ${n}") } catch e { let _ = e.message() } }
  if n == 0 { "" } else { f(n - 1) + "${n:>3}," }
}
var total = 0
let add = |n: int| { total += n }
xs.each(add)
let list: [any] = [1, "a", xs, m, Link(Link(none)), Chain.More(Chain.End), (1, 2.5), add]
print(f(10), xs, m, total, list)
print(xs.sort_by(|x| -x), "a,b".split(","), str(list).len(), [1, 2].iter().map(|x| x + 1).to_list())
try { print(xs[10]) } catch e { print(e.message()) }
let b = buffer()
b.write("text")
print(b, set([1, 2, 1]), m.entries(), list == [list], "äö".upper().chars())
`
	p := script.Compile(t, src)
	whole := p.Run(t)
	require.NoError(t, whole.Err)
	one := func(limits runnel.Limits) bool {
		o := p.Run(t, runnel.WithLimits(limits))
		if o.Err == nil {
			assert.Equal(t, whole.Printed, o.Printed)
			return true
		}
		var e *runnel.Error
		require.True(t, errors.As(o.Err, &e) && e.Limit != 0, "%+v: %v", limits, o.Err)
		require.True(t, strings.HasPrefix(whole.Printed, o.Printed), "%+v: %q", limits, o.Printed)
		return false
	}
	step := func(n int64) int64 { return 1 + n/200 }
	done := 0
	for n := int64(1); done < 3 && n < 1<<30; n += step(n) {
		if one(runnel.Limits{Steps: n}) {
			done++
		}
	}
	done = 0
	for n := int64(1); done < 3 && n < 1<<30; n += 16 * step(n/16) {
		if one(runnel.Limits{Memory: n}) {
			done++
		}
	}
	done = 0
	for n := 1; done < 3 && n < 1<<20; n++ {
		if one(runnel.Limits{Stack: n}) {
			done++
		}
	}
}

// What a host gives counts too: a script that keeps it all does not outgrow its limit.
func TestTextsOfAHostCountForTheMemoryLimit(t *testing.T) {
	rt := runnel.MustNew(runnel.WithLimits(runnel.Limits{Memory: 4 << 20}))
	prog, err := rt.Compile("keep.rnl", "let kept: [str] = []\npub fn keep(text: str) -> int {\n  kept.push(text)\n  kept.len()\n}")
	require.NoError(t, err)
	inst, err := prog.Start(t.Context())
	require.NoError(t, err)
	defer inst.Close()
	keep, err := runnel.Bind1[string, int](inst, "keep")
	require.NoError(t, err)
	text, n := strings.Repeat("x", 10_000), 0
	for ; err == nil && n < 100_000; n++ {
		_, err = keep(t.Context(), text)
	}
	var e *runnel.Error
	require.ErrorAs(t, err, &e)
	require.NotZero(t, e.Limit)
	require.Less(t, n, 10_000, "of 10 kB each")
}
