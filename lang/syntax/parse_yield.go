package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// yield parses what gives an element of a generator: a statement, or the body of an arm.
//
// ebnf: Yield = "yield" Expr .
func (p *parser) yield() Expr {
	word, start := p.here(), p.start
	p.yields = true
	alone := start == p.stmtAt || start == p.bodyAt
	p.next()
	if p.yieldSlip(word) {
		return &BadExpr{p.base(start)}
	}
	if p.endsOperand() {
		d := p.report(diag.UnexpectedToken, p.where(), "expected an expression after `yield`, found %s", p.found())
		d.Help = append(d.Help, "it gives one element: `yield x`; to end a generator write `return`")
		p.bail()
	}
	x := p.expr()
	if !alone {
		d := p.remark(diag.UnexpectedToken, word, "`yield` is a statement and has no value")
		d.Notes = append(d.Notes, "who calls `next()` gives nothing to the generator")
		d.Help = append(d.Help, "write it on a line of its own; what a generator is to be told can come from a variable or a channel")
		return &BadExpr{p.base(start)}
	}
	x = p.severalYielded(start, x)
	return &Yield{p.base(start), x}
}

// yieldSlip reports forms of `yield` that other languages have.
func (p *parser) yieldSlip(word diag.Span) bool {
	at, kind := diag.Span{Start: word.Start, End: p.here().End}, p.kind
	switch {
	case p.nl:
		return false
	case p.at("from") && p.operandAhead(), kind == token.Star:
		d := p.report(diag.ForeignSyntax, at, "`yield` gives one element at a time")
		p.next()
		all := p.start
		p.expr()
		d.Fixes = []diag.Fix{{Title: "give one after the other", Edits: []diag.Edit{
			{Span: diag.Span{Start: word.Start, End: all}, New: "for x in "}, {Span: point(p.end), New: " { yield x }"},
		}}}
	case kind == token.Return:
		d := p.report(diag.ForeignSyntax, at, "there is no `yield return` in Runnel")
		d.Fixes = []diag.Fix{{Title: "give an element", Edits: []diag.Edit{{Span: at, New: "yield"}}}}
		p.next()
		p.expr()
	case kind == token.Break:
		d := p.report(diag.ForeignSyntax, at, "there is no `yield break` in Runnel")
		d.Fixes = []diag.Fix{{Title: "end the generator", Edits: []diag.Edit{{Span: at, New: "return"}}}}
		p.next()
	default:
		return false
	}
	return true
}

// operandAhead reports whether an operand follows the word at hand on its line.
func (p *parser) operandAhead() bool {
	switch p.next2() {
	case token.Ident, token.Self, token.Str, token.StrHead, token.Int:
		return true
	}
	return false
}

// severalYielded reports several values, which are a tuple.
func (p *parser) severalYielded(start uint32, first Expr) Expr {
	if p.kind != token.Comma || p.newline() || p.nlOff || start != p.stmtAt {
		return first
	}
	at := first.Span().Start
	d := p.report(diag.ForeignSyntax, p.here(), "`yield` gives one value; several are a tuple: `yield (a, b)`")
	p.errAt = -1
	for p.kind == token.Comma && !p.newline() {
		p.next()
		p.expr()
	}
	d.Fixes = []diag.Fix{{Title: "write a tuple", Edits: []diag.Edit{{Span: point(at), New: "("}, {Span: point(p.end), New: ")"}}}}
	return &BadExpr{p.base(at)}
}
