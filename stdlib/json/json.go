// Package json holds the native functions of module json: a strict RFC 8259
// parser that builds values of the wanted type while it reads, and the writer.
package json

import (
	_ "embed"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed json.rnl
var source string

// Module is what the import of json gives.
var Module = vm.NewModule("json", source)

// maxDepth bounds the nesting of arrays and objects, in both directions.
const maxDepth = 512

// bytesPerStep is how much text is read or written for one step of the budget.
const bytesPerStep = 16

// looking heeds now and then that the task is to end, while a long text is gone through.
func looking(c *vm.Call, text string) func(pos int) {
	const every = 64 << 10
	if len(text) < every {
		return nil
	}
	next := every
	return func(pos int) {
		if pos >= next {
			next = pos + every
			c.Heed()
		}
	}
}

func init() {
	Module.Native("decode_as", func(c *vm.Call) { c.SetResult(decodeAs(c, c.Str(0), jsonText)) })
	Module.Native("encode", func(c *vm.Call) {
		indent := c.Int(1)
		if indent < 0 || indent > 16 {
			c.Throw(vm.ErrValue, "json: an indentation of %d is not in 0..=16", indent)
		}
		c.SetObject(encode(c, c.Ref().TypeArgs[0], c.Value(0), int(indent), jsonText, func(text []byte) vm.Object {
			return c.NewStr(vm.TextView(text)).Object()
		}))
	})
	Module.Native("is_valid", func(c *vm.Call) {
		text := c.Str(0)
		c.Steps(1 + len(text)/bytesPerStep)
		c.SetBool(valid(text, looking(c, text)))
	})
}
