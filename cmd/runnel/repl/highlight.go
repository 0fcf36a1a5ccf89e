package repl

import (
	"strings"

	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
	"github.com/runnel-lang/runnel/lang/query"
)

// What else has a color than the tokens of programs.
const (
	prompt      query.TokenKind = "prompt"
	dim         query.TokenKind = "dim"
	wrong       query.TokenKind = "wrong"
	commandWord query.TokenKind = "command"
	activeParam query.TokenKind = "parameter"
)

// palette gives the styles of what is shown; nil for a terminal without colors.
type palette map[query.TokenKind]lineedit.Style

var colored = palette{
	prompt: "1;32", dim: "2", wrong: "1;31", commandWord: "1;36", activeParam: "1",
	query.Keyword: "35", query.Constant: "33", query.Function: "34", query.Type: "36", query.Label: "35", query.Number: "33",
	query.Text: "32", query.Comment: "2", query.DocComment: "2", query.Wrong: "31",
}

// matched is added to the style of brackets that belong together.
const matched = "1;4"

func (p palette) paint(kind query.TokenKind, text string) string {
	if p[kind] == "" || text == "" {
		return text
	}
	return "\x1b[" + string(p[kind]) + "m" + text + "\x1b[0m"
}

// code paints a piece of a program.
func (p palette) code(source string) string {
	if p == nil {
		return source
	}
	var out strings.Builder
	at := 0
	for _, t := range query.Highlight(source) {
		out.WriteString(source[at:t.Start] + p.paint(t.Kind, source[t.Start:t.End]))
		at = t.End
	}
	return out.String() + source[at:]
}

// maxPainted bounds what is read again with each key.
const maxPainted = 64 << 10

// highlight returns the style of each byte of an entry or command. The brackets
// that belong together at the cursor are marked.
func (p palette) highlight(source string, cursor int) []lineedit.Style {
	styles := make([]lineedit.Style, len(source))
	if len(source) > maxPainted {
		return styles
	}
	from := 0
	if word, arg := splitCommand(source); word != "" {
		from = len(source) - len(arg)
		fill(styles[:from], p[commandWord])
		if !takesCode(source) {
			return styles
		}
	}
	for _, t := range query.Highlight(source[from:]) {
		kind := t.Kind
		if kind == query.Wrong && strings.ContainsRune("\"`", rune(source[from+t.Start])) {
			kind = query.Text // a string that is being typed
		}
		fill(styles[from+t.Start:from+t.End], p[kind])
	}
	if a, b, ok := brackets(source[from:], cursor-from); ok {
		styles[from+a], styles[from+b] = matched, matched
	}
	return styles
}

func fill(styles []lineedit.Style, s lineedit.Style) {
	for i := range styles {
		styles[i] = s
	}
}
