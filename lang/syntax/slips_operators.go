package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Operators and comparisons of other languages that have a place of their own.

// notSlip reads `not x` as `!x`; nil if it is a name here.
func (p *parser) notSlip() Expr {
	if k := p.next2(); k == token.LParen && p.callEnds() || k == token.LBrack || k == token.Minus || !startsOperand(k) {
		return nil // a function or variable of this name
	}
	start := p.start
	d := p.instead("!")
	at := diag.Span{Start: start, End: uint32(p.peek2().Pos.Offset)} // no space after it
	h := p.enter()
	p.next()
	x := p.binary(precCompare)
	p.leave(h)
	d.Fixes[0].Edits = []diag.Edit{{Span: at, New: "!"}}
	if b, ok := x.(*Binary); ok {
		d.Fixes[0].Edits = []diag.Edit{{Span: at, New: "!("}, {Span: point(b.Sp.End), New: ")"}}
		d.Fixes[0].Title = "write `!(...)`"
	}
	return &Unary{p.base(start), OpNot, x}
}

// callEnds reports whether the parentheses behind the lookahead are followed by nothing
// that compares: `not(x)` is a call, `not (x) == y` is none.
func (p *parser) callEnds() bool {
	return p.text(diag.Span{Start: p.start + 3, End: p.start + 4}) == "("
}

// isNotSlip reads `is not T`, `is None` and `is 3`; nil if a type follows.
func (p *parser) isNotSlip(start uint32, x Expr) Expr {
	is := diag.Span{Start: p.end - 2, End: p.end}
	not := p.at("not") && p.next2() != token.EOF && p.next2() != token.LBrace || p.kind == token.Bang
	if not {
		p.next()
	}
	op := OpEq
	text := "=="
	if not {
		op, text = OpNe, "!="
	}
	switch {
	case p.kind == token.None, p.at("None"), p.at("null"), p.at("nil"), p.at("undefined"), p.kind == token.Int, p.kind == token.Str, p.kind == token.True, p.kind == token.False, p.at("True"), p.at("False"):
		value := p.tok.Value
		switch value {
		case "None", "null", "nil", "undefined":
			value = "none"
		case "True", "False":
			value = strings.ToLower(value)
		}
		at := diag.Span{Start: is.Start, End: p.here().End}
		d := p.report(diag.ForeignSyntax, at, "`is` tests for a type; a value is compared with `%s`", text)
		d.Fixes = []diag.Fix{{Title: "write `" + text + " " + value + "`", Edits: []diag.Edit{{Span: at, New: text + " " + value}}}}
		b := p.start
		p.next()
		var y Expr = &BadExpr{p.base(b)}
		if value == "none" {
			y = &NoneLit{p.base(b)}
		}
		return &Binary{p.base(start), op, is, x, y}
	case not:
		d := p.report(diag.ForeignSyntax, diag.Span{Start: is.Start, End: p.end}, "there is no `is not` in Runnel")
		t := p.testedType(true)
		text := "!(" + p.text(x.Span()) + " is " + p.text(t.Span()) + ")"
		d.Fixes = []diag.Fix{{Title: "write `" + text + "`", Edits: []diag.Edit{{Span: diag.Span{Start: start, End: p.end}, New: text}}}}
		return &Is{p.base(start), x, t}
	}
	return nil
}

// comparisonSlip reads === and <>, whose first part was taken.
func (p *parser) comparisonSlip(kind token.Kind) {
	if p.start != p.end {
		return
	}
	switch {
	case p.kind == token.Eq && (kind == token.EqEq || kind == token.NotEq):
		own := "=="
		if kind == token.NotEq {
			own = "!="
		}
		d := p.report(diag.ForeignSyntax, p.here(), "there is only one kind of equality")
		d.Help = []string{"`same(a, b)` tells whether two references are the same"}
		d.Fixes = []diag.Fix{{Title: "write `" + own + "`", Edits: []diag.Edit{{Span: p.here(), New: ""}}}}
		p.next()
	case p.kind == token.Gt && kind == token.Lt:
		at := diag.Span{Start: p.start - 1, End: p.start + 1}
		p.report(diag.ForeignSyntax, at, "`<>` is written `!=` in Runnel").Fixes = []diag.Fix{{Title: "write `!=`", Edits: []diag.Edit{{Span: at, New: "!="}}}}
		p.next()
	case p.kind == token.Gt && kind == token.LtEq:
		p.report(diag.ForeignSyntax, diag.Span{Start: p.start - 2, End: p.start + 1}, "there is no `<=>` in Runnel").
			Help = []string{"compare with `<`, `==` and `>`; texts have `a.compare(b)`; a list is sorted with `xs.sort_by(|x| x.key)`"}
		p.bail()
	}
}

// decrementSlip sees x--, of which the first minus was taken.
func (p *parser) decrementSlip() {
	if p.kind != token.Minus || p.start != p.end {
		return
	}
	switch p.next2() {
	case token.EOF, token.Semi, token.RBrace, token.RParen, token.LBrace:
		p.report(diag.ForeignSyntax, p.here(), "there is no `--` in Runnel").Help = []string{"write `x -= 1`"}
		p.next()
		p.bail()
	}
}

// decrements reports whether `--` at the lookahead ends the statement.
func (p *parser) decrements() bool {
	if p.kind != token.Minus || p.start != p.end {
		return false
	}
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	t := p.lex.Peek()
	if kindOf(t) != token.Minus || t.Pos.Offset != int(p.start)+1 {
		return false
	}
	p.lex.Next()
	switch t = p.lex.Peek(); kindOf(t) {
	case token.EOF, token.Semi, token.RBrace:
		return true
	}
	return t.Pos.Line != p.tok.Pos.Line && !p.nlOff
}

// increment reads x++ as x += 1, and x-- as x -= 1.
func (p *parser) increment(start uint32, x Expr, op BinOp) Stmt {
	at, sign := p.here(), "+"
	if op == OpSub {
		sign = "-"
		at.End++
	}
	d := p.report(diag.ForeignSyntax, at, "there is no `%s` in Runnel", sign+sign)
	d.Fixes = append(d.Fixes, diag.Fix{Title: "write `" + sign + "= 1`", Edits: []diag.Edit{{Span: at, New: " " + sign + "= 1"}}})
	p.next()
	if op == OpSub {
		p.next()
	}
	one := &IntLit{ExprBase: ExprBase{at, p.id()}, Value: 1}
	return &AssignStmt{StmtBase{p.span(start)}, x, op, at, one}
}

// walrus reads x := v as let x = v.
func (p *parser) walrus(start uint32, x Expr) Stmt {
	id, ok := x.(*Ident)
	d := p.report(diag.ForeignSyntax, p.here(), "there is no `:=` in Runnel")
	d.Help = append(d.Help, "write `let x = ...` to declare a variable, `x = ...` to assign to one")
	if !ok {
		p.bail()
	}
	d.Fixes = append(d.Fixes, diag.Fix{Title: "declare it with `let`", Edits: []diag.Edit{
		{Span: diag.Span{Start: start, End: start}, New: "let "}, {Span: p.here(), New: "="}}})
	p.next()
	b := &BindPattern{PatternBase{id.Sp, p.id()}, Name{id.Name, id.Sp}, nil, false}
	s := &LetStmt{Kind: Var, Pattern: b, Value: p.value()}
	s.StmtBase = StmtBase{p.span(start)}
	return s
}

// condCommaSlip reads `if let x = y, x > 3` as &&.
func (p *parser) condCommaSlip() bool {
	if p.kind != token.Comma && p.kind != token.Semi || p.newline() {
		return false
	}
	at := p.here()
	p.report(diag.ForeignSyntax, at, "conditions are joined with `&&`").
		Fixes = []diag.Fix{{Title: "write `&&`", Edits: []diag.Edit{{Span: diag.Span{Start: p.end, End: at.End}, New: " &&"}}}}
	return true
}

// conditionSlip reads `if a = b` as a comparison.
func (p *parser) conditionSlip(x Expr) Expr {
	if p.kind == token.FatArrow && !p.newline() && startsOperand(p.next2()) {
		at := p.here()
		p.report(diag.ForeignSyntax, at, "`=>` does not compare").Fixes = []diag.Fix{{Title: "write `>=`", Edits: []diag.Edit{{Span: at, New: ">="}}}}
		p.next()
		y := p.head()
		return &Binary{ExprBase{x.Span().To(y.Span()), p.id()}, OpGe, at, x, y}
	}
	if p.kind != token.Eq || p.newline() {
		return x
	}
	if t := p.peek2(); kindOf(t) == token.Lt && t.Pos.Offset == int(p.start)+1 {
		at := diag.Span{Start: p.start, End: p.start + 2}
		p.report(diag.ForeignSyntax, at, "`=<` is written `<=` in Runnel").Fixes = []diag.Fix{{Title: "write `<=`", Edits: []diag.Edit{{Span: at, New: "<="}}}}
		p.next()
		p.next()
		y := p.head()
		return &Binary{ExprBase{x.Span().To(y.Span()), p.id()}, OpLe, at, x, y}
	}
	at := p.here()
	d := p.report(diag.ForeignSyntax, at, "`=` assigns; a comparison is written `==`")
	d.Fixes = append(d.Fixes, diag.Fix{Title: "compare with `==`", Edits: []diag.Edit{{Span: at, New: "=="}}})
	p.next()
	y := p.head()
	return &Binary{ExprBase{x.Span().To(y.Span()), p.id()}, OpEq, at, x, y}
}
