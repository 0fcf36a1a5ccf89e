// Package hex holds the native functions of module hex.
package hex

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"errors"

	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed hex.rnl
var source string

// Module is what the import of hex gives.
var Module = vm.NewModule("hex", source)

func init() {
	Module.Link("encode_data", false, data.Native(encode))
	Module.Native("decode", decode)
	Module.Native("dump", func(c *vm.Call) {
		in := data.Arg(c, 0)
		c.ChargeObject(8 * len(in)) // a line of 79 bytes shows 16, and what grows is copied
		var out bytes.Buffer
		out.Grow(5 * len(in))
		dumper := hex.Dumper(&out)
		data.Write(c, dumper, in)
		dumper.Close()
		c.SetStr(out.String())
	})
}

func encode(c *vm.Call) {
	in := data.Arg(c, 0)
	out, text := data.NewStr(c, hex.EncodedLen(len(in)))
	hex.Encode(text, in)
	if c.Bool(1) {
		for i, b := range text {
			if b >= 'a' {
				text[i] = b - 'a' + 'A'
			}
		}
	}
	c.SetObject(out.Object())
}

func decode(c *vm.Call) {
	in := data.Arg(c, 0)
	out, decoded := data.AllocBytes(c, hex.DecodedLen(len(in)))
	n, err := hex.Decode(decoded, in)
	switch {
	case errors.Is(err, hex.ErrLength):
		c.Throw(vm.ErrValue, "hex: the text has an odd number of digits, %d", len(in))
	case err != nil:
		at := 2 * n
		if isDigit(in[at]) {
			at++
		}
		c.Throw(vm.ErrValue, "hex: %s at byte %d is not a hexadecimal digit", data.Char(in, at), at)
	}
	c.SetObject(out.Object())
}

func isDigit(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f'
}
