package url_test

import (
	"context"
	"net/url"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/sys"
	module "github.com/runnel-lang/runnel/stdlib/url"
)

// An address that was taken apart and put together again is the same for Go.
const rebuild = `
import sys
import url
let text = sys.env("URL") ?? ""
try {
  let u = url.parse(text)
  let again = url.parse(u.to_str())
  assert(again.to_str() == u.to_str(), "${u} ${again}")
  assert((again.scheme, again.user, again.password, again.host, again.port) == (u.scheme, u.user, u.password, u.host, u.port), "${u} ${again}")
} catch e: ValueError { }
try { assert(url.escape(url.unescape(text)).len() >= 0) } catch e: ValueError { }
assert(url.unescape(url.escape(text)) == text)
try { let params = url.parse_query(text); assert(url.parse_query(url.encode_query(params)) == params) } catch e: ValueError { }
`

func FuzzAddresses(f *testing.F) {
	for _, s := range []string{
		"http://ada:x@example.com:80/a%20b?q=1#f", "//h", "a:b", "mailto:x", "file:///x", "////a", "http://[::1%25eth0]/", "a=1&b=%2", "?#", "x://?", "http://a/?q=[]|",
	} {
		f.Add(s)
	}
	var now string
	rt := runnel.MustNew(runnel.WithModules(sys.Module, module.Module), runnel.WithHost(runnel.Host{
		Env: func(string) (string, bool) { return now, true },
	}))
	prog, err := rt.Compile("fuzz.rnl", rebuild)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := url.Parse(text); err != nil || !utf8.ValidString(text) {
			return
		}
		now = text
		in := prog.NewInstance()
		defer in.Close()
		require.NoError(t, in.Run(context.Background()), "%q", text)
	})
}
