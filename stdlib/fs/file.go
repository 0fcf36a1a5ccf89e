package fs

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

func init() {
	Module.Blocking("open", openFile)
	textio.Reading(Module, "File", func(c *vm.Call) *textio.Reader { return vm.ResourceArg[*file](c, 0).reader })
	Module.Blocking("File.write", func(c *vm.Call) { writeTo(c) })
	Module.Blocking("File.write_bytes", func(c *vm.Call) { writeTo(c) })
	Module.Blocking("File.seek", seek)
	Module.Blocking("File.size", func(c *vm.Call) {
		f := vm.ResourceArg[*file](c, 0)
		f.alone(c, "look at", func(context.Context, int) (int64, error) {
			info, err := f.file.Stat()
			if err != nil {
				return 0, err
			}
			return info.Size(), nil
		})
	})
	Module.Blocking("truncate", truncate)
	Module.Blocking("sync", func(c *vm.Call) {
		f := vm.ResourceArg[*file](c, 0)
		f.alone(c, "sync", func(_ context.Context, dropped int) (int64, error) {
			return 0, errors.Join(f.back(dropped), syncFile(f.file))
		})
	})
	Module.Blocking("acquire", func(c *vm.Call) {
		f := vm.ResourceArg[*file](c, 0)
		f.alone(c, "lock", func(context.Context, int) (int64, error) { return f.lock() })
	})
	Module.Blocking("File.close", textio.Close)
	Module.Blocking("replace", replaceFile)
	Module.Blocking("sync_dir", func(c *vm.Call) {
		path := c.Str(0)
		awaitDone(c, "sync "+quote(path), func(_ context.Context, files host.FileSystem) error { return syncDir(files, path) })
	})
}

// modes are those of fs.open.
var modes = map[string]int{
	"r": os.O_RDONLY, "r+": os.O_RDWR,
	"w": os.O_WRONLY | os.O_CREATE | os.O_TRUNC, "w+": os.O_RDWR | os.O_CREATE | os.O_TRUNC,
	"a": os.O_WRONLY | os.O_CREATE | os.O_APPEND, "a+": os.O_RDWR | os.O_CREATE | os.O_APPEND,
	"x": os.O_WRONLY | os.O_CREATE | os.O_EXCL, "x+": os.O_RDWR | os.O_CREATE | os.O_EXCL,
}

// file is what a File of scripts holds. All that is done with it takes the
// reader's turn.
type file struct {
	path   string
	file   host.File
	reader *textio.Reader
}

// Close closes the file; operations in progress can finish.
func (f *file) Close() error { return f.reader.Close() }

func openFile(c *vm.Call) {
	files, path := c.FS(), c.Str(0)
	flag, ok := modes[c.Str(1)]
	if !ok {
		c.Throw(vm.ErrValue, "fs.open: there is no mode %s; there are r, w, a and x, and each with +", vm.Quote(c.Str(1)))
	}
	o := &opening{files: files, path: path, flag: flag, perm: 0o644}
	openWork(c, vm.Blocking{
		Name: "open " + quote(path),
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				fail(c, "open "+quote(path), err)
			}
			name := "file " + quote(path)
			opened := &file{path, o.file, textio.NewFileReader(o.file, quote(path))}
			c.SetObject(c.NewResource(c.Ref().Result, name, opened, textio.ReaderSize))
		},
		Drop: o.close,
	}, func(ctx context.Context, parks bool) (any, error) { return nil, o.open(ctx, parks) })
}

// alone has something done with the file while nobody else uses it. Of what was
// read and not taken, so many bytes are dropped.
func (f *file) alone(c *vm.Call, verb string, do func(ctx context.Context, dropped int) (int64, error)) {
	what := verb + " " + quote(f.path)
	c.Block(what, func(ctx context.Context) (value any, err error) {
		err = f.reader.Alone(ctx, func(dropped int) (err error) {
			value, err = do(ctx, dropped)
			return err
		})
		return value, err
	}, func(c *vm.Call, value any, err error) {
		if err != nil {
			fail(c, what, err)
		}
		c.SetInt(value.(int64))
	})
}

// seek reads offset and whence: 0 from the start, 1 from here, 2 from the end.
func seek(c *vm.Call) {
	f, offset, whence := vm.ResourceArg[*file](c, 0), c.Int(1), int(c.Int(2))
	f.alone(c, "seek in", func(_ context.Context, dropped int) (int64, error) {
		if whence == io.SeekCurrent {
			offset -= int64(dropped)
		}
		at, err := f.seek(offset, whence)
		if err != nil { // it stays where it was
			err = errors.Join(err, f.back(dropped))
		}
		return at, err
	})
}

func (f *file) seek(offset int64, whence int) (int64, error) {
	s, ok := f.file.(io.Seeker)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	return s.Seek(offset, whence)
}

// back goes back over what was read and not taken.
func (f *file) back(dropped int) error {
	if dropped == 0 {
		return nil
	}
	_, err := f.seek(int64(-dropped), io.SeekCurrent)
	return err
}

// writeTo writes after what the script has read, not what its buffer has.
func writeTo(c *vm.Call) {
	f, text := vm.ResourceArg[*file](c, 0), c.Str(1)
	c.Steps(1 + len(text)/1024)
	what := "write " + quote(f.path)
	c.Block(what, func(ctx context.Context) (any, error) {
		return nil, f.reader.Alone(ctx, func(dropped int) error {
			if err := f.back(dropped); err != nil {
				return err
			}
			defer textio.InterruptWrite(ctx, f.file)()
			_, err := io.WriteString(f.file, text)
			return err
		})
	}, func(c *vm.Call, _ any, err error) {
		if err != nil {
			fail(c, what, err)
		}
	})
}

func truncate(c *vm.Call) {
	f, size := vm.ResourceArg[*file](c, 0), c.Int(1)
	f.alone(c, "truncate", func(_ context.Context, dropped int) (int64, error) {
		t, ok := f.file.(interface{ Truncate(int64) error })
		if !ok {
			return 0, errors.ErrUnsupported
		}
		return 0, errors.Join(f.back(dropped), t.Truncate(size))
	})
}

// lock returns 1 if this handle now has the lock.
func (f *file) lock() (int64, error) {
	file, ok := f.file.(syscall.Conn)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return 0, err
	}
	if has, err := lock(conn); !has {
		return 0, err
	}
	f.reader.BeforeClose(func() { unlock(conn) })
	return 1, nil
}

// syncFile has what was written reach the disk, where the file can do that.
func syncFile(f host.File) error {
	if s, ok := f.(interface{ Sync() error }); ok {
		return s.Sync()
	}
	return nil
}

// syncDir has what was made, renamed and removed in a directory reach the disk.
// Windows cannot be asked for that, it sees to it itself.
func syncDir(files host.FileSystem, path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := files.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	if err = syncFile(dir); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil // a file system that knows no such thing
	}
	return errors.Join(err, dir.Close())
}

// replaceFile writes a file that takes the place of another in one step.
func replaceFile(c *vm.Call) {
	path, text := c.Str(0), c.Str(1)
	c.Steps(1 + len(text)/1024)
	awaitDone(c, "write "+quote(path), func(_ context.Context, files host.FileSystem) (err error) {
		perm := os.FileMode(0o644)
		if info, err := files.Stat(path); err == nil {
			perm = info.Mode().Perm()
		}
		temp := path + "." + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
		f, err := files.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err != nil {
			return err
		}
		_, err = io.WriteString(f, text)
		if err == nil {
			err = syncFile(f)
		}
		if err = errors.Join(err, f.Close()); err == nil {
			err = files.Rename(temp, path)
		}
		if err != nil {
			files.Remove(temp)
			return err
		}
		return syncDir(files, filepath.Dir(path))
	})
}
