package vm

import (
	"strconv"
	"unicode/utf8"
)

// DisplayFolded is Display for people: it shows only the beginning of a long
// list, map, set, text or buffer and says how much more there is.
func (c *Call) DisplayFolded(id uint32, v Value, most int) string {
	p := printer{prog: c.w.prog, limit: most, nested: true, folds: true}
	return p.short(id, v)
}

// shownParts and shownBytes are how much is shown of a long value, by how deep it
// lies in others; what is little longer is shown whole.
var (
	shownParts = [...]int{40, 12, 6, 3}
	shownBytes = [...]int{1000, 300, 100, 50}
)

// fold returns how many of n parts are shown.
func (p *printer) fold(n int, shown []int) int {
	if !p.folds {
		return n
	}
	if most := shown[min(len(p.frames), len(shown)-1)]; n > most+most/4 {
		return most
	}
	return n
}

// more says how many parts or bytes are not shown.
func (p *printer) more(n int, of string) { p.text("... " + grouped(n) + " more" + of) }

// grouped writes a number with commas between the thousands.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// beginning returns what is shown of a text, whole characters, and how many bytes more
// there are.
func (p *printer) beginning(s string) (shown string, more int) {
	n := p.fold(len(s), shownBytes[:])
	for n < len(s) && n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if 0 < n && n < len(s) && s[n-1:n+1] == "${" {
		n--
	}
	return s[:n], len(s) - n
}

func (p *printer) cutText(more int) {
	if more > 0 {
		p.text(" ")
		p.more(more, " bytes")
	}
}

// short writes a value and cuts it at the limit.
func (p *printer) short(id uint32, v Value) string {
	p.print(id, v)
	if len(p.buf) <= p.limit {
		return string(p.buf)
	}
	text := string(p.buf[:p.limit])
	for len(text) > 0 && !utf8.ValidString(text) {
		text = text[:len(text)-1]
	}
	return text + "..."
}
