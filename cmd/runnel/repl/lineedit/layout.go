package lineedit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/diag"
)

// view is what is to be seen of a text that is edited. Prompts and other lines
// may have colors.
type view struct {
	above  string // an unfinished line of what others print
	prompt string
	more   string // the prompt of further lines
	text   []rune
	styles []Style // of the characters of the text; nil for none
	at     int     // the cursor stands before text[at]
	below  []string
}

// Style is the parameter of an escape sequence that sets a color: "1;34".
type Style string

// row is a row of cells of the terminal.
type row struct {
	text string
	soft bool // continues with the row above, which is full
}

// layout breaks what is shown into rows. Each sets and resets its own colors.
type layout struct {
	width  int
	rows   []row
	out    strings.Builder // the current row
	soft   bool
	col    int
	style  Style // that the terminal has after what is in out
	wanted Style // of what comes next

	cursorRow int
	before    string // what stands before the cursor in its row
}

// tabWidth is the distance of tab stops in a text.
const tabWidth = 4

// lay lays out a view without the lines below.
func lay(v *view, width int) *layout {
	l := &layout{width: max(width, 1)}
	if v.above != "" {
		l.print(v.above)
		l.newline()
	}
	l.print(v.prompt)
	indent := l.col
	for i, r := range v.text {
		if i == v.at {
			l.mark()
		}
		if v.styles != nil {
			l.wanted = v.styles[i]
		}
		switch {
		case r == '\n':
			l.newline()
			l.wanted = ""
			l.print(v.more)
			indent = l.col
		case r == '\t':
			for range tabWidth - max(l.col-indent, 0)%tabWidth {
				l.put(" ", 1)
			}
		case diag.RuneWidth(r) == 0 && (i == 0 || v.text[i-1] == '\n'):
			l.put("\u25cc"+string(r), 1) // a mark of no character
		default:
			l.char(r)
		}
	}
	l.wanted = ""
	if v.at == len(v.text) {
		l.mark()
	}
	l.newline()
	return l
}

// lines lays out lines, each cut off at the width.
func lines(list []string, width int) []row {
	l := &layout{width: max(width, 1)}
	for _, line := range list {
		n := len(l.rows)
		l.print(line)
		l.newline()
		l.rows = l.rows[:n+1]
	}
	return l.rows
}

// print puts a text that may have colors; other escape sequences are left out.
func (l *layout) print(text string) {
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(r rune) bool { return '@' <= r && r <= '~' })
			if end < 0 {
				break
			}
			if rest[end] == 'm' {
				l.wanted = Style(strings.TrimPrefix(rest[:end], "0"))
			}
			text = rest[end+1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		l.char(r)
		text = text[size:]
	}
	l.wanted = ""
}

// char puts a character; those that would disturb the terminal or reorder the
// text are made visible.
func (l *layout) char(r rune) {
	switch {
	case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
		l.put("\ufffd", 1)
	default:
		l.put(string(r), diag.RuneWidth(r))
	}
}

func (l *layout) put(text string, width int) {
	if l.col+width > l.width && l.col > 0 {
		l.end()
		l.soft = true
	}
	l.paint(l.wanted)
	l.out.WriteString(text)
	l.col += width
}

func (l *layout) paint(s Style) {
	if l.style == s {
		return
	}
	if l.style != "" {
		l.out.WriteString("\x1b[0m")
	}
	if s != "" {
		l.out.WriteString("\x1b[" + string(s) + "m")
	}
	l.style = s
}

// mark notes that the cursor is here. Behind a full row it is in the next one.
func (l *layout) mark() {
	if l.col >= l.width {
		l.end()
		l.soft = true
	}
	l.cursorRow, l.before = len(l.rows), l.out.String()
	if l.style != "" {
		l.before += "\x1b[0m"
	}
}

func (l *layout) newline() {
	if l.soft && l.col == 0 {
		l.put(" ", 1) // else the terminal does not continue to this row
	}
	l.end()
	l.soft = false
}

func (l *layout) end() {
	l.paint("")
	l.rows = append(l.rows, row{l.out.String(), l.soft})
	l.out.Reset()
	l.col = 0
}
