package diag

import (
	"sort"
	"strings"
)

// patch is a fix that can be shown as one changed line.
type patch struct {
	title string
	file  *File
	line  int
	text  string
	marks []mark // the new texts in it
}

// fixes prepares the fixes of the diagnostic.
func (r *renderer) fixes() []patch {
	var list []patch
	for _, f := range r.d.Fixes {
		p, ok := r.patch(f)
		if !ok {
			p = patch{title: f.Title}
		}
		list = append(list, p)
	}
	return list
}

// patch applies a fix to its line, if it concerns a single one.
func (r *renderer) patch(f Fix) (patch, bool) {
	if len(f.Edits) == 0 {
		return patch{}, false
	}
	edits := append([]Edit(nil), f.Edits...)
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].Span.Start < edits[j].Span.Start })
	p := patch{title: f.Title}
	var b strings.Builder
	var line string
	done, begin := 0, 0
	for i, e := range edits {
		file := r.fs.File(e.Span.Start)
		if file == nil || !e.Span.IsValid() || strings.Contains(e.New, "\n") {
			return patch{}, false
		}
		n, _ := file.Pos(e.Span.Start)
		if i == 0 {
			p.file, p.line, line, begin = file, n, file.Line(n), int(file.lines[n-1])
		}
		start, end := int(e.Span.Start-file.Base)-begin, int(e.Span.End-file.Base)-begin
		if file != p.file || n != p.line || start < done || end < start || end > len(line) {
			return patch{}, false
		}
		b.WriteString(line[done:start])
		p.marks = append(p.marks, mark{start: b.Len(), end: b.Len() + len(e.New), primary: i == 0})
		b.WriteString(e.New)
		done = end
	}
	b.WriteString(line[done:])
	p.text = b.String()
	return p, true
}

// fix writes a fix: its title and the line as it would become.
func (r *renderer) fix(p patch) {
	if p.file == nil {
		r.remark("help", p.title)
		return
	}
	title := p.title
	if !strings.HasSuffix(title, "?") {
		title += ":"
	}
	r.remark("help", title)
	l := r.layout(p.text, p.marks)
	r.source(p.line, l)
	row := newCanvas()
	for _, m := range p.marks {
		if m.start == m.end {
			continue
		}
		from, to := l.cells(m)
		for i := from; i < to; i++ {
			row.set(i, '~', green)
		}
	}
	if row.len() > 0 {
		r.canvas(row)
	}
}
