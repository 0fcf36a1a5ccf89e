// Package sys holds the native functions of module sys.
package sys

import (
	"runtime"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
)

func init() {
	vm.RegisterNative("sys.host_args", func(c *vm.Call) {
		args := c.Host().Args
		list := c.NewList(c.Ref().Result, len(args))
		c.Pin(unsafe.Pointer(list.List()))
		for _, arg := range args {
			list.Push(vm.RefValue(unsafe.Pointer(c.NewStr(arg))))
		}
		c.SetPtr(unsafe.Pointer(list.List()))
	})
	vm.RegisterNative("sys.env", func(c *vm.Call) {
		env := c.Host().Env
		if env == nil {
			c.NotGranted("environment variables")
		}
		if value, ok := env(c.Str(0)); ok {
			c.SetStr(value)
		} else {
			c.SetNone()
		}
	})
	vm.RegisterNative("sys.exit", func(c *vm.Call) {
		exit := c.Host().Exit
		if exit == nil {
			c.NotGranted("the end of the process")
		}
		code := c.Int(0)
		if code < 0 || code > 255 {
			c.Throw(vm.ErrValue, "sys.exit: the code %d is not in 0..=255", code)
		}
		exit(int(code))
	})
	vm.RegisterNative("sys.os", func(c *vm.Call) { c.SetStr(runtime.GOOS) })
	vm.RegisterNative("sys.arch", func(c *vm.Call) { c.SetStr(runtime.GOARCH) })
}
