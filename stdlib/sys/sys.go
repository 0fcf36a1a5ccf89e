// Package sys holds the native functions of module sys.
package sys

import (
	_ "embed"
	"runtime"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed sys.rnl
var source string

// Module is what the import of sys gives.
var Module = vm.NewModule("sys", source)

func init() {
	Module.Native("host_args", func(c *vm.Call) {
		args := c.Host().Args
		list := c.NewList(c.Ref().Result, len(args))
		c.Pin(list.Object())
		for _, arg := range args {
			list.Push(c.NewStr(arg).Value())
		}
		c.SetObject(list.Object())
	})
	Module.Native("env", func(c *vm.Call) {
		env := c.Host().Env
		if env == nil {
			c.NotGranted("environment variables")
		}
		name, value, ok := c.Str(0), "", false
		if c.Foreign(func() { value, ok = env(name) }); ok {
			c.SetStr(value)
		} else {
			c.SetNone()
		}
	})
	Module.Native("exit", func(c *vm.Call) {
		exit := c.Host().Exit
		if exit == nil {
			c.NotGranted("the end of the process")
		}
		code := c.Int(0)
		if code < 0 || code > 255 {
			c.Throw(vm.ErrValue, "sys.exit: the code %d is not in 0..=255", code)
		}
		c.Foreign(func() { exit(int(code)) })
	})
	Module.Native("os", func(c *vm.Call) { c.SetStr(runtime.GOOS) })
	Module.Native("arch", func(c *vm.Call) { c.SetStr(runtime.GOARCH) })
}
