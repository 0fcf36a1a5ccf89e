package bytecode

import (
	"slices"
	"sort"
)

// codeVerifier checks the code of one function in one pass from its first to
// its last word.
//
// Where ways meet (the target of every jump, every handler) there is a type
// map: each way there must imply it, and what follows relies on nothing else.
// An error may be thrown by any instruction that a handler covers, so from the
// handler's start to its end every register that its map names keeps the type
// named there: they are demanded. An error of the step limit, of a jump's
// target, or of a call that does not fit on the stack is blamed on the word
// before the one that is about to be executed, so a handler's demands still
// hold at the instruction behind its range, and no handler covers a function's
// last word.
type codeVerifier struct {
	*verifier
	f     *Func
	state []uint32 // of each register's pointer word: a type id, anyObject or onlyNil
	dead  bool     // nothing leads to the next instruction
	begin []bool   // for each word of the function, whether an instruction begins there
	mapAt []int32  // for each word the index of its type map + 1

	demanded []uint32 // type that active handlers demand of a register
	demands  []int    // by how many of them
	highest  int      // highest register demanded, -1 for none
	starts   []*Handler
	ends     []*Handler

	pc     uint32 // of the instruction that is checked
	next   uint32 // of the one behind it
	w      uint64
	imm    uint64
	op     Op
	window int // first register of the call that was the last instruction, else -1

	private uint32 // where the private task is awaited that was spawned last
}

func (v *verifier) code(index int) {
	f := &v.p.Funcs[index]
	c := &codeVerifier{verifier: v, f: f, highest: -1, window: -1}
	n := f.End - f.Start
	c.begin, c.mapAt = make([]bool, n+1), make([]int32, n)
	c.state, c.demanded, c.demands = make([]uint32, f.Frame), make([]uint32, f.Frame), make([]int, f.Frame)
	c.outline()
	c.handlers()
	for i, t := range f.Params {
		c.state[i] = v.object[t]
	}
	for c.pc = f.Start; c.pc < f.End; c.pc = c.next {
		c.instruction()
	}
	if !c.dead {
		c.fail("the end of the function is not closed")
	}
}

func (c *codeVerifier) fail(format string, args ...any) {
	args = append([]any{c.f.Name, c.pc, c.op}, args...)
	fail("function %s, word %d, %v: "+format, args...)
}

// outline finds where instructions begin and which of them have type maps.
func (c *codeVerifier) outline() {
	f := c.f
	for c.pc = f.Start; c.pc < f.End; c.pc++ {
		c.begin[c.pc-f.Start] = true
		c.op = OpOf(c.p.Code[c.pc])
		if int(c.op) >= NumOps {
			c.fail("there is no such opcode")
		}
		if Ops[c.op].Word {
			c.pc++
		}
	}
	if c.pc != f.End {
		c.fail("the immediate word is missing")
	}
	c.begin[f.End-f.Start] = true
	last := int64(-1)
	for i := range f.Maps {
		m := &f.Maps[i]
		if int64(m.PC) <= last || m.PC < f.Start || m.PC >= f.End || !c.begin[m.PC-f.Start] {
			fail("function %s has a type map at word %d", f.Name, m.PC)
		}
		last = int64(m.PC)
		c.mapAt[m.PC-f.Start] = int32(i) + 1
		reg := -1
		for _, r := range m.Regs {
			if int(r.Reg) <= reg || r.Reg >= f.Frame {
				fail("function %s, type map at word %d: register %d", f.Name, m.PC, r.Reg)
			}
			reg = int(r.Reg)
			c.id("a register of "+f.Name, r.Type)
		}
	}
}

// mapOf returns the type map of a word of the function.
func (c *codeVerifier) mapOf(at uint32) *TypeMap {
	if at < c.f.Start || at >= c.f.End || c.mapAt[at-c.f.Start] == 0 {
		return nil
	}
	return &c.f.Maps[c.mapAt[at-c.f.Start]-1]
}

// ---- handlers ----

func (c *codeVerifier) handlers() {
	f := c.f
	first := f.Start
	if OpOf(c.p.Code[first]) == ENTER {
		first++ // it fails when there is no room for the registers a handler needs
	}
	for i := range f.Handlers {
		h := &f.Handlers[i]
		if h.Start < first || h.Start >= h.End || h.End >= f.End || !c.begin[h.Start-f.Start] || !c.begin[h.End-f.Start] {
			fail("function %s has a handler of words %d to %d", f.Name, h.Start, h.End)
		}
		// Catching an error takes no step, so a handler leads forward: loops jump.
		// Only the next deferred function is begun where the last one failed.
		again := h.Target == h.Start && h.End == h.Start+1 && OpOf(c.p.Code[h.Start]) == RUNDEFER
		m := c.mapOf(h.Target)
		if m == nil || h.Reg >= f.Frame || h.Target < h.End && !again {
			fail("function %s has a handler at word %d", f.Name, h.Target)
		}
		for _, r := range m.Regs {
			if r.Reg == h.Reg && c.object[r.Type] != anyObject {
				fail("function %s has a handler of %s", f.Name, c.p.Types[r.Type].Name)
			}
		}
		if h.Cleanup {
			c.cleanup(h)
		}
		c.starts, c.ends = append(c.starts, h), append(c.ends, h)
	}
	sort.SliceStable(c.starts, func(i, j int) bool { return c.starts[i].Start < c.starts[j].Start })
	sort.SliceStable(c.ends, func(i, j int) bool { return c.ends[i].End < c.ends[j].End })
}

// cleanup checks what a handler does that sees errors no script can catch: it runs
// defers and releases locks, in a straight line, and throws the error again. So
// an exceeded limit ends the task, whatever handlers there are.
func (c *codeVerifier) cleanup(h *Handler) {
	for at := h.Target; at < c.f.End; at++ {
		w := c.p.Code[at]
		a, b := int(operand(w, 0)/16), int(operand(w, 1)/16)
		switch OpOf(w) {
		case RUNDEFER:
			if a <= int(h.Reg)+1 {
				fail("function %s runs defers at word %d over the error", c.f.Name, at)
			}
			continue
		case UNLOCK:
			if b != int(h.Reg) {
				continue
			}
		case RETHROW, FAILSCOPE:
			if a == int(h.Reg) {
				return
			}
		}
		break
	}
	fail("function %s has a cleanup at word %d that does not throw again", c.f.Name, h.Target)
}

// demand adds (by 1) or takes back (by -1) the demands of a handler.
func (c *codeVerifier) demand(h *Handler, by int) {
	for _, r := range c.mapOf(h.Target).Regs {
		want := c.object[r.Type]
		if r.Reg == h.Reg || want == anyObject {
			continue
		}
		if c.demands[r.Reg] > 0 && c.demanded[r.Reg] != want {
			c.fail("its handlers demand different types of register %d", r.Reg)
		}
		c.demanded[r.Reg] = want
		c.demands[r.Reg] += by
		c.highest = max(c.highest, int(r.Reg))
	}
	for c.highest >= 0 && c.demands[c.highest] == 0 {
		c.highest--
	}
}

// checkDemands checks all registers that active handlers demand.
func (c *codeVerifier) checkDemands() {
	if c.dead {
		return
	}
	for r := 0; r <= c.highest; r++ {
		if c.demands[r] > 0 && !fits(c.state[r], c.demanded[r]) {
			c.fail("register %d is not what a handler demands", r)
		}
	}
}

// ---- state ----

// implies checks that the state on the way to a word is as its type map says.
// The map describes the state except for the registers in changed, which the
// jump itself sets.
func (c *codeVerifier) implies(at uint32, changed ...RegType) {
	m := c.mapOf(at)
	if m == nil {
		c.fail("it leads to word %d, which has no type map", at)
	}
	for _, r := range m.Regs {
		have := c.state[r.Reg]
		if i := slices.IndexFunc(changed, func(x RegType) bool { return x.Reg == r.Reg }); i >= 0 {
			have = c.object[changed[i].Type]
		}
		if !fits(have, c.object[r.Type]) {
			c.fail("on the way to word %d register %d is not of type %s", at, r.Reg, c.p.Types[r.Type].Name)
		}
	}
}

// arrive takes over the type map of the word at hand, if it has one.
func (c *codeVerifier) arrive() {
	m := c.mapOf(c.pc)
	if m == nil {
		return
	}
	if !c.dead {
		c.implies(c.pc)
	}
	clear(c.state)
	for _, r := range m.Regs {
		c.state[r.Reg] = c.object[r.Type]
	}
	c.dead = false
	c.checkDemands()
}

// set notes what the instruction leaves in a register's pointer word.
func (c *codeVerifier) set(reg int, what uint32) {
	if c.demands[reg] > 0 && !fits(what, c.demanded[reg]) {
		c.fail("it changes register %d, which a handler needs", reg)
	}
	c.state[reg] = what
}

// need checks that a register's pointer word may be used as a type's.
func (c *codeVerifier) need(reg int, id uint32) {
	c.states.needs(c, reg, id)
	if !fits(c.state[reg], c.object[id]) {
		c.fail("register %d is not of type %s", reg, c.p.Types[id].Name)
	}
}

// needAll checks consecutive registers against types.
func (c *codeVerifier) needAll(first int, ids []uint32) {
	c.room(first, len(ids))
	for i, id := range ids {
		c.need(first+i, id)
	}
}

// room checks that the frame has registers.
func (c *codeVerifier) room(first, n int) {
	if first < 0 || n < 0 || n > maxFrame || first+n > int(c.f.Frame) {
		c.fail("there are no %d registers from %d on", n, first)
	}
}

// kindOf returns the type of the object in a register, which must be of one of
// some kinds.
func (c *codeVerifier) kindOf(reg int, kinds ...TypeKind) (uint32, *Type) {
	id := c.state[reg]
	if id == onlyNil {
		c.fail("register %d is always none", reg)
	}
	t := &c.p.Types[id]
	if !slices.Contains(kinds, t.Kind) {
		c.fail("register %d has type %s", reg, t.Name)
	}
	return id, t
}

// call forgets the registers that the call of a function may change: those
// from the link of its window on.
func (c *codeVerifier) call(first int) {
	if c.highest >= first-1 {
		c.fail("the window is not above the registers that a handler needs")
	}
	clear(c.state[first-1:])
	c.window = first
}
