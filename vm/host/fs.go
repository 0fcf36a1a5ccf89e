package host

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// FileSystem is the files that a host grants access to. Its errors are those of
// package os, so errors.Is with fs.ErrNotExist and the like works.
type FileSystem interface {
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error) // of a link itself
	ReadLink(name string) (string, error)
	Symlink(target, link string) error
	ReadDir(name string) ([]fs.DirEntry, error) // sorted by name
	MkdirAll(name string, perm fs.FileMode) error
	Remove(name string) error // a file or an empty directory
	RemoveAll(name string) error
	Rename(from, to string) error
	// MkdirTemp makes a new directory for temporary files and returns its path.
	// A * in the pattern is replaced by a unique part.
	MkdirTemp(pattern string) (string, error)
}

// File is an open file of a FileSystem. It may have more methods of os.File,
// which scripts can then use: Seek, Truncate, Sync, and, for a directory,
// ReadDir.
type File interface {
	io.ReadWriteCloser
	Stat() (fs.FileInfo, error)
}

// SystemFS is the file system of the process, unrestricted.
type SystemFS struct{}

func (SystemFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	return opened(os.OpenFile(name, flag|noWait, perm))
}
func (SystemFS) Stat(name string) (fs.FileInfo, error)        { return os.Stat(name) }
func (SystemFS) Lstat(name string) (fs.FileInfo, error)       { return os.Lstat(name) }
func (SystemFS) ReadLink(name string) (string, error)         { return os.Readlink(name) }
func (SystemFS) Symlink(target, link string) error            { return os.Symlink(target, link) }
func (SystemFS) ReadDir(name string) ([]fs.DirEntry, error)   { return os.ReadDir(name) }
func (SystemFS) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }
func (SystemFS) Remove(name string) error                     { return os.Remove(name) }
func (SystemFS) RemoveAll(name string) error                  { return os.RemoveAll(name) }
func (SystemFS) Rename(from, to string) error                 { return os.Rename(from, to) }
func (SystemFS) MkdirTemp(pattern string) (string, error)     { return os.MkdirTemp("", pattern) }

// opened drops the typed nil of a failed os.OpenFile.
func opened(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// RootFS grants one directory with everything below it and nothing else:
// neither ".." nor a symbolic link leads out. Nor can a script make a link that
// would lead other programs out: the target of a link must be below it, without
// "..", so that it stays inside wherever it is moved; and an existing link with
// ".." cannot be moved to another directory, not even along with a directory
// that it leads out of. A leading slash means the directory itself.
type RootFS struct{ Root *os.Root }

func (r RootFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	return opened(r.Root.OpenFile(inside(name), flag|noWait, perm))
}
func (r RootFS) Stat(name string) (fs.FileInfo, error)  { return r.Root.Stat(inside(name)) }
func (r RootFS) Lstat(name string) (fs.FileInfo, error) { return r.Root.Lstat(inside(name)) }
func (r RootFS) ReadLink(name string) (string, error)   { return r.Root.Readlink(inside(name)) }
func (r RootFS) Symlink(target, link string) error {
	if !leadsDown(target) {
		return &fs.PathError{Op: "symlink", Path: link, Err: fs.ErrPermission}
	}
	return r.Root.Symlink(target, inside(link))
}
func (r RootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(r.Root.FS(), inside(name))
}
func (r RootFS) MkdirAll(name string, perm fs.FileMode) error {
	return r.Root.MkdirAll(inside(name), perm)
}
func (r RootFS) Remove(name string) error    { return r.Root.Remove(inside(name)) }
func (r RootFS) RemoveAll(name string) error { return r.Root.RemoveAll(inside(name)) }
func (r RootFS) Rename(from, to string) error {
	from, to = inside(from), inside(to)
	if path.Dir(from) != path.Dir(to) {
		if err := r.movable(from); err != nil {
			return err
		}
	}
	return r.Root.Rename(from, to)
}

// leadsDown reports whether the target of a link is strictly below the directory
// of the link, whatever the other links on the way are, if they lead down too.
func leadsDown(target string) bool {
	target = filepath.FromSlash(target)
	parts := strings.FieldsFunc(target, func(c rune) bool { return c == '/' || c == filepath.Separator })
	return filepath.IsLocal(target) && filepath.Clean(target) != "." && !slices.Contains(parts, "..")
}

// movable refuses what has links that would lead elsewhere from another directory.
func (r RootFS) movable(name string) error {
	info, err := r.Root.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return r.linkWithin(name, path.Dir(name), false)
	}
	if !info.IsDir() {
		return nil
	}
	return fs.WalkDir(r.Root.FS(), name, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink == 0 {
			return err
		}
		return r.linkWithin(at, name, true)
	})
}

// linkWithin refuses a link that does not lead down, unless it stays in a
// directory, where that is enough.
func (r RootFS) linkWithin(link, dir string, enough bool) error {
	target, err := r.Root.Readlink(link)
	if err != nil {
		return err
	}
	to := path.Join(path.Dir(link), filepath.ToSlash(target))
	stays := enough && !filepath.IsAbs(target) && (to == dir || strings.HasPrefix(to, dir+"/"))
	if !stays && !leadsDown(target) {
		return &fs.PathError{Op: "rename", Path: link, Err: fs.ErrPermission}
	}
	return nil
}

func (r RootFS) MkdirTemp(pattern string) (string, error) {
	before, after, _ := strings.Cut(path.Base(inside(pattern)), "*")
	for {
		name := before + strconv.FormatUint(rand.Uint64(), 36) + after
		if err := r.Root.Mkdir(name, 0o700); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
}

// ReadOnlyFS grants reading of an io/fs file system: an embed.FS, an os.DirFS, an archive.
type ReadOnlyFS struct{ FS fs.FS }

func (r ReadOnlyFS) OpenFile(name string, flag int, _ fs.FileMode) (File, error) {
	if flag != os.O_RDONLY {
		return nil, readOnly("open", name)
	}
	if info, err := r.Stat(name); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0 {
		return nil, readOnly("open", name) // it might wait for others, and keep a thread
	}
	f, err := r.FS.Open(inside(name))
	if err != nil {
		return nil, err
	}
	return readOnlyFile{f, name}, nil
}
func (r ReadOnlyFS) Stat(name string) (fs.FileInfo, error)  { return fs.Stat(r.FS, inside(name)) }
func (r ReadOnlyFS) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(r.FS, inside(name)) }
func (r ReadOnlyFS) ReadLink(name string) (string, error)   { return fs.ReadLink(r.FS, inside(name)) }
func (r ReadOnlyFS) Symlink(_, link string) error           { return readOnly("symlink", link) }
func (r ReadOnlyFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(r.FS, inside(name))
}
func (r ReadOnlyFS) MkdirAll(name string, _ fs.FileMode) error { return readOnly("mkdir", name) }
func (r ReadOnlyFS) Remove(name string) error                  { return readOnly("remove", name) }
func (r ReadOnlyFS) RemoveAll(name string) error               { return readOnly("remove", name) }
func (r ReadOnlyFS) Rename(from, _ string) error               { return readOnly("rename", from) }
func (r ReadOnlyFS) MkdirTemp(pattern string) (string, error) {
	return "", readOnly("mkdir", pattern)
}

type readOnlyFile struct {
	fs.File
	name string
}

func (f readOnlyFile) Seek(offset int64, whence int) (int64, error) {
	if s, ok := f.File.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	return 0, &fs.PathError{Op: "seek", Path: f.name, Err: errors.ErrUnsupported}
}

func (f readOnlyFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if d, ok := f.File.(fs.ReadDirFile); ok {
		return d.ReadDir(n)
	}
	return nil, &fs.PathError{Op: "readdir", Path: f.name, Err: errors.ErrUnsupported}
}

func (f readOnlyFile) Write([]byte) (int, error) { return 0, readOnly("write", f.name) }

func readOnly(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrPermission}
}

// inside turns a script's path into one relative to a granted directory.
// Leading slashes go; a ".." that leads out stays and is refused below.
func inside(name string) string {
	name = strings.TrimLeft(name, "/")
	if name == "" {
		return "."
	}
	return path.Clean(name)
}
