package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Bodies without braces: those of other languages end with a word, `end`, or with
// their indentation, or are a single statement. They are read to their end, so that
// all of them in one statement cost one error, whose fix puts the braces.

// bare is what is known of the bodies without braces around the lookahead.
type bare struct {
	depth int              // how many are open
	d     *diag.Diagnostic // what told of the outermost one
	owed  int              // how many should end with a word that did not come yet
}

// noBraces reports a body that does not begin with a brace, once for each statement.
func (p *parser) noBraces() {
	if p.bare.d != nil {
		return
	}
	d := p.report(diag.UnexpectedToken, p.where(), "expected `{`, found %s", p.found())
	d.Help = append(d.Help, "a body stands in braces, which begin on the same line: `{ ... }`")
	d.Fixes = []diag.Fix{{Title: "put the body in braces"}}
	p.bare.d = d
	p.errAt = -1 // the first word of the body may have an error of its own
}

// brace puts text in place of what spans at, as a part of the fix.
func (p *parser) brace(at diag.Span, text string) {
	if p.bare.d != nil && !p.quiet {
		p.bare.d.Fixes[0].Edits = append(p.bare.d.Fixes[0].Edits, diag.Edit{Span: at, New: text})
	}
}

// bareBody reads a body without braces, or gives nil if none begins here. indent is
// that of the line on which its owner begins.
func (p *parser) bareBody(indent int) *Block {
	if p.kind == token.Comma { // the body of a guard: `, then ...`
		return nil
	}
	switch {
	case p.at("then"), p.at("do"), p.kind == token.Colon && !p.nl:
		words := p.kind == token.Ident
		p.noBraces()
		at := p.here()
		open := "{"
		if p.kind == token.Colon {
			open = " {"
		}
		p.next()
		if !p.nl && p.kind != token.EOF && p.start == p.end {
			open += " "
		}
		p.brace(at, open)
		return p.bareBlock(indent, words)
	case p.nl && p.kind != token.LBrace && p.kind != token.EOF && p.tok.Pos.Column > indent && !isCloser(p.kind) && binaryOps[p.kind].prec == precNone:
		p.noBraces()
		p.brace(point(p.end), " {")
		return p.bareBlock(indent, true)
	case !p.nl && (p.start > p.end || p.last == token.RParen) && (startsOperand(p.kind) || p.startsStatement() || p.kind == token.If || p.kind == token.Spawn || p.kind == token.Match):
		p.noBraces()
		p.brace(point(p.start), "{ ")
		b := p.bareStatements(func() bool { return true }, true)
		p.brace(point(b.Sp.End), " }")
		return b
	}
	return nil
}

// bareBlock reads the statements that stand on the line of the lookahead or are
// indented below their owner, and the word that ends them.
func (p *parser) bareBlock(indent int, words bool) *Block {
	line := p.line
	b := p.bareStatements(func() bool { return !(p.nl && p.tok.Pos.Column <= indent) }, false)
	switch {
	case p.atEnd() && !(p.nl && p.tok.Pos.Column < indent), p.kind == token.RBrace && len(p.open) == 0:
		p.brace(p.here(), "}") // in the second case the opening one alone was forgotten
		p.next()
	case words && p.endsWord():
		p.brace(point(p.start), "} ")
	case p.line == line:
		p.brace(point(p.end), " }")
	default:
		p.brace(point(p.end), "\n"+strings.Repeat(" ", max(indent-1, 0))+"}")
		if words {
			p.bare.owed++
		}
	}
	b.Rbrace = point(p.end)
	b.Sp.End = max(b.Sp.End, p.end)
	return b
}

// bareStatements reads statements as long as they go on; at most one if so wanted.
func (p *parser) bareStatements(goesOn func() bool, one bool) *Block {
	start := p.start
	h := p.enter()
	outer, noBrace, nlOff := p.bare.depth, p.noBrace, p.nlOff
	p.bare.depth++
	p.noBrace, p.nlOff = false, false
	b := &Block{}
	for p.kind != token.EOF && !isCloser(p.kind) && !p.endsBare() && goesOn() {
		if p.accept(token.Semi) {
			continue
		}
		b.Stmts = append(b.Stmts, p.statement(false))
		if one {
			break
		}
	}
	p.bare.depth, p.noBrace, p.nlOff = outer, noBrace, nlOff
	b.Rbrace = point(p.end)
	b.ExprBase = p.base(start)
	p.leave(h)
	return b
}

// endsWord reports whether the lookahead continues with what the body belongs to.
func (p *parser) endsWord() bool {
	if p.kind == token.Else || p.kind == token.Catch {
		return true
	}
	if p.kind == token.Ident {
		switch p.tok.Value {
		case "elif", "elsif", "elseif", "except", "rescue", "finally", "ensure", "until", "when":
			return true
		}
	}
	return false
}

// atEnd reports whether the lookahead is a word that ends a block elsewhere.
func (p *parser) atEnd() bool {
	if p.kind != token.Ident {
		return false
	}
	switch p.tok.Value {
	case "end", "fi", "done", "endif":
		k := p.next2()
		return k != token.Eq && k != token.Dot && k != token.LParen && k != token.ColonEq
	}
	return false
}

// endsBare reports whether the lookahead ends a body without braces.
func (p *parser) endsBare() bool { return p.bare.depth > 0 && (p.endsWord() || p.atEnd()) }

// strayEnd takes an `end` that belongs to a body that was already told of.
func (p *parser) strayEnd() {
	for p.bare.owed > 0 && p.atEnd() {
		p.bare.owed--
		p.next()
	}
}

// bareMembers reads the members of a type without braces, or reports false if none
// begin here.
func (p *parser) bareMembers(what string, elem func(start uint32, doc string)) bool {
	if p.kind == token.LBrace || !(p.kind == token.Colon && !p.nl) && !(p.nl && p.kind != token.EOF && p.tok.Pos.Column > p.from) {
		return false
	}
	indent := p.from
	h := p.enter()
	p.noBraces()
	at := point(p.end)
	if p.kind == token.Colon {
		at = p.here()
		p.next()
	}
	p.brace(at, " {")
	p.bare.depth++
	for p.kind != token.EOF && !isCloser(p.kind) && !p.endsBare() && !(p.nl && p.tok.Pos.Column <= indent) {
		if p.accept(token.Semi) || p.accept(token.Comma) {
			continue
		}
		p.oneMember(what, elem)
	}
	p.bare.depth--
	if p.atEnd() || p.kind == token.RBrace && len(p.open) == 0 {
		p.brace(p.here(), "}")
		p.next()
	} else {
		p.brace(point(p.end), "\n"+strings.Repeat(" ", max(indent-1, 0))+"}")
	}
	p.leave(h)
	return true
}

// skipToEnd skips what goes on until an `end`, and gives the statement up.
func (p *parser) skipToEnd() {
	p.quiet = true
	indent, line, open := p.indent, p.tok.Pos.Line, len(p.open)
	for p.kind != token.EOF {
		inner := len(p.open) > open
		if !inner && p.nl && p.tok.Pos.Line > line && p.tok.Pos.Column <= indent && !p.endsWord() {
			if p.atEnd() && p.tok.Pos.Column == indent {
				p.next()
			}
			break
		}
		switch p.kind {
		case token.LParen, token.LBrack, token.LBrace, token.StrHead:
			p.opening()
			continue
		case token.RParen, token.RBrack, token.RBrace, token.StrTail:
			if !p.closeInner(open) && p.kind == token.RBrace {
				p.bail()
			}
		case token.Semi:
			if !inner && p.tok.Pos.Line == line {
				p.bail()
			}
		}
		p.next()
	}
	p.bail()
}

// bareFunction reads the body of a function without braces: statements up to an `end`
// or by indentation, or an expression behind `=` or `=>`.
func (p *parser) bareFunction(indent int) *Block {
	switch {
	case (p.kind == token.Eq || p.kind == token.FatArrow) && !p.nl:
		at := p.here()
		p.noBraces()
		p.next()
		p.brace(at, "{")
		start := p.start
		x := p.expr()
		p.brace(point(p.end), " }")
		return &Block{ExprBase: p.base(start), Stmts: []Stmt{&ExprStmt{StmtBase: StmtBase{p.span(start)}, X: x}}, Rbrace: point(p.end)}
	case p.kind == token.Return && !p.nl:
		p.noBraces()
		p.brace(point(p.start), "{ ")
		return p.bareBlock(indent, true)
	case p.kind == token.Colon, p.nl:
		return p.bareBody(indent)
	}
	return nil
}

// repeatSlip reads `repeat ... until c`.
func (p *parser) repeatSlip() {
	d := p.report(diag.ForeignSyntax, p.here(), "there is no `repeat` in Runnel")
	d.Help = append(d.Help, "write `loop { ...; if done { break } }`")
	indent := p.indent
	p.next()
	if p.kind == token.LBrace {
		p.block()
	} else {
		p.bareStatements(func() bool { return p.tok.Pos.Column > indent || !p.nl }, false)
	}
	if p.at("until") || p.kind == token.While {
		p.next()
		p.expr()
	}
	p.bail()
}

// callAhead reports whether the parentheses behind the lookahead end without a { on
// their line: a call.
func (p *parser) callAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	depth := 0
	for n := 0; n < 200; n++ {
		p.lex.Next()
		t := p.lex.Peek()
		switch kindOf(t) {
		case token.LParen:
			depth++
		case token.RParen:
			if depth--; depth == 0 {
				p.lex.Next()
				next := p.lex.Peek()
				return kindOf(next) != token.LBrace || next.Pos.Line != p.tok.Pos.Line
			}
		case token.EOF:
			return true
		}
	}
	return true
}
