package printer

import "github.com/runnel-lang/runnel/lang/syntax/token"

// space reports whether a space stands between a token and the one that follows
// it on the same line.
func (p *printer) space(a, b int) bool {
	before, after := p.kind(a), p.kind(b)
	switch {
	case p.inText(before, after):
		return false
	case before == token.LParen, before == token.LBrack, after == token.RParen, after == token.RBrack:
		return false
	case before == token.LBrace && after == token.RBrace, p.is(a, opensMap), after == token.RBrace && p.is(p.pair[b], opensMap):
		return false
	case after == token.Colon:
		return false
	case p.sep[a].text != "":
		return true
	case before.IsTrivia(), after.IsTrivia(), p.is(b, apart):
		return true
	case before == token.Minus && after == token.Minus: // two of them are another operator elsewhere
		return true
	case before == token.DotDot && goesOn(after): // a range without an end
		return true
	case after == token.LParen, after == token.LBrack:
		return !p.arguments(b) && !p.clings(a)
	}
	return !p.clings(a) && !p.follows(a, b)
}

// goesOn reports whether a token begins what follows a complete expression or pattern.
func goesOn(k token.Kind) bool {
	switch k {
	case token.LBrace, token.FatArrow, token.If, token.Pipe, token.Eq:
		return true
	}
	return false
}

// inText reports whether two tokens stand next to each other in a string with
// interpolations, at the border of text.
func (p *printer) inText(before, after token.Kind) bool {
	switch before {
	case token.StrHead, token.StrMid:
		return true
	}
	switch after {
	case token.StrMid, token.StrTail, token.Spec:
		return true
	}
	return false
}

// clings reports whether no space stands behind a token.
func (p *printer) clings(i int) bool {
	switch p.kind(i) {
	case token.Dot, token.QDot, token.DotDot, token.DotDotEq:
		return true
	case token.Lt:
		return p.angle(i)
	}
	return p.is(i, prefix) || p.is(i, bar) && p.pair[i] > i
}

// follows reports whether no space stands between b and the a before it.
func (p *printer) follows(a, b int) bool {
	switch p.kind(b) {
	case token.Dot, token.QDot, token.DotDot, token.DotDotEq:
		return true
	case token.Question: // two that stand apart are not one ??
		return p.kind(a) != token.Question
	case token.QQ:
		return !p.is(b, operator)
	case token.Bang:
		return !p.is(b, prefix)
	}
	if p.is(a, operator) && p.is(b, operator) { // >= and the like
		return true
	}
	return p.angle(b) || p.is(b, bar) && p.pair[b] < b
}
