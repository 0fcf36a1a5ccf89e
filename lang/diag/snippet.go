package diag

import (
	"sort"
	"strconv"
	"strings"
)

// mark is a place to be underlined: the bytes [start, end) of a line. A span of
// several lines has two, one where it opens and one where it closes.
type mark struct {
	file          *File
	line          int
	start, end    int
	text          string
	primary       bool
	opens, closes bool
}

// lane is what stands between the gutter and the lines of a section in which a
// span of several lines is shown: the span's edge.
type lane string

const (
	noLane  lane = ""
	outside lane = "  "
	inside  lane = "| "
	opening lane = "/ " // the span begins with the line
	corner  lane = " _" // below it, where the span begins within the line
	closing lane = "|_"
)

// marks lists what is to be underlined: the primary place's file first, then by
// position.
func (r *renderer) marks() []mark {
	var marks []mark
	if f := r.fileOf(r.d.Span); f != nil {
		marks = primaryMarks(f, r.d.Span, r.d.Text)
	}
	for _, l := range r.d.Labels {
		if f := r.fileOf(l.Span); f != nil {
			marks = append(marks, markOf(f, l.Span, l.Text))
		}
	}
	if len(marks) == 0 {
		return nil
	}
	first := marks[0].file
	sort.SliceStable(marks, func(i, j int) bool {
		a, b := marks[i], marks[j]
		if a.file != b.file {
			if a.file == first || b.file == first {
				return a.file == first
			}
			return a.file.Base < b.file.Base
		}
		return a.line < b.line
	})
	return marks
}

// fileOf is the file of a span, or nil.
func (r *renderer) fileOf(s Span) *File {
	if !s.IsValid() {
		return nil
	}
	return r.fs.File(s.Start)
}

// primaryMarks are those of the diagnostic's own span.
func primaryMarks(f *File, s Span, text string) []mark {
	m := markOf(f, s, text)
	m.primary = true
	last := lastLine(f, s)
	if last == m.line {
		return []mark{m}
	}
	m.opens, m.text = true, ""
	end := int(min(s.End, f.Base+uint32(len(f.Src)))-f.Base) - int(f.lines[last-1])
	end = min(end, len(f.Line(last)))
	return []mark{m, {file: f, line: last, start: max(end-1, 0), end: end, text: text, primary: true, closes: true}}
}

// lastLine is the line in which a span ends.
func lastLine(f *File, s Span) int {
	line, _ := f.Pos(min(max(s.Start, s.End-1), f.Base+uint32(len(f.Src))))
	return line
}

// markOf clips a span to its first line.
func markOf(f *File, s Span, text string) mark {
	line, _ := f.Pos(s.Start)
	begin := int(f.lines[line-1])
	start := int(s.Start-f.Base) - begin
	end := int(min(s.End, f.Base+uint32(len(f.Src)))-f.Base) - begin
	if n := len(f.Line(line)); end > n {
		if last := lastLine(f, s); last > line {
			text = strings.TrimSpace(text + " (to line " + strconv.Itoa(last) + ")")
		}
		start, end = min(start, n), n
	}
	return mark{file: f, line: line, start: start, end: max(start, end), text: text}
}

// section shows the marked lines of one file.
func (r *renderer) section(marks []mark, first bool) {
	arrow := "-->"
	head := marks[0]
	if !first {
		arrow = ":::"
	}
	r.lane = noLane
	for i := len(marks) - 1; i >= 0; i-- {
		if m := marks[i]; m.primary {
			head = m
			if m.opens {
				r.lane = outside
			}
		}
	}
	_, col := head.file.Pos(head.file.Base + head.file.lines[head.line-1] + uint32(head.start))
	r.put(blue, strings.Repeat(" ", r.gutter)+arrow+" ")
	r.out.WriteString(printable(head.file.Name) + ":" + strconv.Itoa(head.line) + ":" + strconv.Itoa(col) + "\n")
	r.bar("\n")
	last := 0
	for i := 0; i < len(marks); {
		j := i + 1
		for j < len(marks) && marks[j].line == marks[i].line {
			j++
		}
		if last > 0 {
			r.between(head.file, last+1, marks[i].line)
		}
		last = marks[i].line
		r.marked(marks[i:j])
		i = j
	}
	r.lane = noLane
}

// between shows the lines [from, to) between two marked ones: all if they are
// few, more of those within the diagnostic's span.
func (r *renderer) between(f *File, from, to int) {
	most, head, tail := 1, 0, 0
	if r.lane == inside {
		most, head, tail = 4, 2, 1
	}
	if to-from <= most {
		head, tail = to-from, 0
	}
	for n := from; n < from+head; n++ {
		r.source(n, r.layout(f.Line(n), nil))
	}
	if head+tail < to-from {
		r.put(blue, "...")
		if r.lane == inside {
			r.out.WriteString(strings.Repeat(" ", r.gutter))
			r.put(r.main(), "|")
		}
		r.out.WriteByte('\n')
	}
	for n := to - tail; n < to; n++ {
		r.source(n, r.layout(f.Line(n), nil))
	}
}

// bar writes an empty gutter.
func (r *renderer) bar(rest string) {
	r.put(blue, strings.Repeat(" ", r.gutter)+" |")
	r.out.WriteString(rest)
}

// source writes a line of the program with its number.
func (r *renderer) source(n int, l layout) {
	num := strconv.Itoa(n)
	r.put(blue, strings.Repeat(" ", r.gutter-len(num))+num+" |")
	text := strings.TrimRight(l.text, " ")
	if edge := string(r.lane); text == "" {
		r.edge(strings.TrimRight(edge, " "))
	} else {
		r.edge(edge)
		if edge == "" {
			r.out.WriteByte(' ')
		}
		r.out.WriteString(text)
	}
	r.out.WriteByte('\n')
}

// edge writes what stands in the lane.
func (r *renderer) edge(text string) {
	switch text {
	case "":
	case string(outside):
		r.out.WriteString(" " + text)
	default:
		r.out.WriteByte(' ')
		r.put(r.main(), text)
	}
}

// marked writes a line with its underlines and the texts of its marks.
func (r *renderer) marked(marks []mark) {
	line := marks[0].file.Line(marks[0].line)
	l := r.layout(line, marks)
	sort.SliceStable(marks, func(i, j int) bool { return marks[i].start < marks[j].start })
	below := r.lane
	for _, m := range marks {
		switch {
		case m.opens && strings.TrimSpace(line[:m.start]) == "":
			r.lane, below = opening, inside
		case m.opens:
			below = corner
		case m.closes:
			below = closing
		}
	}
	r.source(marks[0].line, l)
	opened := r.lane == opening
	r.lane = below
	row := r.underlines(l, marks, opened)

	// The rightmost text stands beside its mark if nothing is in its way, the
	// others hang below theirs, the next to the left lower than the last.
	var hanging []mark
	for i, m := range marks {
		if m.text == "" {
			continue
		}
		if _, to := l.cells(m); i == len(marks)-1 && to >= row.len() {
			row.write(row.len()+1, m.text, r.styleOf(m))
			continue
		}
		hanging = append(hanging, m)
	}
	if row.len() > 0 {
		r.canvas(row)
	}
	switch r.lane {
	case corner:
		r.lane = inside
	case closing:
		r.lane = outside
	}
	for i := len(hanging) - 1; i >= 0; i-- {
		if i == len(hanging)-1 {
			r.canvas(r.stems(l, hanging))
		}
		row := r.stems(l, hanging[:i])
		from, _ := l.cells(hanging[i])
		row.write(from, hanging[i].text, r.styleOf(hanging[i]))
		r.canvas(row)
	}
}

// underlines draws the marks below a line; opened tells that the lane shows
// already where the span of several lines opens.
func (r *renderer) underlines(l layout, marks []mark, opened bool) *canvas {
	row := newCanvas()
	for _, primary := range []bool{false, true} {
		for _, m := range marks {
			if m.primary != primary || m.opens && opened {
				continue
			}
			from, to := l.cells(m)
			c := '-'
			if primary {
				c = '^'
			}
			if m.opens {
				to = from + 1
			}
			if m.opens || m.closes {
				row.fill(from, '_', r.styleOf(m))
			}
			for i := from; i < to; i++ {
				row.set(i, c, r.styleOf(m))
			}
		}
	}
	return row
}

func (r *renderer) styleOf(m mark) style {
	if m.primary {
		return r.main()
	}
	return blue
}

func (r *renderer) stems(l layout, marks []mark) *canvas {
	row := newCanvas()
	for _, m := range marks {
		from, _ := l.cells(m)
		row.set(from, '|', r.styleOf(m))
	}
	return row
}

// canvas writes a row below a line.
func (r *renderer) canvas(c *canvas) {
	r.bar("")
	r.edge(string(r.lane))
	if r.lane == noLane {
		r.out.WriteByte(' ')
	}
	for i := 0; i < len(c.cells); {
		j := i + 1
		for j < len(c.cells) && c.styles[j] == c.styles[i] {
			j++
		}
		r.put(c.styles[i], string(c.cells[i:j]))
		i = j
	}
	r.out.WriteByte('\n')
}
