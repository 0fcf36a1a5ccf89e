//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"strings"

	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

var floatOps = [bc.NumOps][3]uint8{
	bc.FADD: {1, 1, 1}, bc.FSUB: {1, 1, 1}, bc.FMUL: {1, 1, 1}, bc.FDIV: {1, 1, 1}, bc.FNEG: {1, 1, 0}, bc.FSQRT: {1, 1, 0}, bc.FABS: {1, 1, 0},
	bc.FTOI: {2, 1, 0}, bc.ITOF: {1, 2, 0}, bc.FADDK: {1, 1, 0}, bc.FSUBK: {1, 1, 0}, bc.FRSUBK: {1, 1, 0}, bc.FMULK: {1, 1, 0}, bc.FDIVK: {1, 1, 0}, bc.FRDIVK: {1, 1, 0},
	bc.FEQ: {2, 1, 1}, bc.FNE: {2, 1, 1}, bc.FLT: {2, 1, 1}, bc.FLE: {2, 1, 1},
	bc.JFEQ: {1, 1, 0}, bc.JFNE: {1, 1, 0}, bc.JFLT: {1, 1, 0}, bc.JFNLT: {1, 1, 0}, bc.JFLE: {1, 1, 0}, bc.JFNLE: {1, 1, 0},
	bc.JFLTK: {1, 0, 0}, bc.JFNLTK: {1, 0, 0}, bc.JFGTK: {1, 0, 0}, bc.JFNGTK: {1, 0, 0},
	bc.FADDF: {1, 1, 0}, bc.FSUBF: {1, 1, 0}, bc.FMULF: {1, 1, 0}, bc.FADDM: {0, 0, 1}, bc.FSUBM: {0, 0, 1},
}

var neutralOps = [bc.NumOps]bool{
	bc.MOVI: true, bc.LDI: true, bc.LDW: true, bc.GETI: true, bc.SETI: true, bc.LGETI: true, bc.LSETI: true, bc.LGETIK: true, bc.RETI: true, bc.GGETI: true, bc.GSETI: true,
	bc.UPI: true, bc.UCGETI: true, bc.UCSETI: true, bc.GETEI: true, bc.LPUSHI: true, bc.FORLI: true, bc.BOX: true, bc.MOVV: true, bc.NEEDV: true, bc.CAST: true, bc.BOXOPT: true,
	bc.LGETV: true, bc.LSETV: true, bc.RETV: true, bc.FORLV: true,
}

// accesses lists what an instruction reads and writes.
func (j *function) accesses(in *ins) {
	switch in.op {
	case iINL, iGOTO:
		return
	case bc.CALL, bc.CALLI, bc.CALLC, bc.CALLN:
		j.callAccesses(in)
		return
	}
	j.reads(in)
	if j.mayWrite(in) {
		return
	}
	j.writes(in)
	j.backings(in)
}

// add notes that an instruction uses or defines half of a register; mem: in memory, may:
// or not, hint: as a float (1) or not (2).
func (j *function) add(in *ins, slot int32, half uint8, def, mem bool, hint uint8, may bool) {
	in.acc = append(in.acc, access{v: slot*3 + int32(half), half: half, def: def, mem: mem, flt: hint, may: may})
	j.slots = max(j.slots, slot+1)
}

// rep notes what a value of a representation takes, in memory.
func (j *function) rep(in *ins, slot int32, r bc.Rep, def bool) {
	if r != bc.RepP {
		j.add(in, slot, halfN, def, true, 0, false)
	}
	if r != bc.RepI {
		j.add(in, slot, halfP, def, true, 0, false)
	}
}

// callAccesses notes the arguments of a call, and what it gives.
func (j *function) callAccesses(in *ins) {
	types := j.c.p.Types
	rep := func(slot int32, r bc.Rep, def bool) { j.rep(in, slot, r, def) }
	add := func(slot int32, half uint8, def, m bool, h uint8, may bool) { j.add(in, slot, half, def, m, h, may) }
	switch in.op {
	case bc.CALL:
		callee := funcStarting(j.c.p, uint32(in.K()))
		a := in.A() / 16
		for i, t := range callee.Params {
			rep(a+int32(i), types[t].Rep, false)
		}
		rep(a, types[callee.Result].Rep, true)
		return
	case bc.CALLI:
		s := &j.c.p.Selectors[bc.BOf(in.w)]
		a := in.A() / 16
		add(a, halfP, false, true, 0, false)
		add(a, halfN, false, true, 0, false)
		for i, t := range s.Params {
			rep(a+1+int32(i), types[t].Rep, false)
		}
		rep(a, types[s.Result].Rep, true)
		return
	case bc.CALLC:
		a := in.A() / 16
		add(in.B()/16, halfP, false, false, 0, false)
		if t := j.c.typeAt(in.at); t != nil {
			for i, t := range t.Params {
				rep(a+int32(i), types[t].Rep, false)
			}
			rep(a, types[t.Result].Rep, true)
			return
		}
		for s := a; s < int32(j.f.Frame); s++ { // its arguments, whatever they are
			add(s, halfN, false, true, 0, false)
			add(s, halfP, false, true, 0, false)
		}
		add(a, halfN, true, true, 0, false)
		add(a, halfP, true, true, 0, false)
		return
	case bc.CALLN:
		nat := &j.c.p.Natives[bc.BOf(in.w)]
		a := in.A() / 16
		for i, t := range nat.Params {
			rep(a+int32(i), types[t].Rep, false)
		}
		add(a, halfN, true, true, 0, false)
		add(a, halfP, true, true, 0, false)
		return
	}
}

// hint tells whether an operand is a float (1), something else (2), or either.
func (in *ins) hint(i int) uint8 {
	if h := floatOps[in.op][i]; h != 0 {
		return h
	}
	if neutralOps[in.op] {
		return 0
	}
	return 2
}

// args counts the registers of an operand that names several.
func (j *function) args(in *ins) (n int) {
	types := j.c.p.Types
	switch in.op {
	case bc.NEW:
		n = len(types[bc.BOf(in.w)].Fields)
	case bc.NEWENUM:
		n = len(types[bc.BOf(in.w)].Variants[in.aux].Fields)
	case bc.CLOSURE:
		n = len(j.c.p.Funcs[bc.BOf(in.w)].Captures)
	case bc.MKLIST:
		n = int(in.imm)
	case bc.SPAWN, bc.SPAWNC:
		n = int(uint16(in.imm >> 32))
	case bc.SELECT:
		n = 2*int(bc.COf(in.w)) + 1
	case bc.CONCATN:
		n = int(bc.COf(in.w))
	case bc.INTERP:
		for _, p := range j.c.p.Interps[in.imm] {
			if p.Type != 0 {
				n++
			}
		}
	case bc.LSLICE, bc.SSLICE:
		n = 2
	}
	return n
}

// reads notes what an instruction uses.
func (j *function) reads(in *ins) {
	mem, n := in.callOut(), j.args(in)
	if in.op == bc.FORMAT {
		for k := range strings.Count(j.c.p.Strings[in.imm], formatHole) {
			j.add(in, in.B()/16+1+int32(k), halfN, false, true, 0, false)
		}
	}
	vals := [3]int32{in.A(), in.B(), in.C()}
	ops := bc.Ops[in.op].Operands
	for i, format := range ops { // reads
		s := vals[i] / 16
		switch format {
		case "i", "m":
			j.add(in, s, halfN, false, mem, in.hint(i), false)
		case "p":
			j.add(in, s, halfP, false, mem, 0, false)
		case "v":
			j.add(in, s, halfN, false, mem, in.hint(i), false)
			j.add(in, s, halfP, false, mem, 0, false)
		case "args":
			for k := 0; k < n; k++ {
				j.add(in, s+int32(k), halfN, false, true, 0, false)
				j.add(in, s+int32(k), halfP, false, true, 0, false)
			}
		}
	}
}

// mayWrite notes what instructions define that do not always do so, or not where their
// operands say. It reports whether that is all.
func (j *function) mayWrite(in *ins) bool {
	add := func(slot int32, half uint8, def, m bool, h uint8, may bool) { j.add(in, slot, half, def, m, h, may) }
	a := in.A() / 16
	may := func(slot int32) {
		add(slot, halfN, false, true, 0, false)
		add(slot, halfP, false, true, 0, false)
		add(slot, halfN, true, true, 0, true)
		add(slot, halfP, true, true, 0, true)
	}
	switch in.op {
	case bc.FORLB, bc.FORLI, bc.FORLP, bc.FORLO, bc.FORLV:
		add(a+1, halfN, false, false, 2, false)
		add(a+1, halfN, true, false, 2, true)
	case bc.MITER:
		add(a+1, halfN, true, true, 2, false)
	case bc.MNEXT:
		may(a)
		may(a + 1)
		may(int32(uint32(in.imm)) / 16)
		if v := uint32(in.imm >> 32); v != 1<<32-1 {
			may(int32(v) / 16)
		}
		return true
	case bc.STRNEXT:
		may(a)
		may(a + 1)
		return true
	case bc.RECV, bc.AWAIT, bc.LOCK:
		may(a)
		return true
	case bc.SELECT:
		may(a)
		for k := int32(0); k <= 2*in.UC(); k++ {
			may(in.B()/16 + k)
		}
		return true
	case bc.SPAWN, bc.SPAWNC:
		add(a, halfP, true, true, 0, false)
		return true
	case bc.THROW, bc.RETHROW, bc.FAILSCOPE, bc.RUNDEFER, bc.SCOPE:
		return true
	}
	return false
}

// writes notes what an instruction defines.
func (j *function) writes(in *ins) {
	mem := in.callOut()
	vals := [3]int32{in.A(), in.B(), in.C()}
	for i, format := range bc.Ops[in.op].Operands { // writes
		s := vals[i] / 16
		switch format {
		case "=i", "m":
			j.add(in, s, halfN, true, mem, in.hint(i), format == "m")
		case "=p":
			j.add(in, s, halfP, true, mem, 0, false)
		case "=v":
			j.add(in, s, halfN, true, mem, in.hint(i), false)
			j.add(in, s, halfP, true, mem, 0, false)
		}
	}
}

// backings notes of which lists an instruction wants the backing.
func (j *function) backings(in *ins) {
	switch in.op {
	case bc.LLEN, bc.LGETB, bc.LGETI, bc.LGETIK, bc.LGETP, bc.LGETO, bc.LGETV, bc.FORLB, bc.FORLI, bc.FORLP, bc.FORLO, bc.FORLV, bc.LGETOPT, bc.LLAST, bc.LPOP:
		j.add(in, in.B()/16, halfD, false, false, 0, false)
	case bc.LSETB, bc.LSETBK, bc.LSETI, bc.LSETP, bc.LSETV, bc.LPUSHI, bc.LPUSHB, bc.LPUSHP, bc.LSWAP:
		j.add(in, in.A()/16, halfD, false, false, 0, false)
	}
}

// withD adds the definition of a derived variable to each of its pointer's.
func (j *function) withD() {
	used := make([]bool, j.slots)
	for i := range j.ir {
		for _, a := range j.ir[i].acc {
			if a.half == halfD {
				used[a.v/3] = true
			}
		}
	}
	for i := range j.ir {
		in := &j.ir[i]
		for _, a := range in.acc {
			if a.def && a.half == halfP && used[a.v/3] {
				in.acc = append(in.acc, access{v: a.v + 1, half: halfD, def: true, may: a.may})
			}
		}
	}
}
