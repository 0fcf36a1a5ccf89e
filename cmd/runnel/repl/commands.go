package repl

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/runnel-lang/runnel/internal/whole"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
)

// argument is what a command takes, for completion and for texts of several
// lines.
type argument uint8

const (
	nothing argument = iota
	code
	name
	file
	traceWord
)

// command is one of the words that begin with a colon.
type command struct {
	name  string
	arg   argument
	usage string // of the argument
	short string
	run   func(*shell, string) error
}

// commands in the order in which :help lists them.
var commands []command

func init() {
	commands = []command{
		{"type", code, "EXPR", "show the type of an expression without running it", (*shell).typeOf},
		{"doc", name, "NAME", "show the documentation of a name, such as list.map or fs.read", (*shell).doc},
		{"dis", code, "NAME|EXPR", "show the bytecode of a function or an expression", (*shell).dis},
		{"tasks", nothing, "", "list the live tasks", (*shell).tasks},
		{"actors", nothing, "", "list the live actors with their supervisors and state", (*shell).actors},
		{"trace", traceWord, "on|off|save FILE", "record what tasks do, for ui.perfetto.dev", (*shell).traceCommand},
		{"load", file, "FILE", "run a script as an entry, and keep what it declares", (*shell).load},
		{"reload", nothing, "", "import changed files again", (*shell).reload},
		{"save", file, "FILE", "save the entries so far as a script", (*shell).save},
		{"time", code, "[EXPR]", "time an entry; without one, turn timing of all entries on or off", (*shell).time},
		{"reset", nothing, "", "forget all declarations and end all tasks", (*shell).reset},
		{"help", nothing, "", "show this list", (*shell).help},
		{"quit", nothing, "", "quit (also Ctrl-D)", func(s *shell, _ string) error { s.quit = true; return nil }},
	}
}

// usageError is a command that was not understood.
type usageError string

func (e usageError) Error() string { return string(e) }

// splitCommand takes a text apart that is a command: its word with the colon, and
// what follows the spaces behind it. The word is empty when it is an entry.
func splitCommand(text string) (word, arg string) {
	trimmed := strings.TrimLeft(text, " \t\n")
	if !strings.HasPrefix(trimmed, ":") {
		return "", ""
	}
	end := strings.IndexAny(trimmed, " \t\n")
	if end < 0 {
		return trimmed, ""
	}
	return trimmed[:end], strings.TrimLeft(trimmed[end:], " \t\n")
}

// findCommand finds a command by its name, or by a beginning that no other has.
func findCommand(word string) (*command, error) {
	word = strings.TrimPrefix(word, ":")
	var found []*command
	var names []string
	for i := range commands {
		c := &commands[i]
		if c.name == word {
			return c, nil
		}
		if strings.HasPrefix(c.name, word) {
			found = append(found, c)
		}
		names = append(names, c.name)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1 && word != "":
		var list []string
		for _, c := range found {
			list = append(list, ":"+c.name)
		}
		return nil, usageError(fmt.Sprintf("`:%s` is ambiguous: %s", word, strings.Join(list, " or ")))
	}
	msg := fmt.Sprintf("there is no command `:%s`", word)
	if near := diag.Suggest(word, names); near != "" {
		return nil, usageError(msg + fmt.Sprintf(": did you mean `:%s`?", near))
	}
	return nil, usageError(msg + "; :help lists them")
}

// takesCode reports whether what follows a command is part of a program.
func takesCode(text string) bool {
	word, _ := splitCommand(text)
	c, err := findCommand(word)
	return word != "" && err == nil && c.arg == code
}

// command runs a command.
func (s *shell) command(text string) error {
	word, arg := splitCommand(text)
	c, err := findCommand(word)
	if err != nil {
		return err
	}
	arg = strings.TrimSpace(arg)
	switch {
	case arg == "" && c.usage != "" && !strings.HasPrefix(c.usage, "["):
		return usageError(fmt.Sprintf("`:%s` needs an argument: `:%s %s`", c.name, c.name, c.usage))
	case arg != "" && c.arg == nothing:
		return usageError(fmt.Sprintf("`:%s` takes no argument", c.name))
	}
	return c.run(s, arg)
}

func (s *shell) typeOf(source string) error {
	t, err := s.engine.TypeOf(source)
	if err == nil {
		fmt.Fprintln(s.out, s.colors.paint(dim, ": ")+s.colors.paint(query.Type, t))
	}
	return err
}

func (s *shell) doc(name string) error {
	text, err := s.engine.Doc(name)
	return s.print(text, err)
}

func (s *shell) dis(source string) error {
	text, err := s.engine.Disassemble(source)
	return s.print(text, err)
}

// print prints what an engine tells.
func (s *shell) print(text string, err error) error {
	if err == nil {
		fmt.Fprintln(s.out, strings.TrimRight(text, "\n"))
	}
	return err
}

func (s *shell) tasks(string) error {
	list := s.engine.Tasks()
	if len(list) == 0 {
		s.hint("there are no live tasks")
		return nil
	}
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "TASK\tRUNS\tSTATE\tAT")
	for _, k := range list {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", k.ID, k.Func, k.State, k.Where)
	}
	return t.Flush()
}

func (s *shell) actors(string) error {
	text, err := s.engine.Actors()
	if err == nil && text == "" {
		s.hint("there are no live actors")
		return nil
	}
	return s.print(text, err)
}

func (s *shell) load(path string) error {
	path = expandHome(path)
	data, err := os.ReadFile(path)
	if err != nil {
		return fileError(err)
	}
	s.eval(path, string(data), s.timing)
	return nil
}

func (s *shell) save(path string) error {
	source := s.engine.Source()
	if strings.TrimSpace(source) == "" {
		return usageError("there is nothing to save yet")
	}
	path = expandHome(path)
	if err := whole.Write(path, []byte(source)); err != nil {
		return fileError(err)
	}
	s.hint(fmt.Sprintf("saved %d lines to %s", strings.Count(source, "\n"), path))
	return nil
}

func (s *shell) time(source string) error {
	if source != "" {
		s.entries++
		s.eval(fmt.Sprintf("entry %d", s.entries), source, true)
		return nil
	}
	if s.timing = !s.timing; s.timing {
		s.hint("timing of entries is on")
	} else {
		s.hint("timing of entries is off")
	}
	return nil
}

func (s *shell) reset(string) error {
	o, ended := s.foreground(func(context.Context) (Result, error) { return Result{}, s.engine.Reset() })
	if ended && o.err == nil {
		s.hint("all declarations are forgotten")
	}
	return o.err
}

func (s *shell) reload(string) error {
	o, ended := s.foreground(s.engine.Reload)
	if ended && o.err == nil && len(o.result.Reloaded) == 0 {
		s.hint("no imported file has changed")
	}
	s.tellReloaded(o.result)
	return o.err
}

// tellReloaded says what an import of changed files means.
func (s *shell) tellReloaded(r Result) {
	if len(r.Reloaded) > 0 {
		s.hint(strings.Join(r.Reloaded, ", ") + ": reloaded, with new values; existing tasks and functions keep the old code and its values")
	}
}

func (s *shell) help(string) error {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, c := range commands {
		fmt.Fprintf(t, ":%s %s\t%s\n", c.name, c.usage, c.short)
	}
	fmt.Fprint(t, `
Tab	complete a name, or a path that begins with / or ./
Up, Down	move between lines, then entries
Ctrl-P, Ctrl-N	move between entries
Ctrl-R	search the history
Alt-Enter	start a new line
Ctrl-_	undo
Ctrl-C	cancel what is running, or discard the text

Commands can be abbreviated. Anything else is run as code.
_ is the last value. Long values are shown in part; print(_)
shows all.
`)
	return t.Flush()
}

// fileError says what could not be done with a file.
func fileError(err error) error {
	if pe, ok := err.(*os.PathError); ok {
		return usageError(fmt.Sprintf("cannot %s %s: %v", pe.Op, cmp.Or(pe.Path, "the file"), pe.Err))
	}
	return err
}
