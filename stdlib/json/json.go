// Package json holds the native functions of module json: a strict RFC 8259
// parser that builds values of the wanted type while it reads, and the writer.
package json

import (
	_ "embed"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

//go:embed json.rnl
var source string

// Module is what the import of json gives.
var Module = vm.NewModule("json", source)

// maxDepth bounds the nesting of arrays and objects, in both directions.
const maxDepth = 512

// bytesPerStep is how much text is read or written for one step of the budget.
const bytesPerStep = 16

func init() {
	Module.Native("decode_as", func(c *vm.Call) {
		text := c.Str(0)
		c.Steps(1 + len(text)/bytesPerStep)
		args := c.Ref().TypeArgs
		d := decoder{c: c, types: c.Types(), text: text, object: args[1], array: args[2]}
		var defaults unsafe.Pointer
		if c.Type(args[0]).Kind == bytecode.TStruct {
			defaults = c.OptPtr(1)
		}
		c.SetValue(d.document(args[0], defaults))
	})
	Module.Native("encode", func(c *vm.Call) {
		indent := c.Int(1)
		if indent < 0 || indent > 16 {
			c.Throw(vm.ErrValue, "json: an indentation of %d is not in 0..=16", indent)
		}
		c.SetPtr(unsafe.Pointer(encode(c, c.Ref().TypeArgs[0], c.Value(0), int(indent))))
	})
	Module.Native("is_valid", func(c *vm.Call) {
		text := c.Str(0)
		c.Steps(1 + len(text)/bytesPerStep)
		c.SetBool(valid(text))
	})
}
