package io

import (
	"bytes"
	"context"
	"io"
	"math"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Reader is what the native structs hold that read from a stream: io.Input,
// fs.Lines, net.Conn. Tasks may share one.
//
// A task takes what the buffer holds. When that is not enough it has a thread
// of the IO pool fill the buffer, and looks again: so what a cancelled task had
// asked for is there for the next one.
type Reader struct {
	name   string // for messages
	source io.Reader
	closer io.Closer     // nil when the stream is not ours
	before func()        // what the closer is called after, or nil
	lasts  bool          // continues after its end, as a terminal does
	parks  bool          // reading holds no thread
	turn   chan struct{} // has room for one: who has put something in reads the source, and makes room in the buffer

	mu       sync.Mutex // held for moments: no memory is paid for, nothing blocks
	buf      []byte
	from, to int   // buf[from:to] has been read and not taken
	searched int   // buf[from:searched] has no line end
	taken    int64 // bytes taken so far
	end      bool  // nothing follows
	closed   bool
	filled   int // how many reads in a row took all the room there was
}

// A Reader begins with a small buffer. When a stream fills it again and again it
// takes a usual one, for each fill is a trip to another thread; a long line
// makes it grow beyond that for a while.
const (
	firstBuffer = 4 << 10
	usualBuffer = 64 << 10
)

// ReaderSize is what a new Reader is charged.
const ReaderSize = firstBuffer + 256

// NewReader makes a Reader. Messages call the stream name. A stream that has a
// closer is closed at its end; one that has none may continue after it.
func NewReader(source io.Reader, closer io.Closer, name string) *Reader {
	return newReader(source, closer, name, closer == nil)
}

// NewFileReader makes a Reader of a stream that stays open at its end.
func NewFileReader(file io.ReadCloser, name string) *Reader { return newReader(file, file, name, true) }

func newReader(source io.Reader, closer io.Closer, name string, lasts bool) *Reader {
	return &Reader{name: name, source: source, closer: closer, lasts: lasts, parks: Parks(source),
		turn: make(chan struct{}, 1), buf: make([]byte, firstBuffer)}
}

// goal is what a task wants the buffer to hold: a number of bytes, or one of these.
type goal int

const (
	aLine      goal = -1
	everything goal = -2
	someBytes  goal = -3
)

// has reports whether the buffer holds what is wanted, or the stream has no more.
// The caller has the lock.
func (r *Reader) has(g goal) bool {
	switch {
	case r.end || g == everything:
		return r.end
	case g >= 0:
		return r.to-r.from >= int(g)
	case g == someBytes:
		return r.to > r.from
	case bytes.IndexByte(r.buf[r.searched:r.to], '\n') >= 0:
		return true
	}
	r.searched = r.to
	return false
}

// line measures the next line with its line end: n bytes from position at on,
// none at the end of the stream. It fails when more must be read to know.
func (r *Reader) line() (at int64, n, text int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := bytes.IndexByte(r.buf[r.searched:r.to], '\n'); i >= 0 {
		n = r.searched + i + 1 - r.from
		return r.taken, n, n - lineEnd(r.buf[r.from:r.from+n]), true
	}
	r.searched = r.to
	return r.taken, r.to - r.from, r.to - r.from, r.end
}

// lineEnd is the length of the line end.
func lineEnd(line []byte) int {
	if n := len(line); n > 1 && line[n-2] == '\r' {
		return 2
	}
	return 1
}

// buffered measures what is in the buffer; ok is false when that is not what is wanted.
func (r *Reader) buffered(g goal) (at int64, n int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken, r.to - r.from, r.has(g)
}

// take copies what starts at position at into dst and goes on n bytes, unless
// another task has taken it.
func (r *Reader) take(at int64, n int, dst []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.taken != at || r.to-r.from < n {
		return false
	}
	copy(dst, r.buf[r.from:])
	r.from += n
	r.taken += int64(n)
	r.searched = r.from
	return true
}

// atEnd notes that a task was told of the end.
func (r *Reader) atEnd() {
	r.mu.Lock()
	r.end = r.closed || !r.lasts
	r.mu.Unlock()
}

// errFull says that the buffer, of that many bytes, is too small for what is wanted.
type errFull int

func (e errFull) Error() string { return "the buffer is full" }

// fill reads until the buffer has what is wanted; the caller has the turn. grow
// is how large the buffer becomes, 0 for as it is.
func (r *Reader) fill(ctx context.Context, g goal, grow int) error {
	undo := InterruptRead(ctx, r.source)
	defer undo()
	for ctx.Err() == nil {
		room, ready := r.room(g, grow)
		if ready {
			return nil
		}
		if len(room) == 0 {
			return errFull(len(r.buf)) // only the holder of the turn replaces it
		}
		n, err := r.source.Read(room)
		if err = r.received(n, len(room), err); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// room reports whether the buffer has what is wanted, and else where there is
// room to read to.
func (r *Reader) room(g goal, grow int) (room []byte, ready bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.has(g) {
		return nil, true
	}
	n := r.to - r.from
	switch {
	case grow > len(r.buf):
		r.move(make([]byte, grow))
	case grow == 0 && len(r.buf) > usualBuffer && n < usualBuffer/2:
		r.move(make([]byte, usualBuffer))
	case r.from > 0:
		r.move(r.buf)
	}
	return r.buf[r.to:], false
}

// move puts what the buffer holds at the start of another, or of itself.
func (r *Reader) move(buf []byte) {
	n := copy(buf, r.buf[r.from:r.to])
	r.buf, r.from, r.to, r.searched = buf, 0, n, r.searched-r.from
}

// received notes what was read into a room. At the end it closes the stream.
func (r *Reader) received(n, room int, err error) error {
	r.mu.Lock()
	if r.filled++; n < room {
		r.filled = 0
	}
	if !r.closed {
		r.to += n
		r.end = err == io.EOF
	}
	closed := r.closed
	r.mu.Unlock()
	switch {
	case closed, err == io.EOF && r.lasts:
		return nil
	case err == io.EOF:
		return r.closeSource()
	}
	return err
}

// Spent reports that the stream has been read to its end and is closed since.
func (r *Reader) Spent() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end && !r.lasts
}

// Alone calls a function while nobody reads the stream, which may then be
// elsewhere. What had been read of it and not taken, so many bytes, is dropped.
func (r *Reader) Alone(ctx context.Context, f func(dropped int) error) error {
	if err := r.takeTurn(ctx); err != nil {
		return err
	}
	defer r.giveTurn()
	r.mu.Lock()
	closed, dropped := r.closed, r.to-r.from
	r.from, r.to, r.searched = 0, 0, 0
	r.taken += int64(dropped)
	r.end = closed
	r.mu.Unlock()
	if closed {
		return vm.ErrResourceClosed
	}
	return f(dropped)
}

func (r *Reader) takeTurn(ctx context.Context) error {
	select {
	case r.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// giveTurn lets another read, or closes the stream when that was asked for
// meanwhile.
func (r *Reader) giveTurn() {
	<-r.turn
	r.mu.Lock()
	closed := r.closed
	r.mu.Unlock()
	if closed {
		r.closeNow()
	}
}

// closeNow closes the stream unless it is being read: then the reader does.
func (r *Reader) closeNow() error {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
		return r.closeSource()
	default:
		return nil
	}
}

// BeforeClose calls f just before the stream is closed. It is called by what Alone has the turn for.
func (r *Reader) BeforeClose(f func()) { r.before = f }

// closeSource closes the stream once; the caller has the turn.
func (r *Reader) closeSource() error {
	c := r.closer
	if c == nil || r.source == nil {
		return nil
	}
	r.source = nil
	if r.before != nil {
		r.before()
	}
	return c.Close()
}

// size of the Reader.
func (r *Reader) size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return ReaderSize - firstBuffer + len(r.buf)
}

// larger is how large the buffer should become for the next fill, 0 when it
// does not change. full is its size when it was found too small.
func (r *Reader) larger(full int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case full > 0:
		if len(r.buf) > full {
			return 0 // another task has seen to it
		}
		return 2 * full
	case r.filled > 1 && len(r.buf) < usualBuffer:
		return usualBuffer
	}
	return 0
}

// Line sets the result of a call to the next line without its end, or to none
// at the end of the stream.
func (r *Reader) Line(c *vm.Call) {
	for {
		at, n, length, ok := r.line()
		switch {
		case !ok:
			r.await(c, aLine, r.larger(0))
			return
		case n == 0:
			r.atEnd()
			c.SetNone()
			return
		}
		c.Steps(1 + n/1024)
		s, text := c.AllocStr(length)
		if r.take(at, n, text) {
			checkText(c, text, r.name)
			c.SetObject(s.Object())
			return
		}
	}
}

// All sets the result of a call to all that is left, as str or as bytes.
func (r *Reader) All(c *vm.Call, isText bool) {
	str, data := r.next(c, everything, math.MaxInt)
	if str == nil {
		return
	}
	r.atEnd()
	if isText {
		checkText(c, data, r.name)
	}
	c.SetObject(str.Object())
}

// Some sets the result of a call to the next bytes, as soon as there are any, or
// to none at the end of the stream.
func (r *Reader) Some(c *vm.Call, most int64) {
	if most < 1 {
		c.Throw(vm.ErrValue, "cannot read at most %d bytes", most)
	}
	switch str, data := r.next(c, someBytes, int(most)); {
	case str == nil:
	case len(data) == 0:
		r.atEnd()
		c.SetNone()
	default:
		c.SetObject(str.Object())
	}
}

// Exactly sets the result of a call to the next n bytes; it throws where there
// are fewer, which are then still to be read.
func (r *Reader) Exactly(c *vm.Call, n int64) {
	if n < 0 {
		c.Throw(vm.ErrValue, "cannot read %d bytes", n)
	}
	if str, _ := r.next(c, goal(n), int(n)); str != nil {
		c.SetObject(str.Object())
	}
}

// next takes at most so many bytes when the buffer holds what is wanted; until
// then it gives nil, and the native is called again.
func (r *Reader) next(c *vm.Call, g goal, most int) (*vm.Str, []byte) {
	for {
		at, n, ok := r.buffered(g)
		switch {
		case !ok:
			r.await(c, g, r.larger(0))
			return nil, nil
		case n < int(g):
			c.ThrowIOKind(vm.IOClosed, "cannot read %d bytes: %s ends after %d", g, r.name, n)
		}
		n = min(n, most)
		c.Steps(1 + n/1024)
		c.ChargeObject(vm.FillSize(n))
		kind := uint32(bytecode.IDBytes)
		if g == everything {
			kind = c.Ref().Result
		}
		if str, data := vm.NewFill(kind, n); r.take(at, n, data) {
			return str, data
		}
	}
}

// Close closes the stream; nothing is left to read then, and who reads it gets
// nothing more.
func (r *Reader) Close() error {
	r.mu.Lock()
	r.closed, r.end, r.from, r.to, r.searched = true, true, 0, 0, 0
	r.mu.Unlock()
	if s, ok := r.closer.(interface{ SetReadDeadline(time.Time) error }); ok {
		s.SetReadDeadline(time.Unix(1, 0))
	}
	return r.closeNow()
}

// checkText throws when bytes are no text. name is what they come from.
func checkText(c *vm.Call, data []byte, name string) {
	if !utf8.Valid(data) {
		NotText(c, name)
	}
}

// NotText raises the error of a stream that was read as text and is none.
func NotText(c *vm.Call, name string) {
	c.Throw(vm.ErrIO, "%s is not UTF-8 text: read it as bytes", name)
}
