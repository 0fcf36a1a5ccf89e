package base64_test

import (
	"context"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/base64"
	"github.com/runnel-lang/runnel/stdlib/hex"
	"github.com/runnel-lang/runnel/stdlib/sys"
)

// What can be decoded is encoded to the same again; all else is a ValueError.
const decode = `
import base64
import hex
import sys
let text = sys.env("TEXT") ?? ""
for url in [false, true] {
  try {
    let data = base64.decode(text, url)
    let plain = text.replace("\n", "").replace("\r", "")
    assert(base64.encode(data, url, plain.contains("=")) == plain)
  } catch e: ValueError { }
}
try { assert(hex.encode(hex.decode(text)) == text.lower()) } catch e: ValueError { }
assert(base64.decode(base64.encode(text)) == text.bytes() && hex.decode(hex.encode(text)) == text.bytes())
`

func FuzzDecoders(f *testing.F) {
	for _, text := range []string{"", "Zg==", "Zm8", "Zm9v\r\n", "a-_b", "=", "Zg==Zg==", "00fF", "0", "0g", "é"} {
		f.Add(text)
	}
	var now string
	rt := runnel.MustNew(runnel.WithModules(base64.Module, hex.Module, sys.Module), runnel.WithHost(runnel.Host{
		Env: func(string) (string, bool) { return now, true },
	}))
	prog, err := rt.Compile("fuzz.rnl", decode)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		now = text
		in := prog.NewInstance()
		defer in.Close()
		require.NoError(t, in.Run(context.Background()), "%q", text)
	})
}
