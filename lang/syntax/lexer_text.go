package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// string reads a string up to its end or its first interpolation. One in an
// interpolation that is not closed on its line is none: its quote closes the
// string around it, in which a brace is missing.
func (s *scanner) string() token.Kind {
	s.off++
	quote := s.off
	outer := len(s.interps)
	if kind := s.text(token.Str, token.StrHead); kind != token.BadLit || outer == 0 {
		return kind
	}
	s.off = quote
	return token.Unterminated
}

// quoted skips to after the closing quote on this line. Where one quote is not closed
// those behind it are not either: the line is read once.
func (s *scanner) quoted(quote byte) bool {
	unclosed := &s.unclosed[0]
	if quote == '"' {
		unclosed = &s.unclosed[1]
	}
	if s.off < *unclosed {
		s.off = *unclosed
		return false
	}
	for s.off < len(s.src) && s.src[s.off] != '\n' {
		switch c := s.src[s.off]; {
		case c == quote:
			s.off++
			return true
		case c == '\\' && s.byteAt(1) != '\n' && s.byteAt(1) != 0:
			s.off += 2
		default:
			s.off++
		}
	}
	*unclosed = s.off
	return false
}

// text reads a string's text up to its closing quote (kind end) or the next
// interpolation (kind head).
func (s *scanner) text(end, head token.Kind) token.Kind {
	for s.off < len(s.src) {
		switch c := s.src[s.off]; {
		case c == '"':
			s.off++
			return end
		case c == '$' && s.byteAt(1) == '{':
			s.off += 2
			s.interps = append(s.interps, 0)
			return head
		case c == '\n':
			return s.broken(end)
		case c == '\\' && s.byteAt(1) != '\n' && s.byteAt(1) != 0:
			s.off += 2
		default:
			s.off++
		}
	}
	return s.broken(end)
}

// blockQuotes stand before and behind a text block.
const blockQuotes = `"""`

// singleQuotes stand around a text of several lines in Python.
const singleQuotes = "'''"

// blockText reads the text of a text block up to its closing quotes (kind end) or the
// next interpolation (kind head).
func (s *scanner) blockText(end, head token.Kind) token.Kind {
	s.block = false
	for s.off < len(s.src) {
		switch c := s.src[s.off]; {
		case c == '"' && s.byteAt(1) == '"' && s.byteAt(2) == '"':
			s.off += len(blockQuotes)
			return end
		case c == '$' && s.byteAt(1) == '{':
			s.off += 2
			s.interps, s.block = append(s.interps, 0), true
			return head
		case c == '\n':
			s.off++
			s.newline()
		case c == '\\' && s.byteAt(1) != '\n' && s.byteAt(1) != 0:
			s.off += 2
		default:
			s.off++
		}
	}
	return unclosed(end)
}

// broken is the kind of a string that breaks off where a line ends. What is left of a
// text block around it is read, too.
func (s *scanner) broken(end token.Kind) token.Kind {
	s.interps = s.interps[:0]
	if !s.block {
		return unclosed(end)
	}
	for s.blockText(token.StrTail, token.StrMid) == token.StrMid {
		s.interps = s.interps[:0]
	}
	return token.Unterminated
}

// unclosed is the kind of what would be one of kind end if it were closed.
func unclosed(end token.Kind) token.Kind {
	if end == token.Str {
		return token.BadLit
	}
	return token.Unterminated
}

func (s *scanner) raw() token.Kind {
	for s.off++; s.off < len(s.src); {
		c := s.src[s.off]
		s.off++
		if c == '`' {
			return token.RawStr
		}
		if c == '\n' {
			s.newline()
		}
	}
	return token.BadLit
}

// quote reads a label, or a text in single quotes, which is not a literal here.
func (s *scanner) quote() token.Kind {
	if rest, ok := strings.CutPrefix(s.src[s.off:], singleQuotes); ok {
		if n := strings.Index(rest, singleQuotes); n >= 0 {
			end := s.off + n + 2*len(singleQuotes)
			for ; s.off < end; s.off++ {
				if s.src[s.off] == '\n' {
					s.line++
					s.lineStart = s.off + 1
				}
			}
			return token.BadLit
		}
	}
	s.off++
	word := s.off
	s.wordRest()
	if s.off > word && isLetter(s.src[word]) && s.byteAt(0) != '\'' {
		i := 0
		for s.byteAt(i) == ' ' {
			i++
		}
		if s.byteAt(i) == ':' || s.last == token.Break || s.last == token.Continue {
			return token.Label
		}
	}
	end := s.off
	if s.quoted('\'') {
		return token.BadLit
	}
	s.off = end
	if end > word {
		return token.Label
	}
	return token.Invalid
}

// spec reads the format spec of an interpolation up to its closing brace.
func (s *scanner) spec() token.Kind {
	for s.off < len(s.src) {
		switch s.src[s.off] {
		case '}', '\n', '"':
			return token.Spec
		case '{':
			s.off += hole(s.src[s.off:])
		}
		s.off++
	}
	return token.Spec
}

// hole is how far behind the brace at the beginning of a text the one is that closes a
// name in braces; 0 where none stands there.
func hole(text string) int {
	i := 1
	for i < len(text) && isWord(text[i]) {
		i++
	}
	if i == 1 || !isLetter(text[1]) || i == len(text) || text[i] != '}' {
		return 0
	}
	return i
}
