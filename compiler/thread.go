package compiler

import (
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// thread shortens ways through a function's code: what jumps to a JMP goes on to
// where that leads, and a JMP to a return returns.
func (b *builder) thread() {
	if b.c.opts.Plain || b.c.opts.Branches { // marks of branches are jumps that are counted
		return
	}
	for at := 0; at < len(b.code); at++ {
		w := b.code[at]
		op := bytecode.OpOf(w)
		switch op {
		case bytecode.JMP:
			b.code[at] = b.threaded(at, w)
		case bytecode.JT, bytecode.JF, bytecode.JNIL, bytecode.JNNIL:
			if end := b.destination(at); end > at {
				b.code[at] = bytecode.WithK(w, int32((end-at-1)*8))
			}
		}
		if bytecode.Ops[op].Word {
			at++
		}
	}
}

// threaded is what may stand in the place of the JMP w.
func (b *builder) threaded(at int, w uint64) uint64 {
	end := b.destination(at)
	switch end := b.code[end]; bytecode.OpOf(end) {
	case bytecode.RET, bytecode.RETI, bytecode.RETP, bytecode.RETV:
		return end
	}
	return bytecode.WithK(w, int32((end-at-1)*8))
}

// destination follows a jump through those it leads to. A loop without an end has
// none of its own: the way is followed for a while.
func (b *builder) destination(at int) int {
	end := at + 1 + int(bytecode.KOf(b.code[at]))/8
	for range 8 {
		if bytecode.OpOf(b.code[end]) != bytecode.JMP {
			break
		}
		end += 1 + int(bytecode.KOf(b.code[end]))/8
	}
	return end
}
