package bytecode_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/mutate"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// seeds are the cases of the specification as compiled files, those that are not long.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	list, err := compiledCases()
	require.NoError(t, err)
	require.Greater(t, len(list), 100)
	return list
}

var compiledCases = sync.OnceValues(func() (list [][]byte, err error) {
	paths, err := filepath.Glob(filepath.Join(root, "spec", "tests", "*", "*.rnl"))
	if err != nil {
		return nil, err
	}
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithTests())
	for _, path := range longtest.Sample(paths, 5) {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if p, err := rt.Compile(filepath.Base(path), string(src)); err == nil {
			if data := bytecode.Encode(p.Code); len(data) < 12<<10 {
				list = append(list, data)
			}
		}
	}
	return list, nil
})

// FuzzDecodeVerify reads arbitrary bytes as a compiled program.
func FuzzDecodeVerify(f *testing.F) {
	for i, data := range seeds(f) {
		if i%8 == 0 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := bytecode.Decode(data); err == nil {
			_, _ = mutate.Run(p, 1) // whatever it does, the process survives
		}
	})
}

// FuzzMutatedCode changes real programs as internal/testgen/mutate does: most of what comes
// out is refused, and what is accepted runs.
func FuzzMutatedCode(f *testing.F) {
	programs := seeds(f)
	for i := range uint64(8) {
		f.Add(i, i%4)
	}
	f.Fuzz(func(t *testing.T, number, seed uint64) {
		p, _, err := mutate.Mutant(programs, 0, number)
		require.NoError(t, err)
		_, _ = mutate.Run(p, seed) // the error of a script is of no interest
	})
}

// A quick version of the fuzz target, for every run of the tests.
func TestMutatedCodeIsRefusedOrHarmless(t *testing.T) {
	programs := seeds(t)
	accepted, n := 0, uint64(longtest.Of(250, 2000))
	for number := range n {
		p, _, err := mutate.Mutant(programs, 3, number)
		require.NoError(t, err)
		if outcome, _ := mutate.Run(p, number%4); outcome != mutate.Refused {
			accepted++
		}
		if number%200 == 0 {
			runtime.GC()
		}
	}
	t.Logf("%d of %d accepted", accepted, n)
	require.Greater(t, accepted, int(n/20), "programs that ran")
}
