package main

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/vm"

	"github.com/runnel-lang/runnel/internal/lazy"
)

// docTests are the equations in the doc comments of a script. Each is asserted in
// a test block behind the script's text; what is said of the block is said of the
// comment instead.
type docTests struct {
	path, script string
	tests        []docTest
}

type docTest struct {
	equation  string
	at        int // offset in the script
	line, col int
}

// docExample is the code that ends a line of a doc comment, after a colon.
var docExample = lazy.Regexp("(?m)^[ \t]*///.*: `(.*)`\\.?\r?$")

func findDocTests(path, text string) docTests {
	d := docTests{path: path, script: text}
	for _, m := range docExample().FindAllStringSubmatchIndex(text, -1) {
		code := text[m[2]:m[3]]
		if !isEquation(code) {
			continue
		}
		lineStart := strings.LastIndexByte(text[:m[2]], '\n') + 1
		d.tests = append(d.tests, docTest{
			code, m[2], strings.Count(text[:m[2]], "\n") + 1, utf8.RuneCountInString(text[lineStart:m[2]]) + 1,
		})
	}
	return d
}

// isEquation refuses what a comment follows, since it would take the rest of its
// line along.
func isEquation(code string) bool {
	file := (&diag.FileSet{}).Add("", code)
	tree, diags := syntax.Parse(file)
	if len(diags) > 0 || len(tree.Items) != 1 {
		return false
	}
	stmt, ok := tree.Items[0].(*syntax.ExprStmt)
	if !ok {
		return false
	}
	b, ok := stmt.X.(*syntax.Binary)
	return ok && b.Op == syntax.OpEq && int(b.Span().End-file.Base) == len(strings.TrimRight(code, " "))
}

const docBefore, docAfter = `test "doc" { assert(`, ") }\n"

// program is the script with a test block for each equation, one a line.
func (d *docTests) program() string {
	var b strings.Builder
	b.WriteString(d.script)
	if len(d.tests) > 0 {
		b.WriteByte('\n')
	}
	for _, t := range d.tests {
		b.WriteString(docBefore + t.equation + docAfter)
	}
	return b.String()
}

// place has the trace of an error lead to the comment.
func (d *docTests) place(err error) {
	var e *vm.Error
	if len(d.tests) == 0 || !errors.As(err, &e) {
		return
	}
	first := strings.Count(d.script, "\n") + 2
	for i := range e.Trace {
		if at := &e.Trace[i]; at.File == d.path && at.Line >= first {
			t := &d.tests[at.Line-first]
			at.Func, at.Line, at.Col = "doc comment", t.line, t.col+max(0, at.Col-1-len(docBefore))
		}
	}
}

// placed has the diagnostics of a program that did not compile point at the
// comment.
func (d *docTests) placed(err error) error {
	var ce *runnel.CompileError
	if !errors.As(err, &ce) {
		return err
	}
	return &runnel.CompileError{Files: ce.Files, Diags: d.spans(ce.Files, ce.Diags)}
}

func (d *docTests) spans(files *diag.FileSet, diags []diag.Diagnostic) []diag.Diagnostic {
	if len(d.tests) == 0 {
		return diags
	}
	diags = slices.Clone(diags)
	for i := range diags {
		g := &diags[i]
		g.Span = d.span(files, g.Span)
		g.Labels = slices.Clone(g.Labels)
		for k := range g.Labels {
			g.Labels[k].Span = d.span(files, g.Labels[k].Span)
		}
	}
	return diags
}

func (d *docTests) span(files *diag.FileSet, s diag.Span) diag.Span {
	file := files.File(s.Start)
	if file == nil || file.Name != d.path {
		return s
	}
	from, to := int(s.Start-file.Base), int(s.End-file.Base)
	begin := len(d.script) + 1
	for _, t := range d.tests {
		end := begin + len(docBefore) + len(t.equation) + len(docAfter)
		if begin <= from && from < end {
			shift := func(at int) int { return t.at + min(max(0, at-begin-len(docBefore)), len(t.equation)) }
			return file.Span(shift(from), shift(to))
		}
		begin = end
	}
	return s
}
