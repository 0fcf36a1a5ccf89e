package host

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// flushDelay bounds how long buffered output stays unseen.
const flushDelay = 20 * time.Millisecond

// Output makes a writer safe for parallel use. A buffered Output collects
// writes and passes them on when the buffer is full, a short time after the
// first write, or on Flush.
type Output struct {
	mu    sync.Mutex
	w     *bufio.Writer
	later *time.Timer // flushes; nil when unbuffered
	armed bool
}

// NewOutput makes a buffered Output.
func NewOutput(w io.Writer) *Output {
	o := &Output{w: bufio.NewWriterSize(w, 32<<10)}
	o.later = time.AfterFunc(flushDelay, func() { o.Flush() })
	o.later.Stop()
	return o
}

// NewUnbufferedOutput makes an Output that passes on every write at once.
func NewUnbufferedOutput(w io.Writer) *Output {
	return &Output{w: bufio.NewWriterSize(w, 4<<10)}
}

// Write writes p as a whole: writes of other tasks come before or after it.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	err := Guarded(func() (err error) {
		n, err = o.w.Write(p)
		return o.written(err)
	})
	return n, err
}

// WriteString is Write for a string.
func (o *Output) WriteString(s string) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	err := Guarded(func() (err error) {
		n, err = o.w.WriteString(s)
		return o.written(err)
	})
	return n, err
}

func (o *Output) written(err error) error {
	switch {
	case err != nil:
		return err
	case o.later == nil:
		return o.w.Flush()
	case !o.armed:
		o.armed = true
		o.later.Reset(flushDelay)
	}
	return nil
}

// Flush passes on what is buffered.
func (o *Output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.armed = false
	return Guarded(o.w.Flush)
}

// flushingReader shows what was printed before it waits for input, so that a
// prompt is seen.
type flushingReader struct {
	io.Reader
	out *Output
}

func (r flushingReader) Read(p []byte) (int, error) {
	r.out.Flush()
	return r.Reader.Read(p)
}
