// Package path holds the native functions of module path.
package path

import (
	_ "embed"
	"path"

	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed path.rnl
var source string

// Module is what the import of path gives.
var Module = vm.NewModule("path", source)

func init() {
	Module.Native("clean", func(c *vm.Call) {
		in := data.Arg(c, 0)
		c.ChargeObject(len(in))
		c.SetStr(path.Clean(vm.TextView(in)))
	})
	Module.Native("matches_name", func(c *vm.Call) {
		pattern, name := c.Str(0), c.Str(1)
		c.Steps(1 + len(pattern)*(1+len(name)/16))
		ok, err := path.Match(pattern, name)
		if err != nil {
			c.Throw(vm.ErrValue, "path: %s is not a pattern", vm.Quote(pattern))
		}
		c.SetBool(ok)
	})
}
