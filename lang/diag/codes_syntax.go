package diag

// Codes of the lexer and the parser. The numbers are forever; a code that is
// no longer given stays in the table.
const (
	BadCharacter       Code = "E0101"
	UnexpectedToken    Code = "E0102"
	Unclosed           Code = "E0103"
	UnclosedString     Code = "E0104"
	UnclosedComment    Code = "E0105"
	BadNumber          Code = "E0106"
	BadEscape          Code = "E0107"
	NumberTooLarge     Code = "E0108"
	TooNested          Code = "E0109"
	ChainedComparison  Code = "E0110"
	MinusBeforePower   Code = "E0111"
	ReservedWord       Code = "E0112"
	BadAssignment      Code = "E0113"
	SpawnOperand       Code = "E0114"
	BraceIsMap         Code = "E0115"
	MissingInitialiser Code = "E0116"
	MissingAnnotation  Code = "E0117"
	SingleQuotes       Code = "E0118"
	ForeignSyntax      Code = "E0119"
	LeadingOperator    Code = "E0120"
	StrayCloser        Code = "E0121"
	BadPattern         Code = "E0122"
	BadSelectArm       Code = "E0123"
	TryWithoutCatch    Code = "E0124"
	BadInterpolation   Code = "E0125"
	MisplacedModifier  Code = "E0126"
	MisplacedWord      Code = "E0127"
	BadTextBlock       Code = "E0128"
)

var syntaxCodes = []CodeInfo{
	{BadCharacter, "an unexpected character",
		`Outside strings and comments a program is made of names (letters a to z, digits and _),
numbers, and the operators and brackets of the language. Characters of other alphabets,
typographic quotation marks and signs such as @ or # belong into strings.
A comment begins with //.`,
		"let total = 3 @ 4\n",
		`let total = 3 * 4
print(total)`},
	{UnexpectedToken, "something else was expected here",
		`The parser knows what can follow at this place, and this cannot. Often a comma, an
operator or a closing bracket is missing just before it. Two statements on one line are
separated by a semicolon.`,
		"let x = 1 2\n",
		`let x = 1 + 2
print(x)`},
	{Unclosed, "a bracket is not closed",
		`Every (, [ and { needs its closing partner. The label shows the bracket that was opened;
the message stands where it should have been closed at the latest, judging by what
follows and by the indentation.`,
		"print(1, 2\nlet x = 3\n",
		`print(1, 2)
let x = 3
print(x)`},
	{UnclosedString, "a string is not closed",
		`A string in double quotes ends on the line it begins on, so that a forgotten quote spoils
one line and not the rest of the file. Write \n for a line break, or a raw string in
backquotes, which may span lines.`,
		"let name = \"Ada\nprint(name)\n",
		`let name = "Ada"
print(name)`},
	{UnclosedComment, "a comment is not closed",
		"A comment that begins with /* ends with */. Such comments nest: a /* within one needs its\n" +
			"own */. Add the */, or write // before each line.",
		"let x = 1 /* the rest is lost\n",
		`let x = 1 /* the rest is kept */
print(x)`},
	{BadNumber, "a malformed number",
		`Integers are written 1_000, 0xff, 0b1010 or 0o17, floats 1.5 or 1e9 with a digit on both
sides of the dot, durations with a unit: 10ns, 5us, 100ms, 2s, 3m, 1h. A number does not
begin with a zero that has no meaning.`,
		"let x = 0b102\n",
		`let x = 0b101
print(x)`},
	{BadEscape, "an unknown escape sequence",
		`In a string a backslash begins one of \n \t \r \0 \\ \" \' \$ \xNN \u{...}. A backslash
itself is written \\; a raw string in backquotes has no escapes at all.`,
		"let path = \"C:\\dir\"\n",
		`let path = "C:\\dir"
print(path)`},
	{NumberTooLarge, "a literal out of range",
		`An int has 64 bits: from -9_223_372_036_854_775_808 to 9_223_372_036_854_775_807. A float
reaches to about 1.8e308, a duration to about 292 years. In hexadecimal, binary and octal
all 64 bits can be written: 0xffff_ffff_ffff_ffff is -1.`,
		"let x = 9_223_372_036_854_775_808\n",
		`let x = 9_223_372_036_854_775_807
print(x)`},
	{TooNested, "the program is nested too deeply",
		`Brackets, blocks, types and patterns may stand about a thousand deep in one another; chains
of operators, of calls and of else ifs have ten thousand links. Give parts of such an expression a name with let, or move them to a function. A
long sum of texts is better made with a list and join.`,
		"",
		""},
	{ChainedComparison, "operators that do not chain",
		`A comparison gives a bool, so a < b < c would compare a bool with c. Compare twice:
a < b && b < c. Where a bool is to be compared, use parentheses: (a < b) == c. A range has
two ends, so ranges do not chain either.`,
		"let ok = 1 < 2 < 3\n",
		`let ok = 1 < 2 && 2 < 3
print(ok)`},
	{MinusBeforePower, "a minus before ** needs parentheses",
		`Readers disagree whether -2 ** 2 is 4 or -4, so the language wants to be told: write
-(2 ** 2) or (-2) ** 2.`,
		"let x = -2 ** 2\n",
		`let x = -(2 ** 2)
print(x)`},
	{ReservedWord, "a keyword used as a name",
		"Keywords cannot name variables, functions or types: choose another name. They can name\n" +
			"fields and methods, which always follow a dot.",
		"let match = 1\n",
		`let found = 1
print(found)`},
	{BadAssignment, "a malformed assignment",
		`An assignment is a statement and has no value, so assignments do not chain: write one for
each target.`,
		"var a = 1\nvar b = 2\na = b = 3\n",
		`var a = 1
var b = 2
b = 3
a = b
print(a, b)`},
	{SpawnOperand, "spawn needs a call or a block",
		`A task runs a call or a block: spawn f(x), spawn { ... }. The arguments of the call are
evaluated before the task starts.`,
		"let t = spawn 5\n",
		`let t = spawn { 5 }
print(await t)`},
	{BraceIsMap, "a { is read differently than intended",
		"At the start of a statement, or of the body of an arm or a lambda, { opens a block; as an\n" +
			"operand it opens a map. In the head of if, while, for and match a map needs parentheses,\n" +
			"because { opens the body there. To compute a value in several steps, write a function, or\n" +
			"put the steps before the statement.",
		"let x = { let y = 1; y + 1 }\n",
		`let x = if true { let y = 1; y + 1 } else { 0 }
print(x)`},
	{MissingInitialiser, "a variable without a value",
		`Every let, var and const has a value from the start, so no variable is ever read before
it is set. For "nothing yet" use an optional: var best: int? = none. Often the value can be
an expression: let x = if c { 1 } else { 2 }.`,
		"var total: int\n",
		`var total: int = 0
total += 1
print(total)`},
	{MissingAnnotation, "a type is missing",
		`The types of local variables are inferred, but the parameters of functions and the fields
of structs always have their types written, after the name and a colon. They are what a
reader of the code, and of an error, relies on.`,
		"fn double(x) -> int { x * 2 }\n",
		`fn double(x: int) -> int { x * 2 }
print(double(2))`},
	{SingleQuotes, "a string in single quotes",
		`Strings stand in double quotes, raw strings in backquotes. A single quote begins a label:
'outer: for ... .`,
		"let name = 'Ada Lovelace'\n",
		`let name = "Ada Lovelace"
print(name)`},
	{ForeignSyntax, "something is written differently in Runnel",
		`The parser knows what other languages write here, and the message names what Runnel
writes. Where the meaning was clear, parsing went on as if it had been written so.`,
		"let x = true and false\n",
		`let x = true && false
print(x)`},
	{LeadingOperator, "a line begins with an operator",
		`A newline ends a statement unless a bracket ( or [ is open, so a line cannot begin with an
operator: write it at the end of the line above. Only . ?. ?? and && may begin a line
that goes on from the one above.`,
		"let x = 1\n  + 2\n",
		`let x = 1 +
  2
print(x)`},
	{StrayCloser, "a closing bracket without an opening one",
		"There is no open bracket for this one to close. Either it is superfluous, or the bracket\n" +
			"that it should close was closed too early: remove it, or look above for the superfluous one.",
		"let x = 1\n}\n",
		`let x = 1
print(x)`},
	{BadPattern, "a malformed pattern",
		`A pattern is a literal, a range, a name, _, a tuple, a list, a variant or struct with its
fields, or several of them with | between. Maps and interpolated strings cannot be matched:
bind a name and test it in a guard: m if m.len() == 2 => ... . A list can have any length, so a let
cannot take it apart: write if let [a, b] = xs { ... }, or a match with an arm for the rest.`,
		"match 1 {\n  {x} => print(1)\n  _ => print(2)\n}\n",
		`let m = {"x": 1}
match m.len() {
  1 => print(m["x"])
  _ => print(2)
}`},
	{BadSelectArm, "a malformed arm of a select",
		`An arm of a select is a receive, let v = ch.recv() => ..., a send, ch.send(x) => ..., a
deadline, after 1s => ..., or _ => ... for when nothing is ready.`,
		"select {\n  print(1) => none\n}\n",
		`let c = chan<int>(1)
c.send(1)
select {
  let x = c.recv() => print(x)
  after 1s => print("nothing came")
}`},
	{TryWithoutCatch, "a try without a catch",
		`A try handles errors in at least one catch: try { ... } catch e { ... }. What must be done
in any case is written defer, before what may fail.`,
		"try { print(1) }\n",
		"try { print(1) } catch e { print(e.message()) }"},
	{BadInterpolation, "a malformed interpolation",
		`Between ${ and } in a string stands an expression, after a colon perhaps a format spec. For
a dollar sign before a brace write \$.`,
		"let s = \"a${}b\"\n",
		`let x = 1
let s = "a${x}b"
print(s)`},
	{MisplacedModifier, "a modifier that has no meaning here",
		"pub exports a declaration at the top level of a file. Fields and methods are visible\n" +
			"wherever their type is, and what a block declares is never visible outside it. A field can\n" +
			"be assigned unless it is declared with let. Remove the word.",
		"struct Counter {\n  var n: int\n}\n",
		`struct Counter {
  n: int
}
let c = Counter(1)
c.n += 1
print(c)`},
	{BadTextBlock, "a malformed text block",
		`A string of several lines stands between """ and """, each on a line of its own. The white
space before the closing quotes is taken from every line, so none is indented less.`,
		"let s = \"\"\"one\ntwo\"\"\"\n",
		`let s = """
  one
  two
  """
print(s)`},
	{MisplacedWord, "a word in the wrong place",
		`else follows the block of an if, catch the block of a try. A label stands before a loop, and
after break and continue, with its quote: break 'outer.`,
		"let x = 1\nprint(x); else { print(2) }\n",
		`let x = 1
if x > 1 { print(x) } else { print(2) }`},
}
