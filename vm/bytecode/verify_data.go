package bytecode

import "strings"

// formatHole stands in a format spec for a number that is known when the program runs, as format.Hole.
const formatHole = "\x00"

// elemKind is how lists store elements of a type: as vm.classOf decides it.
type elemKind uint8

const (
	elemByte elemKind = iota
	elemWord
	elemRef
	elemBoth
)

func elemKindOf(t *Type) elemKind {
	switch {
	case t.Kind == TBool:
		return elemByte
	case t.Rep == RepI:
		return elemWord
	case t.Rep == RepP:
		return elemRef
	}
	return elemBoth
}

// listKind returns what kind of elements each opcode of lists works on.
func listKind(op Op) elemKind {
	switch op {
	case LGETB, LSETB, LSETBK, LPUSHB, FORLB:
		return elemByte
	case LGETI, LGETIK, LSETI, LPUSHI, FORLI:
		return elemWord
	case LGETP, LGETO, LSETP, LPUSHP, FORLP, FORLO:
		return elemRef
	}
	return elemBoth
}

// list returns the type of the list in a register, whose elements must be of the
// kind that the opcode works on.
func (c *codeVerifier) list(reg int, op Op) *Type {
	_, t := c.kindOf(reg, TList)
	if elemKindOf(&c.p.Types[t.Elem]) != listKind(op) {
		c.fail("it is not for %s", t.Name)
	}
	return t
}

// lists checks the opcodes of lists and texts.
func (c *codeVerifier) lists(a, b, d int) bool {
	switch c.op {
	case NEWLIST, MKLIST:
		id := uint32(BOf(c.w))
		t := &c.p.Types[id]
		if t.Kind != TList {
			c.fail("%s is no list", t.Name)
		}
		if c.op == MKLIST {
			if c.imm > maxFrame {
				c.fail("the list has %d elements", c.imm)
			}
			c.room(d, int(c.imm))
			for i := range int(c.imm) {
				c.need(d+i, t.Elem)
			}
		}
		c.set(a, id)
	case LLEN:
		c.kindOf(b, TList, TBuffer)
	case LGETB, LGETI, LGETIK:
		c.list(b, c.op)
	case LGETP, LGETO, LGETV:
		c.set(a, c.object[c.list(b, c.op).Elem])
	case LSETB, LSETBK, LSETI, LPUSHB, LPUSHI:
		c.list(a, c.op)
	case LSETP, LSETV:
		c.need(d, c.list(a, c.op).Elem)
	case LPUSHP:
		c.need(b, c.list(a, c.op).Elem)
	case LPUSH:
		_, t := c.kindOf(a, TList)
		c.need(b, t.Elem)
	case LGETOPT, LLAST, LPOP:
		_, t := c.kindOf(b, TList)
		c.set(a, c.object[t.Elem])
	case LSWAP:
		c.kindOf(a, TList)
	case LSLICE:
		id, _ := c.kindOf(b, TList)
		c.room(d, 2)
		c.set(a, id)

	case SLEN, BGET:
		c.text(b)
	case SSLICE:
		c.room(d, 2)
		c.set(a, c.text(b))
	case CONCAT:
		id := c.text(b)
		c.need(d, id)
		c.set(a, id)
	case CONCATN:
		n := int(COf(c.w))
		if n == 0 {
			c.fail("it joins nothing")
		}
		c.room(b, n)
		id := c.text(b)
		for i := 1; i < n; i++ {
			c.need(b+i, id)
		}
		c.set(a, id)
	case INTERP:
		if c.imm >= uint64(len(c.p.Interps)) {
			c.fail("there is no interpolation %d", c.imm)
		}
		reg := b
		for _, part := range c.p.Interps[c.imm] {
			if part.Type != 0 {
				c.room(reg, 1)
				c.need(reg, part.Type)
				reg++
			}
		}
		c.set(a, IDStr)
	case TOSTR, FORMAT:
		c.need(b, uint32(COf(c.w)))
		if c.op == FORMAT {
			c.format(b)
		}
		c.set(a, IDStr)
	case SEQ, SCMP:
		c.text(b)
		c.text(d)
	case EQV, CMPV:
		if c.imm >= uint64(len(c.p.Types)) {
			c.fail("there is no type %d", c.imm)
		}
		c.need(b, uint32(c.imm))
		c.need(d, uint32(c.imm))
	default:
		return false
	}
	return true
}

// text returns the type of the str or bytes in a register.
func (c *codeVerifier) text(reg int) uint32 {
	id, _ := c.kindOf(reg, TStr, TBytes)
	return id
}

// maps checks the opcodes of maps and sets.
func (c *codeVerifier) maps(a, b, d int) bool {
	switch c.op {
	case NEWMAP:
		id := uint32(BOf(c.w))
		if t := &c.p.Types[id]; t.Kind != TMap && t.Kind != TSet {
			c.fail("%s is no map", t.Name)
		}
		c.set(a, id)
	case MLEN:
		c.kindOf(b, TMap, TSet)
	case MITER:
		c.kindOf(b, TMap, TSet)
		c.room(a, 2)
	case MGET, MGETOPT:
		_, t := c.kindOf(b, TMap)
		c.need(d, t.Key)
		c.set(a, c.object[t.Elem])
	case MSET:
		_, t := c.kindOf(a, TMap)
		c.need(b, t.Key)
		c.need(d, t.Elem)
	case MHAS:
		_, t := c.kindOf(b, TMap, TSet)
		c.need(d, t.Key)
	case MADD:
		_, t := c.kindOf(a, TSet)
		c.need(b, t.Key)
	default:
		return false
	}
	return true
}

// format checks the spec of a FORMAT: the numbers for its holes stand behind the value.
func (c *codeVerifier) format(value int) {
	if c.imm >= uint64(len(c.p.Strings)) {
		c.fail("there is no text %d", c.imm)
		return
	}
	for i := range strings.Count(c.p.Strings[c.imm], formatHole) {
		c.room(value+1+i, 1)
		c.need(value+1+i, IDInt)
	}
}
