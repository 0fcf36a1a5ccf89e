package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// foreignStatements are words that begin statements elsewhere, with what to write
// instead, where an operand or a name follows them on their line.
var foreignStatements = map[string]string{
	"defmodule": "a file is a module by itself: write its functions, `pub fn f() { }`, and import it with `import \"./name\"`", "receive": "values come from a channel, `let x = ch.recv()`, or to an actor as calls of its methods",
	"package": "a file is a module by itself: leave the line out", "namespace": "a file is a module by itself: leave the line out", "mod": "a file is a module by itself; another one is imported with `import \"./name\"`",
	"module": "a file is a module by itself; another one is imported with `import \"./name\"`",
	"del":    "an entry is removed with `m.remove(key)`, an element with `xs.remove(i)`", "delete": "an entry is removed with `m.remove(key)`, an element with `xs.remove(i)`",
	"global": "a function sees the variables of its file: assign to them without a declaration", "nonlocal": "a lambda sees the variables around it: assign to them without a declaration",
	"assert": "write `assert(condition)` or `assert(condition, \"text\")`", "typedef": "another name for a type is `type Id = int`", "with": "what is opened is closed by `defer`: `let f = fs.open(\"x\"); defer f.close()`",
	"guard": "leave early: `if x == none { return }`; after it `x` is known not to be none", "goto": "leave loops with `break 'outer` and `continue 'outer`, a function with `return`",
	"begin": "write `try { ... } catch e { ... }`", "unsafe": "all code is safe: write the block without it", "synchronized": "guard a value with `mutex(...)` and `lock m as v { ... }`",
	"#include": "a module is imported with `import name`", "template": "type parameters stand behind the name: `fn f<T>(x: T)`", "union": "an `enum` has variants with fields of their own",
	"lambda": "write `|x, y| x + y`", "my": "a variable is declared with `let` or `var`", "dim": "a variable is declared with `let` or `var`", "Dim": "a variable is declared with `let` or `var`",
	"SELECT": "queries are texts for the module sql", "undef": "an entry is removed with `m.remove(key)`", "call": "a function is called with parentheses: `f(x)`", "when": "write `match x { 1 => ... _ => ... }`",
	"using": "what is opened is closed by `defer`: `let f = fs.open(\"x\"); defer f.close()`", "extension": "functions for a type of others take it as their first argument: `fn f(x: T)`",
}

// statementSlip reports a word that begins statements elsewhere, and gives the
// statement up.
func (p *parser) statementSlip() {
	word := p.tok.Value
	help := foreignStatements[word]
	if help == "" {
		return
	}
	switch k := p.next2(); {
	case word == "begin" && k == token.EOF && p.alone(), word == "unsafe" && k == token.LBrace, word == "synchronized" && k == token.LParen && !p.callAhead():
	case k == token.Ident, k == token.Int, k == token.Str, k == token.StrHead, k == token.BadLit, k == token.Self, k == token.True, k == token.Let, k == token.Struct, k == token.Star && word == "SELECT",
		k == token.Bang && word == "assert", k == token.Enum:
	default:
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "there is no `%s` in Runnel", word)
	d.Help = append(d.Help, help)
	switch word {
	case "package", "mod":
		p.bail()
	case "typedef":
		p.bail()
	}
	p.skipToEnd()
}

// printSlip reads `print "x", y` and `puts x` as calls; nil when x is something else.
func (p *parser) printSlip(start uint32, s Stmt) Stmt {
	e, _ := s.(*ExprStmt)
	if e == nil || p.nl || p.start == p.end {
		return nil
	}
	id, _ := e.X.(*Ident)
	if id == nil || len(id.TypeArgs) > 0 {
		return nil
	}
	known := printWords[id.Name]
	switch k := p.kind; {
	case k == token.Str, k == token.StrHead, k == token.Int, k == token.Float, k == token.RawStr, k == token.BadLit:
	case known && (k == token.Ident && p.tok.Value != "if" || k == token.Self || k == token.True || k == token.False):
	default:
		return nil
	}
	own := id.Name
	if known {
		own = "print"
	}
	d := p.report(diag.ForeignSyntax, id.Sp, "a function is called with parentheses: `%s(...)`", own)
	gap := diag.Span{Start: p.end, End: p.start}
	c := &Call{Fn: &Ident{ExprBase: ExprBase{id.Sp, p.id()}, Name: own}}
	for {
		a := Arg{Value: p.expr()}
		c.Args = append(c.Args, a)
		if p.nl || !p.accept(token.Comma) {
			break
		}
	}
	if !p.nl && p.kind != token.Semi && p.kind != token.RBrace && p.kind != token.EOF {
		p.bail() // there is more that is wrong
	}
	d.Fixes = []diag.Fix{{Title: "write `" + own + "(...)`", Edits: []diag.Edit{{Span: diag.Span{Start: id.Sp.Start, End: gap.End}, New: own + "("}, {Span: point(p.end), New: ")"}}}}
	c.Rparen = point(p.end)
	c.ExprBase = p.base(start)
	return &ExprStmt{StmtBase: StmtBase{p.span(start)}, X: c}
}

// printWords print a line elsewhere.
var printWords = map[string]bool{"print": true, "puts": true, "echo": true, "println": true, "say": true, "p": true}

// alone reports whether the lookahead, the only word of its line, is not the value of a
// block.
func (p *parser) alone() bool {
	k := kindOf(p.peek2())
	return k != token.RBrace && k != token.EOF
}

// wordBefore reports whether what follows the lookahead makes it a word of a statement,
// and not a name.
func (p *parser) wordBefore() bool {
	switch p.next2() {
	case token.Ident, token.Bang, token.Int, token.Str, token.True, token.False, token.Self:
		return true
	}
	return false
}

// manyAhead reports whether the brackets behind vec! hold a list, and no index.
func (p *parser) manyAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	for range 3 {
		p.lex.Next()
	}
	if kindOf(p.lex.Peek()) == token.RBrack {
		return true
	}
	p.lex.Next()
	k := kindOf(p.lex.Peek())
	return k == token.Comma || k == token.Semi
}

// catchSlip reads what follows a try elsewhere; it reports whether that was a
// finally.
func (p *parser) catchSlip() bool {
	if p.kind != token.Ident {
		return false
	}
	switch p.tok.Value {
	case "finally", "ensure":
		if k := p.next2(); k == token.LBrace || k == token.Colon || k == token.EOF {
			p.drop("write `defer { ... }` before the `try`: it is run in any case")
			p.body()
			return true
		}
	case "except", "rescue":
		switch p.next2() {
		case token.Ident, token.LBrace, token.LParen, token.Colon, token.FatArrow, token.EOF:
			p.instead("catch")
			p.kind = token.Catch
		}
	}
	return false
}

// catchTypeSlip reads a catch of a type whose error has no name, or gets it
// behind `as`; it reports whether it was one.
func (p *parser) catchTypeSlip(c *CatchClause) bool {
	if p.kind != token.Ident || p.tok.Value[0] < 'A' || p.tok.Value[0] > 'Z' {
		return false
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a `catch` names the error, before its type")
	d.Help = append(d.Help, "write `catch e: "+p.tok.Value+" { ... }`")
	c.Name = Name{Text: "_", Sp: p.here()}
	c.Type = p.typeExpr()
	if p.accept(token.As) {
		c.Name = p.name("an error")
	}
	return true
}

// elifSlip reports whether the lookahead is an `elif` that continues as an if.
func (p *parser) elifSlip() bool {
	if p.kind != token.Ident {
		return false
	}
	switch p.tok.Value {
	case "elif", "elsif", "elseif":
		if k := p.next2(); startsOperand(k) || k == token.Let {
			p.instead("else if")
			return true
		}
	}
	return false
}
