package bytecode_test

import (
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// root of the repository.
const root = "../.."

// programs compiles the Runnel programs of the repository that compile: the
// specification's cases, the examples, the benchmarks; some of them by default, all with -run.
func programs(t testing.TB) map[string]*bytecode.Program {
	t.Helper()
	list := map[string]*bytecode.Program{}
	rt := offeringAll()
	texts := sources(t)
	for _, path := range longtest.Sample(slices.Sorted(maps.Keys(texts)), 8) {
		if p, err := rt.Compile(path, texts[path]); err == nil {
			list[strings.TrimPrefix(filepath.ToSlash(path), root+"/")] = p.Code
		}
	}
	require.Greater(t, len(list), 100, "programs that compile")
	return list
}

func offeringAll() *runnel.Runtime {
	return runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.OSSources()), runnel.WithTests())
}

// sources are the programs by their paths, without those that show a diagnostic.
func sources(t testing.TB) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, dir := range []string{"spec/tests", "examples", "bench"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".rnl" {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !strings.Contains(string(src), "// expect diagnostic") {
				list[path] = string(src)
			}
			return nil
		}))
	}
	return list
}

// What the compiler makes is always accepted, before and after a file.
func TestVerifyAcceptsWhatTheCompilerMakes(t *testing.T) {
	for name, p := range programs(t) {
		if err := bytecode.Verify(p, stdlib.Signatures); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data := bytecode.Encode(p)
		got, err := bytecode.Decode(data)
		require.NoError(t, err, name)
		require.NoError(t, bytecode.Verify(got, stdlib.Signatures), name)
		require.Equal(t, data, bytecode.Encode(got), name)
	}
}

// BenchmarkGate tells what part of compiling a program the verifier takes: over all
// programs of the repository, and over the largest.
func BenchmarkGate(b *testing.B) {
	sources := sources(b)
	largest := ""
	for path, src := range sources {
		if len(src) > len(sources[largest]) {
			largest = path
		}
	}
	b.Run("all", func(b *testing.B) { benchmarkGate(b, sources) })
	b.Run("largest", func(b *testing.B) { benchmarkGate(b, map[string]string{largest: sources[largest]}) })
}

func benchmarkGate(b *testing.B, sources map[string]string) {
	rt := offeringAll()
	var compiling, verifying time.Duration
	for b.Loop() {
		for path, src := range sources {
			begin := time.Now()
			p, err := rt.Compile(path, src)
			compiling += time.Since(begin)
			if err != nil {
				continue
			}
			begin = time.Now()
			err = bytecode.Verify(p.Code, stdlib.Signatures)
			verifying += time.Since(begin)
			require.NoError(b, err)
		}
	}
	b.ReportMetric(100*verifying.Seconds()/(compiling-verifying).Seconds(), "%verifying")
}

func TestDisassembleEveryProgram(t *testing.T) {
	for name, p := range programs(t) {
		require.NoError(t, bytecode.Disassemble(io.Discard, p), name)
	}
}
