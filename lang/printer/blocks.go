package printer

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// dedentBlocks takes the indentation from the lines of all text blocks: it is none of
// their text.
func (p *printer) dedentBlocks() {
	for i, text := range p.texts {
		if k := p.kind(i); k != token.Str && k != token.StrHead || !syntax.IsBlock(text) {
			continue
		}
		last := i
		if p.pair[i] != none {
			last = p.pair[i]
		}
		indent, _ := syntax.BlockIndent(p.texts[last])
		for k := i; k <= last; k++ {
			if k == i || k == last || p.kind(k) == token.StrMid && p.in[k] == i {
				p.inBlock[k], p.texts[k] = true, dedent(p.texts[k], indent)
			}
		}
	}
}

func dedent(text, indent string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines[1:] {
		rest, ok := strings.CutPrefix(line, indent)
		if !ok { // it is blank
			rest = ""
		}
		lines[i+1] = rest
	}
	lines[0] = strings.TrimRight(lines[0], " \t")
	return strings.Join(lines, "\n")
}

// indentBlock indents the lines that begin in a part of a text block.
func indentBlock(text string, by int) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" || i == len(lines)-1 {
			lines[i] = strings.Repeat(" ", by) + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}
