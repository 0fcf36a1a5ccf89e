// Package repl is the session at a terminal: it reads entries and commands, has
// an engine run them and shows what they give.
//
//	lineEditor ─ text ─▶ shell ─┬─ entry ──▶ Engine ──▶ result, or report of an error
//	                            └─ :command ─▶ commands
//
// While an entry runs the terminal is the script's: it reads what is typed, and
// Ctrl-C cancels the entry. At the prompt it is the editor's, and what tasks in
// the background print comes above it.
package repl

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
)

// Options of Run.
type Options struct {
	Engine   Engine
	Terminal *lineedit.Terminal
	// Report shows an error of an entry.
	Report func(w io.Writer, err error)
	// Taken tells that the script heeds interrupts itself; then the first one
	// does not cancel. It may be nil.
	Taken   func() bool
	Color   bool
	Version string
}

// lineEditor lets the user enter a text of one or several lines. The error is
// lineedit.ErrInterrupt, with what was given up, or io.EOF.
type lineEditor interface {
	Read() (string, error)
}

// console is where a session is held.
type console interface {
	io.Writer
	// FreshLine begins a new line, unless nothing stands in the last one.
	FreshLine()
	// Size returns the columns and rows.
	Size() (width, height int)
}

type terminal struct {
	*lineedit.Terminal
	io.Writer
}

// shell is the state of a session.
type shell struct {
	engine     Engine
	editor     lineEditor
	out        console
	report     func(w io.Writer, err error)
	colors     palette
	history    *lineedit.History
	interrupts <-chan os.Signal
	taken      func() bool

	entries int // how many were run
	timing  bool
	trace   recording
	quit    bool
}

// Run holds a session until the user leaves.
func Run(o Options) {
	interrupts, stop := heedSignals(o.Terminal, o.Engine)
	defer stop()
	s := &shell{engine: o.Engine, out: terminal{o.Terminal, o.Terminal.Output()}, report: o.Report, interrupts: interrupts, taken: o.Taken}
	if o.Color {
		s.colors = colored
	}
	var err error
	if s.history, err = lineedit.NewHistory(historyFile(), maxHistory); err != nil {
		s.hint("cannot read the history of earlier sessions: " + err.Error())
	}
	s.editor = s.newEditor(o.Terminal)
	fmt.Fprintf(s.out, "Runnel %s. %s\n", cmp.Or(o.Version, "(devel)"), s.colors.paint(dim, ":help lists commands, Ctrl-D quits"))
	s.run()
	s.trace.close()
}

// newEditor makes the editor that a terminal has the means for.
func (s *shell) newEditor(t *lineedit.Terminal) lineEditor {
	c := lineedit.Config{
		Prompt: s.colors.paint(prompt, "> "), More: s.colors.paint(dim, ". "),
		Incomplete: s.incomplete, Complete: s.complete, Hint: s.signature, Indent: indentation, Closes: closing,
		Dim: s.colors[dim], History: s.history,
	}
	if s.colors != nil {
		c.Paint = s.colors.highlight
	}
	if width, _ := t.Size(); width < minWidth || os.Getenv("TERM") == "dumb" {
		return lineedit.NewPlain(t, c)
	}
	return lineedit.NewEditor(t, c)
}

// minWidth is how many columns an editor needs to be of use.
const minWidth = 16

// run handles what the user enters until there is no more. Ctrl-C leaves when
// nothing was given up, twice.
func (s *shell) run() {
	given := 0
	for !s.quit {
		text, err := s.editor.Read()
		switch {
		case errors.Is(err, lineedit.ErrInterrupt):
			if given++; strings.TrimSpace(text) != "" {
				given = 0
			}
			switch given {
			case 1:
				s.hint("press Ctrl-C again, or Ctrl-D, to quit")
			case 2:
				return
			}
			continue
		case err != nil:
			if err != io.EOF {
				s.fail(err)
			}
			return
		}
		given = 0
		s.enter(text)
	}
}

// enter handles a text, which becomes one entry of the history.
func (s *shell) enter(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if err := s.history.Add(text); err != nil {
		s.hint("the history cannot be saved: " + err.Error())
	}
	for text != "" && !s.quit {
		text = s.handle(text)
	}
}

// handle handles an entry, or a command and gives what follows it.
func (s *shell) handle(text string) (rest string) {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, ":") {
		s.evalEntry(text)
		return ""
	}
	line, rest := trimmed, ""
	if !takesCode(trimmed) {
		line, rest, _ = strings.Cut(trimmed, "\n")
	}
	if err := s.command(line); err != nil {
		s.fail(err)
	}
	return rest
}

// incomplete reports whether a text continues in the next line.
func (s *shell) incomplete(text string) bool {
	if c, arg := splitCommand(text); c != "" {
		return takesCode(text) && s.engine.Incomplete(arg)
	}
	return s.engine.Incomplete(text)
}

// hint tells the user something that is not a result.
func (s *shell) hint(text string) {
	s.out.FreshLine()
	fmt.Fprintln(s.out, s.colors.paint(dim, text))
}

// fail shows an error of a command.
func (s *shell) fail(err error) {
	s.out.FreshLine()
	var known usageError
	if errors.As(err, &known) {
		fmt.Fprintln(s.out, s.colors.paint(wrong, "error")+": "+err.Error())
		return
	}
	s.report(s.out, err)
}
