package diag

import (
	"bufio"
	"io"
	"sort"
	"strconv"
	"strings"
)

// Options of Render.
type Options struct {
	Color bool
	Width int // of the terminal, 0 means 120; longer source lines are clipped
}

// Render writes diagnostics for a reader at a terminal.
func Render(w io.Writer, fs *FileSet, diags []Diagnostic, opts Options) error {
	b := bufio.NewWriter(w)
	width := opts.Width
	if width <= 0 {
		width = 120
	}
	for i := range diags {
		if i > 0 {
			b.WriteByte('\n')
		}
		r := renderer{out: b, fs: fs, d: &diags[i], color: opts.Color, width: max(width, 40)}
		r.render()
	}
	return b.Flush()
}

// renderer writes one diagnostic.
type renderer struct {
	out    *bufio.Writer
	fs     *FileSet
	d      *Diagnostic
	color  bool
	width  int
	gutter int // width of the line numbers
}

type style string

const (
	plain   style = ""
	bold    style = "\x1b[1m"
	red     style = "\x1b[1;31m"
	yellow  style = "\x1b[1;33m"
	blue    style = "\x1b[1;34m"
	cyan    style = "\x1b[1;36m"
	green   style = "\x1b[1;32m"
	noStyle       = "\x1b[0m"
)

func (r *renderer) put(s style, text string) {
	if r.color && s != plain && text != "" {
		r.out.WriteString(string(s) + text + noStyle)
		return
	}
	r.out.WriteString(text)
}

// mark is a place to be underlined: the bytes [start, end) of a line.
type mark struct {
	file       *File
	line       int
	start, end int
	text       string
	primary    bool
}

func (r *renderer) main() style {
	if r.d.Severity == Warning {
		return yellow
	}
	return red
}

func (r *renderer) render() {
	word := r.d.Severity.String()
	if r.d.Code != "" {
		word += "[" + string(r.d.Code) + "]"
	}
	r.put(r.main(), word)
	r.put(bold, ": "+printable(r.d.Message))
	r.out.WriteByte('\n')

	marks := r.marks()
	fixes := r.fixes()
	for _, m := range marks {
		r.gutter = max(r.gutter, len(strconv.Itoa(m.line)))
	}
	for i := 0; i < len(marks); {
		j := i + 1
		for j < len(marks) && marks[j].file == marks[i].file {
			j++
		}
		r.section(marks[i:j], i == 0)
		i = j
	}
	if len(r.d.Notes)+len(r.d.Help)+len(fixes) > 0 && len(marks) > 0 {
		r.bar("\n")
	}
	for _, n := range r.d.Notes {
		r.remark("note", n)
	}
	for _, h := range r.d.Help {
		r.remark("help", h)
	}
	for _, f := range fixes {
		r.fix(f)
	}
}

// marks lists what is to be underlined: the primary place's file first, then by
// position.
func (r *renderer) marks() []mark {
	var marks []mark
	add := func(s Span, text string, primary bool) {
		if f := r.fs.File(s.Start); f != nil && s.IsValid() {
			marks = append(marks, markOf(f, s, text, primary))
		}
	}
	add(r.d.Span, r.d.Text, true)
	for _, l := range r.d.Labels {
		add(l.Span, l.Text, false)
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

// markOf clips a span to its first line.
func markOf(f *File, s Span, text string, primary bool) mark {
	line, _ := f.Pos(s.Start)
	begin := int(f.lines[line-1])
	start := int(s.Start-f.Base) - begin
	end := int(min(s.End, f.Base+uint32(len(f.Src)))-f.Base) - begin
	if n := len(f.Line(line)); end > n {
		if last, _ := f.Pos(max(s.Start, s.End-1)); last > line {
			text = strings.TrimSpace(text + " (to line " + strconv.Itoa(last) + ")")
		}
		start, end = min(start, n), n
	}
	return mark{f, line, start, max(start, end), text, primary}
}

// section shows the marked lines of one file.
func (r *renderer) section(marks []mark, first bool) {
	arrow := "-->"
	head := marks[0]
	if !first {
		arrow = ":::"
	}
	for _, m := range marks {
		if m.primary {
			head = m
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
		n := marks[i].line
		switch {
		case last == 0 || n == last+1:
		case n == last+2:
			r.source(last+1, r.layout(head.file.Line(last+1), nil))
		default:
			r.put(blue, "...\n")
		}
		r.marked(marks[i:j])
		last = n
		i = j
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
	if text := strings.TrimRight(l.text, " "); text != "" {
		r.out.WriteString(" " + text)
	}
	r.out.WriteByte('\n')
}

// marked writes a line with its underlines and the texts of its marks.
func (r *renderer) marked(marks []mark) {
	l := r.layout(marks[0].file.Line(marks[0].line), marks)
	r.source(marks[0].line, l)

	sort.SliceStable(marks, func(i, j int) bool { return marks[i].start < marks[j].start })
	row := newCanvas()
	draw := func(primary bool) {
		for _, m := range marks {
			if m.primary == primary {
				from, to := l.cells(m)
				c, s := '-', blue
				if primary {
					c, s = '^', r.main()
				}
				for i := from; i < to; i++ {
					row.set(i, c, s)
				}
			}
		}
	}
	draw(false)
	draw(true)

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
	r.canvas(row)
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

func (r *renderer) canvas(c *canvas) {
	r.bar(" ")
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

// remark writes a note or help, its further lines below the first.
func (r *renderer) remark(word, text string) {
	r.put(blue, strings.Repeat(" ", r.gutter)+" = ")
	s := bold
	if word == "help" {
		s = cyan
	}
	r.put(s, word)
	indent := "\n" + strings.Repeat(" ", r.gutter+len(" = : ")+len(word))
	r.out.WriteString(": " + strings.Join(printableLines(text), indent) + "\n")
}

// printable makes control characters visible.
func printable(s string) string { return strings.Join(printableLines(s), " ") }

func printableLines(s string) []string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		var b strings.Builder
		for _, c := range columns(l) {
			b.WriteString(c.text)
		}
		lines[i] = b.String()
	}
	return lines
}
