package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// piece is text between the quotes and interpolations of a string, as it is written.
type piece struct {
	text string
	pos  uint32
}

// interpolated parses a string with interpolations.
//
// ebnf: Interpolated  = head Interpolation { middle Interpolation } tail .
// ebnf: Interpolation = Expr [ ":" spec ] .
func (p *parser) interpolated() Expr {
	start, quotes := p.start, 1
	if IsBlock(p.tok.Value) {
		quotes = len(blockQuotes)
	}
	pieces := []piece{p.piece(quotes, len("${"))}
	var inserted []InterpPart
	for {
		at := diag.Span{Start: p.start + uint32(len(p.tok.Value)) - 2, End: p.start + uint32(len(p.tok.Value))}
		p.push(token.StrHead, at)
		p.noBrace = false
		p.next()
		switch p.kind {
		case token.StrMid, token.StrTail, token.Spec:
			p.report(diag.BadInterpolation, diag.Span{Start: at.Start, End: p.start + 1}, "an interpolation needs an expression").
				Help = []string{"for the text itself write `\\${`"}
			p.bail()
		}
		part := InterpPart{X: p.expr()}
		if p.kind == token.Spec {
			part.SpecSp = diag.Span{Start: p.start + 1, End: p.start + uint32(len(p.tok.Value))}
			part.Spec, part.Holes = p.holes(p.next().Value[1:], part.SpecSp.Start)
		}
		inserted = append(inserted, part)
		switch {
		case p.kind == token.StrMid:
			p.pop()
			pieces = append(pieces, p.piece(len("}"), len("${")))
			continue
		case p.kind == token.StrTail:
			p.pop()
			pieces = append(pieces, p.piece(len("}"), quotes))
			p.next()
			return p.interpLit(start, quotes, pieces, inserted)
		case p.kind == token.Unterminated:
			p.unterminated(start, quotes)
		case p.breaksOffAhead():
			p.missing(p.open[len(p.open)-1])
			for p.kind != token.Unterminated {
				p.next()
			}
		default:
			d := p.report(diag.UnexpectedToken, p.where(), "expected `}`, found %s", p.found())
			d.Labels = append(d.Labels, diag.Label{Span: at, Text: "this `${` is not closed"})
			p.bail()
		}
		p.pop()
		p.next()
		return &InterpLit{p.base(start), inserted}
	}
}

// piece is the text of the lookahead without so much at its beginning and its end.
func (p *parser) piece(before, behind int) piece {
	v := p.tok.Value
	return piece{v[before : len(v)-behind], p.start + uint32(before)}
}

// interpLit puts a string together.
func (p *parser) interpLit(start uint32, quotes int, pieces []piece, inserted []InterpPart) *InterpLit {
	lit := &InterpLit{ExprBase: p.base(start)}
	var texts []string
	if quotes == len(blockQuotes) {
		texts = p.textBlock(pieces)
	} else {
		for _, t := range pieces {
			texts = append(texts, p.unescape(t.text, t.pos, false))
		}
	}
	for i, text := range texts {
		if text != "" {
			lit.Parts = append(lit.Parts, InterpPart{Text: text})
		}
		if i < len(inserted) {
			lit.Parts = append(lit.Parts, inserted[i])
		}
	}
	return lit
}

// unterminated reports a string that breaks off behind an interpolation or in it.
func (p *parser) unterminated(start uint32, quotes int) {
	v := p.tok.Value
	switch {
	case v == "" || v == `"` || v[0] != '}':
		p.missing(p.open[len(p.open)-1])
	case quotes == len(blockQuotes):
		p.unclosedBlock(start)
	default:
		d := p.report(diag.UnclosedString, diag.Span{Start: start, End: start + 1}, "this string is not closed on its line")
		d.Help = append(d.Help, "write `\\n` for a line break; a text of several lines stands between `\"\"\"` and `\"\"\"`, each on a line of its own")
	}
}

// breaksOffAhead reports whether the string with the innermost interpolation
// breaks off on this line before any other part of it.
func (p *parser) breaksOffAhead() bool {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	for t := p.tok; t.Pos.Line == p.tok.Pos.Line; t = p.lex.Peek() {
		switch kindOf(t) {
		case token.Unterminated:
			return true
		case token.EOF, token.StrHead, token.StrMid, token.StrTail:
			return false
		}
		p.lex.Next()
	}
	return false
}
