package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFormat(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	write("a.rnl", "let  a=1 // one\nprint( a )\n", 0o750)
	write("in/b.rnl", "print(1)\n", 0o644)
	write("in/broken.rnl", "let a = \n", 0o644)
	write("in/.hidden/c.rnl", "print( 1 )\n", 0o644)
	write("in/d.txt", "print( 1 )\n", 0o644)
	require.NoError(t, os.Symlink("a.rnl", filepath.Join(dir, "link.rnl")))

	assert.Equal(t, outcome{"a.rnl\n", "", 1}, in(t, dir, "", "fmt", "--check", "a.rnl", "in/b.rnl"))
	diff := "--- a.rnl\n+++ a.rnl\n@@ -1,2 +1,2 @@\n-let  a=1 // one\n-print( a )\n+let a = 1 // one\n+print(a)\n"
	assert.Equal(t, outcome{diff, "", 0}, in(t, dir, "", "fmt", "--diff", "a.rnl", "in/b.rnl"))
	assert.Equal(t, "let  a=1 // one\nprint( a )\n", read("a.rnl"))

	out := in(t, dir, "", "fmt", "link.rnl", "in")
	assert.Equal(t, 2, out.exit)
	assert.Contains(t, out.stderr, "in/broken.rnl:1")
	assert.Equal(t, "let a = 1 // one\nprint(a)\n", read("a.rnl"))
	assert.Equal(t, "let a = \n", read("in/broken.rnl"))
	assert.Equal(t, "print( 1 )\n", read("in/.hidden/c.rnl"))
	assert.Equal(t, "print( 1 )\n", read("in/d.txt"))
	info, err := os.Lstat(filepath.Join(dir, "a.rnl"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o750), info.Mode())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 3, "nothing is left behind")
	link, err := os.Readlink(filepath.Join(dir, "link.rnl"))
	require.NoError(t, err)
	assert.Equal(t, "a.rnl", link)

	assert.Equal(t, outcome{"print(1)\n", "", 0}, in(t, dir, "print( 1 )", "fmt", "-"))
	assert.Equal(t, outcome{"<stdin>\n", "", 1}, in(t, dir, "print( 1 )", "fmt", "--check", "-"))
	assert.Equal(t, 2, in(t, dir, "", "fmt", "missing.rnl").exit)
}

func TestFormatsTheFolderItIsIn(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"a.rnl":       {"print( 1 )\n", "print(1)\n"},
		"in/crlf.rnl": {"let a=1 // one\r\n\r\n\r\nlet b=`x\r\ny`\r\n", "let a = 1 // one\n\nlet b = `x\r\ny`\n"},
		"bom.rnl":     {"\ufeffprint( 1 )", "print(1)\n"},
		"empty.rnl":   {"", ""},
		"blank.rnl":   {"\n \n", ""},
		"script.rnl":  {"#!/usr/bin/env runnel\nprint( 1 )\n", "#!/usr/bin/env runnel\nprint(1)\n"},
		"comment.rnl": {"\n// one\n\n", "// one\n"},
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o644))
		defer func() {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, c.want, string(text), name)
		}()
	}
	assert.Equal(t, outcome{"a.rnl\nblank.rnl\nbom.rnl\ncomment.rnl\nin/crlf.rnl\nscript.rnl\n", "", 1}, in(t, dir, "", "fmt", "--check"))
	assert.Equal(t, outcome{}, in(t, dir, "", "fmt"))
	assert.Equal(t, outcome{}, in(t, dir, "", "fmt", "--check"))
}

func TestDiff(t *testing.T) {
	old := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16"
	for _, c := range []struct{ new, want string }{
		{strings.Replace(old, "2", "two", 1),
			"@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n"},
		{strings.Replace(old, "8\n", "", 1),
			"@@ -5,7 +5,6 @@\n 5\n 6\n 7\n-8\n 9\n 10\n 11\n"},
		{"0\n" + strings.Replace(old, "14\n", "14\n14\n", 1),
			"@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -11,6 +12,7 @@\n 11\n 12\n 13\n+14\n 14\n 15\n 16\n\\ No newline at end of file\n"},
		{old + "\n",
			"@@ -13,4 +13,4 @@\n 13\n 14\n 15\n-16\n\\ No newline at end of file\n+16\n"},
		{"",
			"@@ -1,16 +0,0 @@\n-" + strings.ReplaceAll(old, "\n", "\n-") + "\n\\ No newline at end of file\n"},
	} {
		assert.Equal(t, "--- f\n+++ f\n"+c.want, unified("f", old, c.new))
	}
}
