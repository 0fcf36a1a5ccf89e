package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// arrowSlip reads x => e and (x, y) => e as the lambdas they are elsewhere, where
// no arm of a match or select can be meant; x is what stands before the arrow.
func (p *parser) arrowSlip(x Expr) Expr {
	_, name := x.(*Ident)
	if p.kind != token.FatArrow && !(name && p.kind == token.Arrow) || p.newline() {
		return x
	}
	params, ok := namesIn(x)
	if !ok {
		return x
	}
	h := p.enter()
	l := &Lambda{}
	var names []string
	for _, id := range params {
		names = append(names, id.Name)
		l.Params = append(l.Params, &Param{Name: Name{id.Name, id.Sp}})
	}
	text := "|" + strings.Join(names, ", ") + "|"
	at := diag.Span{Start: x.Span().Start, End: p.here().End}
	p.report(diag.ForeignSyntax, p.here(), "a lambda is written `%s ...`", text).
		Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: at, New: text}}}}
	p.next()
	l.Body = p.armBody()
	l.ExprBase = p.base(at.Start)
	p.leave(h)
	return l
}

// namesIn returns the names of x, (x), (x, y) and ().
func namesIn(x Expr) (names []*Ident, ok bool) {
	elems := []Expr{x}
	switch x := x.(type) {
	case *Paren:
		elems[0] = x.X
	case *TupleLit:
		elems = x.Elems
	case *UnitLit:
		elems = nil
	}
	for _, e := range elems {
		id, ok := e.(*Ident)
		if !ok {
			return nil, false
		}
		names = append(names, id)
	}
	return names, true
}
