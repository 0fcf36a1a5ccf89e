package fs

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// opening is a file that work opens. Files open without waiting. One that may
// have its user wait, a named pipe or a terminal, is waited for without a thread:
// the work ends with errWaits, and continues in a job that parks.
type opening struct {
	files host.FileSystem
	path  string
	flag  int
	perm  fs.FileMode

	file  host.File // once it is open
	waits bool      // is used in jobs that park
	ready bool      // nothing is to be waited for any more
}

// errWaits says that work must continue in a job that parks.
var errWaits = errors.New("it waits for others")

// openWork has work done that opens files; it is called again with parks where
// one of them waits.
func openWork(c *vm.Call, b vm.Blocking, work func(ctx context.Context, parks bool) (any, error)) {
	finish := b.Finish
	b.Work = func(ctx context.Context) (any, error) { return work(ctx, b.Parks) }
	b.Finish = func(c *vm.Call, value any, err error) {
		if err == errWaits {
			b.Parks = true
			openWork(c, vm.Blocking{Name: b.Name, Charge: b.Charge, Parks: true, Finish: finish, Drop: b.Drop}, work)
			return
		}
		finish(c, value, err)
	}
	c.Await(b)
}

// open opens the file, once; the caller closes it.
func (o *opening) open(ctx context.Context, parks bool) error {
	if o.file == nil {
		f, err := vm.Opening(func() (host.File, error) { return o.files.OpenFile(o.path, o.flag, o.perm) })
		switch {
		case err == nil:
			o.file = f
		case !errors.Is(err, syscall.ENXIO) || !o.isPipe(): // there is no reader of it yet
			return err
		}
	}
	switch {
	case o.ready:
		return nil
	case o.file != nil && !textio.Parks(o.file):
		o.ready = true
		return nil
	case !parks:
		o.waits = true
		return errWaits
	}
	err := o.meet(ctx)
	o.ready = err == nil
	return err
}

func (o *opening) isPipe() bool {
	info, err := o.files.Stat(o.path)
	return err == nil && info.Mode()&fs.ModeNamedPipe != 0
}

// How long to wait before it is looked again whether a named pipe has an other
// end: the system does not tell.
const (
	firstLook = time.Millisecond
	lastLook  = 20 * time.Millisecond
)

// meet waits until the other end of a named pipe is open.
func (o *opening) meet(ctx context.Context) (err error) {
	for look := firstLook; ; look = min(2*look, lastLook) {
		if o.file == nil {
			o.file, err = o.files.OpenFile(o.path, o.flag, o.perm)
			if err == nil || !errors.Is(err, syscall.ENXIO) {
				return err
			}
			o.file = nil
		} else {
			var met bool
			if o.file, met, err = hasWriter(o.file); met || err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(look):
		}
	}
}

func (o *opening) close() {
	if o.file != nil {
		o.file.Close()
		o.file = nil
	}
}
