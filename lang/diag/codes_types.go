package diag

// Codes of the checker. The numbers are forever; a code that is no longer
// given stays in the table.
const (
	UnknownName      Code = "E0201"
	UnknownType      Code = "E0202"
	DuplicateName    Code = "E0203"
	UnknownExport    Code = "E0204"
	PrivateName      Code = "E0205"
	ModuleNotFound   Code = "E0206"
	ImportCycle      Code = "E0207"
	ModuleStatement  Code = "E0208"
	WrongCase        Code = "E0209"
	UnknownMember    Code = "E0210"
	UnknownVariant   Code = "E0211"
	LibraryOnly      Code = "E0212"
	UsedTooEarly     Code = "E0213"
	SelfOutside      Code = "E0214"
	NotAValue        Code = "E0215"
	DefinedByItself  Code = "E0216"
	MisplacedDecl    Code = "E0217"
	TypeMismatch     Code = "E0301"
	BadOperands      Code = "E0302"
	NotCallable      Code = "E0303"
	MissingArgument  Code = "E0304"
	TooManyArguments Code = "E0305"
	UnknownArgument  Code = "E0306"
	RepeatedArgument Code = "E0307"
	CannotInfer      Code = "E0308"
	BoundNotMet      Code = "E0309"
	AssertNotMet     Code = "E0310"
	TypeArgCount     Code = "E0311"
	OptionalMisuse   Code = "E0312"
	NotIndexable     Code = "E0313"
	NotIterable      Code = "E0314"
	Immutable        Code = "E0315"
	BadTarget        Code = "E0316"
	DroppedValue     Code = "E0317"
	NotConstant      Code = "E0318"
	BranchesDisagree Code = "E0319"
	NotAnError       Code = "E0320"
	UselessTypeTest  Code = "E0321"
	InterfaceRule    Code = "E0322"
	ConstantFails    Code = "E0323"
	BadFormatSpec    Code = "E0324"
	NotConstructible Code = "E0325"
	MissingValue     Code = "E0326"
	NotExhaustive    Code = "E0401"
	PatternMismatch  Code = "E0402"
	PatternFields    Code = "E0403"
	RefutablePattern Code = "E0404"
	AlternativeNames Code = "E0405"
	OutsideLoop      Code = "E0406"
	UnknownLabel     Code = "E0407"
	OutsideFunction  Code = "E0408"
	LeavesDefer      Code = "E0409"
	YieldOutside     Code = "E0410"
	YieldWithin      Code = "E0411"
	SharedVariable   Code = "E0501"
	LockedEscapes    Code = "E0502"
	CannotSpawn      Code = "E0503"
	NotConcurrent    Code = "E0504"
	SuspendsInModule Code = "E0505"
	BadSelect        Code = "E0506"
	UnusedVariable   Code = "W0601"
	UnusedImport     Code = "W0602"
	UnusedFunction   Code = "W0603"
	UnreachableCode  Code = "W0604"
	UnreachableArm   Code = "W0605"
	NearMiss         Code = "W0606"
	NeverAssigned    Code = "W0607"
	DividesByZero    Code = "W0608"
	SharedElement    Code = "W0609"
	MeansElsewhere   Code = "W0610"
	NeverNone        Code = "W0611"
	TooDeep          Code = "E0701"
	TypeTooLarge     Code = "E0702"
)

// checkerCodes explains the codes of the checker. An example that needs other
// modules holds them after lines `// file <import path>`.
var checkerCodes = []CodeInfo{
	{UnknownName, "unknown name",
		"No variable, function or module with this name is visible here. Check the spelling, import\n" +
			"the module, or declare the name before it is used. In a method, access the fields and\n" +
			"methods of its own type with `self.`.",
		`let count = 1
print(cuont)`,
		`let count = 1
print(count)`},
	{UnknownType, "unknown type",
		"No type with this name is visible here. The built-in types are int, float, bool, str, bytes,\n" +
			"duration, any, never, buffer, [T], T?, map<K, V>, set<T>, task<T>, chan<T> and mutex<T>;\n" +
			"other types are declared or come from a module, as in `geo.Point`.",
		`fn f(name: string) { print(name) }
f("a")`,
		`fn f(name: str) { print(name) }
f("a")`},
	{DuplicateName, "a name is declared twice",
		"Within a block, type or parameter list each name can be declared only once. Choose another\n" +
			"name, or assign to a `var`. An inner block may use the name again for something else.",
		`let a = 1
let a = 2
print(a)`,
		`let a = 1
let b = 2
print(a, b)`},
	{UnknownExport, "a module has no such name",
		"The imported module declares nothing with this name. Check the spelling; `runnel doc` with\n" +
			"the name of a module, or with a file, lists what it offers.",
		`import "./geo"
print(geo.aera(2))
// file ./geo
pub fn area(r: int) -> int { r * r }`,
		`import "./geo"
print(geo.area(2))
// file ./geo
pub fn area(r: int) -> int { r * r }`},
	{PrivateName, "a private name of another module",
		"Only what a module declares with `pub` can be used by others: the rest may change without\n" +
			"notice. Add `pub` to the declaration if it is meant for others, or use what is public.",
		`import "./geo"
print(geo.area(2))
// file ./geo
fn area(r: int) -> int { r * r }`,
		`import "./geo"
print(geo.area(2))
// file ./geo
pub fn area(r: int) -> int { r * r }`},
	{ModuleNotFound, "a module cannot be imported",
		"There is no module with this name, or its file cannot be read. Modules of the standard\n" +
			"library are imported by name, as in `import json`; files in the same folder as `import\n" +
			"\"./name\"`, without `.rnl`. `runnel doc` lists the library.",
		"import no_such_module",
		`import "./names"
print(names.first)
// file ./names
pub let first = "Ada"`},
	{ImportCycle, "the imports form a cycle",
		"An imported module is initialized before its importer, so two modules cannot import each\n" +
			"other, not even indirectly. Move what both need into a third one.",
		`import "./a"
print(a.x)
// file ./a
import "./b"
pub let x = b.y
// file ./b
import "./a"
pub let y = a.x`,
		`import "./a"
print(a.x)
// file ./a
import "./c"
pub let x = c.z
// file ./c
pub let z = 1`},
	{ModuleStatement, "a statement in an imported module",
		"The top level of an imported module only declares things and initializes `let`s, so that\n" +
			"importing does nothing else and its order does not matter. It cannot have a `var`, which all\n" +
			"importers would share, or statements: put them into a function that the importer calls.",
		`import "./a"
print(a.x)
// file ./a
pub let x = 1
print("hello")`,
		`import "./a"
a.greet()
print(a.x)
// file ./a
pub let x = 1
pub fn greet() { print("hello") }`},
	{WrongCase, "a name's case is wrong",
		"Types and variants begin with a capital letter; everything else is in lower case, with `_`\n" +
			"between words. So the case alone distinguishes a variant from a binding in a pattern. Rename\n" +
			"it.",
		`fn addOne(n: int) -> int { n + 1 }
print(addOne(1))`,
		`fn add_one(n: int) -> int { n + 1 }
print(add_one(1))`},
	{UnknownMember, "no such field or method",
		"The type has no field or method with this name. Check the spelling; `runnel doc list` (or\n" +
			"str, map, int and so on) lists the methods of a built-in type.",
		"print([1, 2].lenght())",
		"print([1, 2].len())"},
	{UnknownVariant, "no such variant",
		"The enum has no variant with this name. Check the spelling, or add the variant to the enum.",
		`enum Color { Red, Green }
print(Color.Blue)`,
		`enum Color { Red, Green, Blue }
print(Color.Blue)`},
	{LibraryOnly, "only for the standard library",
		"`native` declarations and `extend` refer to code of the runtime and are allowed only in the\n" +
			"standard library. Write a plain function; a program that embeds Runnel can offer Go\n" +
			"functions to scripts.",
		`native fn f()
f()`,
		`fn f() {}
f()`},
	{UsedTooEarly, "used before it is declared",
		"Top-level statements run in order, so a variable can only be used below its declaration.\n" +
			"Move the declaration up. Functions anywhere may use it, as long as they are called below it.",
		`print(a)
let a = 1`,
		`let a = 1
print(a)`},
	{SelfOutside, "self outside a method",
		"`self` is the value a method is called on, and exists only in the methods of a struct, enum\n" +
			"or interface; a static function has none. Move the function into the type, or give it the value as a parameter.",
		`fn f() -> int { self.x }
print(f())`,
		`struct P {
  x: int
  fn f() -> int { self.x }
}
print(P(1).f())`},
	{NotAValue, "not a value",
		"A type, module or built-in function cannot be used as a value. Call it, name one of its\n" +
			"members, or wrap a built-in function in a lambda: `|x| str(x)`. A function that is called on\n" +
			"a type itself is declared in it with `static fn`.",
		`struct P { x: int }
print(P)`,
		`struct P { x: int }
print(P(1))`},
	{DefinedByItself, "defined by itself",
		"A type alias or a constant is defined in terms of itself and so has no meaning. Use a struct\n" +
			"or an enum for a type that contains itself.",
		`type A = [A]
fn f(a: A) { print(a) }
f([])`,
		`struct A { parts: [A] }
fn f(a: A) { print(a) }
f(A([]))`},
	{MisplacedDecl, "a declaration in a block",
		"Types, imports, tests, benchmarks and functions with type parameters are declared at the top level\n" +
			"of a file. A block may declare other functions.",
		`fn f() {
  struct P { x: int }
}
f()`,
		`struct P { x: int }
fn f() {
  print(P(1))
}
f()`},
	{TypeMismatch, "the types do not match",
		"The value does not have the type that is expected here. Only four conversions are implicit:\n" +
			"an integer literal to float, T to T?, a type to an interface it satisfies, and anything to\n" +
			"any. Write other conversions, `str(x)`, `int(x)`, `float(x)`, or change the declared type.",
		`let name: str = 5
print(name)`,
		`let name: str = "5"
print(name)`},
	{BadOperands, "an operator cannot be used on these values",
		"The operands must fit the operator: numbers of the same type for arithmetic, ordered values\n" +
			"for `<`, values of one type for `==`. There are no implicit conversions between them: write\n" +
			"`float(n)`, `str(x)` or \"${x}\".",
		"print(1 + \"a\")",
		`print("1" + "a")`},
	{NotCallable, "this cannot be called",
		"Only functions, structs and variants with fields can be called. Check the name: perhaps a\n" +
			"variable hides a function, or a field is read with parentheses.",
		`let n = 1
print(n(2))`,
		`let f = |x: int| x + 1
print(f(2))`},
	{MissingArgument, "an argument is missing",
		"Each parameter without a default needs an argument; each field without a default needs a\n" +
			"value when a struct is made. Add it, or give the parameter or field a default: `size: int =\n" +
			"1`.",
		`struct P { x: int, y: int }
print(P(1))`,
		`struct P { x: int, y: int }
print(P(1, 2))`},
	{TooManyArguments, "too many arguments",
		"There are more arguments than the function has parameters, or the struct or variant has\n" +
			"fields. Remove the extra ones; to pass several values, use a list.",
		`fn f(a: int) -> int { a }
print(f(1, 2))`,
		`fn f(a: int) -> int { a }
print(f(1))`},
	{UnknownArgument, "no such argument",
		"No parameter or field has this name. Check the spelling in its declaration, or omit the name\n" +
			"and pass the value by position.",
		`fn f(size: int) -> int { size }
print(f(sise: 1))`,
		`fn f(size: int) -> int { size }
print(f(size: 1))`},
	{RepeatedArgument, "an argument is given twice",
		"The same parameter or field is given a value twice, by position and by name. Remove one of\n" +
			"them.",
		`fn f(a: int, b: int = 1) -> int { a + b }
print(f(1, a: 2))`,
		`fn f(a: int, b: int = 1) -> int { a + b }
print(f(1, b: 2))`},
	{CannotInfer, "a type cannot be inferred",
		"The type follows neither from the value nor from how the rest of the block uses it. Write it\n" +
			"after the name, `let xs: [int] = []`, or write type arguments, `chan<int>()`.",
		`let xs = []
print(xs)`,
		`let xs: [int] = []
print(xs)`},
	{BoundNotMet, "a type does not satisfy a bound",
		"A type parameter `<T: Bound>` takes only types that satisfy the interface. The keys of maps\n" +
			"and sets must be hashable: numbers, strings, bools, durations, types compared by identity,\n" +
			"such as channels, and tuples, enums and structs with only `let` fields of these. Use such a\n" +
			"key, or give the type the methods that the interface requires.",
		`struct P { x: int }
let m = map<P, int>()
print(m)`,
		`let m = map<(int, int), int>()
print(m)`},
	{AssertNotMet, "a struct does not satisfy an interface it names",
		"`struct S: I` asserts that S has the methods I requires, with the same parameters and\n" +
			"results. Add the missing method or correct its signature, or remove the interface from the\n" +
			"declaration.",
		`interface Show { fn show() -> str }
struct P: Show { x: int }
print(P(1))`,
		`interface Show { fn show() -> str }
struct P: Show {
  x: int
  fn show() -> str { "P at ${self.x}" }
}
print(P(1).show())`},
	{TypeArgCount, "wrong number of type arguments",
		"A generic type or function takes as many type arguments as it has type parameters. Add or\n" +
			"remove some; those of a function can usually be omitted.",
		`let m: map<str> = {}
print(m)`,
		`let m: map<str, int> = {}
print(m)`},
	{OptionalMisuse, "an optional is used wrongly",
		"A `T?` may be none. Unwrap it with `x!` (throws), `x ?? default`, `x?.field` or `if let v =\n" +
			"x`; these have no meaning for a value that is never none.",
		`let xs: [int]? = [1]
print(xs.len())`,
		`let xs: [int]? = [1]
print(xs?.len() ?? 0)`},
	{NotIndexable, "this cannot be indexed",
		"Lists, maps, bytes and buffers can be indexed, starting from 0: the last element is\n" +
			"`xs.last()`, not `xs[-1]`. Strings can only be sliced, `s[a..b]`; a character is\n" +
			"`s.chars()[i]`. Other values have fields and methods, accessed with a dot. A value of type\n" +
			"`any`, such as the result of `json.parse`, must first be converted to a map or a list: `(v\n" +
			"as map<str, any>)[\"name\"]`; `json.decode<T>` reads a known shape into a struct.",
		`let n = 1
print(n[0])`,
		`let n = [1]
print(n[0])`},
	{NotIterable, "this cannot be iterated over",
		"A `for` runs over lists, maps, sets, strings, bytes, ranges, channels and any type with a\n" +
			"method `fn next() -> T?`. To count, write a range: `for i in 0..n`.",
		"for i in 10 { print(i) }",
		"for i in 0..10 { print(i) }"},
	{Immutable, "this cannot be changed",
		"`let`, parameters, loop variables and constants are set once; tuples, strings and bytes\n" +
			"never change; a field declared with `let` is read-only. Declare it with `var` if it changes,\n" +
			"or make a new value.",
		`let a = 1
a = 2
print(a)`,
		`var a = 1
a = 2
print(a)`},
	{BadTarget, "this cannot be assigned to",
		"Only a variable, a field `x.f` or an element `x[i]` can be assigned to. To compare, write\n" +
			"`==`.",
		"1 + 1 = 2",
		`var a = 1
a = 1 + 1
print(a)`},
	{DroppedValue, "a value is dropped",
		"The value of this expression is computed but not used, which is usually a mistake: an\n" +
			"operator at the start of a line, `==` instead of `=`, a function that is not called.",
		`let a = 1
a + 1`,
		`var a = 1
a += 1
print(a)`},
	{NotConstant, "not a constant",
		"The number of a variant must be an integer literal, known at compile time. An enum whose\n" +
			"variants have fields has no numbers.",
		`enum Size { Small = 1 + 1 }
print(Size.Small)`,
		`enum Size { Small = 2 }
print(Size.Small)`},
	{BranchesDisagree, "the branches have different types",
		"The branches of an `if`, `match` or `try`, and the elements of a list, must have one type,\n" +
			"which is the type of the whole. Convert one of them, or write a type that all of them fit:\n" +
			"`let x: any = ...`.",
		`let a = if true { 1 } else { "one" }
print(a)`,
		`let a = if true { "1" } else { "one" }
print(a)`},
	{NotAnError, "not an error",
		"Only a type with a method `fn message() -> str` can be thrown and caught.\n" +
			"`error(\"text\")` makes a plain error.",
		"throw \"not found\"",
		`try { throw error("not found") } catch e { print(e.message()) }`},
	{UselessTypeTest, "a useless type test",
		"`is`, `as` and type patterns find out the actual type of an `any` or an interface value. The\n" +
			"type of other values is known, so the test is useless: remove it, or declare the value as\n" +
			"`any` or as an interface.",
		`let n = 1
print(n is str)`,
		`let n: any = 1
print(n is str)`},
	{InterfaceRule, "an interface breaks a rule",
		"The methods an interface requires cannot be generic, because they are called on values of\n" +
			"many types. Default methods can be. Use a concrete type or `any` in the method, or make the\n" +
			"function that uses it generic.",
		`interface I { fn f<T>(x: T) }
fn g(i: I) { print(i) }
type_of(g)`,
		`interface I { fn f(x: int) }
fn g(i: I) { i.f(1) }
type_of(g)`},
	{ConstantFails, "a constant cannot be computed",
		"The arithmetic of constants fails: a division by zero, or a shift count below 0 or above 63.\n" +
			"It would fail whenever the program runs; correct the number.",
		`const a = 1 / 0
print(a)`,
		`const a = 1 / 2
print(a)`},
	{BadFormatSpec, "a format is wrong",
		"The `:` in \"${x:>8.2f}\" is followed by [fill]align, `+`, `#`, `0`, width, `,`,\n" +
			"`.precision` and a type that fits the value: d x X o b for int, f e g % for numbers. Write\n" +
			"them in this order, or convert the value first.",
		"print(\"${1:5q}\")",
		`print("${1:5d}")`},
	{NotConstructible, "this type cannot be constructed directly",
		"The values of a native type come from the functions of its module, which open or make them.\n" +
			"`runnel doc` with the name of the module lists them.",
		`import files
print(files.File())
// file files
pub native struct File {}`,
		`import files
print(files.open())
// file files
pub native struct File {}
pub native fn open() -> File`},
	{MissingValue, "a value is missing",
		"A block that must have a value ends without one: its last statement is not an expression, or\n" +
			"a `;` drops its value. An `if` without `else` has no value either. End the block with the\n" +
			"value, remove the `;`, or add the `else`.",
		`fn f(a: int) -> int {
  let b = a
  print(b)
  let c = b
  print(c);
}
print(f(1))`,
		`fn f(a: int) -> int {
  let b = a
  print(b)
  let c = b
  print(c)
  c
}
print(f(1))`},
	{NotExhaustive, "a match does not cover everything",
		"Every value an enum, bool, optional or tuple of these can have needs an arm; for other types\n" +
			"an arm `_` covers the rest. An arm with a guard does not count, because it may not be taken.\n" +
			"Add the arms that the message names.",
		`enum Color { Red, Green }
fn f(c: Color) -> int { match c { Red => 1 } }
print(f(Red))`,
		`enum Color { Red, Green }
fn f(c: Color) -> int { match c { Red => 1, Green => 2 } }
print(f(Red))`},
	{PatternMismatch, "a pattern does not fit the value",
		"The pattern matches values of a different type from the one it is used on, so it can never\n" +
			"match. Correct the pattern, or match on another value.",
		`match 1 {
  "a" => print(1)
  _ => print(2)
}`,
		`match 1 {
  1 => print(1)
  _ => print(2)
}`},
	{PatternFields, "the fields of a pattern are wrong",
		"A pattern by position lists all fields, in order; one by name lists those it needs. Write\n" +
			"`_` for a field that does not matter, or name the others: `Rect(h: height)`.",
		`enum Shape { Rect(w: int, h: int) }
fn f(s: Shape) -> int { match s { Rect(w) => w } }
print(f(Rect(1, 2)))`,
		`enum Shape { Rect(w: int, h: int) }
fn f(s: Shape) -> int { match s { Rect(w, _) => w } }
print(f(Rect(1, 2)))`},
	{RefutablePattern, "a pattern that must match can fail",
		"The pattern of a `let`, a `for` or a lambda's parameter must always match: tuples, structs\n" +
			"and plain names. For a pattern that may fail, use `if let` or `match`.",
		`let (a, 1) = (1, 2)
print(a)`,
		`let (a, _) = (1, 2)
print(a)`},
	{AlternativeNames, "alternatives bind different names",
		"Both sides of `a | b` in a pattern must bind the same names with the same types, because the\n" +
			"code that follows uses them whichever side has matched. Use the same names, or write two\n" +
			"arms.",
		`enum E { A(x: int), B(y: int) }
fn f(e: E) -> int { match e { A(x) | B(y) => 1 } }
print(f(A(1)))`,
		`enum E { A(x: int), B(y: int) }
fn f(e: E) -> int { match e { A(n) | B(n) => n } }
print(f(A(1)))`},
	{OutsideLoop, "break or continue outside a loop",
		"`break` and `continue` belong to a loop of the same function; a closure or a task cannot\n" +
			"leave the loop around it. Use `return` to leave a function or closure.",
		"break",
		"loop { break }"},
	{UnknownLabel, "no loop has this label",
		"A label names a loop around the `break` or `continue`: write it before the loop, `'outer:\n" +
			"for ...`, or correct its name.",
		"loop { break 'outer }",
		"'outer: loop { break 'outer }"},
	{OutsideFunction, "return outside a function",
		"`return` leaves a function, and there is none here: the top level of a script runs to its\n" +
			"end. Put the statements into a function; `sys.exit` ends the whole program.",
		"return",
		`fn f() { return }
f()`},
	{LeavesDefer, "a jump out of a defer",
		"A `defer` runs when the function has ended, so it cannot return from it or jump into its\n" +
			"loops. Use an `if` in the deferred block, or move the code into a function that may return.",
		`fn f() {
  defer { return }
}
f()`,
		`fn f() {
  defer { print("bye") }
  return
}
f()`},
	{YieldOutside, "yield outside a generator",
		"`yield` produces an element of a generator: a function or lambda whose declared result is an\n" +
			"`Iterator<T>`. A task, a test and the top level of a script produce no elements. Declare the\n" +
			"result, or collect the elements in a list.",
		`fn evens(n: int) -> [int] {
  for i in 0..n { yield 2 * i }
}
print(evens(3))`,
		`fn evens(n: int) -> Iterator<int> {
  for i in 0..n { yield 2 * i }
}
print(evens(3).to_list())`},
	{YieldWithin, "yield in a block that must end",
		"A generator need not run to its end: its user may stop iterating half-way, and it is then\n" +
			"dropped where it is. So nothing may depend on its end: `yield` is not allowed in a `lock`,\n" +
			"`scope`, `select` or `defer`, and `defer` is not allowed in a generator. Get the value\n" +
			"there, and `yield` it afterwards; closing things is up to the user of the generator.",
		`fn numbers(m: mutex<[int]>) -> Iterator<int> {
  lock m as xs {
    for x in xs { yield x }
  }
}
for x in numbers(mutex([1, 2])) { print(x) }`,
		`fn numbers(m: mutex<[int]>) -> Iterator<int> {
  let all = lock m as xs { xs.copy() }
  for x in all { yield x }
}
for x in numbers(mutex([1, 2])) { print(x) }`},
	{SharedVariable, "a task uses a variable from outside",
		"Tasks run in parallel, so a `var` that a spawned block, closure or function shares with\n" +
			"the code around it could be changed by both at once. Pass a `let`, guard the value with\n" +
			"a `mutex`, send it over a `chan`, or use `sync.atomic`.",
		`var count = 0
spawn { count += 1 }
print(count)`,
		`let count = mutex(0)
await spawn { lock count as n { n += 1 } }
lock count as n { print(n) }`},
	{LockedEscapes, "a locked value escapes its lock",
		"The name that `lock m as v` binds is valid while the lock is held. A closure, a task or a\n" +
			"`defer` would use it later, when others may hold the lock. Copy what is needed to a `let`,\n" +
			"or lock again there.",
		`let m = mutex(1)
lock m as v {
  let f = || v + 1
  print(f())
}`,
		`let m = mutex(1)
lock m as v {
  let w = v
  let f = || w + 1
  print(f())
}`},
	{CannotSpawn, "this cannot be spawned",
		"`spawn` takes a call of a function or a block, which becomes a task. Put anything else into\n" +
			"a block: `spawn { P(1) }`.",
		`struct P { x: int }
spawn P(1)`,
		`struct P { x: int }
let t = spawn { P(1) }
print(await t)`},
	{NotConcurrent, "not a task, channel or mutex",
		"`await` needs a task, `lock` a mutex, and the arms of `select` channels. The result of an\n" +
			"ordinary call needs no `await`; `spawn f()` makes a task of a call.",
		"print(await 1)",
		`let t = spawn { 1 }
print(await t)`},
	{SuspendsInModule, "a module's top level cannot wait",
		"The values of an imported module are initialized before the program runs, when nothing can\n" +
			"wait. Do the waiting in a function that the importer calls.",
		`import "./a"
print(a.x)
// file ./a
pub let x = await spawn f()
fn f() -> int { 1 }`,
		`import "./a"
print(await a.x())
// file ./a
pub fn x() -> task<int> { spawn f() }
fn f() -> int { 1 }`},
	{BadSelect, "a select has the wrong arms",
		"A `select` has at least one arm, and at most one of `after` and `_`: with `_` it never\n" +
			"waits, so `after` would never be taken. Remove one of them.",
		`let c = chan<int>()
select {
  c.send(1) => print(1)
  _ => print(2)
  _ => print(3)
}`,
		`let c = chan<int>()
select {
  c.send(1) => print(1)
  _ => print(2)
}`},
	{UnusedVariable, "a variable is never used",
		"Nothing reads this variable. Remove it, or begin its name with `_`.",
		"let a = 1",
		`let a = 1
print(a)`},
	{UnusedImport, "an import is never used",
		"Nothing of the imported module is used. Remove the import.",
		`import "./a"
// file ./a
pub let x = 1`,
		`import "./a"
print(a.x)
// file ./a
pub let x = 1`},
	{UnusedFunction, "a function is never used",
		"Nothing calls this function, and it is not exported with `pub`. Remove it, call it, or begin\n" +
			"its name with `_`.",
		"fn f() { print(1) }",
		`fn f() { print(1) }
f()`},
	{UnreachableCode, "code is never reached",
		"The previous statement always returns, throws, jumps or loops forever. Remove what follows,\n" +
			"or move it up.",
		`fn f() -> int {
  return 1
  print(2)
}
print(f())`,
		`fn f() -> int {
  print(2)
  return 1
}
print(f())`},
	{UnreachableArm, "an arm is never reached",
		"The arms above match everything this one matches, and the first that matches is taken. Move\n" +
			"it up, or remove it.",
		`fn f(n: int) -> int {
  match n {
    _ => 1
    2 => 3
  }
}
print(f(1))`,
		`fn f(n: int) -> int {
  match n {
    2 => 3
    _ => 1
  }
}
print(f(1))`},
	{NearMiss, "a method almost replaces a default method",
		"The method's name is similar to that of a default method of an interface the struct\n" +
			"declares. If it is meant to replace that method, it needs the same name; otherwise choose a\n" +
			"name that cannot be mistaken for it.",
		`interface Job {
  fn run()
  fn on_stop() { print("stopped") }
}
struct Print: Job {
  fn run() { print(1) }
  fn on_stopp() { print(2) }
}
Print().run()`,
		`interface Job {
  fn run()
  fn on_stop() { print("stopped") }
}
struct Print: Job {
  fn run() { print(1) }
  fn on_stop() { print(2) }
}
Print().run()`},
	{NeverAssigned, "a var is never assigned again",
		"A variable that keeps its first value is declared with `let`, and can then be narrowed and\n" +
			"captured by tasks. Write `let` for `var`.",
		`var a = 1
if true {
  var b = a
  print(b)
}
a = 2`,
		`var a = 1
if true {
  let b = a
  print(b)
}
a = 2`},
	{DividesByZero, "a division by zero",
		"The divisor is the constant 0, so this throws whenever it runs. Correct the divisor.",
		`fn f(n: int) -> int { n / 0 }
print(f(1))`,
		`fn f(n: int) -> int { n / 2 }
print(f(1))`},
	{SharedElement, "the same value in all places of a list",
		"The list contains the same list, map or struct in each place, so changing one changes all.\n" +
			"Make each one separately: `(0..n).map(|_| [0].repeat(3))`.",
		`let grid = [[0].repeat(3)].repeat(2)
grid[0][0] = 1
print(grid)`,
		`let grid = (0..2).map(|_| [0].repeat(3))
grid[0][0] = 1
print(grid)`},
	{MeansElsewhere, "something has another meaning in other languages",
		"This is valid, but it does not mean what it means in other languages: `${}` has no effect in\n" +
			"a text in backquotes, `//` begins a comment, `--` is minus a negative number, `^` is not\n" +
			"exponentiation. The message says what to write for either meaning.",
		"let n = 3\nprint(`n is ${n}`)\n",
		`let n = 3
print("n is ${n}")`},
	{NeverNone, "a `!` on a value that is never none",
		"`x!` is the value of an optional. A value that is not optional, or that an earlier test has\n" +
			"shown to be there, needs no `!`.",
		`fn double(n: int?) -> int { if n == none { 0 } else { n! * 2 } }
print(double(4))`,
		`fn double(n: int?) -> int { if n == none { 0 } else { n * 2 } }
print(double(4))`},
	{TooDeep, "nested too deeply",
		"The program nests more levels of expressions, types or imports than the checker supports.\n" +
			"Move parts into separate functions or variables.",
		"",
		""},
	{TypeTooLarge, "a type is too large",
		"The type of the expression has more than 2000 parts, usually because of repeatedly nested\n" +
			"tuples. Use a struct or a list.",
		`let a = (1, 1, 1, 1)
let b = (a, a, a, a)
let c = (b, b, b, b)
let d = (c, c, c, c)
let e = (d, d, d, d)
let f = (e, e, e, e)
print(f)`,
		`struct Four { parts: [int] }
let a = Four([1, 1, 1, 1])
let b = [a, a, a, a]
print(b)`},
}
