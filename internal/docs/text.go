package docs

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/diag"
)

// Style is how text is written.
type Style struct {
	Width int  // of a line, 0 for 80
	Color bool // with the colors of a terminal
}

// widest is how long a line may be that people read.
const widest = 100

// textWriter writes for a terminal.
type textWriter struct {
	b     strings.Builder
	width int
	color bool
}

func (s Style) writer() *textWriter {
	width := s.Width
	if width == 0 {
		width = 80
	}
	return &textWriter{width: min(max(width, 40), widest), color: s.Color}
}

// Contents lists the pages.
func (l *Library) Contents(out io.Writer, s Style) error {
	w := s.writer()
	for _, g := range groups(l.Pages) {
		w.heading(g.Group.String())
		for _, p := range g.Pages {
			w.entry(2, p.Name, 12, Summary(p.Doc))
		}
	}
	return w.to(out)
}

// Text writes a page: what it is about, and a line or two for each item.
func (p *Page) Text(out io.Writer, s Style) error {
	w := s.writer()
	w.title(p.Name, strings.ToLower(p.kind()), p.Import)
	w.doc(2, p.Doc)
	w.sections(p.Items)
	return w.to(out)
}

// few items of one name are all shown in full.
const few = 3

// TextItems writes about items that have a name in common.
func TextItems(out io.Writer, items []*Item, s Style) error {
	w := s.writer()
	for i, it := range items {
		if len(items) > few {
			w.entry(0, it.Full, 28, Summary(it.Doc))
			continue
		}
		if i > 0 {
			w.line(0, "")
		}
		w.item(it)
	}
	return w.to(out)
}

func (w *textWriter) item(it *Item) {
	w.title(it.Full, it.Kind.String(), it.Page.Import)
	w.line(0, "")
	w.signature(2, it.Signature)
	w.doc(2, it.Doc)
	w.sections(it.Members)
}

// title is a name with what it is and how to import it.
func (w *textWriter) title(name string, facts ...string) {
	about := strings.Trim(strings.Join(facts, ", "), ", ")
	w.line(0, w.paint(bold, name)+"  "+w.paint(dim, "("+about+")"))
}

func (w *textWriter) heading(text string) {
	w.line(0, "")
	w.line(0, w.paint(bold, text))
}

func (w *textWriter) sections(items []*Item) {
	for _, s := range Sections(items) {
		w.heading(s.Title)
		for _, it := range s.Items {
			w.signature(2, it.Signature)
			if text := Summary(it.Doc); text != "" {
				w.wrap(6, text)
			}
		}
	}
}

// entry is a name beside its summary.
func (w *textWriter) entry(indent int, name string, column int, summary string) {
	w.row(indent, bold, name, column, summary)
}

// row is a text beside another one, or above when it is long.
func (w *textWriter) row(indent int, color, name string, column int, summary string) {
	lines := w.broken(summary, w.width-indent-column)
	gap := column - utf8.RuneCountInString(name)
	switch {
	case gap <= 0:
		w.wrap(indent, name)
	case len(lines) == 0:
		w.line(indent, w.paint(color, name))
	default:
		w.line(indent, w.paint(color, w.inline(name))+strings.Repeat(" ", gap)+lines[0])
		lines = lines[1:]
	}
	for _, line := range lines {
		w.line(indent+column, line)
	}
}

func (w *textWriter) signature(indent int, s Signature) {
	w.code(indent, s.broken(w.width-indent))
}

func (w *textWriter) doc(indent int, doc string) {
	for _, b := range Blocks(doc) {
		w.line(0, "")
		switch {
		case b.Code != "":
			w.code(indent+4, b.Code)
		case b.Heading != "":
			w.line(indent, w.paint(bold, b.Heading))
		case b.Table != nil:
			w.table(indent, b.Table)
		case b.List != nil:
			for _, entry := range b.List {
				w.listed(indent, entry)
			}
		default:
			w.wrap(indent, b.Text)
		}
	}
}

// table writes rows with the last column wrapped.
func (w *textWriter) table(indent int, rows [][]string) {
	column := 0
	for _, row := range rows {
		column = max(column, utf8.RuneCountInString(row[0])+2)
	}
	for i, row := range rows {
		color := ""
		if i == 0 {
			color = bold
		}
		w.row(indent, color, row[0], min(column, w.width/2), strings.Join(row[1:], "  "))
	}
}

func (w *textWriter) code(indent int, code string) {
	var b strings.Builder
	for _, part := range highlight(strings.Join(diag.PrintableLines(code), "\n")) {
		for i, line := range strings.Split(part.text, "\n") {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(w.paint(tones[part.tone], line))
		}
	}
	for line := range strings.SplitSeq(b.String(), "\n") {
		w.line(indent, line)
	}
}

// line writes one line, without blanks at its end.
func (w *textWriter) line(indent int, text string) {
	w.b.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+text, " ") + "\n")
}

// wrap writes a paragraph.
func (w *textWriter) wrap(indent int, text string) {
	for _, line := range w.broken(text, w.width-indent) {
		w.line(indent, line)
	}
}

func (w *textWriter) listed(indent int, entry string) {
	for i, line := range w.broken(entry, w.width-indent-2) {
		w.line(indent, []string{"- ", "  "}[min(i, 1)]+line)
	}
}

// broken returns a paragraph as lines of a width. Code in it is not broken.
func (w *textWriter) broken(text string, width int) (lines []string) {
	line, used := "", 0
	for _, word := range words(strings.Join(diag.PrintableLines(text), " ")) {
		size := utf8.RuneCountInString(word)
		if used > 0 && used+1+size > width {
			lines = append(lines, line)
			line, used = "", 0
		}
		if used > 0 {
			line += " "
			used++
		}
		line += w.inline(word)
		used += size
	}
	if used > 0 {
		lines = append(lines, line)
	}
	return lines
}

// inline shows code between backquotes in a color of its own.
func (w *textWriter) inline(word string) string {
	if !w.color {
		return word
	}
	var b strings.Builder
	spans(word,
		func(s string) { b.WriteString(s) },
		func(s string) { b.WriteString(w.paint(tones[typeName], s)) })
	return b.String()
}

// words are what stands between blanks that are not within code.
func words(text string) []string {
	code := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '`' {
			code = !code
		}
		return r == ' ' && !code
	})
}

// Colors of a terminal.
const (
	bold = "1"
	dim  = "2"
)

var tones = [numTones]string{keyword: "35", literal: "33", quoted: "32", comment: "2", typeName: "36"}

func (w *textWriter) paint(color, text string) string {
	if !w.color || color == "" || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

func (w *textWriter) to(out io.Writer) error {
	_, err := fmt.Fprint(out, strings.TrimLeft(w.b.String(), "\n"))
	return err
}
