package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// commaSlip reads `a, b = b, a`, as other languages assign several at once.
func (p *parser) commaSlip(start uint32, x Expr) Stmt {
	switch x.(type) {
	case *Ident, *Member, *Index:
	default:
		return nil
	}
	if p.kind != token.Comma || p.newline() {
		return nil
	}
	at := p.here()
	targets := p.rowOf(start, x)
	if p.kind != token.Eq || p.newline() {
		d := p.report(diag.UnexpectedToken, at, "expected the end of the statement, found `,`")
		d.Help = append(d.Help, "statements are separated by a new line or `;`")
		p.bail()
	}
	op := p.here()
	p.next()
	from := p.start
	values := p.rowOf(from, p.expr())
	d := p.report(diag.ForeignSyntax, at, "several are assigned at once in parentheses")
	fix := diag.Fix{Title: "put both sides in parentheses", Edits: inParens(targets.Span())}
	if _, ok := values.(*TupleLit); ok {
		fix.Edits = append(fix.Edits, inParens(values.Span())...)
	}
	d.Fixes = append(d.Fixes, fix)
	return &AssignStmt{StmtBase{p.span(start)}, targets, OpNone, op, values}
}

// rowOf parses what follows an expression behind commas, and makes a tuple of all.
func (p *parser) rowOf(start uint32, x Expr) Expr {
	if p.kind != token.Comma || p.newline() {
		return x
	}
	t := &TupleLit{Elems: []Expr{x}}
	for p.kind == token.Comma && !p.newline() {
		p.next()
		t.Elems = append(t.Elems, p.expr())
	}
	t.ExprBase = p.base(start)
	return t
}

func inParens(at diag.Span) []diag.Edit {
	return []diag.Edit{{Span: diag.Span{Start: at.Start, End: at.Start}, New: "("}, {Span: diag.Span{Start: at.End, End: at.End}, New: ")"}}
}
