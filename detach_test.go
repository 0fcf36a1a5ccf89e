package runnel_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// What gives its worker away because it is long may also wait: a large file is
// written by the pool.
func TestLongWorkThatWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	src := `
import fs
let text = "0123456789".repeat(15_000_000)
let writers = [0, 1].map(|i| spawn fs.write("` + path + `" + str(i), text))
let sorted = spawn { let xs = [3, 1, 2].map(|x| x); for i in 0..200_000 { xs.push(i * 7919 % 10_007) }; xs.sort(); xs.len() }
await_all(writers)
assert(await sorted == 200_003)
`
	out := host.Host{FS: host.SystemFS{}}
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(out), runnel.WithWorkers(2)).Compile("long.rnl", src)
	require.NoError(t, err)
	in := prog.NewInstance()
	defer in.Close()
	require.NoError(t, in.Run(t.Context()))
	info, err := os.Stat(path + "1")
	require.NoError(t, err)
	assert.EqualValues(t, 150_000_000, info.Size())
}
