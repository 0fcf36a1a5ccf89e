package journal_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/runnel-lang/runnel/vm/host"
)

// disk is a file system with one directory, d, that loses its power after so many
// operations. What is not synced then may have reached it or not: of names a
// beginning of the changes, of a file any of its sectors, and its length.
type disk struct {
	mu      sync.Mutex
	names   map[string]*inode
	stored  map[string]*inode // as of the last sync of the directory
	changes []func(map[string]*inode)
	ops     int // that are left, and after that nothing works
}

type inode struct{ data, stored []byte }

var errPower = errors.New("the power has failed")

const sector = 512

func newDisk(ops int) *disk {
	return &disk{names: map[string]*inode{}, stored: map[string]*inode{}, ops: ops}
}

// afterCrash is what is found when the power is there again.
func (d *disk) afterCrash(r *rand.Rand, ops int) *disk {
	names := maps.Clone(d.stored)
	for _, change := range d.changes[:r.IntN(len(d.changes)+1)] {
		change(names)
	}
	next := newDisk(ops)
	for name, node := range names {
		data := node.afterCrash(r)
		next.names[name] = &inode{data, bytes.Clone(data)}
	}
	next.stored = maps.Clone(next.names)
	return next
}

func (n *inode) afterCrash(r *rand.Rand) []byte {
	size := len(n.stored)
	if len(n.data) != size && r.IntN(3) > 0 {
		size = len(n.data)
		if size > len(n.stored) && r.IntN(2) == 0 {
			size = len(n.stored) + r.IntN(size-len(n.stored)+1)
		}
	}
	data := make([]byte, size)
	copy(data, n.stored)
	for i := 0; i < size; i += sector {
		if end := min(i+sector, size); r.IntN(2) == 0 && i < len(n.data) {
			copy(data[i:end], n.data[i:])
		}
	}
	return data
}

// step is the next operation.
func (d *disk) step() error {
	if d.ops--; d.ops < 0 {
		return errPower
	}
	return nil
}

func (d *disk) change(f func(map[string]*inode)) {
	f(d.names)
	d.changes = append(d.changes, f)
}

func (d *disk) OpenFile(name string, flag int, _ fs.FileMode) (host.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step(); err != nil {
		return nil, err
	}
	if name = path.Clean(name); name == "d" || name == "." {
		return &diskFile{disk: d}, nil
	}
	node := d.names[name]
	switch {
	case node == nil && flag&os.O_CREATE == 0:
		return nil, fs.ErrNotExist
	case node == nil:
		node = &inode{}
		d.change(func(names map[string]*inode) { names[name] = node })
	}
	return &diskFile{disk: d, node: node, name: name}, nil
}

func (d *disk) Stat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if name = path.Clean(name); name == "d" {
		return fstest.MapFS{"d": {Mode: fs.ModeDir}}.Stat("d")
	}
	node := d.names[name]
	if node == nil {
		return nil, fs.ErrNotExist
	}
	return fstest.MapFS{"f": {Data: node.data}}.Stat("f")
}
func (d *disk) Lstat(name string) (fs.FileInfo, error) { return d.Stat(name) }

func (d *disk) ReadDir(string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := fstest.MapFS{}
	for name := range d.names {
		list[strings.TrimPrefix(name, "d/")] = &fstest.MapFile{}
	}
	return list.ReadDir(".")
}

func (d *disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	name = path.Clean(name)
	if err := d.step(); err != nil {
		return err
	}
	d.change(func(names map[string]*inode) { delete(names, name) })
	return nil
}

func (d *disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	from, to = path.Clean(from), path.Clean(to)
	if err := d.step(); err != nil {
		return err
	}
	d.change(func(names map[string]*inode) {
		names[to] = names[from]
		delete(names, from)
	})
	return nil
}

func (d *disk) MkdirAll(string, fs.FileMode) error { return nil }
func (d *disk) ReadLink(string) (string, error)    { return "", errors.ErrUnsupported }
func (d *disk) Symlink(string, string) error       { return errors.ErrUnsupported }
func (d *disk) RemoveAll(string) error             { return errors.ErrUnsupported }
func (d *disk) MkdirTemp(string) (string, error)   { return "", errors.ErrUnsupported }

// diskFile is an open file, or without a node the directory. All are written at the end.
type diskFile struct {
	disk *disk
	node *inode
	name string
	at   int
}

func (f *diskFile) Read(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	n := copy(p, f.node.data[min(f.at, len(f.node.data)):])
	if f.at += n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (f *diskFile) Write(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	err := f.disk.step()
	f.node.data = append(slices.Clip(f.node.data), p...) // the operation that fails may still be done
	return len(p), err
}

func (f *diskFile) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.step(); err != nil {
		return err
	}
	f.node.data = bytes.Clone(f.node.data[:size])
	return nil
}

func (f *diskFile) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.step(); err != nil {
		return err
	}
	if f.node == nil {
		f.disk.stored, f.disk.changes = maps.Clone(f.disk.names), nil
	} else {
		f.node.stored = bytes.Clone(f.node.data)
	}
	return nil
}

func (f *diskFile) Stat() (fs.FileInfo, error) {
	if f.node == nil {
		return f.disk.Stat("d")
	}
	return f.disk.Stat(f.name)
}

func (f *diskFile) Seek(offset int64, whence int) (int64, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	base := []int{0, f.at, len(f.node.data)}[whence]
	f.at = base + int(offset)
	return int64(f.at), nil
}

func (f *diskFile) Close() error { return nil }
