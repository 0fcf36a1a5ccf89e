//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"github.com/runnel-lang/runnel/vm"
)

// acc finds the web of an operand.
func (e *emitter) acc(slot int32, half uint8, def bool) *web {
	if v := e.web(slot, half, def); v >= 0 {
		return &e.j.webs[v]
	}
	return nil
}

// web finds its number, or gives -1.
func (e *emitter) web(slot int32, half uint8, def bool) int32 {
	for k := range e.in.acc {
		a := &e.in.acc[k]
		if a.def == def && a.half == half && e.j.webs[a.v].slot == slot {
			return a.v
		}
	}
	return -1
}

func (e *emitter) srcI(disp int32, tmp int) rm {
	w := e.acc(disp/16, halfN, false)
	switch {
	case w != nil && w.known:
		e.moviNF(tmp, w.k)
		return R(tmp)
	case w == nil || w.reg < 0:
		return M(rBX, disp)
	case w.isF:
		e.toG(tmp, w.reg)
		return R(tmp)
	}
	return R(w.reg)
}

func (e *emitter) srcIR(disp int32, tmp int) int {
	x := e.srcI(disp, tmp)
	if x.isReg() {
		return int(x.reg)
	}
	e.ld(tmp, x)
	return tmp
}

func (e *emitter) srcF(disp int32, tmp int) rm {
	w := e.acc(disp/16, halfN, false)
	switch {
	case w != nil && w.known:
		return e.K(uint64(w.k))
	case w == nil || w.reg < 0:
		return M(rBX, disp)
	case w.isF:
		return R(w.reg)
	}
	e.fromG(tmp, R(w.reg))
	return R(tmp)
}

func (e *emitter) srcFR(disp int32, tmp int) int {
	x := e.srcF(disp, tmp)
	if x.isReg() {
		return int(x.reg)
	}
	e.fld(tmp, x)
	return tmp
}

// srcP gives a pointer in a register.
func (e *emitter) srcP(disp int32, tmp int) int {
	disp &^= 15
	w := e.acc(disp/16, halfP, false)
	if w == nil || w.reg < 0 {
		e.ld(tmp, M(rBX, disp))
		return tmp
	}
	return w.reg
}

// object gives a pointer that is not nil.
func (e *emitter) object(disp int32, tmp int) int {
	r := e.srcP(disp, tmp)
	v := e.web(disp&^15/16, halfP, false)
	if v < 0 || !e.j.webs[v].nonnil && !e.found[v] {
		e.test(r, r)
		e.coldExit(e.jcc(ccE), vm.MachineInterpret)
		if v >= 0 {
			e.found[v] = true
		}
	}
	return r
}

// list gives the backing of a list in a register.
func (e *emitter) list(disp int32, tmp int) int {
	disp &^= 15
	if w := e.acc(disp/16, halfD, false); w != nil && w.reg >= 0 {
		return w.reg
	}
	r := e.object(disp, tmp)
	e.ld(tmp, M(r, 8))
	return tmp
}

func (e *emitter) dead(disp int32) bool {
	for _, a := range e.in.acc {
		if a.def && a.half == halfN && e.j.webs[a.v].slot == disp/16 {
			return !e.j.liveOut[e.i].has(a.v)
		}
	}
	return false
}

// dstI gives a register to compute a result in, which setI stores.
func (e *emitter) dstI(disp int32, tmp int) int {
	w := e.acc(disp/16, halfN, true)
	if w == nil || w.reg < 0 || w.isF {
		return tmp
	}
	return w.reg
}

func (e *emitter) setI(disp int32, r int) {
	if e.dead(disp) {
		return
	}
	w := e.acc(disp/16, halfN, true)
	if w == nil || w.reg < 0 {
		e.st(M(rBX, disp), r)
		return
	}
	if w.isF {
		e.fromG(w.reg, R(r))
	} else {
		e.ld(w.reg, R(r))
	}
	if w.wt {
		e.st(M(rBX, disp), r)
	}
}

func (e *emitter) dstF(disp int32, tmp int) int {
	w := e.acc(disp/16, halfN, true)
	if w == nil || w.reg < 0 || !w.isF {
		return tmp
	}
	return w.reg
}

func (e *emitter) setF(disp int32, x int) {
	if e.dead(disp) {
		return
	}
	w := e.acc(disp/16, halfN, true)
	if w == nil || w.reg < 0 {
		e.fst(M(rBX, disp), x)
		return
	}
	if w.isF {
		e.fld(w.reg, R(x))
	} else {
		e.toG(w.reg, x)
	}
	if w.wt {
		e.fst(M(rBX, disp), x)
	}
}

// setConst stores a constant.
func (e *emitter) setConst(disp int32, v int64) {
	if e.dead(disp) {
		return
	}
	w := e.acc(disp/16, halfN, true)
	switch {
	case w == nil || w.reg < 0:
		if v == int64(int32(v)) {
			e.sti(M(rBX, disp), int32(v))
		} else {
			e.movi(rAX, v)
			e.st(M(rBX, disp), rAX)
		}
		return
	case w.isF && v == 0:
		e.vex(false, 0, 0x57, w.reg, w.reg, R(w.reg))
	case w.isF:
		e.fld(w.reg, e.K(uint64(v)))
	default:
		e.movi(w.reg, v)
	}
	if w.wt {
		if w.isF {
			e.fst(M(rBX, disp), w.reg)
		} else {
			e.st(M(rBX, disp), w.reg)
		}
	}
}

// storeP stores a pointer, by Go while the collector marks.
func (e *emitter) storeP(m rm, r int) {
	e.cmpb(M(r15, off.Marking), 0)
	slow := e.jcc(ccNE)
	e.st(m, r)
	back := e.pos()
	e.later(func() {
		e.here(slow)
		e.st(M(r15, off.Save+12*8), rCX)
		e.st(M(r15, off.Save+13*8), rAX)
		if r == rCX {
			e.ld(rAX, R(rCX))
			if m.index == rAX {
				panic("native: registers")
			}
			e.lea(rCX, m)
		} else {
			e.lea(rCX, m)
			e.ld(rAX, R(r))
		}
		e.callM(M(r15, off.Barrier))
		e.ld(rCX, M(r15, off.Save+12*8))
		e.ld(rAX, M(r15, off.Save+13*8))
		e.patch(e.jmp(), back)
	})
}

// setP stores the pointer result. The register is not rdx.
func (e *emitter) setP(disp int32, r int) {
	disp &^= 15
	e.storeP(M(rBX, disp), r)
	if w := e.acc(disp/16, halfP, true); w != nil && w.reg >= 0 {
		e.ld(w.reg, R(r))
	}
	e.defD(disp)
}

// defD finds the backing of a list that has just been stored, if it is kept.
func (e *emitter) defD(disp int32) {
	for _, a := range e.in.acc {
		w := &e.j.webs[a.v]
		if a.def && a.half == halfD && w.slot == disp/16 && w.reg >= 0 && e.j.liveOut[e.i].has(a.v) {
			e.loadD(w)
		}
	}
}

func (e *emitter) setPConst(disp int32, p uintptr) {
	e.movi(rAX, int64(p))
	e.setP(disp, rAX)
}

// both sets a pointer and copies the number word beside it; the destinations may
// be the registers of the sources.
func (e *emitter) both(a, b int32, p int) {
	if e.dead(a + 8) {
		e.setP(a, p)
		return
	}
	if r := e.srcIR(b+8, rDX); r != rDX {
		e.ld(rDX, R(r))
	}
	e.setP(a, p)
	e.setI(a+8, rDX)
}

// dstP gives a register for a pointer result that needs nothing else.
func (e *emitter) dstP(disp int32, tmp int) int {
	if w := e.acc(disp&^15/16, halfP, true); w != nil && w.reg >= 0 {
		return w.reg
	}
	return tmp
}

// loadTo loads a number word from memory.
func (e *emitter) loadTo(a int32, m rm) {
	if w := e.acc(a/16, halfN, true); w != nil && w.reg >= 0 && w.isF {
		if e.dead(a) {
			return
		}
		e.fld(w.reg, m)
		e.setF(a, w.reg)
		return
	}
	d := e.dstI(a, rAX)
	e.ld(d, m)
	e.setI(a, d)
}

// storeFrom stores a number word.
func (e *emitter) storeFrom(m rm, c int32) {
	if w := e.acc(c/16, halfN, false); w != nil && w.reg >= 0 && w.isF {
		e.fst(m, w.reg)
		return
	}
	e.st(m, e.srcIR(c, rAX))
}
