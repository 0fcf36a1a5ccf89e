package lineedit

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"
)

// Terminal is the process's terminal, shared by an Editor and whoever else reads
// and prints.
type Terminal struct {
	dev device
	in  *input

	mu      sync.Mutex
	screen  screen
	view    func() *view // of the editor that reads; nil when none does
	restore func()       // ends raw mode
	pending []byte       // printed while an editor reads, and not shown
	later   *time.Timer  // shows it
	above   string       // the unfinished line at the end of what was printed
	prompt  string       // behind which the terminal itself edits a line; "" while it does not
	column  int          // not 0 when the cursor is not at the start of a line, while no editor reads
	closed  bool
}

// showDelay bounds how often the text that is edited is drawn again for what
// others print; maxPending bounds how much of that waits for it.
const (
	showDelay  = 10 * time.Millisecond
	maxPending = 64 << 10
	maxAbove   = 4 << 10
)

// Open returns the terminal that the process was started at. It fails when there
// is none.
func Open() (*Terminal, error) {
	dev, err := openTTY()
	if err != nil {
		return nil, err
	}
	return newTerminal(dev), nil
}

func newTerminal(dev device) *Terminal {
	t := &Terminal{dev: dev, in: newInput(dev), screen: screen{dev: dev}}
	t.later = time.AfterFunc(showDelay, t.showPending)
	t.later.Stop()
	dev.OnResize(t.resized)
	return t
}

// Input is what is typed while no editor reads. A reader meanwhile waits. A
// read ends when its deadline is over: what it would have got is for the next one.
func (t *Terminal) Input() Input { return Input{t} }

// Input is the terminal's input for others than the editor.
type Input struct{ t *Terminal }

func (i Input) Read(p []byte) (int, error) {
	n, err := i.t.in.Read(p)
	if n > 0 && p[n-1] == '\n' { // the terminal has shown it
		i.t.mu.Lock()
		i.t.column = 0
		i.t.mu.Unlock()
	}
	return n, err
}

// SetReadDeadline has reads end at a time.
func (i Input) SetReadDeadline(t time.Time) error { return i.t.in.SetReadDeadline(t) }

// Output is for all that is printed: while an editor reads it comes above.
func (t *Terminal) Output() Output { return Output{t} }

// Size returns the columns and rows.
func (t *Terminal) Size() (width, height int) { return t.dev.Size() }

// Close leaves the terminal as it was found. Readers get the end of input.
func (t *Terminal) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.closed = true
	if t.view != nil {
		t.leave()
	}
	t.in.close()
}

// edit gives the terminal to an editor, with what it shows.
func (t *Terminal) edit(v func() *view) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return io.EOF
	}
	if err := t.raw(); err != nil {
		return err
	}
	t.freshLine()
	t.view = v
	t.screen.draw(t.current())
	return nil
}

// Terminals put marks around pasted text where they are asked to.
const (
	marksOn  = "\x1b[?2004h"
	marksOff = "\x1b[?2004l"
)

func (t *Terminal) raw() (err error) {
	if t.restore, err = t.dev.Raw(); err == nil {
		t.in.edit(true)
		t.screen.write(marksOn)
	}
	return err
}

func (t *Terminal) cooked() {
	t.screen.write(marksOff)
	t.restore()
	t.in.edit(false)
}

// leave ends editing; what was edited stays. The caller has the lock.
func (t *Terminal) leave() {
	t.flush()
	t.screen.leave(t.current())
	t.view, t.above = nil, ""
	t.cooked()
}

// suspend stops the process as the user has asked for, and goes on afterwards.
func (t *Terminal) suspend() {
	t.screen.leave(t.current())
	t.cooked()
	t.dev.Suspend()
	t.raw()
	t.screen.draw(t.current())
}

// current is the view of the editor with what others print.
func (t *Terminal) current() *view {
	v := t.view()
	v.above = t.above
	return v
}

func (t *Terminal) resized() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.view != nil && t.screen.size != t.screen.now() {
		t.screen.draw(t.current())
	}
}

// FreshLine begins a new line, unless nothing stands in the last one.
func (t *Terminal) FreshLine() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.view == nil {
		t.freshLine()
	}
}

func (t *Terminal) freshLine() {
	if t.column != 0 {
		t.screen.write("\r\n")
		t.column = 0
	}
}

// Output is the terminal's output for others than the editor.
type Output struct{ t *Terminal }

func (o Output) Write(p []byte) (int, error) { return o.t.print(p) }

// Size returns the columns and rows.
func (o Output) Size() (width, height int) { return o.t.Size() }

func (t *Terminal) print(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.view == nil && t.prompt == "" {
		if len(p) > 0 {
			t.column = len(p) - 1 - bytes.LastIndexByte(p, '\n')
		}
		return t.dev.Write(p)
	}
	if len(t.pending) == 0 {
		t.later.Reset(showDelay)
	}
	if t.pending = append(t.pending, p...); len(t.pending) > maxPending {
		t.flush()
	}
	return len(p), nil
}

func (t *Terminal) showPending() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.view != nil || t.prompt != "" {
		t.flush()
	}
}

// ask shows a prompt behind which the terminal itself edits a line.
func (t *Terminal) ask(prompt string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.freshLine()
	t.prompt = prompt
	t.dev.Write([]byte(prompt))
}

// answered ends what ask has begun.
func (t *Terminal) answered() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prompt, t.column = "", 0
	t.dev.Write(t.pending)
	t.pending = t.pending[:0]
}

// interject shows what was printed while the terminal edits a line, and asks again:
// what was typed cannot be seen any more, but it still is what will be read.
func (t *Terminal) interject() {
	end := ""
	if t.pending[len(t.pending)-1] != '\n' {
		end = "\n"
	}
	t.dev.Write([]byte("\n" + string(t.pending) + end + t.prompt))
	t.pending = t.pending[:0]
}

// flush shows what was printed. An unfinished line stands above the text that is
// edited until it is finished.
func (t *Terminal) flush() {
	if len(t.pending) == 0 {
		return
	}
	if t.view == nil {
		t.interject()
		return
	}
	text := append([]byte(t.above), t.pending...)
	t.pending = t.pending[:0]
	n := bytes.LastIndexByte(text, '\n') + 1
	if len(text)-n > maxAbove {
		text = append(text, '\n')
		n = len(text)
	}
	t.above = overwritten(string(text[n:]))
	t.screen.printAbove(text[:n], t.current())
}

// overwritten is what is to be seen of an unfinished line: a program that shows
// its progress goes back to the start of the line.
func overwritten(line string) string {
	line = strings.TrimSuffix(line, "\r")
	return line[strings.LastIndexByte(line, '\r')+1:]
}
