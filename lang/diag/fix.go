package diag

import (
	"sort"
	"strconv"
	"strings"
)

// patch is a fix as it is shown: the lines it changes, as they are and as they
// would become.
type patch struct {
	title    string
	line     int // the first one
	old, new []string
	marks    []mark // the new texts within the only line
	removes  bool   // something is gone that no new text stands for
}

// maxPatch is the most lines of which a change is shown.
const maxPatch = 10

// maxBeside is how much of a line is looked at on each side of a change: more than is shown.
const maxBeside = 4 << 10

// fixes prepares the fixes of the diagnostic.
func (r *renderer) fixes() []patch {
	var list []patch
	for _, f := range r.d.Fixes {
		p := patch{title: f.Title}
		r.apply(f.Edits, &p)
		list = append(list, p)
	}
	return list
}

// apply fills in what the edits change, if they concern one file and few lines.
func (r *renderer) apply(edits []Edit, p *patch) {
	if len(edits) == 0 || r.fileOf(edits[0].Span) == nil {
		return
	}
	edits = append([]Edit(nil), edits...)
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].Span.Start < edits[j].Span.Start })
	f := r.fileOf(edits[0].Span)
	first, _ := f.Pos(edits[0].Span.Start)
	begin := max(int(f.lines[first-1]), f.runeAt(int(edits[0].Span.Start)-int(f.Base)-maxBeside))
	end := begin
	var b strings.Builder
	for i, e := range edits {
		from, to := int(e.Span.Start)-int(f.Base), int(e.Span.End)-int(f.Base)
		if r.fileOf(e.Span) != f || from < end || to < from || to > len(f.Src) {
			return
		}
		b.WriteString(f.Src[end:from])
		p.marks = append(p.marks, mark{start: b.Len(), end: b.Len() + len(e.New), primary: i == 0})
		b.WriteString(e.New)
		p.removes = p.removes || e.New == ""
		end = to
	}
	last, _ := f.Pos(f.Base + uint32(end))
	rest := ""
	if to := int(f.lines[last-1]) + len(f.Line(last)); to > end {
		rest = f.Src[end:min(to, f.runeAt(end+maxBeside))]
	}
	b.WriteString(rest)
	p.compare(first, f.Src[begin:end]+rest, b.String())
}

// compare splits what was and what would be into lines, and leaves those out
// that stay the same.
func (p *patch) compare(first int, old, changed string) {
	a, b := strings.Split(old, "\n"), strings.Split(changed, "\n")
	for len(a) > 1 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a)+len(b) <= maxPatch {
		p.line, p.old, p.new = first, a, b
	}
}

// fix writes a fix: its title, and the line as it would become or a diff.
func (r *renderer) fix(p patch) {
	if len(p.old) == 0 {
		r.remark("help", p.title)
		return
	}
	title := p.title
	if !strings.HasSuffix(title, "?") {
		title += ":"
	}
	r.remark("help", title)
	if len(p.old) > 1 || len(p.new) != 1 || p.removes {
		r.diff(p.line, '-', red, p.old)
		r.diff(p.line, '+', green, p.new)
		return
	}
	l := r.layout(p.new[0], p.marks)
	r.source(p.line, l)
	row := newCanvas()
	for _, m := range p.marks {
		from, to := l.cells(m)
		for i := from; i < to; i++ {
			row.set(i, '~', green)
		}
	}
	r.canvas(row)
}

// diff writes lines that would go or come.
func (r *renderer) diff(n int, sign rune, s style, lines []string) {
	for i, line := range lines {
		num := strconv.Itoa(n + i)
		r.put(blue, strings.Repeat(" ", max(0, r.gutter-len(num)))+num+" ")
		text := strings.TrimRight(r.layout(strings.TrimSuffix(line, "\r"), nil).text, " ")
		r.put(s, strings.TrimRight(string(sign)+" "+text, " "))
		r.out.WriteByte('\n')
	}
}
