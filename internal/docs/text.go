package docs

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// width of a line of text.
const width = 88

// textWriter writes for a terminal.
type textWriter struct{ b strings.Builder }

// TextContents lists the pages.
func (l *Library) TextContents(out io.Writer) error {
	var w textWriter
	group := Group(-1)
	for _, p := range l.Pages {
		if p.Group != group {
			group = p.Group
			w.line(0, "")
			w.line(0, group.String())
		}
		w.line(2, fmt.Sprintf("%-10s %s", p.Name, Summary(p.Doc)))
	}
	return w.to(out)
}

// Text writes a page: what it is about, and a line or two for each item.
func (p *Page) Text(out io.Writer) error {
	var w textWriter
	head := p.Name
	if p.Import != "" {
		head = p.Import
	}
	w.line(0, head)
	w.doc(2, p.Doc)
	w.sections(p.Items)
	return w.to(out)
}

// few items of one name are all shown in full.
const few = 3

// TextItems writes about items that have a name in common.
func TextItems(out io.Writer, items []*Item) error {
	var w textWriter
	for _, it := range items {
		if len(items) > few {
			w.line(0, fmt.Sprintf("%-28s %s", it.Full, Summary(it.Doc)))
			continue
		}
		w.line(0, "")
		w.item(it)
	}
	return w.to(out)
}

func (w *textWriter) item(it *Item) {
	w.line(0, it.Full)
	w.line(0, "")
	w.line(2, it.Signature.String())
	w.doc(2, it.Doc)
	w.sections(it.Members)
}

func (w *textWriter) sections(items []*Item) {
	for _, s := range Sections(items) {
		w.line(0, "")
		w.line(0, s.Title)
		for _, it := range s.Items {
			w.line(2, it.Signature.String())
			if text := Summary(it.Doc); text != "" {
				w.wrap(6, text)
			}
		}
	}
}

func (w *textWriter) doc(indent int, doc string) {
	for _, b := range Blocks(doc) {
		w.line(0, "")
		switch {
		case b.Code != "":
			for _, line := range strings.Split(b.Code, "\n") {
				w.line(indent+4, line)
			}
		case b.List != nil:
			for _, entry := range b.List {
				w.wrap(indent, "- "+entry)
			}
		default:
			w.wrap(indent, b.Text)
		}
	}
}

// line writes one line, without blanks at its end.
func (w *textWriter) line(indent int, text string) {
	w.b.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+text, " ") + "\n")
}

// wrap writes a paragraph.
func (w *textWriter) wrap(indent int, text string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && indent+utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			w.line(indent, line)
			line = ""
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	w.line(indent, line)
}

func (w *textWriter) to(out io.Writer) error {
	_, err := io.WriteString(out, strings.TrimLeft(w.b.String(), "\n"))
	return err
}
