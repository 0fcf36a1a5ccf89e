package diag

import (
	"math"
	"sort"
	"strings"
	"unicode/utf8"
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
	room := r.width - r.gutter - len(" | ") - len(r.lane)
	m := focus(marks, room)
	first, last := nearby(line, m, room)
	cols := columns(line[:last], first)
	from, to := 0, len(cols)
	if cells(cols) > room || first > 0 || last < len(line) {
		from, to = window(cols, room-2, m)
	}
	var l layout
	var b strings.Builder
	cell := 0
	if from > 0 || first > 0 {
		b.WriteString("…")
		cell = 1
	}
	for _, c := range cols[from:to] {
		l.offs = append(l.offs, c.off)
		l.starts = append(l.starts, cell)
		b.WriteString(c.text)
		cell += c.width
	}
	end := last
	if to < len(cols) {
		end = cols[to].off
	}
	if end < len(line) {
		b.WriteString("…")
	}
	l.offs = append(l.offs, end)
	l.starts = append(l.starts, cell)
	l.text = b.String()
	return l
}

// nearby returns the bytes of a line that can be seen at most when m is: a line
// may be the whole of a program, and is not laid out for each of its marks.
func nearby(line string, m mark, room int) (first, last int) {
	reach := utf8.UTFMax * room
	first, last = max(0, m.start-reach), min(len(line), m.start+reach)
	for first > 0 && !utf8.RuneStart(line[first]) {
		first--
	}
	for last < len(line) && !utf8.RuneStart(line[last]) {
		last++
	}
	return first, last
}

func cells(cols []column) (n int) {
	for _, c := range cols {
		n += c.width
	}
	return n
}

// focus is what must be seen: all marks if there is room, or the primary one.
func focus(marks []mark, room int) (m mark) {
	all := mark{start: math.MaxInt}
	for i, n := range marks {
		if i == 0 || n.primary {
			m = n
		}
		all.start, all.end = min(all.start, n.start), max(all.end, n.end)
	}
	if len(marks) > 1 && all.end-all.start < room/2 {
		return all
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
	for from > 0 && from < start && cols[from].width == 0 {
		from++ // its letter is left out
	}
	return from, to
}

// cells returns the cells [from, to) of a mark, at least one; those of what is
// clipped are the dots that stand for it.
func (l layout) cells(m mark) (from, to int) {
	at := func(off int) int {
		if off < l.offs[0] {
			return 0
		}
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

// fill puts r where nothing stands before i.
func (c *canvas) fill(i int, r rune, s style) {
	for i--; i >= 0; i-- {
		if i >= len(c.cells) || c.cells[i] == ' ' {
			c.set(i, r, s)
		}
	}
}

// write puts a text that ends the row: its characters need not be one cell wide.
func (c *canvas) write(i int, text string, s style) {
	for _, r := range printable(text) {
		c.set(i, r, s)
		i++
	}
}
