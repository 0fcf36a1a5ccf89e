package docs

import "strings"

// Block is a paragraph, a heading, a list, a table, or code of a doc comment.
type Block struct {
	Text    string     // of a paragraph, on one line
	Heading string     // the text of a heading
	List    []string   // the entries of a list
	Table   [][]string // the cells of a table; its first row is its head
	Code    string     // lines of code
}

// Blocks takes a doc comment apart. Code is what is indented by four blanks or
// stands between lines of ```; entries of a list begin with "- ", headings with
// "#", rows of a table with "|".
func Blocks(doc string) []Block {
	var p blockParser
	for _, line := range strings.Split(doc, "\n") {
		p.line(line)
	}
	p.end()
	return p.blocks
}

type blockParser struct {
	blocks []Block
	fenced bool
	code   []string
	text   []string // lines of a paragraph or of a list's entry
	list   []string
	inList bool
	table  [][]string
}

func (p *blockParser) line(line string) {
	fence := strings.HasPrefix(line, "```")
	indented := strings.HasPrefix(line, "    ")
	switch {
	case fence:
		p.end()
		p.fenced = !p.fenced
	case p.fenced:
		p.code = append(p.code, line)
	case indented && !p.inList:
		p.endText()
		p.code = append(p.code, line[4:])
	case strings.TrimSpace(line) == "" && len(p.code) > 0:
		p.code = append(p.code, "")
	case strings.TrimSpace(line) == "":
		p.end()
	case strings.HasPrefix(line, "|"):
		p.endCode()
		p.endText()
		p.row(line)
	case strings.HasPrefix(line, "#") && heading(line) != "":
		p.end()
		p.blocks = append(p.blocks, Block{Heading: heading(line)})
	case strings.HasPrefix(line, "- "):
		p.endCode()
		if !p.inList {
			p.endText()
		}
		p.endEntry()
		p.inList, p.text = true, []string{line[2:]}
	default:
		p.endCode()
		p.endTable()
		p.text = append(p.text, strings.TrimSpace(line))
	}
}

// heading is the text of a line such as "## Limits", "" for other lines.
func heading(line string) string {
	text, found := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
	if !found {
		return ""
	}
	return strings.TrimSpace(text)
}

// row adds a row to a table. The one that only parts the head from the others
// is left out.
func (p *blockParser) row(line string) {
	line = strings.TrimSpace(line)
	if strings.Trim(line, "|-: ") == "" {
		return
	}
	var cells []string
	cell := ""
	between := func(s string) {
		for i, part := range strings.Split(s, "|") {
			if i > 0 {
				cells, cell = append(cells, strings.TrimSpace(cell)), ""
			}
			cell += part
		}
	}
	spans(strings.TrimSuffix(line[1:], "|")+"|", between, func(code string) { cell += "`" + strings.ReplaceAll(code, `\|`, "|") + "`" })
	p.table = append(p.table, cells)
}

func (p *blockParser) end() {
	p.endCode()
	p.endText()
	p.endTable()
}

func (p *blockParser) endTable() {
	if p.table != nil {
		p.blocks, p.table = append(p.blocks, Block{Table: p.table}), nil
	}
}

func (p *blockParser) endCode() {
	if code := strings.TrimRight(strings.Join(p.code, "\n"), "\n"); code != "" {
		p.blocks = append(p.blocks, Block{Code: code})
	}
	p.code = nil
}

func (p *blockParser) endEntry() {
	if p.inList && len(p.text) > 0 {
		p.list, p.text = append(p.list, strings.Join(p.text, " ")), nil
	}
}

func (p *blockParser) endText() {
	if p.inList {
		p.endEntry()
		p.blocks = append(p.blocks, Block{List: p.list})
	} else if len(p.text) > 0 {
		p.blocks = append(p.blocks, Block{Text: strings.Join(p.text, " ")})
	}
	p.inList, p.list, p.text = false, nil, nil
}

// Summary is the first sentence of a doc comment.
func Summary(doc string) string {
	for _, b := range Blocks(doc) {
		if b.Text != "" {
			return firstSentence(b.Text)
		}
	}
	return ""
}

// firstSentence ends with a dot before a capital, or with the text. Dots in
// code are none.
func firstSentence(text string) string {
	code := false
	for i := range len(text) {
		switch {
		case text[i] == '`':
			code = !code
		case text[i] == '.' && !code && i+2 < len(text) && text[i+1] == ' ' && (text[i+2] < 'a' || text[i+2] > 'z'):
			return text[:i+1]
		}
	}
	return text
}

// spans calls text and code with the parts of a line, code being what stands
// between backquotes.
func spans(line string, text, code func(string)) {
	for {
		before, rest, found := strings.Cut(line, "`")
		inside, after, closed := strings.Cut(rest, "`")
		if !found || !closed {
			text(line)
			return
		}
		text(before)
		code(inside)
		line = after
	}
}
