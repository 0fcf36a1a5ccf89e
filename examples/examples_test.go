// Package examples holds Runnel programs to learn from. Every one prints what
// its .expected file says, when run in this folder.
package examples

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/built"
)

// arguments of the programs that read something.
var arguments = map[string][]string{
	"wordcount.rnl":            {"wordcount.txt"},
	"concurrent/wordcount.rnl": {"wordcount.txt"},
	"logreport.rnl":            {"logreport.jsonl"},
}

// modules are imported by other programs and print nothing themselves.
var modules = map[string]bool{
	"awfy/random.rnl": true,
}

var binary string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "runnel-examples-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "runnel")
	if err := built.Command(binary); err != nil {
		panic(err)
	}
	return m.Run()
}

// runnel returns the command's standard output and fails the test unless it ends well.
func runnel(t *testing.T, args ...string) string {
	var out, errs bytes.Buffer
	cmd := exec.Command(binary, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), "%s%s", out.String(), errs.String())
	require.Empty(t, errs.String())
	return out.String()
}

// programs are the paths of all .rnl files but the modules.
func programs(t *testing.T) []string {
	var paths []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && (path == "embed" || path == "extension" || path == "queue_server") { // others run and test them
			return fs.SkipDir
		}
		if filepath.Ext(path) == ".rnl" && !modules[filepath.ToSlash(path)] {
			paths = append(paths, path)
		}
		return err
	}))
	require.NotEmpty(t, paths)
	return paths
}

func TestExamplesPrintWhatIsExpected(t *testing.T) {
	for _, path := range programs(t) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			expected, err := os.ReadFile(strings.TrimSuffix(path, ".rnl") + ".expected")
			require.NoError(t, err)
			args := append([]string{"run", path}, arguments[filepath.ToSlash(path)]...)
			require.Equal(t, string(expected), runnel(t, args...))
		})
	}
}

// Whatever order tasks run in, what they print is the same.
func TestConcurrentExamplesUnderSeeds(t *testing.T) {
	paths, err := filepath.Glob("concurrent/*.rnl")
	require.NoError(t, err)
	actors, err := filepath.Glob("actor_*.rnl")
	require.NoError(t, err)
	cells, err := filepath.Glob("reactive_*.rnl")
	require.NoError(t, err)
	for _, path := range slices.Concat(paths, actors, cells) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			expected, err := os.ReadFile(strings.TrimSuffix(path, ".rnl") + ".expected")
			require.NoError(t, err)
			for _, seed := range []string{"2", "4", "6"} {
				args := append([]string{"run", "--seed", seed, path}, arguments[filepath.ToSlash(path)]...)
				require.Equal(t, string(expected), runnel(t, args...), seed)
			}
		})
	}
}

// The tests inside the examples pass too.
func TestExamplesTestThemselves(t *testing.T) {
	for _, path := range []string{"calculator.rnl", "lru.rnl", "actor_journal.rnl", "actor_game.rnl", "queue_server/server.rnl"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			runnel(t, "test", path)
		})
	}
}
