package lineedit

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/diag"
)

// Completion is a text that may stand in place of the bytes [Start, End).
type Completion struct {
	Start, End int
	Text       string // what stands there then
	Label      string // what the list shows; Text when it is empty
	Detail     string // what it is: a type
}

// offer are completions that are shown.
type offer struct {
	list []Completion
	page int
}

// tab completes what stands before the cursor: the only possibility, or what all
// have in common; when that is nothing more, it shows them. At the start of a
// line it indents.
func (e *Editor) tab() {
	if len(e.offered.list) > 0 {
		e.offered.page++
		return
	}
	if e.buf.indentedOnly() && len(e.buf.text) > 0 || e.Complete == nil {
		e.buf.insert(strings.Repeat(" ", indentWidth))
		return
	}
	text, at := e.buf.String(), len(string(e.buf.text[:e.buf.at]))
	list := e.Complete(text, at)
	if len(list) == 0 {
		return
	}
	start, end := list[0].Start, list[0].End
	common := list[0].Text
	for _, c := range list {
		if c.Start != start || c.End != end {
			common = ""
		}
		common = commonPrefix(common, c.Text)
	}
	if start < 0 || start > end || end > len(text) {
		return
	}
	if had := text[start:min(at, end)]; len(list) > 1 && len(common) <= len(had) {
		e.offered = offer{list: list}
		return
	}
	e.buf.replace(utf8.RuneCountInString(text[:start]), utf8.RuneCountInString(text[:end]), []rune(common))
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return a[:n]
}

// maxOffered is how many completions are shown at a time.
const maxOffered = 12

// lines shows a page of the list: a completion in a line when they say what they
// are, else as many as there is room for.
func (o *offer) lines(t *Terminal, dim Style) []string {
	if len(o.list) == 0 {
		return nil
	}
	width, height := t.Size()
	most := max(min(maxOffered, (height-1)/2-1), 1)
	labels, cells, detailed := o.labels()
	perLine := 1
	if !detailed {
		perLine = max(width/(cells+2), 1)
	}
	per := most * perLine
	pages := (len(o.list) + per - 1) / per
	first := o.page % pages * per
	var list []string
	var line strings.Builder
	for i := first; i < min(first+per, len(o.list)); i++ {
		line.WriteString(labels[i] + strings.Repeat(" ", cells+2-textWidth(labels[i])))
		if d := o.list[i].Detail; d != "" {
			line.WriteString(painted(dim, strings.ReplaceAll(d, "\n", " ")))
		}
		if (i-first+1)%perLine == 0 || i == len(o.list)-1 {
			list = append(list, line.String())
			line.Reset()
		}
	}
	if line.Len() > 0 {
		list = append(list, line.String())
	}
	if pages > 1 {
		list = append(list, painted(dim, "Tab shows more"))
	}
	return list
}

// maxLabel bounds the column of labels.
const maxLabel = 40

// labels returns the labels with the width of their column, and whether any
// completion says what it is.
func (o *offer) labels() (labels []string, cells int, detailed bool) {
	for _, c := range o.list {
		label := cmp.Or(c.Label, c.Text)
		labels = append(labels, label)
		detailed = detailed || c.Detail != ""
		cells = max(cells, min(textWidth(label), maxLabel))
	}
	for i, label := range labels {
		for textWidth(label) > cells {
			_, size := utf8.DecodeLastRuneInString(label)
			label = label[:len(label)-size]
		}
		labels[i] = label
	}
	return labels, cells, detailed
}

func textWidth(text string) int {
	n := 0
	for _, r := range text {
		n += diag.RuneWidth(r)
	}
	return n
}

func painted(s Style, text string) string {
	if s == "" || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
