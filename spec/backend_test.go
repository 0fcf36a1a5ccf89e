package spec

import (
	"bytes"
	"errors"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/vmtest"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// program is a case that went through the front end.
type program struct {
	name, src string
	rendered  string // the diagnostics, as a user sees them
}

// What a run may use at most, so that a defect cannot hang or swamp the tests.
const (
	maxRun    = time.Minute
	maxMemory = 512 << 20
	maxOutput = 1 << 20
)

// capture keeps the first bytes written to it.
type capture struct{ bytes.Buffer }

func (c *capture) Write(p []byte) (int, error) {
	c.Buffer.Write(p[:min(len(p), max(0, maxOutput-c.Len()))])
	return len(p), nil
}

// check returns the diagnostics of a program, with those of the compiler unless
// it is only to be type-checked.
func check(t *testing.T, name, src string, checkOnly bool) (p *program, found []diagnostic) {
	t.Helper()
	name = filepath.ToSlash(name)
	defer func() {
		if r := recover(); r != nil { // the other cases still run
			t.Errorf("%s: panic: %v\n%s", name, r, debug.Stack())
			p, found = &program{name: name, src: src, rendered: "panic"}, []diagnostic{{Code: "panic"}}
		}
	}()
	var files *diag.FileSet
	var diags []diag.Diagnostic
	if checkOnly {
		checked := compiler().Check(name, src)
		files, diags = checked.Files, checked.Diags
	} else {
		var failed *runnel.CompileError
		switch prog, err := compiled(name, src); {
		case err == nil:
			files, diags = prog.Files, prog.Warnings
		case errors.As(err, &failed):
			files, diags = failed.Files, failed.Diags
		default:
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := diag.Render(&b, files, diags, diag.Options{}); err != nil {
		t.Fatal(err)
	}
	p = &program{name, src, b.String()}
	for _, d := range diags {
		f := files.File(d.Span.Start)
		if f == nil {
			t.Fatalf("a diagnostic without a place:\n%s", p.rendered)
		}
		line, col := f.Pos(d.Span.Start)
		at := diagnostic{Code: string(d.Code), Line: line, Col: col}
		if f.Name != name {
			at.File = f.Name
		}
		found = append(found, at)
	}
	return p, found
}

// run runs the program to its end. Where ops is not nil, the opcodes executed
// are counted there.
func (p *program) run(t *testing.T, e expectation, ops *[256]uint64) result {
	t.Helper()
	prog, err := compiled(p.name, p.src)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(e)
	in := s.instance(prog)
	var counts []uint64
	if ops != nil {
		counts = in.CountWords()
	}
	r := s.run(t, in)
	for word, n := range counts {
		if n == 0 { // it may be an immediate
			continue
		}
		ops[bytecode.OpOf(prog.Code.Code[word])] += n
	}
	if err := vmtest.CheckGlobals(in.VM()); err != nil {
		t.Errorf("a variable does not hold a value of its type: %v", err)
	}
	return r
}
