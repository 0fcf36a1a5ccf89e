package spec

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/compiler"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// program is a case after the front end.
type program struct {
	path     string
	rendered string // the diagnostics, as a user sees them
	code     *bytecode.Program
}

// loader finds the library's modules, and files beside the importing one.
type loader struct{}

func (loader) Load(from *types.Module, name string, isFile bool) (types.Source, error) {
	if !isFile {
		text, ok := stdlib.Source(name)
		if !ok {
			return types.Source{}, errors.New("there is no such module")
		}
		return types.Source{Key: name, Name: name + ".rnl", Text: text, Std: true}, nil
	}
	file := path.Join(path.Dir(filepath.ToSlash(from.File.Source.Name)), name) + ".rnl"
	text, err := os.ReadFile(filepath.FromSlash(file))
	return types.Source{Key: "./" + file, Name: file, Text: string(text)}, err
}

func (loader) Names() []string { return stdlib.Names() }

// check takes a program through the front end and the compiler.
func check(t *testing.T, name, src string) (*program, []diagnostic) {
	t.Helper()
	fset := &diag.FileSet{}
	tree, diags := syntax.Parse(fset.Add(filepath.ToSlash(name), src))
	p := &program{path: name}
	if !hasErrors(diags) {
		checked, more := types.Check(fset, tree, types.Options{Loader: loader{}, Prelude: stdlib.Prelude()})
		diags = append(diags, more...)
		if !hasErrors(diags) {
			code, limits := compiler.Compile(checked, compiler.Options{})
			diags = append(diags, limits...)
			p.code = code
		}
	}
	var b bytes.Buffer
	if err := diag.Render(&b, fset, diags, diag.Options{Width: 120}); err != nil {
		t.Fatal(err)
	}
	p.rendered = b.String()
	var out []diagnostic
	for _, d := range diags {
		f := fset.File(d.Span.Start)
		if f == nil {
			t.Fatalf("a diagnostic without a place:\n%s", p.rendered)
		}
		found := diagnostic{Code: string(d.Code)}
		found.Line, found.Col = f.Pos(d.Span.Start)
		if f.Name != filepath.ToSlash(name) {
			found.File = f.Name
		}
		out = append(out, found)
	}
	return p, out
}

func hasErrors(diags []diag.Diagnostic) bool {
	for _, d := range diags {
		if d.Severity == diag.Error {
			return true
		}
	}
	return false
}

// run runs the program to its end.
func (p *program) run(t *testing.T, e expectation) result {
	t.Helper()
	linked, err := vm.Link(p.code)
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	out := vm.NewOutput(&stdout)
	var r result
	host := vm.SystemHost(e.args)
	host.Stdout, host.Stderr, host.Stdin = out, out, strings.NewReader(e.stdin)
	in := vm.NewInstance(linked, host, vm.Limits{Memory: e.limits.Memory, Steps: e.limits.Steps, Stack: int(e.limits.Stack)})
	if err := in.Run(); err != nil {
		r.exit, r.errText = 1, err.Error()
	}
	out.Flush()
	r.stdout = stdout.String()
	return r
}
