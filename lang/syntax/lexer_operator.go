package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// operator reads an operator or a bracket.
func (s *scanner) operator(c byte) token.Kind {
	d := s.byteAt(1)
	take := func(n int, k token.Kind) token.Kind {
		s.off += n
		return k
	}
	// or gives k2 when c is followed by d2, else k.
	or := func(k token.Kind, d2 byte, k2 token.Kind) token.Kind {
		if d == d2 {
			return take(2, k2)
		}
		return take(1, k)
	}
	switch c {
	case '(':
		return take(1, token.LParen)
	case ')':
		return take(1, token.RParen)
	case '[':
		return take(1, token.LBrack)
	case ']':
		return take(1, token.RBrack)
	case '{':
		return take(1, token.LBrace)
	case '}':
		return take(1, token.RBrace)
	case ',':
		return take(1, token.Comma)
	case ';':
		return take(1, token.Semi)
	case '~':
		return take(1, token.Tilde)
	case '.':
		if d == '.' && s.byteAt(2) == '=' {
			return take(3, token.DotDotEq)
		}
		return or(token.Dot, '.', token.DotDot)
	case ':':
		if d == ':' {
			return take(2, token.ColonColon)
		}
		return or(token.Colon, '=', token.ColonEq)
	case '?':
		if d == '.' {
			return take(2, token.QDot)
		}
		return or(token.Question, '?', token.QQ)
	case '!':
		return or(token.Bang, '=', token.NotEq)
	case '+':
		if d == '+' {
			return take(2, token.PlusPlus)
		}
		return or(token.Plus, '=', token.PlusEq)
	case '-':
		if d == '>' {
			return take(2, token.Arrow)
		}
		return or(token.Minus, '=', token.MinusEq)
	case '*':
		if d == '*' {
			return take(2, token.StarStar)
		}
		return or(token.Star, '=', token.StarEq)
	case '/':
		return or(token.Slash, '=', token.SlashEq)
	case '%':
		return or(token.Percent, '=', token.PercentEq)
	case '^':
		return or(token.Caret, '=', token.CaretEq)
	case '&':
		if d == '&' {
			return take(2, token.AndAnd)
		}
		return or(token.Amp, '=', token.AmpEq)
	case '|':
		if d == '|' {
			return take(2, token.OrOr)
		}
		return or(token.Pipe, '=', token.PipeEq)
	case '=':
		if d == '>' {
			return take(2, token.FatArrow)
		}
		return or(token.Eq, '=', token.EqEq)
	case '<':
		if d == '<' && s.byteAt(2) == '=' {
			return take(3, token.ShlEq)
		}
		if d == '<' {
			return take(2, token.Shl)
		}
		return or(token.Lt, '=', token.LtEq)
	case '>':
		switch {
		case d == '=' && s.byteAt(2) != '=' && s.byteAt(2) != '>':
			return take(1, token.GtEq)
		case d == '>' && s.byteAt(2) == '=' && s.byteAt(3) != '=' && s.byteAt(3) != '>':
			return take(1, token.GtGtEq)
		case d == '>':
			return take(1, token.GtGt)
		}
		return take(1, token.Gt)
	}
	return s.stray()
}

// stray reads a run of characters that begin no token.
func (s *scanner) stray() token.Kind {
	r, n := utf8.DecodeRuneInString(s.src[s.off:])
	s.off += n
	switch {
	case r == '#' && !s.isLength(): // a comment elsewhere: one error, not one for each word
		s.lineComment()
		return token.Invalid
	case r == '@' && isLetter(s.byteAt(0)):
		s.annotation()
		return token.Invalid
	}
	if r < utf8.RuneSelf {
		return token.Invalid
	}
	for s.off < len(s.src) {
		r, n := utf8.DecodeRuneInString(s.src[s.off:])
		if r < utf8.RuneSelf && !isWord(byte(r)) || r >= utf8.RuneSelf && unicode.IsSpace(r) {
			break
		}
		s.off += n
	}
	return token.Invalid
}

// isLength reports whether the # before off is the length of what follows, as in Lua.
func (s *scanner) isLength() bool {
	if !isLetter(s.byteAt(0)) {
		return false
	}
	switch s.last {
	case token.LParen, token.LBrack, token.Comma, token.Eq, token.Return, token.In, token.DotDot, token.DotDotEq, token.Lt, token.LtEq, token.Gt, token.EqEq, token.NotEq, token.Plus, token.Minus, token.Star, token.If, token.While:
		before := strings.TrimRight(s.src[s.lineStart:s.off-1], " \t")
		return before != ""
	}
	return false
}

// annotation takes an annotation that has a line of its own.
func (s *scanner) annotation() {
	if strings.TrimSpace(s.src[s.lineStart:s.off-1]) != "" {
		return
	}
	end := strings.IndexByte(s.src[s.off:], '\n')
	if end < 0 {
		end = len(s.src) - s.off
	}
	line := strings.TrimRight(s.src[s.off:s.off+end], " \t\r")
	n := 0
	for n < len(line) && (isWord(line[n]) || line[n] == '.') {
		n++
	}
	if n == len(line) || line[n] == '(' && strings.HasSuffix(line, ")") {
		s.off += len(line)
	}
}
