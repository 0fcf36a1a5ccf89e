package syntax

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
)

// parseText parses a program that must be free of errors.
func parseText(t testing.TB, src string) *File {
	t.Helper()
	var fs diag.FileSet
	f, diags := Parse(fs.Add("test.rnl", src))
	for _, d := range diags {
		t.Errorf("%s\n%s: %s", src, d.Code, d.Message)
	}
	checkTree(t, f)
	return f
}

// expressions pairs an expression with its tree.
var expressions = [][2]string{
	// operands
	{`1_000`, `1000`},
	{`0xff + 0b1010 + 0o17`, `(+ (+ 255 10) 15)`},
	{`0xffff_ffff_ffff_ffff`, `-1`},
	{`1.5 + 1e9 + 2_0.5e-1`, `(+ (+ 1.5 1e+09.) 2.05)`},
	{`true || false`, `(|| true false)`},
	{`none`, `none`},
	{`()`, `(UnitLit)`},
	{`(1)`, `(Paren 1)`},
	{`(1, "a",)`, `(TupleLit [1 "a"])`},
	{`[1, 2,]`, `(ListLit [1 2])`},
	{`[]`, `(ListLit)`},
	{`{}`, `(MapLit)`},
	{`{"a": 1, b: {2: 3},}`, `(MapLit [(MapEntry "a" 1) (MapEntry b (MapLit [(MapEntry 2 3)]))])`},
	{"`raw \\n\nline`", `"raw \\n\nline"`},
	{`b"a\xff\0"`, `(BytesLit "a\xff\x00")`},
	{`"\t\\\"\'\$\u{1F600}\x41"`, `"\t\\\"'$😀A"`},
	{`250ms`, `(DurationLit 250000000)`},
	{`1.5s + 1_000ns`, `(+ (DurationLit 1500000000) (DurationLit 1000))`},
	{`-9223372036854775808`, `(Unary - -9223372036854775808)`},
	{`self.x`, `(Member self x)`},

	// interpolation
	{`"a ${x} b ${y:>8.2f}\n"`, `(InterpLit [(InterpPart "a ") (InterpPart x) (InterpPart " b ") (InterpPart y spec:">8.2f") (InterpPart "\n")])`},
	{`"${x}"`, `(InterpLit [(InterpPart x)])`},
	{`"$x costs \${y} $"`, `"$x costs ${y} $"`},
	{`"${f({"a": 1}, "n${"m${1}"}")}"`, `(InterpLit [(InterpPart (Call f [(Arg (MapLit [(MapEntry "a" 1)])) (Arg (InterpLit [(InterpPart "n") (InterpPart (InterpLit [(InterpPart "m") (InterpPart 1)]))]))]))])`},
	{`"${xs.map(|x: int| x)[a]:>4}"`, `(InterpLit [(InterpPart (Index (Call (Member xs map) [(Arg (Lambda [(Param x type:int)] x))]) a) spec:">4")])`},

	// precedence, loosest to tightest
	{`a ?? b || c`, `(?? a (|| b c))`},
	{`a ?? b ?? c`, `(?? a (?? b c))`},
	{`a || b && c`, `(|| a (&& b c))`},
	{`a && b == c`, `(&& a (== b c))`},
	{`a == b..c`, `(== a (RangeLit b c))`},
	{`a..b | c`, `(RangeLit a (| b c))`},
	{`a | b ^ c & d`, `(| a (^ b (& c d)))`},
	{`a & b << c`, `(& a (<< b c))`},
	{`a << b + c`, `(<< a (+ b c))`},
	{`a >> b >> c`, `(>> (>> a b) c)`},
	{`a + b * c - d`, `(- (+ a (* b c)) d)`},
	{`a * b ** c`, `(* a (** b c))`},
	{`a ** b ** c`, `(** a (** b c))`},
	{`a ** -b`, `(** a (Unary - b))`},
	{`-a + !b`, `(+ (Unary - a) (Unary ! b))`},
	{`~-a`, `(Unary ~ (Unary - a))`},
	{`-a as int`, `(Unary - (As a type:int))`},
	{`await t + 1`, `(+ (Await t) 1)`},
	{`a is T && b as U is V`, `(&& (Is a type:T) (Is (As b type:U) type:V))`},
	{`x as int ?? 0`, `(?? (As x type:int) 0)`},
	{`x as int? == none`, `(== (As x type:(OptionalType int)) none)`},
	{`x as int < y`, `(< (As x type:int) y)`},
	{`x is map<str, [int]>`, `(Is x type:(NamedType map [str (ListType int)]))`},
	{`a <= b`, `(<= a b)`},
	{`a >= b`, `(>= a b)`},
	{`a > b`, `(> a b)`},
	{`a >> 2 >= 3`, `(>= (>> a 2) 3)`},
	{`0..=n`, `(RangeLit 0 n inclusive)`},

	// postfix
	{`t.0.1`, `(Member (Member t 0) 1)`},
	{`f(1, b: 2,)(3)`, `(Call (Call f [(Arg 1) (Arg b 2)]) [(Arg 3)])`},
	{`a?.b.c!`, `(Unwrap (Member (Member a b safe) c))`},
	{`x! + y!`, `(+ (Unwrap x) (Unwrap y))`},
	{`x != y`, `(!= x y)`},
	{`xs[0][a..b]`, `(Index (Index xs 0) (RangeLit a b))`},
	{`xs[..b]`, `(Index xs (RangeLit b))`},
	{`xs[a..]`, `(Index xs (RangeLit a))`},
	{`xs[..]`, `(Index xs (RangeLit))`},
	{`xs[..=b]`, `(Index xs (RangeLit b inclusive))`},
	{`a.match.type.int`, `(Member (Member (Member a match) type) int)`},
	{`f(if: 1)`, `(Call f [(Arg if 1)])`},
	{`1.max(2)`, `(Call (Member 1 max) [(Arg 2)])`},

	// explicit type arguments
	{`json.decode<Config>(text)`, `(Call (Member json decode [Config]) [(Arg text)])`},
	{`map<str, int>()`, `(Call (TypeName type:(NamedType map [str int])))`},
	{`chan<[fn(int) -> str?]>(16)`, `(Call (TypeName type:(NamedType chan [(ListType (FnType [int] result:(OptionalType str)))])) [(Arg 16)])`},
	{`f<map<str, set<int>>>(x)`, `(Call (Ident "f" [(NamedType map [str (NamedType set [int])])]) [(Arg x)])`},
	{`Point<int>(1)`, `(Call (Ident "Point" [int]) [(Arg 1)])`},
	{`f(a < b, c > d)`, `(Call f [(Arg (< a b)) (Arg (> c d))])`},
	{`f(a < b, c > (d))`, `(Call f [(Arg (Call (Ident "a" [b c]) [(Arg d)]))])`},
	{`[decode<T>, decode<U>]`, `(ListLit [(Ident "decode" [T]) (Ident "decode" [U])])`},
	{`i < n - 1`, `(< i (- n 1))`},
	{`f<geo.Point, (int, T??)>()`, `(Call (Ident "f" [(NamedType geo Point) (TupleType [int (OptionalType (OptionalType T))])]))`},

	// lambdas
	{`|x, y| x + y`, `(Lambda [(Param x) (Param y)] (+ x y))`},
	{`|x: int| -> int { x }`, `(Lambda [(Param x type:int)] result:int (Block [x]))`},
	{`|| f()`, `(Lambda (Call f))`},
	{`|_| || {}`, `(Lambda [(Param _)] (Lambda (Block)))`},
	{`|x| n += x`, `(Lambda [(Param x)] (Block [(AssignStmt n += x)]))`},
	{`|x| |y| x | y`, `(Lambda [(Param x)] (Lambda [(Param y)] (| x y)))`},
	{`xs.map(|e| -e.1)`, `(Call (Member xs map) [(Arg (Lambda [(Param e)] (Unary - (Member e 1))))])`},

	// control
	{`if a { 1 } else if b { 2 } else { 3 }`, `(If (Cond a) (Block [1]) else:(If (Cond b) (Block [2]) else:(Block [3])))`},
	{`if let v = opt { v }`, `(If (Cond v opt) (Block [v]))`},
	{`if let (a, _) = p { a }`, `(If (Cond (TuplePattern [a _]) p) (Block [a]))`},
	{`if a == ({"x": 1}) { 1 }`, `(If (Cond (== a (Paren (MapLit [(MapEntry "x" 1)])))) (Block [1]))`},
	{`if f({1: 2}) { 1 }`, `(If (Cond (Call f [(Arg (MapLit [(MapEntry 1 2)]))])) (Block [1]))`},
	{`if xs.any(|x| { x > 1 }) { 1 }`, `(If (Cond (Call (Member xs any) [(Arg (Lambda [(Param x)] (Block [(> x 1)])))])) (Block [1]))`},
	{`while let v = it.next() { }`, `(While (Cond v (Call (Member it next))) (Block))`},
	{`loop { break }`, `(Loop (Block [(Break)]))`},
	{`'a: for i, x in xs { continue 'a }`, `(For label:a [i x] xs (Block [(Continue label:a)]))`},
	{`for _ in 0..=n { }`, `(For [_] (RangeLit 0 n inclusive) (Block))`},
	{`try { f() } catch e: NotFound { 1 } catch _ { 2 }`, `(Try (Block [(Call f)]) [(CatchClause e type:NotFound (Block [1])) (CatchClause _ (Block [2]))])`},
	{`x ?? throw error("no")`, `(?? x (Throw (Call error [(Arg "no")])))`},
	{`x ?? return`, `(?? x (Return))`},
	{`spawn f(x)`, `(Spawn (Call f [(Arg x)]))`},
	{`spawn detached a.run()`, `(Spawn detached (Call (Member a run)))`},
	{`spawn detached { 1 }`, `(Spawn detached (Block [1]))`},
	{`spawn detached(x)`, `(Spawn (Call detached [(Arg x)]))`},
	{`await spawn { 1 }`, `(Await (Spawn (Block [1])))`},
	{`scope { 1 }`, `(Scope (Block [1]))`},
	{`lock m.inner as v { v }`, `(Lock (Member m inner) v (Block [v]))`},
	{`select { let v = a.recv() => v, b.recv() => 0, c.send(x) => { 1 }
		after 1s => n += 1
		_ => none }`, `(Select [(SelectArm v a v) (SelectArm b 0) (SelectArm 1 c x (Block [1])) (SelectArm 2 (DurationLit 1000000000) (Block [(AssignStmt n += 1)])) (SelectArm 3 none)])`},

	// patterns
	{`match x { 1 | -2 => a, 3..=5 => b, _ => c }`, `(Match x [(MatchArm (OrPattern [(LitPattern 1) (LitPattern (Unary - 2))]) a) (MatchArm (RangePattern 3 5 inclusive) b) (MatchArm _ c)])`},
	{`match x { -5..-1 => a, 1s..2s => b }`, `(Match x [(MatchArm (RangePattern (Unary - 5) (Unary - 1)) a) (MatchArm (RangePattern (DurationLit 1000000000) (DurationLit 2000000000)) b)])`},
	{`match x { none => 1, true => 2, "s" => 3, b"s" => 4 }`, `(Match x [(MatchArm (LitPattern none) 1) (MatchArm (LitPattern true) 2) (MatchArm (LitPattern "s") 3) (MatchArm (LitPattern (BytesLit "s")) 4)])`},
	{`match x { n: int if n > 0 => n, s: [str] => 0 }`, `(Match x [(MatchArm (BindPattern n type:int) guard:(> n 0) n) (MatchArm (BindPattern s type:(ListType str)) 0)])`},
	{`match x { Circle(r) => r, Rect(w: 0, h) => h, shapes.Shape.Empty => { 0 } }`, `(Match x [(MatchArm (VariantPattern Circle hasargs [(FieldPattern r)]) r) (MatchArm (VariantPattern Rect hasargs [(FieldPattern w (LitPattern 0)) (FieldPattern h)]) h) (MatchArm (VariantPattern shapes.Shape Empty) (Block [0]))])`},
	{`match x { (a, (b, _)) => a, () => b, (c) => c }`, `(Match x [(MatchArm (TuplePattern [a (TuplePattern [b _])]) a) (MatchArm (TuplePattern) b) (MatchArm c c)])`},
	{`match x { A => throw e
		B => return
		C => {} }`, `(Match x [(MatchArm (VariantPattern A) (Throw e)) (MatchArm (VariantPattern B) (Return)) (MatchArm (VariantPattern C) (Block))])`},
}

func TestExpressions(t *testing.T) {
	for _, c := range expressions {
		t.Run(c[0], func(t *testing.T) {
			f := parseText(t, "let v = "+c[0])
			require.Len(t, f.Items, 1)
			assert.Equal(t, c[1], dump(f.Items[0].(*LetStmt).Value))
		})
	}
}

// statements pairs a program with its trees, one on a line.
var statements = [][2]string{
	// newlines
	{"a\n-b", "a\n(Unary - b)"},
	{"a -\nb", "(- a b)"},
	{"a\n(b)", "a\n(Paren b)"},
	{"a\n[b]", "a\n(ListLit [b])"},
	{"a\n{ b }", "a\n(Block [b])"},
	{"a\n|x| x", "a\n(Lambda [(Param x)] x)"},
	{"a\n|| b", "a\n(Lambda b)"},
	{"a\n!b", "a\n(Unary ! b)"},
	{"a\n  .b()\n  ?.c\n  ?? d\n  && e", "(?? (Member (Call (Member a b)) c safe) (&& d e))"},
	{"a // one\n  // two\n\n  .b", "(Member a b)"},
	{"f(a\n+ b\n)", "(Call f [(Arg (+ a b))])"},
	{"(a\n- b)", "(Paren (- a b))"},
	{"[a\n[b]]", "(ListLit [(Index a b)])"},
	{"f(|x| {\n a\n -b\n})", "(Call f [(Arg (Lambda [(Param x)] (Block [a (Unary - b)])))])"},
	{"if a { b }\nelse { c }", "(If (Cond a) (Block [b]) else:(Block [c]))"},
	{"try { a }\ncatch e { b }\ncatch f { c }", "(Try (Block [a]) [(CatchClause e (Block [b])) (CatchClause f (Block [c]))])"},
	{"if a { b }\n[c]", "(If (Cond a) (Block [b]))\n(ListLit [c])"},
	{"fn f() {\nreturn\n1\n}", "(FnDecl f (Block [(Return) 1]))"},
	{"a; b;; c;", "a;\nb;\nc;"},
	{"{ a; b }", "(Block [a; b])"},
	{"{ a; b; }", "(Block [a; b;])"},
	{"let x =\n  1", "(LetStmt x 1)"},
	{"x = {\n\"a\":\n1,\n}", `(AssignStmt x (MapLit [(MapEntry "a" 1)]))`},
	{"a\r\nb\r\n", "a\nb"},
	{"#!/usr/bin/env runnel\nx", "x"},
	{"\ufeffx", "x"},
	{"a /* b /* c */ */ + d\ne /*\n*/ [f]", "(+ a d)\ne\n(ListLit [f])"},

	// assignments
	{"x = 1", "(AssignStmt x 1)"},
	{"x.y += 1", "(AssignStmt (Member x y) += 1)"},
	{"x[0] >>= 2; y <<= 1", "(AssignStmt (Index x 0) >>= 2)\n(AssignStmt y <<= 1)"},
	{"a |= b; a &= b; a ^= b; a %= b; a /= b; a *= b; a -= b", "(AssignStmt a |= b)\n(AssignStmt a &= b)\n(AssignStmt a ^= b)\n(AssignStmt a %= b)\n(AssignStmt a /= b)\n(AssignStmt a *= b)\n(AssignStmt a -= b)"},
	{"let (a, b): (int, str) = t", "(LetStmt (TuplePattern [a b]) type:(TupleType [int str]) t)"},
	{"let Point(x, y: _) = p", "(LetStmt (VariantPattern Point hasargs [(FieldPattern x) (FieldPattern y _)]) p)"},
	{"var n: int? = none", "(LetStmt 1 n type:(OptionalType int) none)"},
	{"pub const limit = 10", "(LetStmt pub 2 limit 10)"},
	{"let f: fn() -> int? = g", "(LetStmt f type:(FnType result:(OptionalType int)) g)"},
	{"let f: (fn() -> int)? = g", "(LetStmt f type:(OptionalType (FnType result:int)) g)"},
	{"let x: map<str, [int]>= y", "(LetStmt x type:(NamedType map [str (ListType int)]) y)"},
	{"let x: map<str, set<int>>= y", "(LetStmt x type:(NamedType map [str (NamedType set [int])]) y)"},
	{"defer f()", "(DeferStmt (Call f))"},
	{"defer { a }", "(DeferStmt (Block [a]))"},
	{"defer x = 1", "(DeferStmt (AssignStmt x 1))"},

	// declarations
	{`import math`, `(ImportDecl "math")`},
	{`import "./geo" as g`, `(ImportDecl "./geo" isfile alias:g)`},
	{"fn f(a: int, b: int = 1,) -> int { a }", "(FnDecl f [(Param a type:int) (Param b type:int default:1)] result:int (Block [a]))"},
	{"fn f<T: Ordered, U>(a: T) { }", "(FnDecl f [(TypeParam T bound:Ordered) (TypeParam U)] [(Param a type:T)] (Block))"},
	{"/// Doc\n///  more\npub fn f() {}", `(FnDecl doc:"Doc\n more" pub f (Block))`},
	{"/// lost\n\nfn f() {}\n// plain\nfn g() {}", "(FnDecl f (Block))\n(FnDecl g (Block))"},
	{"native fn f(a: any) -> int\nnative fn g()", "(FnDecl native f [(Param a type:any)] result:int)\n(FnDecl native g)"},
	{"native struct S<T> { native fn f() }\nnative struct U", "(StructDecl native S [(TypeParam T)] [(FnDecl native f)])\n(StructDecl native U)"},
	{"struct P: Show, Eq<P> { x: int, let y: str = \"\"; fn f() { } match: int\n }", `(StructDecl P [Show (NamedType Eq [P])] [(FieldDecl x type:int) (FieldDecl readonly y type:str default:"") (FieldDecl match type:int)] [(FnDecl f (Block))])`},
	{"enum E<T> { A, B(T, int)\n /// c\n C(x: T)\n fn f() -> int { 1 } }", `(EnumDecl E [(TypeParam T)] [(Variant A) (Variant B [(Param type:T) (Param type:int)]) (Variant doc:"c" C [(Param x type:T)])] [(FnDecl f result:int (Block [1]))])`},
	{"interface I<T> { fn a() -> T\n fn b(x: int)\n fn c() { } }", "(InterfaceDecl I [(TypeParam T)] [(FnDecl a result:T) (FnDecl b [(Param x type:int)]) (FnDecl c (Block))])"},
	{"type Id = int\npub type M<T> = map<str, T>", "(TypeDecl Id type:int)\n(TypeDecl pub M [(TypeParam T)] type:(NamedType map [str T]))"},
	{"extend<T> [T] { native fn len() -> int\n fn first() -> T? { none } }", "(ExtendDecl [(TypeParam T)] (ListType T) [(FnDecl native len result:int) (FnDecl first result:(OptionalType T) (Block [none]))])"},
	{"extend [str] { fn join() { } }\nextend str { }", "(ExtendDecl (ListType str) [(FnDecl join (Block))])\n(ExtendDecl str)"},
	{"test \"adds\" { assert(a == b) }", `(TestDecl "adds" (Block [(Call assert [(Arg (== a b))])]))`},

	// words that are keywords only where they can stand
	{"let type = test; type = after", "(LetStmt type test)\n(AssignStmt type after)"},
	{"test(1); extend[0] = 1; native.x; detached", "(Call test [(Arg 1)]);\n(AssignStmt (Index extend 0) 1)\n(Member native x);\ndetached"},
	{"select { after.send(1) => 2 }", "(Select [(SelectArm 1 after 1 2)])"},
}

func TestStatements(t *testing.T) {
	for _, c := range statements {
		t.Run(c[0], func(t *testing.T) {
			assert.Equal(t, c[1], dumpFile(parseText(t, c[0])))
		})
	}
}

func TestALineBreakInTypeArgumentsChangesNothing(t *testing.T) {
	for _, src := range []string{"let v = a<b> + c", "let v = a<\nb> + c"} {
		_, diags := Parse((&diag.FileSet{}).Add("a.rnl", src))
		require.NotEmpty(t, diags, src)
		assert.Equal(t, "comparisons cannot be chained", diags[0].Message)
	}
}

func TestFileDoc(t *testing.T) {
	assert.Equal(t, "About\nthis", parseText(t, "#! x\n/// About\n/// this\n\n/// f\nfn f() {}").Doc)
	assert.Equal(t, "", parseText(t, "/// f\nfn f() {}").Doc)
	assert.Equal(t, "x", parseText(t, "/// x").Doc)
	assert.Equal(t, "", parseText(t, "// no\n/// x").Doc)
}

func TestTokensAreKept(t *testing.T) {
	f := parseText(t, "// c\nlet x = 1 /* d */")
	var texts []string
	for _, tok := range f.Tokens {
		texts = append(texts, f.Source.Text(tok.Sp))
	}
	assert.Equal(t, []string{"// c", "let", "x", "=", "1", "/* d */"}, texts)
}

func TestIncomplete(t *testing.T) {
	for _, src := range []string{
		"fn f() {", "f(", "[1,", "let x =", "a +", "`raw", "/* c", "if a {\n b", "match x {", "a.", "let m = {", "try { a }",
		"struct P {\n x: int\n", "x = spawn", "f(|x| {", "a &&\n", "import", "match",
		"fn f() {\nprint(1)", "if a {\nb\n} else {\nc", "struct P {\nx: int", "f(\n1,\n2", "let m = {\n1: 2,", "enum E {\nA,\nfn f() {\n1\n}", "spawn {\nloop {\nprint(1)\n}",
	} {
		assert.True(t, Incomplete(src), src)
	}
	for _, src := range []string{
		"", "x", "fn f() {}", "let x", "let x: int\n", "let s = \"abc", "f)", "}", "let = 1\nf(", "if a", "if a\n", "fn f()", "\"${a", "1 2 {",
		"f(1 2",
	} {
		assert.False(t, Incomplete(src), src)
	}
}
