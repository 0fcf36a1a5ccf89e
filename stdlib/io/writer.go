package io

import (
	"context"
	"io"

	"github.com/runnel-lang/runnel/vm"
)

// Writer is what native structs hold that write to a stream. Tasks may share
// one: what each writes stays together.
type Writer struct {
	name   string // for messages
	stream io.WriteCloser
	parks  bool          // writing holds no thread
	turn   chan struct{} // has room for one: who has put something in writes
}

// NewWriter makes a Writer. Messages call the stream name.
func NewWriter(stream io.WriteCloser, name string) *Writer {
	return &Writer{name: name, stream: stream, parks: Parks(stream), turn: make(chan struct{}, 1)}
}

// WriterSize is what a new Writer is charged.
const WriterSize = 256

// Write writes a text. If it is cancelled, a part may have been written.
func (w *Writer) Write(c *vm.Call, text string) {
	c.Steps(1 + len(text)/1024)
	c.Await(vm.Blocking{
		Name:  "write to " + w.name,
		Parks: w.parks,
		Work:  func(ctx context.Context) (any, error) { return nil, w.write(ctx, text) },
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot write to "+w.name, err)
			}
		},
	})
}

func (w *Writer) write(ctx context.Context, text string) error {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-w.turn }()
	undo := InterruptWrite(ctx, w.stream)
	defer undo()
	_, err := io.WriteString(w.stream, text)
	return err
}

// Close closes the stream, even while it is being written to.
func (w *Writer) Close() error { return w.stream.Close() }

// Close closes the resource that the first argument is.
func Close(c *vm.Call) {
	r := vm.ResourceOf(c, 0)
	c.Block("close the "+r.Name,
		func(context.Context) (any, error) { return nil, r.Close() },
		func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot close the "+r.Name, err)
			}
		})
}
