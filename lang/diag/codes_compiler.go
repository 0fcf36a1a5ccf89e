package diag

// The codes of the compiler: what a program without errors of type can still
// be refused for.
const (
	CompilerDefect  Code = "E0801"
	ProgramTooLarge Code = "E0802"
	EndlessInstance Code = "E0803"
	EndlessDefault  Code = "E0805"
	EndlessType     Code = "E0806"
	CompileStopped  Code = "E0807"
)

var compilerCodes = []CodeInfo{
	{CompilerDefect, "compiler bug",
		"The compiler cannot translate something that the checker has accepted. This is a bug in\n" +
			"Runnel, not in your program: please report the program that shows it. Or a module of the\n" +
			"host declares a native function without giving its signature in Go, in Signatures of its\n" +
			"vm.Module: the author of the module has to fix that.", "",
		""},
	{ProgramTooLarge, "program too large",
		"A program can have at most 100,000 functions and 65,535 types, counting each instantiation\n" +
			"of a generic one; a function at most 4,095 registers, which hold its variables and\n" +
			"intermediate results; a struct, a variant, a tuple or the captures of a lambda 499 values;\n" +
			"an enum with fields 256 variants; and a select 60 arms. Split what is too large, or use a\n" +
			"list or a map.", "",
		""},
	{EndlessInstance, "endless instances",
		"A generic function is compiled once for each list of concrete types it is used with. This one\n" +
			"uses itself with a larger type each time, so there is no end. Pass the growing part as a value,\n" +
			"in a list for example, instead of in the type.",
		"fn grow<T>(x: T, n: int) -> int {\n  if n == 0 { 0 } else { grow([x], n - 1) }\n}\nprint(grow(1, 3))\n",
		`fn grow<T>(xs: [T], n: int) -> int {
  if n == 0 { return xs.len() }
  xs.push(xs[0])
  grow(xs, n - 1)
}
print(grow([1], 3))`},
	{EndlessDefault, "endless defaults",
		"An omitted field or parameter gets its default. This default makes a value that omits the\n" +
			"same field again, so there is no end. Make the field optional, with the default `none`.",
		"struct Node { next: Node? = Node() }\nprint(Node())\n",
		`struct Node { next: Node? = none }
print(Node())`},
	{EndlessType, "endless types",
		"A generic type is made once for each list of concrete types it is used with, and so are the\n" +
			"types of its fields. This one has a field whose type is, or contains, a larger type of itself, so\n" +
			"there is no end. Give the field the same type as the whole has, or hold it as `any`.",
		"struct Nest<T> { value: T, inner: Nest<[T]>? = none }\nprint(Nest(1))\n",
		`struct Nest<T> { value: T, inner: Nest<T>? = none }
print(Nest(1))`},
	{CompileStopped, "compiling stopped",
		"There is a time limit for compiling a program, by default 30 seconds. A program that takes\n" +
			"longer is made of ever larger parts, or is very large: split it.", "",
		""},
}
