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
	a.Body = p.caseBody(word, edit)
	return a
}

// caseBody reads the statements of an arm, which begins with word, up to the next one.
func (p *parser) caseBody(word diag.Span, edit func(diag.Span, string)) Expr {
	if p.kind == token.LBrace {
		return p.block()
	}
	from := p.end
	open := len(p.open)
	b := p.bareStatements(func() bool { return !p.nextCase() || len(p.open) > open }, false)
	tail := p.dropBreak(b, from)
	if tail.End > tail.Start {
		p.cases.d.Help = appendOnce(p.cases.d.Help, "an arm ends by itself, without `break`")
	}
	single := len(b.Stmts) == 1 && !strings.Contains(p.text(diag.Span{Start: from, End: b.Stmts[0].Span().Start}), "\n")
	if single {
		if e, ok := b.Stmts[0].(*ExprStmt); ok {
			edit(tail, "")
			return e.X
		}
	}
	edit(point(from), " {")
	if tail.Start == from {
		edit(tail, " }")
	} else {
		edit(tail, "\n"+strings.Repeat(" ", p.column(word.Start))+"}")
	}
	return b
}

// dropBreak leaves a `break` out that ends a body, which begins at from; it gives what follows the
// body's last statement then.
func (p *parser) dropBreak(b *Block, from uint32) diag.Span {
	end := func() uint32 {
		if n := len(b.Stmts); n > 0 {
			return b.Stmts[n-1].Span().End
		}
		return from
	}
	tail := point(end())
	if n := len(b.Stmts); n > 0 {
		if e, ok := b.Stmts[n-1].(*ExprStmt); ok {
			if br, ok := e.X.(*Break); ok && br.Label.Text == "" {
				b.Stmts = b.Stmts[:n-1]
				tail.Start = end()
			}
		}
	}
	return tail
}

// column is how far a place is from the start of its line.
func (p *parser) column(at uint32) int {
	before := p.src.Src[:at-p.src.Base]
	return len(before) - 1 - strings.LastIndexByte(before, '\n')
}

// conditionSwitch reads `switch { case c: ... }` of Go, and `when { c -> ... }` of Kotlin, a chain of
// conditions, at the word.
func (p *parser) conditionSwitch() Expr {
	start, word := p.start, p.here()
	d := p.report(diag.ForeignSyntax, word, "a `match` has a value to match; a chain of conditions is written `if c { ... } else if d { ... } else { ... }`")
	d.Fixes = []diag.Fix{{Title: "write it with `if`"}}
	edit := func(at diag.Span, text string) {
		d.Fixes[0].Edits = append(d.Fixes[0].Edits, diag.Edit{Span: at, New: text})
	}
	h := p.enter()
	p.next()
	open := p.start
	p.opening()
	outer := p.cases
	p.cases = caseArms{d, len(p.open)}
	edit(diag.Span{Start: word.Start, End: p.start}, "")
	first, last := (*If)(nil), (*If)(nil)
	for p.kind != token.RBrace && p.kind != token.EOF {
		at := p.here()
		rest := p.at("default") || p.kind == token.Else
		head := "} else if "
		switch {
		case rest && last == nil:
			p.bail()
		case rest:
			head = "} else"
		case last == nil:
			head = "if "
		}
		if rest || p.at("case") {
			p.next()
		}
		edit(diag.Span{Start: at.Start, End: p.start}, head)
		branch := &If{}
		if !rest {
			branch.Cond = Cond{X: p.expr()}
		}
		if p.kind != token.Colon && p.kind != token.Arrow {
			p.bail()
		}
		edit(p.here(), " {")
		p.next()
		from := p.end
		b := p.bareStatements(func() bool {
			return !p.at("case") && !p.at("default") && p.kind != token.Else || len(p.open) > p.cases.open
		}, false)
		if tail := p.dropBreak(b, from); tail.End > tail.Start {
			edit(tail, "")
		}
		switch {
		case rest:
			last.Else = b
		case last == nil:
			first, last = branch, branch
		default:
			last.Else, last = branch, branch
		}
		branch.Then = b
		branch.ExprBase = p.base(at.Start)
	}
	p.cases = outer
	if first == nil {
		d.Fixes = nil
		d.Span.End = open
	}
	p.closing("")
	p.leave(h)
	if first == nil {
		return &BadExpr{p.base(start)}
	}
	return first
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
