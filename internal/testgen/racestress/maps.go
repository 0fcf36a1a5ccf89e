package racestress

import "strings"

type mapKind struct {
	name, key, value   string
	decls              string
	makeKey, makeValue string
	keyOK, valueOK     string
	json               bool
	more               []string
}

var mapKinds = []mapKind{
	{name: "int to int", key: "int", value: "int", makeKey: "n", makeValue: "n", keyOK: "k >= 0 && k < 80", valueOK: "x >= 0",
		more: []string{"s.m[n] += 1", "s.m[n] = (s.m.get(n) ?? 0) + 1"}},
	{name: "str to int", key: "str", value: "int", makeKey: `"s${n}"`, makeValue: "n", keyOK: `k.starts_with("s")`, valueOK: "x >= 0", json: true,
		more: []string{`s.m["s${n}"] += 1`}},
	{name: "int to str", key: "int", value: "str", makeKey: "n", makeValue: `"s${n}"`, keyOK: "k >= 0 && k < 80", valueOK: `x.starts_with("s")`},
	{name: "str to any", key: "str", value: "any", decls: anyDecls, makeKey: `"s${n}"`, makeValue: "any_of(n)", keyOK: `k.starts_with("s")`, valueOK: "any_ok(x)", json: true,
		more: []string{"s.m[key(n)] = [s.m.get(key(n + 1))]", "s.m[key(n)] = [s.m.keys()]"}},
	{name: "tuple to list", key: "(int, str)", value: "[int]", makeKey: `(n, "s${n}")`, makeValue: "[n]", keyOK: `k.1 == "s${k.0}"`, valueOK: "x.len() >= 0",
		more: []string{"if s.m[key(n)].len() < 100 { s.m[key(n)].push(n) }", "s.m[key(n)].pop()", "s.m[key(n)].clear()"}},
	{name: "enum to optional", key: "Shape", value: "str?", decls: shapeDecls, makeKey: "shape(n)", makeValue: `if n % 3 == 0 { none } else { "s${n}" }`,
		keyOK: "k.sound()", valueOK: `(x ?? "s").starts_with("s")`},
	{name: "float to struct", key: "float", value: "Item", decls: "struct Item { n: int, name: str, next: Item? = none }", makeKey: "float(n)", makeValue: `Item(n, "s${n}")`,
		keyOK: "k >= 0.0", valueOK: `x.name.starts_with("s")`, more: []string{"s.m[key(n)].n = n", "s.m[key(n)].next = s.m[key(n + 1)]", "s.m[key(n)].next = none"}},
	{name: "bool to tuple", key: "bool", value: "(int, str)", makeKey: "n % 2 == 0", makeValue: `(n, "s${n}")`, keyOK: "k || !k", valueOK: `x.1 == "s${x.0}"`},
	{name: "bytes to closure", key: "bytes", value: "fn() -> int", makeKey: `"s${n}".bytes()`, makeValue: "|| n", keyOK: `k.starts_with(b"s")`, valueOK: "x() >= 0"},
	{name: "duration to map", key: "duration", value: "map<int, int>", makeKey: "1s * n", makeValue: "({n: n})", keyOK: "k >= 0s", valueOK: "x.len() < 100",
		more: []string{"s.m[key(n)][n] = n", "s.m[key(n)].remove(n)", "s.m[key(n)].clear()"}},
}

var mapOps = []string{
	"s.m[key(n)] = value(n)", "for i in 0..n { s.m[key(i)] = value(i) }", "for i in 0..n { s.m[key(i + 20)] = value(i) }",
	"if let x = s.m.get(key(n)) { demand(sound(x), \"get\", s) }", "demand(sound(s.m[key(n)]), \"index\", s)", "s.m.has(key(n))",
	"s.m.remove(key(n))", "for i in 0..n { s.m.remove(key(i)) }", "if let x = s.m.remove(key(n)) { demand(sound(x), \"remove\", s) }", "s.m.clear()",
	"demand(s.m.keys().all(key_sound), \"keys\", s)", "demand(s.m.values().all(sound), \"values\", s)",
	"for e in s.m.entries() { demand(key_sound(e.0) && sound(e.1), \"entries\", s) }",
	"s.m.update(s.o)", "s.o.update(s.m)", "s.m.update(s.m)", "demand(s.m.merge(s.o).values().all(sound), \"merge\", s)", "s.o = s.m.copy()", "s.m = s.o", "s.o = s.m",
	"s.m = map<K, V>()", "s.m.get_or_insert(key(n), || value(n))", "s.m.get_or_insert(key(n), || { s.m.clear(); value(n) })",
	"s.m.map_values(|x| sound(x))", "s.m.map(|k, x| key_sound(k) && sound(x))", "s.m.filter(|k, _x| key_sound(k))", "s.m.retain(|k, _x| k != key(n))",
	"s.m.retain(|k, _x| { s.m[key(n)] = value(n); key_sound(k) })", "s.m.each(|k, x| demand(key_sound(k) && sound(x), \"each\", s))",
	"s.m.fold(0, |a, _k, _x| a + 1)", "s.m.any(|k, _x| k == key(n))", "s.m.all(|k, _x| key_sound(k))", "s.m.count(|k, _x| key_sound(k))", "s.m.find(|k, _x| k == key(n))",
	"for k, x in s.m { demand(key_sound(k) && sound(x), \"for\", s) }", "for k in s.m { demand(key_sound(k), \"for\", s) }",
	"for k, _x in s.m { s.m[k] = value(n) }", "for k, _x in s.m { s.m.remove(k) }",
	"let _ = s.m == s.o", "let _ = s.m == s.m.copy()", "let _ = \"${s.m}\"", "str((s.o, s.m))", "let _ = s.m.len() + s.o.len()", "let a: any = s.m\nlet _ = \"${a}\" == \"\"",
}

func mapSubjects() []Subject {
	var all []Subject
	for _, k := range mapKinds {
		ops := append(append([]string(nil), mapOps...), k.more...)
		if k.json {
			ops = append(ops, "json.encode(s.m)", "json.encode([s.m, s.o], indent: 1)")
		}
		all = append(all, Subject{
			Name: "map of " + k.name,
			Decls: strings.Join([]string{
				k.decls, "type K = " + k.key, "type V = " + k.value, "fn key(n: int) -> K { " + k.makeKey + " }", "fn value(n: int) -> V { " + k.makeValue + " }",
				"fn key_sound(k: K) -> bool { " + k.keyOK + " }", "fn sound(x: V) -> bool { " + k.valueOK + " }",
			}, "\n"),
			Fields: "  m: map<K, V> = map<K, V>()\n  o: map<K, V> = map<K, V>()",
			Ops:    ops,
			After:  "if s.m.len() > 200 { s.m.clear() }",
		})
	}
	return all
}

var setOps = []string{
	"s.a.add(value(n))", "for i in 0..n { s.a.add(value(i)) }", "s.a.has(value(n))", "s.a.remove(value(n))", "for i in 0..n { s.a.remove(value(i)) }", "s.a.clear()",
	"s.a.update(s.b)", "s.b.update(s.a)", "s.a.update(s.a)", "s.b = s.a.union(s.b)", "s.a.intersect(s.b)", "s.a.diff(s.b)", "s.a.is_subset(s.b)", "s.a.is_superset(s.b)",
	"s.b = s.a.copy()", "s.a = s.b", "s.a = set<T>()", "demand(s.a.to_list().all(sound), \"to_list\", s)", "s.a.map(|x| sound(x))", "s.a.filter(|x| sound(x))",
	"s.a.each(|x| demand(sound(x), \"each\", s))", "s.a.fold(0, |n, _x| n + 1)", "s.a.any(|x| x == value(n))", "s.a.all(sound)", "s.a.find(|x| x == value(n))",
	"for x in s.a { demand(sound(x), \"for\", s) }", "for x in s.a { s.a.remove(x) }", "let _ = s.a == s.b", "let _ = \"${s.a}\"", "str([s.a, s.b])",
}

func setSubjects() []Subject {
	var all []Subject
	for _, e := range elems {
		if !e.hashable {
			continue
		}
		all = append(all, Subject{
			Name:   "set of " + e.name,
			Decls:  e.decls + "\ntype T = " + e.typ + "\nfn value(n: int) -> T { " + e.make + " }\nfn sound(x: T) -> bool { " + e.ok + " }",
			Fields: "  a: set<T> = set<T>()\n  b: set<T> = set<T>()",
			Ops:    setOps,
		})
	}
	return all
}
