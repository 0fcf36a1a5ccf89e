package bytecode_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// root of the repository.
const root = "../.."

// programs compiles every Runnel program of the repository that compiles: the
// specification's cases, the examples, the benchmarks.
func programs(t testing.TB) map[string]*bytecode.Program {
	t.Helper()
	list := map[string]*bytecode.Program{}
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.OSSources()), runnel.WithTests())
	for _, dir := range []string{"spec/tests", "examples", "bench"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".rnl" {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if strings.Contains(string(src), "// expect diagnostic") {
				return nil
			}
			if p, err := rt.Compile(path, string(src)); err == nil {
				list[strings.TrimPrefix(filepath.ToSlash(path), root+"/")] = p.Code
			}
			return nil
		}))
	}
	require.Greater(t, len(list), 300, "programs that compile")
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

func TestDisassembleEveryProgram(t *testing.T) {
	for name, p := range programs(t) {
		require.NoError(t, bytecode.Disassemble(io.Discard, p), name)
	}
}
