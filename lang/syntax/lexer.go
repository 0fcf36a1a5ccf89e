package syntax

import (
	"context"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// stopEvery is after how many tokens the scanner and the parser look whether they are
// to stop.
const stopEvery = 1 << 12

// maxInvalid is after how many characters that begin no token the rest of a text is
// one: it is not a program, and the parser tells of a hundred.
const maxInvalid = 1000

// scanner is the lexer.Lexer of one source text. It never fails: what is not a token
// becomes token.Invalid, token.BadLit or token.Unterminated, which the parser
// explains. Comments are tokens, elided by the parser; spaces are none. A token's
// Pos.Offset counts from the file's base.
type scanner struct {
	ctx       context.Context // ends the scan; may be nil
	name      string
	src       string
	base      int
	off       int
	line      int
	lineStart int        // offset of the line's first byte
	last      token.Kind // of the last token that is not a comment
	interps   []int      // open brackets within each interpolation we are in
	block     bool       // the outermost one is in a text block
	tokens    int        // so far
	invalid   int        // tokens that are none
	unclosed  [2]int     // until where no ' and no " closes what one opens
}

func newScanner(name, src string, base int) *scanner {
	s := &scanner{name: name, src: src, base: base, line: 1}
	if strings.HasPrefix(src, "\ufeff") {
		s.off = len("\ufeff")
		s.lineStart = s.off
	}
	return s
}

// Next returns the next token; the error is always nil.
func (s *scanner) Next() (lexer.Token, error) {
	if s.tokens++; s.tokens%stopEvery == 0 {
		diag.Stop(s.ctx)
	}
	stop := s.space()
	t := lexer.Token{Pos: lexer.Position{
		Filename: s.name, Offset: s.base + s.off, Line: s.line, Column: s.off - s.lineStart + 1,
	}}
	start := s.off
	var kind token.Kind
	switch {
	case stop: // a newline within an interpolation
		kind = s.broken(token.StrTail)
	case s.off == len(s.src):
		t.Type = lexer.EOF
		return t, nil
	default:
		kind = s.scan()
	}
	if kind == token.Invalid {
		if s.invalid++; s.invalid > maxInvalid {
			s.off = len(s.src)
		}
	}
	if !kind.IsTrivia() {
		s.last = kind
	}
	t.Type = lexer.TokenType(kind)
	t.Value = s.src[start:s.off]
	return t, nil
}

// space skips white space. It reports whether it met the end of a line (or of
// the text) within an interpolation: it does not span lines, so that a missing
// quote spoils one line, not the rest of the file.
func (s *scanner) space() (stop bool) {
	for s.off < len(s.src) {
		switch s.src[s.off] {
		case ' ', '\t', '\r':
			s.off++
		case '\n':
			if len(s.interps) > 0 {
				return true
			}
			s.off++
			s.newline()
		default:
			return false
		}
	}
	return len(s.interps) > 0
}

// newline notes that a line begins at off.
func (s *scanner) newline() {
	s.line++
	s.lineStart = s.off
}

// byteAt is the byte i places after the current one, 0 past the end.
func (s *scanner) byteAt(i int) byte {
	if s.off+i < len(s.src) {
		return s.src[s.off+i]
	}
	return 0
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool { return isLetter(c) || isDigit(c) }

// scan reads one token that begins at off.
//
// ebnf: label   = "'" name .
// ebnf: string  = """ { char | escape } """ | "`" { any } "`" | block . // the second may span lines
// ebnf: block   = """"" newline { any | escape } newline """"" . // lines, each indented as the second quotes are
// ebnf: head    = """ { char | escape } "${" | """"" newline { any | escape } "${" .
// ebnf: middle  = "}" { char | escape } "${" . // in a block any for char
// ebnf: tail    = "}" { char | escape } """ | "}" { any | escape } newline """"" .
// ebnf: spec    = { char | "{" name "}" } . // without another "}"
// ebnf: bytes   = "b" """ { char | escape } """ .
// ebnf: escape  = "\\" ( "n" | "t" | "r" | "0" | "\\" | """ | "'" | "`" | "$" | "x" hex hex | "u{" hex { hex } "}" ) .
// ebnf: comment = "//" { char } | "/*" { any | comment } "*/" .
func (s *scanner) scan() token.Kind {
	c := s.src[s.off]
	switch {
	case isLetter(c):
		return s.word()
	case isDigit(c):
		return s.number()
	case c == '"':
		if len(s.interps) == 0 && strings.HasPrefix(s.src[s.off:], blockQuotes) {
			s.off += len(blockQuotes)
			return s.blockText(token.Str, token.StrHead)
		}
		return s.string()
	case c == '`':
		return s.raw()
	case c == '\'':
		return s.quote()
	case c == '/' && s.byteAt(1) == '/', c == '#' && s.off == 0 && s.byteAt(1) == '!':
		return s.lineComment()
	case c == '/' && s.byteAt(1) == '*':
		return s.blockComment()
	}
	if n := len(s.interps); n > 0 {
		switch c {
		case '(', '[', '{':
			s.interps[n-1]++
		case ')', ']':
			s.interps[n-1] = max(0, s.interps[n-1]-1)
		case '}':
			if s.interps[n-1] == 0 {
				s.interps = s.interps[:n-1]
				s.off++
				if n == 1 && s.block {
					return s.blockText(token.StrTail, token.StrMid)
				}
				return s.text(token.StrTail, token.StrMid)
			}
			s.interps[n-1]--
		case ':':
			if s.interps[n-1] == 0 {
				return s.spec()
			}
		}
	}
	return s.operator(c)
}

// word reads a name, a keyword or a bytes literal.
//
// ebnf: name   = letter { letter | digit } . // but no keyword
// ebnf: member = letter { letter | digit } | digit { digit } .
// ebnf: letter = "A" … "Z" | "a" … "z" | "_" .
// ebnf: digit  = "0" … "9" .
// ebnf: hex    = digit | "A" … "F" | "a" … "f" .
func (s *scanner) word() token.Kind {
	start := s.off
	for s.off < len(s.src) && isWord(s.src[s.off]) {
		s.off++
	}
	word := s.src[start:s.off]
	if word == "b" && s.byteAt(0) == '"' {
		s.off++
		switch {
		case s.quoted('"'):
			return token.Bytes
		case len(s.interps) == 0:
			return token.BadLit
		}
		s.off = start + 1 // the quote is that of the string around
		return token.Ident
	}
	if s.last == token.Dot || s.last == token.QDot {
		return token.Ident // every word names a member
	}
	return token.Lookup(word)
}

// number reads an integer, float or duration. Its digits are checked by the
// parser, which can say what is wrong with them.
//
// ebnf: int      = digits | ( "0x" | "0b" | "0o" ) hex { [ "_" ] hex } .
// ebnf: float    = digits "." digits [ exponent ] | digits exponent .
// ebnf: exponent = ( "e" | "E" ) [ "+" | "-" ] digits .
// ebnf: duration = digits [ "." digits ] ( "ns" | "us" | "ms" | "s" | "m" | "h" ) .
// ebnf: digits   = digit { [ "_" ] digit } .
func (s *scanner) number() token.Kind {
	start := s.off
	if s.last == token.Dot || s.last == token.QDot { // t.0.1
		for isDigit(s.byteAt(0)) {
			s.off++
		}
		return token.Int
	}
	if s.byteAt(0) == '0' && isLetter(s.byteAt(1)) {
		switch s.byteAt(1) {
		case 'x', 'b', 'o':
			s.wordRest()
			return token.Int
		}
	}
	kind := token.Int
	s.digits()
	if s.byteAt(0) == '.' && isDigit(s.byteAt(1)) {
		kind = token.Float
		s.off++
		s.digits()
	}
	if c := s.byteAt(0); c == 'e' || c == 'E' {
		sign := 0
		if d := s.byteAt(1); d == '+' || d == '-' {
			sign = 1
		}
		if isDigit(s.byteAt(1 + sign)) {
			kind = token.Float
			s.off += 1 + sign
			s.digits()
		}
	}
	if !isLetter(s.byteAt(0)) {
		return kind
	}
	suffix := s.off
	s.wordRest()
	switch s.src[suffix:s.off] {
	case "ns", "us", "ms", "s", "m", "h":
		if !strings.ContainsAny(s.src[start:suffix], "eE") {
			return token.Duration
		}
	}
	return token.BadLit
}

func (s *scanner) digits() {
	for isDigit(s.byteAt(0)) || s.byteAt(0) == '_' && isDigit(s.byteAt(1)) {
		s.off++
	}
}

func (s *scanner) wordRest() {
	for isWord(s.byteAt(0)) {
		s.off++
	}
}

func (s *scanner) lineComment() token.Kind {
	kind := token.Comment
	if s.byteAt(2) == '/' && s.byteAt(3) != '/' && s.byteAt(1) == '/' {
		kind = token.DocComment
	}
	if i := strings.IndexByte(s.src[s.off:], '\n'); i >= 0 {
		s.off += i
	} else {
		s.off = len(s.src)
	}
	return kind
}

func (s *scanner) blockComment() token.Kind {
	depth := 0
	for s.off < len(s.src) {
		c, d := s.src[s.off], s.byteAt(1)
		switch {
		case c == '/' && d == '*':
			depth++
			s.off += 2
		case c == '*' && d == '/':
			depth--
			s.off += 2
			if depth == 0 {
				return token.Comment
			}
		default:
			s.off++
			if c == '\n' {
				s.newline()
			}
		}
	}
	return token.Invalid
}
