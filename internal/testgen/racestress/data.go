package racestress

// dataSubjects are structs, closures, text and buffers.
func dataSubjects() []Subject {
	return []Subject{fieldSubject, nestedSubject, cellSubject, textSubject, bufferSubject, iteratorSubject, treeSubject, genericSubject}
}

var fieldSubject = Subject{
	Name: "struct fields",
	Decls: anyDecls + "\n" + shapeDecls + `
fn some<U>(x: U) -> U? { x }
interface Named { fn name() -> str }
struct Dog { age: int
  fn name() -> str { "s${self.age}" }
}
enum Cat { Kitten, Grown(n: int)
  fn name() -> str { match self { Kitten => "s", Grown(n) => "s${n}" } }
}
struct All {
  n: int = 0, f: float = 0.0, b: bool = false, d: duration = 0s, u: () = ()
  s: str = "s", y: bytes = b"s", a: any = 1, e: Shape = Shape.Dot
  oi: int? = none, os: str? = none, oo: float?? = none, oa: Shape? = none
  t: (int, str) = (0, "s0"), ot: (int, str)? = none
  fs: fn(int) -> int = |n| n
  i: Named = Cat.Kitten
  xs: [int] = [], self_ref: All? = none
  fn describe() -> str { "${self.n} ${self.s} ${self.e}" }
}
fn all_sound(x: All) -> bool {
  x.s.starts_with("s") && x.y.starts_with(b"s") && any_ok(x.a) && x.e.sound() && (x.os ?? "s").starts_with("s") && tuple_sound(x.t) && x.i.name().starts_with("s")
}
fn tuple_sound(t: (int, str)?) -> bool { if let (n, s) = t { s == "s${n}" } else { true } }`,
	Fields: "  x: All = All()\n  y: All = All()",
	Ops: []string{
		"s.x.n = n", "s.x.n += 1", "s.x.f = float(n)", "s.x.f *= 1.5", "s.x.b = n > 20", "s.x.d = 1s * n", "s.x.u = ()",
		`s.x.s = "s${n}"`, `s.x.s += "x"`, `if s.x.s.len() > 50 { s.x.s = "s" }`, `s.x.y = "s${n}".bytes()`,
		"s.x.a = any_of(n)", "s.x.a = n", "s.x.a = \"s${n}\"", "s.x.a = float(n)", "demand(any_ok(s.x.a), \"any\", s)", "let _ = s.x.a is str", "let _ = s.x.a.type_name()",
		"s.x.e = shape(n)", "s.x.e = Dot", "demand(s.x.e.sound(), \"enum\", s)",
		"s.x.e = if n % 2 == 0 { Shape.Pair(s.x.e, s.y.e) } else { Shape.Dot }", "if \"${s.x.e}\".len() > 400 { s.x.e = Dot }",
		"s.x.oi = n", "s.x.oi = none", "let _ = (s.x.oi ?? 3) + 1", "if let v = s.x.oi { s.y.n = v }", `s.x.os = "s${n}"`, "s.x.os = none",
		`if let v = s.x.os { demand(v.starts_with("s"), "optional", s) }`, "s.x.oo = some(some(float(n)))", "s.x.oo = some(none)", "s.x.oo = none",
		"if let v = s.x.oo { if let w = v { s.x.f = w } }", "s.x.oa = shape(n)", "s.x.oa = none", `if let e = s.x.oa { demand(e.sound(), "optional enum", s) }`,
		`s.x.t = (n, "s${n}")`, "let (a, b) = s.x.t\ndemand(b == \"s${a}\", \"tuple\", s)", `s.x.ot = (n, "s${n}")`, "s.x.ot = none", `demand(tuple_sound(s.x.ot), "optional tuple", s)`,
		"s.x.fs = |k| k + n", "let k = n\ns.x.fs = |_k| k", `s.x.n = s.x.fs(n)`, "s.x.i = Dog(n)", "s.x.i = Cat.Kitten", "s.x.i = Cat.Grown(n)", `demand(s.x.i.name().starts_with("s"), "interface", s)`,
		"let i = s.x.i\nmatch i { d: Dog => { d.age = n }, _ => {} }",
		"s.x.xs = [n]", "s.x.xs.push(n)", "s.x.xs = s.y.xs", "if s.x.xs.len() > 50 { s.x.xs = [] }",
		"s.x.self_ref = s.x", "s.x.self_ref = s.y", "s.x.self_ref = none", "let _ = s.x.self_ref?.n ?? 0", "s.x.self_ref?.describe()",
		"s.x = All()", "let x = s.x\ns.x = s.y\ns.y = x", "demand(all_sound(s.x), \"all\", s)", "let _ = \"${s.x}\"", "str((s.x, s.y))",
		"let x: any = s.x\nlet y: any = s.y\nlet _ = x == y", "s.x.describe()", "s.x.s.upper()", "s.y.s = s.x.s", "s.y.a = s.x.a", "s.y.e = s.x.e", "s.y.t = s.x.t", "s.y.os = s.x.os",
		"match s.x.e { Named(name, k) => demand(name == \"s${k}\", \"match\", s), _ => {} }",
		"match s.x.a { t: str => demand(t.starts_with(\"s\"), \"match\", s), k: int => { s.y.n = k }, _ => {} }",
		"match (s.x.oi, s.x.os) { (none, none) => {}, (k: int, _) => { s.y.n = k }, _ => {} }",
	},
}

var nestedSubject = Subject{
	Name: "objects in tuples, enums and optionals",
	Decls: `enum Holder { Nothing, List(xs: [str]), Map(m: map<int, str>), Both(xs: [str], inner: Holder)
  fn list() -> [str] { match self { List(xs) => xs, Both(xs, _) => xs, _ => [] } }
}
fn fresh(n: int) -> [str] { ["s${n}", "s${n + 1}"] }`,
	Fields: `  t: ([str], map<int, str>, any) = (["s"], {1: "s"}, 1)
  h: Holder = Nothing
  o: [str]? = none
  oo: ([str], int?)? = none
  rows: [([str], int)] = [(["s"], 1)]
  byname: map<str, ([str], Holder)> = map<str, ([str], Holder)>()`,
	Ops: []string{
		`s.t.0.push("s${n}")`, "s.t.0.pop()", "s.t.0.sort()", `s.t.1[n] = "s${n}"`, "s.t.1.remove(n)", "s.t = (fresh(n), {n: \"s\"}, n)", "s.t = (s.t.0, s.t.1, s.t.0)",
		"for x in s.t.0 { demand(x.starts_with(\"s\"), \"tuple\", s) }", "for _k, x in s.t.1 { demand(x.starts_with(\"s\"), \"tuple\", s) }", "if s.t.0.len() > 50 { s.t.0.clear() }",
		"s.h = List(fresh(n))", "s.h = Map({n: \"s${n}\"})", "s.h = Both(s.t.0, Holder.List(fresh(n)))", "s.h = Nothing", "s.h = Both(fresh(n), Holder.Map(s.t.1))",
		`s.h.list().push("s${n}")`, "for x in s.h.list() { demand(x.starts_with(\"s\"), \"enum\", s) }", "s.h.list().pop()",
		"match s.h { Both(xs, List(ys)) => xs.extend(ys), Map(m) => { m[n] = \"s\" }, _ => {} }",
		"s.o = fresh(n)", "s.o = none", "s.o = s.t.0", `if let xs = s.o { xs.push("s${n}") }`, "s.o?.pop()", "demand((s.o ?? []).all(|x| x.starts_with(\"s\")), \"optional\", s)",
		"s.oo = (fresh(n), n)", "s.oo = (s.t.0, none)", "s.oo = none", "if let (xs, k) = s.oo { demand(xs.len() > -1 && (k ?? 0) < 40, \"pair\", s) }",
		"s.rows.push((fresh(n), n))", "s.rows.pop()", "s.rows[0].0.push(\"s\")", "s.rows[0] = (s.t.0, n)", "s.rows.sort_by(|r| r.1)", "if s.rows.len() > 20 { s.rows.truncate(2) }",
		`s.byname["s${n}"] = (fresh(n), s.h)`, `s.byname.remove("s${n}")`, `s.byname["s${n}"].0.push("s")`, "for _k, v in s.byname { demand(v.0.len() > -1, \"map\", s) }", "if s.byname.len() > 20 { s.byname.clear() }",
		"let _ = s.t == s.t", "let _ = \"${s.t} ${s.h} ${s.o} ${s.oo}\"", "let _ = \"${s.rows} ${s.byname}\"", "json.encode((s.t.0, s.o, s.oo, s.rows))", "let _ = s.h == Holder.List(s.t.0)",
	},
	After: "if s.t.0.len() > 200 { s.t.0.clear() }",
}

var cellSubject = Subject{
	Name: "closures that share variables",
	Decls: anyDecls + `
struct Cells {
  add: fn(int) -> int, text: fn(str) -> str, mixed: fn(any) -> any, items: fn(int) -> [int], missing: fn(int?) -> int?, swap: fn(fn() -> int) -> fn() -> int
}
fn cells() -> Cells {
  var n = 0
  var t = "s"
  var a: any = 1
  var xs = [1]
  var o: int? = none
  var f: fn() -> int = || n
  Cells(
    |k| { n += k; n },
    |x| { t = if t.len() > 60 { "s" } else { t + x }; t },
    |x| { let old = a; a = x; old },
    |k| { if k % 4 == 0 { xs = [k] } else { xs.push(k) }; if xs.len() > 40 { xs = [] }; xs },
    |x| { let old = o; o = x; old },
    |g| { let old = f; f = g; old })
}`,
	Fields: "  c: Cells = cells()",
	Ops: []string{
		"s.c.add(n)", "s.c.add(-n)", `demand(s.c.text("x").starts_with("s"), "text", s)`, `s.c.text("yy")`, "demand(any_ok(s.c.mixed(any_of(n))), \"any\", s)",
		"s.c.mixed(n)", "s.c.mixed(\"s${n}\")", "demand(s.c.items(n).len() < 100, \"list\", s)", "s.c.items(4)", "for x in s.c.items(n) { demand(x < 40, \"element\", s) }",
		"let _ = s.c.missing(n) ?? 0", "s.c.missing(none)", "s.c.swap(|| n)()", "let k = \"s${n}\"\ns.c.swap(|| k.len())()",
		"s.c = cells()", "let f = s.c.add\ns.c.add = |k| f(k % 7)\nif n < 10 { s.c.add = |k| k }", "let f = s.c.text\nspawn { f(\"z\") }",
		"let c = s.c\nlet t = spawn { c.add(1) + c.items(1).len() }\nawait t", "let _ = \"${s.c}\"", "let _ = s.c == s.c", "[1, 2, 3].map(s.c.add)", "[3, 1, 2].sort_by(s.c.add)",
		"[1, 2, 3, 4].filter(|x| s.c.add(x) % 2 == 0)",
	},
}

var textSubject = Subject{
	Name:  "text in fields",
	Decls: `fn ascii(t: str) -> bool { t.len() == t.char_count() }`,
	Fields: `  a: str = "abc"
  b: str = "xyz"
  y: bytes = b"abc"
  parts: [str] = ["a", "b"]`,
	Ops: []string{
		`s.a = "n${n}"`, `s.a += "q"`, `s.a = s.a + s.b`, `s.b = s.a.upper()`, `s.b = s.a.lower()`, `s.a = s.a.replace("q", "rr")`, `s.a = s.a.reverse()`, `s.a = s.a[0..n / 8]`, `s.a = s.a[s.a.len() / 2..]`,
		`s.a = s.a.repeat(2)`, `s.a = s.a.pad_left(n)`, `s.a = s.a.trim()`, `s.parts = s.a.split("n")`, `s.a = s.parts.join("-")`, `s.parts = s.a.chars()`, `s.parts = s.a.fields()`, `s.parts.push(s.a)`, `s.parts.sort()`,
		`let _ = s.a == s.b`, `let _ = s.a < s.b`, `s.a.contains(s.b)`, `s.a.find("q")`, `s.a.count("q")`, `s.a.compare(s.b)`, `s.a.quote()`, `s.a.parse<int>()`, `s.a.parse_float()`, `s.a.split_once("q")`,
		`demand(ascii(s.a), "ascii", s)`, `demand(ascii("${s.a}${s.b}"), "ascii", s)`, `let _ = "${s.a:>20}${s.b:^30}"`, `for c in s.a { demand(c.len() == 1, "character", s) }`, `for i, c in s.a { demand(c.len() == 1 && i >= 0, "character", s) }`,
		`s.y = s.a.bytes()`, `s.a = str(s.y)`, `for b in s.y { demand(b < 128, "byte", s) }`, `s.y = s.y[1..]`, `s.y.hex()`, `s.y.to_list()`, `s.y.find(b"n")`, `let _ = s.y == b"abc"`, `json.encode([s.a, s.b])`, `s.a.lines()`, `s.a.codes()`,
		`let _ = s.y[0] + s.y[s.y.len() - 1]`, `let m = {s.a: 1}
m[s.b] = 2
demand(m.len() <= 2, "map", s)`,
	},
	After: `if s.a.len() > 200 { s.a = "abc" }
if s.parts.len() > 50 { s.parts = ["a"] }`,
}

var bufferSubject = Subject{
	Name:   "buffer",
	Fields: "  b: buffer = buffer()\n  o: buffer = buffer()",
	Ops: []string{
		`s.b.write("abc")`, `s.b.write("x".repeat(n * 10))`, "s.b.push(65 + n)", `s.b.write_bytes(b"xyz")`, "s.b.write_bytes(s.b.to_bytes())", "s.b.write_bytes(s.o.to_bytes())", "s.b.get(n)", "s.b.set(n, 65)", "s.b.clear()",
		"s.b.truncate(n)", "s.b.truncate(0)", "s.b.reserve(n * 100)", "s.b.slice(0, n / 4)", `demand(s.b.to_bytes().to_list().all(|x| x == 0 || x >= 65 && x < 127), "byte", s)`, "s.b.to_str()",
		"s.b.len()", "s.b = s.o", "s.o = s.b", "s.b = buffer()", "let _ = s.b == s.o", "let _ = \"${s.b}\"", "for i in 0..n { s.b.push(97) }",
	},
	After:  "if s.b.len() > 4000 { s.b.truncate(100) }",
	Errors: []string{"ValueError"},
}

var iteratorSubject = Subject{
	Name: "iterators",
	Decls: `struct Countdown { n: int
  fn next() -> int? {
    if self.n <= 0 { return none }
    self.n -= 1
    self.n
  }
}
fn texts(xs: [int]) -> Iterator<str> { xs.iter().map(|x| "s${x}") }`,
	Fields: `  xs: [int] = [1, 2, 3]
  it: Iterator<int> = [1, 2, 3].iter()
  st: Iterator<str> = texts([1, 2])
  c: Countdown = Countdown(40)`,
	Ops: []string{
		"s.xs.push(n)", "s.xs.pop()", "s.xs.insert(0, n)", "s.xs.clear()", "s.xs = [n, n, n]", "s.it = s.xs.iter()", "s.it = s.xs.iter().filter(|x| x % 2 == 0)", "s.it = s.xs.iter().map(|x| x + 1).skip(1)",
		"s.it = s.xs.iter().chain([n].iter())", "s.it = s.xs.iter().take(n)", "s.it = s.xs.iter().take_while(|x| x != n)", "s.st = texts(s.xs)", "s.st = s.it.map(|x| \"s${x}\")",
		"s.it.next()", "let _ = (s.it.next() ?? 0) + 1", "if let t = s.st.next() { demand(t.starts_with(\"s\"), \"text\", s) }", "s.it.to_list()", "s.st.to_list().join()", "s.it.count()", "s.it.fold(0, |a, x| a + x)", "s.it.find(|x| x == n)",
		"for x in s.it { if x == n { break } }", "for t in s.st { demand(t.starts_with(\"s\"), \"text\", s) }", "for x in s.c { if x == n { break } }", "s.c.n = n", "s.c.next()", "s.c = Countdown(n)",
		"for x in s.xs { s.xs[0] = x }", "for i, x in s.xs { if i > 30 { break }; s.xs.push(x) }", "for _x in s.xs { s.xs.pop() }", "let _ = \"${s.it}\"",
	},
	After: "if s.xs.len() > 100 { s.xs.clear() }",
}

// treeSubject prints, compares and encodes what others change, cycles included.
var treeSubject = Subject{
	Name: "graphs of any",
	Decls: `struct Node { value: any, items: [any] = [], byname: map<str, any> = map<str, any>(), next: Node? = none }
fn leaf(n: int) -> any {
  match n % 5 {
    0 => n
    1 => "s${n}"
    2 => [1, n]
    3 => (n, "t")
    _ => none_of()
  }
}
fn none_of() -> any {
  let x: int? = none
  x
}`,
	Fields: "  root: Node = Node(1)\n  other: Node = Node(1)\n  pool: [Node] = [Node(1), Node(2), Node(3), Node(4)]",
	Ops: []string{
		"s.root.value = leaf(n)", "s.root.value = s.other", "s.root.items.push(leaf(n))", "s.root.items.push(s.pool[n % 4])", "s.root.items.pop()", "s.root.items.clear()", `s.root.byname["s${n}"] = leaf(n)`, `s.root.byname["s${n % 3}"] = s.pool[n % 4]`,
		"s.root.byname.clear()", "s.root.next = s.pool[n % 4]", "s.root.next = none", "s.pool[n % 4].next = s.pool[n / 10]", "s.pool[n % 4].next = none", "s.pool[n % 4].items = s.root.items", "s.pool[n % 4].items = []",
		"s.pool[n % 4].value = s.pool[n / 10]", "s.pool[n % 4].value = n", "s.pool[n % 4] = Node(n)", "s.root = s.pool[n % 4]", "s.other = s.pool[n % 4]", "s.other = s.root",
		"\"${s.root}\".len()", "str(s.pool).len()", "let _ = s.root == s.other", "let _ = s.pool[0] == s.pool[1]", "let a: any = s.root\nlet b: any = s.other\nlet _ = a == b",
		"json.encode(s.root)", "json.encode(s.pool, indent: 1)", "s.root.items.contains(leaf(n))", "s.root.items.index_of(leaf(n))",
		"var at: Node? = s.root\nvar steps = 0\nwhile let node = at {\n  steps += 1\n  if steps > 20 { break }\n  at = node.next\n}",
		"for x in s.root.items { match x { node: Node => { node.value = n }, _t: str => {}, xs: [int] => { xs.push(n); if xs.len() > 10 { xs.clear() } }, _ => {} } }",
	},
	After:  "if s.root.items.len() > 12 { s.root.items.truncate(2) }",
	Errors: []string{"ValueError"},
}

var genericSubject = Subject{
	Name: "generic containers",
	Decls: `struct Stack<U> { items: [U] = [], top: U? = none, size: int = 0
  fn push(x: U) {
    self.items.push(x)
    self.top = x
    self.size += 1
  }
  fn pop() -> U? {
    self.size -= 1
    let x = self.items.pop()
    self.top = self.items.last()
    x
  }
}
enum Tree<U> { Leaf, Branch(left: Tree<U>, value: U, right: Tree<U>)
  fn list() -> [U] {
    match self {
      Leaf => []
      Branch(l, v, r) => {
        let out = l.list()
        out.push(v)
        out.extend(r.list())
        out
      }
    }
  }
  fn depth() -> int { match self { Leaf => 0, Branch(l, _, r) => 1 + max(l.depth(), r.depth()) } }
}
fn grow<U>(t: Tree<U>, x: U) -> Tree<U> { Tree.Branch(t, x, Tree.Leaf) }
struct Pair<A, B> { a: A, b: B
  fn flip() -> Pair<B, A> { Pair(self.b, self.a) }
}`,
	Fields: `  si: Stack<int> = Stack<int>()
  ss: Stack<str> = Stack<str>()
  sa: Stack<any> = Stack<any>()
  so: Stack<int?> = Stack<int?>()
  ts: Tree<str> = Leaf
  p: Pair<str, float> = Pair("s", 1.0)
  q: Pair<float, str> = Pair(1.0, "s")
  deep: Pair<Pair<str, any>, [Pair<int, int?>]> = Pair(Pair("s", 1), [Pair(1, none)])`,
	Ops: []string{
		"s.si.push(n)", "s.si.pop()", `s.ss.push("s${n}")`, `if let x = s.ss.pop() { demand(x.starts_with("s"), "pop", s) }`, `demand((s.ss.top ?? "s").starts_with("s"), "top", s)`,
		"s.sa.push(n)", `s.sa.push("s${n}")`, `match s.sa.pop() { none => {}, x: any => match x { t: str => demand(t.starts_with("s"), "any", s), _ => {} } }`, "s.so.push(none)", "s.so.push(n)", "s.so.pop()", "s.so.top = none", "let _ = s.so.top == none",
		`s.ts = grow(s.ts, "s${n}")`, "s.ts = Leaf", "demand(s.ts.list().all(|x| x.starts_with(\"s\")), \"tree\", s)", "if s.ts.depth() > 30 { s.ts = Leaf }", "s.q = s.p.flip()", "s.p = s.q.flip()", `s.p.a = "s${n}"`, "s.q.a = float(n)",
		`demand(s.p.a.starts_with("s") && s.q.b.starts_with("s"), "pair", s)`, "s.deep.a.b = n", "s.deep.a.b = \"s\"", "s.deep.b.push(Pair(n, n))", "s.deep.b[0].b = none", "s.deep.b[0].b = n", "s.deep.b.pop()", "s.deep = Pair(Pair(\"s\", n), [])",
		"s.si = Stack<int>()", "s.ss = Stack<str>()", "let _ = \"${s.si} ${s.ss} ${s.sa} ${s.so} ${s.ts} ${s.p} ${s.deep}\"", "let _ = s.ss == Stack<str>()", "json.encode((s.si, s.ss, s.so, s.p, s.deep))",
	},
	After: "if s.si.items.len() > 50 { s.si.items.clear() }\nif s.ss.items.len() > 50 { s.ss.items.clear() }\nif s.sa.items.len() > 50 { s.sa.items.clear() }\nif s.so.items.len() > 50 { s.so.items.clear() }\nif s.deep.b.len() > 50 { s.deep.b.clear() }",
}
