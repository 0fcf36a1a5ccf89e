package vm

import (
	"bufio"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

// Host is what an instance may reach outside of itself: each field is a
// capability that the embedding program grants by setting it. The zero Host
// grants nothing, and a script that asks for what it was not granted gets an
// IoError. An instance keeps a copy, so a change made later has no effect.
type Host struct {
	// Stdout and Stderr take what the script prints; nil drops it. Tasks write
	// in parallel: NewOutput makes any writer safe for that.
	Stdout io.Writer
	Stderr io.Writer
	// Stdin is what module io reads; nil is not granted.
	Stdin io.Reader
	// Args are the script's own arguments, without the names of program and script.
	Args []string
	// Env looks an environment variable up; nil is not granted.
	Env func(name string) (value string, ok bool)
	// Now is the wall clock; nil is not granted.
	Now func() time.Time
	// Mono is a clock that never goes back; nil is not granted.
	Mono func() time.Duration
	// Location is the local time zone; nil means UTC.
	Location *time.Location
	// RandSeed gives the seed of the default random generator; with nil it is
	// the same in every run.
	RandSeed func() uint64
	// FS is the file system; nil is not granted.
	FS FileSystem
	// Exit ends the process; nil is not granted. It does not return.
	Exit func(code int)
	// Grants are the capabilities that modules ask for by their Go type: a
	// net.Network of package stdlib/net, a process.Runner of stdlib/process.
	Grants []any
}

// SystemHost grants everything the process has: its streams, environment,
// clocks, files, and the right to exit. The caller flushes Stdout (an *Output)
// before the process ends.
func SystemHost(args []string) Host {
	stdout := NewOutput(os.Stdout)
	start := time.Now()
	return Host{
		Stdout:   stdout,
		Stderr:   NewUnbufferedOutput(os.Stderr),
		Stdin:    flushingReader{os.Stdin, stdout},
		Args:     args,
		Env:      os.LookupEnv,
		Now:      time.Now,
		Mono:     func() time.Duration { return time.Since(start) },
		Location: time.Local,
		RandSeed: rand.Uint64,
		FS:       SystemFS{},
		Exit: func(code int) {
			stdout.Flush()
			os.Exit(code)
		},
	}
}

// virtualStart is when the virtual clock of a deterministic run begins.
var virtualStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// useClock replaces the clocks that are granted.
func (h *Host) useClock(now func() time.Duration) {
	if h.Mono != nil {
		h.Mono = now
	}
	if h.Now != nil {
		h.Now = func() time.Time { return virtualStart.Add(now()) }
	}
}

// flushDelay bounds how long buffered output stays unseen.
const flushDelay = 20 * time.Millisecond

// Output makes a writer safe for parallel use. A buffered one collects what is
// written and passes it on when the buffer is full, a short time after the
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

// NewUnbufferedOutput makes an Output that passes every write on at once.
func NewUnbufferedOutput(w io.Writer) *Output {
	return &Output{w: bufio.NewWriterSize(w, 4<<10)}
}

// Write takes p as a whole: writes of other tasks come before or after it.
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

// Host of the instance a native runs in.
func (c *Call) Host() *Host { return &c.w.inst.host }

// NotGranted raises the error of a capability that the host did not grant.
func (c *Call) NotGranted(capability string) {
	panic(&thrown{kind: ErrIO, io: IONotGranted, text: "the host does not grant this program access to " + capability})
}

// Granted gives the host's capability of a type; it throws when there is none,
// naming what it is for: "the network".
func Granted[T any](c *Call, what string) T {
	for _, g := range c.Host().Grants {
		if t, ok := g.(T); ok {
			return t
		}
	}
	c.NotGranted(what)
	panic("unreachable")
}

// FS gives the host's file system; it throws when there is none.
func (c *Call) FS() FileSystem {
	if fs := c.Host().FS; fs != nil {
		return fs
	}
	c.NotGranted("files")
	return nil
}
