package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// body is what a message brings. It is read once, as a whole or in pieces.
type body struct {
	name  string // for messages
	size  int64  // as far as it is known, else -1
	limit int64  // of what is read as a whole
	// read reads on; it ends early when the context does.
	read func(ctx context.Context, p []byte) (int, error)
	// blame, if any, says whose fault it is that it is not text.
	blame func(error) error

	mu      sync.Mutex
	data    []byte // what has been read before it was asked for: all there is, if ended
	late    error  // comes after what was read with it
	ended   bool   // nothing is left but data
	claimed bool   // as a whole, or a piece is being read
}

const (
	firstRead = 8 << 10  // room for a body of unknown size
	pieceSize = 64 << 10 // at most
)

// claim lets one task read; it throws when there is nothing left to read for it.
func (b *body) claim(c *vm.Call) {
	b.mu.Lock()
	claimed := b.claimed
	b.claimed = true
	b.mu.Unlock()
	if claimed {
		c.ThrowIOKind(vm.IOClosed, "the body of %s has been read, or another task is reading it", b.name)
	}
}

func (b *body) release() {
	b.mu.Lock()
	b.claimed = false
	b.mu.Unlock()
}

// readWhole sets the result of a call to all of it, as str or as bytes.
func (b *body) readWhole(c *vm.Call) {
	b.claim(c)
	if b.ended {
		b.setData(c)
		return
	}
	s := &slurp{body: b, kind: c.Ref().Result, need: firstRead}
	if b.size >= 0 {
		s.need = int(min(b.size, b.limit))
	}
	s.await(c)
}

func (b *body) setData(c *vm.Call) {
	c.Steps(1 + len(b.data)/1024)
	text := vm.TextView(b.data)
	if c.Ref().Result == bytecode.IDBytes {
		c.SetObject(c.NewBytes(text).Object())
		return
	}
	b.checkText(c, b.data)
	c.SetStr(text)
}

func (b *body) checkText(c *vm.Call, data []byte) {
	if utf8.Valid(data) {
		return
	}
	var err error = &vm.IOError{Kind: vm.IOInvalid, Err: errors.New("read it as bytes")}
	if b.blame != nil {
		err = b.blame(err)
	}
	c.ThrowIO("the body of "+b.name+" is not UTF-8 text", err)
}

func (b *body) fail(c *vm.Call, err error) { c.ThrowIO("cannot read the body of "+b.name, err) }

// readPiece sets the result of a call to the next bytes, none at the end.
func (b *body) readPiece(c *vm.Call) {
	most := int(min(c.Int(1), pieceSize))
	if most < 1 {
		c.Throw(vm.ErrValue, "http: cannot read %d bytes", most)
	}
	b.claim(c)
	if b.ended {
		piece := b.data[:min(most, len(b.data))]
		b.data = b.data[len(piece):]
		b.release()
		b.setPiece(c, piece)
		return
	}
	c.Await(vm.Blocking{
		Name:   "read the body of " + b.name,
		Charge: most,
		Parks:  true,
		Work: func(ctx context.Context) (any, error) {
			piece := make([]byte, most)
			n, err := 0, error(nil)
			for n == 0 && err == nil {
				n, err = b.next(ctx, piece)
			}
			if b.ended = err == io.EOF; n > 0 && !b.ended {
				b.late, err = err, nil
			}
			return piece[:n], err
		},
		Finish: func(c *vm.Call, value any, err error) {
			if err != nil && err != io.EOF {
				b.fail(c, err)
			}
			b.release()
			b.setPiece(c, value.([]byte))
		},
	})
}

// next reads on, or fails with what has come with the piece before.
func (b *body) next(ctx context.Context, p []byte) (int, error) {
	if b.late != nil {
		return 0, b.late
	}
	return b.read(ctx, p)
}

func (b *body) setPiece(c *vm.Call, piece []byte) {
	if len(piece) == 0 {
		c.SetNone()
		return
	}
	c.SetObject(c.NewBytes(vm.TextView(piece)).Object())
}

// slurp is a body being read into one str or bytes. Memory is paid for before it
// is filled, so where the size is not known, in steps.
type slurp struct {
	*body
	kind uint32 // of the result
	need int    // room for data before more can be read
	str  *vm.Str
	data []byte // of str
	n    int    // of data has been read
	next [1]byte
	more bool // next has been read too
	all  bool
}

func (s *slurp) await(c *vm.Call) {
	c.Await(vm.Blocking{
		Name:   "read the body of " + s.name,
		Charge: vm.FillSize(s.need),
		Parks:  true,
		Work:   func(ctx context.Context) (any, error) { return nil, s.fill(ctx) },
		Finish: s.finish,
	})
}

func (s *slurp) finish(c *vm.Call, _ any, err error) {
	if err != nil {
		s.fail(c, err)
	}
	if !s.all {
		s.await(c)
		return
	}
	c.Steps(1 + s.n/1024)
	if s.kind == bytecode.IDStr {
		s.checkText(c, s.data[:s.n])
	}
	if s.n < len(s.data) {
		c.ChargeObject(vm.FillSize(s.n))
		str, data := vm.NewFill(s.kind, s.n)
		copy(data, s.data)
		s.str = str
	}
	c.SetObject(s.str.Object())
}

// fill reads to the end, or a byte more than there is room for.
func (s *slurp) fill(ctx context.Context) error {
	s.grow()
	for {
		room := s.data[s.n:]
		if len(room) == 0 {
			room = s.next[:]
		}
		n, err := s.body.next(ctx, room)
		switch {
		case s.n < len(s.data):
			s.n += n
		case n > 0:
			if int64(len(s.data)) >= s.limit {
				return &vm.IOError{Kind: vm.IOInvalid, Err: fmt.Errorf("it is longer than %d bytes", s.limit)}
			}
			s.more = true
			s.need = int(min(2*int64(len(s.data))+firstRead, s.limit))
			return nil
		}
		if err == io.EOF {
			s.all = true
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *slurp) grow() {
	str, data := vm.NewFill(s.kind, s.need)
	copy(data, s.data[:s.n])
	s.str, s.data = str, data
	if s.more {
		s.data[s.n] = s.next[0]
		s.n++
		s.more = false
	}
}
