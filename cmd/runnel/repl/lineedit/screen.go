package lineedit

import (
	"strconv"
	"strings"
)

// screen draws views at the place of the cursor, each in place of the last one.
// All that it knows of the terminal is in which row of the last view the cursor
// is. In its row it comes to its place by printing what stands before it once
// more: so it is right even where the terminal takes a character for wider or
// narrower than we do.
type screen struct {
	dev    device
	drawn  bool
	last   view
	size   [2]int
	height int // rows drawn
	cursor int // its row, from the first one drawn
}

// draw shows a view.
func (s *screen) draw(v *view) {
	var out strings.Builder
	s.erase(&out)
	s.put(&out, v)
	s.write(out.String())
}

// printAbove writes whole lines, which stay, above a view.
func (s *screen) printAbove(text []byte, v *view) {
	var out strings.Builder
	s.erase(&out)
	out.Write(text)
	s.put(&out, v)
	s.write(out.String())
}

// leave shows a view whole, for good: what is written next comes below.
func (s *screen) leave(v *view) {
	var out strings.Builder
	s.erase(&out)
	end := *v
	end.at, end.below = len(v.text), nil
	putRows(&out, lay(&end, s.now()[0]).rows)
	out.WriteString("\r\n")
	s.drawn = false
	s.write(out.String())
}

// clear empties the screen and shows a view at its top.
func (s *screen) clear(v *view) {
	s.write("\x1b[H\x1b[2J")
	s.drawn = false
	s.draw(v)
}

func (s *screen) now() (size [2]int) {
	size[0], size[1] = s.dev.Size()
	return size
}

// rows are those of a view that there is room for: what is around the cursor,
// and the lines below.
func (s *screen) rows(v *view) (rows []row, cursor int, before string) {
	width, height := s.dev.Size()
	l := lay(v, width)
	below := lines(v.below, width)
	if most := (height - 1) / 2; len(below) > most {
		below = below[:max(most, 0)]
	}
	rows, cursor = l.rows, l.cursorRow
	if room := max(height-len(below), 1); len(rows) > room {
		first := min(max(cursor-room*2/3, 0), len(rows)-room)
		rows, cursor = rows[first:first+room], cursor-first
	}
	return append(rows[:len(rows):len(rows)], below...), cursor, l.before
}

func (s *screen) erase(out *strings.Builder) {
	if !s.drawn {
		return
	}
	if s.size != s.now() { // the terminal has broken the rows again
		rows, cursor, _ := s.rows(&s.last)
		s.height, s.cursor = len(rows), cursor
	}
	up(out, s.cursor)
	out.WriteString("\r\x1b[2K")
	if s.height > 1 { // some terminals keep what is erased from their first cell on
		out.WriteString("\x1b[B\x1b[J\x1b[A")
	}
}

func (s *screen) put(out *strings.Builder, v *view) {
	rows, cursor, before := s.rows(v)
	putRows(out, rows)
	up(out, len(rows)-1-cursor)
	out.WriteString("\r" + before)
	s.drawn, s.last, s.size, s.height, s.cursor = true, *v, s.now(), len(rows), cursor
}

func putRows(out *strings.Builder, rows []row) {
	for i, r := range rows {
		if i > 0 && !r.soft {
			out.WriteString("\r\n")
		}
		out.WriteString(r.text)
	}
}

func up(out *strings.Builder, n int) {
	if n > 0 {
		out.WriteString("\x1b[" + strconv.Itoa(n) + "A")
	}
}

func (s *screen) write(text string) { s.dev.Write([]byte(text)) }
