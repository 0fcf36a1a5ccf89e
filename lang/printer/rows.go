package printer

import (
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/syntax"
)

// row is a line of the result; text may hold line breaks within a raw string, a text
// block or a comment.
type row struct {
	blank   bool // an empty line precedes it
	indent  int
	text    string
	comment string             // at its end
	column  int                // where the comment stands in the source; or the row, if it has none
	gap     int                // how many spaces are in front of it there
	imports *syntax.ImportDecl // if it is an import and nothing else
}

// indentation is how much further the lines in brackets are indented.
const indentation = 2

// rows lays out all tokens.
func (p *printer) rows() []row {
	var list []row
	for i := 0; i < len(p.toks); {
		indent := p.indent(i)
		for p.tooLong(i, indent, reach) || p.tooLong(i, indent, len(p.toks)) {
		}
		end := p.rowEnd(i, len(p.toks))
		r := p.row(i, end, indent)
		if n := len(list); n > 0 && end == i+1 && p.kind(i).IsTrivia() {
			r = r.under(list[n-1])
		}
		list = append(list, r)
		i = end
	}
	return list
}

// reach is how many tokens of a row are looked at first: a program may be one row.
const reach = 1000

// tooLong breaks the row that begins at i if it is too long, and reports whether it has.
// It looks at so many tokens of it at most.
func (p *printer) tooLong(i, indent, most int) bool {
	end := p.rowEnd(i, most)
	code := p.code(i, end)
	return indent+p.width(i, code) > Width && p.split(i, code)
}

func (p *printer) rowEnd(i, most int) int {
	last := min(len(p.toks), i+most)
	for i++; i < last && p.breaks[i] == 0; i++ {
	}
	return i
}

// code is where the comment at the end of a row begins, or its end.
func (p *printer) code(i, end int) int {
	if last := end - 1; last > i && p.kind(last).IsTrivia() && (p.sep[last].text == "" || p.sep[last].within) {
		return last
	}
	return end
}

func (p *printer) row(i, end, indent int) row {
	code := p.code(i, end)
	for k := i; k < code; k++ {
		if p.inBlock[k] {
			p.texts[k] = indentBlock(p.texts[k], indent+indentation)
		}
	}
	r := row{blank: p.breaks[i] > 1, indent: indent, text: p.text(i, code), imports: p.importOn(i, code)}
	for k := i; k < end; k++ {
		p.base[k] = indent
	}
	if code < end {
		r.comment = p.texts[code]
		i = code
	}
	r.column, r.gap = p.place(i)
	return r
}

// place is the column of a token in the source, and how many spaces are in front
// of it, one at least.
func (p *printer) place(i int) (column, gap int) {
	src := p.file.Source
	start := p.toks[i].Sp.Start
	_, column = src.Pos(start)
	before := src.Src[:start-src.Base]
	for gap = 0; strings.HasSuffix(before[:len(before)-gap], " ") || strings.HasSuffix(before[:len(before)-gap], "\t"); gap++ {
	}
	return column - 1, max(1, gap)
}

// under makes a comment that stands below one at the end of a line, in the same
// column, one more of those.
func (r row) under(above row) row {
	if above.comment == "" || r.blank || r.column != above.column || r.column <= r.indent {
		return r
	}
	r.text, r.comment, r.gap = "", r.text, above.gap
	return r
}

// text is that of the tokens [i, end) on one line.
func (p *printer) text(i, end int) string {
	var b strings.Builder
	for ; i < end; i++ {
		b.WriteString(p.texts[i])
		b.WriteString(p.separator(i, end))
		if i+1 < end && p.space(i, i+1) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// width is how many characters the tokens [i, end) have on one line. Of what
// spans lines the first and the last count.
func (p *printer) width(i, end int) int {
	most, n := 0, 0
	for ; i < end; i++ {
		text := p.texts[i]
		if first := strings.IndexByte(text, '\n'); first >= 0 {
			most, n = max(most, n+utf8.RuneCountInString(text[:first])), 0
			text = text[strings.LastIndexByte(text, '\n')+1:]
		}
		n += utf8.RuneCountInString(text) + len(p.separator(i, end))
		if i+1 < end && p.space(i, i+1) {
			n++
		}
	}
	return max(most, n)
}

// separator is what stands behind the token at i on a line that ends before end.
func (p *printer) separator(i, end int) string {
	if p.sep[i].within && p.next(i+1) >= end {
		return ""
	}
	return p.sep[i].text
}

// indent is how far the row that begins at i is indented: what stands in
// brackets two spaces more than the row that opens them, what continues an
// element or a statement two more than its beginning.
func (p *printer) indent(i int) int {
	start, open := p.next(i), p.in[i]
	content := 0
	if open != none {
		content = p.base[open] + indentation
	}
	switch {
	case i == start && open != none && p.pair[open] == i:
		return p.base[open]
	case start == len(p.toks), open != none && p.pair[open] == start:
	case open != none && !p.spread[open]:
	case !p.begins(start):
		content += indentation
	}
	return content
}
