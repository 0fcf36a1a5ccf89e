package repl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// role is what a piece of text is, for its color.
type role uint8

const (
	plain role = iota
	prompt
	dim
	wrong
	keyword
	text
	number
	typeName
	call
	commandName
)

// palette gives the styles of roles; nil for a terminal without colors.
type palette map[role]lineedit.Style

var colored = palette{
	prompt: "1;32", dim: "90", wrong: "1;31", keyword: "35", text: "32", number: "33", typeName: "36", call: "34", commandName: "1;36",
}

func (p palette) paint(r role, text string) string {
	if p[r] == "" || text == "" {
		return text
	}
	return "\x1b[" + string(p[r]) + "m" + text + "\x1b[0m"
}

// code paints a piece of a program.
func (p palette) code(source string) string {
	if p == nil {
		return source
	}
	styles := p.highlight(source)
	var out strings.Builder
	for i := 0; i < len(source); {
		n := i + 1
		for n < len(source) && styles[n] == styles[i] {
			n++
		}
		if styles[i] == "" {
			out.WriteString(source[i:n])
		} else {
			out.WriteString("\x1b[" + string(styles[i]) + "m" + source[i:n] + "\x1b[0m")
		}
		i = n
	}
	return out.String()
}

// maxPainted bounds what is read anew with each key.
const maxPainted = 64 << 10

// highlight gives the style of each byte of an entry or command.
func (p palette) highlight(source string) []lineedit.Style {
	styles := make([]lineedit.Style, len(source))
	if len(source) > maxPainted {
		return styles
	}
	at := 0
	if name, arg := splitCommand(source); name != "" {
		at = len(source) - len(arg)
		for i := range source[:at] {
			styles[i] = p[commandName]
		}
		if !takesCode(source) {
			return styles
		}
	}
	list := tokens(source[at:])
	for i, t := range list {
		style := p[roleOf(list, i)]
		for k := t.start; k < t.end; k++ {
			styles[at+k] = style
		}
	}
	return styles
}

// piece is a token with its place and text.
type piece struct {
	kind       token.Kind
	start, end int
	text       string
}

// tokens reads the tokens and comments of a text.
func tokens(source string) []piece {
	var files diag.FileSet
	f := files.Add("", source)
	if f == nil {
		return nil
	}
	parsed, _ := syntax.Parse(f)
	var list []piece
	for _, t := range parsed.Tokens {
		start, end := int(t.Sp.Start-f.Base), int(t.Sp.End-f.Base)
		if start < end && end <= len(source) {
			list = append(list, piece{t.Kind, start, end, source[start:end]})
		}
	}
	return list
}

// primitive are the names of types that begin with a small letter.
var primitive = map[string]bool{
	"int": true, "float": true, "bool": true, "str": true, "bytes": true, "list": true, "map": true, "set": true, "chan": true,
	"task": true, "duration": true, "any": true, "unit": true, "never": true,
}

func roleOf(list []piece, i int) role {
	switch t := list[i]; t.kind {
	case token.Comment, token.DocComment:
		return dim
	case token.Invalid, token.BadLit, token.Unterminated:
		if t.kind == token.BadLit && strings.ContainsRune("\"`", rune(t.text[0])) {
			return text // being typed
		}
		return wrong
	case token.Str, token.StrHead, token.StrMid, token.StrTail, token.RawStr, token.Bytes, token.Spec:
		return text
	case token.Int, token.Float, token.Duration:
		return number
	case token.Ident:
		return roleOfName(list, i)
	default:
		if t.kind.IsKeyword() {
			return keyword
		}
	}
	return plain
}

func roleOfName(list []piece, i int) role {
	first, _ := utf8.DecodeRuneInString(list[i].text)
	switch {
	case unicode.IsUpper(first), primitive[list[i].text]:
		return typeName
	case i+1 < len(list) && list[i+1].kind == token.LParen && list[i+1].start == list[i].end:
		return call
	}
	return plain
}

// indentation is how far a new line behind a text is indented: as far as its
// last line, or deeper when that leaves a bracket open.
func indentation(source string) int {
	if word, arg := splitCommand(source); word != "" {
		source = arg
	}
	line := source[strings.LastIndexByte(source, '\n')+1:]
	indent := len(line) - len(strings.TrimLeft(line, " "))
	list := tokens(source)
	if n := len(list); n > 0 && list[n-1].end == len(source) && within(list[n-1]) {
		return 0 // spaces would be text
	}
	open := 0
	for _, t := range list {
		if t.start < len(source)-len(line) {
			continue
		}
		switch t.kind {
		case token.LParen, token.LBrack, token.LBrace:
			open++
		case token.RParen, token.RBrack, token.RBrace:
			open = max(open-1, 0)
		}
	}
	if open > 0 {
		indent += 2
	}
	return indent
}

// within tells that a token at the end of a text goes on in the next line.
func within(t piece) bool {
	switch t.kind {
	case token.BadLit:
		return t.text[0] == '`'
	case token.Comment, token.Invalid:
		return strings.HasPrefix(t.text, "/*")
	}
	return false
}

// closes tells the brackets that belong where the line begins that opened them.
func closes(r rune) bool { return r == '}' || r == ')' || r == ']' }

// printable makes characters visible that would disturb the terminal.
func printable(value string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return utf8.RuneError
		}
		return r
	}, value)
}

func startsRune(b byte) bool { return utf8.RuneStart(b) }
