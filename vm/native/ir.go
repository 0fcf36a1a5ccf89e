//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"math/bits"

	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// Pseudo opcodes of the intermediate form, which is the bytecode itself with
// small leaf functions expanded in place.
const (
	iINL  bc.Op = 1000 + iota // enters an inlined function: one step, stack check
	iGOTO                     // jumps without a step
	iNone
)

// A variable is a half of a register, or what is derived from one.
const (
	halfN = 0 // number word
	halfP = 1 // pointer word; memory always has it too
	halfD = 2 // backing of the list in the pointer word; no home, loaded again instead
)

// inlined is a call of a function that is expanded where it is called.
type inlined struct {
	up    *inlined
	off   int32  // bytes from the outermost window
	a     int32  // bytes from the caller's window
	ret   uint32 // word to return to in the caller
	depth int
}

// access is a use or definition of a variable by an instruction.
type access struct {
	v    int32 // variable, later web
	half uint8
	flt  uint8 // 1: as a float, 2: as something else, 0: either
	def  bool
	mem  bool // reads or writes the home
	may  bool // a definition that may not happen
}

// ins is an instruction: of the bytecode, with its window and what was found out about it.
type ins struct {
	op   bc.Op
	aux  uint8
	at   uint32 // word
	next uint32
	w    uint64
	imm  uint64
	off  int32    // of its window from the outermost one
	fr   *inlined // nil in the function itself
	to   int      // index of the jump's target, or -1
	tow  uint32   // word of the jump's target
	cw   uint32   // word in the outermost function, for handlers
	acc  []access
	hs   []int // handlers, as indices

	leader bool // a block begins here
	entry  bool // the interpreter may enter here
	depth  int  // of loops around it
	block  int
}

// Operands: of registers the byte offset from the outermost window.
func (in *ins) A() int32  { return int32(bc.AOf(in.w)) + in.off }
func (in *ins) B() int32  { return int32(bc.BOf(in.w)) + in.off }
func (in *ins) C() int32  { return int32(bc.COf(in.w)) + in.off }
func (in *ins) SB() int32 { return int32(int16(bc.BOf(in.w))) }
func (in *ins) SC() int32 { return int32(int16(bc.COf(in.w))) }
func (in *ins) UB() int32 { return int32(bc.BOf(in.w)) }
func (in *ins) UC() int32 { return int32(bc.COf(in.w)) }
func (in *ins) K() int32  { return bc.KOf(in.w) }

// block is a run of instructions that is entered at the first, but for what the
// interpreter enters.
type block struct {
	start, end int // of instructions
	succ       []int
	in, out    set // live
	rin, rout  set // needed in a register
	din, dout  set // dirty
}

// set is a set of variables or webs.
type set []uint64

func (s set) has(i int32) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s set) add(i int32)      { s[i>>6] |= 1 << (i & 63) }
func (s set) del(i int32)      { s[i>>6] &^= 1 << (i & 63) }
func (s set) or(t set) bool {
	ch := false
	for i, x := range t {
		if s[i]|x != s[i] {
			s[i] |= x
			ch = true
		}
	}
	return ch
}
func (s set) each(f func(i int32)) {
	for k, w := range s {
		for w != 0 {
			f(int32(k*64 + bits.TrailingZeros64(w)))
			w &= w - 1
		}
	}
}

// web is the definitions and uses of a variable that belong together, as what any of the
// definitions gives any of the uses may read.
type web struct {
	half   uint8
	slot   int32
	flt    int     // balance of float against int uses
	move   []int32 // webs that it is copied to or from
	isF    bool    // a register for floats is wanted
	reg    int     // -1: in memory
	wt     bool    // written through at once
	cost   float64 // what a register saves
	nonnil bool
	known  bool // it is k wherever it lives
	k      int64
	interf set // webs that live at the same time
}

// home is the offset of its word in the window.
func (w *web) home() int32 {
	if w.half == halfN {
		return w.slot*16 + 8
	}
	return w.slot * 16
}

// function is what is known of the function that is compiled.
type function struct {
	c      *coder
	f      *bc.Func
	ir     []ins
	blocks []block
	nvars  int
	slots  int32
	webs   []web
	uf     []int32
	// for each instruction, webs
	liveOut, liveIn, regOut, regIn, dirtyIn []set
	tooBig                                  bool
}

// maxInline is how many words a function may have that is expanded where it is called.
const maxInline = 24

// formatHole stands in a format spec for a number, as format.Hole.
const formatHole = "\x00"

// inlinable tells whether a function is small and calls nothing.
func (c *coder) inlinable(f *bc.Func) bool {
	if f.End-f.Start > maxInline || len(f.Handlers) > 0 || f.HasDefers || len(f.Captures) > 0 {
		return false
	}
	for at := f.Start; at < f.End; {
		op := bc.OpOf(c.p.Code[at])
		info := &bc.Ops[op]
		if known, _ := vm.MachineCalls(op); known {
			return false
		}
		switch op {
		case bc.CALL, bc.CALLC, bc.CALLI, bc.SWITCH, bc.UPI, bc.UPP, bc.UCGETI, bc.UCSETI, bc.UCADDI:
			return false
		}
		if to, j := bc.JumpTarget(c.p.Code[at], at); j && to <= at {
			return false
		}
		at++
		if info.Word {
			at++
		}
	}
	return true
}

// expand appends the instructions of a function whose window is off bytes above
// the outermost one's.
func (j *function) expand(f *bc.Func, off int32, fr *inlined, cw uint32) {
	code := j.c.p.Code
	first := len(j.ir)
	index := map[uint32]int{}
	var ends []int
	for at := f.Start; at < f.End; {
		w := code[at]
		op := bc.OpOf(w)
		in := ins{op: op, aux: bc.AuxOf(w), at: at, next: at + 1, w: w, off: off, fr: fr, to: -1, cw: cw}
		if fr == nil {
			in.cw = at
		}
		if bc.Ops[op].Word {
			in.imm = code[at+1]
			in.next++
		}
		index[at] = len(j.ir)
		if to, jumps := bc.JumpTarget(w, at); jumps {
			in.tow = to
			in.to = -2
		}
		at = in.next
		if op == bc.CALL {
			callee := funcStarting(j.c.p, uint32(bc.KOf(w)))
			if callee != nil && callee != j.f && (fr == nil || fr.depth < 2) && j.c.inlinable(callee) && len(j.ir) < 2000 {
				a := int32(bc.AOf(w))
				in.op = iINL
				nf := &inlined{up: fr, off: off + a, a: a, ret: in.next, depth: 1}
				if fr != nil {
					nf.depth = fr.depth + 1
				}
				j.ir = append(j.ir, in)
				j.expand(callee, off+a, nf, in.cw)
				continue
			}
		}
		if fr != nil {
			mov := iNone
			switch op {
			case bc.RET:
			case bc.RETI:
				mov = bc.MOVI
				in.w = bc.Instr(bc.MOVI, 0, 8, bc.AOf(w), 0)
			case bc.RETP:
				mov = bc.MOVP
				in.w = bc.Instr(bc.MOVP, 0, 0, bc.AOf(w), 0)
			case bc.RETV:
				mov = bc.MOVV
				in.w = bc.Instr(bc.MOVV, 0, 0, bc.AOf(w), 0)
			default:
				j.ir = append(j.ir, in)
				continue
			}
			if mov != iNone {
				in.op = mov
				j.ir = append(j.ir, in)
			}
			if at < f.End {
				in.op, in.w = iGOTO, 0
				ends = append(ends, len(j.ir))
				j.ir = append(j.ir, in)
			}
			continue
		}
		j.ir = append(j.ir, in)
	}
	for i := first; i < len(j.ir); i++ {
		if in := &j.ir[i]; in.to == -2 && in.fr == fr {
			in.to = index[in.tow]
		}
	}
	for _, i := range ends {
		j.ir[i].to = len(j.ir)
	}
	if fr == nil {
		for i := range f.Handlers {
			h := &f.Handlers[i]
			for k := range j.ir {
				if in := &j.ir[k]; h.Start <= in.cw && in.cw < h.End {
					in.hs = append(in.hs, index[h.Target])
				}
			}
			j.ir[index[h.Target]].leader = true
			j.ir[index[h.Target]].entry = true
		}
	}
}

func ends(op bc.Op) bool {
	switch op {
	case bc.RET, bc.RETI, bc.RETP, bc.RETV, bc.THROW, bc.RETHROW, bc.TRAP, bc.FAILSCOPE, bc.JMP, iGOTO, bc.SWITCH:
		return true
	}
	return false
}
func isCall(op bc.Op) bool { return op == bc.CALL || op == bc.CALLC || op == bc.CALLI }
func (in *ins) callOut() bool {
	if in.op >= bc.NumOps || partly(in.op) {
		return false
	}
	known, _ := vm.MachineCalls(in.op)
	return known
}

// partly reports whether machine code does what is frequent of an opcode itself, and has
// Go do the rest.
func partly(op bc.Op) bool {
	switch op {
	case bc.LPUSHI, bc.LPUSHB, bc.LPUSHP, bc.SEQ, bc.LGETOPT, bc.LLAST, bc.LPOP, bc.LSWAP:
		return true
	}
	return false
}

func (in *ins) clobbers() bool { return isCall(in.op) || in.callOut() }

// outline finds blocks and where the interpreter may enter.
func (j *function) outline() {
	n := len(j.ir)
	j.ir[0].leader, j.ir[0].entry = true, true
	for i := range j.ir {
		in := &j.ir[i]
		if in.to >= 0 && in.to < n {
			j.ir[in.to].leader = true
		}
		if i+1 < n {
			nx := &j.ir[i+1]
			if in.to >= 0 || ends(in.op) {
				nx.leader = true
			}
			if in.clobbers() {
				nx.entry = true
			}
			if partly(in.op) {
				nx.entry = true
			}
			if nx.fr != in.fr && nx.fr == nil { // behind an inlined call
				nx.entry = true
			}
		}
		if in.op == bc.SWITCH {
			for _, w := range j.c.p.Jumps[bc.BOf(in.w)] {
				for k := range j.ir {
					if j.ir[k].at == w && j.ir[k].fr == nil {
						j.ir[k].leader = true
						break
					}
				}
			}
		}
		if in.op == bc.RUNDEFER {
			in.entry = true
		}
	}
	for i := range j.ir {
		in := &j.ir[i]
		if in.leader && in.fr == nil {
			in.entry = true
		}
		if in.fr != nil {
			in.entry = false
		}
	}
	for i := range j.ir { // loops, as what lies between a jump back and its target
		if to := j.ir[i].to; to >= 0 && to <= i {
			for k := to; k <= i; k++ {
				j.ir[k].depth++
			}
		}
	}
	for i := 0; i < n; {
		b := block{start: i}
		i++
		for i < n && !j.ir[i].leader {
			i++
		}
		b.end = i
		for k := b.start; k < i; k++ {
			j.ir[k].block = len(j.blocks)
		}
		j.blocks = append(j.blocks, b)
	}
	for bi := range j.blocks {
		b := &j.blocks[bi]
		last := &j.ir[b.end-1]
		if last.to >= 0 && last.to < n {
			b.succ = append(b.succ, j.ir[last.to].block)
		}
		if last.op == bc.SWITCH {
			for _, w := range j.c.p.Jumps[bc.BOf(last.w)] {
				for k := range j.ir {
					if j.ir[k].at == w && j.ir[k].fr == nil {
						b.succ = append(b.succ, j.ir[k].block)
						break
					}
				}
			}
		} else if !ends(last.op) && b.end < n {
			b.succ = append(b.succ, j.ir[b.end].block)
		}
	}
}
