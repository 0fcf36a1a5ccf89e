package spec

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
)

// conflicts are pairs of statements that race on x when two tasks run them and
// nothing orders these.
var conflicts = []struct{ name, x, a, b string }{
	{"number field", "P()", "x.n = 1", "let _ = x.n"},
	{"number field written twice", "P()", "x.n = 1", "x.n = 2"},
	{"float field", "P()", "x.f = 1.0", "let _ = x.f * 2.0"},
	{"compound assignments", "P()", "x.n += 1", "x.n += 1"},
	{"compound float assignments", "P()", "x.f += 1.0", "x.f -= 1.0"},
	{"reference field", "P()", `x.s = "b"`, "let _ = x.s"},
	{"any field", "P()", "x.a = 2", "let _ = x.a"},
	{"any field that holds a reference", "P()", `x.a = "b"`, "let _ = x.a"},
	{"optional field", "P()", "x.o = 1", "let _ = x.o ?? 0"},
	{"field in a method", "P()", "x.set(1)", "x.set(2)"},
	{"field of what another refers to", "P()", "x.q.m = 1", "let _ = x.q.m"},
	{"field and show", "P()", "x.n = 1", `let _ = "${x}"`},
	{"field and str", "P()", "x.n = 1", `let _ = str(x)`},
	{"deep field and show", "P()", "x.q.m = 1", `let _ = "${x}"`},
	{"deep field and equality", "P()", "x.q.m = 1", `let _ = x == P()`},
	{"deep field in a list and equality", "[Q()]", "x[0].m = 1", `let _ = x == [Q()]`},
	{"deep field in a map and show", `{"a": Q()}`, `x["a"].m = 1`, `let _ = "${x}"`},
	{"deep field in an enum and show", "E.B(Q())", "match x { B(q) => { q.m = 1 }, A => {} }", `let _ = "${x}"`},
	{"deep field and json", "P()", "x.q.m = 1", `let _ = json.encode(x)`},
	{"deep field of any and json", "P()", "x.q.m = 1", `let y: any = x; let _ = json.encode(y)`},
	{"captured variable", "counter()", "x()", "x()"},
	{"variable captured by two", "cell()", "x.0(1)", "let _ = x.1()"},

	{"element", "[1, 2]", "x[0] = 1", "let _ = x[0]"},
	{"element by a variable", "[1, 2]", "let i = x.len() - 1; x[i] = 1", "let i = x.len() - 1; let _ = x[i]"},
	{"bool element", "[true, false]", "x[0] = false", "let _ = x[0]"},
	{"reference element", `["a"]`, `x[0] = "b"`, "let _ = x[0]"},
	{"optional reference element", "opts()", `x[0] = none`, "let _ = x[0]"},
	{"element of both words", "anys()", `x[0] = "b"`, "let _ = x[0]"},
	{"element and loop", "[1, 2]", "x[1] = 1", "for v in x { let _ = v }"},
	{"reference element and loop", `["a"]`, `x[0] = "b"`, "for v in x { let _ = v }"},
	{"element and slice", "[1, 2, 3]", "x[1] = 5", "let _ = x[1..]"},
	{"element and sum", "[1, 2, 3]", "x[1] = 5", "let _ = x.sum()"},
	{"element and sort", "[1, 2, 3]", "let _ = x[1]", "x.sort()"},
	{"element and reverse", "[1, 2, 3]", "let _ = x[1]", "x.reverse()"},
	{"element and swap", "[1, 2, 3]", "let _ = x[1]", "x.swap(0, 1)"},
	{"element and contains", "[1, 2, 3]", "x[0] = 4", "let _ = x.contains(3)"},
	{"element and index_of", "[1, 2, 3]", "x[0] = 4", "let _ = x.index_of(3)"},
	{"element and copy", "[1, 2, 3]", "x[0] = 4", "let _ = x.copy()"},
	{"element and min", "[1, 2, 3]", "x[0] = 4", "let _ = x.min()"},
	{"element and first", "[1, 2, 3]", "x[0] = 4", "let _ = x.first()"},
	{"element and last", "[1, 2, 3]", "x[2] = 4", "let _ = x.last()"},
	{"element and get", "[1, 2, 3]", "x[1] = 4", "let _ = x.get(1)"},
	{"element and take", "[1, 2, 3]", "x[1] = 4", "let _ = x.take(2)"},
	{"element and skip", "[1, 2, 3]", "x[1] = 4", "let _ = x.skip(1)"},
	{"element and map", "[1, 2, 3]", "x[1] = 4", "let _ = x.map(|v| v + 1)"},
	{"element and sort_by", "[1, 2, 3]", "let _ = x[0]", "x.sort_by(|v| -v)"},
	{"element and join", `["a", "b"]`, `x[1] = "c"`, `let _ = x.join(",")`},
	{"element and fill", "[1, 2, 3]", "let _ = x[0]", "x.fill(4)"},
	{"push twice", "[1]", "x.push(1)", "x.push(2)"},
	{"push of bools", "[true]", "x.push(true)", "let _ = x.len()"},
	{"push of references", `["a"]`, `x.push("b")`, "let _ = x[0]"},
	{"push of both words", "anys()", `x.push("b")`, "let _ = x[0]"},
	{"push and len", "[1]", "x.push(1)", "let _ = x.len()"},
	{"push and element", "[1]", "x.push(1)", "x[0] = 1"},
	{"push and loop", "[1]", "x.push(1)", "for v in x { let _ = v }"},
	{"pop and element", "[1, 2]", "let _ = x.pop()", "let _ = x[0]"},
	{"insert and element", "[1, 2]", "x.insert(1, 5)", "let _ = x[0]"},
	{"remove and element", "[1, 2]", "let _ = x.remove(1)", "let _ = x[0]"},
	{"extend and element", "[1, 2]", "x.extend([1])", "let _ = x[0]"},
	{"source of extend", "[1, 2]", "[1].extend(x)", "x[0] = 1"},
	{"clear and len", "[1, 2]", "x.clear()", "let _ = x.len()"},
	{"truncate and len", "[1, 2]", "x.truncate(1)", "let _ = x.len()"},

	{"map entries", `{"a": 1}`, `x["a"] = 2`, `let _ = x["a"]`},
	{"map insertions", `{"a": 1}`, `x["b"] = 2`, `x["c"] = 3`},
	{"map insertion and has", `{"a": 1}`, `x["b"] = 2`, `let _ = x.has("a")`},
	{"map insertion and get", `{"a": 1}`, `x["b"] = 2`, `let _ = x.get("a")`},
	{"map insertion and loop", `{"a": 1}`, `x["a"] = 2`, `for k, v in x { let _ = (k, v) }`},
	{"map insertion and len", `{"a": 1}`, `x["b"] = 2`, `let _ = x.len()`},
	{"map removal and keys", `{"a": 1}`, `let _ = x.remove("a")`, `let _ = x.keys()`},
	{"map update and copy", `{"a": 1}`, `x.update({"b": 1})`, `let _ = x.copy()`},
	{"source of a map update", `{"a": 1}`, `let y = {"b": 1}; y.update(x)`, `x["a"] = 2`},
	{"map clear and show", `{"a": 1}`, `x.clear()`, `let _ = "${x}"`},
	{"map compound assignments", `{"a": 1}`, `x["a"] += 1`, `x["a"] += 1`},
	{"set additions", "set<int>()", "let _ = x.add(1)", "let _ = x.add(2)"},
	{"set addition and has", "set<int>()", "let _ = x.add(1)", "let _ = x.has(2)"},
	{"set removal and union", "set<int>()", "let _ = x.remove(1)", "let _ = x.union(x)"},
	{"set addition and loop", "set<int>()", "let _ = x.add(1)", "for v in x { let _ = v }"},

	{"buffer writes", "buffer()", `x.write("a")`, `x.write("b")`},
	{"buffer push and len", "buffer()", `x.push(1)`, `let _ = x.len()`},
	{"buffer bytes", "filled()", `x.set(0, 1)`, `let _ = x.get(0)`},
	{"buffer byte and to_bytes", "filled()", `x.set(0, 1)`, `let _ = x.to_bytes()`},
}

// fits are pairs of statements that do not race.
var fits = []struct{ name, x, a, b string }{
	{"two fields", "P()", "x.n = 1", "x.f = 1.0"},
	{"two readers", "P()", "let _ = x.n", `let _ = "${x}"`},
	{"two elements", "[1, 2]", "x[0] = 1", "x[1] = 1"},
	{"elements and a length", "[1, 2]", "x[0] = 1", "let _ = x.len()"},
	{"swaps of different elements", "[1, 2, 3, 4]", "x.swap(0, 1)", "x.swap(2, 3)"},
	{"an element and a slice without it", "[1, 2, 3, 4]", "x[0] = 5", "let _ = x[2..]"},
	{"an element and a take without it", "[1, 2, 3, 4]", "x[3] = 5", "let _ = x.take(2)"},
	{"an element and the last", "[1, 2, 3, 4]", "x[0] = 5", "let _ = x.last()"},
	{"an element that is an object", "[Q()]", "x[0].m = 1", "let _ = x[0]"},
	{"an object put into a list", "Q()", "x.m = 1", "let _ = [x]"},
	{"an object put into a map", "Q()", "x.m = 1", `let y = map<str, Q>(); y["a"] = x`},
	{"reading maps", `{"a": 1}`, `let _ = x["a"]`, `for k, v in x { let _ = (k, v) }`},
	{"buffer bytes", "filled()", "x.set(0, 1)", "x.set(1, 1)"},
	{"a shared regex", `re.compile("a+")`, `let _ = x.matches("a")`, `let _ = x.matches("b")`},
	{"a shared generator", "rand.new(1)", "let _ = x.int(0, 9)", "let _ = x.int(0, 9)"},
	{"an atomic", "sync.atomic(0)", "x.add(1)", "x.add(1)"},
	{"an atomic with a store", "sync.atomic(0)", "x.store(1)", "let _ = x.load()"},
	{"sends", "chan<int>(2)", "x.send(1)", "x.send(2)"},
	{"closing", "chan<int>(2)", "x.close()", "let _ = x.recv()"},
	{"identity", "P()", "x.n = 1", "let _ = same(x, x)"},
}

const kinds = `import json
import rand
import re
import sync
struct Q { m: int = 0 }
struct P {
  n: int = 0, f: float = 0.0, s: str = "", a: any = 1, o: int? = none, q: Q = Q()
  fn set(n: int) { self.n = n }
}
enum E { A, B(q: Q) }
fn counter() -> fn() { var n = 0; || { n += 1 } }
fn cell() -> (fn(int), fn() -> int) { var n = 0; (|v: int| { n = v }, || n) }
fn opts() -> [str?] { ["a", none] }
fn anys() -> [any] { [1, "a"] }
fn filled() -> buffer { let b = buffer(); b.write("abc"); b }
let x = %s
let keep = (json.encode(1), rand.new(1), re.compile("a"), sync.atomic(1))
`

// Schedules of two statements.
var (
	unordered = kinds + "let t = spawn { %s }\nlet u = spawn { %s }\nawait t\nawait u\n"
	orders    = map[string]string{
		"await":            kinds + "let t = spawn { %s }\nawait t\nlet u = spawn { %s }\nawait u\n",
		"lock":             kinds + "let m = mutex(0)\nlet t = spawn { lock m as _n { %s } }\nlet u = spawn { lock m as _n { %s } }\nawait t\nawait u\n",
		"channel":          kinds + "let c = chan<int>()\nlet t = spawn { %s; c.send(1) }\nlet u = spawn { let _ = c.recv(); %s }\nawait t\nawait u\n",
		"buffered channel": kinds + "let c = chan<int>(1)\nc.send(0)\nlet t = spawn { %s; let _ = c.recv() }\nlet u = spawn { c.send(1); %s }\nawait t\nawait u\n",
		"close":            kinds + "let c = chan<int>()\nlet t = spawn { %s; c.close() }\nlet u = spawn { for _ in c {}; %s }\nawait t\nawait u\n",
		"select":           kinds + "let c = chan<int>()\nlet t = spawn { %s; select { c.send(1) => {} } }\nlet u = spawn { select { let _v = c.recv() => {} }; %s }\nawait t\nawait u\n",
		"scope":            kinds + "scope { spawn { %s } }\nlet u = spawn { %s }\nawait u\n",
		"atomic":           kinds + "let f = sync.atomic_bool(false)\nlet t = spawn { %s; f.store(true) }\nlet u = spawn { while !f.load() { yield_now() }; %s }\nawait t\nawait u\n",
		"done":             kinds + "let t = spawn { %s }\nlet u = spawn { while !t.done() { yield_now() }; %s }\nawait u\n",
		"cancel":           kinds + "let c = chan<int>()\nlet u = spawn { try { let _ = c.recv() } catch e: Cancelled { %s } }\nsleep(1s)\n%s\nu.cancel()\nsleep(1s)\n",
	}
)

// Library functions order too; these are tried with fewer conflicts.
var libraryOrders = map[string]string{
	"rwlock":           "let l = sync.rwlock(0)\nlet t = spawn { l.write(|_v| { %s }) }\nlet u = spawn { l.write(|_v| { %s }) }\nawait t\nawait u\n",
	"rwlock reader":    "let l = sync.rwlock(0)\nlet t = spawn { l.write(|_v| { %s }) }\nlet u = spawn { l.read(|_v| { %s }) }\nawait t\nawait u\n",
	"semaphore":        "let l = sync.semaphore(1)\nlet t = spawn { l.with(|| { %s }) }\nlet u = spawn { l.with(|| { %s }) }\nawait t\nawait u\n",
	"latch":            "let l = sync.latch(1)\nlet t = spawn { %s; l.count_down() }\nlet u = spawn { l.wait(); %s }\nawait t\nawait u\n",
	"open latch":       "let l = sync.latch(1)\nlet t = spawn { %s; l.count_down() }\nlet u = spawn { while !l.is_open() { yield_now() }; %s }\nawait t\nawait u\n",
	"barrier":          "let l = sync.barrier(2)\nlet t = spawn { %s; let _ = l.wait() }\nlet u = spawn { let _ = l.wait(); %s }\nawait t\nawait u\n",
	"once":             "let l = sync.once(|| { %s; 1 })\nlet t = spawn { let _ = l.get(); 0 }\nlet u = spawn { let _ = l.get(); %s }\nlet _ = await t\nawait u\n",
	"compare and swap": "let f = sync.atomic(0)\nlet t = spawn { %s; f.add(1) }\nlet u = spawn { while !f.compare_and_swap(1, 2) { yield_now() }; %s }\nlet _ = await t\nawait u\n",
	"await_any":        "let t = spawn { %s }\nlet u = spawn { await_any([t]); %s }\nawait u\n",
	"await_all":        "let t = spawn { %s }\nlet u = spawn { let _ = await_all([t]); %s }\nawait u\n",
	"race":             "let t = spawn { let _ = race([|| { %s; 1 }]); 0 }\nlet _ = await t\n%s\n",
	"timeout":          "timeout(1s, || { let t = spawn { %s }; await t })\n%s\n",
	"time is over":     "try { timeout(1s, || { try { sleep(1h) } catch e: Cancelled { %s; throw e } }) } catch e: Timeout { %s }\n",
	"failed scope":     "try { scope { spawn { %s; throw error(\"x\") }; sleep(1h) } } catch e { %s }\n",
	"failed sibling":   "try { scope { spawn { try { sleep(1h) } catch e: Cancelled { %[3]s; throw e } }; spawn { yield_now(); %[2]s; throw error(\"x\") }; sleep(1h) } } catch _e {}\n",
	"failed task":      "let t = spawn { %s; throw error(\"x\") }\ntry { await t } catch _e { %s }\n",
	"defer":            "let t = spawn { defer { %s }; let _ = 1 }\nawait t\n%s\n",
	"try_lock":         "let m = mutex(0)\nlet t = spawn { lock m as _n { %s } }\nlet u = spawn { while !m.try_lock(|_n| { %s }) { yield_now() } }\nawait t\nawait u\n",
	"try_send":         "let c = chan<int>(1)\nlet t = spawn { %s; let _ = c.try_send(1) }\nlet u = spawn { let _ = c.recv(); %s }\nawait t\nawait u\n",
	"try_recv":         "let c = chan<int>(1)\nlet t = spawn { %s; c.send(1) }\nlet u = spawn { while c.try_recv() == none { yield_now() }; %s }\nawait t\nawait u\n",
	"is_closed":        "let c = chan<int>(1)\nlet t = spawn { %s; c.close() }\nlet u = spawn { while !c.is_closed() { yield_now() }; %s }\nawait t\nawait u\n",
	"select of many":   "let c = chan<int>()\nlet d = chan<int>(1)\nlet t = spawn { %s; select { c.send(1) => {}, d.send(1) => {} } }\nlet u = spawn { select { let _v = c.recv() => {}, let _v = d.recv() => {} }; %s }\nawait t\nawait u\n",
	"chain of tasks":   "let a = spawn { %s }\nlet b = spawn { await a }\nlet c = spawn { await b }\nawait c\n%s\n",
}

// noOrders look as if they ordered what they do not.
var noOrders = map[string]string{
	"sleep":           "let t = spawn { %s }\nlet u = spawn { sleep(1h); %s }\nawait t\nawait u\n",
	"two locks":       "let m = mutex(0)\nlet l = mutex(0)\nlet t = spawn { lock m as _n { %s } }\nlet u = spawn { sleep(1s); lock l as _n { %s } }\nawait t\nawait u\n",
	"lock of one":     "let m = mutex(0)\nlet t = spawn { lock m as _n { %s } }\nlet u = spawn { %s }\nawait t\nawait u\n",
	"room for a send": "let c = chan<int>(2)\nc.send(0)\nlet t = spawn { %s; let _ = c.recv() }\nlet u = spawn { sleep(1s); c.send(1); %s }\nawait t\nawait u\n",
	"other channel":   "let c = chan<int>(1)\nlet d = chan<int>(1)\nlet t = spawn { %s; c.send(1) }\nlet u = spawn { sleep(1s); d.send(1); %s }\nawait t\nawait u\n",
	"readers":         "let l = sync.rwlock(0)\nlet t = spawn { l.read(|_v| { sleep(1s); %s }) }\nlet u = spawn { l.read(|_v| { sleep(1s); %s }) }\nawait t\nawait u\n",
	"after the send":  "let c = chan<int>(1)\nlet t = spawn { c.send(1); %s }\nlet u = spawn { let _ = c.recv(); sleep(1s); %s }\nawait t\nawait u\n",
	"same regex":      "let r = re.compile(\"a\")\nlet t = spawn { %s; let _ = r.matches(\"a\") }\nlet u = spawn { sleep(1s); let _ = r.matches(\"a\"); %s }\nawait t\nawait u\n",
	"task local":      "let l = task_local(0)\nlet t = spawn { %s; let _ = l.get() }\nlet u = spawn { sleep(1s); let _ = l.get(); %s }\nawait t\nawait u\n",
	"nobody awaits":   "let t = spawn { %s }\nsleep(1s)\n%s\nawait t\n",
}

func TestLibraryOrders(t *testing.T) {
	for name, order := range libraryOrders {
		t.Run(name, func(t *testing.T) {
			for i := 0; i < len(conflicts); i += 9 {
				c := conflicts[i]
				for seed := range uint64(3) {
					assert.Empty(t, racesOf(t, fmt.Sprintf(kinds+order, c.x, c.a, c.b), seed), c.name)
				}
			}
		})
	}
}

func TestWhatDoesNotOrder(t *testing.T) {
	for name, order := range noOrders {
		t.Run(name, func(t *testing.T) {
			for i := 0; i < len(conflicts); i += 9 {
				c := conflicts[i]
				for seed := range uint64(3) {
					assert.NotEmpty(t, racesOf(t, fmt.Sprintf(kinds+order, c.x, c.a, c.b), seed), c.name)
				}
			}
		})
	}
}

func racesOf(t *testing.T, src string, seed uint64) []string {
	r, races := runRaces(t, "kinds.rnl", src, expectation{}, seed)
	assert.Empty(t, r.errText, src)
	var texts []string
	for _, race := range races {
		texts = append(texts, race.String())
	}
	return texts
}

func TestConflictsAreRacesUnlessOrdered(t *testing.T) {
	for _, c := range longtest.Sample(conflicts, 3) {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(2) {
				assert.NotEmpty(t, racesOf(t, fmt.Sprintf(unordered, c.x, c.a, c.b), seed), "unordered")
				for name, order := range orders {
					assert.Empty(t, racesOf(t, fmt.Sprintf(order, c.x, c.a, c.b), seed), name)
				}
			}
		})
	}
}

func TestWhatDoesNotConflictDoesNotRace(t *testing.T) {
	for _, c := range fits {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(2) {
				assert.Empty(t, racesOf(t, fmt.Sprintf(unordered, c.x, c.a, c.b), seed))
			}
		})
	}
}
