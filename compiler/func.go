package compiler

import (
	"math"
	"slices"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// builder makes the code of one function. Registers are handed out like a
// stack: locals and temporaries from top on; a call's window lies above what is
// in use. Register operands in instructions are scaled: 16*r for the pointer
// word or both words, 16*r+8 for the number word.
type builder struct {
	c     *compiler
	name  string
	info  *types.Info
	subst *types.Subst
	file  *diag.File

	code     []uint64
	lines    []bytecode.Line
	handlers []bytecode.Handler
	maps     []bytecode.TypeMap
	calls    []callFix
	far      bool // jumps of 16 bits do not reach: write them in two instructions
	tooFar   bool // a jump did not reach: build again with far

	top, max int
	regs     []uint32 // type of the object in each register's pointer word (objectOf); 0: a number, or unknown
	dead     bool     // the next instruction cannot be reached
	module   *types.Module
	tables   []tableRef
	frozen   int    // > 0 inside a default argument: positions are the call's
	pos      uint32 // source position of what is compiled now
	immAt    int    // code index of the last immediate word
	bound    int    // position of the last bound label: no fusing across it

	fits bool   // the pattern that is compiled is known to fit
	tag  tagReg // an enum's whose tag has been read

	locals  map[*types.Local]slot
	inited  map[*types.Global]bool // in top-level code: globals initialized above
	globals map[*types.Global]int  // script globals that live in registers of the entry
	self    types.Type
	selfVar *types.Local
	statics map[*types.Local]int // local functions that capture nothing: what they are compiled to
	result  types.Type
	loops   []*loop
	guards  []*guard
	defers  bool   // the function defers: returns go through exit
	frame   *frame // of a generator: where it keeps its registers; returns go through exit
	exit    *label
	holes   [][2]int // code that belongs to no handler around it
	retReg  int
}

// slot says where a local lives.
type slot struct {
	reg  int
	cell bool // the register (or capture) holds a cell with the value
	up   bool // captured: field is its place in the closure
	f    bytecode.Field
}

// capture is a captured local with its place in the closure object.
type capture struct {
	local *types.Local
	typ   types.Type // of the value; the cell's for a captured var
	cell  bool
}

type callFix struct {
	at int // code index of the CALL
	fn int // function index
}

type loop struct {
	node      syntax.Expr
	brk, cont *label
}

type label struct {
	pos   int // -1 until bound
	refs  []ref
	state []uint32 // register types that hold on every way here
	known bool
}

type ref struct {
	at   int
	wide bool // 32-bit jump in b:c, else 16-bit in c
}

func newLabel() *label { return &label{pos: -1} }

// ---- registers ----

func (b *builder) alloc() int { return b.allocN(1) }

func (b *builder) allocN(n int) int {
	r := b.top
	b.setTop(r + n)
	return r
}

// setTop frees or takes registers; what is above top holds nothing of use.
func (b *builder) setTop(n int) {
	if n > b.max {
		b.max = n
		if n > maxRegs {
			b.c.tooLarge(b.c.here, "registers in "+b.name, maxRegs, "split it into smaller functions; what is alike can be a list")
		}
	}
	for len(b.regs) < n {
		b.regs = append(b.regs, 0)
	}
	if n > b.top {
		clear(b.regs[b.top:n]) // what was left there by calls is unknown
	}
	b.top = n
}

// def notes the type of the object in a register's pointer word.
func (b *builder) def(r int, id uint32) {
	if r >= len(b.regs) {
		b.setTopAtLeast(r + 1)
	}
	b.regs[r] = b.c.objectOf(id)
}

func (b *builder) setTopAtLeast(n int) {
	if b.top < n {
		b.setTop(n)
	}
}

func (b *builder) defType(r int, t types.Type) {
	if b.c.rep(t) != bytecode.RepI {
		b.def(r, b.c.typeID(t))
	}
}

// Operand encodings of a register.
func pr(r int) uint16 { return uint16(r * 16) }
func ir(r int) uint16 { return uint16(r*16 + 8) }

// maxCode bounds the code of a function: defaults are compiled where they are
// used, so a short program can ask for very much of it.
const maxCode = 1 << 20

// maxRegs is how many registers a frame can address.
const maxRegs = 4095

// ---- emitting ----

func (b *builder) emit(op bytecode.Op, x, y, z uint16) int {
	return b.emitWord(bytecode.Instr(op, 0, x, y, z))
}

func (b *builder) emitWord(w uint64) int {
	if b.dead {
		return -1
	}
	at := len(b.code)
	if at%4096 == 0 {
		diag.Stop(b.c.opts.Context)
	}
	if at >= maxCode {
		b.c.tooLarge(b.c.here, "instructions in "+b.name, maxCode, "split it into smaller functions")
	}
	if b.pos != 0 {
		line, col := b.file.Pos(b.pos)
		if n := len(b.lines); n == 0 || b.lines[n-1].Line != uint32(line) || b.lines[n-1].Col != uint32(col) {
			b.lines = append(b.lines, bytecode.Line{PC: uint32(at), Line: uint32(line), Col: uint32(col)})
		}
	}
	b.code = append(b.code, w)
	return at
}

func (b *builder) emitK(op bytecode.Op, x uint16, k int32) int {
	return b.emitWord(bytecode.WithK(bytecode.Instr(op, 0, x, 0, 0), k))
}

func (b *builder) emitAux(op bytecode.Op, aux uint8, x, y, z uint16) int {
	return b.emitWord(bytecode.Instr(op, aux, x, y, z))
}

// keep notes in a waiting instruction how many registers are in use meanwhile.
func (b *builder) keep(at, top int) {
	if at >= 0 && at < len(b.code) {
		b.code[at] |= uint64(min(top, bytecode.UnknownTop)) << 8
	}
}

func (b *builder) emitImm(op bytecode.Op, x, y, z uint16, w uint64) int {
	at := b.emit(op, x, y, z)
	if at >= 0 {
		b.immAt = len(b.code)
		b.code = append(b.code, w)
	}
	return at
}

// at sets the source position of what is emitted next.
func (b *builder) at(n syntax.Node) {
	if s := n.Span(); s.IsValid() && b.frozen == 0 {
		b.pos, b.c.here = s.Start, s
	}
}

// ---- jumps ----

func (b *builder) noteJump(l *label) {
	if b.dead {
		return
	}
	if !l.known {
		l.known = true
		l.state = append([]uint32(nil), b.regs[:b.top]...)
		return
	}
	meet(l.state, b.regs, b.top)
}

// meet keeps what two states agree on.
func meet(state, other []uint32, n int) {
	for i := range state {
		if i >= n || state[i] != other[i] {
			state[i] = 0
		}
	}
}

// jump emits JMP.
func (b *builder) jump(l *label) {
	if b.dead {
		return
	}
	b.noteJump(l)
	b.ref(l, b.emitK(bytecode.JMP, 0, 0), true)
	b.dead = true
}

// jumpWide emits a conditional jump whose target is 32 bits.
func (b *builder) jumpWide(op bytecode.Op, x uint16, l *label) {
	if b.dead {
		return
	}
	b.noteJump(l)
	b.ref(l, b.emitK(op, x, 0), true)
}

// jumpIf emits a fused compare-and-branch with its target in c; imm, when not
// nil, is its second word.
func (b *builder) jumpIf(op bytecode.Op, x, y uint16, imm *uint64, l *label) {
	if b.dead {
		return
	}
	b.noteJump(l)
	if !b.far {
		at := b.emit(op, x, y, 0)
		if imm != nil {
			b.immAt = len(b.code)
			b.code = append(b.code, *imm)
		}
		b.ref(l, at, false)
		return
	}
	// over: the near jump skips the JMP that leaves when the condition fails.
	b.emit(op, x, y, 8)
	if imm != nil {
		b.code = append(b.code, *imm)
	}
	b.emitK(bytecode.JMP, 0, 8)
	b.relay(l)
	b.ref(l, b.emitK(bytecode.JMP, 0, 0), true)
	b.bound = len(b.code)
	b.snapshot()
}

// relay records what the registers hold where a near jump comes down that goes on
// to l: what they held before it, or what l is told of, which the jump may have set.
func (b *builder) relay(l *label) {
	state := slices.Clone(b.regs[:b.top])
	if i, ok := slices.BinarySearchFunc(b.maps, l.pos, func(m bytecode.TypeMap, pos int) int { return int(m.PC) - pos }); ok {
		for _, r := range b.maps[i].Regs {
			if int(r.Reg) < len(state) {
				state[r.Reg] = r.Type
			}
		}
	}
	b.recordMap(state)
}

func (b *builder) ref(l *label, at int, wide bool) {
	if l.pos >= 0 {
		b.patch(ref{at, wide}, l.pos)
		return
	}
	l.refs = append(l.refs, ref{at, wide})
}

// patch writes a jump's distance: bytes from the next instruction. The
// immediate word of a fused jump is skipped by its handler.
func (b *builder) patch(r ref, target int) {
	rel := (target - r.at - 1) * 8
	w := b.code[r.at]
	if r.wide {
		b.code[r.at] = bytecode.WithK(w, int32(rel))
		return
	}
	if bytecode.Ops[bytecode.OpOf(w)].Word {
		rel -= 8
	}
	if rel < math.MinInt16 || rel > math.MaxInt16 {
		b.tooFar = true
		rel = 0
	}
	b.code[r.at] = bytecode.Instr(bytecode.OpOf(w), bytecode.AuxOf(w), bytecode.AOf(w), bytecode.BOf(w), uint16(int16(rel)))
}

// bind puts a label here. What follows is reachable when something jumps here
// or what stands before falls through.
func (b *builder) bind(l *label) {
	l.pos = len(b.code)
	b.bound = l.pos
	for _, r := range l.refs {
		b.patch(r, l.pos)
	}
	l.refs = nil
	switch {
	case b.dead && l.known:
		b.restore(l.state)
		b.dead = false
	case b.dead:
		return
	case l.known:
		meet(l.state, b.regs, b.top)
		b.restore(l.state)
	}
	b.snapshot()
}

// bindLoop puts a label that later code jumps back to.
func (b *builder) bindLoop(l *label) {
	if b.dead && !l.known {
		// Nothing comes from above: the code is only kept for its shape.
		l.pos = len(b.code)
		b.bound = l.pos
		return
	}
	b.bind(l)
	l.known = true
	l.state = append([]uint32(nil), b.regs[:b.top]...)
}

func (b *builder) restore(state []uint32) {
	for i := range b.regs {
		b.regs[i] = 0
	}
	copy(b.regs, state)
}

// snapshot records the register types at a block entry for the verifier.
func (b *builder) snapshot() {
	b.recordMap(b.regs[:b.top])
}

func (b *builder) recordMap(state []uint32) {
	m := bytecode.TypeMap{PC: uint32(len(b.code))}
	for r, id := range state {
		if id != 0 && id != bytecode.IDAny { // of which the verifier knows nothing
			m.Regs = append(m.Regs, bytecode.RegType{Reg: uint16(r), Type: id})
		}
	}
	if n := len(b.maps); n > 0 && b.maps[n-1].PC == m.PC {
		b.maps[n-1] = m
		return
	}
	b.maps = append(b.maps, m)
}

// ---- moves and constants ----

func (b *builder) move(dst, src int, rep bytecode.Rep) {
	if dst == src {
		return
	}
	switch rep {
	case bytecode.RepI:
		b.emit(bytecode.MOVI, ir(dst), ir(src), 0)
	case bytecode.RepP:
		b.emit(bytecode.MOVP, pr(dst), pr(src), 0)
	case bytecode.RepV:
		b.emit(bytecode.MOVV, pr(dst), pr(src), 0)
	}
	if rep != bytecode.RepI {
		b.def(dst, b.regs[src])
	}
}

// moveAs is move to where a value of type t is kept: what is in src may be
// known better, and another t may be moved there later.
func (b *builder) moveAs(dst, src int, t types.Type) {
	b.move(dst, src, b.c.rep(t))
	b.defType(dst, t)
}

// dst returns the register to put a result in: the wanted one, or a new one.
func (b *builder) dst(want int) int {
	if want >= 0 {
		return want
	}
	return b.alloc()
}

func (b *builder) loadInt(r int, v int64) {
	if v == int64(int32(v)) {
		b.emitK(bytecode.LDI, ir(r), int32(v))
		return
	}
	b.emitImm(bytecode.LDW, ir(r), 0, 0, uint64(v))
}

func (b *builder) loadFloat(r int, v float64) {
	if v == 0 && !math.Signbit(v) {
		b.loadInt(r, 0)
		return
	}
	b.emitImm(bytecode.LDW, ir(r), 0, 0, math.Float64bits(v))
}

func (b *builder) loadStr(r int, s string) {
	b.emitK(bytecode.LDS, pr(r), int32(b.c.str(s)))
	b.def(r, bytecode.IDStr)
}
