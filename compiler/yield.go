package compiler

import (
	"math"
	"slices"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// kept is a register and the field that keeps it.
type kept struct{ reg, field int }

// yield keeps the registers in use, returns the element, and goes on behind it.
func (b *builder) yield(e *syntax.Yield) {
	mark := b.top
	elem := optElem(b.result)
	r := b.convert(b.expr(e.X, elem, -1), elem, b.result, -1)
	if b.dead {
		return
	}
	b.setTopAtLeast(r + 1)
	regs := slices.Clone(b.regs[:mark])
	keep := b.keepAll(regs)
	for _, k := range keep[b.frame.fixed:] {
		b.put(k)
	}
	state := len(b.frame.places)
	b.addState(state - stateRunning)
	// A handler around needs registers that the code from here on only gets again.
	hole := len(b.code)
	b.emitRet(r)
	b.frame.places = append(b.frame.places, b.begin())
	b.setTop(mark)
	b.addState(stateRunning - state)
	for _, k := range keep {
		b.get(k)
	}
	b.restore(regs)
	b.bound = len(b.code)
	b.holes = append(b.holes, [2]int{hole, len(b.code)})
}

// keepAll gives each register but the first, which holds the frame, a field.
func (b *builder) keepAll(regs []uint32) []kept {
	var keep []kept
	used := map[uint32]int{}
	for r, kind := range regs[1:] {
		if r < b.frame.fixed {
			used[b.frame.kinds[r+1]]++
			keep = append(keep, kept{r + 1, r + 1})
			continue
		}
		if kind != 0 && b.c.out.Types[kind].Rep == bytecode.RepV { // a caught error
			kind = bytecode.IDAny
		}
		keep = append(keep, kept{r + 1, b.frame.field(kind, used)})
	}
	return keep
}

// field returns a field of a kind that is not used yet. The first is the state.
func (f *frame) field(kind uint32, used map[uint32]int) int {
	n := used[kind]
	used[kind]++
	for i := 1; i < len(f.kinds); i++ {
		if f.kinds[i] == kind {
			if n == 0 {
				return i
			}
			n--
		}
	}
	f.kinds = append(f.kinds, kind)
	return len(f.kinds) - 1
}

// addState changes the state, which is known, to another one.
func (b *builder) addState(by int) {
	if by != int(int16(by)) {
		b.c.tooLarge(b.c.here, "`yield`s in "+b.name, math.MaxInt16-stateYield, "split it into smaller functions")
	}
	b.use(kept{0, 0}, bytecode.ADDMI, 0, 0, uint16(by))
}

func (b *builder) get(k kept) {
	kind := b.frame.kinds[k.field]
	if kind == 0 || kind == bytecode.IDAny {
		b.use(k, bytecode.GETI, ir(k.reg), 0, 0)
	}
	if kind != 0 {
		b.use(k, bytecode.GETP, pr(k.reg), 0, 0)
		b.regs[k.reg] = kind
	}
}

func (b *builder) put(k kept) {
	kind := b.frame.kinds[k.field]
	if kind == 0 || kind == bytecode.IDAny {
		b.use(k, bytecode.SETI, 0, 0, ir(k.reg))
	}
	if kind != 0 {
		b.use(k, bytecode.SETP, 0, 0, pr(k.reg))
	}
}

// use emits an access of a field of the frame, which is in the first register.
func (b *builder) use(k kept, op bytecode.Op, x, y, z uint16) {
	if at := b.emit(op, x, y, z); at >= 0 {
		b.frame.uses = append(b.frame.uses, fieldUse{at, k.field})
	}
}
