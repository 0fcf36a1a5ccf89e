// Package base64 holds the native functions of module base64.
package base64

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"errors"

	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed base64.rnl
var source string

// Module is what the import of base64 gives.
var Module = vm.NewModule("base64", source)

func init() {
	Module.Link("encode_data", false, data.Native(encode))
	Module.Native("decode", decode)
}

func alphabet(url bool) *base64.Encoding {
	if url {
		return base64.URLEncoding
	}
	return base64.StdEncoding
}

func encode(c *vm.Call) {
	in := data.Arg(c, 0)
	enc := alphabet(c.Bool(1))
	if !c.Bool(2) {
		enc = enc.WithPadding(base64.NoPadding)
	}
	out, text := data.NewStr(c, enc.EncodedLen(len(in)))
	const piece = 3 << 18 // whole groups of three bytes
	for ; len(in) > piece; in, text = in[piece:], text[piece/3*4:] {
		enc.Encode(text, in[:piece])
		c.Heed()
	}
	enc.Encode(text, in)
	c.SetObject(out.Object())
}

func decode(c *vm.Call) {
	in := data.Arg(c, 0)
	enc := alphabet(c.Bool(1)).Strict()
	if !bytes.ContainsRune(in, '=') {
		enc = enc.WithPadding(base64.NoPadding)
	}
	c.ChargeObject(enc.DecodedLen(len(in)))
	out, err := enc.AppendDecode(nil, in)
	if err != nil {
		fail(c, in, err)
	}
	c.SetObject(data.NewBytes(c, out).Object())
}

// fail throws the error of a text that is no base64.
func fail(c *vm.Call, in []byte, err error) {
	var at base64.CorruptInputError
	if !errors.As(err, &at) || int(at) >= len(in) {
		c.Throw(vm.ErrValue, "base64: the text is cut off")
	}
	c.Throw(vm.ErrValue, "base64: %s at byte %d does not belong there", data.Char(in, int(at)), int(at))
}
