package runnel_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// script may import all modules, and reaches nothing.
var script = runneltest.Runner{Modules: all.Modules()}

func TestRunPrints(t *testing.T) {
	script.Compile(t, `print("hello", 1 + 2)`).Prints(t, "hello 3\n")
}

func TestCompileErrorHasTheDiagnostics(t *testing.T) {
	_, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("bad.rnl", "let x: int = \"a\"\nprint(y)")
	var ce *runnel.CompileError
	require.ErrorAs(t, err, &ce)
	var codes []diag.Code
	for _, d := range ce.Diags {
		if d.Severity == diag.Error {
			codes = append(codes, d.Code)
		}
	}
	assert.Equal(t, []diag.Code{"E0301", "E0201"}, codes)
	assert.Contains(t, ce.Error(), "bad.rnl:1:14")
}

func TestRuntimeErrorHasATrace(t *testing.T) {
	err := script.Run(t, "fn f(xs: [int]) -> int { xs[3] }\nprint(f([1]))").Err
	var e *runnel.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "IndexError", e.Kind)
	require.Len(t, e.Trace, 2)
	assert.Equal(t, "f", e.Trace[0].Func)
	assert.Equal(t, 1, e.Trace[0].Line)
	assert.Equal(t, 2, e.Trace[1].Line)
}

// What the checker accepts and the compiler refuses: each code's example.
func TestExamplesOfCompilerCodes(t *testing.T) {
	for _, info := range diag.Codes() {
		if info.Code[:3] != "E08" || info.Example == "" {
			continue
		}
		_, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("example.rnl", info.Example)
		var ce *runnel.CompileError
		require.ErrorAs(t, err, &ce, info.Code)
		assert.Equal(t, info.Code, ce.Diags[0].Code)
	}
}

// Mended examples run; those of several files are checked in lang/types.
func TestMendedExamplesOfCodes(t *testing.T) {
	for _, info := range diag.Codes() {
		if strings.Contains(info.Mended, "// file ") {
			continue
		}
		prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("mended.rnl", info.Mended)
		require.NoError(t, err, info.Code)
		in := prog.NewInstance()
		assert.NoError(t, in.Run(t.Context()), info.Code)
		assert.Empty(t, in.Unhandled(), info.Code)
		in.Close()
	}
}

func TestContextStopsTheScript(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("loop.rnl", "while true {}")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	err = prog.NewInstance().Run(ctx)
	assert.ErrorContains(t, err, "stopped by its host")
}

func TestNothingIsGrantedByDefault(t *testing.T) {
	for _, src := range []string{
		"import fs\nprint(fs.read(\"/etc/passwd\"))",
		"import sys\nprint(sys.env(\"HOME\"))",
		"import time\nprint(time.now())",
		"import io\nprint(io.read_line())",
	} {
		var e *runnel.Error
		require.ErrorAs(t, script.Run(t, src).Err, &e, src)
		assert.Equal(t, "IoError", e.Kind, src)
	}
}

func TestOneProgramRunsInParallel(t *testing.T) {
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...)).Compile("p.rnl", "var s = 0\nfor i in 0..100000 { s += i }\nassert(s == 4999950000)")
	require.NoError(t, err)
	errs := make(chan error)
	for range 8 {
		go func() { errs <- prog.NewInstance().Run(context.Background()) }()
	}
	for range 8 {
		assert.NoError(t, <-errs)
	}
}
