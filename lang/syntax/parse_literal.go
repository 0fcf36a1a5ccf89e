package syntax

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/internal/lazy"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/format"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// literal parses a literal that is one token.
//
// ebnf: Literal = int | float | duration | bytes | string | "true" | "false" | "none" .
func (p *parser) literal() Expr {
	start, cursor, kind := p.start, p.lex.Cursor(), p.kind
	if kind == token.BadLit {
		p.badLiteral()
		p.next()
		return &BadExpr{p.base(start)}
	}
	v := p.next().Value
	switch kind {
	case token.Int:
		return p.intLit(start, v, cursor == p.minusAt)
	case token.Float:
		f, err := strconv.ParseFloat(strings.ReplaceAll(v, "_", ""), 64)
		if err != nil {
			p.remark(diag.NumberTooLarge, p.span(start), "this float is too large").
				Notes = []string{"the largest float is about 1.8e308"}
		}
		return &FloatLit{p.base(start), f}
	case token.Duration:
		return p.durationLit(start, v)
	case token.Str:
		if IsBlock(v) {
			return &StrLit{p.base(start), p.textBlock([]piece{{v[3 : len(v)-3], start + 3}})[0]}
		}
		return &StrLit{p.base(start), p.unescape(v[1:len(v)-1], start+1, false)}
	case token.RawStr:
		return &StrLit{p.base(start), strings.ReplaceAll(v[1:len(v)-1], "\r\n", "\n")}
	case token.Bytes:
		return &BytesLit{p.base(start), p.unescape(v[2:len(v)-1], start+2, true)}
	case token.True, token.False:
		return &BoolLit{p.base(start), kind == token.True}
	}
	return &NoneLit{p.base(start)}
}

func (p *parser) intLit(start uint32, text string, negated bool) Expr {
	digits, base := strings.ReplaceAll(text, "_", ""), 10
	if len(digits) > 1 && digits[0] == '0' {
		switch digits[1] {
		case 'x':
			base = 16
		case 'b':
			base = 2
		case 'o':
			base = 8
		default:
			d := p.remark(diag.BadNumber, p.span(start), "a number does not begin with 0")
			d.Help = append(d.Help, "for an octal number write `0o"+strings.TrimLeft(digits, "0")+"`")
		}
		if base != 10 {
			digits = digits[2:]
		}
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil && err.(*strconv.NumError).Err == strconv.ErrSyntax {
		p.remark(diag.BadNumber, p.span(start), "`%s` is not a number in base %d", text, base)
		return &BadExpr{p.base(start)}
	}
	lit := &IntLit{ExprBase: p.base(start), Value: int64(n)}
	switch {
	case err == nil && (base != 10 || n <= math.MaxInt64): // 0xffff_ffff_ffff_ffff is -1
	case err == nil && n == 1<<63 && negated:
		lit.Neg2 = true
	default:
		d := p.remark(diag.NumberTooLarge, p.span(start), "this number does not fit in an int")
		d.Notes = append(d.Notes, "an int reaches from -9_223_372_036_854_775_808 to 9_223_372_036_854_775_807")
	}
	return lit
}

func (p *parser) durationLit(start uint32, text string) Expr {
	d, err := time.ParseDuration(strings.ReplaceAll(text, "_", ""))
	if err != nil {
		p.remark(diag.NumberTooLarge, p.span(start), "this duration is too long").
			Notes = []string{"the longest duration is about 292 years"}
	}
	return &DurationLit{p.base(start), int64(d)}
}

// badLiteral reports a malformed literal at the lookahead.
func (p *parser) badLiteral() {
	v := p.tok.Value
	switch {
	case v[0] == '`':
		p.report(diag.UnclosedString, diag.Span{Start: p.start, End: p.start + 1}, "this raw string is never closed")
	case IsBlock(v):
		p.unclosedBlock(p.start)
	case strings.HasPrefix(v, singleQuotes):
		p.singleQuotedBlock()
	case v[0] == '\'':
		d := p.report(diag.SingleQuotes, p.here(), "strings are written in double quotes")
		text, at := strconv.Quote(v[1:len(v)-1]), p.here()
		if m := addedName().FindStringSubmatch(p.src.Src[int(at.End-p.src.Base):]); m != nil {
			text, at.End = text[:len(text)-1]+"${"+m[2]+"}\"", at.End+uint32(len(m[1]))
		}
		d.Fixes = append(d.Fixes, diag.Fix{Title: "use double quotes", Edits: []diag.Edit{{Span: at, New: text}}})
	case isDigit(v[0]):
		d := p.report(diag.BadNumber, p.here(), "`%s` is not a number", v)
		if !p.numberSlip(d, v) {
			d.Notes = append(d.Notes, "a number may end in a unit of time: `ns`, `us`, `ms`, `s`, `m`, `h`")
			d.Help = append(d.Help, "a name begins with a letter")
		}
	default:
		d := p.report(diag.UnclosedString, p.here(), "this string is not closed on its line")
		d.Text = "expected `\"` before the end of the line"
		d.Help = append(d.Help, "write `\\n` for a line break; a text of several lines stands between `\"\"\"` and `\"\"\"`, each on a line of its own")
	}
}

// addedName is a name that is added to a text, and is all that is.
var addedName = lazy.Regexp(`^( *\+ *([a-z_]\w*))(?: *[),;\n]| *$)`)

// unescape resolves the escape sequences of a string whose text begins at pos.
func (p *parser) unescape(s string, pos uint32, bytes bool) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for ; i >= 0; i = strings.IndexByte(s, '\\') {
		b = append(b, s[:i]...)
		n := 2
		switch c := s[i+1]; c {
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		case 'r':
			b = append(b, '\r')
		case '0':
			b = append(b, 0)
		case '\\', '"', '\'', '$', '`':
			b = append(b, c)
		case 'x':
			v, ok := hex(s, i+2, i+4)
			if !ok || v > 0x7f && !bytes {
				b = append(b, '?')
				p.badEscape(s[i:min(len(s), i+4)], pos+uint32(i), "`\\x` takes two hexadecimal digits, in a string up to 7f: use `\\u{...}` beyond that")
				break
			}
			n = 4
			b = append(b, byte(v))
		case 'u':
			end := strings.IndexByte(s[i:], '}') + i
			v, ok := 0, false
			if end > i+3 && s[i+2] == '{' && end-i <= 9 {
				v, ok = hex(s, i+3, end)
			}
			if !ok || !utf8.ValidRune(rune(v)) {
				b = append(b, '?')
				p.badEscape(s[i:i+2], pos+uint32(i), "a character is written `\\u{1F600}`, with one to six hexadecimal digits")
				break
			}
			n = end + 1 - i
			b = utf8.AppendRune(b, rune(v))
		default:
			b = append(b, '?')
			_, size := utf8.DecodeRuneInString(s[i+1:])
			n = 1 + size
			p.badEscape(s[i:i+n], pos+uint32(i), "the escapes are `\\n \\t \\r \\0 \\\\ \\\" \\' \\$ \\xNN \\u{...}`; a backslash itself is `\\\\`")
		}
		pos += uint32(i + n)
		s = s[i+n:]
	}
	return string(append(b, s...))
}

func hex(s string, from, to int) (int, bool) {
	if to > len(s) {
		return 0, false
	}
	v, err := strconv.ParseUint(s[from:to], 16, 32)
	return int(v), err == nil
}

func (p *parser) badEscape(text string, pos uint32, help string) {
	d := p.remark(diag.BadEscape, diag.Span{Start: pos, End: pos + uint32(len(text))}, "`%s` is not an escape sequence", text)
	d.Help = append(d.Help, help)
}

// holes takes the names in braces out of a format spec.
func (p *parser) holes(spec string, pos uint32) (string, []Expr) {
	var names []Expr
	var text strings.Builder
	for i := 0; i < len(spec); i++ {
		n := 0
		if spec[i] == '{' {
			n = hole(spec[i:])
		}
		if n == 0 {
			text.WriteByte(spec[i])
			continue
		}
		sp := diag.Span{Start: pos + uint32(i) + 1, End: pos + uint32(i+n)}
		names = append(names, &Ident{ExprBase: ExprBase{sp, p.id()}, Name: spec[i+1 : i+n]})
		text.WriteByte(format.Hole)
		i += n
	}
	return text.String(), names
}
