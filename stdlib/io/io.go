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
		c.SetObject(c.NewNative(c.Ref().Result, r, ReaderSize))
	})
	Reading(Module, "Input", input)
	Module.Blocking("Input.next", func(c *vm.Call) { input(c).Line(c) })
	Module.Blocking("Input.close", closeInput)
	Writing(Module, "Output", func(c *vm.Call) *Writer { return vm.ResourceArg[*Writer](c, 0) })
	Module.Blocking("Output.close", Close)
	Module.Native("write", func(c *vm.Call) { write(c, c.Host().Stdout, c.Str(0)) })
	Module.Native("write_bytes", func(c *vm.Call) { write(c, c.Host().Stdout, c.Str(0)) })
	Module.Native("ewrite", func(c *vm.Call) { write(c, c.Host().Stderr, c.Str(0)) })
	Module.Native("flush", func(c *vm.Call) {
		if f, ok := c.Host().Stdout.(interface{ Flush() error }); ok {
			var err error
			if c.Foreign(func() { err = f.Flush() }); err != nil {
				c.ThrowIO("cannot write to standard output", err)
			}
		}
	})
}

// Reading adds to a native struct of a module the methods that read.
func Reading(m *vm.Module, name string, arg func(c *vm.Call) *Reader) {
	m.Blocking(name+".read", func(c *vm.Call) { arg(c).Some(c, c.Int(1)) })
	m.Blocking(name+".read_exact", func(c *vm.Call) { arg(c).Exactly(c, c.Int(1)) })
	m.Blocking(name+".read_line", func(c *vm.Call) { arg(c).Line(c) })
	m.Blocking(name+".read_all", func(c *vm.Call) { arg(c).All(c, true) })
	m.Blocking(name+".read_bytes", func(c *vm.Call) { arg(c).All(c, false) })
}

// Writing adds to a native struct of a module the methods that write.
func Writing(m *vm.Module, name string, arg func(c *vm.Call) *Writer) {
	m.Blocking(name+".write", func(c *vm.Call) { arg(c).Write(c, c.Str(1)) })
	m.Blocking(name+".write_bytes", func(c *vm.Call) { arg(c).Write(c, c.Str(1)) })
}

// input is the Reader of an Input: standard input, which is the host's, or one
// that must be closed.
func input(c *vm.Call) *Reader {
	r, ok := vm.NativeArg[any](c, 0).(*Reader)
	switch {
	case !ok:
		return vm.ResourceArg[*Reader](c, 0)
	case r == nil:
		c.NotGranted("standard input")
	}
	return r
}

func closeInput(c *vm.Call) {
	if _, ok := vm.NativeArg[any](c, 0).(*vm.Resource); ok {
		Close(c)
	}
}

// write writes a text; without a stream it is dropped, as print does.
func write(c *vm.Call, w io.Writer, text string) {
	c.Steps(1 + len(text)/1024)
	if w == nil {
		return
	}
	var err error
	c.Foreign(func() { _, err = io.WriteString(w, text) })
	if err != nil {
		c.ThrowIO("cannot write", err)
	}
}
