package lineedit

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// ErrInterrupt is what Read gives when the user gives up a text with Ctrl-C.
var ErrInterrupt = errors.New("interrupted")

// Config of an Editor. Functions may be nil.
type Config struct {
	Prompt string // of the first line; may have colors
	More   string // of the lines that follow it
	// Incomplete tells that Enter begins another line.
	Incomplete func(text string) bool
	// Indent is how far a new line behind a text is indented.
	Indent func(text string) int
	// Closes tells that a character typed at the start of a line belongs one
	// level less deep.
	Closes func(r rune) bool
	// Complete gives what may stand at a byte offset.
	Complete func(text string, at int) []Completion
	// Hint gives a line that is shown below while nothing else is, for the cursor at
	// a byte offset; "" for none.
	Hint func(text string, at int) string
	// Paint gives the style of each byte of a text. The cursor is at an offset, -1
	// when there is none any more.
	Paint func(text string, at int) []Style
	// Dim is the style of explanations.
	Dim     Style
	History *History
}

// Editor reads texts at a Terminal. One goroutine uses it.
type Editor struct {
	t    *Terminal
	keys decoder
	Config

	buf     buffer
	visit   visit
	search  *search
	offered offer
	hint    string
	done    bool // the text is entered or given up
	err     error
}

// NewEditor makes an editor for a terminal.
func NewEditor(t *Terminal, c Config) *Editor {
	if c.History == nil {
		c.History = &History{}
	}
	return &Editor{t: t, Config: c, keys: decoder{t.in.key, t.in.follows}}
}

// Read lets the user edit a text and gives it when it is entered. The error is
// ErrInterrupt, with the text that was given up, or io.EOF.
func (e *Editor) Read() (string, error) {
	e.buf.reset()
	e.visit = e.History.visit()
	e.done, e.err, e.hint = false, nil, ""
	if err := e.t.edit(e.view); err != nil {
		return "", err
	}
	for {
		k, pasted, err := e.keys.key()
		if done := e.take(k, pasted, err); done {
			return e.buf.String(), e.err
		}
	}
}

// take handles a key, and reports whether the text is done.
func (e *Editor) take(k key, pasted string, err error) bool {
	t := e.t
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		e.err = io.EOF
		return true
	case err != nil:
		e.finish(err)
	case k == keyPaste:
		e.quitSearch()
		e.offered = offer{}
		e.buf.insert(pasted)
	default:
		e.key(k)
	}
	e.buf.settle()
	if e.done {
		t.leave()
		return true
	}
	if !t.in.waiting() { // else drawing would only cost time
		e.hinted()
		t.screen.draw(t.current())
	}
	return false
}

// hinted asks for the hint at the cursor.
func (e *Editor) hinted() {
	if e.hint = ""; e.Hint != nil && e.search == nil && len(e.offered.list) == 0 {
		e.hint = e.Hint(e.buf.String(), len(string(e.buf.text[:e.buf.at])))
	}
}

func (e *Editor) finish(err error) { e.done, e.err = true, err }

// key handles a key.
func (e *Editor) key(k key) {
	if e.search != nil && e.searchKey(k) {
		return
	}
	if k == '\t' {
		e.tab()
		return
	}
	e.offered = offer{}
	if f := bindings[k]; f != nil {
		f(e)
	} else if k >= ' ' {
		e.char(rune(k))
	}
}

// bindings are the keys that do something. They are those of Emacs, as in shells.
var bindings map[key]func(e *Editor)

func init() {
	move := func(to func(*buffer) int) func(e *Editor) {
		return func(e *Editor) { e.buf.at = to(&e.buf) }
	}
	kill := func(to func(*buffer) int) func(e *Editor) {
		return func(e *Editor) { e.buf.kill(min(e.buf.at, to(&e.buf)), max(e.buf.at, to(&e.buf))) }
	}
	bindings = map[key]func(e *Editor){
		keyEnter: (*Editor).enter, ctrl('J'): (*Editor).enter, keyNewline: (*Editor).newline,
		keyLeft: move((*buffer).left), ctrl('B'): move((*buffer).left),
		keyRight: move((*buffer).right), ctrl('F'): move((*buffer).right),
		keyHome: move((*buffer).lineStart), ctrl('A'): move((*buffer).lineStart),
		keyEnd: move((*buffer).lineEnd), ctrl('E'): move((*buffer).lineEnd),
		keyWordLeft: move((*buffer).wordLeft), keyWordRight: move((*buffer).wordRight),
		keyUp: (*Editor).up, keyDown: (*Editor).down,
		keyOlder: (*Editor).older, ctrl('P'): (*Editor).older,
		keyNewer: (*Editor).newer, ctrl('N'): (*Editor).newer,
		keyBackspace: (*Editor).backspace, ctrl('H'): (*Editor).backspace,
		keyDelete:     func(e *Editor) { e.buf.deleteTo(e.buf.right()) },
		keyDeleteWord: kill((*buffer).wordRight), keyDeleteWordBack: kill((*buffer).wordLeft),
		ctrl('W'): kill((*buffer).spaceLeft), ctrl('U'): kill((*buffer).lineStart), ctrl('K'): (*Editor).killLine,
		ctrl('Y'): func(e *Editor) { e.buf.insert(string(e.buf.killed)) },
		ctrl('T'): func(e *Editor) { e.buf.transpose() },
		ctrl('_'): func(e *Editor) { e.buf.undo() },
		ctrl('R'): (*Editor).startSearch,
		ctrl('L'): func(e *Editor) { e.t.screen.clear(e.t.current()) },
		ctrl('Z'): func(e *Editor) { e.t.suspend() },
		ctrl('C'): func(e *Editor) { e.finish(ErrInterrupt) },
		ctrl('D'): (*Editor).deleteOrEnd,
	}
}

// enter ends the text when it is complete.
func (e *Editor) enter() {
	if e.Incomplete != nil && e.Incomplete(e.buf.String()) {
		e.newline()
		return
	}
	e.finish(nil)
}

// newline begins a line below, indented as the ones above ask for.
func (e *Editor) newline() {
	indent := 0
	if e.Indent != nil {
		indent = e.Indent(string(e.buf.text[:e.buf.at]))
	}
	e.buf.insert("\n" + strings.Repeat(" ", indent))
}

// indentWidth is how much deeper a level is.
const indentWidth = 2

func (e *Editor) char(r rune) {
	if e.Closes != nil && e.Closes(r) && e.buf.indentedOnly() && e.buf.lineStart() > 0 {
		e.buf.replace(max(e.buf.lineStart(), e.buf.at-indentWidth), e.buf.at, []rune{r})
		return
	}
	e.buf.insert(string(r))
}

// backspace takes a character, or a level of indentation.
func (e *Editor) backspace() {
	b := &e.buf
	if n := b.at - b.lineStart(); n > 0 && b.indentedOnly() {
		b.deleteTo(b.at - 1 - (n-1)%indentWidth)
		return
	}
	b.deleteTo(b.left())
}

// killLine takes the rest of the line, and the end of one that has no rest.
func (e *Editor) killLine() {
	to := e.buf.lineEnd()
	if to == e.buf.at {
		to = e.buf.right()
	}
	e.buf.kill(e.buf.at, to)
}

func (e *Editor) deleteOrEnd() {
	if len(e.buf.text) == 0 {
		e.finish(io.EOF)
		return
	}
	e.buf.deleteTo(e.buf.right())
}

func (e *Editor) up() {
	if !e.buf.up() {
		e.older()
	}
}

func (e *Editor) down() {
	if !e.buf.down() {
		e.newer()
	}
}

func (e *Editor) older() { e.recall(-1) }
func (e *Editor) newer() { e.recall(1) }

func (e *Editor) recall(by int) {
	if text, ok := e.visit.move(by, e.buf.String()); ok {
		e.buf.set(text)
	}
}

// view is what is to be seen now.
func (e *Editor) view() *view {
	v := &view{prompt: e.Prompt, more: e.More, text: e.buf.text, at: e.buf.at}
	if e.Paint != nil {
		text, at := e.buf.String(), len(string(e.buf.text[:e.buf.at]))
		if e.done {
			at = -1
		}
		v.styles = perRune(text, e.Paint(text, at))
	}
	switch {
	case e.search != nil:
		v.below = []string{e.search.String()}
	case e.hint != "":
		v.below = []string{e.hint}
	default:
		v.below = e.offered.lines(e.t, e.Dim)
	}
	return v
}

// perRune picks the styles of characters from those of bytes.
func perRune(text string, styles []Style) []Style {
	var list []Style
	for i := range text {
		list = append(list, styles[i])
	}
	return list
}

func (e *Editor) startSearch() {
	before := e.buf
	before.text = slices.Clone(before.text)
	e.search = &search{h: e.History, at: len(e.History.entries), before: before}
}

func (e *Editor) quitSearch() { e.search = nil }

// searchKey handles a key during a search. Keys that mean nothing there end it
// and do what they usually do.
func (e *Editor) searchKey(k key) bool {
	s := e.search
	switch {
	case k == ctrl('R'):
		s.find(s.at-1, -1)
	case k == ctrl('S'):
		s.find(s.at+1, 1)
	case k == keyBackspace || k == ctrl('H'):
		runes := []rune(s.query)
		s.query = string(runes[:max(len(runes)-1, 0)])
		s.find(len(s.h.entries)-1, -1)
	case k >= ' ':
		s.query += string(rune(k))
		s.find(min(s.at, len(s.h.entries)-1), -1)
	case k == ctrl('C') || k == ctrl('G'):
		e.buf = s.before
		e.quitSearch()
		return true
	default:
		e.visit.at, e.visit.draft = s.at, s.before.String()
		e.quitSearch()
		return k == keyEscape
	}
	if !s.failed && s.at < len(s.h.entries) {
		text := s.h.entries[s.at]
		e.buf.set(text)
		e.buf.at = len([]rune(text[:strings.Index(text, s.query)]))
	}
	return true
}

func (s *search) String() string {
	if s.failed {
		return "search (nothing found): " + s.query
	}
	return "search: " + s.query
}
