//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"slices"

	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// constants finds numbers that are known wherever they live, as are arguments of functions
// that are expanded. They take no registers: instructions use them as immediate operands,
// and their homes are written where the interpreter may look.
func (j *function) constants(atEntry []int32) {
	defs := make([]int, len(j.webs))
	for _, v := range atEntry {
		defs[v]++
	}
	for i := range j.ir {
		for _, a := range j.ir[i].acc {
			if a.def {
				defs[a.v]++
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range j.ir {
			in := &j.ir[i]
			if v := in.defines(); v >= 0 && defs[v] == 1 && !j.webs[v].known {
				if k, ok := j.valueOf(in); ok {
					j.webs[v].known, j.webs[v].k = true, k
					changed = true
				}
			}
		}
	}
}

// defines is the one number that an instruction defines and no more, or -1.
func (in *ins) defines() int32 {
	v := int32(-1)
	for _, a := range in.acc {
		if a.def {
			if v >= 0 || a.may || a.mem || a.half != halfN {
				return -1
			}
			v = a.v
		}
	}
	return v
}

// valueOf is what an instruction without effects gives, if that is known.
func (j *function) valueOf(in *ins) (int64, bool) {
	switch in.op {
	case bc.LDI:
		return int64(in.K()), true
	case bc.LDW:
		return int64(in.imm), true
	case bc.MOVI:
		return j.constant(in, in.B())
	case bc.ADDI:
		k, ok := j.constant(in, in.B())
		return k + int64(in.SC()), ok
	case bc.RSUBI:
		k, ok := j.constant(in, in.B())
		return int64(in.SC()) - k, ok
	}
	return 0, false
}

// constant is what the instruction finds in a register, if that is known.
func (j *function) constant(in *ins, disp int32) (int64, bool) {
	i := slices.IndexFunc(in.acc, func(a access) bool {
		return !a.def && a.half == halfN && j.webs[a.v].slot == disp/16
	})
	if i < 0 {
		return 0, false
	}
	w := &j.webs[in.acc[i].v]
	return w.k, w.known
}

// immediate is constant for those that fit into an instruction.
func (e *emitter) immediate(disp int32) (int32, bool) {
	k, ok := e.j.constant(e.in, disp)
	return int32(k), ok && k == int64(int32(k))
}

// isKnown serves instructions that give what is known. It reports whether this is one.
func (e *emitter) isKnown() bool {
	v := e.in.defines()
	if v < 0 || !e.j.webs[v].known {
		return false
	}
	if w := &e.j.webs[v]; w.wt {
		e.storeHome(w)
	}
	return true
}

// storeHome writes a known number to memory.
func (e *emitter) storeHome(w *web) {
	if w.k == int64(int32(w.k)) {
		e.sti(M(rBX, w.home()), int32(w.k))
		return
	}
	e.moviNF(rAX, w.k)
	e.st(M(rBX, w.home()), rAX)
}
