package racestress

import "strings"

// elem is a type of list elements.
type elem struct {
	name, typ string
	decls     string
	make      string // a value from n
	ok        string // whether x is a value that make gave
	key       string // an int from x
	ordered   bool
	hashable  bool
	number    bool
	json      bool
	more      []string
}

var elems = []elem{
	{name: "int", typ: "int", make: "n", ok: "x >= 0 && x < 40", key: "x", ordered: true, hashable: true, number: true, json: true,
		more: []string{"s.xs.to_bytes()", "s.xs[n] += 0", "s.xs[n / 8] = s.ys[n / 4]"}},
	{name: "float", typ: "float", make: "float(n)", ok: "x >= 0.0 && x < 40.0", key: "int(x)", ordered: true, hashable: true, number: true, json: true},
	{name: "bool", typ: "bool", make: "n % 2 == 0", ok: "x == true || x == false", key: "x.to_int()", hashable: true, json: true},
	{name: "duration", typ: "duration", make: "1s * n", ok: "x >= 0s && x < 40s", key: "int(x.secs())", ordered: true, hashable: true, json: false},
	{name: "str", typ: "str", make: `"s${n}"`, ok: `x.starts_with("s") && x.len() <= 3`, key: "x.len()", ordered: true, hashable: true, json: true,
		more: []string{`s.xs.join(",")`, `s.xs[n / 8] = s.xs[n / 4].upper().lower()`, `s.xs.push(s.xs[0][0..1] + "1")`, `for x in s.xs { let _ = x.chars() }`}},
	{name: "bytes", typ: "bytes", make: `"s${n}".bytes()`, ok: `x.starts_with(b"s") && x.len() <= 3`, key: "x.len()", ordered: true, hashable: true, json: false},
	{name: "unit", typ: "()", make: "()", ok: "x == ()", key: "0", json: false},
	{name: "any", typ: "any", decls: anyDecls, make: "any_of(n)", ok: "any_ok(x)", key: "any_key(x)", json: true,
		more: []string{"s.xs.push([s.xs.first()])", "for x in s.xs { if x is [any] { let _ = x } }", "let _ = s.xs[n / 8] is int", "let _ = s.xs[n / 8].type_name()"}},
	{name: "struct", typ: "Item", decls: "struct Item { n: int, name: str, next: Item? = none, tag: any = 1 }", make: `Item(n, "s${n}")`,
		ok: `x.name.starts_with("s") && x.n < 40`, key: "x.n", json: true, more: []string{
			"s.xs[n / 8].n = n", `s.xs[n / 8].name = "s${n}"`, "s.xs[n / 8].next = s.ys[n / 8]", "s.xs[n / 8].next = none", "s.xs[n / 8].tag = s.ys[n / 8].name", "s.xs[n / 8].tag = n",
		}},
	{name: "enum", typ: "Shape", decls: shapeDecls, make: "shape(n)", ok: "x.sound()", key: "x.number()", json: true, hashable: true},
	{name: "plain enum", typ: "Light", decls: "enum Light { Red, Amber, Green\n  fn number() -> int { match self { Red => 0, Amber => 1, Green => 2 } }\n}",
		make: "[Light.Red, Amber, Green][n % 3]", ok: "x.number() < 3", key: "x.number()", hashable: true, json: true},
	{name: "optional int", typ: "int?", make: "if n % 3 == 0 { none } else { n }", ok: "x.is_some() || x.is_none()", key: "x ?? 0", json: true},
	{name: "optional str", typ: "str?", make: `if n % 3 == 0 { none } else { "s${n}" }`, ok: `(x ?? "s").starts_with("s")`, key: "(x ?? \"\").len()", json: true},
	{name: "nested optional", typ: "float??", decls: "fn some<U>(x: U) -> U? { x }", make: "if n % 3 == 0 { none } else if n % 3 == 1 { some(none) } else { some(some(float(n))) }",
		ok: "if let y = x { if let z = y { z >= 0.0 && z < 40.0 } else { true } } else { true }", key: "if let y = x { int(y ?? 1.0) } else { -1 }", json: false},
	{name: "tuple", typ: "(int, str, any)", make: `(n, "s${n}", if n % 2 == 0 { any_int(n) } else { any_str(n) })`,
		decls: "fn any_int(n: int) -> any { n }\nfn any_str(n: int) -> any { \"s${n}\" }",
		ok:    `x.1 == "s${x.0}" && "${x.2}".trim_prefix("s") == "${x.0}"`, key: "x.0", json: true},
	{name: "closure", typ: "fn() -> int", make: "|| n", ok: "x() >= 0 && x() < 40", key: "x()"},
	{name: "method", typ: "fn() -> int", decls: "struct Holder { n: int\n  fn get() -> int { self.n }\n}", make: "Holder(n).get", ok: "x() >= 0 && x() < 40", key: "x()"},
	{name: "interface", typ: "Named", decls: `interface Named { fn name() -> str
  fn twice() -> str { self.name() + self.name() }
}
struct Dog { age: int
  fn name() -> str { "s${self.age}" }
}
enum Cat { Kitten, Grown(n: int)
  fn name() -> str { match self { Kitten => "s", Grown(n) => "s${n}" } }
}
fn named(n: int) -> Named { if n % 3 == 0 { Dog(n) } else if n % 3 == 1 { Cat.Kitten } else { Cat.Grown(n) } }`,
		make: "named(n)", ok: `x.name().starts_with("s") && x.twice().len() <= 6`, key: "x.name().len()", json: false,
		more: []string{"for x in s.xs { if x is Dog { let _ = x } }", "let x = s.xs[n / 8]\nmatch x { d: Dog => { d.age = n }, _ => {} }"}},
	{name: "list", typ: "[int]", make: "[n, n, n]", ok: "x.len() >= 0", key: "x.len()", json: true, more: []string{
		"if s.xs[n / 8].len() < 100 { s.xs[n / 8].push(n) }", "s.xs[n / 8].pop()", "s.xs[n / 8].sort()", "s.xs.flatten()", "s.xs[n / 8] = s.xs[n / 4]", "if s.xs[n / 8].len() > 50 { s.xs[n / 8].clear() }", "s.xs[n / 8][0] += 1",
	}},
	{name: "map", typ: "map<str, int>", make: `({"s": n})`, ok: "x.len() <= 41", key: "x.len()", json: true, more: []string{
		`s.xs[n / 8]["k${n}"] = n`, `s.xs[n / 8].remove("k${n}")`, `s.xs[n / 8].clear()`, `s.xs[n / 8] = s.xs[n / 4]`,
	}},
}

const anyDecls = `struct Item { n: int, name: str }
fn any_of(n: int) -> any {
  match n % 8 {
    0 => n
    1 => "s${n}"
    2 => float(n)
    3 => [n]
    4 => Item(n, "s${n}")
    5 => (n, "s${n}")
    6 => n % 3 == 0
    _ => none_any()
  }
}
fn none_any() -> any {
  let missing: str? = none
  missing
}
fn any_ok(x: any) -> bool {
  match x {
    _n: int => true
    t: str => t.starts_with("s")
    _f: float => true
    xs: [int] => xs.len() == 1
    i: Item => i.name == "s${i.n}"
    t: (int, str) => t.1 == "s${t.0}"
    _ => true
  }
}
fn any_key(x: any) -> int { match x { n: int => n, t: str => t.len(), _ => 99 } }`

const shapeDecls = `enum Shape { Dot, Circle(n: int, r: float), Named(name: str, n: int), Pair(a: Shape, b: Shape)
  fn sound() -> bool {
    match self {
      Dot => true
      Circle(n, r) => float(n) == r
      Named(s, n) => s == "s${n}"
      Pair(a, b) => a.sound() && b.sound()
    }
  }
  fn number() -> int { match self { Dot => 0, Circle(n, _) => n, Named(_, n) => n, Pair(a, _) => a.number() } }
}
fn shape(n: int) -> Shape {
  match n % 4 { 0 => Dot, 1 => Circle(n, float(n)), 2 => Named("s${n}", n), _ => Pair(Shape.Dot, Shape.Named("s${n}", n)) }
}`

// listOps on the lists XS and YS, of elements T, made by value, seen by sound and key.
var listOps = []string{
	"XS.push(value(n))", "XS.push(value(n))\nXS.push(value(n / 2))\nXS.push(value(n / 3))",
	"for i in 0..n { XS.push(value(i)) }",
	"XS.pop()", "while let x = XS.pop() { demand(sound(x), \"pop\", s) }", "if let x = XS.pop() { demand(sound(x), \"pop\", s) }",
	"XS.insert(0, value(n))", "XS.insert(XS.len() / 2, value(n))", "XS.insert(XS.len(), value(n))",
	"demand(sound(XS.remove(0)), \"remove\", s)", "demand(sound(XS.remove(XS.len() - 1)), \"remove\", s)",
	"XS.clear()", "if XS.len() < 100 { XS.extend(YS) }", "if XS.len() < 100 { XS.extend(XS) }", "XS.extend([value(n), value(n)])", "if YS.len() < 100 { YS.extend(XS) }",
	"XS.truncate(n / 4)", "XS.reserve(n * 10)", "XS.fill(value(n))", "XS.swap(0, n / 8)",
	"if let x = XS.first() { demand(sound(x), \"first\", s) }", "if let x = XS.last() { demand(sound(x), \"last\", s) }",
	"if let x = XS.get(n) { demand(sound(x), \"get\", s) }",
	"demand(sound(XS[n / 8]), \"index\", s)", "XS[n / 8] = value(n)", "XS[XS.len() - 1] = value(n)", "XS[n / 8] = YS[n / 8]",
	"let x = XS[0]\nXS[0] = XS[1]\nXS[1] = x",
	"XS.contains(value(n))", "XS.index_of(value(n))",
	"demand(XS.copy().all(sound), \"copy\", s)", "demand(XS.slice(0, n / 8).all(sound), \"slice\", s)", "demand(XS[1..n / 8].all(sound), \"slice\", s)", "let _ = XS[n / 8..]",
	"demand(XS.take(5).all(sound), \"take\", s)", "demand(XS.skip(2).all(sound), \"skip\", s)",
	"XS.reverse()", "demand(XS.repeat(2).all(sound), \"repeat\", s)",
	"for ys in XS.chunks(3) { demand(ys.all(sound), \"chunks\", s) }", "for ys in XS.windows(2) { demand(ys.all(sound), \"windows\", s) }",
	"for p in XS.zip(YS) { demand(sound(p.0) && sound(p.1), \"zip\", s) }", "for p in XS.enumerate() { demand(sound(p.1), \"enumerate\", s) }",
	"demand(XS.map(|x| sound(x)).all(|b| b), \"map\", s)", "XS = XS.filter(|x| key(x) != n)", "XS.filter_map(|x| if key(x) == n { x } else { none })",
	"XS.flat_map(|x| [x, x])", "XS.fold(0, |a, x| a + key(x))", "XS.reduce(|a, x| if key(a) < key(x) { a } else { x })",
	"XS.each(|x| demand(sound(x), \"each\", s))", "XS.any(|x| key(x) == n)", "XS.count(|x| key(x) == n)", "XS.find(|x| key(x) == n)", "XS.find_index(|x| key(x) == n)",
	"XS.take_while(|x| key(x) != n)", "XS.skip_while(|x| key(x) != n)", "XS.partition(|x| key(x) < n)",
	"XS.retain(|x| key(x) != n)", "XS.retain(|_x| { XS.pop(); true })", "XS.group_by(|x| key(x))", "XS.min_by(|x| key(x))", "XS.max_by(|x| key(x))",
	"XS.sort_by(|x| key(x))", "XS.sort_by(|x| { if XS.len() < 50 { XS.push(value(n)) }; key(x) })", "XS.sort_with(|x, y| key(x) < key(y))", "XS.sort_with(|x, y| { XS.pop(); key(x) < key(y) })",
	"XS.iter().filter(|x| key(x) > n).take(3).to_list()",
	"for x in XS { demand(sound(x), \"for\", s) }", "for i, x in XS { if i < 5 { XS[i] = x } }",
	"var turns = 0\nfor x in XS {\n  if turns > 30 { break }\n  turns += 1\n  XS.push(x)\n}", "for _x in XS { XS.pop() }",
	"let _ = XS == YS", "let _ = XS == XS.copy()", "let _ = \"${XS}\"", "let _ = \"${YS:>40}\"", "str((XS, YS))", "let y: any = XS\nlet _ = \"${y}\" == \"\"",
	"XS = [value(n), value(n / 2)]", "XS = YS", "YS = XS", "YS = XS.copy()", "let xs = XS\nXS = YS\nYS = xs", "same(XS, YS)",
}

func listSubjects() []Subject {
	var all []Subject
	for _, e := range elems {
		all = append(all, listSubject(e, "list of "+e.name, "s.xs", "s.ys"))
	}
	for _, e := range elems {
		switch e.name {
		case "str", "any", "enum":
			global := listSubject(e, "global list of "+e.name, "g_xs", "g_ys")
			global.Decls += "\nlet g_xs: [T] = [value(1), value(2), value(3)]\nlet g_ys: [T] = [value(4), value(5)]"
			all = append(all, global)
		}
	}
	return all
}

func listSubject(e elem, name, xs, ys string) Subject {
	ops := append(append([]string(nil), listOps...), e.more...)
	if e.ordered {
		ops = append(ops, "XS.sort()", "YS.sort()", "XS.min()", "XS.max()", "XS.binary_search(value(n))", "let _ = XS.sort() == YS")
	}
	if e.hashable {
		ops = append(ops, "XS.unique()", "XS.to_set()", "XS.tally()")
	}
	if e.number {
		ops = append(ops, "XS.sum()", "XS.product()", "XS[n / 8] += value(0)")
	}
	if e.json {
		ops = append(ops, "json.encode(XS)", "json.encode((XS, YS), indent: 2)")
	}
	subject := Subject{
		Name:   name,
		Decls:  e.decls + "\ntype T = " + e.typ + "\nfn value(n: int) -> T { " + e.make + " }\nfn sound(x: T) -> bool { " + e.ok + " }\nfn key(x: T) -> int { " + e.key + " }",
		Fields: "  xs: [T] = [value(1), value(2), value(3)]\n  ys: [T] = [value(4), value(5)]",
		After:  strings.NewReplacer("XS", xs, "YS", ys).Replace("if XS.len() > 100 { XS.truncate(10) }\nif YS.len() > 100 { YS.clear() }"),
		Errors: []string{"ValueError"}, // json: a value contains itself
	}
	for _, op := range ops {
		if xs[0] == 'g' && assigns(op) {
			continue // a global let names one list for ever
		}
		op = strings.ReplaceAll(op, "s.xs", "XS")
		op = strings.ReplaceAll(op, "s.ys", "YS")
		subject.Ops = append(subject.Ops, strings.NewReplacer("XS", xs, "YS", ys).Replace(op))
	}
	return subject
}

// assigns reports whether an operation puts another list in the place of one.
func assigns(op string) bool {
	return strings.Contains(op, "XS = ") || strings.Contains(op, "YS = ")
}
