package lineedit

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/diag"
)

// vt is a terminal in memory: it understands what screen writes and wraps lines
// as terminals do.
type vt struct {
	mu            sync.Mutex
	width, height int
	lines         []vtLine // all of them, those scrolled out too
	row, col      int      // the cursor; col == width: the next character wraps
	top           int      // the first line to be seen
	strange       []string // sequences that are not understood
}

type vtLine struct {
	cells []string // "" behind a wide one
	soft  bool     // goes on with the line above
}

func newVT(width, height int) *vt {
	return &vt{width: width, height: height, lines: []vtLine{{}}}
}

func (v *vt) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for s := string(p); s != ""; {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case strings.HasPrefix(s, "\x1b["):
			end := 2
			for end < len(s) && s[end] < '@' {
				end++
			}
			v.control(s[2:end], s[end])
			s = s[end+1:]
			continue
		case r == '\r':
			v.col = 0
		case r == '\n':
			v.row, v.col = v.row+1, 0 // the terminal adds the \r
			v.scroll()
		case r < ' ':
			v.strange = append(v.strange, strconv.Quote(s[:size]))
		default:
			v.char(r)
		}
		s = s[size:]
	}
	return len(p), nil
}

func (v *vt) char(r rune) {
	w := diag.RuneWidth(r)
	if w == 0 {
		if v.col > 0 {
			v.line().cells[v.col-1] += string(r)
		}
		return
	}
	if v.col+w > v.width {
		v.row, v.col = v.row+1, 0
		v.scroll()
		v.line().soft = true
	}
	line := v.line()
	for len(line.cells) < v.col+w {
		line.cells = append(line.cells, " ")
	}
	line.cells[v.col] = string(r)
	if w == 2 {
		line.cells[v.col+1] = ""
	}
	v.col += w
}

func (v *vt) line() *vtLine { return &v.lines[v.row] }

func (v *vt) scroll() {
	for v.row >= len(v.lines) {
		v.lines = append(v.lines, vtLine{})
	}
	v.top = max(v.top, len(v.lines)-v.height)
}

func (v *vt) control(args string, final byte) {
	n, _ := strconv.Atoi(args)
	switch {
	case final == 'm', final == 'h', final == 'l':
	case final == 'A':
		v.row = max(v.row-max(n, 1), v.top)
	case final == 'B':
		v.row = min(v.row+max(n, 1), v.top+v.height-1, len(v.lines)-1)
	case final == 'K' && n == 2:
		*v.line() = vtLine{soft: v.line().soft && v.col > 0}
	case final == 'H' && args == "":
		v.row, v.col = v.top, 0
	case final == 'J' && n == 0:
		v.lines = v.lines[:v.row+1]
		line := v.line()
		line.cells = line.cells[:min(v.col, len(line.cells))]
		if v.col == 0 {
			line.soft = false
		}
	case final == 'J' && n == 2:
		v.lines = append(v.lines[:v.top], vtLine{})
		v.row, v.col = v.top, 0
	default:
		v.strange = append(v.strange, args+string(final))
	}
}

// logical returns the lines without the breaks that the terminal has made, each
// without the spaces at its end; the one of the cursor has a | there.
func (v *vt) logical() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var list []string
	for i, line := range v.lines {
		var text strings.Builder
		for c, cell := range line.cells {
			if i == v.row && c == v.col {
				text.WriteByte('|')
			}
			text.WriteString(cell)
		}
		if i == v.row && v.col >= len(line.cells) {
			text.WriteString(strings.Repeat(" ", v.col-len(line.cells)) + "|")
		}
		if line.soft && len(list) > 0 {
			list[len(list)-1] += text.String()
		} else {
			list = append(list, text.String())
		}
	}
	for i := range list {
		list[i] = strings.TrimRight(list[i], " ")
	}
	return list
}

// fakeDevice is a device with a vt as its screen.
type fakeDevice struct {
	*vt
	typed  chan string
	resize func()
	raw    bool
}

func newFakeDevice(width, height int) *fakeDevice {
	return &fakeDevice{vt: newVT(width, height), typed: make(chan string, 100)}
}

func (d *fakeDevice) Read(p []byte) (int, error) {
	s, ok := <-d.typed
	if !ok {
		return 0, fmt.Errorf("hung up")
	}
	return copy(p, s), nil
}

func (d *fakeDevice) Size() (int, int) { return d.width, d.height }

func (d *fakeDevice) OnResize(f func()) { d.resize = f }

func (d *fakeDevice) Raw() (func(), error) {
	d.raw = true
	return func() { d.raw = false }, nil
}

func (d *fakeDevice) Suspend() {}
