package fs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

func init() {
	Module.Blocking("listing", list)
	Module.Native("matches", func(c *vm.Call) {
		pattern, name := c.Str(0), c.Str(1)
		c.Steps(1 + (len(pattern)+len(name))/16)
		ok, err := path.Match(pattern, name)
		if err != nil {
			c.Throw(vm.ErrValue, "fs.glob: %s is not a pattern", quote(pattern))
		}
		c.SetBool(ok)
	})
}

// listing is a directory being read. It is read as far as memory has been paid
// for, then the task pays for more.
type listing struct {
	path  string
	files host.FileSystem
	dir   host.File
	found []found
	size  int // of what was found, about
	room  int // paid for
	ended bool
}

type found struct {
	name string
	kind int64
}

const (
	firstListing = 16 << 10
	foundSize    = 128 // beside the name
	batch        = 256 // entries that are read at a time
)

// list gives the names of what is in a directory, with 1 for directories and 2
// for links.
func list(c *vm.Call) {
	l := &listing{path: c.Str(0), files: c.FS(), room: firstListing}
	l.await(c)
}

func (l *listing) await(c *vm.Call) {
	c.Await(vm.Blocking{
		Name:   "list " + quote(l.path),
		Charge: l.room,
		Work:   func(ctx context.Context) (any, error) { return nil, l.work(ctx) },
		Finish: func(c *vm.Call, _ any, err error) {
			switch {
			case err != nil:
				fail(c, "list "+quote(l.path), err)
			case !l.ended:
				l.room *= 2
				l.await(c)
			default:
				l.set(c)
			}
		},
		Drop: l.close,
	})
}

// work reads until the end, or until there is no room.
func (l *listing) work(ctx context.Context) (err error) {
	if l.dir == nil {
		if l.dir, err = vm.Opening(func() (host.File, error) { return l.files.OpenFile(l.path, os.O_RDONLY, 0) }); err != nil {
			l.dir = nil
			return err
		}
	}
	for l.size < l.room && !l.ended && err == nil && ctx.Err() == nil {
		err = l.read()
	}
	if err != nil || l.ended {
		l.close()
	}
	return err
}

func (l *listing) read() error {
	var entries []fs.DirEntry
	var err error
	if d, ok := l.dir.(interface {
		ReadDir(n int) ([]fs.DirEntry, error)
	}); ok {
		entries, err = d.ReadDir(batch)
	} else {
		err = errors.ErrUnsupported
	}
	if errors.Is(err, errors.ErrUnsupported) { // all at once, then
		entries, err = l.files.ReadDir(l.path)
		l.ended = true
	}
	for _, e := range entries {
		l.found = append(l.found, found{e.Name(), kindOf(e)})
		l.size += len(e.Name()) + foundSize
	}
	if err == io.EOF {
		l.ended, err = true, nil
	}
	if l.ended {
		slices.SortFunc(l.found, func(a, b found) int { return strings.Compare(a.name, b.name) })
	}
	return err
}

func (l *listing) close() {
	if l.dir != nil {
		l.dir.Close()
		l.dir = nil
	}
}

// set makes the list of names.
func (l *listing) set(c *vm.Call) {
	c.Steps(4 * len(l.found))
	id := c.Ref().Result
	names := c.NewList(id, len(l.found))
	c.Pin(names.Object())
	for _, f := range l.found {
		p := c.NewStruct(c.Type(id).Elem)
		c.Pin(p.Object())
		p.Set(0, c.NewStr(f.name).Value())
		p.Set(1, vm.IntValue(f.kind))
		names.Push(p.Value())
		c.Unpin()
	}
	c.SetObject(names.Object())
}

func kindOf(e fs.DirEntry) int64 {
	switch {
	case e.IsDir():
		return 1
	case e.Type()&fs.ModeSymlink != 0:
		return 2
	}
	return 0
}
