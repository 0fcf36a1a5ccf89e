package syntax

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// stopEvery is after how many tokens the scanner and the parser look whether they are
// to stop.
const stopEvery = 1 << 12

// maxInvalid is after how many characters that begin no token the rest of a text is
// one: it is no program, and the parser tells of a hundred.
const maxInvalid = 1000

// scanner is the lexer.Lexer of one source text. It never fails: what is no token
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
	last      token.Kind // of the last token that is no comment
	interps   []int      // open brackets within each interpolation we are in
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

// Next gives the next token; the error is always nil.
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
		kind = token.Unterminated
		s.interps = s.interps[:0]
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
// the text) within an interpolation: strings do not span lines, so that a
// missing quote spoils one line, not the rest of the file.
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
// ebnf: string  = """ { char | escape } """ | "`" { any } "`" . // the second may span lines
// ebnf: head    = """ { char | escape } "${" .
// ebnf: middle  = "}" { char | escape } "${" .
// ebnf: tail    = "}" { char | escape } """ .
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

// broken is the kind of a string that is not closed on its line.
func (s *scanner) broken(end token.Kind) token.Kind {
	s.interps = s.interps[:0]
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

// quote reads a label, or a text in single quotes, which is no literal here.
func (s *scanner) quote() token.Kind {
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
