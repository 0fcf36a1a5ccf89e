package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// caseArms is what told of the arms of a match that are written as those of a switch.
type caseArms struct {
	d    *diag.Diagnostic
	open int // the brackets around them
}

// armSlip looks at the start of an arm; it gives the arm if it is one of a switch.
func (p *parser) armSlip() *MatchArm {
	switch {
	case p.kind == token.Else, p.at("default"), p.at("case"), p.at("when"):
	default:
		return nil
	}
	next := p.next2()
	if p.kind == token.Ident && (next == token.FatArrow || next == token.If || next == token.Comma || next == token.LParen && !p.at("case")) {
		return nil // a name
	}
	start := p.start
	word := p.here()
	rest := p.kind == token.Else || p.at("default")
	if p.cases.d == nil || p.cases.open != len(p.open) {
		d := p.report(diag.ForeignSyntax, word, "an arm of a `match` is written `1 => ...`, the one for the rest `_ => ...`")
		d.Fixes = []diag.Fix{{Title: "write the arms with `=>`"}}
		p.cases = caseArms{d, len(p.open)}
	}
	d := p.cases.d
	edit := func(at diag.Span, text string) {
		if !p.quiet && len(d.Fixes) > 0 {
			d.Fixes[0].Edits = append(d.Fixes[0].Edits, diag.Edit{Span: at, New: text})
		}
	}
	p.next()
	a := &MatchArm{}
	if rest {
		edit(word, "_")
		a.Pattern = &BindPattern{PatternBase{diag.Span{Start: start, End: p.end}, p.id()}, Name{"_", word}, nil, false}
	} else {
		edit(diag.Span{Start: start, End: p.start}, "")
		alts := []Pattern{p.pattern(false)}
		for p.kind == token.Comma && !p.nl {
			edit(p.here(), " |")
			p.next()
			alts = append(alts, p.pattern(false))
		}
		a.Pattern = alts[0]
		if len(alts) > 1 {
			a.Pattern = &OrPattern{PatternBase{alts[0].Span().To(alts[len(alts)-1].Span()), p.id()}, alts}
		}
		if p.kind == token.If {
			p.next()
			a.Guard = p.guard()
		}
	}
	switch {
	case p.kind == token.Colon, p.kind == token.Arrow, p.kind == token.FatArrow, p.at("then"), p.at("do"):
		if p.kind != token.FatArrow {
			text := "=>"
			if p.kind == token.Colon {
				text = " =>"
			}
			edit(p.here(), text)
		}
		p.next()
	default:
		edit(point(p.end), " =>")
	}
	a.Body = p.caseBody(edit)
	return a
}

// caseBody reads the statements of an arm up to the next one.
func (p *parser) caseBody(edit func(diag.Span, string)) Expr {
	if p.kind == token.LBrace {
		return p.block()
	}
	from := p.end
	open := len(p.open)
	b := p.bareStatements(func() bool { return !p.nextCase() || len(p.open) > open }, false)
	if n := len(b.Stmts); n > 0 {
		if e, ok := b.Stmts[n-1].(*ExprStmt); ok {
			if br, ok := e.X.(*Break); ok && br.Label.Text == "" {
				b.Stmts = b.Stmts[:n-1]
				at := diag.Span{Start: from, End: br.Sp.End}
				if n > 1 {
					at.Start = b.Stmts[n-2].Span().End
				}
				edit(at, "")
				p.cases.d.Help = appendOnce(p.cases.d.Help, "an arm ends by itself, without `break`")
			}
		}
	}
	single := len(b.Stmts) == 1 && !strings.Contains(p.text(diag.Span{Start: from, End: b.Stmts[0].Span().Start}), "\n")
	if single {
		if e, ok := b.Stmts[0].(*ExprStmt); ok {
			return e.X
		}
	}
	edit(point(from), " {")
	end := from
	if n := len(b.Stmts); n > 0 {
		end = b.Stmts[n-1].Span().End
	}
	edit(point(end), " }")
	return b
}

// nextCase reports whether the next arm of a switch begins.
func (p *parser) nextCase() bool {
	switch {
	case p.kind == token.Else:
		return true
	case p.at("case"), p.at("when"):
		switch p.next2() {
		case token.Ident, token.Int, token.Str, token.LParen, token.Minus, token.True, token.False, token.None, token.BadLit, token.Float:
			return true
		}
	case p.at("default"):
		k := p.next2()
		return k == token.Colon || k == token.Arrow
	}
	return false
}

func appendOnce(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

// selectSlip reports the arms of a select of Go.
func (p *parser) selectSlip() {
	if !p.at("case") && !(p.at("default") && p.next2() == token.Colon) {
		return
	}
	if k := p.next2(); p.at("case") && k != token.Ident && k != token.Lt {
		return
	}
	p.report(diag.ForeignSyntax, p.here(), "an arm of a `select` is written `let v = ch.recv() => ...`, `ch.send(x) => ...`, `after 1s => ...` or `_ => ...`").
		Help = []string{"there is no `case` and no `<-` in Runnel"}
	p.quiet = true
	open := len(p.open)
	for p.kind != token.EOF && !(p.kind == token.RBrace && len(p.open) == open) {
		switch p.kind {
		case token.LParen, token.LBrack, token.LBrace, token.StrHead:
			p.opening()
			continue
		case token.RParen, token.RBrack, token.RBrace, token.StrTail:
			p.closeInner(open)
		}
		p.next()
	}
	p.bail()
}

// catchParens reads `catch (e)` and `catch (IOException e)`.
func (p *parser) catchParens(c *CatchClause) {
	at := p.here()
	d := p.report(diag.UnexpectedToken, at, "a `catch` has no parentheses")
	p.opening()
	p.errAt = -1
	switch {
	case p.kind == token.Ident && p.next2() == token.Ident:
		typ := p.tok.Value
		p.next()
		c.Name = p.name("an error")
		d.Help = append(d.Help, "write `catch "+c.Name.Text+" { ... }`, or `catch "+c.Name.Text+": "+typ+" { ... }` for an error of the type `"+typ+"`")
	case p.kind == token.Ident:
		c.Name = p.name("an error")
		if p.accept(token.Colon) {
			c.Type = p.typeExpr()
		}
		if p.kind == token.RParen {
			d.Fixes = []diag.Fix{{Title: "leave them out", Edits: []diag.Edit{{Span: at, New: ""}, {Span: p.here(), New: ""}}}}
		}
	}
	if p.kind != token.RParen {
		d.Help = append(d.Help, "write `catch e { ... }` or `catch e: NotFound { ... }`")
		p.bail()
	}
	p.closing("")
}

// thirdLine reports whether the second token after the lookahead is on another line.
func (p *parser) thirdLine() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	base := p.lex.Peek()
	if kindOf(base) != token.Ident || base.Pos.Line != p.tok.Pos.Line {
		return false
	}
	p.lex.Next()
	k := kindOf(p.lex.Peek())
	return p.lex.Peek().Pos.Line != p.tok.Pos.Line && !(k >= token.Gt && k <= token.GtGtEq) && k != token.Comma && k != token.Colon
}

// guard parses the guard of an arm.
func (p *parser) guard() Expr {
	outer := p.guardIn
	p.guardIn = len(p.open) + 1
	x := p.expr()
	p.guardIn = outer
	return x
}
