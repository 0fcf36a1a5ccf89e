// Package fs holds the native functions of module fs.
package fs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"unsafe"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
)

func init() {
	vm.RegisterNative("fs.read", func(c *vm.Call) { textio.SetText(c, readFile(c), quote(c.Str(0))) })
	vm.RegisterNative("fs.read_bytes", func(c *vm.Call) { textio.SetBytes(c, readFile(c)) })
	vm.RegisterNative("fs.lines", func(c *vm.Call) {
		f := open(c, c.Str(0), os.O_RDONLY, "read")
		c.SetPtr(c.NewNative(c.Ref().Result, textio.NewReader(f, f, quote(c.Str(0))), textio.ReaderSize))
	})
	vm.RegisterNative("fs.Lines.next", func(c *vm.Call) { vm.NativeArg[*textio.Reader](c, 0).Line(c) })
	vm.RegisterNative("fs.Lines.close", func(c *vm.Call) {
		if err := vm.NativeArg[*textio.Reader](c, 0).Close(); err != nil {
			c.ThrowIO("cannot close a file", err)
		}
	})

	const create = os.O_WRONLY | os.O_CREATE
	for name, flag := range map[string]int{
		"fs.write": create | os.O_TRUNC, "fs.write_bytes": create | os.O_TRUNC,
		"fs.append": create | os.O_APPEND, "fs.append_bytes": create | os.O_APPEND,
	} {
		vm.RegisterNative(name, func(c *vm.Call) { writeFile(c, flag) })
	}

	vm.RegisterNative("fs.exists", func(c *vm.Call) {
		_, err := c.FS().Stat(c.Str(0))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			fail(c, "look at", c.Str(0), err)
		}
		c.SetBool(err == nil)
	})
	vm.RegisterNative("fs.info", func(c *vm.Call) {
		info, err := c.FS().Stat(c.Str(0))
		if err != nil {
			fail(c, "look at", c.Str(0), err)
		}
		id := c.Ref().Result
		parts := c.NewStruct(id)
		fields := c.Type(id).Fields
		vm.SetField(parts, &fields[0], vm.IntValue(info.Size()))
		vm.SetField(parts, &fields[1], vm.BoolValue(info.IsDir()))
		vm.SetField(parts, &fields[2], vm.IntValue(info.ModTime().UnixNano()))
		c.SetPtr(parts)
	})
	vm.RegisterNative("fs.list", func(c *vm.Call) {
		entries, err := c.FS().ReadDir(c.Str(0))
		if err != nil {
			fail(c, "list", c.Str(0), err)
		}
		c.Steps(len(entries))
		names := c.NewList(c.Ref().Result, len(entries))
		c.Pin(unsafe.Pointer(names.List()))
		for _, e := range entries {
			names.Push(vm.RefValue(unsafe.Pointer(c.NewStr(e.Name()))))
		}
		c.SetPtr(unsafe.Pointer(names.List()))
	})

	for name, do := range map[string]struct {
		verb string
		f    func(fs vm.FileSystem, path string) error
	}{
		"make_dir":   {"make the directory", func(fs vm.FileSystem, path string) error { return fs.MkdirAll(path, 0o755) }},
		"remove":     {"remove", vm.FileSystem.Remove},
		"remove_all": {"remove", vm.FileSystem.RemoveAll},
	} {
		vm.RegisterNative("fs."+name, func(c *vm.Call) {
			if err := do.f(c.FS(), c.Str(0)); err != nil {
				fail(c, do.verb, c.Str(0), err)
			}
		})
	}
	vm.RegisterNative("fs.rename", func(c *vm.Call) {
		if err := c.FS().Rename(c.Str(0), c.Str(1)); err != nil {
			fail(c, "rename", c.Str(0), err)
		}
	})
	vm.RegisterNative("fs.copy", copyFile)
	vm.RegisterNative("fs.temp_dir", func(c *vm.Call) {
		dir, err := c.FS().MkdirTemp("runnel-*")
		if err != nil {
			c.ThrowIO("cannot make a temporary directory", err)
		}
		c.SetStr(dir)
	})
}

func quote(path string) string { return strconv.Quote(path) }

func fail(c *vm.Call, verb, path string, err error) {
	c.ThrowIO("cannot "+verb+" "+quote(path), err)
}

func open(c *vm.Call, path string, flag int, verb string) vm.File {
	f, err := c.FS().OpenFile(path, flag, 0o644)
	if err != nil {
		fail(c, verb, path, err)
	}
	return f
}

func readFile(c *vm.Call) []byte {
	path := c.Str(0)
	f := open(c, path, os.O_RDONLY, "read")
	defer f.Close()
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		size = info.Size()
	}
	return textio.ReadAll(c, f, size, quote(path))
}

func writeFile(c *vm.Call, flag int) {
	path, text := c.Str(0), c.Str(1)
	c.Steps(1 + len(text)/1024)
	f := open(c, path, flag, "write")
	_, err := io.WriteString(f, text)
	if err = errors.Join(err, f.Close()); err != nil {
		fail(c, "write", path, err)
	}
}

func copyFile(c *vm.Call) {
	from, to := c.Str(0), c.Str(1)
	in := open(c, from, os.O_RDONLY, "read")
	defer in.Close()
	out := open(c, to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, "write")
	_, err := io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		fail(c, "copy", from, err)
	}
}
