package host

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// Mounts combines several file systems into one, each mounted at a path:
//
//	host.Mounts{"/": host.ReadOnlyFS{FS: assets}, "/out": host.RootFS{Root: out}, "/tmp": host.RootFS{Root: tmp}}
//
// A path belongs to the longest mount point that it is at or below; mount
// points are absolute and clean. Temporary directories are made in /tmp. A path
// that belongs to none is a directory if it leads to a mount point.
type Mounts map[string]FileSystem

// find returns the file system of a path, nil for none, where that is mounted,
// and the path within it.
func (m Mounts) find(name string) (files FileSystem, at, rest string) {
	name = path.Clean("/" + name)
	for at = name; ; at = path.Dir(at) {
		if files = m[at]; files != nil {
			return files, at, path.Clean("/" + strings.TrimPrefix(name, at))
		}
		if at == "/" {
			return nil, "", name
		}
	}
}

// below names what is mounted in a directory, or below what is in it.
func (m Mounts) below(name string) []string {
	prefix := strings.TrimSuffix(path.Clean("/"+name), "/") + "/"
	var names []string
	for at := range m {
		if rest, ok := strings.CutPrefix(at, prefix); ok && rest != "" {
			first, _, _ := strings.Cut(rest, "/")
			names = append(names, first)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (m Mounts) missing(op, name string) error {
	err := fs.ErrNotExist
	if len(m.below(name)) > 0 {
		err = fs.ErrPermission
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// OpenFile opens a file, or a directory for listing.
func (m Mounts) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	if flag == os.O_RDONLY && len(m.below(name)) > 0 {
		entries, err := m.ReadDir(name)
		return &mountDir{mountInfo(path.Base(path.Clean("/" + name))), entries}, err
	}
	files, _, rest := m.find(name)
	if files == nil {
		return nil, m.missing("open", name)
	}
	return files.OpenFile(rest, flag, perm)
}

// Stat describes a file or directory.
func (m Mounts) Stat(name string) (fs.FileInfo, error) { return m.stat(name, FileSystem.Stat) }

// Lstat describes a file without following a link.
func (m Mounts) Lstat(name string) (fs.FileInfo, error) { return m.stat(name, FileSystem.Lstat) }

func (m Mounts) stat(name string, of func(FileSystem, string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	files, _, rest := m.find(name)
	err := m.missing("stat", name)
	if files != nil {
		var info fs.FileInfo
		if info, err = of(files, rest); err == nil {
			return info, nil
		}
	}
	if len(m.below(name)) > 0 {
		return mountInfo(path.Base(path.Clean("/" + name))), nil
	}
	return nil, err
}

// ReadDir lists a directory, including what is mounted in it.
func (m Mounts) ReadDir(name string) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	mounted := m.below(name)
	if files, _, rest := m.find(name); files != nil {
		var err error
		if entries, err = files.ReadDir(rest); err != nil && len(mounted) == 0 {
			return nil, err
		}
	} else if len(mounted) == 0 {
		return nil, m.missing("open", name)
	}
	for _, base := range mounted {
		i, found := slices.BinarySearchFunc(entries, base, func(e fs.DirEntry, base string) int { return strings.Compare(e.Name(), base) })
		if !found {
			entries = slices.Insert(entries, i, fs.FileInfoToDirEntry(mountInfo(base)))
		}
	}
	return entries, nil
}

// on calls a function with the file system of a path.
func (m Mounts) on(op, name string, f func(files FileSystem, rest string) error) error {
	files, _, rest := m.find(name)
	if files == nil {
		return m.missing(op, name)
	}
	return f(files, rest)
}

// ReadLink returns the target of a link as it was written.
func (m Mounts) ReadLink(name string) (target string, err error) {
	err = m.on("readlink", name, func(files FileSystem, rest string) (err error) {
		target, err = files.ReadLink(rest)
		return err
	})
	return target, err
}

// Symlink makes a link within a file system; its target is a relative path.
func (m Mounts) Symlink(target, link string) error {
	return m.on("symlink", link, func(files FileSystem, rest string) error { return files.Symlink(target, rest) })
}

// MkdirAll makes a directory.
func (m Mounts) MkdirAll(name string, perm fs.FileMode) error {
	return m.on("mkdir", name, func(files FileSystem, rest string) error { return files.MkdirAll(rest, perm) })
}

// Remove removes a file or an empty directory.
func (m Mounts) Remove(name string) error { return m.on("remove", name, FileSystem.Remove) }

// RemoveAll removes a directory with its contents, but not what is mounted in it.
func (m Mounts) RemoveAll(name string) error { return m.on("remove", name, FileSystem.RemoveAll) }

// Rename renames within a file system.
func (m Mounts) Rename(from, to string) error {
	_, at, rest := m.find(to)
	return m.on("rename", from, func(files FileSystem, name string) error {
		if _, here, _ := m.find(from); here != at {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: errors.New("they are in different file systems")}
		}
		return files.Rename(name, rest)
	})
}

// MkdirTemp makes a directory in /tmp.
func (m Mounts) MkdirTemp(pattern string) (string, error) {
	files, at, _ := m.find("/tmp")
	if files == nil {
		return "", m.missing("mkdir", "/tmp")
	}
	name, err := files.MkdirTemp(pattern)
	if err != nil {
		return "", err
	}
	return path.Join(at, name), nil
}

// mountInfo is the name of a directory that others are mounted in.
type mountInfo string

func (i mountInfo) Name() string     { return string(i) }
func (mountInfo) Size() int64        { return 0 }
func (mountInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (mountInfo) ModTime() time.Time { return time.Time{} }
func (mountInfo) IsDir() bool        { return true }
func (mountInfo) Sys() any           { return nil }

// mountDir is an open directory that others are mounted in.
type mountDir struct {
	info mountInfo
	left []fs.DirEntry
}

func (d *mountDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *mountDir) Read([]byte) (int, error)   { return 0, d.isDir("read") }
func (d *mountDir) Write([]byte) (int, error)  { return 0, d.isDir("write") }
func (d *mountDir) Close() error               { return nil }
func (d *mountDir) isDir(op string) error {
	return &fs.PathError{Op: op, Path: d.info.Name(), Err: errors.New("is a directory")}
}

func (d *mountDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.left) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.left) {
		n = len(d.left)
	}
	entries := d.left[:n]
	d.left = d.left[n:]
	return entries, nil
}
