package diag

import (
	"bufio"
	"io"
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
	lane   lane
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
	for _, f := range fixes {
		r.gutter = max(r.gutter, len(strconv.Itoa(f.line+max(len(f.old), len(f.new), 1)-1)))
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

// remark writes a note or help, its further lines below the first.
func (r *renderer) remark(word, text string) {
	r.put(blue, strings.Repeat(" ", r.gutter)+" = ")
	s := bold
	if word == "help" {
		s = cyan
	}
	r.put(s, word)
	indent := "\n" + strings.Repeat(" ", r.gutter+len(" = : ")+len(word))
	r.out.WriteString(": " + strings.Join(PrintableLines(text), indent) + "\n")
}

func printable(s string) string { return strings.Join(PrintableLines(s), " ") }

// PrintableLines are the lines of a text, for a terminal: characters that could
// command it, and those that nobody sees, become visible.
func PrintableLines(s string) []string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		var b strings.Builder
		for _, c := range columns(l, 0) {
			b.WriteString(c.text)
		}
		lines[i] = b.String()
	}
	return lines
}
