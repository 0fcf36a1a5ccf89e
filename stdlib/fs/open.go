package fs

import (
	"context"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/runnel-lang/runnel/vm"
)

// open opens a file. Opening a named pipe waits for who opens its other end;
// when the context ends, we are that ourselves for a moment.
func open(ctx context.Context, files vm.FileSystem, path string, flag int, perm fs.FileMode) (vm.File, error) {
	opened := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { releaseOpen(files, path, flag, opened) })
	f, err := files.OpenFile(path, flag, perm)
	close(opened)
	if stop() || err != nil {
		return f, err
	}
	f.Close()
	return nil, context.Cause(ctx)
}

// retryRelease is how long to wait for an open that has not begun to wait yet.
const retryRelease = 10 * time.Millisecond

func releaseOpen(files vm.FileSystem, path string, flag int, opened <-chan struct{}) {
	info, err := files.Stat(path)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return
	}
	other := os.O_RDONLY
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		other = os.O_WRONLY
	}
	for {
		select {
		case <-opened:
			return
		default:
		}
		if f, err := files.OpenFile(path, other|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
		select {
		case <-opened:
			return
		case <-time.After(retryRelease):
		}
	}
}
