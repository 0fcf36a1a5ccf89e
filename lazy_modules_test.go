package runnel_test

import (
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// countedFS counts what is opened in it.
type countedFS struct {
	fs.FS
	opened *atomic.Int64
}

func (c countedFS) Open(name string) (fs.File, error) {
	c.opened.Add(1)
	return c.FS.Open(name)
}

func TestTheFilesOfAModuleAreReadWhenItIsImported(t *testing.T) {
	var opened atomic.Int64
	files := countedFS{fstest.MapFS{
		"zoo.rnl":  {Data: []byte("import \"./cage\"\n\npub fn size() -> int { cage.size() }\n")},
		"cage.rnl": {Data: []byte("pub fn size() -> int { 7 }\n")},
	}, &opened}
	rt := runnel.MustNew(runnel.WithModules(vm.NewModuleOf("zoo", files)))
	defer rt.Close()
	_, err := rt.Compile("a.rnl", "print(1)\n")
	require.NoError(t, err)
	assert.Zero(t, opened.Load(), "nobody imports it")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, err := rt.Compile("b.rnl", "import zoo\nprint(zoo.size())\n")
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	assert.LessOrEqual(t, opened.Load(), int64(3), "the folder and each file, once")
}

func TestAModuleWhoseFilesCannotBeReadIsAnErrorOfTheImport(t *testing.T) {
	broken := vm.NewModuleOf("zoo", brokenFS{fstest.MapFS{"zoo.rnl": {Data: []byte("pub fn f() {}\n")}}})
	rt := runnel.MustNew(runnel.WithModules(broken))
	defer rt.Close()
	_, err := rt.Compile("a.rnl", "import zoo\nzoo.f()\n")
	require.Error(t, err)
	assert.Contains(t, err.Error(), "the disk is gone")
}

// brokenFS lists its files and reads none.
type brokenFS struct{ fs.FS }

func (b brokenFS) ReadFile(string) ([]byte, error) { return nil, errors.New("the disk is gone") }
