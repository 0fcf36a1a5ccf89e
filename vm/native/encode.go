//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import "encoding/binary"

// asm encodes the amd64 instructions that the native tier uses.
type asm struct {
	b      []byte
	pool   []poolRef
	consts map[uint64]int // 64-bit constant -> index in pool data
	order  []uint64
}

type poolRef struct {
	at  int // of the rel32
	idx int
}

// General registers.
const (
	rAX = iota
	rCX
	rDX
	rBX
	rSP
	rBP
	rSI
	rDI
	r8
	r9
	r10
	r11
	r12
	r13
	r14
	r15
)

// rm is a register or a memory operand.
type rm struct {
	reg   int8 // register, or -1
	base  int8
	index int8 // or -1
	scale uint8
	disp  int32
	k     int // pool constant when base is ripPool
}

const ripPool = int8(-2)

func R(r int) rm                { return rm{reg: int8(r)} }
func M(base int, disp int32) rm { return rm{reg: -1, base: int8(base), index: -1, disp: disp} }
func MX(base, index int, scale uint8, disp int32) rm {
	return rm{reg: -1, base: int8(base), index: int8(index), scale: scale, disp: disp}
}
func (x rm) isReg() bool { return x.reg >= 0 }

// K is a memory operand for a 64-bit constant.
func (a *asm) K(v uint64) rm {
	if a.consts == nil {
		a.consts = map[uint64]int{}
	}
	i, ok := a.consts[v]
	if !ok {
		i = len(a.order)
		a.consts[v] = i
		a.order = append(a.order, v)
	}
	return rm{reg: -1, base: ripPool, index: -1, k: i}
}

func (a *asm) u8(b ...byte) { a.b = append(a.b, b...) }
func (a *asm) i32(v int32)  { a.b = binary.LittleEndian.AppendUint32(a.b, uint32(v)) }
func (a *asm) pos() int     { return len(a.b) }

// modrm appends the ModRM byte and what follows for a register field and an operand.
func (a *asm) modrm(reg int, x rm) {
	r := byte(reg&7) << 3
	if x.isReg() {
		a.u8(0xc0 | r | byte(x.reg&7))
		return
	}
	if x.base == ripPool {
		a.u8(0x05 | r)
		a.pool = append(a.pool, poolRef{len(a.b), x.k})
		a.i32(0)
		return
	}
	mod := byte(0x80)
	switch {
	case x.disp == 0 && x.base&7 != rBP:
		mod = 0
	case x.disp >= -128 && x.disp <= 127:
		mod = 0x40
	}
	if x.index >= 0 || x.base&7 == rSP {
		s := byte(0)
		switch x.scale {
		case 2:
			s = 0x40
		case 4:
			s = 0x80
		case 8:
			s = 0xc0
		}
		idx := byte(4)
		if x.index >= 0 {
			idx = byte(x.index & 7)
		}
		a.u8(mod|r|4, s|idx<<3|byte(x.base&7))
	} else {
		a.u8(mod | r | byte(x.base&7))
	}
	switch mod {
	case 0x40:
		a.u8(byte(x.disp))
	case 0x80:
		a.i32(x.disp)
	}
}

func (x rm) rexXB() (xb byte) {
	if x.isReg() {
		return byte(x.reg >> 3 & 1)
	}
	if x.base >= 8 {
		xb |= 1
	}
	if x.index >= 8 {
		xb |= 2
	}
	return xb
}

// op is [REX.W] opcode modrm. byteReg forces REX for byte registers.
func (a *asm) op(w bool, reg int, x rm, byteReg bool, code ...byte) {
	rex := byte(0x40) | byte(reg>>3&1)<<2 | x.rexXB()
	if w {
		rex |= 8
	}
	if rex != 0x40 || byteReg {
		a.u8(rex)
	}
	a.u8(code...)
	a.modrm(reg, x)
}

func (a *asm) q(code byte, reg int, x rm) { a.op(true, reg, x, false, code) }
func (a *asm) l(code byte, reg int, x rm) { a.op(false, reg, x, false, code) }

// Moves.
func (a *asm) ld(reg int, x rm) { // reg = x
	if x.isReg() && int(x.reg) == reg {
		return
	}
	a.q(0x8b, reg, x)
}
func (a *asm) st(x rm, reg int) { // x = reg
	if x.isReg() {
		a.ld(int(x.reg), R(reg))
		return
	}
	a.q(0x89, reg, x)
}
func (a *asm) st32(x rm, reg int) { a.l(0x89, reg, x) }
func (a *asm) ld32(reg int, x rm) { a.l(0x8b, reg, x) }
func (a *asm) sti(x rm, v int32) { // 64-bit store of a sign-extended immediate
	a.q(0xc7, 0, x)
	a.fixK(4)
	a.i32(v)
}
func (a *asm) sti32(x rm, v int32) {
	a.l(0xc7, 0, x)
	a.i32(v)
}

// fixK adjusts a rip operand followed by n immediate bytes (not used with stores).
func (a *asm) fixK(n int) {}

func (a *asm) movi(reg int, v int64) {
	switch {
	case v == 0:
		a.l(0x31, reg, R(reg))
	case v > 0 && v <= 0xffffffff:
		if reg >= 8 {
			a.u8(0x41)
		}
		a.u8(0xb8 | byte(reg&7))
		a.i32(int32(uint32(v)))
	case v == int64(int32(v)):
		a.q(0xc7, 0, R(reg))
		a.i32(int32(v))
	default:
		rex := byte(0x48)
		if reg >= 8 {
			rex |= 1
		}
		a.u8(rex, 0xb8|byte(reg&7))
		a.b = binary.LittleEndian.AppendUint64(a.b, uint64(v))
	}
}

// moviNF is movi that keeps the flags.
func (a *asm) moviNF(reg int, v int64) {
	if v == 0 {
		if reg >= 8 {
			a.u8(0x41)
		}
		a.u8(0xb8 | byte(reg&7))
		a.i32(0)
		return
	}
	a.movi(reg, v)
}

// ALU operations by their number: add 0, or 1, and 4, sub 5, xor 6, cmp 7.
const (
	aADD = 0
	aOR  = 1
	aAND = 4
	aSUB = 5
	aXOR = 6
	aCMP = 7
)

func (a *asm) alu(op, reg int, x rm)      { a.q(byte(op)<<3|3, reg, x) } // reg op= x
func (a *asm) aluM(op int, x rm, reg int) { a.q(byte(op)<<3|1, reg, x) } // x op= reg
func (a *asm) alui(op int, x rm, v int32) {
	if v >= -128 && v <= 127 {
		a.q(0x83, op, x)
		a.u8(byte(v))
		return
	}
	a.q(0x81, op, x)
	a.i32(v)
}
func (a *asm) lea(reg int, x rm) { a.q(0x8d, reg, x) }
func (a *asm) test(r1, r2 int)   { a.q(0x85, r1, R(r2)) }
func (a *asm) testb1(x rm) { // test byte x, 1
	a.op(false, 0, x, x.isReg() && x.reg >= 4, 0xf6)
	a.u8(1)
}
func (a *asm) imul(reg int, x rm) { a.op(true, reg, x, false, 0x0f, 0xaf) }
func (a *asm) imuli(reg int, x rm, v int32) {
	if v >= -128 && v <= 127 {
		a.q(0x6b, reg, x)
		a.u8(byte(v))
		return
	}
	a.q(0x69, reg, x)
	a.i32(v)
}
func (a *asm) neg(r int)  { a.q(0xf7, 3, R(r)) }
func (a *asm) not(r int)  { a.q(0xf7, 2, R(r)) }
func (a *asm) imul1(x rm) { a.q(0xf7, 5, x) }
func (a *asm) idiv(x rm)  { a.q(0xf7, 7, x) }
func (a *asm) div32(x rm) { a.l(0xf7, 6, x) }
func (a *asm) cqo()       { a.u8(0x48, 0x99) }
func (a *asm) shi(op, r int, n byte) { // shl 4, shr 5, sar 7
	a.q(0xc1, op, R(r))
	a.u8(n)
}
func (a *asm) shcl(op, r int)              { a.q(0xd3, op, R(r)) }
func (a *asm) movzxb(reg int, x rm)        { a.op(false, reg, x, false, 0x0f, 0xb6) }
func (a *asm) stb(x rm, reg int)           { a.op(false, reg, x, reg >= 4, 0x88) }
func (a *asm) stbi(x rm, v byte)           { a.op(false, 0, x, false, 0xc6); a.u8(v) }
func (a *asm) cmpb(x rm, v byte)           { a.op(false, 7, x, false, 0x80); a.u8(v) }
func (a *asm) cmp32i(x rm, v int32)        { a.l(0x81, 7, x); a.i32(v) }
func (a *asm) dec32(r int)                 { a.l(0xff, 1, R(r)) }
func (a *asm) setcc(cc byte, r int)        { a.op(false, 0, R(r), r >= 4, 0x0f, 0x90|cc) }
func (a *asm) cmov(cc byte, reg int, x rm) { a.op(true, reg, x, false, 0x0f, 0x40|cc) }
func (a *asm) ret()                        { a.u8(0xc3) }
func (a *asm) jmpM(x rm)                   { a.l(0xff, 4, x) }
func (a *asm) callM(x rm)                  { a.l(0xff, 2, x) }

// Conditions.
const (
	ccO  = 0
	ccB  = 2
	ccAE = 3
	ccE  = 4
	ccNE = 5
	ccBE = 6
	ccA  = 7
	ccS  = 8
	ccNS = 9
	ccP  = 10
	ccNP = 11
	ccL  = 12
	ccGE = 13
	ccLE = 14
	ccG  = 15
)

// vex is a VEX-encoded instruction of map 0F: pp 0 none, 1 66, 2 F3, 3 F2.
func (a *asm) vex(w bool, pp byte, code byte, reg, vvvv int, x rm) {
	xb := x.rexXB()
	b1 := byte(1) | (^byte(reg>>3&1)&1)<<7 | (^(xb>>1)&1)<<6 | (^xb&1)<<5
	b2 := (^byte(vvvv)&15)<<3 | pp
	if w {
		b2 |= 0x80
	}
	a.u8(0xc4, b1, b2, code)
	a.modrm(reg, x)
}

func (a *asm) fld(x int, m rm) { // load or move
	if m.isReg() {
		if int(m.reg) != x {
			a.vex(false, 0, 0x28, x, 0, m)
		}
		return
	}
	a.vex(false, 3, 0x10, x, 0, m)
}
func (a *asm) fst(m rm, x int) {
	if m.isReg() {
		a.fld(int(m.reg), R(x))
		return
	}
	a.vex(false, 3, 0x11, x, 0, m)
}
func (a *asm) fromG(x int, g rm)              { a.vex(true, 1, 0x6e, x, 0, g) }
func (a *asm) toG(g int, x int)               { a.vex(true, 1, 0x7e, x, 0, R(g)) }
func (a *asm) fop(code byte, d, s1 int, s rm) { a.vex(false, 3, code, d, s1, s) }
func (a *asm) ucomi(x int, s rm)              { a.vex(false, 1, 0x2e, x, 0, s) }

const (
	fADD  = 0x58
	fMUL  = 0x59
	fSUB  = 0x5c
	fDIV  = 0x5e
	fSQRT = 0x51
)

// Jumps to be patched.
func (a *asm) jcc(cc byte) int {
	a.u8(0x0f, 0x80|cc)
	a.i32(0)
	return len(a.b)
}
func (a *asm) jmp() int {
	a.u8(0xe9)
	a.i32(0)
	return len(a.b)
}
func (a *asm) call() int {
	a.u8(0xe8)
	a.i32(0)
	return len(a.b)
}

// patch has the jump that ends at an offset lead to another one.
func (a *asm) patch(end, to int) { binary.LittleEndian.PutUint32(a.b[end-4:], uint32(int32(to-end))) }
func (a *asm) here(end int)      { a.patch(end, len(a.b)) }

// flush writes the constants behind the code.
func (a *asm) flush() (start int) {
	for len(a.b)%8 != 0 {
		a.u8(0xcc)
	}
	start = len(a.b)
	for _, v := range a.order {
		a.b = binary.LittleEndian.AppendUint64(a.b, v)
	}
	for _, r := range a.pool {
		binary.LittleEndian.PutUint32(a.b[r.at:], uint32(int32(start+r.idx*8-(r.at+4))))
	}
	a.pool, a.consts, a.order = nil, nil, nil
	return start
}
