package runnel

import (
	"io"
	"io/fs"
	"os"

	"github.com/runnel-lang/runnel/vm/host"
)

// The capabilities of a Host. Those of single modules are values of their own
// packages, given in Host.Grants: net.Allow, process.Allow, and so on.

// FileSystem is the files a Host grants.
type FileSystem = host.FileSystem

// ReadFiles grants the reading of any file system of package io/fs: an embed.FS,
// an os.DirFS, an archive.
func ReadFiles(fsys fs.FS) FileSystem { return host.ReadOnlyFS{FS: fsys} }

// Directory grants a directory with all below it and nothing else, for reading
// and writing: no "..", no absolute path and no symbolic link leads out. Closing
// the root ends the grant.
func Directory(root *os.Root) FileSystem { return host.RootFS{Root: root} }

// Output makes a writer fit for Host.Stdout: scripts write in parallel.
func Output(w io.Writer) io.Writer { return host.NewUnbufferedOutput(w) }

// SystemHost grants what the process has: its streams, files, clock, environment
// and the right to exit. The capabilities of modules are in all.Host.
func SystemHost(args []string) Host { return host.System(args) }
