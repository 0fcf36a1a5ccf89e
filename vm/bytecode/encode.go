package bytecode

import "encoding/binary"

// Encode returns the .rnlc form of a program.
func Encode(p *Program) []byte {
	c := &codec{buf: []byte(Magic)}
	c.header()
	c.program(p)
	return c.buf
}

func (c *codec) header() {
	c.buf = binary.AppendUvarint(c.buf, formatVersion)
	c.buf = binary.LittleEndian.AppendUint64(c.buf, fingerprint())
}

// The primitives of a codec; what they read stands in decode.go.

func (c *codec) uint(v *uint64) {
	if c.reading {
		*v = c.readUint()
		return
	}
	c.buf = binary.AppendUvarint(c.buf, *v)
}

func (c *codec) byte(v *uint8) {
	if c.reading {
		*v = c.readByte()
		return
	}
	c.buf = append(c.buf, *v)
}

func (c *codec) flag(v *bool) {
	var b uint8
	if *v {
		b = 1
	}
	c.byte(&b)
	if c.reading {
		*v = c.atMost(uint64(b), 1) == 1
	}
}

func (c *codec) u16(v *uint16) {
	n := uint64(*v)
	c.uint(&n)
	if c.reading {
		*v = uint16(c.atMost(n, 1<<16-1))
	}
}

func (c *codec) u32(v *uint32) {
	n := uint64(*v)
	c.uint(&n)
	if c.reading {
		*v = uint32(c.atMost(n, 1<<32-1))
	}
}

// index is a table index or -1.
func (c *codec) index(v *int) {
	n := uint64(*v + 1)
	c.uint(&n)
	if c.reading {
		*v = int(c.atMost(n, 1<<31-1)) - 1
	}
}

// delta is a number that is near the one before it.
func (c *codec) delta(v *uint32, last uint32) {
	d := int64(*v) - int64(last)
	n := uint64(d)<<1 ^ uint64(d>>63)
	c.uint(&n)
	if c.reading {
		d = int64(n>>1) ^ -int64(n&1)
		*v = uint32(c.atMost(uint64(int64(last)+d), 1<<32-1))
	}
}

func (c *codec) text(s *string) {
	if c.reading {
		*s = c.readText()
		return
	}
	c.buf = binary.AppendUvarint(c.buf, uint64(len(*s)))
	c.buf = append(c.buf, *s...)
}

func (c *codec) words(ws *[]uint64) {
	if c.reading {
		*ws = c.readWords()
		return
	}
	c.buf = binary.AppendUvarint(c.buf, uint64(len(*ws)))
	for _, w := range *ws {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, w)
	}
}

func (c *codec) ids(list *[]uint32) { slice(c, list, 1, (*codec).u32) }

// slice writes or reads a list. An element takes at least size bytes, which
// bounds what a reader allocates for a list that claims to be long.
func slice[T any](c *codec, list *[]T, size int, elem func(*codec, *T)) {
	n := uint64(len(*list))
	c.uint(&n)
	if c.reading {
		if n = c.atMost(n, uint64(len(c.buf)/size)); n == 0 || c.err != nil {
			return
		}
		*list = make([]T, n)
	}
	for i := range *list {
		if c.err != nil {
			return
		}
		elem(c, &(*list)[i])
	}
}
