// Package io holds the native functions of module io.
package io

import (
	_ "embed"
	"io"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed io.rnl
var source string

// Module is what the import of io gives.
var Module = vm.NewModule("io", source)

func init() {
	Module.Native("host_stdin", func(c *vm.Call) {
		var r *Reader
		if source := c.Host().Stdin; source != nil {
			r = NewReader(source, nil, "standard input")
		}
		c.SetPtr(c.NewNative(c.Ref().Result, r, ReaderSize))
	})
	Module.Blocking("Input.next", func(c *vm.Call) { stdin(c).Line(c) })
	Module.Blocking("Input.read_all", func(c *vm.Call) { stdin(c).All(c, true) })
	Module.Blocking("Input.read_bytes", func(c *vm.Call) { stdin(c).All(c, false) })
	Module.Native("write", func(c *vm.Call) { write(c, c.Host().Stdout, c.Str(0)) })
	Module.Native("write_bytes", func(c *vm.Call) { write(c, c.Host().Stdout, c.Str(0)) })
	Module.Native("ewrite", func(c *vm.Call) { write(c, c.Host().Stderr, c.Str(0)) })
	Module.Native("flush", func(c *vm.Call) {
		if f, ok := c.Host().Stdout.(interface{ Flush() error }); ok {
			if err := f.Flush(); err != nil {
				c.ThrowIO("cannot write to standard output", err)
			}
		}
	})
}

func stdin(c *vm.Call) *Reader {
	r := vm.NativeArg[*Reader](c, 0)
	if r == nil {
		c.NotGranted("standard input")
	}
	return r
}

// write writes a text; without a stream it is dropped, as print does.
func write(c *vm.Call, w io.Writer, text string) {
	c.Steps(1 + len(text)/1024)
	if w == nil {
		return
	}
	if _, err := io.WriteString(w, text); err != nil {
		c.ThrowIO("cannot write", err)
	}
}
