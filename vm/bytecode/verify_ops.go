package bytecode

import "math"

// instruction checks the instruction at pc: its operands by their formats, then
// what the opcode does with them.
func (c *codeVerifier) instruction() {
	c.w = c.p.Code[c.pc]
	c.op = OpOf(c.w)
	info := &Ops[c.op]
	c.next, c.imm = c.pc+1, 0
	if info.Word {
		c.imm = c.p.Code[c.next]
		c.next++
	}
	c.arrive()
	if c.op == CALL || c.op == CALLC || c.op == CALLI {
		c.checkDemands() // also of handlers that end here
	}
	for len(c.ends) > 0 && c.ends[0].End <= c.pc {
		c.demand(c.ends[0], -1)
		c.ends = c.ends[1:]
	}
	for len(c.starts) > 0 && c.starts[0].Start <= c.pc {
		c.demand(c.starts[0], +1)
		c.starts = c.starts[1:]
		c.checkDemands()
	}
	if c.dead {
		return
	}
	for i, format := range info.Operands {
		c.operand(format, i)
	}
	c.states.note(c)
	before := c.window
	c.window = -1
	c.effect(before)
}

// reg returns the register that the i-th operand names.
func (c *codeVerifier) reg(i int) int { return int(operand(c.w, i) / 16) }

func (c *codeVerifier) operand(format string, i int) {
	x, k := operand(c.w, i), KOf(c.w)
	half, limit := uint16(0), int(c.f.Frame)
	switch format {
	case "=i", "i", "m":
		half = 8
	case "=p", "=v", "p", "v":
	case "args":
		limit++ // there may be none
	case "win":
		if x < 16 && c.op != CALLN {
			c.fail("the window has no place for its link")
		}
	case "type":
		c.id("an operand", uint32(x))
		return
	case "func":
		c.index(int(x), len(c.p.Funcs))
		return
	case "native":
		c.index(int(x), len(c.p.Natives))
		return
	case "str":
		c.index(int(k), len(c.p.Strings))
		return
	case "bytes":
		c.index(int(k), len(c.p.Bytes))
		return
	case "enum":
		c.index(int(k), len(c.p.Enums))
		return
	case "sel":
		c.index(int(x), len(c.p.Selectors))
		return
	case "iface":
		c.index(int(x), len(c.p.Ifaces))
		return
	case "table":
		c.index(int(x), len(c.p.Jumps))
		return
	case "goff":
		c.index(int(k)/16, len(c.p.Globals))
		c.index(int(k), math.MaxInt32)
		return
	case "j16":
		if COf(c.w)%8 != 0 {
			c.fail("it jumps between words")
		}
		return
	case "j32":
		if k%8 != 0 {
			c.fail("it jumps between words")
		}
		return
	case "s16", "u16", "k32", "off", "code", "-", "":
		return
	default:
		c.fail("operand of format %s", format)
	}
	if x%16 != half || int(x/16) >= limit {
		c.fail("operand %d is not a register", i)
	}
}

func (c *codeVerifier) index(i, n int) {
	if i < 0 || i >= n {
		c.fail("there is no %d in a table of %d", i, n)
	}
}

// target returns the word that the jump leads to.
func (c *codeVerifier) target() uint32 {
	for _, format := range Ops[c.op].Operands {
		if format == "j16" || format == "j32" {
			return jumpTarget(c.w, format, c.next)
		}
	}
	c.fail("it does not jump")
	return 0
}

// effect checks what an opcode needs and notes what it leaves. Opcodes that
// only compute with number words need no more than their operands checked.
func (c *codeVerifier) effect(window int) {
	a, b, d := c.reg(0), c.reg(1), c.reg(2)
	switch c.op {
	// Moves and constants.
	case MOVP, MOVV:
		c.set(a, c.state[b])
	case NEEDP, NEEDV:
		c.set(a, c.state[b])
		c.dead = c.state[b] == onlyNil // it throws
	case LDS:
		c.set(a, IDStr)
	case LDB:
		c.set(a, IDBytes)
	case LDE:
		c.set(a, c.p.Enums[KOf(c.w)].Type)
	case LDNIL:
		c.set(a, onlyNil)
	case LDFN:
		f := &c.p.Funcs[BOf(c.w)]
		if f.Type == 0 || len(f.Captures) > 0 {
			c.fail("%s is not a value", f.Name)
		}
		c.set(a, f.Type)
	case BOX:
		if t := c.id("a boxed value", uint32(COf(c.w))); t.Rep != RepI {
			c.fail("%s is not a type of scalars", t.Name)
		}
		c.set(a, anyObject)
	case BOXOPT, BOXREF:
		c.set(a, anyObject)

	default:
		switch {
		case c.jumps(a, b), c.objects(a, b, d), c.lists(a, b, d), c.maps(a, b, d), c.calls(a, b, window), c.tasks(a, b):
		default:
			c.scalar()
		}
	}
}

// scalar makes sure that an opcode without a rule of its own touches nothing
// but number words.
func (c *codeVerifier) scalar() {
	for _, format := range Ops[c.op].Operands {
		switch format {
		case "=i", "i", "m", "s16", "u16", "k32", "-", "":
		default:
			c.fail("the verifier has no rule for it")
		}
	}
}

func (c *codeVerifier) jumps(a, b int) bool {
	switch c.op {
	case JMP:
		c.implies(c.target())
		c.dead = true
	case JT, JF, JEQ, JNE, JLT, JLE, JEQI, JNEI, JLTI, JLEI, JGTI, JGEI, JFEQ, JFNE, JFLT, JFNLT, JFLE, JFNLE,
		JFLTK, JFNLTK, JFGTK, JFNGTK, FORI, FORLE:
		c.implies(c.target())
	case JNIL:
		c.implies(c.target())
		c.dead = c.state[a] == onlyNil
	case JNNIL:
		if c.state[a] != onlyNil {
			c.implies(c.target())
		}
	case SWITCH:
		t := BOf(c.w)
		if c.usedTables[t] {
			c.fail("jump table %d is used twice", t)
		}
		c.usedTables[t] = true
		for _, at := range c.p.Jumps[t] {
			c.implies(at)
		}
		c.dead = true
	case FORLB, FORLI:
		c.list(b, c.op)
		c.room(a, 2)
		c.implies(c.target())
	case FORLP, FORLO, FORLV:
		c.room(a, 2)
		c.leap(RegType{uint16(a), c.list(b, c.op).Elem})
	case STRNEXT:
		c.need(b, IDStr)
		c.room(a, 2)
		c.leap(RegType{uint16(a), IDStr})
	case MNEXT:
		_, t := c.kindOf(b, TMap, TSet)
		c.room(a, 2)
		changed := []RegType{{c.immRegister(uint32(c.imm)), t.Key}}
		if v := uint32(c.imm >> 32); v != math.MaxUint32 {
			if t.Kind != TMap {
				c.fail("a set has no values")
			}
			changed = append(changed, RegType{c.immRegister(v), t.Elem})
		}
		if len(changed) == 2 && changed[0].Reg == changed[1].Reg {
			c.fail("key and value go to one register")
		}
		c.leap(changed...)
	default:
		return false
	}
	return true
}

// leap is a jump that sets registers, but only if it is taken. Where an error
// is thrown between the two, the registers may or may not be set.
func (c *codeVerifier) leap(changed ...RegType) {
	c.implies(c.target(), changed...)
	for _, r := range changed {
		if c.demands[r.Reg] > 0 && !fits(c.object[r.Type], c.demanded[r.Reg]) {
			c.fail("it changes register %d, which a handler needs", r.Reg)
		}
	}
}

// immRegister reads a register from an immediate word.
func (c *codeVerifier) immRegister(x uint32) uint16 {
	if x%16 != 0 || x/16 >= uint32(c.f.Frame) {
		c.fail("the immediate is not a register")
	}
	return uint16(x / 16)
}

func (c *codeVerifier) calls(a, b, window int) bool {
	switch c.op {
	case CALL:
		i, ok := funcStarting(c.p, uint32(KOf(c.w)))
		if !ok {
			c.fail("no function begins at word %d", KOf(c.w))
		}
		f := &c.p.Funcs[i]
		first := c.p.Code[f.Start]
		if int(AuxOf(c.w))*4 < int(f.Frame) && (OpOf(first) != ENTER || KOf(first) < int32(f.Frame)) {
			c.fail("it makes no room for the registers of %s", f.Name)
		}
		if len(f.Captures) > 0 {
			c.fail("%s is a closure", f.Name)
		}
		c.needAll(a, f.Params)
		c.call(a)
		c.state[a] = c.object[f.Result]
	case CALLC:
		_, t := c.kindOf(b, TFunc)
		c.needAll(a, t.Params)
		c.call(a)
		c.state[a] = c.object[t.Result]
	case CALLI:
		s := &c.p.Selectors[BOf(c.w)]
		c.needAll(a+1, s.Params)
		c.call(a)
		c.state[a] = c.object[s.Result]
	case CALLN:
		n := &c.p.Natives[BOf(c.w)]
		c.needAll(a, n.Params)
		c.call(a + 1) // it has no link
		c.set(a, c.object[n.Result])
		c.window = -1
	case ENTER:
		if k := KOf(c.w); k < 0 || k > maxFrame {
			c.fail("it asks for %d registers", k)
		}
	case RET:
		c.result(RepI)
	case RETI:
		c.result(RepI)
	case RETP:
		c.result(RepP)
		c.need(a, c.f.Result)
	case RETV:
		c.result(RepV)
		c.need(a, c.f.Result)
	case THROW, RETHROW, TRAP:
		c.dead = true
	case DEFER:
		if _, t := c.kindOf(a, TFunc); len(t.Params) > 0 {
			c.fail("a deferred function takes no parameters")
		}
	case RUNDEFER:
		// An error of a function called just before is blamed on this word.
		if window >= 0 && c.highest >= window-1 {
			c.fail("a call whose registers a handler needs stands before it")
		}
		c.call(a)
		c.window = -1
	default:
		return false
	}
	return true
}

func (c *codeVerifier) result(r Rep) {
	if t := &c.p.Types[c.f.Result]; t.Rep != r {
		c.fail("the function returns %s", t.Name)
	}
	c.dead = true
}
