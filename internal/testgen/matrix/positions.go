package matrix

// Position is a place in a program where an operation may stand.
type Position struct {
	Name string
	// Decls and Stmts are texts in which BODY stands for the operation and
	// VALUES for the declarations of a, b and c. Where a function's own names for
	// the values are needed, they come as parameters.
	Decls, Stmts  string
	Times         int    // how often the operation runs
	Before, After string // what the position itself prints, "" for nothing
}

// Positions of an operation. The names of functions begin with in_, so that
// operations can use all others.
var Positions = []Position{
	{Name: "top level", Times: 1, Stmts: "VALUES\nBODY"},
	{Name: "nested block", Times: 1, Stmts: "{\nif 1 < 2 {\nVALUES\n{\nBODY\n}\n}\n}"},
	{Name: "function", Times: 1, Decls: "fn in_function() {\nVALUES\nBODY\n}", Stmts: "in_function()"},
	{
		Name: "generic function", Times: 1,
		Decls: "fn in_generic<T>(a: T, b: T, c: T, show: fn(T) -> str) {\nBODY\n}",
		Stmts: "in_generic(value_a(), value_b(), value_c(), show)",
	},
	{
		Name: "closure", Times: 1,
		Decls: "fn in_closure() -> fn() {\nVALUES\n|| {\nBODY\n}\n}", Stmts: "in_closure()()",
	},
	{
		Name: "closure of a generic function", Times: 1,
		Decls: "fn in_generic_closure<T>(a: T, b: T, c: T, show: fn(T) -> str) -> fn() {\n|| {\nBODY\n}\n}",
		Stmts: "in_generic_closure(value_a(), value_b(), value_c(), show)()",
	},
	{
		Name: "method", Times: 1,
		Decls: "struct InMethod { a: T, b: T, c: T\nfn run() {\nlet a = self.a\nlet b = self.b\nlet c = self.c\nBODY\n}\n}",
		Stmts: "InMethod(value_a(), value_b(), value_c()).run()",
	},
	{
		Name: "generic method", Times: 1,
		Decls: "struct InGeneric<T> { a: T, b: T, c: T\nfn run(show: fn(T) -> str) {\nlet a = self.a\nlet b = self.b\nlet c = self.c\nBODY\n}\n}",
		Stmts: "InGeneric(value_a(), value_b(), value_c()).run(show)",
	},
	{
		Name: "defer", Times: 1, Before: "before",
		Decls: "fn in_defer() {\nVALUES\ndefer {\nBODY\n}\nprint(\"before\")\n}", Stmts: "in_defer()",
	},
	{
		Name: "defer after an error", Times: 1, Before: "before", After: "caught oops",
		Decls: "fn in_failing() {\nVALUES\ndefer {\nBODY\n}\nprint(\"before\")\nfail(1)\n}",
		Stmts: "try { in_failing() } catch e { print(\"caught\", e.message()) }",
	},
	{Name: "loop", Times: 3, Stmts: "for _ in 0..3 {\nVALUES\nBODY\n}"},
	{
		Name: "loop in a function", Times: 2,
		Decls: "fn in_loop() {\nVALUES\nvar turns = 0\nwhile turns < 2 {\nturns += 1\nBODY\n}\n}", Stmts: "in_loop()",
	},
	{Name: "task", Times: 1, Stmts: "await spawn {\nVALUES\nBODY\n}"},
	{Name: "scope", Times: 1, Stmts: "scope {\nVALUES\nBODY\n}"},
	{Name: "timeout", Times: 1, Stmts: "timeout(1000h, || {\nVALUES\nBODY\n})"},
	{
		Name: "try and catch", Times: 2, After: "caught oops",
		Decls: "fn in_try() {\nVALUES\ntry {\nBODY\nfail(1)\n} catch e {\nBODY\nprint(\"caught\", e.message())\n}\n}", Stmts: "in_try()",
	},
	{
		Name: "lock", Times: 1, After: "held 1",
		Stmts: "lock mutex(1) as held {\nVALUES\n{\nBODY\n}\nprint(\"held\", held)\n}",
	},
	{
		Name: "arm of a select", Times: 1,
		Stmts: "select {\nafter 0s => {\nVALUES\nBODY\n}\n}",
	},
}
