package compiler

import (
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// thread shortens ways through a function's code: what jumps to a JMP continues to
// where that leads, and a JMP to a return returns. A JMP back stays: it is the turn
// of a loop, where a task that has caught its cancellation is cancelled again, and
// who jumps there must not be in the loop's next turn already.
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
			b.code[at] = bytecode.WithK(w, int32((b.destination(at)-at-1)*8))
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

// destination follows a jump through the jumps forward that it leads to.
func (b *builder) destination(at int) int {
	end := at + 1 + int(bytecode.KOf(b.code[at]))/8
	for bytecode.OpOf(b.code[end]) == bytecode.JMP && bytecode.KOf(b.code[end]) >= 0 {
		end += 1 + int(bytecode.KOf(b.code[end]))/8
	}
	return end
}
