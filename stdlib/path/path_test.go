package path_test

import (
	"bytes"
	"context"
	gopath "path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/path"
	"github.com/runnel-lang/runnel/stdlib/sys"
	"github.com/runnel-lang/runnel/vm/host"
)

const parts = `
import path
import sys
let (a, b) = (sys.env("A") ?? "", sys.env("B") ?? "")
print("${path.dir(a).quote()} ${path.base(a).quote()} ${path.join(a, b).quote()} ${path.is_local(a)}")
print(try { path.rel(a, b).quote() } catch e: ValueError { "none" })
print(try { "${path.matches(a, b)}" } catch e: ValueError { "none" })
assert(path.stem(a) + path.ext(a) == path.base(a))
`

// FuzzPaths compares with Go's packages path and path/filepath.
func FuzzPaths(f *testing.F) {
	for _, s := range [][2]string{
		{"a/b/../c", "/x"}, {"", ""}, {"/", "//"}, {"..", "../.."}, {"*/b?", "a/bc"}, {"a/*", "a/b/c"}, {"../a", "b"}, {"/a/b", "/a/c/d"}, {".x", "y."},
	} {
		f.Add(s[0], s[1])
	}
	var a, b string
	var out bytes.Buffer
	rt := runnel.MustNew(runnel.WithModules(path.Module, sys.Module), runnel.WithHost(runnel.Host{
		Stdout: host.NewUnbufferedOutput(&out),
		Env:    func(name string) (string, bool) { return map[string]string{"A": a, "B": b}[name], true },
	}))
	prog, err := rt.Compile("fuzz.rnl", parts)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, first, second string) {
		if !printable(first) || !printable(second) {
			return
		}
		a, b = first, second
		out.Reset()
		in := prog.NewInstance()
		defer in.Close()
		require.NoError(t, in.Run(context.Background()), "%q %q", a, b)
		got := strings.Split(out.String(), "\n")

		clean := gopath.Clean(a)
		q := strconv.Quote
		require.Equal(t, q(gopath.Dir(clean))+" "+q(gopath.Base(clean))+" "+q(gopath.Join(a, b))+" "+strconv.FormatBool(filepath.IsLocal(a)), got[0])
		if rel, err := filepath.Rel(a, b); err == nil {
			require.Equal(t, q(rel), got[1])
		} else {
			require.Equal(t, "none", got[1])
		}
		if !strings.ContainsAny(a, `[\`) && !strings.Contains(a, "**") {
			want, _ := gopath.Match(a, b)
			require.Equal(t, strconv.FormatBool(want), got[2])
		}
	})
}

// printable texts are quoted alike by Go and Runnel.
func printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '$' }) < 0
}
