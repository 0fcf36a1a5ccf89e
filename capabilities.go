package runnel

import (
	"io"
	"io/fs"
	"os"

	"github.com/runnel-lang/runnel/vm/host"
)

// The capabilities of a Host. Those of single modules are values of their own
// packages, given in Host.Grants: net.Allow, process.Allow, and so on.

// FileSystem is the files that a Host grants access to.
type FileSystem = host.FileSystem

// ReadFiles grants reading of any io/fs file system: an embed.FS, an os.DirFS, an archive.
func ReadFiles(fsys fs.FS) FileSystem { return host.ReadOnlyFS{FS: fsys} }

// Directory grants reading and writing of a directory with everything below it,
// and nothing else: no "..", no absolute path and no symbolic link leads out of
// it. Closing the root revokes the grant.
func Directory(root *os.Root) FileSystem { return host.RootFS{Root: root} }

// Output makes a writer safe to use as Host.Stdout, to which scripts write in parallel.
func Output(w io.Writer) io.Writer { return host.NewUnbufferedOutput(w) }

// SystemHost grants what the process has: its streams, files, clock and
// environment, and the right to exit. all.Host adds the capabilities of the
// library's modules.
func SystemHost(args []string) Host { return host.System(args) }
