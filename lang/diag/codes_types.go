package diag

// Codes of the checker. The numbers are for ever; a code that is no longer
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
	TooDeep          Code = "E0701"
	TypeTooLarge     Code = "E0702"
)

// checkerCodes explains the codes of the checker. An example that needs other
// modules holds them after lines `// file <import path>`.
var checkerCodes = []CodeInfo{
	{UnknownName, "unknown name",
		"No variable, function or module of this name can be seen here. Check the spelling,\n" +
			"import the module, or declare the name before it is used. Fields and methods of the type\n" +
			"a method belongs to are reached through `self.`.",
		`let count = 1
print(cuont)`},
	{UnknownType, "unknown type",
		"No type of this name can be seen here. The built-in types are int, float, bool, str,\n" +
			"bytes, duration, any, never, buffer, [T], T?, map<K, V>, set<T>, task<T>, chan<T> and\n" +
			"mutex<T>; other types are declared or come from a module, as in `geo.Point`.",
		`fn f(name: string) { print(name) }
f("a")`},
	{DuplicateName, "a name is declared twice",
		"Within one block, type or parameter list each name is declared once. Choose another\n" +
			"name, or assign to a `var`. A block inside may use the name again for something of its\n" +
			"own.",
		`let a = 1
let a = 2
print(a)`},
	{UnknownExport, "a module has no such name",
		"The imported module declares nothing of this name.",
		`import "./geo"
print(geo.aera(2))
// file ./geo
pub fn area(r: int) -> int { r * r }`},
	{PrivateName, "a private name of another module",
		"Only what a module declares with `pub` can be used by others.",
		`import "./geo"
print(geo.area(2))
// file ./geo
fn area(r: int) -> int { r * r }`},
	{ModuleNotFound, "a module cannot be imported",
		"There is no module of this name, or its file cannot be read. Modules of the standard\n" +
			"library are imported by name, files beside this one as `import \"./name\"`.",
		"import no_such_module"},
	{ImportCycle, "the imports form a cycle",
		"A module that is imported is initialised before its importer, so two modules cannot\n" +
			"import each other, also not by way of others. Move what both need into a third one.",
		`import "./a"
print(a.x)
// file ./a
import "./b"
pub let x = b.y
// file ./b
import "./a"
pub let y = a.x`},
	{ModuleStatement, "a statement in an imported module",
		"The top level of an imported module declares things and initialises `let`s. It has no\n" +
			"`var`, which all importers would share, and runs no statements.",
		`import "./a"
print(a.x)
// file ./a
pub let x = 1
print("hello")`},
	{WrongCase, "a name's case is wrong",
		"Types and variants begin with a capital letter, everything else is lower case with `_`\n" +
			"between words. So the case alone tells a variant from a binding in a pattern.",
		`fn addOne(n: int) -> int { n + 1 }
print(addOne(1))`},
	{UnknownMember, "no such field or method",
		"The type has no field or method of this name.",
		"print([1, 2].lenght())"},
	{UnknownVariant, "no such variant",
		"The enum has no variant of this name.",
		`enum Color { Red, Green }
print(Color.Blue)`},
	{LibraryOnly, "only for the standard library",
		"`native` declarations and `extend` stand for code of the runtime and can only be written\n" +
			"in the standard library.",
		`native fn f()
f()`},
	{UsedTooEarly, "used before it is declared",
		"Top-level statements run in order, so a variable can only be used below its declaration.\n" +
			"Functions may use it wherever they stand.",
		`print(a)
let a = 1`},
	{SelfOutside, "self outside a method",
		"`self` is the value a method is called on, and exists only in the methods of a struct,\n" +
			"enum or interface.",
		`fn f() -> int { self.x }
print(f())`},
	{NotAValue, "not a value",
		"A type, module or built-in function cannot stand where a value is expected.",
		`struct P { x: int }
print(P)`},
	{DefinedByItself, "defined by itself",
		"A type alias or a constant is defined in terms of itself and so means nothing.",
		`type A = [A]
fn f(a: A) { print(a) }
f([])`},
	{MisplacedDecl, "a declaration in a block",
		"Functions, types, imports, tests and benchmarks are declared at the top level of a file. Inside a\n" +
			"function write a lambda instead.",
		`fn f() {
  struct P { x: int }
}
f()`},
	{TypeMismatch, "the types do not match",
		"The value has another type than is expected in its place. Only four conversions happen\n" +
			"by themselves: an integer literal to float, T to T?, a type to an interface it\n" +
			"satisfies, and anything to any.",
		`let name: str = 5
print(name)`},
	{BadOperands, "an operator cannot be used on these values",
		"The operands must fit the operator: numbers of the same type for arithmetic, ordered\n" +
			"values for `<`, values of one type for `==`. There are no implicit conversions between\n" +
			"them.",
		"print(1 + \"a\")"},
	{NotCallable, "this cannot be called",
		"Only functions, structs and variants with fields can be called.",
		`let n = 1
print(n(2))`},
	{MissingArgument, "an argument is missing",
		"Each parameter without a default needs an argument; each field without a default needs a\n" +
			"value when a struct is made.",
		`struct P { x: int, y: int }
print(P(1))`},
	{TooManyArguments, "too many arguments",
		"More arguments are given than the function has parameters, or the struct or variant has\n" +
			"fields.",
		`fn f(a: int) -> int { a }
print(f(1, 2))`},
	{UnknownArgument, "no such argument",
		"No parameter or field has this name.",
		`fn f(size: int) -> int { size }
print(f(sise: 1))`},
	{RepeatedArgument, "an argument is given twice",
		"The same parameter or field is given a value twice, by its place and by its name.",
		`fn f(a: int, b: int = 1) -> int { a + b }
print(f(1, a: 2))`},
	{CannotInfer, "a type cannot be inferred",
		"The type follows neither from the value nor from where it is used in the same statement.\n" +
			"Write it, or give type arguments.",
		`let xs = []
print(xs)`},
	{BoundNotMet, "a type does not satisfy a bound",
		"A type parameter `<T: Bound>` takes only types that satisfy the interface. The keys of\n" +
			"maps and sets must be hashable.",
		`struct P { x: int }
let m = map<P, int>()
print(m)`},
	{AssertNotMet, "a struct does not satisfy an interface it names",
		"`struct S: I` asserts that S has the methods I requires, with the same parameters and\n" +
			"results.",
		`interface Show { fn show() -> str }
struct P: Show { x: int }
print(P(1))`},
	{TypeArgCount, "wrong number of type arguments",
		"A generic type or function takes as many type arguments as it has type parameters.",
		`let m: map<str> = {}
print(m)`},
	{OptionalMisuse, "an optional is used wrongly",
		"A `T?` may be none. It is unwrapped by `x!` (throws), `x ?? default`, `x?.field` or `if\n" +
			"let v = x`; on a value that is never none these mean nothing.",
		`let xs: [int]? = [1]
print(xs.len())`},
	{NotIndexable, "this cannot be indexed",
		"Lists, maps, bytes and buffers are indexed; strings are only sliced, `s[a..b]`.",
		`let n = 1
print(n[0])`},
	{NotIterable, "a for cannot run over this",
		"A `for` runs over lists, maps, sets, strings, bytes, ranges, channels and any type with\n" +
			"a method `fn next() -> T?`.",
		"for i in 10 { print(i) }"},
	{Immutable, "this cannot be changed",
		"`let`, parameters, loop variables and constants are set once; tuples, strings and bytes\n" +
			"never change; a field declared with `let` is read-only.",
		`let a = 1
a = 2
print(a)`},
	{BadTarget, "this cannot be assigned to",
		"A variable, a field `x.f` or an element `x[i]` can be assigned to, and nothing else.",
		"1 + 1 = 2"},
	{DroppedValue, "a value is dropped",
		"The value of this expression is computed and not used, which is mostly a slip: an\n" +
			"operator at the beginning of a line, `==` for `=`, a function that is not called.",
		`let a = 1
a + 1`},
	{NotConstant, "not a constant",
		"The value of a `const` is computed when the program is compiled: literals, operators and\n" +
			"other constants.",
		`const size = [1].len()
print(size)`},
	{BranchesDisagree, "the branches have different types",
		"The branches of an `if`, `match` or `try`, and the elements of a list, give one type.",
		`let a = if true { 1 } else { "one" }
print(a)`},
	{NotAnError, "not an error",
		"Only a type with a method `fn message() -> str` can be thrown and caught.\n" +
			"`error(\"text\")` makes a plain error.",
		"throw \"not found\""},
	{UselessTypeTest, "a type test that cannot tell anything",
		"`is`, `as` and type patterns tell what an `any` or an interface value really is. Of\n" +
			"other values the type is known.",
		`let n = 1
print(n is str)`},
	{InterfaceRule, "an interface breaks a rule",
		"The methods an interface requires are not generic, as values of many types are called\n" +
			"through it. Default methods may be.",
		`interface I { fn f<T>(x: T) }
fn g(i: I) { print(i) }
print(g)`},
	{ConstantFails, "a constant cannot be computed",
		"The arithmetic of constants fails: a division by zero, or a shift by less than 0 or more\n" +
			"than 63.",
		`const a = 1 / 0
print(a)`},
	{BadFormatSpec, "a format is wrong",
		"After the `:` in \"${x:>8.2f}\" stands [fill]align, `+`, `#`, `0`, width, `,`,\n" +
			"`.precision` and a kind, of which the value must be: d x X o b for int, f e g % for\n" +
			"numbers.",
		"print(\"${1:5q}\")"},
	{NotConstructible, "this type cannot be made directly",
		"The values of a native type come from the functions of its module.",
		`import files
print(files.File())
// file files
pub native struct File {}`},
	{MissingValue, "a value is missing",
		"A block that must give a value ends without one: its last statement is no expression, or\n" +
			"is dropped by a `;`. An `if` without `else` gives none either.",
		`fn f(a: int) -> int {
  let b = a
  print(b)
  let c = b
  print(c);
}
print(f(1))`},
	{NotExhaustive, "a match does not cover everything",
		"Every value an enum, bool, optional or tuple of these can have needs an arm; for other\n" +
			"types an arm `_` covers the rest. An arm with a guard does not count.",
		`enum Color { Red, Green }
fn f(c: Color) -> int { match c { Red => 1 } }
print(f(Red))`},
	{PatternMismatch, "a pattern does not fit the value",
		"The pattern matches values of another type than the one it is used on.",
		`match 1 {
  "a" => print(1)
  _ => print(2)
}`},
	{PatternFields, "the fields of a pattern are wrong",
		"A pattern with positions names all fields, in order; with names, those it wants.",
		`enum Shape { Rect(w: int, h: int) }
fn f(s: Shape) -> int { match s { Rect(w) => w } }
print(f(Rect(1, 2)))`},
	{RefutablePattern, "a pattern of a let may not match",
		"What a `let` takes apart must always match: tuples, structs and plain names.",
		`let (a, 1) = (1, 2)
print(a)`},
	{AlternativeNames, "alternatives bind different names",
		"Both sides of `a | b` in a pattern bind the same names, of the same types.",
		`enum E { A(x: int), B(y: int) }
fn f(e: E) -> int { match e { A(x) | B(y) => 1 } }
print(f(A(1)))`},
	{OutsideLoop, "break or continue outside a loop",
		"`break` and `continue` belong to a loop of the same function; a closure or a task cannot\n" +
			"leave the loop around it.",
		"break"},
	{UnknownLabel, "no loop has this label",
		"A label names a loop around the `break` or `continue`: `'outer: for ...`.",
		"loop { break 'outer }"},
	{OutsideFunction, "return outside a function",
		"`return` leaves a function, and there is none here.",
		"return"},
	{LeavesDefer, "a jump out of a defer",
		"What `defer` runs when the function has ended cannot return from it or jump into its\n" +
			"loops.",
		`fn f() {
  defer { return }
}
f()`},
	{SharedVariable, "a task uses a variable of others",
		"Tasks run in parallel, so a `var` that a spawned block, closure or function shares with\n" +
			"the code around it could be changed by both at once. Pass a `let`, guard the value with\n" +
			"a `mutex`, send it over a `chan`, or use `sync.atomic`.",
		`var count = 0
spawn { count += 1 }
print(count)`},
	{LockedEscapes, "a locked value escapes its lock",
		"The name that `lock m as v` binds is valid while the lock is held. A closure, a task or\n" +
			"a `defer` would use it later.",
		`let m = mutex(1)
lock m as v {
  let f = || v + 1
  print(f())
}`},
	{CannotSpawn, "this cannot be spawned",
		"`spawn` takes a call of a function or a block.",
		`struct P { x: int }
spawn P(1)`},
	{NotConcurrent, "not a task, channel or mutex",
		"`await` needs a task, `lock` a mutex, and the arms of `select` channels.",
		"print(await 1)"},
	{SuspendsInModule, "a module's top level cannot wait",
		"The values of an imported module are made before the program runs, where nothing can\n" +
			"wait.",
		`import "./a"
print(a.x)
// file ./a
pub let x = await spawn f()
fn f() -> int { 1 }`},
	{BadSelect, "a select has the wrong arms",
		"A `select` has at least one arm, and at most one of `after` and `_`.",
		`let c = chan<int>()
select {
  c.send(1) => print(1)
  _ => print(2)
  _ => print(3)
}`},
	{UnusedVariable, "a variable is never used",
		"Nothing reads this variable. Remove it, or begin its name with `_`.",
		"let a = 1"},
	{UnusedImport, "an import is never used",
		"Nothing of the imported module is used.",
		`import "./a"
// file ./a
pub let x = 1`},
	{UnusedFunction, "a function is never used",
		"Nothing calls this function, and it is not exported with `pub`.",
		"fn f() { print(1) }"},
	{UnreachableCode, "code is never reached",
		"The statement before always returns, throws, jumps or loops for ever.",
		`fn f() -> int {
  return 1
  print(2)
}
print(f())`},
	{UnreachableArm, "an arm is never reached",
		"The arms above match everything this one matches.",
		`fn f(n: int) -> int {
  match n {
    _ => 1
    2 => 3
  }
}
print(f(1))`},
	{NearMiss, "a method almost replaces a default method",
		"The method's name is almost that of a default method of an interface the struct names.\n" +
			"If it is meant to replace it, it needs the same name.",
		`interface Job {
  fn run()
  fn on_stop() { print("stopped") }
}
struct Print: Job {
  fn run() { print(1) }
  fn on_stopp() { print(2) }
}
Print().run()`},
	{NeverAssigned, "a var is never assigned again",
		"A variable that keeps its first value is declared with `let`, and can then be narrowed\n" +
			"and captured.",
		`var a = 1
if true {
  var b = a
  print(b)
}
a = 2`},
	{DividesByZero, "a division by zero",
		"The divisor is the constant 0, so this throws whenever it runs.",
		`fn f(n: int) -> int { n / 0 }
print(f(1))`},
	{TooDeep, "nested too deeply",
		"The program nests more levels of expressions, types or imports than the checker follows.\n" +
			"Move parts into functions or variables of their own.",
		""},
	{TypeTooLarge, "a type is too large",
		"The type of the expression has more than 2000 parts, mostly from tuples nested again and\n" +
			"again. Use a struct.",
		`let a = (1, 1, 1, 1)
let b = (a, a, a, a)
let c = (b, b, b, b)
let d = (c, c, c, c)
let e = (d, d, d, d)
let f = (e, e, e, e)
print(f)`},
}
