package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// problem reports that something outside the script went wrong.
func (c *cli) problem(err error) int {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = fmt.Errorf("cannot %s %s: %v", pe.Op, pe.Path, pe.Err)
	}
	fmt.Fprintln(c.stderr, c.paint(red, "runnel:"), safe(err.Error()))
	return exitUsage
}

// usage reports a wrong command line.
func (c *cli) usage(msg string) int {
	fmt.Fprintln(c.stderr, c.paint(red, "runnel:"), safe(msg))
	if c.command == "" {
		fmt.Fprintln(c.stderr, "run `runnel help` for a list of commands")
	} else {
		fmt.Fprintf(c.stderr, "run `runnel help %s` for its arguments and flags\n", c.command)
	}
	return exitUsage
}

// apart writes an empty line between reports that follow one another.
func (c *cli) apart() {
	if c.reported.Swap(true) {
		fmt.Fprintln(c.stderr)
	}
}

func (c *cli) diagnostics(files *diag.FileSet, diags []diag.Diagnostic) {
	if err := diag.Render(c.stderr, files, diags, diag.Options{Color: c.colored(c.stderr), Width: terminalWidth(c.stderr)}); err != nil {
		c.problem(err)
	}
}

// told leaves out the warnings that are not shown with a program that runs.
func (c *cli) told(diags []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		return d.Severity == diag.Warning && !c.warn && (c.quiet || !d.Misleads())
	})
}

// maxWarnings is how many warnings stand before the output of a program or an entry.
const maxWarnings = 5

// warnings shows those of a program that is going to run.
func (c *cli) warnings(files *diag.FileSet, diags []diag.Diagnostic) {
	diags = c.told(diags)
	if len(diags) == 0 {
		return
	}
	c.firstWarnings(files, diags, ": `runnel check` shows all")
	fmt.Fprintln(c.stderr)
}

// firstWarnings shows as many as can be read, and says what is with the others.
func (c *cli) firstWarnings(files *diag.FileSet, diags []diag.Diagnostic, others string) {
	more := 0
	if !c.warn && len(diags) > maxWarnings {
		diags, more = diags[:maxWarnings], len(diags)-maxWarnings
	}
	c.diagnostics(files, diags)
	if more > 0 {
		fmt.Fprintf(c.stderr, "\n%s more%s\n", plural(more, "warning"), others)
	}
}

// compileError shows the diagnostics of a program that did not compile.
func (c *cli) compileError(err error) int {
	var ce *runnel.CompileError
	if !errors.As(err, &ce) {
		return c.problem(err)
	}
	diags := c.told(ce.Diags)
	c.diagnostics(ce.Files, diags)
	if n := count(diags, diag.Error); n > 1 {
		fmt.Fprintf(c.stderr, "\n%d errors\n", n)
	}
	return exitUsage
}

func count(diags []diag.Diagnostic, s diag.Severity) int {
	n := 0
	for i := range diags {
		if diags[i].Severity == s {
			n++
		}
	}
	return n
}

// uncaught shows an error that a script ended with, apart from others.
func (c *cli) uncaught(p *runnel.Program, err error) int {
	c.apart()
	return c.scriptError(p, err)
}

// again reports an error in a line if it is one of those that were told: an actor
// fails with the error that it has from another one.
func (c *cli) again(err error, told []error) bool {
	var e *vm.Error
	if !errors.As(err, &e) || e.Actor == "" || !slices.ContainsFunc(told, func(t error) bool { return errors.Is(e, t) }) {
		return false
	}
	fmt.Fprintf(c.stderr, "%s has failed with the same error\n", e.Actor)
	return true
}

// scriptError shows an uncaught error as diagnostics are shown: what, where,
// and how execution came there. It gives the exit code.
func (c *cli) scriptError(p *runnel.Program, err error) int {
	var race *raceError
	if errors.As(err, &race) {
		c.raceReport(p, race.Race)
		return exitScript
	}
	var e *vm.Error
	if !errors.As(err, &e) {
		c.problem(err)
		return exitScript
	}
	d := diag.Diagnostic{Message: headline(e)}
	if e.First != nil {
		text, _, _ := strings.Cut(headline(e.First), "\n")
		d.Notes = append(d.Notes, "a deferred statement threw it, replacing "+text+where(e.First.Trace))
	}
	// Further lines of the message become notes: a headline is one line.
	if first, more, ok := strings.Cut(d.Message, "\n"); ok {
		d.Message = first
		d.Notes = append(d.Notes, more)
	}
	if help := mistakeHelp(e); help != "" {
		d.Help = append(d.Help, help)
	}
	files := &diag.FileSet{}
	if f := place(p.Code, e.Trace); f != nil {
		d.Span = span(files, p.Code, f)
		if !d.Span.IsValid() {
			d.Message += fmt.Sprintf(" (%s:%d:%d)", f.File, f.Line, f.Col)
		}
	}
	c.diagnostics(files, []diag.Diagnostic{d})
	c.callTrace(e.Trace)
	if c.interrupted() {
		return c.signals.stopped()
	}
	return exitScript
}

// headline is what an error tells, behind its kind where that says more.
func headline(e *vm.Error) string {
	if e.Limit == 0 && e.Kind != bytecode.ErrNames[vm.ErrPlain] {
		return e.Kind + ": " + e.Message
	}
	return e.Message
}

// where is the innermost place of a trace that has one.
func where(trace []vm.Frame) string {
	for _, f := range trace {
		if f.Line > 0 {
			return fmt.Sprintf(" (%s:%d:%d)", f.File, f.Line, f.Col)
		}
	}
	return ""
}

// mistakeHelp says what to write instead where an error tells of a mistake in
// the program that newcomers make.
func mistakeHelp(e *vm.Error) string {
	switch {
	case e.Kind == bytecode.ErrNames[vm.ErrIndex] && strings.HasPrefix(e.Message, "index -"):
		return "indices start at 0; the last element of a list is `xs.last()`"
	case e.Kind == bytecode.ErrNames[vm.ErrIndex] && strings.HasPrefix(e.Message, "slice [") && strings.Contains(e.Message, "the list has"):
		return "`xs.take(n)` returns the first n elements and `xs.skip(n)` the rest, even if there are fewer"
	case e.Kind == bytecode.ErrNames[vm.ErrKey]:
		return "`m.get(key)` returns none for a missing key; `m.get(key) ?? x` supplies a default"
	case e.Kind == bytecode.ErrNames[vm.ErrCast]:
		return "`x is T` tests the type; `match` handles several types"
	}
	return ""
}

// place is the frame to be shown: the innermost one outside of the library.
func place(code *bytecode.Program, trace []vm.Frame) *vm.Frame {
	for i := range trace {
		if f := sourceFile(code, trace[i].File); trace[i].Line > 0 && f != nil && !f.Std {
			return &trace[i]
		}
	}
	for i := range trace {
		if trace[i].Line > 0 {
			return &trace[i]
		}
	}
	return nil
}

func sourceFile(code *bytecode.Program, name string) *bytecode.SourceFile {
	for i := range code.Files {
		if code.Files[i].Name == name {
			return &code.Files[i]
		}
	}
	return nil
}

// span finds a frame's place in the source text. A compiled program may come
// without it: then the file is read, if it is still the one that was compiled.
func span(files *diag.FileSet, code *bytecode.Program, f *vm.Frame) diag.Span {
	src := sourceFile(code, f.File)
	if src == nil {
		return diag.NoSpan
	}
	text := src.Text
	if text == "" {
		data, err := os.ReadFile(src.Name)
		if err != nil || sha256.Sum256(data) != src.Hash {
			return diag.NoSpan
		}
		text = string(data)
	}
	file := fileOf(files, src.Name, text)
	if file == nil {
		return diag.NoSpan
	}
	start := 0
	for line := 1; line < f.Line; line++ {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			return diag.NoSpan
		}
		start += i + 1
	}
	for col := 1; col < f.Col && start < len(text) && text[start] != '\n'; col++ {
		_, size := utf8.DecodeRuneInString(text[start:])
		start += size
	}
	end := start
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return file.Span(start, max(end, min(start+1, len(text))))
}

// fileOf adds a file, once.
func fileOf(files *diag.FileSet, name, text string) *diag.File {
	for _, f := range files.Files() {
		if f.Name == name {
			return f
		}
	}
	return files.Add(name, text)
}

func isWord(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// callTrace lists the calls that led to an error, innermost first; a place that
// recurs is shown once.
func (c *cli) callTrace(frames []vm.Frame) {
	if len(frames) < 2 {
		return
	}
	w := bufio.NewWriter(c.stderr)
	defer w.Flush()
	fmt.Fprintln(w, c.paint(blue, "trace, innermost call first:"))
	width := 0
	for _, f := range frames {
		if f.File != "" {
			width = max(width, utf8.RuneCountInString(f.Func))
		}
	}
	for i := 0; i < len(frames); {
		n := 1
		for i+n < len(frames) && frames[i+n] == frames[i] {
			n++
		}
		f := frames[i]
		at := f.File
		if f.Line > 0 {
			at += fmt.Sprintf(":%d:%d", f.Line, f.Col)
		}
		if n > 1 {
			at += fmt.Sprintf("  (%d times)", n)
		}
		if i += n; f.File == "" { // how many are left out
			fmt.Fprintf(w, "  %s\n", f.Func)
			continue
		}
		fmt.Fprintf(w, "  %s  %s\n", c.paint(bold, fmt.Sprintf("%-*s", width, f.Func)), safe(at))
	}
}
