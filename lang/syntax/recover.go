package syntax

import (
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// bailout is what the parser panics with after an error; the nearest guarded
// production recovers, skips what belongs to the broken part and goes on.
type bailout struct{}

// mark is a state to come back to.
type mark struct {
	cursor  int
	start   uint32
	open    int
	depth   int
	height  int
	indent  int
	guardIn int
	bare    int // bodies without braces
	nlOff   bool
	noBrace bool
}

func (p *parser) mark() mark {
	return mark{p.lex.Cursor(), p.start, len(p.open), p.depth, p.height, p.indent, p.guardIn, p.bare.depth, p.nlOff, p.noBrace}
}

// caught is called with recover() by a deferred function. It reports whether
// the production was given up; then the parser is back at m's nesting.
func (p *parser) caught(r any, m mark, skip func(mark)) bool {
	if r == nil {
		return false
	}
	if _, ok := r.(bailout); !ok {
		panic(r)
	}
	p.quiet, p.bars = true, false
	skip(m)
	p.quiet = p.aborted
	p.unwind(m.open)
	p.depth, p.height = m.depth, m.height
	p.nlOff, p.noBrace, p.guardIn, p.bare.depth = m.nlOff, m.noBrace, m.guardIn, m.bare
	return true
}

// unwind forgets all but the first n open brackets.
func (p *parser) unwind(n int) {
	for len(p.open) > n {
		d := &p.open[len(p.open)-1]
		p.nlOff, p.noBrace, p.innermost[slot(d.kind)] = d.nlOff, d.noBrace, d.outer
		p.open = p.open[:len(p.open)-1]
	}
}

// skipStatement goes to the end of the statement that began at m.
func (p *parser) skipStatement(m mark) { p.skip(m, false) }

// skipMember goes to the end of the member or arm that began at m.
func (p *parser) skipMember(m mark) { p.skip(m, true) }

func (p *parser) skip(m mark, comma bool) {
	for p.kind != token.EOF {
		inner := len(p.open) > m.open
		if p.lex.Cursor() > m.cursor {
			if p.nl && p.tok.Pos.Column <= m.indent && !isCloser(p.kind) {
				return
			}
			if !inner && (p.nl || comma && p.kind == token.Comma) || p.kind == token.Semi && !p.inBraces(m.open) {
				return
			}
		}
		switch p.kind {
		case token.LParen, token.LBrack, token.LBrace, token.StrHead:
			p.opening()
			continue
		case token.RParen, token.RBrack, token.RBrace, token.StrTail:
			if !p.closeInner(m.open) && p.kind == token.RBrace {
				return
			}
		case token.Unterminated:
			p.unwind(m.open)
		}
		p.next()
	}
}

// closeInner drops open brackets down to the one the lookahead closes, if that
// was opened after the first outer ones.
func (p *parser) closeInner(outer int) bool {
	i := p.innermost[slot(p.kind)]
	if i <= outer {
		return false
	}
	p.unwind(i - 1)
	return true
}

// inBraces reports whether a { is open that was opened after the first outer
// brackets.
func (p *parser) inBraces(outer int) bool {
	return p.innermost[slot(token.LBrace)] > outer
}

func isCloser(k token.Kind) bool {
	return k == token.RParen || k == token.RBrack || k == token.RBrace
}

// skipHead goes to the { of a construct whose head is broken.
func (p *parser) skipHead(m mark) {
	for p.kind != token.EOF && !(p.nl && p.lex.Cursor() > m.cursor) {
		inner := len(p.open) > m.open
		switch p.kind {
		case token.LBrace:
			if !inner {
				return
			}
			p.opening()
			continue
		case token.LParen, token.LBrack, token.StrHead:
			p.opening()
			continue
		case token.RParen, token.RBrack, token.RBrace, token.StrTail:
			if !p.closeInner(m.open) && p.kind == token.RBrace {
				return
			}
		case token.Unterminated:
			p.unwind(m.open)
		}
		p.next()
	}
}

// bail gives up the current production without a further error.
func (p *parser) bail() { panic(bailout{}) }

// abort gives up the rest of the file.
func (p *parser) abort() {
	p.aborted, p.quiet = true, true
	for p.kind != token.EOF {
		p.next()
	}
	p.bail()
}
