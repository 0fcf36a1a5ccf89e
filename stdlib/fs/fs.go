// Package fs holds the native functions of module fs. All that reach files block:
// their work is done by the IO pool. That the host grants no files is told at
// once.
package fs

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"io/fs"
	"os"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/stdlib/time"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

//go:embed fs.rnl
var source string

// Module is what the import of fs gives.
var Module = vm.NewModule("fs", source, time.Module)

func init() {
	Module.Blocking("read", func(c *vm.Call) { readFile(c, true) })
	Module.Blocking("read_bytes", func(c *vm.Call) { readFile(c, false) })
	Module.Blocking("lines", openLines)
	Module.Blocking("Lines.next", func(c *vm.Call) { vm.ResourceOf(c, 0).Closer.(*textio.Reader).Line(c) })
	Module.Blocking("Lines.close", textio.Close)

	const create = os.O_WRONLY | os.O_CREATE
	for name, flag := range map[string]int{
		"write": create | os.O_TRUNC, "write_bytes": create | os.O_TRUNC,
		"append": create | os.O_APPEND, "append_bytes": create | os.O_APPEND,
	} {
		Module.Blocking(name, func(c *vm.Call) { writeFile(c, flag) })
	}

	Module.Blocking("exists", func(c *vm.Call) {
		path := c.Str(0)
		await(c, "look at "+quote(path), func(_ context.Context, files host.FileSystem) (bool, error) {
			_, err := files.Stat(path)
			if errors.Is(err, fs.ErrNotExist) {
				return false, nil
			}
			return err == nil, err
		}, (*vm.Call).SetBool)
	})
	Module.Blocking("info", func(c *vm.Call) {
		path, look := c.Str(0), host.FileSystem.Lstat
		if c.Bool(1) {
			look = host.FileSystem.Stat
		}
		await(c, "look at "+quote(path), func(_ context.Context, files host.FileSystem) (fs.FileInfo, error) {
			return look(files, path)
		}, setInfo)
	})
	Module.Blocking("read_link", func(c *vm.Call) {
		path := c.Str(0)
		await(c, "read the link "+quote(path), func(_ context.Context, files host.FileSystem) (string, error) {
			return files.ReadLink(path)
		}, (*vm.Call).SetStr)
	})
	Module.Blocking("link", func(c *vm.Call) {
		target, path := c.Str(0), c.Str(1)
		awaitDone(c, "make the link "+quote(path), func(_ context.Context, files host.FileSystem) error {
			return files.Symlink(target, path)
		})
	})
	Module.Blocking("temp_dir", func(c *vm.Call) {
		await(c, "make a temporary directory", func(_ context.Context, files host.FileSystem) (string, error) {
			return files.MkdirTemp("runnel-*")
		}, (*vm.Call).SetStr)
	})

	for name, do := range map[string]struct {
		verb string
		f    func(files host.FileSystem, path string) error
	}{
		"make_dir":   {"make the directory", func(files host.FileSystem, path string) error { return files.MkdirAll(path, 0o755) }},
		"remove":     {"remove", host.FileSystem.Remove},
		"remove_all": {"remove", host.FileSystem.RemoveAll},
	} {
		Module.Blocking(name, func(c *vm.Call) {
			path := c.Str(0)
			awaitDone(c, do.verb+" "+quote(path), func(_ context.Context, files host.FileSystem) error { return do.f(files, path) })
		})
	}
	Module.Blocking("rename", func(c *vm.Call) {
		from, to := c.Str(0), c.Str(1)
		awaitDone(c, "rename "+quote(from), func(_ context.Context, files host.FileSystem) error { return files.Rename(from, to) })
	})
	Module.Blocking("copy", copyFile)
}

// await has work done with the granted files and its result set.
func await[T any](c *vm.Call, what string, work func(context.Context, host.FileSystem) (T, error), set func(*vm.Call, T)) {
	files := c.FS()
	c.Block(what,
		func(ctx context.Context) (any, error) {
			return vm.Opening(func() (any, error) { return work(ctx, files) })
		},
		func(c *vm.Call, value any, err error) {
			if err != nil {
				fail(c, what, err)
			}
			set(c, value.(T))
		})
}

// awaitDone is await for work without a result.
func awaitDone(c *vm.Call, what string, work func(context.Context, host.FileSystem) error) {
	await(c, what, func(ctx context.Context, files host.FileSystem) (struct{}, error) {
		return struct{}{}, work(ctx, files)
	}, func(*vm.Call, struct{}) {})
}

func quote(path string) string { return vm.QuoteName(path) }

// fail raises an IoError: what could not be done, and why.
func fail(c *vm.Call, what string, err error) { c.ThrowIO("cannot "+what, err) }

func openLines(c *vm.Call) {
	files, path := c.FS(), c.Str(0)
	o := &opening{files: files, path: path, flag: os.O_RDONLY}
	openWork(c, vm.Blocking{
		Name: "open " + quote(path),
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				fail(c, "read "+quote(path), err)
			}
			c.SetObject(c.NewResource(c.Ref().Result, "file "+quote(path), textio.NewReader(o.file, o.file, quote(path)), textio.ReaderSize))
		},
		Drop: o.close,
	}, func(ctx context.Context, parks bool) (any, error) { return nil, o.open(ctx, parks) })
}

func setInfo(c *vm.Call, info fs.FileInfo) {
	parts := c.NewStruct(c.Ref().Result)
	parts.Set(0, vm.IntValue(info.Size()))
	parts.Set(1, vm.BoolValue(info.IsDir()))
	parts.Set(2, vm.BoolValue(info.Mode()&fs.ModeSymlink != 0))
	parts.Set(3, vm.IntValue(int64(info.Mode().Perm())))
	parts.Set(4, vm.IntValue(info.ModTime().UnixNano()))
	c.SetValue(parts.Value())
}

func writeFile(c *vm.Call, flag int) {
	path, text := c.Str(0), c.Str(1)
	c.Steps(1 + len(text)/1024)
	what := "write " + quote(path)
	o := &opening{files: c.FS(), path: path, flag: flag, perm: 0o644}
	openWork(c, vm.Blocking{
		Name: what,
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				fail(c, what, err)
			}
		},
		Drop: o.close,
	}, func(ctx context.Context, parks bool) (any, error) {
		if err := o.open(ctx, parks); err != nil {
			return nil, err
		}
		undo := textio.InterruptWrite(ctx, o.file)
		_, err := io.WriteString(o.file, text)
		undo()
		err = errors.Join(err, o.file.Close())
		o.file = nil
		return nil, err
	})
}

// copied is how much of a file is copied between two looks at the context.
const copied = 16 << 20

func copyFile(c *vm.Call) {
	from, to := c.Str(0), c.Str(1)
	what := "copy " + quote(from) // or the part of it that failed
	in := &opening{files: c.FS(), path: from, flag: os.O_RDONLY}
	out := &opening{files: c.FS(), path: to, flag: os.O_WRONLY | os.O_CREATE | os.O_TRUNC, perm: 0o644}
	openWork(c, vm.Blocking{
		Name: what,
		Finish: func(c *vm.Call, _ any, err error) {
			in.close()
			if err != nil {
				fail(c, what, err)
			}
		},
		Drop: func() { in.close(); out.close() },
	}, func(ctx context.Context, parks bool) (any, error) {
		if err := in.open(ctx, parks); err != nil {
			what = "read " + quote(from)
			return nil, err
		}
		if err := out.open(ctx, parks); err != nil {
			what = "write " + quote(to)
			return nil, err
		}
		what = "copy " + quote(from)
		defer textio.InterruptRead(ctx, in.file)()
		defer textio.InterruptWrite(ctx, out.file)()
		var err error
		for err == nil && ctx.Err() == nil {
			_, err = io.CopyN(out.file, in.file, copied)
		}
		if err == io.EOF {
			err = nil
		}
		err = errors.Join(err, out.file.Close())
		out.file = nil
		return nil, err
	})
}
