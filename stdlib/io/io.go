// Package io holds the native functions of module io.
package io

import (
	"bufio"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
)

// Reader is the Go value of the native structs that read text from a stream:
// io.Input and fs.Lines. Tasks may share one.
type Reader struct {
	mu     sync.Mutex
	name   string // for messages
	r      *bufio.Reader
	closer io.Closer // closed after the last line; nil when the stream is not ours
}

func init() {
	vm.RegisterNative("io.host_stdin", func(c *vm.Call) {
		var r *Reader
		if source := c.Host().Stdin; source != nil {
			r = NewReader(source, nil, "standard input")
		}
		c.SetPtr(c.NewNative(c.Ref().Result, r, ReaderSize))
	})
	vm.RegisterNative("io.Input.next", func(c *vm.Call) { stdin(c).Line(c) })
	vm.RegisterNative("io.Input.read_all", func(c *vm.Call) {
		r := stdin(c)
		r.mu.Lock()
		defer r.mu.Unlock()
		SetText(c, ReadAll(c, r.r, 0, r.name), r.name)
	})
	vm.RegisterNative("io.Input.read_bytes", func(c *vm.Call) {
		r := stdin(c)
		r.mu.Lock()
		defer r.mu.Unlock()
		SetBytes(c, ReadAll(c, r.r, 0, r.name))
	})
	vm.RegisterNative("io.write", func(c *vm.Call) { write(c, c.Host().Stdout, c.Str(0)) })
	vm.RegisterNative("io.write_bytes", func(c *vm.Call) { write(c, c.Host().Stdout, c.Str(0)) })
	vm.RegisterNative("io.ewrite", func(c *vm.Call) { write(c, c.Host().Stderr, c.Str(0)) })
	vm.RegisterNative("io.flush", func(c *vm.Call) {
		if f, ok := c.Host().Stdout.(interface{ Flush() error }); ok {
			if err := f.Flush(); err != nil {
				c.ThrowIO("cannot write to standard output", err)
			}
		}
	})
}

func stdin(c *vm.Call) *Reader {
	r := vm.NativeArg[*Reader](c, 0)
	if r == nil {
		c.NotGranted("standard input")
	}
	return r
}

// write writes a text; without a stream it is dropped, as print does.
func write(c *vm.Call, w io.Writer, text string) {
	c.Steps(1 + len(text)/1024)
	if w == nil {
		return
	}
	if _, err := io.WriteString(w, text); err != nil {
		c.ThrowIO("cannot write", err)
	}
}

const bufferSize = 16 << 10

// ReaderSize is what a Reader is charged.
const ReaderSize = bufferSize + 128

// NewReader makes a Reader. Messages call the stream name; closer may be nil.
func NewReader(source io.Reader, closer io.Closer, name string) *Reader {
	return &Reader{name: name, r: bufio.NewReaderSize(source, bufferSize), closer: closer}
}

// Close closes the stream; nothing is left to read then.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.r.Reset(strings.NewReader(""))
	return r.close()
}

func (r *Reader) close() error {
	if r.closer == nil {
		return nil
	}
	defer func() { r.closer = nil }()
	return r.closer.Close()
}

// Line sets the result of a call to the next line without its end, or to none
// at the end of the stream.
func (r *Reader) Line(c *vm.Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var long []byte // what did not fit the buffer
	for {
		part, err := r.r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			if need := len(long) + len(part); need > cap(long) {
				c.ChargeObject(2 * need)
				long = append(make([]byte, 0, 2*need), long...)
			}
			long = append(long, part...)
			continue
		}
		if err != nil && err != io.EOF {
			c.ThrowIO("cannot read "+r.name, err)
		}
		line := part
		if long != nil {
			line = append(long, part...)
		}
		c.Steps(1 + len(line)/1024)
		if len(line) == 0 {
			if err := r.close(); err != nil {
				c.ThrowIO("cannot close "+r.name, err)
			}
			c.SetNone()
			return
		}
		SetText(c, trimEnd(line), r.name)
		return
	}
}

func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
		if n > 1 && line[n-2] == '\r' {
			line = line[:n-2]
		}
	}
	return line
}

// ReadAll reads a stream to its end, paying for the memory as it goes. size is
// what the stream is thought to hold, 0 when not known.
func ReadAll(c *vm.Call, r io.Reader, size int64, name string) []byte {
	room := int(min(max(size+1, 4<<10), 1<<40))
	c.ChargeObject(room)
	data := make([]byte, 0, room)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		c.Steps(1 + n/1024)
		if err == io.EOF {
			return data
		}
		if err != nil {
			c.ThrowIO("cannot read "+name, err)
		}
		if len(data) == cap(data) {
			c.ChargeObject(2 * cap(data))
			data = append(make([]byte, 0, 2*cap(data)), data...)
		}
	}
}

// SetText sets the result of a call to a str. name is what the bytes come from.
func SetText(c *vm.Call, data []byte, name string) {
	if !utf8.Valid(data) {
		c.Throw(vm.ErrIO, "%s is no UTF-8 text: read it as bytes", name)
	}
	c.SetStr(view(data))
}

// SetBytes sets the result of a call to a bytes.
func SetBytes(c *vm.Call, data []byte) { c.SetPtr(unsafe.Pointer(c.NewBytes(view(data)))) }

// view gives bytes that are not changed any more as a string.
func view(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }
