package bytecode

import (
	"encoding/binary"
	"errors"
)

// ErrNotProgram is what Decode gives for data that is not a .rnlc file at all.
var ErrNotProgram = errors.New("this is not a compiled program")

// errDamaged covers everything a codec can find wrong: the file did not come
// from Encode, so saying where helps nobody.
var errDamaged = errors.New("the compiled program is damaged")

// Decode reads a .rnlc file. The program it gives is well-formed only as far as
// its tables go: Verify it before it runs.
func Decode(data []byte) (*Program, error) {
	if len(data) < len(Magic) || string(data[:len(Magic)]) != Magic {
		return nil, ErrNotProgram
	}
	c := &codec{reading: true, buf: data[len(Magic):]}
	version := c.readUint()
	if c.err == nil && (version != formatVersion || c.readWord() != fingerprint()) && c.err == nil {
		return nil, errors.New("the program was compiled by another version of Runnel: build it again")
	}
	p := &Program{}
	c.program(p)
	if c.err == nil && len(c.buf) > 0 {
		c.err = errDamaged
	}
	if c.err != nil {
		return nil, c.err
	}
	return p, nil
}

// fail stops reading: from now on every primitive gives zero.
func (c *codec) fail() {
	c.err = errDamaged
	c.buf = nil
}

// atMost checks what was read against a bound.
func (c *codec) atMost(n, most uint64) uint64 {
	if n > most {
		c.fail()
		return 0
	}
	return n
}

func (c *codec) readUint() uint64 {
	v, n := binary.Uvarint(c.buf)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.buf = c.buf[n:]
	return v
}

func (c *codec) readByte() uint8 {
	if len(c.buf) == 0 {
		c.fail()
		return 0
	}
	b := c.buf[0]
	c.buf = c.buf[1:]
	return b
}

func (c *codec) readWord() uint64 {
	if len(c.buf) < 8 {
		c.fail()
		return 0
	}
	w := binary.LittleEndian.Uint64(c.buf)
	c.buf = c.buf[8:]
	return w
}

func (c *codec) readText() string {
	n := c.atMost(c.readUint(), uint64(len(c.buf)))
	s := string(c.buf[:n])
	c.buf = c.buf[n:]
	return s
}

func (c *codec) readWords() []uint64 {
	n := c.atMost(c.readUint(), uint64(len(c.buf)/8))
	if n == 0 {
		return nil
	}
	ws := make([]uint64, n)
	for i := range ws {
		ws[i] = c.readWord()
	}
	return ws
}
