package nativediff_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/compiler"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/progen"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/reactor"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
	"github.com/runnel-lang/runnel/vm/native"
)

var (
	firstSeed = flag.Uint64("first", 1, "first seed of the generated programs")
	duration  = flag.Duration("for", 0, "how long to go on with generated programs")
	source    = flag.String("source", "", "file to be run instead")
)

const (
	maxSteps  = 300_000
	maxMemory = 64 << 20
	maxOutput = 1 << 20
)

// modules finds the library's modules.
type modules struct{}

func (modules) Load(from *types.Module, path string, isFile bool) (types.Source, error) {
	key, module := path, path
	if isFile {
		module, _, _ = strings.Cut(from.Path, "/")
		path = strings.TrimPrefix(path, "./")
		key = module + "/" + path
	}
	m, ok := all.Find(module)
	if !ok || isFile && !from.Std {
		return types.Source{}, fmt.Errorf("there is no module %s", path)
	}
	text := m.Read().Source
	if isFile {
		text = m.Read().Parts[path]
	}
	return types.Source{Key: key, Name: key + ".rnl", Text: text, Std: true}, nil
}

func (modules) Names() []string { return library.Names() }

var library = vm.Modules{}

func init() { library.Add(all.Modules()...) }

func compile(src string) (*bytecode.Program, error) {
	files := &diag.FileSet{}
	parsed, diags := syntax.Parse(files.Add("program.rnl", src))
	prog, more := types.Check(files, parsed, types.Options{Loader: modules{}, Prelude: stdlib.Prelude()})
	for _, d := range append(diags, more...) {
		if d.Severity == diag.Error {
			return nil, errors.New(d.Message)
		}
	}
	code, diags := compiler.Compile(prog, compiler.Options{})
	if len(diags) > 0 {
		return nil, errors.New(diags[0].Message)
	}
	return code, nil
}

// outcome is what a run showed.
type outcome struct {
	out   bytes.Buffer
	err   string
	steps int64
}

func (o *outcome) Write(p []byte) (int, error) {
	if o.out.Len()+len(p) > maxOutput {
		return 0, errors.New("too much output")
	}
	return o.out.Write(p)
}

// run runs a program under a schedule; explored, it is cut short all the time.
func run(code *bytecode.Program, machine bool, seed uint64, explored bool) (*outcome, error) {
	prog, err := vm.Link(code, library)
	if err != nil {
		return nil, err
	}
	if machine {
		native.Compile(prog)
	}
	o := &outcome{}
	in := vm.NewInstance(prog, vm.Config{
		Host: &host.Host{Stdout: o}, Limits: vm.Limits{Steps: maxSteps, Memory: maxMemory, Stack: 1 << 16},
		Chooser: reactor.Seeded(seed), Explore: explored,
	})
	defer in.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := in.Run(ctx); err != nil {
		o.err = err.Error()
		var e *vm.Error
		if errors.As(err, &e) {
			for _, f := range e.Trace {
				o.err += fmt.Sprintf("\n  %v", f)
			}
		}
	}
	o.steps = in.Usage().Steps
	if n := native.Failures.Load(); n > 0 {
		return nil, fmt.Errorf("%d batches were not compiled", n)
	}
	return o, nil
}

// difference tells how a program does something else as machine code.
func difference(code *bytecode.Program, seed uint64, explored bool) string {
	a, err := run(code, false, seed, explored)
	if err != nil {
		return ""
	}
	b, err := run(code, true, seed, explored)
	switch {
	case err != nil:
		return err.Error()
	case a.err != b.err:
		return fmt.Sprintf("the error is\n%s\nas machine code\n%s", a.err, b.err)
	case a.steps != b.steps:
		return fmt.Sprintf("%d steps, as machine code %d", a.steps, b.steps)
	case a.out.String() != b.out.String():
		x, y := strings.Split(a.out.String(), "\n"), strings.Split(b.out.String(), "\n")
		for i := range min(len(x), len(y)) {
			if x[i] != y[i] {
				return fmt.Sprintf("line %d is\n%s\nas machine code\n%s", i+1, x[i], y[i])
			}
		}
		return "the output is not as long"
	}
	return ""
}

func same(t *testing.T, name, src string, seed uint64) {
	code, err := compile(src)
	if err != nil {
		return
	}
	for _, explored := range []bool{false, true} {
		wrong := difference(code, seed, explored)
		if wrong != "" { // the library may have kept something from the first run, as a pattern
			wrong = difference(code, seed, explored)
		}
		if wrong != "" {
			t.Errorf("%s, explored %v: %s", name, explored, wrong)
			return
		}
	}
}

func TestGeneratedProgramsAreTheSameAsMachineCode(t *testing.T) {
	needsNative(t)
	if *source != "" {
		src, err := os.ReadFile(*source)
		if err != nil {
			t.Fatal(err)
		}
		same(t, *source, string(src), *firstSeed)
		return
	}
	start, n := time.Now(), uint64(longtest.Of(60, 3000))
	for seed := *firstSeed; seed < *firstSeed+n || time.Since(start) < *duration; seed++ {
		same(t, fmt.Sprint("seed ", seed), progen.Program(seed), seed)
		if t.Failed() && *duration == 0 {
			return
		}
	}
}

func TestGeneratedProgramsUnderGC(t *testing.T) {
	needsNative(t)
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	for seed := range uint64(longtest.Of(10, 500)) {
		same(t, fmt.Sprint("seed ", seed), progen.Program(10_000+seed), seed)
	}
}

func TestCasesAreTheSameAsMachineCode(t *testing.T) {
	needsNative(t)
	for _, path := range longtest.Sample(cases(t), 6) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(src), "import time") { // what they measure differs
				same(t, path, string(src), 1)
			}
		})
	}
}

func cases(t *testing.T) (paths []string) {
	for _, pattern := range []string{"../../../spec/tests/*/*.rnl", "../../../spec/tests/*.rnl", "../../../bench/cpu/*/*.rnl"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	return paths
}

func needsNative(t *testing.T) {
	if !native.Supported() {
		t.Skip("there is no machine code here")
	}
}
