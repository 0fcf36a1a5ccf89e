package compiler

import (
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// charPattern tests that the text in r is one character of a range. Characters of one
// length in UTF-8 are ordered as their bytes are, and text of that length between two of
// them begins as one of them does, so that it is one.
func (b *builder) charPattern(pi *types.PatInfo, r int, fail *label) {
	fits := newLabel()
	mark := b.top
	parts := charRanges(rune(pi.Lo), rune(pi.Hi))
	if len(parts) == 0 { // of surrogates, which no text holds
		b.jump(fail)
	}
	for i, p := range parts {
		next := fail
		if i < len(parts)-1 {
			next = newLabel()
		}
		b.charRange(p, r, next)
		b.setTop(mark)
		if i < len(parts)-1 {
			b.jump(fits)
			b.bind(next)
		}
	}
	b.bind(fits)
}

// charRange tests for a range of characters of one length.
func (b *builder) charRange(p charRange, r int, fail *label) {
	n := b.alloc()
	b.emit(bytecode.SLEN, ir(n), pr(r), 0)
	b.jumpIf(bytecode.JNEI, ir(n), uint16(utf8.RuneLen(p.lo)), nil, fail)
	if p.hi <= 0x7f && !b.c.opts.Plain {
		first := b.alloc()
		b.loadInt(n, 0)
		b.emit(bytecode.BGET, ir(first), pr(r), ir(n))
		b.jumpIf(bytecode.JLTI, ir(first), uint16(p.lo), nil, fail)
		b.jumpIf(bytecode.JGTI, ir(first), uint16(p.hi), nil, fail)
		return
	}
	bound := b.alloc()
	b.loadStr(bound, string(p.lo))
	b.compareRegs(syntax.OpGe, types.Str, r, bound, false, fail)
	b.loadStr(bound, string(p.hi))
	b.compareRegs(syntax.OpLe, types.Str, r, bound, false, fail)
}

// charRange is a range of characters that have one length in UTF-8, both inclusive.
type charRange struct{ lo, hi rune }

// charRanges splits a range into those.
func charRanges(lo, hi rune) (out []charRange) {
	for _, class := range []charRange{{0, 0x7f}, {0x80, 0x7ff}, {0x800, 0xd7ff}, {0xe000, 0xffff}, {0x10000, utf8.MaxRune}} {
		if from, to := max(lo, class.lo), min(hi, class.hi); from <= to {
			out = append(out, charRange{from, to})
		}
	}
	return out
}
