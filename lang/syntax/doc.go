package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// doc returns the text of the doc comment that ends on the line above the
// lookahead.
func (p *parser) doc() string {
	if raw := &p.lex.all[p.lex.raw]; !raw.EOF() && !kindOf(raw).IsTrivia() {
		return ""
	}
	return strings.Join(p.docLines(p.tok.Pos.Line), "\n")
}

// fileDoc returns the doc comment at the head of the file if a blank line
// follows it, or an import, which has none of its own.
func (p *parser) fileDoc() string {
	from := p.lex.raw
	for i := from; ; i++ {
		t := &p.lex.all[i]
		if kindOf(t) != token.DocComment {
			if i == from && strings.HasPrefix(t.Value, "#!") {
				from++
				continue
			}
			break
		}
		next := &p.lex.all[i+1]
		if next.Pos.Line > t.Pos.Line+1 || next.EOF() || kindOf(next) == token.Import {
			var lines []string
			for _, t := range p.lex.all[from : i+1] {
				lines = append(lines, docText(t.Value))
			}
			return strings.Join(lines, "\n")
		}
	}
	return ""
}

// docLines collects the doc comment lines among the comments before the
// lookahead that reach down to the given line without a gap.
func (p *parser) docLines(line int) (lines []string) {
	last := -1
	for i := p.lex.raw; ; i++ {
		t := &p.lex.all[i]
		k := kindOf(t)
		if !k.IsTrivia() {
			break
		}
		switch {
		case k != token.DocComment:
			lines = nil
			continue
		case t.Pos.Line != last+1:
			lines = nil
		}
		lines = append(lines, docText(t.Value))
		last = t.Pos.Line
	}
	if last+1 != line {
		return nil
	}
	return lines
}

func docText(comment string) string {
	return strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(comment, "///"), " "), " \t\r")
}
