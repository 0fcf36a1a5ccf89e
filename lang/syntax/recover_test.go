package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
)

// errorsOf lists the errors of a program as line:column code.
func errorsOf(t *testing.T, src string) ([]string, *File) {
	t.Helper()
	var fs diag.FileSet
	source := fs.Add("test.rnl", src)
	f, diags := Parse(source)
	checkTree(t, f)
	var out []string
	for _, d := range diags {
		line, col := source.Pos(d.Span.Start)
		out = append(out, fmt.Sprintf("%d:%d %s", line, col, d.Code))
	}
	return out, f
}

// Each broken part costs one error, and what is around it is still in the tree.
func TestRecovery(t *testing.T) {
	for _, c := range []struct{ src, errs, tree string }{
		{"let a = 1 +\nlet b = 2", "1:12 E0102", "(LetStmt a (BadExpr))\n(LetStmt b 2)"},
		{"let a = f(1 2)\nb", "1:13 E0102", "(LetStmt a (BadExpr))\nb"},
		{"let a = (1, 2\nlet b = 3", "1:14 E0103", "(LetStmt a (TupleLit [1 2]))\n(LetStmt b 3)"},
		{"let a = [1, 2)\nb", "1:14 E0103", "(LetStmt a (ListLit [1 2]))\nb"},
		{"f(\n  1\n  2\n)\nb", "2:4 E0102", "(BadStmt)\nb"},
		{"let a = 1 2\nb", "1:11 E0102", "(LetStmt a (BadExpr))\nb"},
		{"a b (c)\nd\n-e", "1:3 E0102", "(BadExpr)\nd\n(Unary - e)"},
		{"a = = 1; b", "1:5 E0102", "(AssignStmt a (BadExpr))\nb"},
		{"let\nlet b = 1", "1:4 E0102", "(BadStmt)\n(LetStmt b 1)"},
		{"fn f(a: , b: int) { c }\nd", "1:9 E0102", "(FnDecl f [(Param a type:(BadType)) (Param b type:int)] (Block [c]))\nd"},
		{"fn f(a, [int], c: [int) { c }", "1:7 E0117, 1:9 E0102, 1:23 E0103", "(FnDecl f [(Param a type:(BadType)) (Param _ type:(BadType)) (Param c type:(ListType int))] (Block [c]))"},
		{"fn f(\n  a,\n  b: int\n) { c }", "2:4 E0117", "(FnDecl f [(Param a type:(BadType)) (Param b type:int)] (Block [c]))"},
		{"fn f(a: int { c }\nd", "1:13 E0102", "(FnDecl f [(Param a type:int)] (Block [c]))\nd"},
		{"fn f() { a +; b(]; c }\nd", "1:13 E0102, 1:17 E0102", "(FnDecl f (Block [(BadStmt) (BadStmt) c]))\nd"},
		{"if a + { b( }\nc", "1:8 E0102, 1:13 E0102", "(If (Cond (+ a (BadExpr))) (Block [(BadStmt)]))\nc"},
		{"while { b }\nc", "1:7 E0102", "(While (Cond (BadExpr)) (Block [b]))\nc"},
		{"struct S {\n a int\n b: int\n fn c( { }\n d: }\ne", "2:2 E0117, 4:8 E0102, 5:5 E0102", "(StructDecl S [(FieldDecl a type:int) (FieldDecl b type:int)] [(FnDecl c (Block))] broken)\ne"},
		{"enum E { A, 1, B(int }\na", "1:13 E0102, 1:22 E0103", "(EnumDecl E [(Variant A) (Variant B [(Param type:int)])])\na"},
		{"match x {\n 1 => \n 2 -> a\n => b\n 3 => c }\nd", "3:4 E0119, 3:1 E0102", ""},
		{"match x {\n 1 + => a\n 2 => b }\nd", "2:4 E0102", "(Match x [(MatchArm (LitPattern 2) b)])\nd"},
		{"let a = \"x ${1 +} y\"\nb", "1:17 E0102", "(LetStmt a (BadExpr))\nb"},
		{"let a = \"x\nb", "1:9 E0104", "(LetStmt a (BadExpr))\nb"},
		{"let a = 1 @ + 2\nb", "1:11 E0101", "(LetStmt a (+ 1 2))\nb"},
		{"xs.map(|x| {\n let a = )\n a\n})\nb", "2:10 E0102", "(Call (Member xs map) [(Arg (Lambda [(Param x)] (Block [(LetStmt a (BadExpr)) a])))])\nb"},
		{"a\n}\nb", "2:1 E0121", "a\nb"},
		{"fn f() {\n if a {\n  b\n\n c\n}\n\nfn g() { }", "3:4 E0103", "(FnDecl f (Block [(If (Cond a) (Block [b])) c]))\n(FnDecl g (Block))"},
		{"struct S {\n a: int\n\nfn g() { }", "2:8 E0103", "(StructDecl S [(FieldDecl a type:int)])\n(FnDecl g (Block))"},
		{"if a {\n", "1:7 E0103", "(If (Cond a) (Block))"},
		{"a // }\n) b (", "2:1 E0121, 2:6 E0102", ""},
		{"try { a }\nb", "1:10 E0124", "(Try (Block [a]))\nb"},
		{"let a: = 1\nb", "1:8 E0102", "(BadStmt)\nb"},
		{"import 1\npub 2\nb", "1:8 E0102, 2:5 E0102", "(BadStmt)\n(BadStmt)\nb"},
		{"fn f() -> { a }\nb", "1:11 E0102", "(BadStmt)\nb"},
		{"select { x => 1, a.recv() => 2 }", "1:10 E0123", "(Select [(SelectArm a 2)])"},
	} {
		errs, f := errorsOf(t, c.src)
		if c.tree == "" {
			assert.NotEmpty(t, errs, c.src)
			continue
		}
		assert.Equal(t, c.errs, strings.Join(errs, ", "), c.src)
		assert.Equal(t, c.tree, dumpFile(f), c.src)
	}
}

// Indentation decides only in files whose braces do not balance.
func TestIndentationMeansNothingInSoundPrograms(t *testing.T) {
	parseText(t, "  fn f() {\nlet a = 1\nif a {\nfn g() {\n}\n}\n  }\nstruct S {\na: int\nfn f() {\n}\n}\nf(1,\n2)\n")
}

func TestErrorsAreInOrder(t *testing.T) {
	var fs diag.FileSet
	_, diags := Parse(fs.Add("x", "let a = 1 < 2 < 3 +\nlet b = \"\\q\" (\nlet c = 0b2 )"))
	require.NotEmpty(t, diags)
	for i := 1; i < len(diags); i++ {
		assert.LessOrEqual(t, diags[i-1].Span.Start, diags[i].Span.Start)
	}
}

// Every code of the parser has an example that gives it, and nothing else.
func TestExamplesOfCodes(t *testing.T) {
	for _, c := range diag.Codes() {
		if !strings.HasPrefix(string(c.Code), "E01") || c.Example == "" {
			continue
		}
		errs, _ := errorsOf(t, c.Example)
		require.Len(t, errs, 1, c.Example)
		assert.True(t, strings.HasSuffix(errs[0], string(c.Code)), "%s: %s", c.Code, errs[0])
	}
}
