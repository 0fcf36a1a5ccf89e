package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
)

// findings are the diagnostics that were told of the programs of a command: those of a
// file that several import are found with each of them.
type findings map[finding]bool

// finding is what a diagnostic says, and where.
type finding struct {
	file       string
	start, end uint32
	code       diag.Code
	message    string
}

// fresh returns the diagnostics of a program that were not told before.
func (t *findings) fresh(files *diag.FileSet, diags []diag.Diagnostic) []diag.Diagnostic {
	if *t == nil {
		*t = findings{}
	}
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		f := files.File(d.Span.Start)
		if f == nil {
			return false // it is about the program
		}
		at := finding{samePath(f.Name), d.Span.Start - f.Base, d.Span.End - f.Base, d.Code, d.Message}
		had := (*t)[at]
		(*t)[at] = true
		return had
	})
}

// testProblem tells why the tests of a file cannot run, without errors that were
// told with another file.
func (c *cli) testProblem(p *testProblem) {
	var ce *runnel.CompileError
	if !errors.As(p.err, &ce) {
		p.show()
		return
	}
	fresh := c.found.fresh(ce.Files, ce.Diags)
	if count(fresh, diag.Error) == 0 {
		fmt.Fprintf(c.stderr, "%s does not compile; see the errors above\n", safe(p.path))
		return
	}
	c.compileError(&runnel.CompileError{Files: ce.Files, Diags: fresh})
}
