package vm

import (
	"encoding/hex"
	"math"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Natives of bytes and buffer, see prelude/bytes.rnl and prelude/buffer.rnl;
// those that bytes shares with str are in natives_str.go. A buffer is a List
// whose elements are bytes.
func init() {
	registerNative("bytes.len", func(c *Call) { c.SetInt(int64(c.StrObj(0).n)) })
	registerNative("bytes.get", func(c *Call) {
		s, i := c.Str(0), c.Int(1)
		if uint64(i) >= uint64(len(s)) {
			c.SetNone()
			return
		}
		c.setOption(IntValue(int64(s[i])), true)
	})
	registerNative("bytes.split", func(c *Call) { textSplit(c, bytecode.IDBytes) })
	registerNative("bytes.to_list", func(c *Call) {
		s := c.Str(0)
		l := c.startList(len(s))
		for i := range len(s) {
			c.Steps(1)
			pushElem(c.w, elemI, l, IntValue(int64(s[i])))
		}
		c.setPtr(ptr(l))
	})
	registerNative("bytes.is_utf8", func(c *Call) { c.SetBool(utf8.ValidString(c.scan(0))) })
	registerNative("bytes.hex", func(c *Call) {
		s := c.scan(0)
		out, d := newText(c.w, bytecode.IDStr, 2*len(s))
		hex.Encode(d, []byte(s))
		c.setPtr(ptr(out))
	})
	registerNative("bytes.to_str", func(c *Call) { c.setPtr(ptr(strOfBytes(c, c.Str(0)))) })

	registerNative("buffer.new", func(c *Call) { c.setPtr(ptr(newList(c.w, bytecode.IDBuffer, 0))) })
	registerNative("buffer.len", func(c *Call) { c.SetInt(int64(c.List(0).b.n)) })
	registerNative("buffer.write", bufferWrite)
	registerNative("buffer.write_bytes", bufferWrite)
	registerNative("buffer.push", func(c *Call) { pushElem(c.w, elemB, c.List(0), Value{n: c.byteArg(1)}) })
	registerNative("buffer.get", func(c *Call) { c.setOption(c.element(c.List(0), c.Int(1))) })
	registerNative("buffer.set", func(c *Call) {
		b, i, v := c.List(0).b, c.Int(1), c.byteArg(2)
		if n := b.n; uint64(i) >= uint64(n) {
			c.Throw(ErrIndex, "index %d is out of range: the buffer has %d bytes", i, n)
		}
		b.capBytes()[i] = byte(v)
	})
	registerNative("buffer.clear", func(c *Call) { listTruncateNative(c, 0) })
	registerNative("buffer.truncate", func(c *Call) { listTruncateNative(c, c.count(1, "truncate a buffer to")) })
	registerNative("buffer.reserve", listReserveNative)
	registerNative("buffer.slice", func(c *Call) {
		b, from, to := c.List(0).b, c.Int(1), c.Int(2)
		n := b.n
		if from < 0 || to > int64(n) || from > to {
			c.Throw(ErrIndex, "slice [%d..%d] is out of range: the buffer has %d bytes", from, to, n)
		}
		bufferCopy(c, bytecode.IDBytes, b.capBytes()[from:to])
	})
	registerNative("buffer.to_bytes", func(c *Call) { bufferCopy(c, bytecode.IDBytes, c.List(0).b.bytes()) })
	registerNative("buffer.to_str", func(c *Call) { c.setPtr(ptr(strOfBuffer(c, c.List(0).b.bytes()))) })
}

// byteArg returns an int argument from 0 to 255.
func (c *Call) byteArg(i int) uint64 {
	v := c.Int(i)
	if v < 0 || v > math.MaxUint8 {
		c.Throw(ErrValue, "a byte is from 0 to 255, not %d", v)
	}
	return uint64(v)
}

func bufferWrite(c *Call) {
	l, s := c.List(0), c.scan(1)
	b := l.b
	n := b.n
	if n+len(s) > b.cap {
		b = listGrow(c.w, elemB, l, b, n+len(s))
		n = min(b.n, b.cap-len(s))
	}
	if s != "" {
		copy(b.capBytes()[n:], s)
		b.n = n + len(s)
	}
}

// strOfBuffer looks at the copy, which no other task can change.
func strOfBuffer(c *Call, data []byte) *Str {
	c.Steps(bulk(len(data)))
	out, d := newText(c.w, bytecode.IDStr, len(data))
	copy(d, data)
	mustBeUTF8(out.String())
	return out
}

func bufferCopy(c *Call, id uint32, data []byte) {
	c.Steps(bulk(len(data)))
	out, d := newText(c.w, id, len(data))
	copy(d, data)
	c.setPtr(ptr(out))
}
