package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Slices as Python writes them.

// colonSlice reads xs[a:b] as a slice, which begins at start; lo is nil in xs[:b].
func (p *parser) colonSlice(start uint32, lo Expr) Expr {
	p.report(diag.ForeignSyntax, p.here(), "a slice is written with `..`").
		Fixes = []diag.Fix{{Title: "write `..`", Edits: []diag.Edit{{Span: p.here(), New: ".."}}}}
	p.next()
	r := &RangeLit{Lo: lo}
	if p.kind != token.RBrack {
		r.Hi = p.binary(precRange + 1)
	}
	r.ExprBase = p.base(start)
	return r
}

// slicedTo mends the bounds of xs[a:b], of which the report that follows the first before told, where
// more than the colon is written otherwise: xs[:], xs[-2:], xs[:-1].
func (p *parser) slicedTo(before int, x, i Expr) {
	r, ok := i.(*RangeLit)
	if !ok || before >= len(p.diags) || p.kind != token.RBrack {
		return
	}
	d, of := p.diags[before], p.text(x.Span())
	at := diag.Span{Start: x.Span().End, End: p.here().End}
	fromEnd := func(e Expr) string {
		if u, ok := e.(*Unary); ok && u.Op == OpNeg {
			if n, ok := u.X.(*IntLit); ok {
				u.Op, n.Value = OpNeg, 0 // told here
				return p.text(n.Sp)
			}
		}
		return ""
	}
	own := ""
	lo, hi := fromEnd(r.Lo), fromEnd(r.Hi)
	switch {
	case r.Lo == nil && r.Hi == nil:
		own = ".copy()"
		r.Lo = &IntLit{ExprBase: ExprBase{r.Sp, p.id()}}
	case lo != "" && r.Hi == nil:
		own = ".take_last(" + lo + ")"
	case lo == "" && hi != "" && plainPlace().MatchString(of):
		from := ""
		if r.Lo != nil {
			from = p.text(r.Lo.Span())
		}
		own = "[" + from + ".." + of + ".len() - " + hi + "]"
	default:
		return
	}
	d.Message = "a slice is written with `..`, and counts from the start"
	d.Fixes = []diag.Fix{{Title: "write `" + of + own + "`", Edits: []diag.Edit{{Span: at, New: own}}}}
}

// steppedSlice reports xs[a:b:n] of Python, at the last colon.
func (p *parser) steppedSlice(start uint32, x, i Expr) Expr {
	d := p.report(diag.ForeignSyntax, p.here(), "a slice has no step")
	p.next()
	p.errAt = -1
	step := ""
	if p.kind != token.RBrack {
		step = p.text(p.expr().Span())
	}
	if p.kind != token.RBrack {
		p.bail()
	}
	p.closing("")
	of := p.text(x.Span())
	lo, hi := "0", of+".len()"
	if r, ok := i.(*RangeLit); ok {
		if r.Lo != nil {
			lo = p.text(r.Lo.Span())
		}
		if r.Hi != nil {
			hi = p.text(r.Hi.Span())
		}
	}
	switch {
	case step == "-1" && i == nil:
		d.Help = append(d.Help, "a list is turned round by `"+of+".copy().reverse()`, text by `"+of+".reverse()`")
	case step == "" || strings.HasPrefix(step, "-"):
		d.Help = append(d.Help, "a list is turned round by `"+of+".copy().reverse()`; some of its elements are `("+lo+".."+hi+").step_by(2).map(|i| "+of+"[i]).to_list()`")
	default:
		d.Help = append(d.Help, "write `("+lo+".."+hi+").step_by("+step+").map(|i| "+of+"[i]).to_list()`")
	}
	return &BadExpr{p.base(start)}
}
