package host_test

import (
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/vm/host"
	"github.com/stretchr/testify/require"
)

// leadsOut resolves a link as the system does, below a directory that is the top
// of the world here, and reports whether it would go above that.
func leadsOut(root, link string) bool {
	at := strings.Split(path.Dir(link), "/")
	if at[0] == "." {
		at = nil
	}
	target, err := os.Readlink(filepath.Join(root, link))
	if err != nil {
		return false
	}
	left := []string{target}
	for range 200 {
		if len(left) == 0 {
			return false
		}
		todo := left[len(left)-1]
		left = left[:len(left)-1]
		if path.IsAbs(todo) {
			return true
		}
		first, rest, more := strings.Cut(todo, "/")
		if more {
			left = append(left, rest)
		}
		switch first {
		case "", ".":
			continue
		case "..":
			if len(at) == 0 {
				return true
			}
			at = at[:len(at)-1]
			continue
		}
		here := filepath.Join(append(append([]string{root}, at...), first)...)
		if to, err := os.Readlink(here); err == nil {
			left = append(left, to)
		} else {
			at = append(at, first)
		}
	}
	return false // a circle
}

// Whatever is done with the files of a RootFS: no link leads out of it, nothing
// outside is read, and nothing changes there.
func TestNoSequenceLeadsOutOfARoot(t *testing.T) {
	rounds, steps := 60, 300
	if testing.Short() {
		rounds = 10
	}
	names := []string{"a", "b", "c", "up", "in"}
	targets := []string{"a", "b/c", "..", "../a", "../../secret", "a/../..", "./a", ".", "a/b/../../../secret", "/etc/passwd", "a/./b", "..\\secret", "b/..", "c/../a", ""}
	for round := range rounds {
		rng := rand.New(rand.NewPCG(uint64(round), 1))
		top := t.TempDir()
		dir := filepath.Join(top, "root")
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "a/b/c"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(top, "secret"), []byte("SECRET"), 0o600))
		for link, target := range map[string]string{"a/b/up": "../c", "a/b/in": "c/../x", "a/b/c/up": "../../..", "a/in": "../b"} { // that were there before
			require.NoError(t, os.Symlink(target, filepath.Join(dir, link)))
		}
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		files := host.RootFS{Root: root}
		name := func() string {
			parts := make([]string, 1+rng.IntN(4))
			for i := range parts {
				parts[i] = names[rng.IntN(len(names))]
				if rng.IntN(12) == 0 {
					parts[i] = ".."
				}
			}
			return strings.Join(parts, "/")
		}
		for range steps {
			switch n := name(); rng.IntN(7) {
			case 0:
				files.MkdirAll(n, 0o755)
			case 1, 2:
				files.Symlink(targets[rng.IntN(len(targets))], n)
			case 3, 4:
				files.Rename(n, name())
			case 5:
				files.Remove(n)
			case 6:
				f, err := files.OpenFile(n, os.O_RDWR|os.O_CREATE, 0o644)
				if err != nil {
					continue
				}
				data, _ := io.ReadAll(f)
				require.NotContains(t, string(data), "SECRET")
				f.Write([]byte("written"))
				f.Close()
			}
		}
		require.NoError(t, filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
			require.NoError(t, err)
			if e.Type()&fs.ModeSymlink != 0 {
				rel, _ := filepath.Rel(dir, p)
				target, _ := os.Readlink(p)
				require.False(t, leadsOut(dir, filepath.ToSlash(rel)), "round %d: %s -> %s", round, rel, target)
			}
			return nil
		}))
		outside, err := os.ReadDir(top)
		require.NoError(t, err)
		require.Len(t, outside, 2)
		secret, err := os.ReadFile(filepath.Join(top, "secret"))
		require.NoError(t, err)
		require.Equal(t, "SECRET", string(secret))
		root.Close()
	}
}

func TestWhichLinksARootTakes(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	files := host.RootFS{Root: root}
	require.NoError(t, files.MkdirAll("a/b", 0o755))
	require.NoError(t, os.Symlink("../y", filepath.Join(dir, "a/b/kept")))
	for target, ok := range map[string]bool{"x": true, "x/y": true, "./x": true, "..x": true, "": false, ".": false, "..": false, "../x": false, "x/../y": false, "/x": false, "x/..": false} {
		err := files.Symlink(target, "a/l")
		require.Equal(t, ok, err == nil, "%q: %v", target, err)
		if err != nil && target != "" {
			require.ErrorIs(t, err, fs.ErrPermission)
		}
		files.Remove("a/l")
	}
	require.ErrorIs(t, files.Rename("a/b/kept", "kept"), fs.ErrPermission)
	require.ErrorIs(t, files.Rename("a/b", "b"), fs.ErrPermission)
	require.NoError(t, files.Rename("a/b/kept", "a/b/renamed"))
	require.NoError(t, files.Rename("a", "moved"), "within its directory")
	require.NoError(t, files.MkdirAll("c", 0o755))
	require.NoError(t, files.Rename("moved", "c/deep"), "what its links leave is in it")
}
