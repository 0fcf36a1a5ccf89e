package fs

import (
	"context"
	"io"
	"os"
	"unicode/utf8"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
)

// whole is a file being read into one str or bytes. How much that takes is known
// when the file is open, and not even then for all files: it is read as far as
// memory has been paid for, then the task pays for more.
type whole struct {
	opening
	sized  bool // its size has been asked for
	isText bool
	kind   uint32 // type of the result
	str    *vm.Str
	data   []byte // of str
	n      int    // of data has been read
	next   [1]byte
	more   bool // next has been read too
	need   int  // room for data, before more can be read
	ended  bool
	broken bool // is not text
}

const (
	firstRead = 16 << 10 // a file of that size is read when it is opened
	oneRead   = 1 << 20  // is read between two looks at the context
)

func readFile(c *vm.Call, isText bool) {
	w := &whole{opening: opening{files: c.FS(), path: c.Str(0), flag: os.O_RDONLY}, isText: isText, kind: c.Ref().Result, need: firstRead}
	w.await(c)
}

func (w *whole) await(c *vm.Call) {
	openWork(c, vm.Blocking{
		Name:   "read " + quote(w.path),
		Charge: vm.FillSize(w.need),
		Parks:  w.waits,
		Finish: w.finish,
		Drop:   w.close,
	}, func(ctx context.Context, parks bool) (any, error) { return nil, w.work(ctx, parks) })
}

// finish has read on where memory was missing, and sets the result at the end.
func (w *whole) finish(c *vm.Call, _ any, err error) {
	if err != nil {
		fail(c, "read "+quote(w.path), err)
	}
	c.Steps(1 + w.n/1024)
	switch {
	case !w.ended:
		w.await(c)
	case w.broken:
		textio.NotText(c, quote(w.path))
	case w.n == len(w.data):
		c.SetObject(w.str.Object())
	default:
		c.ChargeObject(vm.FillSize(w.n))
		str, data := vm.NewFill(w.kind, w.n)
		copy(data, w.data)
		c.SetObject(str.Object())
	}
}

func (w *whole) work(ctx context.Context, parks bool) error {
	if err := w.open(ctx, parks); err != nil {
		return err
	}
	if !w.sized {
		w.sized = true
		size := w.size()
		if size > w.need {
			w.need = size
			return nil
		}
		if size > 0 {
			w.need = size
		}
	}
	w.grow()
	undo := textio.InterruptRead(ctx, w.file)
	err := w.read(ctx)
	undo()
	if err != nil || w.ended {
		w.close()
	}
	return err
}

// size that the file seems to have.
func (w *whole) size() int {
	info, err := w.file.Stat()
	if err != nil {
		return 0
	}
	return int(min(max(info.Size(), 0), 1<<40))
}

func (w *whole) grow() {
	str, data := vm.NewFill(w.kind, w.need)
	copy(data, w.data[:w.n])
	w.str, w.data = str, data
	if w.more {
		w.data[w.n] = w.next[0]
		w.n++
		w.more = false
	}
}

// read reads to the end, or a byte more than there is room for.
func (w *whole) read(ctx context.Context) error {
	for ctx.Err() == nil {
		room := w.data[w.n:min(len(w.data), w.n+oneRead)]
		if len(room) > 0 {
			n, err := w.file.Read(room)
			w.n += n
			if err != nil {
				return w.end(err)
			}
			continue
		}
		n, err := w.file.Read(w.next[:])
		if n > 0 {
			w.more = true
			w.need = 2 * len(w.data)
			return nil
		}
		if err != nil {
			return w.end(err)
		}
	}
	return context.Cause(ctx)
}

func (w *whole) end(err error) error {
	if err != io.EOF {
		return err
	}
	w.ended = true
	w.broken = w.isText && !utf8.Valid(w.data[:w.n])
	return nil
}
