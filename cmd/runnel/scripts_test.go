package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// folderOf writes files, whose names may have folders.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

// imported is a program in which files import one that is wrong.
var imported = map[string]string{
	"lib/a.rnl":      "pub fn f() -> int { \"x\" }\n",
	"b.rnl":          "import \"./lib/a\"\nprint(a.f())\ntest \"b\" { a.f() }\nbench \"b\" { a.f() }\n",
	"lib/c.rnl":      "import \"./a\"\nlet unused = 1\nfn f() { let w = a.f() }\ntest \"c\" { f() }\nbench \"c\" { f() }\n",
	"lib/.hid/d.rnl": "print(nope)\n",
	"lib/.e.rnl":     "print(nope)\n",
	"lib/text.txt":   "print(nope)\n",
}

func TestChecksFoldersAndTellsEachErrorOnce(t *testing.T) {
	dir := folderOf(t, imported)
	for _, args := range [][]string{
		{}, {"."}, {"./..."}, {"..."}, {"lib", "b.rnl"}, {"b.rnl", "lib/..."}, {"b.rnl", "lib/c.rnl", "./lib/a.rnl", "lib/a.rnl"},
		{dir}, {dir + "/..."}, {"lib/", filepath.Join(dir, "b.rnl"), "b.rnl"},
	} {
		got := in(t, dir, "", append([]string{"check"}, args...)...)
		assert.Equal(t, 2, got.exit, args)
		assert.Equal(t, 1, strings.Count(got.stderr, "error[E0301]"), "%v: %s", args, got.stderr)
		assert.NotContains(t, got.stderr, "nope", args)
		assert.Contains(t, got.stderr, "\n1 error, ", args)
		got = in(t, dir, "", append([]string{"check", "--json"}, args...)...)
		assert.Equal(t, 1, strings.Count(got.stdout, `"E0301"`), args)
	}
	got := in(t, dir, "", "check", "lib/.hid/d.rnl", "none", "none/...")
	assert.Equal(t, 2, got.exit)
	for _, want := range []string{"1 error, 0 warnings", "cannot open none: ", "cannot open none/...: "} {
		assert.Contains(t, got.stderr, want)
	}
}

func TestAFolderWithoutScripts(t *testing.T) {
	dir := folderOf(t, map[string]string{"lib/a.txt": ""})
	assert.Equal(t, outcome{"", "runnel: there is no script (.rnl) in lib\n", 2}, in(t, dir, "", "check", "lib"))
	assert.Equal(t, outcome{"", "", 0}, in(t, dir, "", "fmt", "--check", "lib/..."))
}

func TestTestsAndBenchesTellTheErrorsOfAnImportOnce(t *testing.T) {
	dir := folderOf(t, imported)
	for _, args := range [][]string{{"test"}, {"test", "b.rnl", "lib/..."}, {"test", "."}, {"bench"}, {"bench", "./..."}} {
		got := in(t, dir, "", args...)
		all := got.stdout + got.stderr
		assert.Equal(t, 2, got.exit, args)
		assert.Equal(t, 1, strings.Count(all, "error[E0301]"), "%v: %s", args, all)
		assert.Contains(t, all, "lib/c.rnl does not compile; see the errors above\n", args)
	}
	got := in(t, dir, "", "test", "--json")
	assert.Equal(t, 2, strings.Count(got.stdout, "E0301"), "each problem is an object by itself")
}

func TestDocOfAnyFolder(t *testing.T) {
	dir := folderOf(t, map[string]string{"lib/geo.rnl": "/// How far it is.\npub fn distance() -> int { 1 }\n", "json/own.rnl": "/// Own.\npub fn own() -> int { 1 }\n"})
	for _, arg := range []string{"lib", "./lib", "lib/", "lib/...", "./lib/..."} {
		got := in(t, dir, "", "doc", arg)
		assert.Equal(t, 0, got.exit, "%s: %s", arg, got.stderr)
		assert.Contains(t, got.stdout, "geo", arg)
	}
	assert.Contains(t, in(t, dir, "", "doc", "json").stdout, "encode", "a module comes before a folder")
	assert.Contains(t, in(t, dir, "", "doc", "./json").stdout, "own")
	assert.Equal(t, 0, in(t, dir, "", "doc", "--html", "site", "json").exit)
	_, err := os.Stat(filepath.Join(dir, "site"))
	assert.NoError(t, err)
	assert.Contains(t, in(t, dir, "", "doc", "nothing_like_it").stderr, "nothing is called")
}
