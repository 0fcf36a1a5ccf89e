package spec

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/built"
)

// TestMain lets twice as many cases run at once as there are processors: many wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = f.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	code := m.Run()
	if dir := binaries.dir; dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// binaries holds the command, which is built once for all tests that run it.
var binaries struct {
	sync.Once
	dir string
	err error
}

// commandFolder returns the folder with the command, runnel.
func commandFolder(t *testing.T) string {
	t.Helper()
	b := &binaries
	b.Do(func() {
		if b.dir, b.err = os.MkdirTemp("", "runnel"); b.err != nil {
			return
		}
		b.err = built.Command(filepath.Join(b.dir, "runnel"))
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.dir
}
