package matrix

// Kind is a kind of value that operations pass around.
type Kind struct {
	Name   string
	Type   string    // as written in a program
	Values [3]string // expressions for a, b and c
	Shown  [3]string // what show gives for them
	Show   string    // the body of show(x); "" is interpolation
	Decls  string    // what the others need at the top level
}

// Kinds in the order of the columns: those that fill one word, then those that
// are a reference, then those that use both words.
var Kinds = []Kind{
	{Name: "int", Type: "int", Values: [3]string{"41", "-7", "9_000_000_000"}, Shown: [3]string{"41", "-7", "9000000000"}},
	{Name: "float", Type: "float", Values: [3]string{"1.5", "-0.25", "3"}, Shown: [3]string{"1.5", "-0.25", "3.0"}},
	{Name: "bool", Type: "bool", Values: [3]string{"true", "false", "1 < 2"}, Shown: [3]string{"true", "false", "true"}},
	{Name: "duration", Type: "duration", Values: [3]string{"1500ms", "0s", "1h"}, Shown: [3]string{"1.5s", "0s", "1h"}},
	{Name: "unit", Type: "()", Values: [3]string{"()", "()", "()"}, Shown: [3]string{"()", "()", "()"}},
	{Name: "str", Type: "str", Values: [3]string{`"one"`, `""`, `"drei".upper()`}, Shown: [3]string{"<one>", "<>", "<DREI>"}, Show: `"<${x}>"`},
	{Name: "bytes", Type: "bytes", Values: [3]string{`b"a"`, `b""`, `"é".bytes()`}, Shown: [3]string{`b"a"`, `b""`, `b"\xc3\xa9"`}},
	{
		Name: "struct", Type: "Point", Decls: `struct Point { x: int, label: str, inner: Point? = none }`,
		Values: [3]string{`Point(1, "p")`, `Point(2, "")`, `Point(3, "q", Point(4, "r"))`},
		Shown: [3]string{
			`Point(x: 1, label: "p", inner: none)`, `Point(x: 2, label: "", inner: none)`,
			`Point(x: 3, label: "q", inner: Point(x: 4, label: "r", inner: none))`,
		},
	},
	{
		Name: "enum", Type: "Shape", Decls: `enum Shape { Dot, Circle(r: float), Named(name: str, of: Shape) }`,
		Values: [3]string{"Circle(2)", "Dot", `Named("n", Dot)`},
		Shown:  [3]string{"Circle(r: 2.0)", "Dot", `Named(name: "n", of: Dot)`},
	},
	{
		Name: "plain enum", Type: "Light", Decls: `enum Light { Red, Amber, Green }`,
		Values: [3]string{"Green", "Red", "Light.Amber"}, Shown: [3]string{"Green", "Red", "Amber"},
	},
	{
		Name: "generic struct", Type: "Box<Box<str>>", Decls: "struct Box<U> { value: U }",
		Values: [3]string{`Box(Box("x"))`, `Box(Box(""))`, `Box(Box("z"))`},
		Shown:  [3]string{`Box(value: Box(value: "x"))`, `Box(value: Box(value: ""))`, `Box(value: Box(value: "z"))`},
	},
	{
		Name: "closure", Type: "fn(int) -> int", Decls: `fn adder(n: int) -> fn(int) -> int { |x| x + n }
fn double(x: int) -> int { x * 2 }
fn counter() -> fn(int) -> int {
  var calls = 0
  |x| { calls += 1; x * 1000 }
}`,
		Values: [3]string{"adder(1)", "double", "counter()"}, Shown: [3]string{"11", "20", "10000"}, Show: `"${x(10)}"`,
	},
	{Name: "list", Type: "[int]", Values: [3]string{"[1, 2]", "[]", "(0..4).to_list()"}, Shown: [3]string{"[1, 2]", "[]", "[0, 1, 2, 3]"}},
	{
		Name: "list of any", Type: "[any]", Values: [3]string{`[1, "x"]`, "[]", "[[none]]"},
		Shown: [3]string{`[1, "x"]`, "[]", "[[none]]"},
	},
	{
		Name: "map", Type: "map<str, int>", Values: [3]string{`({"k": 1})`, "map<str, int>()", `({"x": 1, "y": 2})`},
		Shown: [3]string{`{"k": 1}`, "{}", `{"x": 1, "y": 2}`},
	},
	{Name: "set", Type: "set<int>", Values: [3]string{"[1, 2].to_set()", "set<int>()", "[3].to_set()"}, Shown: [3]string{"set(1, 2)", "set()", "set(3)"}},
	{
		Name: "tuple", Type: "(int, str)", Values: [3]string{`(1, "t")`, `(0, "")`, `(-3, "u")`},
		Shown: [3]string{`(1, "t")`, `(0, "")`, `(-3, "u")`},
	},
	{Name: "optional int", Type: "int?", Values: [3]string{"5", "none", "0"}, Shown: [3]string{"5", "none", "0"}},
	{Name: "optional str", Type: "str?", Values: [3]string{`"s"`, "none", `"t"`}, Shown: [3]string{"s", "none", "t"}},
	{
		Name: "optional unit", Type: "()?", Values: [3]string{"()", "none", "()"}, Shown: [3]string{"()", "none", "()"},
	},
	{
		Name: "nested optional", Type: "float??", Decls: `fn some<U>(x: U) -> U? { x }`,
		Values: [3]string{"some(some(1.5))", "none", "some(none)"}, Shown: [3]string{"some 1.5", "none", "some none"},
		Show: `if let inner = x { "some ${inner}" } else { "none" }`,
	},
	{Name: "any", Type: "any", Values: [3]string{"1", `"two"`, "[2.5]"}, Shown: [3]string{"1", "two", "[2.5]"}},
	{
		Name: "interface", Type: "Namer", Decls: `interface Namer { fn name() -> str }
struct Dog { age: int
  fn name() -> str { "dog ${self.age}" }
}
enum Cat { Kitten, Grown(lives: int)
  fn name() -> str { match self { Kitten => "kitten", Grown(n) => "cat ${n}" } }
}`,
		Values: [3]string{"Dog(3)", "Cat.Kitten", "Cat.Grown(9)"}, Shown: [3]string{"dog 3", "kitten", "cat 9"}, Show: "x.name()",
	},
	{
		Name: "channel", Type: "chan<str>", Decls: `fn holding(s: str) -> chan<str> {
  let ch = chan<str>(1)
  ch.send(s)
  ch
}
fn peek(ch: chan<str>) -> str {
  let s = ch.recv()!
  ch.send(s)
  s
}`,
		Values: [3]string{`holding("x")`, `holding("y")`, `holding("z")`}, Shown: [3]string{"x", "y", "z"}, Show: "peek(x)",
	},
	{
		Name: "mutex", Type: "mutex<int>", Values: [3]string{"mutex(1)", "mutex(2)", "mutex(3)"},
		Shown: [3]string{"1", "2", "3"}, Show: `"${x.get()}"`,
	},
	{
		Name: "task", Type: "task<str>", Values: [3]string{`spawn { "one" }`, `spawn { yield_now(); "two" }`, `spawn later("three")`},
		Shown: [3]string{"one", "two", "three"}, Show: "await x",
	},
}
