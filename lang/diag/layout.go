package diag

import (
	"sort"
	"strings"
)

// layout is a source line as it is shown: laid out and perhaps clipped.
type layout struct {
	text   string
	offs   []int // byte offset of each shown character, and one past the last
	starts []int // the cell it begins at
}

// layout lays out a line so that its marks are seen: a line that is too long
// for the terminal is clipped around the primary one.
func (r *renderer) layout(line string, marks []mark) layout {
	cols := columns(line)
	room := r.width - r.gutter - len(" | ")
	total := 0
	for _, c := range cols {
		total += c.width
	}
	from, to := 0, len(cols)
	var l layout
	var b strings.Builder
	cell := 0
	if total > room {
		from, to = window(cols, room-2, focus(marks))
	}
	if from > 0 {
		b.WriteString("…")
		cell = 1
	}
	for _, c := range cols[from:to] {
		l.offs = append(l.offs, c.off)
		l.starts = append(l.starts, cell)
		b.WriteString(c.text)
		cell += c.width
	}
	end := len(line)
	if to < len(cols) {
		end = cols[to].off
		b.WriteString("…")
	}
	l.offs = append(l.offs, end)
	l.starts = append(l.starts, cell)
	l.text = b.String()
	return l
}

// focus is the mark that must be seen.
func focus(marks []mark) (m mark) {
	for i, n := range marks {
		if i == 0 || n.primary {
			m = n
		}
	}
	return m
}

// window chooses the columns [from, to) that fit into room and show m, with as
// much as possible of what stands before it.
func window(cols []column, room int, m mark) (from, to int) {
	start := sort.Search(len(cols), func(i int) bool { return cols[i].off >= m.start })
	end := sort.Search(len(cols), func(i int) bool { return cols[i].off >= m.end })
	// Go right from the mark by at most a third of the room, then left, then
	// right again.
	used := 0
	fits := func(i int) bool { return i >= 0 && i < len(cols) && used+cols[i].width <= room }
	from, to = start, start
	for limit := room / 3; fits(to) && (to < end || used < limit); to++ {
		used += cols[to].width
	}
	for ; fits(from - 1); from-- {
		used += cols[from-1].width
	}
	for ; fits(to); to++ {
		used += cols[to].width
	}
	return from, to
}

// cells gives the cells [from, to) of a mark, at least one.
func (l layout) cells(m mark) (from, to int) {
	at := func(off int) int {
		i := sort.SearchInts(l.offs, off)
		return l.starts[min(i, len(l.starts)-1)]
	}
	from = at(m.start)
	return from, max(at(m.end), from+1)
}

// canvas is a row below a source line.
type canvas struct {
	cells  []rune
	styles []style
}

func newCanvas() *canvas { return &canvas{} }

func (c *canvas) len() int { return len(c.cells) }

func (c *canvas) set(i int, r rune, s style) {
	for len(c.cells) <= i {
		c.cells = append(c.cells, ' ')
		c.styles = append(c.styles, plain)
	}
	c.cells[i], c.styles[i] = r, s
}

// write puts a text that ends the row: its characters need not be one cell wide.
func (c *canvas) write(i int, text string, s style) {
	for _, r := range printable(text) {
		c.set(i, r, s)
		i++
	}
}
