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
	{CompilerDefect, "defect of the compiler",
		"The compiler met something that it cannot translate although the checker has accepted it. This\n" +
			"is a defect of Runnel, not of your program: please report the program that shows it.\n" +
			"Or a module of the host declares a native function whose signature it does not give in Go,\n" +
			"in Signatures of its vm.Module: that is for the author of the module to mend.", "",
		""},
	{ProgramTooLarge, "program too large",
		"A program has at most 100,000 functions and 65,535 types after its generic ones are made\n" +
			"concrete, a function at most 4,095 registers, which hold its names and what it works out, a\n" +
			"struct, a variant, a tuple or what a lambda takes from around it 499 values, an enum with fields\n" +
			"256 variants, a select 60 arms. Split what is too large, or use a list or a map.", "",
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
		"A field or parameter that is left out gets its default. The default of this one makes a\n" +
			"value that leaves the same field out again, so there is no end. Make the field optional,\n" +
			"with the default `none`.",
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
		"Whoever runs the compiler bounds how long it may take for a program, 30 seconds where nothing else\n" +
			"is said. A program that takes longer is made of ever larger parts, or is very large: split it.", "",
		""},
}
