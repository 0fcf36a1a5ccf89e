//go:build unix

package fs

import (
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/runnel-lang/runnel/vm/host"
)

// hasWriter reports whether somebody has opened the other end of a named pipe
// that is read, and be it that it is closed again; of other files it is true. As
// long as nothing comes only a read tells. Should there be a first byte after all,
// the file that it gives has it in front.
func hasWriter(f host.File) (_ host.File, met bool, _ error) {
	pipe, ok := f.(*os.File)
	if !ok {
		return f, true, nil
	}
	info, err := pipe.Stat()
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return f, true, err
	}
	conn, err := pipe.SyscallConn()
	if err != nil {
		return f, false, err
	}
	var first [1]byte
	var came, n int
	control := conn.Control(func(fd uintptr) {
		for came, err = poll(fd); err == unix.EINTR; {
			came, err = poll(fd)
		}
		if came > 0 || err != nil {
			return
		}
		for n, err = unix.Read(int(fd), first[:]); err == unix.EINTR; {
			n, err = unix.Read(int(fd), first[:])
		}
	})
	switch {
	case control != nil:
		return f, false, control
	case came > 0:
		return f, true, nil // something to read, or the end of what was written
	case n > 0:
		return &begunPipe{pipe, first[:]}, true, nil
	case err == nil:
		return f, false, nil // at its end: nobody writes
	}
	return f, true, nil // nothing is there yet, or it is not to be read
}

// poll counts what there is to be told about a file now.
func poll(fd uintptr) (int, error) {
	return unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
}

// begunPipe is a pipe of which some bytes have been read.
type begunPipe struct {
	pipe  *os.File
	first []byte
}

func (b *begunPipe) Read(p []byte) (int, error) {
	if len(b.first) == 0 {
		return b.pipe.Read(p)
	}
	n := copy(p, b.first)
	b.first = b.first[n:]
	return n, nil
}

func (b *begunPipe) Write(p []byte) (int, error)       { return b.pipe.Write(p) }
func (b *begunPipe) Close() error                      { return b.pipe.Close() }
func (b *begunPipe) Stat() (fs.FileInfo, error)        { return b.pipe.Stat() }
func (b *begunPipe) SetReadDeadline(t time.Time) error { return b.pipe.SetReadDeadline(t) }
