//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// moves serves moves and constants. It reports whether the instruction is one.
func (e *emitter) moves() bool {
	in := e.in
	A, B := in.A(), in.B()
	switch in.op {
	case iGOTO:
		if in.to != e.i+1 {
			e.jumpTo(in.to)
		}
	case iINL:
		e.enterInlined(A)
	case bc.MOVI:
		e.moveNumber(A, B)
	case bc.MOVP:
		e.setP(A, e.srcP(B, rAX))
	case bc.MOVV:
		e.both(A, B, e.srcP(B, rAX))
	case bc.LDI:
		e.setConst(A, int64(in.K()))
	case bc.LDW:
		e.setConst(A, int64(in.imm))
	case bc.LDS:
		e.setPConst(A, e.obj.Consts[in.K()])
	case bc.LDB:
		e.setPConst(A, e.obj.Bytes[in.K()])
	case bc.LDE:
		e.setPConst(A, e.obj.Enums[in.K()])
	case bc.LDNIL:
		e.movi(rAX, 0)
		e.setP(A, rAX)
	case bc.BOX:
		r := e.srcIR(B, rAX)
		e.setI(A+8, r)
		e.setPConst(A, e.obj.Descs[in.UC()])
	case bc.BOXOPT, bc.BOXREF:
		e.boxOptional(A, B)
	default:
		return false
	}
	return true
}

// moveNumber copies a number word.
func (e *emitter) moveNumber(a, b int32) {
	d := e.acc(a/16, halfN, true)
	s := e.acc(b/16, halfN, false)
	switch {
	case e.dead(a):
	case d != nil && d.reg >= 0 && d.isF:
		e.fld(d.reg, e.srcF(b, d.reg))
		e.setF(a, d.reg)
	case s != nil && s.reg >= 0 && s.isF:
		e.setF(a, s.reg)
	default:
		x := e.srcI(b, rAX)
		if x.isReg() {
			e.setI(a, int(x.reg))
			break
		}
		r := e.dstI(a, rAX)
		e.ld(r, x)
		e.setI(a, r)
	}
}

// boxOptional makes an optional a value of type any.
func (e *emitter) boxOptional(a, b int32) {
	in := e.in
	r := e.srcP(b, rAX)
	e.ld(rAX, R(r))
	e.moviNF(rCX, int64(e.obj.NoneInAny))
	e.test(rAX, rAX)
	e.cmov(ccE, rAX, R(rCX))
	if in.op == bc.BOXOPT {
		e.both(a, b, rAX)
	} else {
		e.setP(a, rAX)
	}
}

// objects serves fields, captured values and globals. It reports whether the instruction is one.
func (e *emitter) objects() bool {
	in := e.in
	A, B, C := in.A(), in.B(), in.C()
	switch in.op {
	case bc.GETI, bc.GETP:
		p := e.object(B, rCX)
		m := M(p, in.UC())
		if in.op == bc.GETP {
			r := e.dstP(A, rAX)
			e.ld(r, m)
			e.setP(A, r)
			break
		}
		e.loadTo(A, m)
	case bc.SETI:
		p := e.object(A, rCX)
		e.storeFrom(M(p, in.UB()), C)
	case bc.SETP:
		p := e.object(A, rCX)
		e.storeP(M(p, in.UB()), e.srcP(C, rAX))
	case bc.ADDF:
		p := e.object(C, rCX)
		x := e.srcI(B, rAX)
		d := e.dstI(A, rAX)
		if d == p {
			e.ld(rAX, x)
			e.alu(aADD, rAX, M(p, int32(in.aux)*8))
			e.setI(A, rAX)
			break
		}
		e.ld(d, x)
		e.alu(aADD, d, M(p, int32(in.aux)*8))
		e.setI(A, d)
	case bc.FADDF, bc.FSUBF, bc.FMULF:
		p := e.object(C, rCX)
		x := e.srcFR(B, 14)
		d := e.dstF(A, 14)
		code := byte(fADD)
		switch in.op {
		case bc.FSUBF:
			code = fSUB
		case bc.FMULF:
			code = fMUL
		}
		e.fop(code, d, x, M(p, int32(in.aux)*8))
		e.setF(A, d)
	case bc.ADDM:
		p := e.object(A, rCX)
		e.aluM(aADD, M(p, in.UB()), e.srcIR(C, rAX))
	case bc.ADDMI:
		p := e.object(A, rCX)
		e.alui(aADD, M(p, in.UB()), in.SC())
	case bc.FADDM, bc.FSUBM:
		p := e.object(A, rCX)
		e.fld(14, M(p, in.UB()))
		code := byte(fADD)
		if in.op == bc.FSUBM {
			code = fSUB
		}
		e.fop(code, 14, 14, e.srcF(C, 15))
		e.fst(M(p, in.UB()), 14)
	case bc.TAG:
		p := e.object(B, rCX)
		e.ld32(rAX, M(p, 4))
		e.setI(A, rAX)
	case bc.GETEI, bc.GETEP:
		p := e.object(B, rCX)
		e.cmp32i(M(p, 4), int32(in.aux))
		e.coldExit(e.jcc(ccNE), vm.MachineFault)
		if in.op == bc.GETEI {
			e.loadTo(A, M(p, in.UC()))
			break
		}
		e.ld(rAX, M(p, in.UC()))
		e.setP(A, rAX)
	case bc.UPI:
		e.ld(rCX, M(rBX, in.off-16))
		e.loadTo(A, M(rCX, in.UB()))
	case bc.UPP:
		e.ld(rCX, M(rBX, in.off-16))
		e.ld(rAX, M(rCX, in.UB()))
		e.setP(A, rAX)
	case bc.UCGETI:
		e.ld(rCX, M(rBX, in.off-16))
		e.ld(rCX, M(rCX, in.UB()))
		e.loadTo(A, M(rCX, 8))
	case bc.UCSETI:
		e.ld(rCX, M(rBX, in.off-16))
		e.ld(rCX, M(rCX, in.UB()))
		e.storeFrom(M(rCX, 8), A)
	case bc.UCADDI:
		e.ld(rCX, M(rBX, in.off-16))
		e.ld(rCX, M(rCX, in.UB()))
		d := e.dstI(A, rAX)
		e.ld(d, M(rCX, 8))
		e.alui(aADD, R(d), in.SC())
		e.st(M(rCX, 8), d)
		e.setI(A, d)
	case bc.GGETI:
		e.ld(rCX, M(r15, off.Globals))
		e.loadTo(A, M(rCX, in.K()))
	case bc.GGETP, bc.GGETO:
		e.ld(rCX, M(r15, off.Globals))
		e.ld(rAX, M(rCX, in.K()))
		if in.op == bc.GGETP {
			e.test(rAX, rAX)
			e.coldExit(e.jcc(ccE), vm.MachineFault)
		}
		e.setP(A, rAX)
	case bc.GSETI:
		e.ld(rCX, M(r15, off.Globals))
		e.storeFrom(M(rCX, in.K()), A)
	case bc.GSETP:
		e.ld(rCX, M(r15, off.Globals))
		e.storeP(M(rCX, in.K()), e.srcP(A, rAX))
	case bc.GINIT:
		e.ld(rCX, M(r15, off.Init))
		e.stbi(M(rCX, in.K()), 1)
	case bc.GCHECK:
		e.ld(rCX, M(r15, off.Init))
		e.cmpb(M(rCX, in.K()), 0)
		e.coldExit(e.jcc(ccE), vm.MachineFault)
	default:
		return false
	}
	return true
}

// tests serves comparisons of objects, and optionals. It reports whether the instruction is one.
func (e *emitter) tests() bool {
	in := e.in
	A, B, C := in.A(), in.B(), in.C()
	switch in.op {
	case bc.SEQ:
		e.textEqual(A, B, C)
	case bc.SAME:
		x, y := e.srcP(B, rCX), e.srcP(C, rDX)
		e.alu(aCMP, x, R(y))
		e.setcc(ccE, A)
	case bc.ISTYPE:
		p := e.srcP(B, rCX)
		e.moviNF(rAX, 0)
		e.test(p, p)
		none := e.jcc(ccE)
		e.cmp32i(M(p, 0), in.UC())
		e.asm.setcc(ccE, rAX)
		e.here(none)
		e.setI(A, rAX)
	case bc.CAST:
		p := e.srcP(B, rCX)
		e.test(p, p)
		e.coldExit(e.jcc(ccE), vm.MachineFault)
		e.cmp32i(M(p, 0), in.UC())
		e.coldExit(e.jcc(ccNE), vm.MachineFault)
		e.both(A, B, p)
	case bc.NEEDP, bc.NEEDV:
		p := e.srcP(B, rCX)
		e.test(p, p)
		e.coldExit(e.jcc(ccE), vm.MachineFault)
		if in.op == bc.NEEDV {
			e.both(A, B, p)
		} else {
			e.setP(A, p)
		}
	default:
		return false
	}
	return true
}

// textEqual compares texts, as far as that can be done without looking into them.
func (e *emitter) textEqual(a, b, c int32) {
	x, y := e.object(b, rCX), e.object(c, rDX)
	e.alu(aCMP, x, R(y))
	same := e.jcc(ccE)
	e.ld(rAX, M(x, 8))
	e.alu(aCMP, rAX, M(y, 8))
	e.coldExit(e.jcc(ccE), int(bc.SEQ))
	e.movi(rAX, 0)
	over := e.jmp()
	e.here(same)
	e.movi(rAX, 1)
	e.here(over)
	e.setI(a, rAX)
}
