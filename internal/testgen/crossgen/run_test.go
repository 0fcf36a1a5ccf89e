package crossgen_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/runnel-lang/runnel/compiler"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
	"github.com/runnel-lang/runnel/vm/native"
)

// What a program may use. Where a limit is reached, what was printed up to
// there is compared.
const (
	maxSteps  = 3_000_000
	maxMemory = 128 << 20
	maxOutput = 4 << 20
)

// modules finds the library's modules and a program's files.
type modules struct{ files map[string]string }

func (m modules) Load(from *types.Module, path string, isFile bool) (types.Source, error) {
	if isFile {
		if name := strings.TrimPrefix(path, "./"); !from.Std && m.files[name] != "" {
			return types.Source{Key: "file " + name, Name: name + ".rnl", Text: m.files[name]}, nil
		}
		return part(from.Path, path)
	}
	return standard(path)
}

func standard(path string) (types.Source, error) {
	m, ok := all.Find(path)
	if !ok {
		return types.Source{}, fmt.Errorf("there is no module %s", path)
	}
	return types.Source{Key: path, Name: path + ".rnl", Text: m.Read().Source, Std: true}, nil
}

// part finds a further source file of a module.
func part(module, path string) (types.Source, error) {
	module, _, _ = strings.Cut(module, "/")
	m, _ := all.Find(module)
	name := strings.TrimPrefix(path, "./")
	key := module + "/" + name
	return types.Source{Key: key, Name: key + ".rnl", Text: m.Read().Parts[name], Std: true}, nil
}

func (modules) Names() []string { return library.Names() }

// library is all modules.
var library = vm.Modules{}

func init() { library.Add(all.Modules()...) }

// compile parses, checks and compiles; the error shows what is wrong.
func compile(src string, plain bool) (*bytecode.Program, error) {
	return compileFiles(map[string]string{"main": src}, plain)
}

// compileFiles does it with a program in several files.
func compileFiles(texts map[string]string, plain bool) (*bytecode.Program, error) {
	files := &diag.FileSet{}
	parsed, diags := syntax.Parse(files.Add("program.rnl", texts["main"]))
	prog, more := types.Check(files, parsed, types.Options{Loader: modules{texts}, Prelude: stdlib.Prelude()})
	var bad []diag.Diagnostic
	for _, d := range append(diags, more...) {
		if d.Severity == diag.Error {
			bad = append(bad, d)
		}
	}
	if len(bad) > 0 {
		var b strings.Builder
		if err := diag.Render(&b, files, bad[:1], diag.Options{Width: 120}); err != nil {
			return nil, err
		}
		return nil, errors.New(b.String())
	}
	code, diags := compiler.Compile(prog, compiler.Options{Plain: plain, Branches: plain})
	if len(diags) > 0 {
		return nil, fmt.Errorf("%s: %s", diags[0].Code, diags[0].Message)
	}
	return code, nil
}

// outcome is what a run showed.
type outcome struct {
	mu      sync.Mutex
	message string // of the error, without its place
	out     bytes.Buffer
	err     string
	limited bool
	starved bool   // a task that nobody awaited has met a limit
	heard   string // of other such tasks
}

// unhandled hears of tasks that nobody awaits. Which are told of depends on when
// their handles are found to be gone, so this is not compared.
func (o *outcome) unhandled(e *vm.Error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.starved = o.starved || e.Limit != 0
	o.heard += e.Error() + "\n"
}

func (o *outcome) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.out.Len()+len(p) > maxOutput {
		return 0, errors.New("too much output")
	}
	return o.out.Write(p)
}

func signatures(name string) []bytecode.Signature {
	if sigs := library.Signatures(name); sigs != nil {
		return sigs
	}
	return stdlib.Signatures(name)
}

// form is how a program is run.
type form int

const (
	paired form = iota
	unpaired
	machine // compiled to machine code
)

func run(code *bytecode.Program, workers int, form form, limits vm.Limits) (*outcome, error) {
	if err := bytecode.Verify(code, signatures); err != nil {
		return nil, err
	}
	prog, err := vm.Link(code, library)
	if err != nil {
		return nil, err
	}
	if form == machine {
		native.Compile(prog)
	}
	o := &outcome{}
	in := vm.NewInstance(prog, vm.Config{
		Host:   &host.Host{Stdout: o, RandSeed: func() uint64 { return 7 }},
		Limits: limits, Workers: workers, Unhandled: o.unhandled,
	})
	if form == unpaired { // counting runs the code as it was compiled, without pairs
		in.CountWords()
	}
	if err := in.Run(context.Background()); err != nil {
		o.err = err.Error()
		var e *vm.Error
		if errors.As(err, &e) {
			o.message = e.Message
		}
		o.limited = o.out.Len() > maxOutput/2 || errors.As(err, &e) && e.Limit != 0
	}
	for _, e := range in.Unhandled() {
		o.unhandled(e)
	}
	in.Close()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.limited = o.limited || o.starved
	return o, nil
}

// What differs from run to run, and with the way a program is written.
var (
	numbers = regexp.MustCompile(`(task|actor#?) ?\d+`)
	names   = regexp.MustCompile(`<[a-z]+[^>]*>|(task|\w+#) ?\d+|\w+\.rnl:\d+:\d+`)
	blocked = regexp.MustCompile(`nothing can run any more|tasks wait for each other`)
)

// ours are texts that only a mistake of ours prints.
var ours = regexp.MustCompile(`(?i)internal error.*|E08\d\d.*|runtime error.*|nil pointer.*|bug in .*`)

// differ says how two outcomes differ, "" if they do not.
func differ(a, b *outcome) string {
	if !a.limited && !b.limited && numbers.ReplaceAllString(a.err, "") != numbers.ReplaceAllString(b.err, "") {
		return fmt.Sprintf("errors differ:\n%s\nother:\n%s", a.err, b.err)
	}
	return lines(a, b, numbers)
}

// outputs says how what was printed and the errors' messages differ.
func outputs(a, b *outcome) string {
	// Who waits for whom depends on the way that values take.
	if blocked.MatchString(a.out.String()+a.err) || blocked.MatchString(b.out.String()+b.err) {
		return ""
	}
	return lines(a, b, names)
}

// lastWords is how many lines the deferred statements of a program may print
// that has met a limit.
const lastWords = 40

// lines compares what was printed, line by line, without what may change. A limit
// may come earlier in one of them; what its deferred statements print is then told
// apart by how little it is.
func lines(a, b *outcome, changing *regexp.Regexp) string {
	limited := a.limited || b.limited
	if p, q := changing.ReplaceAllString(a.message, "<>"), changing.ReplaceAllString(b.message, "<>"); !limited && p != q {
		return fmt.Sprintf("errors differ:\n%s\nother:\n%s", a.err, b.err)
	}
	xs, ys := strings.Split(a.out.String(), "\n"), strings.Split(b.out.String(), "\n")
	for i := range min(len(xs), len(ys)) {
		if p, q := changing.ReplaceAllString(xs[i], "<>"), changing.ReplaceAllString(ys[i], "<>"); p != q {
			if a.limited && len(xs)-i <= lastWords || b.limited && len(ys)-i <= lastWords {
				return ""
			}
			return fmt.Sprintf("line %d: %s\nother:  %s", i+1, xs[i], ys[i])
		}
	}
	if len(xs) != len(ys) && !limited {
		return fmt.Sprintf("%d and %d lines", len(xs), len(ys))
	}
	return ""
}
