package progen_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runnel-lang/runnel/compiler"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/progen"
	"github.com/runnel-lang/runnel/internal/testgen/reduce"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
)

var (
	firstSeed = flag.Uint64("first", 1, "first seed of TestRandomPrograms")
	numSeeds  = flag.Uint64("seeds", uint64(longtest.Of(60, 1000)), "number of seeds of TestRandomPrograms")
	source    = flag.String("source", "", "file to be run instead of generated programs")
	reduced   = flag.Bool("reduce", false, "show the shortest program that fails in the same way")
)

// What a program may use. Where a limit is reached, the outputs up to there are
// compared: the two programs do not take the same number of steps.
const (
	maxSteps  = 300_000
	maxMemory = 64 << 20
	maxOutput = 1 << 20
)

// modules finds the library's modules.
type modules struct{}

func (modules) Load(_ *types.Module, path string, isFile bool) (types.Source, error) {
	m, ok := all.Find(path)
	if isFile || !ok {
		return types.Source{}, fmt.Errorf("there is no module %s", path)
	}
	return types.Source{Key: path, Name: path + ".rnl", Text: m.Read().Source, Std: true}, nil
}

func (modules) Names() []string { return library.Names() }

// library is all modules.
var library = vm.Modules{}

func init() { library.Add(all.Modules()...) }

// check parses and checks a program; the error shows what is wrong with it.
func check(src string) (*types.Program, error) {
	files := &diag.FileSet{}
	parsed, diags := syntax.Parse(files.Add("program.rnl", src))
	prog, more := types.Check(files, parsed, types.Options{Loader: modules{}, Prelude: stdlib.Prelude()})
	var bad []diag.Diagnostic
	for _, d := range append(diags, more...) {
		if d.Severity == diag.Error {
			bad = append(bad, d)
		}
	}
	return prog, rendered(files, bad)
}

func rendered(files *diag.FileSet, diags []diag.Diagnostic) error {
	if len(diags) == 0 {
		return nil
	}
	var b strings.Builder
	if err := diag.Render(&b, files, diags, diag.Options{Width: 120}); err != nil {
		return err
	}
	return errors.New(b.String())
}

func compile(src string, plain bool) (*vm.Program, error) {
	prog, err := check(src)
	if err != nil {
		return nil, err
	}
	code, diags := compiler.Compile(prog, compiler.Options{Plain: plain, Branches: plain})
	if len(diags) > 0 {
		return nil, fmt.Errorf("plain %v: %s: %s", plain, diags[0].Code, diags[0].Message)
	}
	if err := bytecode.Verify(code, nil); err != nil {
		return nil, fmt.Errorf("plain %v: %w", plain, err)
	}
	return vm.Link(code, library)
}

// outcome is what a run showed.
type outcome struct {
	out     bytes.Buffer
	err     string
	limited bool
}

func (o *outcome) Write(p []byte) (int, error) {
	if o.out.Len()+len(p) > maxOutput {
		return 0, errors.New("too much output")
	}
	return o.out.Write(p)
}

func run(prog *vm.Program, plain bool) *outcome {
	o := &outcome{}
	in := vm.NewInstance(prog, vm.Config{Host: &host.Host{Stdout: o}, Limits: vm.Limits{Steps: maxSteps, Memory: maxMemory, Stack: 1 << 16}})
	if plain { // counting runs the code as it was compiled, without pairs
		in.CountWords()
	}
	if err := in.Run(context.Background()); err != nil {
		o.err = err.Error()
		var e *vm.Error
		o.limited = o.out.Len() > maxOutput/2 || errors.As(err, &e) && (e.Limit != 0 || strings.Contains(e.Message, "limit"))
		if e != nil {
			for _, f := range e.Trace {
				o.err += fmt.Sprintf("\n  %v", f)
			}
		}
	}
	return o
}

// compare runs a program compiled both ways; the error says how they differ.
func compare(src string) error {
	fast, err := compile(src, false)
	if err != nil {
		return err
	}
	plain, err := compile(src, true)
	if err != nil {
		return err
	}
	a, b := run(fast, false), run(plain, true)
	x, y := a.out.String(), b.out.String()
	if a.limited || b.limited {
		n := min(len(x), len(y))
		x, y = x[:n], y[:n]
		a.err, b.err = "", ""
	}
	switch {
	case x != y:
		return fmt.Errorf("outputs differ:\n%s", difference(x, y))
	case a.err != b.err:
		return fmt.Errorf("errors differ:\n%s\nplain:\n%s", a.err, b.err)
	}
	return nil
}

// difference shows the first lines that differ.
func difference(x, y string) string {
	xs, ys := strings.Split(x, "\n"), strings.Split(y, "\n")
	for i := range min(len(xs), len(ys)) {
		if xs[i] != ys[i] {
			return fmt.Sprintf("line %d: %s\nplain:  %s", i+1, xs[i], ys[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(xs), len(ys))
}

// guarded is compare with a panic as an error.
func guarded(src string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return compare(src)
}

// Optimised and plain code of random programs do the same.
func TestRandomPrograms(t *testing.T) {
	if *source != "" {
		src, err := os.ReadFile(*source)
		if err != nil {
			t.Fatal(err)
		}
		if err := guarded(string(src)); err != nil {
			t.Fatal(err, shortest(string(src), err))
		}
		return
	}
	const parts = 4
	var next atomic.Uint64
	for part := range parts {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for {
				n := next.Add(1) - 1
				if n >= *numSeeds {
					return
				}
				seed := *firstSeed + n
				src := progen.Program(seed)
				if err := guarded(src); err != nil {
					t.Errorf("seed %d: %v%s", seed, err, shortest(src, err))
				}
			}
		})
	}
}

// shortest is the program that shows a failure, where it is asked for.
func shortest(src string, err error) string {
	if !*reduced {
		return ""
	}
	kind := reduce.Kind(err)
	return "\n" + reduce.Program(src, func(s string) bool { return reduce.Kind(guarded(s)) == kind })
}

// The same under a collector that runs all the time, which shows objects it
// does not see.
func TestRandomProgramsUnderGC(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	for seed := *firstSeed; seed < *firstSeed+*numSeeds/5; seed++ {
		if err := guarded(progen.Program(seed)); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func FuzzRun(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		if err := compare(progen.Program(seed)); err != nil {
			t.Fatalf("%v\n%s", err, progen.Program(seed))
		}
	})
}

// The same seed gives the same program.
func TestProgramsAreReproducible(t *testing.T) {
	for seed := range uint64(20) {
		if first, again := progen.Program(seed), progen.Program(seed); first != again {
			t.Fatalf("seed %d gives different programs", seed)
		}
	}
}
